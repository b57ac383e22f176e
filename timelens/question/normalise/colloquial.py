"""Normalises colloquial questions: removes padding and replaces idioms of office. Pure."""

import re
from collections.abc import Callable

from timelens.lexicon import AUXILIARIES, INTERROGATIVES, one_of
from timelens.question.followup.conversation import AnsweredValue, Turn
from timelens.question.followup.resolve import resolve
from timelens.temporal.calendar import Day
from timelens.words import COUNTRY_WORDS, STOP_WORDS

_APOSTROPHES = {
    word.replace("'", ""): word
    for word in (
        "what's who's where's when's how's that's there's i'm i've didn't wasn't weren't doesn't isn't "
        "aren't don't can't "
        "couldn't hasn't haven't hadn't wouldn't let's"
    ).split()
}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CONTRACTED = re.compile(r"\b(what|who|where|when|how)['’]s\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^\W*(?:(?:hey|hi|hello|ok(?:ay)?|so|well|um+|uh+|erm*|hm+|right|anyway|please|pls|roughly|just"
    r"|quick (?:one|question)"
    r"|(?:can|could|would|will) (?:you|someone|anyone) (?:please |kindly |just )?(?:tell|remind|inform) me"
    r"|(?:(?:can|could|would|will) you )?(?:please |just )?(?:walk|talk|take|run|guide|lead) me through"
    r"(?= (?:who|what|how|which|where)\b)"
    r"|(?:please |just )?(?:tell|remind) me|do you (?:happen to )?(?:know|remember)|any idea"
    r"|(?:does )?anyone know"
    r"|i(?:'m| am) (?:just |really )?(?:wondering|curious(?: to know)?|trying to (?:remember|recall"
    r"|find out|figure out))"
    r"|i (?:was wondering|wonder|(?:would|'d) like to know|want to know"
    r"|need to know))\b[\s,.;:!–—-]*)+(?=\S)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:[\s,;–—-]+(?:please|pls|plz|thanks|thank you|cheers|i mean|btw|by the way|then again"
    r"|if you know|or so"
    r"|all in all|in total|do you know))+\s*(?=[?!.]*$)",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"^(?P<asked>\W*(?:who|whom|whose|what|which|where|when|how)\b.*?)[\s,]+again\s*(?=[?!.]*$)",
    re.IGNORECASE,
)
"""A question with "again" for what was told before; after "since when", it means another time."""
_A_TIME_WHEN = re.compile(
    r"^\W*(?:was|were|has|have|is)\s+there\s+(?:ever\s+)?(?:been\s+)?a(?:ny)?\s+(?:time|year|day|moment|point|period)"
    r"\s+(?:when|where|in which|during which|at which|that)\s+(?P<clause>[^?]+?)(?P<end>[\s?!.]*)$",
    re.IGNORECASE,
)
"""A question whether something ever held: "was there a time when they were both on the board?"."""
_INCLUDED = re.compile(
    r",\s*(?:(?:including|counting|incl\.?)\s+[^,?;]+|(?!not\b)[^,?;]{2,30}\s+included)(?=\s*(?:[,?;!.]|$))",
    re.IGNORECASE,
)
"""What is said to be included anyway: ", launches included"."""
_MISTYPED = {
    typo: word
    for word in ("how", "who", "why", "which", "where", "when", "what")
    for place in range(len(word) - 1)
    for typo in (
        word[: place + 1] + word[place + 2 :],
        word[:place] + word[place + 1] + word[place] + word[place + 2 :],
    )
    if len(typo) > 2 and typo not in STOP_WORDS
}
"""Question words by what is typed: with a letter after the first left out, or with two letters exchanged."""
_AUXILIARY = one_of(AUXILIARIES)
"""Verbs that follow "when" in a question, unlike in a clause."""
_FINITE = re.compile(rf"\b(?:{_AUXILIARY})\b", re.IGNORECASE)
_FIRST_WORD = re.compile(
    rf"^(?P<word>{'|'.join(_MISTYPED)})(?=\s(?:\S+\s){{0,3}}"
    rf"(?:{_AUXILIARY})\b)",
    re.IGNORECASE,
)
_QUESTION_WORD = rf"(?:{one_of(INTERROGATIVES)}|since when|until when|did|was|were|is)"
_SET_OFF = re.compile(
    rf"^(?P<context>(?!{_QUESTION_WORD}\b)[^?]{{2,80}}?)\s*(?:[,;:]"
    rf"|\s[-–—])\s+(?P<asked>{_QUESTION_WORD}\b.+)$",
    re.IGNORECASE,
)
_CLAUSE_FIRST = re.compile(
    rf"^(?P<clause>(?:back\s+)?(?:when(?!\s+(?:{_AUXILIARY})\b)|while|during|after"
    rf"|before)\s+[^,?]{{3,100}}),\s+(?P<asked>{_QUESTION_WORD}\b.+?)(?P<end>[\s?!.]*)$",
    re.IGNORECASE,
)
_LONGEST_TOPIC = 4
"""Maximum number of words of a topic before its question; a longer text is a statement."""

_NEAR = r"(?:(?:right|just|immediately|directly|straight)\s+)?"
_ROLE = r"(?P<role>(?:the\s+)?[\w’' -]{2,40}?)(?=\s*(?:[?.!,]|$))"


def _succession(order: str) -> Callable[[re.Match[str]], str]:
    def asked(match: re.Match[str]) -> str:
        return f"who was {match['role']} immediately {order} {match['name']}"

    return asked


