"""A row of character cells to draw into, and its runs of equal look. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from rich.cells import cell_len, set_cell_size, split_graphemes

_JOINER = "\u200d"
"""A trailing joiner is removed, because it would join the letter to the next cell."""


class Look(StrEnum):
    """The meaning of a part of a row; the widget has a style for each."""

    BLANK = "blank"
    GROUND = "ground"
    """Background inside an asked period."""
    AXIS = "axis"
    ASKED = "asked"
    GAP = "gap"
    """A part of an asked period without evidence."""
    TYPED = "typed"
    """A period of the question that is being typed."""
    CITED = "cited"
    OTHER = "other"
    """Evidence that the answer does not cite."""
    LABEL = "label"
    QUIET = "quiet"
    DENSITY = "density"
    BRUSH = "brush"
    VALUE1 = "value-1"
    VALUE2 = "value-2"
    VALUE3 = "value-3"
    VALUE4 = "value-4"
    VALUE5 = "value-5"
    VALUE6 = "value-6"


VALUES = tuple(look for look in Look if look.startswith("value"))


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a row with one look."""

    text: str
    look: Look
    number: int | None = None
    """The number of the piece of evidence that it belongs to."""
    brushed: bool = False


Row = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    look: Look
    number: int | None


_BLANK = _Cell(" ", Look.BLANK, None)


class Cells:
    """A row with a fixed number of columns; text outside of it is cut off."""

    def __init__(self, width: int) -> None:
        self._cells = [_BLANK] * width

    def write(self, column: int, text: str, look: Look, number: int | None = None) -> None:
        """Write text at a column; a wide letter that is cut by a border becomes a space."""
        spans, _ = split_graphemes(text)
        for start, end, width in spans:
            if width == 0:
                continue
            letter = text[start:end].rstrip(_JOINER)
            if column >= 0 and column + width <= len(self._cells):
                self._put(column, [letter, *[""] * (width - 1)], look, number)
            else:
                for half in range(max(column, 0), min(column + width, len(self._cells))):
                    self._put(half, [" "], look, number)
            column += width

    def _put(self, column: int, texts: list[str], look: Look, number: int | None) -> None:
        """Put a letter, padded with empty cells if it is wide; wide letters that it overlaps are removed."""
        first, last = column, column + len(texts)
        while first > 0 and self._cells[first].text == "":
            first -= 1
        while last < len(self._cells) and self._cells[last].text == "":
            last += 1
        if last - first > len(texts):
            self._cells[first:last] = [replace(cell, text=" ") for cell in self._cells[first:last]]
        self._cells[column : column + len(texts)] = [_Cell(text, look, number) for text in texts]

    def row(self, brushed: range = range(0)) -> Row:
        """The cells as runs of one look; the columns ``brushed`` are marked."""
        return tuple(self._runs(brushed))

    def _runs(self, brushed: range) -> Iterator[Run]:
        keyed = (
            (cell, (cell.look, cell.number, column in brushed)) for column, cell in enumerate(self._cells)
        )
        for (look, number, is_brushed), cells in groupby(keyed, key=lambda pair: pair[1]):
            yield Run("".join(cell.text for cell, _ in cells), look, number, is_brushed)


def number_at(row: Row, column: int) -> int | None:
    """The number of the piece of evidence at a column of a row."""
    for run in row:
        column -= cell_len(run.text)
        if column < 0:
            return run.number
    return None


def fitted(text: str, width: int) -> str:
    """Printable text cut to a number of columns, with an ellipsis if it is cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 0 else ""
