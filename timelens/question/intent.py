"""Classifies questions by TEMPO's intent, focus, class and granularity, and by the form of the answer.

Each table is tried from the top; the first matching pattern decides.
"""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TypeVar

from timelens.lexicon import BE, DO, HAVE, IMPERATIVES, INTERROGATIVES, one_of
from timelens.question.parsed_question import Focus, Intent, ParsedQuestion, ReasoningClass
from timelens.question.tense import has_verb
from timelens.temporal.interval import Granularity
from timelens.words import CAPITAL, STOP_WORDS, topic_words

T = TypeVar("T")

_OF_CHANGE = (
    r"chang(?:e|ed|ing)(?! (?:over )?to\b)|changes"  # "when did we change to Postgres" asks for a day
    r"|evol(?:ve[sd]?|ving|ution)|develop(?:ed|ments?)?|trends?"
    r"|over (?:the )?(?:time|years|decades)|differ(?:ed|ent|ences?)?|compare[ds]?|comparison"
)
_CHANGE = (
    rf"\b(?:{_OF_CHANGE}|grow(?:n|th)?|grew|progress\w*|versus|vs\.?|shift(?:ed)?)\b"
    rf"|\bhow (?:{one_of((*DO, *HAVE))})\b[^?]*\b(?:moved?|perform(?:ed)?|fluctuated?|behaved?|fared?)\b"
)

_INTENTS: Sequence[tuple[Intent, str]] = (
    (
        Intent.DURATION,
        (
            r"\bhow long\b|\bwhat length of time\b|\bhow many (?:\w+ )?(?:days|weeks|months|years|decades)\b"
            r"|(?<!in the )(?<!for the )(?<!over the )(?<!within the )\bduration\b"
        ),
    ),
    (
        Intent.ORDER,
        (
            r"\bin (?:what|which) order\b"
            r"|\b(?:which|what|who) (?:\w+ ){0,4}(?:came|was|happened) (?:first|earlier|later)\b"
        ),
    ),
    (Intent.TIMELINE, r"\btimeline\b|\bchronolog|^\s*history of\b|(?-i:\bhistory of\b)|" + _CHANGE),
    (
        Intent.WHEN,
        (
            r"\bwhen (?:did|was|were|is|has|had|will|does|do)\b|\bsince when\b"
            r"|\b(?:what|which) (?:year|date|day|month|decade|century|week|morning|evening|night)s?\b"
            r"|\b(?:tell (?:me|us)|know|say|said|find(?: out)?|remember|recall|is|was) (?:the )?(?:exact )?"
            r"(?:when|date|day|month|year)\b(?! (?:of the week|after|before)\b)"
            r"|(?<!and )\b(?:when|date|since)\W*$|, (?:day|month|year)\W*$"
        ),
    ),
    (
        Intent.PERIOD_DEFINITION,
        r"\b(?:what|which) (?:period|era|age|epoch|time span)\b|\bfrom when to when\b",
    ),
)

_CLASSES: Sequence[tuple[ReasoningClass, str]] = (
    (
        ReasoningClass.CAUSATION,
        (
            r"^\s*why\b|\b(?:caus(?:e[sd]?|ing)|led to|because|due to|reasons? for|impacts?|effects?"
            r"|result(?:ed)? (?:of|in|from))\b"
        ),
    ),
    (ReasoningClass.EVENT_VERIFICATION, r"^\s*(?:did|was|were|is it true|has|had)\b.*\?"),
    (
        ReasoningClass.MATERIALS_PROVENANCE,
        r"\b(?:manuscript|artefact|artifact|provenance|(?:oldest|earliest) known)\b",
    ),
    (
        ReasoningClass.SOURCES_METHODS,
        r"\b(?:sources?|records?|documented|methods?) (?:for|of|were|was|used)\b",
    ),
    (ReasoningClass.TRENDS_CROSS_PERIOD, _CHANGE),
    (ReasoningClass.ORIGINS_EVOLUTION, r"\b(?:origins?|originat\w+|emerge[ds]?|history of|come about)\b"),
    (
        ReasoningClass.HISTORICAL_ATTRIBUTION,
        r"\b(?:who (?:invented|discovered|founded|wrote|coined|proposed)|attributed to|credited)\b",
    ),
    (
        ReasoningClass.TIME_PERIOD_CONTEXT,
        r"\b(?:during|throughout|in) the (?:\w+ )?(?:era|period|age|war|years|decade|century|\d{3,4}s)\b",
    ),
)

