"""The running anchor: what fills in the part of a date that a text leaves out (TA-RAG, section 4.1).

A document names a full date once and shortens from there ("in March", "on the 14th", "the following
year"). Two anchors run through it: the day it was written, for words that point from the writer's own
time ("yesterday"), and the last dated interval of the narrative, for the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from timelens.temporal.calendar import Day, add_months, civil
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Granularity, Interval, granule

_FARTHEST = 400_000_000
"""Days from 1970 within which dates count: about a million years."""
_AHEAD_OF_CREATION = 3.0
"""How much farther a date ahead of the day of writing is taken to be than one as far behind."""
_HOLD_OF_RUNNING_YEAR = 0.3
"""How near a date in the year of the narrative is taken to be, compared with one in another year."""


class Tense(Enum):
    """Whether a sentence speaks of what was or of what is to come."""

    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Anchors:
    """What an elided part may come from."""

    creation: Day | None = None
    """The day the text was written."""
    narrative: Interval | None = None
    """The last dated interval before the expression, in narrative order."""
    day: Interval | None = None
    """The last single day that was named, however much coarser the text has spoken since."""
    period: Interval | None = None
    """The last decade or longer, where no finer date has been named since."""
    within: Interval | None = None
    """The unit that words behind the expression place it in: last week in "Friday of last week"."""
    not_before: Interval | None = None
    """The first end of a range whose second end is being read."""
    not_after: Interval | None = None
    """The second end of a range, or the fuller date of a list, whose first end is being read."""
    tense: Tense | None = None
    """The tense of the sentence around the expression, where it shows one."""
    conventions: Conventions = USUAL

    @property
    def reference(self) -> Day | None:
        """The first day of the unit it lies in or of the narrative, else the day of creation."""
        if self.within is not None:
            return self.within.start
        return self.creation if self.narrative is None else self.narrative.start


def nearest_year(build: Callable[[int], Interval], anchors: Anchors) -> Interval | None:
    """The date that lacks only its year, in the year that the anchors speak for.

    ``build`` gives the date in a year; years in which it does not exist (29 February) are passed over.
    The unit that it is said to lie in and the other end of a range decide first. Then the narrative: the
    candidate nearest to it, and after a bare year the one inside it. Then the day of creation: the last such
    date before it, unless one is soon to come or the tense speaks of the future. ``None`` without any anchor.
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
    return _from_creation(candidates, day, anchors.tense)


def _from_creation(candidates: list[Interval], day: Day, tense: Tense | None) -> Interval | None:
    """The candidate that a text of a day means: by its tense, else the nearest, rather behind than ahead."""
    fitting = candidates
    if tense is Tense.PAST:
        fitting = [date for date in candidates if date.bounds[0] <= day]
    elif tense is Tense.FUTURE:
        fitting = [date for date in candidates if date.bounds[1] > day]

    def distance(date: Interval) -> float:
        ahead = date.bounds[0] - day
        return _AHEAD_OF_CREATION * ahead if ahead > 0 else -ahead

    return min(fitting, key=distance, default=None)


def _candidates(build: Callable[[int], Interval], year: int) -> list[Interval]:
    """The date in the years around one, in order; farther around for 29 February, which skips up to seven."""
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
    """The candidate that a narrative means which has just spoken of ``narrative``.

    The nearest, where the running year keeps a hold: after July 1936, "in March" is March 1936.
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
    """The date some units later (negative: earlier), at the coarser of the two granularities.

    Weeks after a day are a day; months and years after a day are a month and a year, and so are decades,
    since that is how precisely "two years later" is meant.
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
    """The day some units later (negative: earlier).

    Raises:
        ValueError: farther from the present than any text is about.
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

    Decades and longer do not move the narrative, open intervals neither, nor does a coarser date around it:
    "in 1941", said of December 1941, does not go back to January. ``looks_back`` says that the wording itself
    points behind the narrative ("since 1614", "the previous year"): then an earlier date does not move it.
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
        anchors.tense,
        anchors.conventions,
    )


_YEAR = Granularity.YEAR.days
