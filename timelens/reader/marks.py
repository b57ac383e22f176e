"""How a stated time lies to the asked one, as a mark that the reader sees before the time. Pure.

Rules own time, the reader reads: the calendar decides whether "in 2016" lies before, in or after the time
asked about, so that the network never has to compare dates.
"""

from enum import IntEnum

from timelens.temporal.interval import Granularity, Interval, granule

_LONG = 2 * 366
"""Days beyond which a time lies long before or after."""


class Mark(IntEnum):
    """Where a stated time lies; the value is the number of the mark's own token."""

    DATED = 0
    """The question names no time."""
    STARTS = 1
    """It begins in the first day, month or year of the asked time, by the coarser of their units."""
    COVERS = 2
    INSIDE = 3
    ENDS = 4
    """It ends in the asked time, and began before."""
    BEGINS = 5
    """It begins in the asked time, and ends after."""
    BEFORE = 6
    LONG_BEFORE = 7
    AFTER = 8
    LONG_AFTER = 9
    UNDATED = 10
    """A passage without a day of its own."""


def mark_of(time: Interval, window: Interval | None) -> Mark:
    """How a stated time lies to the asked one, both half-open intervals of days."""
    if window is None:
        return Mark.DATED
    (start, end), (first, last) = time.bounds, window.bounds
    if end <= first:
        return Mark.LONG_BEFORE if first - end > _LONG else Mark.BEFORE
    if start >= last:
        return Mark.LONG_AFTER if start - last > _LONG else Mark.AFTER
    if start <= first and end >= last:
        return Mark.COVERS
    if _begin_together(time, window):
        return Mark.STARTS
    if start >= first:
        return Mark.INSIDE if end <= last else Mark.BEGINS
    return Mark.ENDS


def _begin_together(time: Interval, window: Interval) -> bool:
    """Whether both begin in one day, month or year, by the coarser of their units."""
    if time.start is None or window.start is None:
        return False
    days = max(time.granularity.days, window.granularity.days)
    unit = Granularity.YEAR if days >= 365 else Granularity.MONTH if days >= 28 else Granularity.DAY
    return granule(window.start, unit).intersects(granule(time.start, unit))