_GRANULARITIES: Sequence[tuple[Granularity, str]] = (
    (
        Granularity.DAY,
        r"\b(?:what|which|exact) (?:date|day)s?\b|\bon (?:what|which) days?\b|\bexactly when\b",
    ),
    (Granularity.MONTH, r"\b(?:what|which) months?\b"),
    (Granularity.YEAR, r"\b(?:what|which) years?\b|\bhow many years\b"),
    (Granularity.DECADE, r"\b(?:what|which) decades?\b"),
    (Granularity.CENTURY, r"\b(?:what|which) centur(?:y|ies)\b"),
)


_SEVERAL = re.compile(
    r"\b(?:which|what) (?:\w+ ){0,2}(?:dates|days|months|years|times|events|decisions|changes)\b"
    r"|\bhow (?:often|many times)\b|\b(?:list|name|give)\b.*\b(?:all|every|each)\b|^\s*(?:can you )?list\b",
    re.IGNORECASE,
)


def wants_several(question: str) -> bool:
    """Whether a question asks for a list."""
    return _SEVERAL.search(question) is not None


def asks_for_length(question: str) -> bool:
    """Whether a question asks for a length of time."""
    return first_match(_INTENTS[:1], question) is not None


_WHEN_FIRST = re.compile(
    r"\s*(?:from |since |until )?when\b(?!.*, (?:(?:for|from|of|to) )?(?:who|what|which|where|how)\w*\b)",
    re.IGNORECASE,
)
"""A question for a time; "when it opened, who ran it?" asks for something else."""


def asks_for_time(question: str) -> bool:
    """Whether a question asks for a date or another point in time."""
    when = tuple((intent, pattern) for intent, pattern in _INTENTS if intent is Intent.WHEN)
    return first_match(when, question) is not None or _WHEN_FIRST.match(question) is not None


_ASKED = re.compile(
    r"\b(?:which|what|identify|name|list|give|provide|state|tell\s+me)\s+"
    r"(?:(?:was|is|were|are|had|has|have|been|other)\s+)*(?:the\s+)?(?P<noun>[^?.,;:]+)",
    re.IGNORECASE,
)


_NAME_ASKED = re.compile(
    r"^\W*(?:(?:and|in|to|from|with|for|by|of) )?(?:who|whom|whose|where)\b", re.IGNORECASE
)


_WHERE = re.compile(r"\W*(?:and\s+)?where\b", re.IGNORECASE)


def asks_where(question: str) -> bool:
    """Whether a question asks where something is or was."""
    return _WHERE.match(question) is not None


def asks_for_name(question: str) -> bool:
    """Whether a question asks who or where, which no number answers."""
    return _NAME_ASKED.match(question) is not None


_PERSON_ASKED = re.compile(r"^\W*(?:(?:and|in|to|from|with|for|by|of) )?(?:who|whom|whose)\b", re.IGNORECASE)


def asks_for_person(question: str) -> bool:
    """Whether a question begins with "who"."""
    return _PERSON_ASKED.match(question) is not None


_NEIGHBOUR = re.compile(
    r"\b(?:before|after|prior|previous|preced\w+|predecessors?|next|follow(?:s|ed|ing)?|succe(?:ed\w*|ssors?)"
    r"|replac\w+)\b",
    re.IGNORECASE,
)


def asks_for_neighbour(question: str) -> bool:
    """Whether a question may ask what came before or after something that it names."""
    return _NEIGHBOUR.search(question) is not None


VERB = re.compile(
    r"[a-z]{2,}ed|set|put|held|flew|took|won|led|began|became|ran|made|gave|came|went|fell|rose|hit|cut|met|lost|left|sent"
    r"|built|bought|sold|wrote|paid|spoke|struck|said|grew|brought|kept"
)


def asked_noun(question: str) -> str:
    """The noun phrase after "which", "what" or an imperative, up to a verb or function word; may be empty."""
    match = _ASKED.search(question)
    return "" if match is None else noun_at(match["noun"])


