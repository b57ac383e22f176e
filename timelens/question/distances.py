"""Times told by how far they lie from another: "less than five years after the merger". Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.rules.counting import LENGTH, Steps, moved, stepped, steps


class Reach(StrEnum):
    """Which times a distance admits: at it, up to it, or from it on."""

    AT = "at"
    UNDER = "under"
    """Nearer than it."""
    UP_TO = "up_to"
    """At most as far as it."""
    FROM = "from"
    """At least as far as it."""
    OVER = "over"
    """Farther than it."""


_REACHES = {
    Reach.UP_TO: r"(?:no|not) (?:more|longer|later) than|at most|up to|within|inside"
    r"|(?:(?:in|for|during|over|within) )?the(?: (?:first|last|next))?",
    Reach.UNDER: r"(?:less|fewer|sooner) than|under",
    Reach.FROM: r"(?:no|not) (?:less|fewer|sooner) than|at least",
    Reach.OVER: r"(?:more|longer|later) than|over",
}
_REACH = "|".join(f"(?P<{reach}>{words})" for reach, words in _REACHES.items())
REACH = rf"(?:\b(?:{_REACH})\s+)"
"""Words before a length for how far from a time is admitted; one group of the match names the reach."""
_BEFORE = re.compile(rf"{REACH}?(?<![\w.,£$€-]){LENGTH}\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Distance:
    """A length of time between a time that is asked for and the one that it is counted from."""

    length: Steps
    reach: Reach

    def window(self, side: Relation, date: Interval) -> Interval | None:
        """The days that the distance admits after or before a date; ``None`` if the date is unbounded.

        "Less than" a unit from a date of that unit is up to it.

        Args:
            side: *after*, *before*, or *in* for both sides of a date coarser than a day ("within a year of").
            date: the date that is counted from.
        """
        start, end = date.start, date.end
        if start is None or end is None:
            return None
        if side is Relation.IN:
            is_day = date.granularity is Granularity.DAY
            earliest = start if is_day else moved(start, self.length, -1)
            return Interval(earliest, moved(end, self.length, 1), date.granularity)
        sign = 1 if side is Relation.AFTER else -1
        if self.reach is Reach.AT:
            return stepped(date, self.length, sign)
        near, far = (end, start) if side is Relation.AFTER else (start, end)
        limit = moved(far if self.reach in (Reach.UNDER, Reach.FROM) else near, self.length, sign)
        if self.reach is Reach.UNDER and limit == near:  # "less than a year after 1990"
            limit = moved(near, self.length, sign)
        begin = limit if self.reach in (Reach.FROM, Reach.OVER) else near
        other = None if begin == limit else limit
        first, last = (begin, other) if sign > 0 else (other, begin)
        return Interval(first, last, date.granularity)


def distance_before(text: str, end: int) -> tuple[Distance, int] | None:
    """The distance that the words right before ``end`` tell, and where they begin; ``None`` without one.

    A vague length ("a few years after") is none.
    """
    match = _BEFORE.search(text[:end])
    if match is None:
        return None
    length = steps(match)
    reach = next((reach for reach in _REACHES if match[reach]), Reach.AT)
    return None if length is None else (Distance(length, reach), match.start())
