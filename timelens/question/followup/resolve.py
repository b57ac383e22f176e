"""Resolves follow-up questions against the previous question and its answer. Pure.

Rules are tried in order. Each rule handles one kind of fragment and returns a self-contained question; a text
that no rule handles is not a follow-up.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from timelens.lexicon import AUXILIARIES, TITLES, one_of, ordinals
from timelens.question.followup.conversation import Context, Turn, slots_of
from timelens.question.followup.coreference import pointing
from timelens.question.followup.fragments import with_times
from timelens.question.followup.period_change import among_periods, from_then, other_time
from timelens.question.followup.period_phrases import beyond
from timelens.question.implicit_times import is_free
from timelens.question.parse import one_line
from timelens.question.periods import CONTRAST
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.phrasing import phrase_day
from timelens.words import STOP_WORDS, topic_words

_FILLER = re.compile(
    r"^(?:(?:and|but|so|then|ok(?:ay)?|oh|ah|hm+|well|right|thanks|thank you|great|good|also|sorry"
    r"|yes|no|please"
    r"|(?:can|could|would) you (?:please )?(?:also )?tell me|tell me|do you know"
    r"|i (?:also )?wonder)\b[\s,.;:!–-]*)+",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:(?:ok(?:ay)?|oh|well|right|so|thanks|thank you)[\s,.;:!–-]+)*(?:and|but)\b", re.IGNORECASE
)
_AND_THEN = re.compile(r"(?:(?:and|so) )*(?:then(?: what)?|what (?:then|next))", re.IGNORECASE)
_POLITE = re.compile(
    r"[\s,]*\b(?:please|pls|thanks|thank you|by the way|btw|do you know|exactly)$", re.IGNORECASE
)
_ABOUT = re.compile(
    r"^(?:(?:(?:what|how) (?:about|of)|(?:the )?same (?:question |thing |comparison )?(?:for|but)?"
    r"|(?:who|what|which)(?: one)? (?:was|is|were)"
    r" (?:it|that|they))\b\s*)",
    re.IGNORECASE,
)
_POINTER = r"(?:that|this|it|him|her|them|he|she|they|those|these)"
_OWNER = r"(?:his|her|its|their|the)"
_NEXT = re.compile(
    rf"(?:who|what|which)?(?: one)?(?: (?:was|is|were|came|comes|got in|took over|follow(?:ed|s)"
    rf"|succeed(?:ed|s)"
    rf"|replac(?:ed|es)|did|had|held))?(?: it)?(?: {_POINTER})?"
    rf"(?: ?(?:the )?(?:next(?: one)?|after(?:wards)?(?: {_POINTER})?|after then|then|later))?"
    rf"|(?:who (?:was|is|were) )?{_OWNER} (?:successors?|replacement)|(?:right |just "
    rf"|immediately )?after {_POINTER}"
    rf"|the (?:one|ones) after(?: {_POINTER})?",
    re.IGNORECASE,
)
_FORWARD = re.compile(r"\b(?:next|after(?:wards)?|then|later|follow|succe|replac|took over)", re.IGNORECASE)
_PREVIOUS = re.compile(
    rf"(?:who|what|which)?(?: one)?(?: (?:was|is|were|came|comes|preced(?:ed|es)|did|had|held))?(?: it)?"
    rf"(?: {_POINTER})?"
    rf"(?: ?(?:the )?(?:previous(?: one)?|before(?:hand)?(?: {_POINTER})?|before then|earlier))?"
    rf"|(?:who (?:was|is|were) )?{_OWNER} predecessors?|(?:right |just |immediately )?before {_POINTER}"
    rf"|the (?:one|ones) before(?: {_POINTER})?",
    re.IGNORECASE,
)
_BACKWARD = re.compile(r"\b(?:previous|before|earlier|preced|predecess)", re.IGNORECASE)

_HEADS = (
    (r"why|how come|how so|for what reasons?", "Why"),
    (r"(?:since|from) when", "Since when"),
    (r"(?:until|till?|to) when", "Until when"),
    (r"(?:for )?how (?:long|many years)", "How long"),
    (r"(?:on )?(?:what|which) (?:date|day)", "On what date"),
    (r"(?:in )?(?:what|which) year", "In what year"),
    (r"when", "When"),
    (r"where", "Where"),
    (r"by how much", "By how much"),
    (r"(?:for|at) (?:how much|what (?:price|cost|sum|fee))", "For how much"),
    (r"how much", "How much"),
    (r"how many", "How many"),
    (r"how", "How"),
    (r"with who(?:m)?|who with", "With whom"),
    (r"from who(?:m)?|who from", "From whom"),
    (r"who(?: by)?|by whom", "Who"),
)
_REST = (
    r"(?: (?:was|is|were|did|does|do|has|had) (?:that|this|it|he|she|they)"
    r"(?: (?:then|happen|last|all|like that|for|be))?)?(?: (?:then|so|though))?"
)
_BARE = tuple((re.compile(rf"(?:{pattern}){_REST}", re.IGNORECASE), head) for pattern, head in _HEADS)
_TIMELESS_HEADS = frozenset({"Since when", "Until when", "How long", "When", "On what date", "In what year"})
_ENDS = frozenset({"Since when", "Until when"})
_AMOUNTS = frozenset({"How much", "How many"})
"""Heads of a question about what was asked before, whatever its answer was."""
_AUX = one_of(AUXILIARIES)
_FRONTED = re.compile(
    r"(?:when|where|why|how(?: \w+){0,2}|(?:in |on )?(?:what|which)(?: \w+){0,3}?|by how much|(?:since"
    r"|until) when)"
    rf"\s+(?P<aux>{_AUX})\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?P<asked>who|what|which\s.+?|what\s.+?)\s+(?P<verb>was|were|is|are)\s+(?P<rest>.+)", re.IGNORECASE
)

_BESIDE = re.compile(
    r"(?:(?:who|what|which)(?: one)? (?:came|was|is|were)(?: it)? )?(?:right |just "
    r"|immediately )?(?P<order>after|before)"
    r" (?P<name>(?!\d)(?!\w+ing\b)\w+(?: [A-Z]\w+){0,3})",
)
_FRAGMENT_VERB = re.compile(
    rf"\b(?:{_AUX}|be|been|who|whom|whose|what|which|when|where|why|how|if|because|that|there|please"
    rf"|tell|list|give"
    r"|he|she|it|they|him|her|them|his|its|their|i|me|we|you|us)\b",
    re.IGNORECASE,
)
_PLACING = "in|for|at|of|by|under|on|with|from|to"
"""Prepositions before a thing that a fragment replaces; one of the same preposition is preferred."""
_TITLES = frozenset(TITLES)
_LONGEST_FRAGMENT = 8
_ORDINAL = re.compile(
    rf"(?:the\s+)?(?:very\s+)?(?:\d+(?:st|nd|rd|th)|last|{'|'.join(ordinals(1, 20))})\b", re.IGNORECASE
)
_NO_THING = STOP_WORDS.union("one ones other others both two three same only last".split())
"""Words that are not a thing by themselves."""


def resolve(text: str, turn: Turn, reference_day: Day, conventions: Conventions = USUAL) -> str | None:
    """The self-contained question for a follow-up; ``None`` if the text is not a follow-up.

    ``turn`` is the previous question with its answer; ``reference_day`` and ``conventions`` are as in
    :func:`timelens.question.parse.parse`.
    """
    line = _plain_line(text)
    joined = _JOINED.match(line) is not None
    context = Context(turn, reference_day, conventions)
    said = from_then(_without_filler(line), context)
    rules: tuple[Callable[[str, Context], str | None], ...] = (
        _periods,
        _neighbour,
        _bare,
        _other_time,
        _beside,
        pointing,
    )
    found = next((asked for rule in rules if (asked := rule(said, context)) is not None), None)
    if found is None:
        found = _other_thing(said, context, joined=joined)
    return None if found is None else f"{found[:1].upper()}{found[1:]}?"


def is_about_answer(text: str) -> bool:
    """Whether a follow-up needs the answer before it: "since when?", "who did it before?"."""
    said = _without_filler(_plain_line(text))
    return _direction(said) is not None or _head(said) in _ENDS


def _plain_line(text: str) -> str:
    """A follow-up on one line, without polite words and signs at its end."""
    return _POLITE.sub("", one_line(text).strip(" ?!.,;"))


def _without_filler(line: str) -> str:
    """A follow-up without the words that only lead to it; "next" for "and then?"."""
    return "next" if _AND_THEN.fullmatch(line) else _FILLER.sub("", line)


def _direction(said: str) -> Literal["after", "before"] | None:
    """Which neighbour of the answer is asked for; ``None`` if none is."""
    forward = _NEXT.fullmatch(said) is not None and _FORWARD.search(said) is not None
    backward = _PREVIOUS.fullmatch(said) is not None and _BACKWARD.search(said) is not None
    if forward == backward:
        return None
    return "after" if forward else "before"


def _neighbour(said: str, context: Context) -> str | None:
    """The question for "what came next" or "before": the same for the time after or before the answer."""
    direction = _direction(said)
    if direction is None:
        return None
    forward = direction == "after"
    word, order = ("after", "first") if forward else ("before", "last")
    question = context.timeless
    if context.held is not None:
        day = context.held.end if forward else context.held.start
        if day is None:
            day = context.reference_day  # it still holds, so there is no successor yet
        # an office may change hands within a day, and a recorded end may be the last day or the day after
        return f"{_past(question)} {order} {word} {phrase_day(day - 1 if forward else day)}"
    if context.name is not None and (context.asks_who or _SUBJECT.fullmatch(context.whole)):
        return f"{_past(question)} immediately {word} {context.name}"
    time = context.outermost(forward=forward)
    return None if time is None else f"{question} {beyond(word, time)}"


def _past(question: str) -> str:
    """The question in the past tense."""
    tenses = {"is": "was", "are": "were"}
    return re.sub(r"\b(?:is|are)\b", lambda verb: tenses[verb.group()], question, count=1)


def _head(said: str) -> str | None:
    """The question word of a follow-up that is nothing else: "Since when" of "since when was that"."""
    return next((head for pattern, head in _BARE if pattern.fullmatch(said)), None)


def _bare(said: str, context: Context) -> str | None:
    """A bare question word ("why?", "since when?", "how long?"): the same question with another head."""
    head = _head(said)
    if head is None:
        return None
    question = context.timeless if head in _TIMELESS_HEADS else context.whole
    subject = None if context.name is None or head in _AMOUNTS else _SUBJECT.fullmatch(question)
    if subject is None and (fronted := _FRONTED.fullmatch(question)):
        rest = re.sub(
            r"\bdo(?=$|\s+(?:in|on|at|during|after|before|since)\b)", "do that", fronted["rest"], count=1
        )
        return f"{head} {fronted['aux']} {rest}"
    if context.name is not None:
        if subject is not None:
            what = subject["asked"].casefold() == "what"
            pair = (subject["rest"], context.name) if what else (context.name, subject["rest"])
            return f"{head} {subject['verb']} {' '.join(pair)}"
        if asked := re.match(
            r"who\b|(?:which|what)(?:\s(?!\w+ed\b)\w+)*?(?=\s\w+ed\b|\s(?:led|held|ran)\b)",
            question,
            re.IGNORECASE,
        ):
            return f"{head} was it that {context.name}{question[asked.end() :]}"
    return f"{head}: {question[:1].lower()}{question[1:]}"


def _beside(said: str, context: Context) -> str | None:
    """The predecessor or successor of a named person ("and after Thatcher?")."""
    beside = _BESIDE.fullmatch(said)
    if beside is None or not context.asks_who:
        return None
    return f"{_past(context.timeless)} immediately {beside['order'].lower()} {beside['name']}"


def _other_time(said: str, context: Context) -> str | None:
    """A bare time, or one relative to that of the previous question ("what about 2019", "a year later")."""
    return other_time(_ABOUT.sub("", said), context)


def _periods(said: str, context: Context) -> str | None:
    """A fragment that adds to the previous periods or refers to them ("compare that with 2010")."""
    return among_periods(_ABOUT.sub("", said), context)


def _other_thing(said: str, context: Context, *, joined: bool) -> str | None:
    """Another thing of the same kind, which replaces the asked one ("and in France?").

    Times in the fragment replace the asked times ("and in France in 1999?").
    """
    about = _ABOUT.match(said)
    bare, times = with_times(said[about.end() :] if about else said, context)
    words = bare.split()
    if not words or len(words) > _LONGEST_FRAGMENT or _FRAGMENT_VERB.search(bare) or not (joined or about):
        return None
    if CONTRAST.match(bare) or all(word in _NO_THING for word in re.findall(r"\w+", bare.casefold())):
        return None
    if not times:
        return _with_thing(bare, context.whole, context.times)
    asked = _with_thing(bare, context.timeless, ())
    return None if asked is None else f"{asked} {times}"


def _with_thing(bare: str, question: str, times: Sequence[tuple[int, int]]) -> str | None:
    """The question with a thing replaced; ``times`` are the offsets of its times. ``None`` if none fits."""
    slots = tuple(slot for slot in slots_of(question) if is_free(slot, times))
    if not slots:
        return None
    placed = re.match(rf"(?P<word>{_PLACING})\s+(?P<thing>.+)", bare, re.IGNORECASE)
    if placed:
        for words in (placed["word"], _PLACING):
            pattern = re.compile(rf"\b(?:{words})\s+(?:the\s+)?$", re.IGNORECASE)
            places = [slot for slot in slots if pattern.search(question[: slot[0]])]
            if places:
                return _replaced(question, places[-1], placed["thing"])
        return f"{question} {bare}"
    slot = _alike(bare, question, slots)
    start, end = slot
    old = question[start:end]
    bare = re.sub(r"\bones?\b", old.split()[-1], bare)
    owner = re.match(r"(?P<owner>.+?)(?:['’]s|s['’]|(?<=[^s])s)$", bare)
    owned = re.match(r"(?P<owner>.+?)['’]s?\s", old)
    if owned and (owner or len(bare.split()) == 1):
        bare, end = f"{owner['owner'] if owner else bare}'s", start + owned.end() - 1
        return f"{question[:start]}{bare}{question[end:]}"
    if owner and re.search(r"['’]", bare):
        bare = owner["owner"]
    return _replaced(question, (start, end), bare)


def _alike(bare: str, question: str, slots: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The noun phrase that a fragment replaces: one that shares a word, else a name, else the last."""
    words = {word.casefold() for word in re.findall(r"\w+", bare)} - {"the", "a", "an", "of"}
    stems = topic_words(bare)

    def nearness(slot: tuple[int, int]) -> tuple[bool, bool, bool, int]:
        old = question[slot[0] : slot[1]]
        others = {word.casefold() for word in re.findall(r"\w+", old)}
        shared = bool(words & others or stems & topic_words(old) or (words & _TITLES and others & _TITLES))
        possessive = bool(re.search(r"['’]s?\s", old)) and re.search(r"s['’]?$", bare) is not None
        capital = old[:1].isupper() and not others & _TITLES
        return shared, possessive, capital, slot[0]

    return max(slots, key=nearness)


def _with_noun(thing: str, old: str) -> str:
    """A bare ordinal with the noun of the phrase that it replaces: "the second" for "first field test"."""
    if _ORDINAL.fullmatch(thing) is None:
        return thing
    noun = _ORDINAL.match(old)
    return f"{thing} {old[noun.end() :].strip()}".strip() if noun else thing


def _replaced(question: str, slot: tuple[int, int], thing: str) -> str:
    """The question with another noun phrase in a slot, without a superfluous article before it."""
    start, end = slot
    thing = _with_noun(thing, question[start:end])
    before = question[:start]
    if re.match(r"(?:the|an?)\s", thing, re.IGNORECASE):
        before = re.sub(r"\b(?:the|an?)\s+$", "", before, flags=re.IGNORECASE)
    elif thing[:1].isupper() or " " not in thing:
        before = re.sub(r"\bthe\s+$", "", before, flags=re.IGNORECASE)
    return f"{before}{thing}{question[end:]}"