def noun_at(text: str) -> str:
    """The noun phrase at the beginning of a text, up to a verb or function word; may be empty."""
    words = takewhile(
        lambda word: word.casefold() not in STOP_WORDS and not VERB.fullmatch(word), text.split()
    )
    return " ".join(words)


_STATE = re.compile(
    r"\b(?:was|were|is|are|has|had|have|holds?|held|leads?|led|own(?:s|ed)?|plays?|played|works?|worked|lived?|lives"
    r"|resides?|resided|serves?|served|belong(?:s|ed)?|rules?|reign(?:s|ed)?|govern(?:s|ed)?|manage[sd]?"
    r"|coach(?:es|ed)?|head(?:s|ed)|chair(?:s|ed)|edit(?:s|ed)|command(?:s|ed)|attend(?:s|ed)?|stud(?:y|ies|ied)"
    r"|use[sd]?|apply|applies|applied|operate[sd]?|stay(?:s|ed)?|remain(?:s|ed)?|costs?|charge[sd]?)\b",
    re.IGNORECASE,
)


_REQUEST = (
    rf"(?:someone|anyone|you) (?:(?:please|kindly|also|just|quickly) )*(?:{one_of(IMPERATIVES)}|say|help"
    r"|remind|let|work|add|check|see|look|sum|remember|recall|share|supply|confirm|determine|clarify|detail|present"
    r"|report|retrieve|search|point|think|enumerate|write|read|answer|trace|figure|get|put|send|pull)\b"
)
"""What a polite request asks somebody to do, behind "could"."""
_WHETHER = re.compile(
    rf"\W*(?:(?:{one_of((*DO, *BE, *HAVE))})\b"
    rf"|could\b(?! {_REQUEST})|(?:can|will|would|may|must)\b(?! (?:you|someone|anyone)\b))(?!.*\bor\b)",
    re.IGNORECASE,
)
"""The beginning of a yes-no question; "Can you name …" is not one, "Could you park there?" is."""


_INTERROGATIVE = re.compile(rf"\b(?:{one_of(INTERROGATIVES)})\b", re.IGNORECASE)


def asks_for_state(question: str) -> bool:
    """Whether a question asks for a state, which may last, rather than an event; "garage rent" does too."""
    return _STATE.search(question) is not None or not (has_verb(question) or _INTERROGATIVE.search(question))


def state_verbs(question: str) -> list[str]:
    """The verbs of a question that ask for a state."""
    return [match.group() for match in _STATE.finditer(question)]


def asks_whether(core: str) -> bool:
    """Whether a core query is a yes-no question."""
    return _WHETHER.match(core) is not None


_NAME = rf"{CAPITAL}[\w'’-]*(?:\s{CAPITAL}[\w'’-]*)*"
_EITHER = re.compile(
    rf"\W*(?i:(?:{one_of((*DO, *BE, *HAVE))})\s)(?P<one>{_NAME})\s+or\s+(?P<other>{_NAME})\s"
)
"""Two names as the subject of a question, one of which answers."""
_OVERLAP = re.compile(
    r"\bat (?:the same time|once|one time)\b|\b(?:both|simultaneously|alongside|overlap(?:ped)?)\b",
    re.IGNORECASE,
)
_RETURN = re.compile(
    r"\b(?:again|more than once|twice|repeatedly|several times|(?:a|for the) second time"
    r"|(?:c[ao]me|coming|go(?:es|ne)?|went|brought|taken?|took) back|(?:return|re-?join)(?:s|ed)?"
    r"|resum(?:e[sd]?|ing))\b",
    re.IGNORECASE,
)


def either_of(core: str) -> tuple[str, ...]:
    """The two names of which a question wants one: "Did Ann or Bo have more hours?"; empty for others."""
    match = _EITHER.match(core)
    return () if match is None else (match["one"], match["other"])


def asks_for_overlap(core: str) -> bool:
    """Whether a yes-no question asks if several things held at the same time."""
    return asks_whether(core) and _OVERLAP.search(core) is not None


def return_asked(question: str) -> str:
    """The words by which a question asks for what held more than once ("again", "come back"); else empty."""
    found = _RETURN.search(question)
    return found.group() if found else ""


