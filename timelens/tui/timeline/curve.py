"""Numbers over time as step curves: their corners, their scale, and their drawing with plotext."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.printable import shortened
from timelens.temporal import Interval
from timelens.tui.timeline.axis import Axis
from timelens.tui.timeline.values import Held, Series, Values

if TYPE_CHECKING:
    from textual_plotext.plot import Plot

_CITED, _OTHER, _CARRIED = "●", "○", "·"
_ROWS_PER_LEVEL = 2
_DOTS_IN_A_ROW = 4
"""Vertical dots of the braille characters that lines are drawn with."""
_ROOM_BESIDE = 0.12
"""Margin above and below the curves, as a share of their height, so that their marks have room."""
_LONGEST_NAME = 24

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Corner:
    """A point of a step curve."""

    day: int
    amount: float


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of the curves in order, and of marks and background."""

    curves: Sequence[Colour]
    mark: Colour
    quiet: Colour
    ground: Colour


def stretches(series: Series, axis: Axis) -> list[tuple[Corner, ...]]:
    """The curve of a series on an axis; it is split if a value does not start where the previous one ends."""
    found: list[list[Corner]] = []
    for held in series.held:
        if held.amount is None or not held.time.intersects(axis.interval):
            continue
        start, end = _on(axis, held)
        if not found or found[-1][-1].day + 1 < start:  # inclusive last days leave one day between
            found.append([])
        found[-1] += [Corner(start, held.amount), Corner(end, held.amount)]
    return [tuple(stretch) for stretch in found]


def levels(values: Values, rows: int) -> list[tuple[float, str]]:
    """The labels of the scale, from low to high: both extremes, and values between that have room."""
    amounts = sorted({held.amount for one in values.series for held in one.held if held.amount is not None})
    if not amounts:
        return []
    room = (amounts[-1] - amounts[0]) * _ROWS_PER_LEVEL / max(rows - 1, 1)
    kept = [amounts[0]]
    for amount in amounts[1:-1]:
        if amount - kept[-1] >= room and amounts[-1] - amount >= room:
            kept.append(amount)
    kept += [amounts[-1]] if amounts[-1] != amounts[0] else []
    return [(amount, f"{amount:,.10g}") for amount in kept]


def scale_width(values: Values) -> int:
    """Width of the scale left of the curve: the longest number and the line."""
    return max((len(name) for _, name in levels(values, 1000)), default=0) + 1


@dataclass(frozen=True, slots=True)
class Scale:
    """The mapping of the days of an axis and of amounts ``[low, high]`` to a number of rows."""

    axis: Axis
    low: float
    high: float
    rows: int

    @classmethod
    def of(cls, values: Values, axis: Axis, rows: int) -> "Scale":
        """The scale that covers all amounts, with a margin above and below."""
        amounts = [held.amount for one in values.series for held in one.held if held.amount is not None]
        low, high = min(amounts, default=0.0), max(amounts, default=0.0)
        margin = (high - low or 1) * _ROOM_BESIDE
        return cls(axis, low - margin, high + margin, rows)

    def cell(self, corner: Corner) -> tuple[int, int]:
        """The column and the row, counted from below, of a point."""
        share = (corner.amount - self.low) / (self.high - self.low)
        dots = self.rows * _DOTS_IN_A_ROW - 1
        return self.axis.column(corner.day), round(share * dots) // _DOTS_IN_A_ROW

    def level(self, amount: float) -> float:
        """The amount at the middle of an amount's row, so that marks are in the same row as their line."""
        row = self.cell(Corner(self.axis.start, amount))[1]
        return self.low + (self.high - self.low) * row / max(self.rows - 1, 1)


@dataclass(frozen=True, slots=True)
class Caption:
    """A text that starts at a column, at the height of an amount."""

    words: str
    column: int
    amount: float
    series: int | None
    """The index of the series that it names, if it names one."""


