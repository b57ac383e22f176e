"""Histograms over time, with bins that begin with a day, week, month or year. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise

from timelens.temporal.calendar import Day, civil, day_number, weekday
from timelens.temporal.interval import Granularity, Interval

FEWEST = 2
"""Fewest bins: no single bin that begins with a round year can hold both the year -1 and the year 1."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """The number of events that share a day with each of b bins; a long event is counted in several."""

    edges: tuple[Day, ...] = ()
    """(b + 1,) bin ``i`` covers the days ``[edges[i], edges[i + 1])``; empty if nothing is dated."""
    counts: tuple[int, ...] = ()
    """(b,)"""
    unit: Granularity = Granularity.DAY
    """Day, week, month or year."""
    units: int = 1
    """Length of a bin in units."""
    before: int = 0
    """Number of events that end before the first bin, far outside the span of the corpus."""
    after: int = 0
    """Number of events that begin after the last bin."""

    @property
    def stretches(self) -> tuple[Interval, ...]:
        """The days of each bin."""
        return tuple(Interval(start, end, self.unit) for start, end in pairwise(self.edges))


def edges_over(span: Interval, bins: int) -> tuple[Granularity, int, tuple[Day, ...]]:
    """The shortest equal bins of which at most ``bins`` cover a span: unit, units and edges.

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
    """Lengths of bins, from short to long: unit and number of units."""
    yield from ((Granularity.DAY, 1), (Granularity.WEEK, 1))
    yield from ((Granularity.MONTH, months) for months in (1, 3, 6))
    for power in count():
        yield from ((Granularity.YEAR, digit * 10**power) for digit in (1, 2, 5))


def _number(day: Day, unit: Granularity, units: int) -> int:
    """The number of the bin that contains a day, counted from a fixed origin."""
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
    """The first day of a bin; inverse of :func:`_number`."""
    match unit:
        case Granularity.DAY:
            return number
        case Granularity.WEEK:
            return number * 7 - 3
        case Granularity.MONTH:
            return day_number(number * units // 12, number * units % 12 + 1)
        case _:
            return day_number(number * units)
