"""Anchors that complete partial dates (TA-RAG, section 4.1).

A document names a full date once and then uses short forms ("in March", "on the 14th", "the following
year"). There are two anchors: the day the text was written, for deictic words ("yesterday"), and the last
dated interval of the narrative, for everything else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from timelens.temporal.ahead_model import distance_odds
from timelens.temporal.calendar import Day, add_months, civil
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Granularity, Interval, granule

_FARTHEST = 400_000_000
"""Days from 1970 within which dates count: about a million years."""
_HOLD_OF_RUNNING_YEAR = 0.3
"""Factor on the distance of dates in the year of the narrative, so that they are preferred."""

_NEARLY_OVER = 0.75
"""Share of a month or season after which words that look ahead mean the next one."""


@dataclass(frozen=True, slots=True)
class Anchors:
    """The dates and conventions that complete a partial date."""

    creation: Day | None = None
    """The day the text was written."""
    narrative: Interval | None = None
    """The last dated interval before the expression, in narrative order."""
    day: Interval | None = None
    """The last single day that was named, even if coarser dates were named after it."""
    period: Interval | None = None
    """The last decade or longer period, unless a finer date was named after it."""
    within: Interval | None = None
    """The unit that the words after the expression place it in: last week in "Friday of last week"."""
    not_before: Interval | None = None
    """The first end of a range, while its second end is read."""
    not_after: Interval | None = None
    """The second end of a range, or the full date of a list, while an earlier date of it is read."""
    ahead: float = 0.0
    """Log odds, by the words of its sentence, that the expression lies after the day of writing."""
    conventions: Conventions = USUAL

    @property
    def reference(self) -> Day | None:
        """The first day of ``within``, else of the narrative, else the day of creation."""
        if self.within is not None:
            return self.within.start
        return self.creation if self.narrative is None else self.narrative.start


def beside(candidates: Sequence[Interval], step: int, day: Day) -> Interval:
    """The last candidate that ended before ``day`` (step < 0), the middle (0), or the next to begin (> 0).

    Candidates are in order.
    """
    if step < 0:
        return next(date for date in reversed(candidates) if date.bounds[1] <= day)
    if step == 0:
        return candidates[len(candidates) // 2]
    return next(date for date in candidates if date.bounds[0] > day)


def nearest_year(build: Callable[[int], Interval], anchors: Anchors) -> Interval | None:
    """A date without a year, completed with the most likely year.

    ``build`` gives the date in a year; years in which it does not exist (29 February) are skipped. The
    anchors are used in this order: the unit that the date lies in (``within``); the other end of a range; the
    narrative (the nearest candidate; after a bare year, the candidate inside it); the day of creation (the
    last such date before it, or the next one, by the words of the sentence and by how near they are).
    ``None`` without any anchor.
    """
    bound = anchors.within or anchors.not_after or anchors.not_before or anchors.narrative
    day = anchors.creation if bound is None else (bound.start if bound.start is not None else bound.end)
    if day is None:
        return None
    candidates = _candidates(build, civil(day)[0])
    if (within := anchors.within) is not None:
        inside = (date for date in candidates if within.bounds[0] <= date.bounds[0] < within.bounds[1])
        return next(inside, None)
    if anchors.not_after is not None:
        fitting = [date for date in candidates if date.bounds[0] <= anchors.not_after.bounds[0]]
        return fitting[-1] if fitting else None
    if anchors.not_before is not None:
        fitting = [date for date in candidates if date.bounds[1] >= anchors.not_before.bounds[1]]
        return fitting[0] if fitting else None
    if anchors.narrative is not None:
        return _following(candidates, anchors.narrative)
    return _from_creation(candidates, day, anchors.ahead)


def _from_creation(candidates: Sequence[Interval], day: Day, ahead: float) -> Interval | None:
    """The last candidate that began by the day of writing, or the next one, whichever is likelier.

    One that the day is in is meant, unless it is nearly over.
    """
    last = next((date for date in reversed(candidates) if date.bounds[0] <= day), None)
    coming = next((date for date in candidates if date.bounds[0] > day), None)
    if last is None or coming is None:
        return last or coming
    if day - last.bounds[0] < _NEARLY_OVER * last.days:
        return last
    nearness = distance_odds(day - last.bounds[0], coming.bounds[0] - day)
    return coming if ahead + nearness > 0 else last


def _candidates(build: Callable[[int], Interval], year: int) -> list[Interval]:
    """The date in the neighbouring years, in order; for 29 February up to eight years away."""
    for reach in (1, 8):
        found = []
        for candidate in range(year - reach, year + reach + 1):
            try:
                found.append(build(candidate))
            except ValueError:
                continue
        if found:
            return found
    return []


def _following(candidates: list[Interval], narrative: Interval) -> Interval | None:
    """The candidate nearest to ``narrative``; its own year is preferred.

    After July 1936, "in March" is March 1936.
    """
    start, end = narrative.bounds
    year = None if narrative.start is None else civil(narrative.start)[0]

    def distance(date: Interval) -> float:
        days = max(0.0, date.bounds[0] - end) if date.bounds[0] >= start else start - date.bounds[0]
        if date.start is not None and civil(date.start)[0] == year:
            return _HOLD_OF_RUNNING_YEAR * days
        return days

    return min(candidates, key=distance, default=None)


def shifted(date: Interval, count: int, unit: Granularity) -> Interval:
    """The date ``count`` units later (negative: earlier), at the coarser of the two granularities.

    Days and weeks keep the granularity of the date. A day shifted by months gives a month, by years or
    decades a year, because "two years later" is meant that precisely.
    """
    if date.start is None:
        return date
    day = shift_day(date.start, count, unit)
    if unit in (Granularity.DAY, Granularity.WEEK):
        return granule(day, date.granularity)
    if unit.days > Granularity.YEAR.days and date.granularity.days <= Granularity.YEAR.days:
        return granule(day, Granularity.YEAR)
    return granule(day, max(unit, date.granularity, key=lambda granularity: granularity.days))


def shift_day(day: Day, count: int, unit: Granularity) -> Day:
    """The day ``count`` units later (negative: earlier).

    Raises:
        ValueError: the day is more than about a million years from 1970.
    """
    match unit:
        case Granularity.DAY:
            moved = day + count
        case Granularity.WEEK:
            moved = day + 7 * count
        case _:
            moved = add_months(day, count * _MONTHS[unit])
    if abs(moved) > _FARTHEST:
        raise ValueError(f"{count} {unit}s from day {day} are beyond the calendar")
    return moved


_MONTHS = {
    Granularity.MONTH: 1,
    Granularity.QUARTER: 3,
    Granularity.SEASON: 3,
    Granularity.HALF: 6,
    Granularity.YEAR: 12,
    Granularity.DECADE: 120,
    Granularity.CENTURY: 1200,
    Granularity.MILLENNIUM: 12_000,
    Granularity.ERA: 120_000,
}


def advanced(anchors: Anchors, date: Interval, *, looks_back: bool) -> Anchors:
    """The anchors after a date was named.

    The narrative does not move for periods of a decade or longer, for open intervals, or for a coarser date
    around it: after December 1941, "in 1941" does not go back to January. ``looks_back``: the wording itself
    refers to an earlier time ("since 1614", "the previous year"), so an earlier date does not move it either.
    """
    start, end, unit = date.start, date.end, date.granularity
    if start is None or end is None:
        return anchors
    stays = is_long = unit.days > _YEAR
    if (narrative := anchors.narrative) is not None and (begun := narrative.start) is not None:
        if narrative.end is not None and start <= begun and narrative.end <= end:
            stays |= end - start > narrative.end - begun
        stays |= looks_back and start < begun
    return Anchors(
        anchors.creation,
        narrative if stays else date,
        date if unit is Granularity.DAY else anchors.day,
        date if is_long else None,
        anchors.within,
        anchors.not_before,
        anchors.not_after,
        anchors.ahead,
        anchors.conventions,
    )


_YEAR = Granularity.YEAR.days
