"""Bars with labels, arranged in lanes: one per lane, or as many as fit side by side. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from timelens.temporal import Interval
from timelens.tui.timeline.axis import Axis
from timelens.tui.timeline.cells import Cells, Look, fitted

_LEAST_WORDS = 8
"""Minimum columns for the words after a label's number."""
_WORDS = (48, 32, 24, 16, 8)
"""Columns for words, tried in this order."""
_EDGE = 2
"""Columns at each side of a label inside a bar: bar and space."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The characters of a bar (a body, and a point for a bar of one column), and their looks."""

    body: str
    point: str
    bar: Look
    name: Look
    words: Look
    first: str = ""
    """The first column of a wider bar, if it differs; separates adjacent bars."""


_PLAIN = Ink("", "", Look.BLANK, Look.QUIET, Look.QUIET)


@dataclass(frozen=True, slots=True)
class Item:
    """A time with its label: a short name, and words that are cut if necessary."""

    time: Interval | None
    """``None`` if it has no bar."""
    name: str
    words: str
    ink: Ink
    number: int | None = None
    """The number of its piece of evidence."""
    date: str = ""
    """Shown before the words if the item has a lane to itself."""

    @property
    def label(self) -> str:
        """Name and words."""
        return f"{self.name} {self.words}".strip()

    @property
    def long_label(self) -> str:
        """Name, date and words."""
        return " ".join(filter(None, (self.name, " · ".join(filter(None, (self.date, self.words))))))


@dataclass(frozen=True, slots=True)
class Placed:
    """An item in a lane: the columns of its bar, and its label with its start column."""

    item: Item
    bar: range
    column: int
    label: str

    @property
    def columns(self) -> range:
        """All columns of bar and label."""
        if not self.label:
            return self.bar
        last = self.column + cell_len(self.label)
        if not self.bar:
            return range(self.column, last)
        return range(min(self.bar.start, self.column), max(self.bar.stop, last))


Lane = tuple[Placed, ...]


def alone(item: Item, axis: Axis) -> Placed:
    """An item in its own lane: its label is right of the bar, else left of it, else inside.

    If name, date and words do not fit, the date is omitted, because the axis shows it.
    """
    if item.time is None:
        return Placed(item, range(0), 0, fitted(item.long_label, axis.width))
    bar = axis.columns(item.time)
    rooms = {"right": axis.width - bar.stop - 1, "left": bar.start - 1, "inside": len(bar) - 2 * _EDGE}
    most = max(rooms.values())
    label = item.long_label if cell_len(item.long_label) <= most else fitted(item.label, most)
    if not label or cell_len(label) < cell_len(item.name):
        return Placed(item, bar, 0, "")
    side = next(side for side, room in rooms.items() if room >= cell_len(label))
    if side == "inside":
        return Placed(item, bar, bar.start + _EDGE - 1, f" {label} ")
    return Placed(item, bar, bar.stop + 1 if side == "right" else bar.start - 1 - cell_len(label), label)


def packed(items: Sequence[Item], axis: Axis, room: int) -> list[Lane]:
    """Items with a time, in order of time, side by side, with as many words as ``room`` lanes allow.

    If even the names do not fit, there are more lanes.
    """
    for words in (*_WORDS, 0):
        lanes = _side_by_side(items, axis, words)
        if len(lanes) <= room:
            break
    return [tuple(_worded(lane, axis)) for lane in lanes]


def _side_by_side(items: Sequence[Item], axis: Axis, words: int) -> list[list[Placed]]:
    """Each item in the first lane with room for its bar, its name and ``words`` columns of words."""
    lanes: list[list[Placed]] = []
    ends: list[int] = []
    for item in items:
        placed = _named(item, axis, words)
        columns = placed.columns
        lane = next((lane for lane, end in enumerate(ends) if end < columns.start), None)
        if lane is None:
            lanes.append([placed])
            ends.append(columns.stop)
        else:
            lanes[lane].append(placed)
            ends[lane] = columns.stop
    return lanes


def row_of_names(items: Sequence[Item], before: str, width: int) -> list[Lane]:
    """Items without a time: rows of their names, each after the heading ``before``."""
    lanes: list[list[Placed]] = []
    head = Placed(Item(None, "", before, _PLAIN), range(0), 0, before)
    for item in items:
        room = cell_len(item.name) + 1
        if not lanes or (len(lanes[-1]) > 1 and lanes[-1][-1].columns.stop + room > width):
            lanes.append([head])
        lanes[-1].append(Placed(item, range(0), lanes[-1][-1].columns.stop + 1, item.name))
    return list(map(tuple, lanes))


def draw_lane(lane: Lane, cells: Cells) -> None:
    """Draw bars and labels over the existing cells."""
    for placed in lane:
        item = placed.item
        if placed.bar:
            cells.write(placed.bar.start, _bar(item, len(placed.bar)), item.ink.bar, item.number)
    for placed in lane:
        item, column, label = placed.item, placed.column, placed.label
        space = len(label) - len(label.lstrip())
        shown = label[space:]
        cells.write(column, label[:space], item.ink.words, item.number)
        column += space
        if item.name and shown.startswith(item.name):
            cells.write(column, item.name, item.ink.name, item.number)
            column += cell_len(item.name)
            shown = shown[len(item.name) :]
        cells.write(column, shown, item.ink.words, item.number)


def _bar(item: Item, columns: int) -> str:
    drawn = [item.ink.point] if columns == 1 else [item.ink.body] * columns
    if columns > 1 and item.ink.first:
        drawn[0] = item.ink.first
    if item.time is not None and item.time.start is None:
        drawn[0] = "◄"
    if item.time is not None and item.time.end is None:
        drawn[-1] = "►"
    return "".join(drawn)


def _named(item: Item, axis: Axis, words: int) -> Placed:
    """The item with its name and ``words`` columns of words, as far as they fit inside or beside the bar."""
    bar = axis.columns(item.time or Interval(None, None))
    apart = 0 if item.name.startswith("[") else 1
    rooms = {
        "inside": len(bar) - 2 * _EDGE,
        "right": axis.width - bar.stop - apart,
        "left": bar.start - apart,
    }
    name = cell_len(item.name)
    wanted = min(name + 1 + words if words else name, cell_len(item.label))
    widest = max(rooms.values())
    fit = wanted if widest >= wanted else widest if widest >= name + 1 + _LEAST_WORDS else name
    side = next((side for side, room in rooms.items() if room >= fit), None)
    shown = fitted(item.label, fit) if fit > name else item.name
    match side:
        case "inside":
            return Placed(item, bar, bar.start + _EDGE - 1, f" {shown} ")
        case "right":
            return Placed(item, bar, bar.stop + apart, shown)
        case "left":
            return Placed(item, bar, bar.start - cell_len(shown) - apart, shown)
    return Placed(item, bar, 0, "")


def _worded(lane: Sequence[Placed], axis: Axis) -> Iterator[Placed]:
    """The items with as many words after the names as fit."""
    ends = [placed.columns.start - 2 for placed in lane[1:]]
    for placed, end in zip(lane, [*ends, axis.width], strict=True):
        is_inside = placed.label.startswith(" ")
        last = placed.bar.stop - _EDGE if is_inside else end
        column = placed.column + is_inside
        room = last - column
        least = cell_len(placed.item.name) + 1 + _LEAST_WORDS
        if placed.label and column >= placed.bar.start and room >= min(least, cell_len(placed.item.label)):
            label = fitted(placed.item.label, room)
            yield replace(placed, label=f" {label} " if is_inside else label)
        else:
            yield placed
