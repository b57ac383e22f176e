"""A time axis in character cells: which column a day falls in, and where its labels stand. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Self

from timelens.temporal.calendar import Day, add_months, civil, day_number
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import MONTH_NAMES, phrase, phrase_granule, phrase_recorded, phrase_year

_TICK = "╵"
_ROOM_FOR_OPEN_ENDS = 12  # one part in twelve of the axis
_MOST_SHORT = 18


@dataclass(frozen=True, slots=True)
class Axis:
    """Days ``[start, end)`` spread over ``width`` columns."""

    start: Day
    end: Day
    width: int

    @classmethod
    def over(cls, times: Iterable[Interval], width: int) -> Self | None:
        """The axis that holds all times, with room left where one of them is open; ``None`` if all are."""
        members = list(times)
        edges = [edge for time in members for edge in (time.start, time.end) if edge is not None]
        if not edges or width < 1:
            return None
        start, end = min(edges), max(edges)
        room = max(1, (end - start) // _ROOM_FOR_OPEN_ENDS, 183 if start == end else 0)
        if any(time.start is None for time in members):
            start -= room
        if any(time.end is None for time in members):
            end += room
        return cls(start, max(end, start + 1), width)

    def column(self, day: Day) -> int:
        """The column of a day, the nearest one for a day off the axis."""
        column = (day - self.start) * self.width // (self.end - self.start)
        return min(max(column, 0), self.width - 1)

    def columns(self, time: Interval) -> range:
        """The columns that a time reaches into, at least one."""
        first = 0 if time.start is None else self.column(time.start)
        if time.end is None:
            return range(first, self.width)
        # The end is exclusive: a time that ends where a column starts does not reach into it.
        last = -((self.start - time.end) * self.width // (self.end - self.start)) - 1
        return range(first, min(max(last, first), self.width - 1) + 1)

    def labels(self) -> str:
        """A row of ticks with their days, months or years, as many as fit without touching."""
        row = ""
        for day, label in self._ticks():
            column = self.column(day)
            free = column >= len(row) + (2 if row else 0)
            if free and column + 1 + len(label) <= self.width:
                row = f"{row:<{column}}{_TICK}{label}"
        if not row:
            only = short_phrase(Interval(self.start, self.end))
            row = f"{_TICK}{only}" if len(only) < self.width else ""
        return f"{row:<{self.width}}"

    def _ticks(self) -> Iterator[tuple[Day, str]]:
        """Ticks at round places, of the finest unit whose labels have room."""
        days = self.end - self.start
        if days * 15 <= self.width:
            for day in range(self.start, self.end):
                yield day, _abbreviated(phrase_granule(day, Granularity.DAY))
            return
        for months in (1, 3, 6):
            if days * 11 <= self.width * 30 * months:
                yield from self._monthly(months)
                return
        yield from self._yearly()

    def _monthly(self, months: int) -> Iterator[tuple[Day, str]]:
        year, month, _ = civil(self.start)
        day = day_number(year, (month - 1) // months * months + 1)
        while day < self.end:
            if day >= self.start:
                yield day, _abbreviated(phrase_granule(day, Granularity.MONTH))
            day = add_months(day, months)

    def _yearly(self) -> Iterator[tuple[Day, str]]:
        first, last = civil(self.start)[0], civil(self.end)[0]
        room = 3 + max(len(phrase_year(first)), len(phrase_year(last)))
        step = next(s for s in _round_steps() if (last - first) * room <= self.width * s)
        for multiple in range(first // step, last // step + 1):
            year = multiple * step + (multiple <= 0)  # years before the era count from 1: 100 BCE is -99
            day = day_number(year)
            if self.start <= day < self.end:
                yield day, phrase_year(year)


def short_phrase(time: Interval) -> str:
    """A time in at most some eighteen letters, in coarser units where it would be longer."""
    whole = _abbreviated(phrase(time))
    if len(whole) <= _MOST_SHORT or time.start is None or time.end is None:
        return whole
    return _from_to(time.start, time.end - 1)


def short_recorded(start: Day | None, end: Day | None, unit: Granularity) -> str:
    """A validity as its table records it, as short."""
    whole = _abbreviated(phrase_recorded(start, end, unit)).removeprefix("from ")
    if len(whole) <= _MOST_SHORT or start is None or end is None or start == end:
        return whole
    return _from_to(start, end)


def _from_to(first: Day, last: Day) -> str:
    (year, month, day), (last_year, last_month, last_day) = civil(first), civil(last)
    if year != last_year:
        return f"{phrase_year(year)} to {phrase_year(last_year)}"
    if month != last_month:
        return f"{_month(month)} to {_month(last_month)} {phrase_year(year)}"
    return f"{day} to {last_day} {_month(month)} {phrase_year(year)}"


def _round_steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    for power in count():
        for digit in (1, 2, 5):
            yield digit * 10**power


def _month(month: int) -> str:
    return MONTH_NAMES[month - 1][:3]


def _abbreviated(words: str) -> str:
    for name in MONTH_NAMES:
        words = words.replace(name, name[:3])
    return words
