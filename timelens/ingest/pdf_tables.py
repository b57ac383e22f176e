"""Tables on pages of PDF, ruled or aligned: their rows, and the text above, between and below them."""

import io
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

from timelens.ingest.aligned_tables import DATED, WIDE, Word, aligned_tables, joined
from timelens.ingest.pdf_lines import Heading, Line, parts_of

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.pdf import PDF
    from pdfplumber.table import Table

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the upper left corner of the page."""
Rows: TypeAlias = tuple[tuple[str, ...], ...]
_Point: TypeAlias = tuple[float, float]
_Word: TypeAlias = Mapping[str, Any]
"""A word and its box: ``text``, ``x0``, ``top``, ``x1``, ``bottom``."""

_MOST_CROSSINGS = 4_000
"""Crossings of rules on a page that is searched for tables; more make the paper of a plot."""
_THIN = 2.0  # points; a rectangle that is thinner is a line
_FEWEST_RULES = 3  # across a page, and down it, if it has a ruled table
_MOST_RULES = 5_000  # of such a page; one with more is a drawing
_RULES = {b"m": 2, b"l": 2, b"re": 4}  # operators that begin or draw a rule, and their numbers of operands
_ROW_GAP = 0.5  # of the height of a letter, between rows that stand apart; lines of a text stand closer
_DATED_LINES = 3  # in a row, if a page has a table without rules
_SIDES = ((min, "x0"), (min, "top"), (max, "x1"), (max, "bottom"))
_FILLED = 0.5  # least share of cells with text; otherwise it is the grid of a plot or an empty form
_WORD_GAP = 0.15  # of the height of a letter, between words
_SAME_EDGE = 3.0  # points between edges that are the same


@dataclass(slots=True)
class TableSigns:
    """What shows, without a search, that a page may have a table."""

    across: int = 0
    """Number of lines across the page, and of rectangles."""
    down: int = 0
    point: _Point = (0.0, 0.0)
    """Where the line that is drawn has come to."""

    def draw(self, operator: bytes, operands: Sequence[object]) -> None:
        """Count a line or a rectangle among the operations that draw the page."""
        if operator not in _RULES:
            return
        numbers = [float(operand) for operand in operands if isinstance(operand, (int, float))]
        if len(numbers) != _RULES[operator]:
            return
        (x, y), is_box = numbers[:2], operator == b"re"
        width, height = numbers[2:] if is_box else (x - self.point[0], y - self.point[1])
        self.point = x, y
        if operator != b"m":
            self.across += abs(width) > _THIN and (is_box or abs(height) <= _THIN)
            self.down += abs(height) > _THIN and (is_box or abs(width) <= _THIN)

    def are_of_table(self, lines: Iterable[str]) -> bool:
        """Whether a page with these lines may have a table."""
        is_ruled = min(self.across, self.down) >= _FEWEST_RULES and self.across + self.down <= _MOST_RULES
        dated = [DATED.search(line) is not None for line in lines]
        return is_ruled or any(
            all(dated[at : at + _DATED_LINES]) for at in range(len(dated) - _DATED_LINES + 1)
        )


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page."""

    rows: Rows
    """The texts of its cells; that of a merged cell stands in each place that it covers."""
    left: float
    """In points from the left edge of the page; 0 if it has no rules."""
    right: float

    def as_text(self) -> str:
        """The rows as lines."""
        return "\n".join(" | ".join(filter(None, row)) for row in self.rows)

    def goes_on_in(self, other: "PageTable") -> bool:
        """Whether another table, at the top of the next page, has the same columns."""
        return len(self.rows[0]) == len(other.rows[0]) and all(
            abs(here - there) <= _SAME_EDGE
            for here, there in ((self.left, other.left), (self.right, other.right))
        )

    def with_rows_of(self, other: "PageTable") -> "PageTable":
        """This table with the rows of its part on the next page.

        A header that is repeated there is left out. A first row without a cell that all rows before it have
        is the rest of the last one, which the end of the page cuts.
        """
        rows = other.rows[1:] if other.rows[0] == self.rows[0] else other.rows
        always = [all(column) for column in zip(*self.rows, strict=True)]
        if not rows or all(cell for cell, is_filled in zip(rows[0], always, strict=True) if is_filled):
            return replace(self, rows=self.rows + rows)
        whole = tuple(map(joined, zip(self.rows[-1], rows[0], strict=True)))
        return replace(self, rows=(*self.rows[:-1], whole, *rows[1:]))


