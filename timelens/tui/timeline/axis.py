"""A time axis in character cells: the columns of days, ticks and labels. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from timelens.temporal import (
    MONTH_NAMES,
    Day,
    Granularity,
    Interval,
    civil,
    last_day_of,
    phrase,
    phrase_recorded,
    phrase_year,
)
from timelens.temporal.axis_steps import AxisStep, extent_of, steps

_TICK = "╵"
_MOST_SHORT = 18
_ROOM_FOR_SMALL = 3  # columns between small ticks


@dataclass(frozen=True, slots=True)
class Tick:
    """A round position on an axis; the label is empty if there is no room for it."""

    column: int
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Days ``[start, end)`` mapped to ``width`` columns."""

    start: Day
    end: Day
    width: int

    @classmethod
    def over(cls, times: Iterable[Interval], width: int) -> Self | None:
        """The axis that covers all times, extended beyond open ends; ``None`` if no time has a bound."""
        extent = extent_of(times)
        return None if extent is None or width < 1 else cls(*extent, width)

    def column(self, day: Day) -> int:
        """The column of a day; a day outside the axis has the nearest column."""
        column = (day - self.start) * self.width // (self.end - self.start)
        return min(max(column, 0), self.width - 1)

    def columns(self, time: Interval) -> range:
        """The columns that a time overlaps, at least one."""
        first = 0 if time.start is None else self.column(time.start)
        if time.end is None:
            return range(first, self.width)
        # the end is exclusive: a time that ends where a column starts does not overlap the column
        last = -((self.start - time.end) * self.width // (self.end - self.start)) - 1
        return range(first, min(max(last, first), self.width - 1) + 1)

    def days(self, columns: range) -> tuple[Day, Day]:
        """The days ``[first, end)`` that some columns show at least in part; ``columns`` is not empty."""
        span = self.end - self.start
        first = self.start + columns.start * span // self.width
        return first, max(first + 1, self.start - -columns.stop * span // self.width)

    @property
    def interval(self) -> Interval:
        """The days of the axis."""
        return Interval(self.start, self.end)

    @property
    def days_per_column(self) -> float:
        """Days per column."""
        return (self.end - self.start) / self.width

    def ticks(self) -> tuple[Tick, ...]:
        """Ticks of the finest unit whose labels have room; a label that would overlap is left empty."""
        step = self._labelled()
        ticks: list[Tick] = []
        free, before = 0, None
        for day in step.starts(self.start, self.end):
            column, label = self.column(day), _tick_label(day, step, before)
            fits = column >= free and column + 1 + len(label) <= self.width
            ticks.append(Tick(column, label if fits else ""))
            if fits:
                free, before = column + len(label) + 2, day
        return tuple(ticks)

    def between(self) -> tuple[int, ...]:
        """The columns of smaller ticks, between the ticks of :meth:`ticks`."""
        labelled = self._labelled()
        finer = takewhile(lambda step: step != labelled, steps())
        room = (
            step for step in finer if step.divides(labelled) and self._columns_of(step) >= _ROOM_FOR_SMALL
        )
        step = next(room, None)
        return () if step is None else tuple(self.column(day) for day in step.starts(self.start, self.end))

    def labels(self) -> str:
        """A row of ticks with their days, months or years, as many as fit without overlap."""
        row = ""
        for tick in self.ticks():
            if tick.label:
                row = f"{row:<{tick.column}}{_TICK}{tick.label}"
        if not row:
            only = short_phrase(Interval(self.start, self.end))
            row = f"{_TICK}{only}" if len(only) < self.width else ""
        return f"{row:<{self.width}}"

    def _labelled(self) -> AxisStep:
        years = (phrase_year(civil(day)[0]) for day in (self.start, self.end - 1))
        room = {Granularity.DAY: 9, Granularity.WEEK: 9, Granularity.MONTH: 6}
        room[Granularity.YEAR] = 3 + max(map(len, years))
        return next(step for step in steps() if self._columns_of(step) >= room[step.unit])

    def _columns_of(self, step: AxisStep) -> float:
        return step.shortest * self.width / (self.end - self.start)


def _tick_label(day: Day, step: AxisStep, before: Day | None) -> str:
    """A day, month or year, without the parts that equal those of the previous label."""
    year, month, day_of_month = civil(day)
    same_year = before is not None and civil(before)[0] == year
    if step.unit is Granularity.YEAR or (step.unit is Granularity.MONTH and month == 1):
        return phrase_year(year)
    words = _month(month) if step.unit is Granularity.MONTH else f"{day_of_month} {_month(month)}"
    return words if same_year else f"{words} {phrase_year(year)}"


def short_phrase(time: Interval) -> str:
    """A time in about eighteen characters at most; a longer phrase is shortened to coarser units."""
    whole = _abbreviated(phrase(time))
    if len(whole) <= _MOST_SHORT or time.start is None or time.end is None:
        return whole
    return _from_to(time.start, time.end - 1)


def short_recorded(start: Day | None, end: Day | None, unit: Granularity) -> str:
    """A recorded validity in its recorded unit, shortened likewise."""
    whole = _abbreviated(phrase_recorded(start, end, unit)).removeprefix("from ")
    if len(whole) <= _MOST_SHORT or start is None or end is None:
        return whole
    return _from_to(start, last_day_of(end, unit))


def _from_to(first: Day, last: Day) -> str:
    (year, month, day), (last_year, last_month, last_day) = civil(first), civil(last)
    if year != last_year:
        return f"{phrase_year(year)} to {phrase_year(last_year)}"
    if month != last_month:
        return f"{_month(month)} to {_month(last_month)} {phrase_year(year)}"
    return f"{day} to {last_day} {_month(month)} {phrase_year(year)}"


def _month(month: int) -> str:
    return MONTH_NAMES[month - 1][:3]


def _abbreviated(words: str) -> str:
    for name in MONTH_NAMES:
        words = words.replace(name, name[:3])
    return words
