"""Stretches of time that begin where days, weeks, months or years do, with counts. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise

from timelens.temporal.calendar import Day, civil, day_number, weekday
from timelens.temporal.interval import Granularity, Interval

FEWEST = 2
"""Stretches: no single one that begins with a round year holds both the year -1 and the year 1."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many events share a day with each of b stretches of time; a long one is counted in several."""

    edges: tuple[Day, ...] = ()
    """(b + 1,) stretch ``i`` holds the days ``[edges[i], edges[i + 1])``; empty where nothing is dated."""
    counts: tuple[int, ...] = ()
    """(b,)"""
    unit: Granularity = Granularity.DAY
    """Day, week, month or year."""
    units: int = 1
    """How many of them a stretch is long."""
    before: int = 0
    """Events that end before the first stretch, far from what the corpus is about."""
    after: int = 0
    """Events that begin after the last one."""

    @property
    def stretches(self) -> tuple[Interval, ...]:
        """The days of each."""
        return tuple(Interval(start, end, self.unit) for start, end in pairwise(self.edges))


def edges_over(span: Interval, bins: int) -> tuple[Granularity, int, tuple[Day, ...]]:
    """The shortest equal stretches of which at most ``bins`` hold a span: their unit, units and edges.

    Raises:
        ValueError: ``bins`` is less than :data:`FEWEST`, or the span is not bounded.
    """
    if bins < FEWEST:
        raise ValueError(f"time cannot be divided into {bins} parts")
    if span.start is None or span.end is None:
        raise ValueError("a span without an end cannot be divided")
    for unit, units in _steps():
        first, last = (_number(day, unit, units) for day in (span.start, span.end - 1))
        if last - first < bins:
            return unit, units, tuple(_begin(number, unit, units) for number in range(first, last + 2))
    raise AssertionError("there is always a longer step")


def _steps() -> Iterator[tuple[Granularity, int]]:
    """Lengths of stretches, from short to long: each unit and how many of it."""
    yield from ((Granularity.DAY, 1), (Granularity.WEEK, 1))
    yield from ((Granularity.MONTH, months) for months in (1, 3, 6))
    for power in count():
        yield from ((Granularity.YEAR, digit * 10**power) for digit in (1, 2, 5))


def _number(day: Day, unit: Granularity, units: int) -> int:
    """Which stretch a day falls in, counted from a fixed one."""
    year, month, _ = civil(day)
    match unit:
        case Granularity.DAY:
            return day
        case Granularity.WEEK:
            return (day - weekday(day) + 3) // 7
        case Granularity.MONTH:
            return (year * 12 + month - 1) // units
        case _:
            return year // units


def _begin(number: int, unit: Granularity, units: int) -> Day:
    """The first day of a stretch; inverse of :func:`_number`."""
    match unit:
        case Granularity.DAY:
            return number
        case Granularity.WEEK:
            return number * 7 - 3
        case Granularity.MONTH:
            return day_number(number * units // 12, number * units % 12 + 1)
        case _:
            return day_number(number * units)