PagePart: TypeAlias = str | Heading | PageTable


def pages_with_tables(raw: bytes, numbers: Sequence[int]) -> Mapping[int, Sequence[PagePart]]:
    """The texts and tables, in order, of those pages that have tables; ``numbers`` are counted from 0.

    A page that cannot be read is left out. The file is one that another reader has opened and measured.
    """
    if not numbers:
        return {}
    import pdfplumber

    try:
        opened = pdfplumber.open(io.BytesIO(raw), password="")
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 -- what a broken file makes the library raise is without end
        return {}
    with opened:
        found = {number: _parts_or_none(opened, number) for number in numbers}
    return {number: parts for number, parts in found.items() if parts is not None}


def _parts_or_none(opened: "PDF", number: int) -> list[PagePart] | None:
    """The texts and tables of a page; ``None`` if it has no table, or cannot be read."""
    try:
        page = opened.pages[number]
        parts = _parts(page)
        page.close()
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 -- a broken page does not stop the others
        return None
    return parts if any(isinstance(part, PageTable) for part in parts) else None


def _parts(page: "Page") -> list[PagePart]:
    """The texts and tables of a page, from top to bottom."""
    words: Sequence[_Word] = page.extract_words(x_tolerance_ratio=_WORD_GAP)
    ruled = list(_ruled(page, words))
    others = [word for word in words if not any(_is_in(_middle(word), box) for box, _ in ruled)]
    placed = sorted([*ruled, *_aligned(others)], key=lambda found: found[0][1])
    boxes = [box for box, _ in placed]
    beside = page.filter(lambda drawn: not any(_is_in(_middle(drawn), box) for box in boxes))
    tops = [page.bbox[1], *(box[1] for box in boxes), page.bbox[3]]
    parts: list[PagePart] = []
    for at, (top, bottom) in enumerate(pairwise(tops)):
        if at:
            parts.append(placed[at - 1][1])
        lines = beside.filter(_is_between(top, bottom)).extract_text_lines(use_text_flow=True)
        parts += parts_of([*map(_line, lines)])
    return parts


def _ruled(page: "Page", words: Sequence[_Word]) -> Iterator[tuple[Box, PageTable]]:
    """The ruled tables of a page, each with its box."""
    if _crossings(page) > _MOST_CROSSINGS:
        return
    for table in page.find_tables():
        rows = _rows(table, words)
        if rows is not None:
            yield table.bbox, PageTable(rows, table.bbox[0], table.bbox[2])


def _aligned(words: Sequence[_Word]) -> Iterator[tuple[Box, PageTable]]:
    """The tables with dates among words that no rules surround, each with its box.

    Tables whose rows stand apart are found first: they may have several lines in a cell.
    """
    for apart in (_ROW_GAP, 0.0):
        lines = _lines(words, apart)
        for table in aligned_tables(_placed(lines)):
            if table.has_dates:
                held = [word for line in lines[table.first : table.end] for _, word in line]
                box = tuple(pick(word[side] for word in held) for pick, side in _SIDES)
                words = [word for word in words if not _is_in(_middle(word), box)]
                yield box, PageTable(table.rows, 0.0, 0.0)


def _lines(words: Iterable[_Word], apart: float) -> list[list[tuple[int, _Word]]]:
    """Words by row, each with the number of its line there; an empty row stands for empty lines.

    Rows are ``apart`` times the height of a letter from each other; if it is 0, each line is a row.
    """
    rows: list[list[tuple[int, _Word]]] = []
    number, line_bottom, bottom = 0, 0.0, 0.0
    for word in sorted(words, key=lambda word: _middle(word)[1]):
        gap = (word["top"] - bottom) / ((word["bottom"] - word["top"]) or 1.0)
        is_in_line = _middle(word)[1] < line_bottom
        if rows and (is_in_line or gap < apart):
            number += not is_in_line
        else:
            rows += [[], []] if rows and gap > 1.0 else [[]]
            number, bottom = 0, word["bottom"]
        rows[-1].append((number, word))
        line_bottom, bottom = word["bottom"], max(bottom, word["bottom"])
    return rows


