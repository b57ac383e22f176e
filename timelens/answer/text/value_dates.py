"""The time of a value, from the nearest time expression in its sentence. Pure."""

import re
from collections.abc import Sequence

from timelens.documents import Chunk
from timelens.question.roles import START_VERBS
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import Interval

Stretch = tuple[int, int]
"""Start and end offsets in a passage, half-open."""

_OPENS = frozenset("(,:–—-")
"""Characters that may join a value to the time that belongs to it: "Maas (1948–1969)"."""
_BESIDE_ANOTHER = 10
"""Distance, in words, added for each other value between a value and a time."""


def time_beside(
    chunk: Chunk, value: Stretch, others: Sequence[Stretch], times: Sequence[Expression]
) -> Interval | None:
    """The nearest time in the sentence of a value; ``None`` if there is none outside the value itself.

    ``times`` are the time expressions of the passage. A time beyond another value is used only if no other
    time is nearer.
    """
    start, end = next(
        ((start, end) for start, end in chunk.sentences if start <= value[0] < end), (0, len(chunk.text))
    )
    found = [
        one
        for one in times
        if start <= one.char_start < end and (one.char_end <= value[0] or value[1] <= one.char_start)
    ]
    nearest = min(found, key=lambda one: _distance(chunk.text, value, others, one), default=None)
    return None if nearest is None else nearest.interval


_INSTEAD = re.compile(
    r"\b(?:instead of|in (?:the )?place of|rather than|(?:up|down) from|previously|formerly"
    r"|until (?:now|then)|replac(?:es?|ed|ing)|succeed(?:s|ed|ing)?|t(?:akes?|ook|aking) over from)"
    r"(?: (?:the|it|they|he|she|we|was|were|had|been|cost|paid))*\W*$",
    re.IGNORECASE,
)
"""Words before a value that held until the time of the sentence."""
_FROM = re.compile(r"\bfrom\W*$", re.IGNORECASE)
_TO = re.compile(r"(?:\s+(?:an?|per|each|every|the)\s+\w+)?,?\s+to\s+", re.IGNORECASE)
"""What stands between the two values of a change: "from £240 a month to £275"."""


_CHANGED_TO = re.compile(
    r"\b(?:r(?:ises?|ose|isen|ising)|rais(?:e[sd]?|ing)|(?:go(?:es|ne|ing)?|went|put) (?:up|down)"
    r"|increas(?:e[sd]?|ing)|reduc(?:e[sd]?|ing)|cut|lower(?:s|ed)?|drop(?:s|ped)?|f(?:all|alls|ell|allen)|chang(?:e[sd]?|ing)"
    r"|mov(?:e[sd]?|ing)|switch(?:es|ed)?)\b[^.;:]{0,40}?\bto\W*$",
    re.IGNORECASE,
)
"""Words before a value that begins to hold at the time of the sentence."""
_MEANT = re.compile(r"\b(?:to|will|would|should|may|might|could|not|never)\s+(?:be\s+)?$", re.IGNORECASE)
"""Words before a verb for what may not come about."""
_CLAUSE = re.compile(r"[^.;:,]{0,40}")
_ANEW = re.compile(r"\bre-?$|\bagain\b", re.IGNORECASE)
"""What shows that somebody held a post before: "re-elected"."""


def begins_then(text: str, value: Stretch) -> bool:
    """Whether a sentence says that a value begins to hold: "rises to £30", "Ann was elected"; not a plan."""
    changed = _CHANGED_TO.search(text[: value[0]])
    if changed is not None:
        return _MEANT.search(text[: changed.start()]) is None
    clause = _CLAUSE.match(text, value[1])
    verb = None if clause is None else START_VERBS.search(text, value[1], clause.end())
    return verb is not None and not _ANEW.search(text, value[1], verb.start())


def is_after_from(text: str, value: Stretch) -> bool:
    """Whether "from" stands right before a value, perhaps with a sign between: "from £240"."""
    return _FROM.search(text[: value[0]]) is not None


def is_former(text: str, value: Stretch, others: Sequence[Stretch]) -> bool:
    """Whether a sentence says that a value ended then: "from £240 to £275", "Bo replaced Ada".

    ``others`` are the other values of the passage.
    """
    before = text[: value[0]]
    if _INSTEAD.search(before):
        return True
    changed = _TO.match(text, value[1]) if is_after_from(text, value) else None
    return changed is not None and any(start == changed.end() for start, _ in others)


def _distance(text: str, value: Stretch, others: Sequence[Stretch], time: Expression) -> tuple[int, int]:
    """Distance in words between a value and a time, then whether the time precedes the value."""
    is_before = time.char_end <= value[0]
    first, last = (time.char_end, value[0]) if is_before else (value[1], time.char_start)
    between = text[first:last].strip()
    if not is_before and (not between or set(between) <= _OPENS):
        return 0, 0
    crossed = sum(first <= start < last for start, _ in others)
    return 1 + len(between.split()) + _BESIDE_ANOTHER * crossed, is_before