_EVENTS = (
    r"(?:(?:other|important|main|big|major|notable|significant|interesting|noteworthy|special)\s+)*"
    r"(?:events?|things?|happenings?|developments?|incidents?|occurrences?)"
)
_GOING_ON = (
    r"(?:occurred|occurs|happened|took\s+place|takes\s+place|went\s+on|goes\s+on|came\s+about"
    r"|(?:was|were|is|are|has\s+been|have\s+been)\s+(?:going\s+on|happening|taking\s+place))"
)
_ANYTHING = (
    r"(?:anything|something|everything|any\s+" + _EVENTS + r")"
    r"(?:\s+(?:that|else|at\s+all|of\s+(?:note|interest|importance)|interesting|important|special|notable"
    r"|happen|occur|take\s+place|go\s+on|going\s+on|happening|" + _GOING_ON + r"))*"
)
_ALL_EVENTS = rf"(?:(?:list|name|give|show)\s+(?:me\s+)?)?(?:(?:all|every)\s+)?(?:the\s+)?{_EVENTS}"
_WITH_TIME = r"(?=\s+(?:in|on|from|for|during|between|around)\b)"
_OCCURRENCE = (
    rf"^(?:(?:what|which)(?:\s+else)?(?:\s+(?:of\s+)?{_EVENTS})?\s+{_GOING_ON}"
    rf"|(?:what|which)\s+{_EVENTS}\s+(?:(?:was|were|are)\s+there|(?:have|had)\s+there\s+been)"
    rf"|(?:(?:did|was|were|is|are)\s+(?:there\s+)?)?{_ANYTHING}(?:(?<=happen)(?=\s+to\b)|{_WITH_TIME})"
    rf"|{_ALL_EVENTS}{_WITH_TIME})(?!\w)"
)
"""Wordings of "what happened"."""

_COUNTRY = rf"\s+(?:the\s+)?(?:country|{one_of(sorted(COUNTRY_WORDS))})\b"
_IDIOMS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (
            rf"\bwho\s+(?:came|was|was it)\s+{_NEAR}before\s+(?P<name>[^?,]{{2,40}}?)\s+as\s+{_ROLE}",
            _succession("before"),
        ),
        (rf"\bwho\s+preceded\s+(?P<name>[^?,]{{2,40}}?)\s+as\s+{_ROLE}", _succession("before")),
        (
            (
                rf"\bwho\s+(?:(?:came|was|was it|took over)\s+{_NEAR}(?:after|from)"
                rf"|succeeded|replaced|followed)\s+(?P<name>[^?,]{{2,40}}?)\s+as\s+{_ROLE}"
            ),
            _succession("after"),
        ),
        (r"^how\s+come\b", "why"),
        (_OCCURRENCE, "what happened"),
        (rf"^{_ALL_EVENTS}\s+of\b", "what happened in"),
        (
            (
                r"\bwho\s+(?P<be>was|is)\s+(?:the\s+(?:big\s+)?boss|running|in\s+charge|at\s+the\s+helm"
                r"|in\s+power|in\s+control)"
                rf"(?:\s+(?:of|in|at))?(?={_COUNTRY})"
            ),
            r"who \g<be> the leader of",
        ),
        (
            r"\bwho\s+(?:(?:ran|runs)(?=\s+(?:the\s+)?(?:country\b|(?-i:[A-Z])))|called\s+the\s+shots\s+(?:in|at))(?=\s)",
            "who was the leader of",
        ),
        (r"\bwho\s+(?:had|held|has|got)\s+the\s+top\s+job\s+(?:in|at|of)(?=\s)", "who was the leader of"),
        (r"\blost\s+(?:his|her|its|their)\s+li(?:fe|ves)\b", "died"),
        (r"\bleader\s+of\s+(?=(?:in|at|of|on|from|during|back|then|when|while)\b)", "leader "),
    )
)


def plainly(question: str, reference_day: Day) -> str:
    """The question without padding, and with idioms of office and succession in standard words.

    "hey, who's the boss of X pls" becomes "who is the leader of X". A topic or a statement before the
    question replaces the pronouns that refer to it.
    """

    def apostrophised(match: re.Match[str]) -> str:
        return _APOSTROPHES.get(match.group().lower(), match.group())

    text = _WORD.sub(apostrophised, question.strip())
    text = _CONTRACTED.sub(r"\1 is", text)
    text = _CLOSING.sub("", _OPENING.sub("", text))
    text = _INCLUDED.sub("", _AGAIN.sub(r"\g<asked>", text))
    text = _FIRST_WORD.sub(lambda typed: _MISTYPED[typed["word"].lower()], text)
    text = _A_TIME_WHEN.sub(_whether, text)
    text = _CLAUSE_FIRST.sub(_clause_last, text)
    if (set_off := _SET_OFF.match(text)) is not None:
        text = _joined(set_off, reference_day) or text
    for pattern, put in _IDIOMS:
        text = pattern.sub(put, text)
    return text


def _whether(match: re.Match[str]) -> str:
    """A statement as a yes-no question, with its first auxiliary verb before its subject."""
    clause = match["clause"]
    verb = _FINITE.search(clause)
    if verb is None:
        return f"did {clause}{match['end']}"
    return f"{verb.group()} {clause[: verb.start()]}{clause[verb.end() :].lstrip()}{match['end']}"


def _clause_last(match: re.Match[str]) -> str:
    clause = match["clause"]
    return f"{match['asked']} {clause[:1].lower()}{clause[1:]}{match['end']}"


def _joined(set_off: re.Match[str], reference_day: Day) -> str | None:
    """A question in which the topic or statement before it replaces the pronouns that refer to it."""
    context = set_off["context"]
    told = (AnsweredValue(context, None, held=False),) if len(context.split()) <= _LONGEST_TOPIC else ()
    about = f"who was {context}" if told else context
    return resolve(set_off["asked"], Turn(about, told), reference_day)
