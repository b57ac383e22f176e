"""Cues for Allen's relations between a fact and a period (Allen 1983).

"For the whole of 1999" is stricter than "in 1999": the fact contains the year. Each cue precedes a date of
the question and constrains the start and the end of the fact.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from timelens.question.roles import Role
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval

_LOOK_BACK = 40
_WHOLE = (
    r"(?:all|the (?:whole|entire|full)(?: (?:period|time|span|duration|year|month|decade|century))?"
    r"|the entirety)"
)
_SPANS = r"(?:span(?:s|ned|ning)|cover(?:s|ed|ing)|includ(?:es|ed|ing)|contain(?:s|ed|ing))"
_FROM = r"(?: of| from| between)?"
_CONTAINS = (
    rf"\b(?:(?:for|during|over|through) {_WHOLE}{_FROM}|{_WHOLE} of"
    rf"|{_SPANS} (?:{_WHOLE}|the (?:period|time|years)){_FROM})(?=\s|$)"
)
_AT_ONCE = r"(?:immediately|right|directly|just)"
_CUES = tuple(
    (allen, re.compile(pattern, re.IGNORECASE))
    for allen, pattern in (
        (Allen.CONTAIN, _CONTAINS),
        (Allen.DURING, r"\b(?:entirely|wholly|completely|fully|only) (?:within|during|between|in)\b"),
        (Allen.EQUAL, r"\b(?:exactly|precisely) (?:from|between)\b"),
        (Allen.MEET, rf"\b{_AT_ONCE} (?:before|prior to)\b"),
        (Allen.MET_BY, rf"\b{_AT_ONCE} after\b"),
    )
)

Apart = tuple[Role, Interval]


@dataclass(frozen=True, slots=True)
class Cued:
    """An Allen relation named by the words before a date."""

    relation: Allen
    start: int
    """The offset of its words in the question."""


def cue_before(question: str, span: tuple[int, int]) -> Cued | None:
    """The relation whose words reach up to or into a dated phrase at ``span``; ``None`` without one."""
    offset = max(0, span[0] - _LOOK_BACK)
    window = question[offset : span[1]]
    for relation, pattern in _CUES:
        for match in pattern.finditer(window):
            if match.end() >= span[0] - offset - 1 and match.start() <= span[0] - offset:
                return Cued(relation, min(offset + match.start(), span[0]))
    return None


def set_apart(relation: Allen, dates: Sequence[Interval]) -> tuple[Apart, ...]:
    """The conditions on the start and the end of a fact for a relation to the period that ``dates`` span.

    - *contain*: it held on the first and on the last day of the period.
    - *during*: it started inside the period, and ended inside it.
    - *equal*: it started in the first date and ended in the last.
    - *meet*, *met by*: it held on the day before the period, on the day after it.

    Empty if the period is unbounded, or for *equal* with a single date.
    """
    first, last = dates[0], dates[-1]
    if first.start is None or last.end is None or first.bounds[0] >= last.bounds[1]:
        return ()
    match relation:
        case Allen.CONTAIN:
            unit = first.granularity
            return (Role.HELD, _day(first.start, unit)), (Role.HELD, _day(last.end - 1, unit))
        case Allen.DURING:
            unit = first.granularity
            return (
                (Role.START, Interval(first.start, last.end, unit)),
                (Role.END, Interval(first.start, last.end, unit)),
            )
        case Allen.EQUAL if len(dates) == 2:
            return (Role.START, first), (Role.END, last)
        case Allen.MEET:
            return ((Role.HELD, _day(first.start - 1, first.granularity)),)
        case Allen.MET_BY:
            return ((Role.HELD, _day(last.end, last.granularity)),)
        case _:
            return ()


def _day(day: Day, unit: Granularity) -> Interval:
    return Interval(day, day + 1, unit)
