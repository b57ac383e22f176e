"""A histogram over time in block characters, with its axis and a line that says what it shows. Pure."""

from dataclasses import dataclass

from timelens import Histogram
from timelens.printable import counted
from timelens.temporal import Granularity, Interval, phrase
from timelens.tui.timeline.axis import Axis

_BLOCKS = " ▁▂▃▄▅▆▇█"
_LEVELS = len(_BLOCKS) - 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of the same width, from top to bottom."""

    rows: tuple[str, ...]
    """What is counted, as bars."""
    axis: str
    stretches: tuple[int, ...] = ()
    """Of each column, which stretch it shows."""


def draw(histogram: Histogram, width: int, height: int) -> Drawing:
    """Bars of up to ``height`` rows over ``width`` columns; nothing where nothing is dated.

    Where anything is counted, something is drawn. There are at least as many columns as stretches, else those
    that have no room are left out.
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
    """How long a bar is, which is the highest, and what lies outside of the axis."""
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
