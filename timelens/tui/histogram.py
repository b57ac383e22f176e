"""A histogram over time in block characters, with its axis and a caption. Pure."""

from dataclasses import dataclass

from timelens import Histogram
from timelens.printable import counted
from timelens.temporal import Granularity, Interval, phrase
from timelens.tui.timeline.axis import Axis

_BLOCKS = " ▁▂▃▄▅▆▇█"
_LEVELS = len(_BLOCKS) - 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of equal width, from top to bottom."""

    rows: tuple[str, ...]
    """The bars."""
    axis: str
    stretches: tuple[int, ...] = ()
    """For each column, the index of the stretch that it shows."""


def draw(histogram: Histogram, width: int, height: int) -> Drawing:
    """Bars of up to ``height`` rows over ``width`` columns; empty if the histogram has no dates.

    Every stretch with a count above 0 has a visible bar. There should be at least as many columns as
    stretches; otherwise some stretches are not shown.
    """
    number = len(histogram.counts)
    if not number or width < 1 or height < 1:
        return Drawing((), "")
    stretches = tuple(column * number // width for column in range(width))
    most = max(*histogram.counts, 1)
    levels = [-(-histogram.counts[one] * height * _LEVELS // most) for one in stretches]
    rows = tuple(
        "".join(_BLOCKS[min(max(level - row * _LEVELS, 0), _LEVELS)] for level in levels)
        for row in reversed(range(height))
    )
    return Drawing(rows, Axis(histogram.edges[0], histogram.edges[-1], width).labels(), stretches)


def columns_within(histogram: Histogram, drawing: Drawing, window: Interval) -> range:
    """The columns of the stretches that share a day with a window."""
    shared = [number for number, one in enumerate(histogram.stretches) if one.intersects(window)]
    columns = [column for column, one in enumerate(drawing.stretches) if one in shared]
    return range(columns[0], columns[-1] + 1) if columns else range(0)


def caption(histogram: Histogram) -> str:
    """The length of a stretch, the highest bar, and the counts outside the axis."""
    if not histogram.counts:
        return "it contains no dates"
    most = max(histogram.counts)
    highest = histogram.stretches[histogram.counts.index(most)]
    length = f"{histogram.units} {histogram.unit}s" if histogram.units > 1 else f"a {histogram.unit}"
    far = [f"{n:,} far {side}" for n, side in ((histogram.before, "before"), (histogram.after, "after")) if n]
    said = [f"each bar {length}", f"at most {counted(most, 'event')}, {phrase(_whole(highest))}", *far]
    return " · ".join(said)


def _whole(stretch: Interval) -> Interval:
    return Interval(stretch.start, stretch.end, Granularity.DAY)
