"""Calendar steps for the divisions of an axis: days, weeks, months, round numbers of years. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from timelens.temporal.calendar import Day, civil, day_number, weekday
from timelens.temporal.interval import Granularity, Interval

_MONTHS = (1, 3, 6)
_SNAPPED_YEARS = (1, 10, 100, 1000)
_NEARLY = 0.95
_OPEN_ENDS = 12
"""The room for an open end is one part in so many of the axis."""
_HALF_A_YEAR = 183


def extent_of(times: Iterable[Interval]) -> tuple[Day, Day] | None:
    """The days ``[start, end)`` of an axis over all times, with room for open ends.

    ``None`` if no time has a bound.
    """
    members = list(times)
    edges = [edge for time in members for edge in (time.start, time.end) if edge is not None]
    if not edges:
        return None
    start, end = min(edges), max(edges)
    room = max(1, (end - start) // _OPEN_ENDS, _HALF_A_YEAR if start == end else 0)
    begin = start - room if any(time.start is None for time in members) else start
    return begin, max(end + room if any(time.end is None for time in members) else end, begin + 1)


@dataclass(frozen=True, slots=True)
class AxisStep:
    """A number of units: 1 day, 1 week, 1, 3 or 6 months, or 1, 2, 5, 10, … years."""

    unit: Granularity
    count: int = 1

    @property
    def shortest(self) -> float:
        """Shortest length in days; for years, the average length."""
        days = {Granularity.DAY: 1.0, Granularity.WEEK: 7.0, Granularity.MONTH: 28.0}
        return days.get(self.unit, 365.2425) * self.count

    def floor(self, day: Day) -> Day:
        """The first day of the step that contains a day."""
        if self.unit is Granularity.DAY:
            return day
        if self.unit is Granularity.WEEK:
            return day - weekday(day)
        year, month, _ = civil(day)
        if self.unit is Granularity.MONTH:
            return _month((year * 12 + month - 1) // self.count * self.count)
        multiple = year // self.count
        return day_number(max(self._year(m) for m in (multiple - 1, multiple) if self._year(m) <= year))

    def after(self, day: Day) -> Day:
        """The first day of the next step."""
        if self.unit is Granularity.DAY:
            return day + 1
        if self.unit is Granularity.WEEK:
            return day - weekday(day) + 7
        year, month, _ = civil(day)
        if self.unit is Granularity.MONTH:
            return _month(((year * 12 + month - 1) // self.count + 1) * self.count)
        multiple = year // self.count
        return day_number(
            min(self._year(m) for m in (multiple, multiple + 1, multiple + 2) if self._year(m) > year)
        )

    def around(self, start: Day, end: Day) -> Interval:
        """The interval of whole steps that covers the days ``[start, end)``."""
        return Interval(self.floor(start), self.after(end - 1), self.unit)

    def divides(self, other: "AxisStep") -> bool:
        """Whether each step of ``other`` begins on a day on which one of these steps begins."""
        if Granularity.WEEK in (self.unit, other.unit):
            return self.unit is Granularity.DAY
        if self.unit is other.unit:
            return other.count % self.count == 0
        return self.unit.days < other.unit.days

    def starts(self, start: Day, end: Day) -> Iterator[Day]:
        """The days in ``[start, end)`` on which a step begins."""
        day = self.floor(start)
        if day < start:
            day = self.after(day)
        while day < end:
            yield day
            day = self.after(day)

    def _year(self, multiple: int) -> int:
        """The astronomical year of a multiple. Years BCE count from 1: 100 BCE is the year -99."""
        return multiple * self.count + (multiple <= 0)


def steps() -> Iterator[AxisStep]:
    """All steps from one day upwards, without end."""
    yield AxisStep(Granularity.DAY)
    yield AxisStep(Granularity.WEEK)
    yield from (AxisStep(Granularity.MONTH, months) for months in _MONTHS)
    for power in count():
        yield from (AxisStep(Granularity.YEAR, digit * 10**power) for digit in (1, 2, 5))


def snapping_step(days_per_column: float) -> AxisStep:
    """The step that marked spans snap to: the finest of days, months, years, decades … to fill a column."""
    fine = (AxisStep(Granularity.DAY), AxisStep(Granularity.MONTH))
    coarse = tuple(AxisStep(Granularity.YEAR, years) for years in _SNAPPED_YEARS)
    whole = (step for step in (*fine, *coarse) if step.shortest >= days_per_column * _NEARLY)
    return next(whole, coarse[-1])


def _month(index: int) -> Day:
    return day_number(index // 12, index % 12 + 1)
