"""The rows below the lanes of the timeline: density of the evidence, ruler, dates. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

from timelens.temporal import Interval, phrase
from timelens.tui.timeline.axis import Axis
from timelens.tui.timeline.cells import Cells, Look, Row, fitted
from timelens.tui.timeline.pieces import Piece

_LEVELS = "▁▂▃▄▅▆▇█"
_TICKED = re.compile("╵[^╵]+")


def counts(pieces: Sequence[Piece], axis: Axis) -> list[int]:
    """Number of pieces of evidence that overlap each column."""
    of_each = Counter(c for piece in pieces if piece.time is not None for c in axis.columns(piece.time))
    return [of_each[column] for column in range(axis.width)]


def density(pieces: Sequence[Piece], axis: Axis, marked: range) -> Row:
    """The counts as block heights, relative to the largest count."""
    of_each = counts(pieces, axis)
    most = max(of_each, default=0)
    cells = Cells(axis.width)
    for column, number in enumerate(of_each):
        if number:
            cells.write(column, _LEVELS[-(-number * len(_LEVELS) // most) - 1], Look.DENSITY)
    return cells.row(marked)


def feet(axis: Axis, span: Interval | None, marked: range, *, ruler: bool) -> tuple[Row, ...]:
    """The dates of the axis, below a ruler if wanted; a marked span replaces the dates it covers."""
    dates = Cells(axis.width)
    taken = _write_span(span, marked, dates, axis.width) if span is not None and marked else range(0)
    for column, label in _labels(axis, ruler=ruler):
        if column >= taken.stop or column + len(label) <= taken.start:
            dates.write(column, label, Look.AXIS)
    return (_ruler(axis, marked), dates.row(marked)) if ruler else (dates.row(marked),)


def _labels(axis: Axis, *, ruler: bool) -> list[tuple[int, str]]:
    """The dates with their columns; without a ruler each starts with a tick."""
    if ruler:
        return [(tick.column, tick.label) for tick in axis.ticks()]
    return [(match.start(), match[0].rstrip()) for match in _TICKED.finditer(axis.labels())]


def _ruler(axis: Axis, marked: range) -> Row:
    cells = Cells(axis.width)
    cells.write(0, "─" * axis.width, Look.AXIS)
    for column in axis.between():
        cells.write(column, "┴", Look.AXIS)
    for tick in axis.ticks():
        cells.write(tick.column, "┼", Look.AXIS)
    return cells.row(marked)


def _write_span(span: Interval, marked: range, cells: Cells, width: int) -> range:
    """Write the marked columns and the days they stand for; returns the columns of both."""
    line = "│" if len(marked) == 1 else "├" + "─" * (len(marked) - 2) + "┤"
    cells.write(marked.start, line, Look.BRUSH)
    words = f" {phrase(span)} "
    if marked.stop + len(words) <= width:
        cells.write(marked.stop, words, Look.BRUSH)
        return range(marked.start, marked.stop + len(words))
    if marked.start >= len(words):
        cells.write(marked.start - len(words), words, Look.BRUSH)
        return range(marked.start - len(words), marked.stop)
    cells.write(marked.start + 1, fitted(words, len(marked) - 2), Look.BRUSH)
    return marked
