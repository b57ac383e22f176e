"""Marks: the relation of a stated time to the asked time, as a token before the stated time. Pure.

The calendar decides whether "in 2016" is before, in or after the asked time, so that the network never has
to compare dates.
"""

from enum import IntEnum

from timelens.temporal.interval import Granularity, Interval, granule

_LONG = 2 * 366
"""Distance in days from which a time is long before or long after."""


class TimeMark(IntEnum):
    """Relation of a stated time to the asked time; the value selects the token of the mark."""

    DATED = 0
    """The question names no time."""
    STARTS = 1
    """It begins in the first day, month or year of the asked time, in the coarser of their units."""
    COVERS = 2
    INSIDE = 3
    ENDS = 4
    """It begins before the asked time and ends in it."""
    BEGINS = 5
    """It begins in the asked time and ends after it."""
    BEFORE = 6
    LONG_BEFORE = 7
    AFTER = 8
    LONG_AFTER = 9
    UNDATED = 10
    """A passage without a day of its own."""


def time_mark_of(time: Interval, window: Interval | None) -> TimeMark:
    """The relation of a stated time to the asked one, both half-open intervals of days."""
    if window is None:
        return TimeMark.DATED
    (start, end), (first, last) = time.bounds, window.bounds
    if end <= first:
        return TimeMark.LONG_BEFORE if first - end > _LONG else TimeMark.BEFORE
    if start >= last:
        return TimeMark.LONG_AFTER if start - last > _LONG else TimeMark.AFTER
    if start <= first and end >= last:
        return TimeMark.COVERS
    if _begin_together(time, window):
        return TimeMark.STARTS
    if start >= first:
        return TimeMark.INSIDE if end <= last else TimeMark.BEGINS
    return TimeMark.ENDS


def _begin_together(time: Interval, window: Interval) -> bool:
    """Whether both begin in the same day, month or year, in the coarser of their units."""
    if time.start is None or window.start is None:
        return False
    days = max(time.granularity.days, window.granularity.days)
    unit = Granularity.YEAR if days >= 365 else Granularity.MONTH if days >= 28 else Granularity.DAY
    return granule(window.start, unit).intersects(granule(time.start, unit))