def _placed(lines: Sequence[Sequence[tuple[int, _Word]]]) -> list[list[Word]]:
    """The words of lines and where they stand, from left to right."""
    widths = [(word["x1"] - word["x0"]) / len(word["text"]) for line in lines for _, word in line]
    letter = (median(widths) if widths else 0.0) or 1.0
    return [
        sorted(Word(word["x0"] / letter, word["x1"] / letter, word["text"], number) for number, word in line)
        for line in lines
    ]


def _crossings(page: "Page") -> int:
    """How often rules cross if all of them go over the whole page."""
    across = {round(edge["top"] / _SAME_EDGE) for edge in page.edges if edge["orientation"] == "h"}
    down = {round(edge["x0"] / _SAME_EDGE) for edge in page.edges if edge["orientation"] == "v"}
    return len(across) * len(down)


def _is_between(top: float, bottom: float) -> Callable[[Mapping[str, float]], bool]:
    """Whether something drawn lies between two heights of the page."""
    return lambda drawn: top <= _middle(drawn)[1] < bottom


def _rows(table: "Table", words: Iterable[_Word]) -> Rows | None:
    """The rows of a table; ``None`` if it has less than two rows and columns, or is mostly empty.

    A word that runs over a rule stands in the cell where its middle is.
    """
    across = sorted({edge for cell in table.cells for edge in (cell[0], cell[2])})
    down = sorted({edge for cell in table.cells for edge in (cell[1], cell[3])})
    columns = {
        cell: range(bisect_left(across, cell[0]), bisect_left(across, cell[2])) for cell in table.cells
    }
    cells = {
        (row, column): cell
        for cell in table.cells
        for row in range(bisect_left(down, cell[1]), bisect_left(down, cell[3]))
        for column in columns[cell]
    }
    words_of: dict[Box, list[tuple[int, _Word]]] = {cell: [] for cell in table.cells}
    for word in words:
        x, y = _middle(word)
        place = bisect_right(down, y) - 1, bisect_right(across, x) - 1
        if place in cells:
            words_of[cells[place]].append((place[1], word))
    texts = {cell: _cell_texts(held, columns[cell]) for cell, held in words_of.items()}
    if min(len(across), len(down)) < 3 or sum(map(bool, words_of.values())) < _FILLED * len(texts):
        return None
    places = ([(row, column) for column in range(len(across) - 1)] for row in range(len(down) - 1))
    return tuple(tuple(texts[cells[at]][at[1]] if at in cells else "" for at in row) for row in places)


def _cell_texts(held: Sequence[tuple[int, _Word]], columns: Iterable[int]) -> dict[int, str]:
    """The text of a cell in each of the columns that it covers, given its words and their columns.

    It is the same in each, unless the words stand apart at the edges of the columns: they do so in every
    other row of a table that has no rules but the shades of its rows.
    """
    lines: list[list[tuple[int, _Word]]] = []
    for column, word in held:
        if lines and word["top"] < lines[-1][-1][1]["bottom"]:
            lines[-1].append((column, word))
        else:
            lines.append([(column, word)])
    letter = sum(word["x1"] - word["x0"] for _, word in held) / max(
        sum(len(word["text"]) for _, word in held), 1
    )
    crossing = [
        right["x0"] - left["x1"]
        for line in lines
        for (one, left), (other, right) in pairwise(line)
        if one != other
    ]
    is_apart = bool(crossing) and min(crossing) >= WIDE * letter
    return {
        column: joined(
            " ".join(word["text"] for at, word in line if not is_apart or at == column) for line in lines
        )
        for column in columns
    }


def _line(found: Mapping[str, Any]) -> Line:
    fonts = {(char["fontname"], round(char["size"], 1)) for char in found["chars"] if char["text"].strip()}
    return Line(found["text"], -found["bottom"], fonts)


def _middle(drawn: Mapping[str, float]) -> _Point:
    return (drawn["x0"] + drawn["x1"]) / 2, (drawn["top"] + drawn["bottom"]) / 2


def _is_in(point: _Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