def is_change(question: str) -> bool:
    """Whether a question asks how something changed or differed over time."""
    return re.search(_CHANGE, question, re.IGNORECASE) is not None


_COURSE = re.compile(
    r"\b(?:course|path|history|story|evolution|trajector(?:y|ies)|sequence|succession|stages|unfold(?:ed)?"
    r"|chronicle|trace[ds]?)\b",
    re.IGNORECASE,
)
_HOW = re.compile(r"\bhow (?:did|has|have|had|do|does|was|were)\b", re.IGNORECASE)
_ENTITY = re.compile(
    r"\b(?:who|whom|whose|which|when|where|why|how (?:long|many|much|often|old|far))\b", re.IGNORECASE
)
_NO_VERB = STOP_WORDS.union(
    "did does was were has had will would could should in on at by since until once while when after before "
    "half twice double".split()
)
_IMPERATIVE = re.compile(
    r"^\s*(?P<verb>[^\W\d_]+)\s+(?:(?:me|us)\s+(?:through\s+)?)?(?=(?:the|an?|this|that|how|what|which|who|all|every|each|some)\b)",
    re.IGNORECASE,
)


def imperative_of(question: str) -> str:
    """The imperative at the start of a question, with "me" ("Trace", "Take me through"), or empty.

    It is a first word before an article or a question word, where a name or noun is impossible.
    """
    match = _IMPERATIVE.match(question)
    return "" if match is None or match["verb"].casefold() in _NO_VERB else match.group().strip()


def tells_course(question: str, *, of_range: bool = True) -> bool:
    """Whether a question asks for the course of something rather than for one thing.

    It does if it contains a word for a course, or, with a range of two dates (``of_range``), asks "how" or in
    the imperative. Without a range, "who" and "which" ask for one thing, whatever its name ("the History
    Group").
    """
    names_one = _ENTITY.search(question) is not None
    if _COURSE.search(question) is not None:
        return of_range or not names_one
    told = _HOW.search(question) is not None or bool(imperative_of(question))
    return of_range and told and not names_one


_CHANGING = re.compile(
    rf"\b(?:{_OF_CHANGE}"
    r"|course|path|history|story|trajector(?:y|ies)"
    r"|sequence|succession|stages|unfold(?:ed)?|chronicle)\b",
    re.IGNORECASE,
)


def subject_of(parsed: ParsedQuestion) -> str:
    """The topic of a question: its core, without words for change or course if it asks for a change."""
    if parsed.focus is not Focus.CHANGE_OVER_TIME:
        return parsed.core
    left = " ".join(_CHANGING.sub(" ", parsed.core).split())
    return left if topic_words(left) else parsed.core


def intent_of(question: str, *, current: bool, ordered: bool) -> Intent:
    """The temporal intent; ``ordered``: the question has an order, or a relation such as before or after."""
    found = first_match(_INTENTS, question)
    if found is not None:
        return found
    if current:
        return Intent.ONGOING_STATUS
    return Intent.BEFORE_AFTER if ordered else Intent.NONE


def focus_of(question: str, intent: Intent, *, current: bool, constrained: bool) -> Focus:
    """The temporal focus of the answer."""
    if intent is Intent.DURATION:
        return Focus.DURATION
    if is_change(question):
        return Focus.CHANGE_OVER_TIME
    if current:
        return Focus.RECENCY
    return Focus.SPECIFIC_TIME if constrained or intent is Intent.WHEN else Focus.NONE


def reasoning_class_of(question: str, *, temporal: bool) -> ReasoningClass:
    """TEMPO's reasoning class; the default for a temporal question is the analysis of an event."""
    default = ReasoningClass.EVENT_ANALYSIS if temporal else ReasoningClass.OTHER
    return first_match(_CLASSES, question) or default


def expected_granularity_of(question: str) -> Granularity | None:
    """The granularity that the question asks for, if stated."""
    return first_match(_GRANULARITIES, question)


def first_match(table: Sequence[tuple[T, str]], question: str) -> T | None:
    """The value of the first pattern of a table that matches."""
    return next((value for value, pattern in table if re.search(pattern, question, re.IGNORECASE)), None)
