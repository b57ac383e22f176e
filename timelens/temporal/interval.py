"""Half-open intervals of days with the granularity in which they were stated."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf
from typing import Self

from timelens.temporal.calendar import Day, add_months, civil, day_number, weekday


class Granularity(StrEnum):
    """The unit in which a text states a time, from fine to coarse."""

    days: int
    """Nominal length in days, for comparing units and widening windows."""

    DAY = "day", 1
    """A day."""
    WEEK = "week", 7
    """A week, Monday to Sunday (ISO 8601)."""
    MONTH = "month", 31
    """A month."""
    QUARTER = "quarter", 92
    """Three months, from January, April, July or October on."""
    SEASON = "season", 92
    """Three months, from December, March, June or September on."""
    HALF = "half", 184
    """Half a year, from January or July on."""
    YEAR = "year", 366
    """A year."""
    DECADE = "decade", 3_653
    """Ten years, from one that ends in 0 on."""
    CENTURY = "century", 36_525
    """A hundred years, from one that ends in 01 on."""
    MILLENNIUM = "millennium", 365_250
    """A thousand years, from one that ends in 001 on."""
    ERA = "era", 3_652_500
    """An era, which has no fixed extent."""

    def __new__(cls, name: str, days: int = 0) -> Self:
        """A unit with its name and its nominal length in days."""
        unit = str.__new__(cls, name)
        unit._value_, unit.days = name, days
        return unit


_MONTHS_PER_GRANULE = {
    Granularity.MONTH: 1,
    Granularity.QUARTER: 3,
    Granularity.HALF: 6,
    Granularity.YEAR: 12,
    Granularity.DECADE: 120,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """Days ``[start, end)``; a bound that is ``None`` is unbounded.

    "In 2018" and "1 January to 31 December 2018" cover the same days but are different statements:
    they compare unequal (by ``granularity``), while :meth:`same_days` is true.

    Raises:
        ValueError: ``end`` is not after ``start``.
    """

    start: Day | None
    """The first day; ``None`` is unbounded."""
    end: Day | None
    """The day after the last one; ``None`` is unbounded."""
    granularity: Granularity = Granularity.DAY
    """The unit in which the time is stated."""

    def __post_init__(self) -> None:
        """Refuse an empty interval.

        Raises:
            ValueError: ``end`` is not after ``start``.
        """
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise ValueError(f"an interval ends after it starts, not [{self.start}, {self.end})")

    @property
    def bounds(self) -> tuple[float, float]:
        """(start, end) as numbers, with infinities for unbounded sides. For comparison, never for storage."""
        return -inf if self.start is None else self.start, inf if self.end is None else self.end

    @property
    def days(self) -> float:
        """Length in days, infinite if unbounded."""
        start, end = self.bounds
        return end - start

    @property
    def exceeds_unit(self) -> bool:
        """Whether it is longer than one unit of its granularity, by the unit's nominal length."""
        return self.days > self.granularity.days

    def same_days(self, other: Self) -> bool:
        """Whether both cover exactly the same days, at any granularity."""
        return (self.start, self.end) == (other.start, other.end)

    def intersects(self, other: Self) -> bool:
        """Whether at least one day is common to both."""
        start, end = self.bounds
        other_start, other_end = other.bounds
        return start < other_end and other_start < end

    def contains(self, other: Self) -> bool:
        """Whether every day of ``other`` lies inside."""
        start, end = self.bounds
        other_start, other_end = other.bounds
        return start <= other_start and other_end <= end

    def intersection(self, other: Self) -> Self | None:
        """The common days at this interval's granularity, or ``None``."""
        if not self.intersects(other):
            return None
        start = max(self, other, key=lambda interval: interval.bounds[0]).start
        end = min(self, other, key=lambda interval: interval.bounds[1]).end
        return replace(self, start=start, end=end)

    def widened(self) -> Self:
        """The interval extended by one granule on both sides: around 1780 is 1779 to 1781."""
        months = _MONTHS_PER_GRANULE.get(self.granularity)

        def moved(day: Day | None, sign: int) -> Day | None:
            if day is None:
                return None
            return day + sign * self.granularity.days if months is None else add_months(day, sign * months)

        return replace(self, start=moved(self.start, -1), end=moved(self.end, 1))


def hull(intervals: Iterable[Interval]) -> Interval | None:
    """The shortest interval that covers all of them, at their coarsest granularity; ``None`` for none."""
    members = list(intervals)
    if len(members) < 2:
        return members[0] if members else None
    return Interval(
        min(members, key=lambda interval: interval.bounds[0]).start,
        max(members, key=lambda interval: interval.bounds[1]).end,
        max((interval.granularity for interval in members), key=lambda granularity: granularity.days),
    )


@lru_cache(maxsize=4096)
def day_interval(day: Day) -> Interval:
    """One day."""
    return Interval(day, day + 1, Granularity.DAY)


def month_interval(year: int, month: int) -> Interval:
    """One month of an astronomical year."""
    first = day_number(year, month)
    return Interval(first, add_months(first, 1), Granularity.MONTH)


@lru_cache(maxsize=4096)
def year_interval(year: int, last: int | None = None) -> Interval:
    """A year, or all years from ``year`` to ``last`` inclusive (both astronomical)."""
    return Interval(day_number(year), day_number((year if last is None else last) + 1), Granularity.YEAR)


def last_day_of(day: Day, granularity: Granularity) -> Day:
    """The last day of the calendar unit that contains a day; the day itself in an era, which is open."""
    if granularity is Granularity.ERA:
        return day
    return int(granule(day, granularity).bounds[1]) - 1


def granule(day: Day, granularity: Granularity) -> Interval:
    """The calendar unit that contains a day.

    Weeks start on Monday, seasons are meteorological (December, March, June, September), decades and
    centuries start in years that end in 0 and 01.

    Raises:
        ValueError: an era has no fixed extent.
    """
    year, month, _ = civil(day)
    match granularity:
        case Granularity.DAY:
            return day_interval(day)
        case Granularity.WEEK:
            monday = day - weekday(day)
            return Interval(monday, monday + 7, granularity)
        case Granularity.SEASON:
            first = add_months(day_number(year, month), -(month % 3))
            return Interval(first, add_months(first, 3), granularity)
        case Granularity.CENTURY | Granularity.MILLENNIUM:
            length = 100 if granularity is Granularity.CENTURY else 1000
            first_year = (year - 1) // length * length + 1
            return Interval(day_number(first_year), day_number(first_year + length), granularity)
        case Granularity.ERA:
            raise ValueError("an era has no fixed extent")
        case _:
            months = _MONTHS_PER_GRANULE[granularity]
            index = (year * 12 + month - 1) // months * months
            first = day_number(index // 12, index % 12 + 1)
            return Interval(first, add_months(first, months), granularity)


def weeks_of(year: int) -> int:
    """The number of weeks of an ISO 8601 year: 53 if it starts or ends on a Thursday, else 52."""
    return 53 if 3 in (weekday(day_number(year)), weekday(day_number(year, 12, 31))) else 52


def iso_week(year: int, week: int) -> Interval:
    """A week of ISO 8601, Monday to Sunday; week 1 of a year contains 4 January.

    Raises:
        ValueError: the year has no such week.
    """
    if not 1 <= week <= weeks_of(year):
        raise ValueError(f"{year} has no week {week}")
    fourth = day_number(year, 1, 4)
    monday = fourth - weekday(fourth) + 7 * (week - 1)
    return Interval(monday, monday + 7, Granularity.WEEK)
