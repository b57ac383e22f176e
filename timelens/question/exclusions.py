"""What a question leaves out: things ("not counting the launches") and times ("except in 2005"). Pure."""

import re

from timelens.lexicon import AUXILIARIES
from timelens.temporal.vocabulary import COUNTED_UNITS
from timelens.words import STOP_WORDS

_LEAVING_OUT = (
    r"(?:not|without) (?:counting|including)|leaving (?:out|aside)|excluding|except(?:ing)?(?: for)?"
    r"|(?:apart|aside) from|other than|with the exception of"
)
_EXCLUDED = re.compile(
    rf"[,;]?\s*(?:\b(?:{_LEAVING_OUT})|(?<=,)\s*(?:but )?not(?= (?:the|our|my|at|in)\b))"
    r"\s+(?P<thing>[^,;?.!]+)",
    re.IGNORECASE,
)
_UNITS = "|".join(COUNTED_UNITS)
_STRETCHES = "period|season|time|range|interval|span|date"
_TIME_LEFT_OUT = re.compile(
    rf"[,;]?\s*\b(?:(?:{_LEAVING_OUT}|(?P<apart>apart|aside)|besides|barring|(?:but|and|though|yet|only) not"
    rf"|(?<=,)\s*not|(?P<every>(?:{_UNITS})s?)\s+(?P<but>but)|(?P<denied>not)(?=\s+(?:in|during)\b))"
    r"(?:\s+(?:in|on|at|during|over))*|outside(?: of)?)"
    rf"(?:\s+(?:the|these|those))?(?:(?:\s+[a-z'’-]+){{0,2}}?\s+(?:{_UNITS}|{_STRETCHES})s?"
    r"(?:\s+(?:of|from|between))?)?\s*$",
    re.IGNORECASE,
)
"""The words before a time that is left out: "outside of", "but not in", "apart from the war years"."""
_WHOLE = re.compile(r"\b(?:(?:in|on|for|during)\s+)?(?:all|any|each|every|no)\s+(?:the\s+)?$", re.IGNORECASE)
_UNIT_OF_DATE = re.compile(rf"(?:the\s+)?(?:{_UNITS}|period)s?\s+", re.IGNORECASE)
"""The beginning of a date that names its unit: "the years 1939-1945"."""
_FROM = re.compile(r"from\b", re.IGNORECASE)
_NO_EXCLUSION = frozenset("why or if whether".split()).union(AUXILIARIES)
"""Words shortly before "not in 2005" with which it denies what the question says, or offers it."""
_CLAUSE_END = re.compile(r"\s*(?:[,;?.!]|$|(?:and|or|but|nor)\b)", re.IGNORECASE)
_THE = re.compile(r"\bthe\s", re.IGNORECASE)
_DENIED_TOO = re.compile(r"(?:but|and|though|yet) not\b", re.IGNORECASE)
_NOUN = re.compile(r"\s(?P<word>[a-z][\w'’-]*)")


def without_excluded(question: str) -> tuple[str, str]:
    """The question without what it leaves out, and the words for that; empty if it leaves out nothing."""
    match = _EXCLUDED.search(question)
    if match is None:
        return question, ""
    return f"{question[: match.start()]}{question[match.end() :]}", match["thing"]


def time_left_out(text: str, start: int, end: int) -> int | None:
    """The offset of the words by which a question leaves out the time at ``start`` to ``end``, half-open.

    ``None`` if it does not: "Was it open or not in 2005?" asks about the year.
    """
    unit = _UNIT_OF_DATE.match(text, start, end)
    match = _TIME_LEFT_OUT.search(text[: start if unit is None else unit.end()])
    if match is None or (match["apart"] and _FROM.match(text, start) is None):
        return None
    if match["but"]:
        whole = _WHOLE.search(text[: match.start("every")])
        return None if whole is None else whole.start()
    begin = match.start() + len(match[0]) - len(match[0].lstrip(" ,;"))
    if match["denied"]:
        before = text[: match.start()].casefold().split()
        is_denial = not _NO_EXCLUSION.isdisjoint(before[-2:]) or _CLAUSE_END.match(text, end) is None
        return None if is_denial else begin
    return begin


def denies_fact(words: str) -> bool:
    """Whether the words for a time that is left out say that a fact must not hold then: "but not in 2005".

    ", not in 2005" may only put right which time is meant: "not in 2005 but in 2006".
    """
    return _DENIED_TOO.match(words) is not None


def describes_thing(text: str, start: int, end: int) -> bool:
    """Whether a time only describes a thing that is left out: "other than the 2005 winner"."""
    noun = _NOUN.match(text, end)
    return _THE.search(text[:end], max(0, start - len("the "))) is not None and (
        noun is not None and noun["word"] not in STOP_WORDS
    )