def captions(values: Values, scale: Scale, selected: int | None) -> list[Caption]:
    """The numbers of selected and cited pieces beside their marks, and the names of the series if several.

    Captions do not touch, and only that of the selected piece may hide a mark; a caption without room is
    omitted.
    """
    marks = list(_marks(values, scale.axis))
    taken = {scale.cell(corner) for _, _, corner in marks}
    found: list[Caption] = []

    def add(caption: Caption, corner: Corner, *, always: bool = False) -> bool:
        row, end = scale.cell(corner)[1], caption.column + len(caption.words)
        around = {(column, row) for column in range(caption.column - 1, end + 1)} - {scale.cell(corner)}
        fits = caption.column >= 0 and end <= scale.axis.width and (always or not taken & around)
        if fits:
            taken.update(around)
            found.append(caption)
        return fits

    for _, held, corner in sorted(marks, key=lambda mark: (mark[1].number != selected, mark[1].number)):
        is_chosen = held.number == selected
        if held.cited or is_chosen:
            words = f"▸[{held.number}]" if is_chosen else f"[{held.number}]"
            column = scale.cell(corner)[0] + 1
            if is_chosen:
                column = min(column, scale.axis.width - len(words))
            add(Caption(words, column, corner.amount, None), corner, always=is_chosen and not found)
    for index, series in enumerate(values.series if len(values.series) > 1 else ()):
        corners = [corner for stretch in stretches(series, scale.axis) for corner in stretch]
        name = shortened(series.name, _LONGEST_NAME)
        for corner in reversed(corners):  # at its end, or at the last corner with room
            column = min(scale.cell(corner)[0] + 1, scale.axis.width - len(name))
            if add(Caption(name, column, corner.amount, index), corner):
                break
    return found


def draw_curves(plot: "Plot", values: Values, scale: Scale, selected: int | None, colours: Colours) -> None:
    """Draw the curves of all series, with a mark at the start of each value and the captions."""
    axis = scale.axis
    plot.clear_figure()
    plot.xaxes(lower=False, upper=False)
    plot.yaxes(left=True, right=False)
    plot.xticks([])
    plot.xlim(0, axis.width - 1)  # columns, as on the axis below
    plot.ylim(scale.low, scale.high)
    named = levels(values, scale.rows)
    width = scale_width(values) - 1
    plot.yticks([scale.level(amount) for amount, _ in named], [f"{name:>{width}}" for _, name in named])
    curves = [colours.curves[index % len(colours.curves)] for index in range(len(values.series))]
    for series, colour in zip(values.series, curves, strict=True):
        for stretch in stretches(series, axis):
            columns, amounts = [axis.column(one.day) for one in stretch], [one.amount for one in stretch]
            plot.plot(columns, amounts, marker="braille", color=colour)
        for carried, amount in _carried(series, axis):
            level = [scale.level(amount)] * len(carried)
            plot.scatter(list(carried), level, marker=_CARRIED, color=colour)
    for index, held, corner in _marks(values, axis):
        mark, ink = (_CITED, curves[index]) if held.cited else (_OTHER, colours.quiet)
        plot.scatter([axis.column(corner.day)], [scale.level(corner.amount)], marker=mark, color=ink)
    for caption in captions(values, scale, selected):
        colour = colours.mark if caption.series is None else curves[caption.series]
        plot.text(
            caption.words,
            caption.column,
            scale.level(caption.amount),
            color=colour,
            background=colours.ground,
            alignment="left",
        )


def _carried(series: Series, axis: Axis) -> Iterator[tuple[range, float]]:
    """The columns between the stated time of a value and the next value, with the amount carried over."""
    for held in series.held:
        if held.amount is None or held.time.end is None or held.until is None:
            continue
        between = Interval(held.time.end, held.until).intersection(axis.interval)
        if between is not None:
            last = _on(axis, held)[1]
            columns = axis.columns(between)
            yield range(max(columns.start, axis.column(last) + 1), columns.stop), held.amount


def _marks(values: Values, axis: Axis) -> Iterator[tuple[int, Held, Corner]]:
    """The start of each value on an axis: (index of the series, value, point)."""
    for index, series in enumerate(values.series):
        for held in series.held:
            if held.amount is not None and held.time.intersects(axis.interval):
                yield index, held, Corner(_on(axis, held)[0], held.amount)


def _on(axis: Axis, held: Held) -> tuple[int, int]:
    """The days ``[start, end)`` of a value, cut to the axis."""
    start, end = held.time.bounds
    return int(max(axis.start, start)), int(min(axis.end, end))
