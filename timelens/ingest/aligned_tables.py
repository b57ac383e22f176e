"""Tables without rules: lines whose words stand in columns."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import TypeAlias

_FEWEST_ROWS = 3
"""Lines of a table with its header."""
WIDE = 1.2
"""Least letters between words of different columns in at least one line."""
_SPACE = 0.4
"""Least letters between words of one cell; words that stand closer are a number and the next column."""
_VALLEY = 0.25
"""Least letters between columns that no line has a word in."""
DATED = re.compile(r"\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}([./-])\d{1,2}\1\d\d")
"""A year or a day in numbers, as most lines of a table with dates have one."""
_LONGEST_DATE = 30  # letters of a cell
_LONGEST_NAME = 100  # letters of a word that a line end may cut
_CUT_YEAR = re.compile(r"(?:\d{1,2}[./-]){1,2}(?:1[5-9]|20)\d\d")
_UNDERLINE = re.compile(r"[-=_+|]+")


@dataclass(frozen=True, slots=True, order=True)
class Word:
    """A word and where it stands in its row, in mean widths of a letter."""

    start: float
    end: float
    text: str
    line: int = 0
    """Of the lines of its row."""


Line: TypeAlias = Sequence[Word]
"""The words of a line, or of a row of several lines, from left to right; none in an empty line."""
Span: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class AlignedTable:
    """Lines that are a table."""

    first: int
    """The index of its first line."""
    end: int
    """The index behind its last line."""
    rows: tuple[tuple[str, ...], ...]
    """Cells of equal number in each row."""

    @property
    def has_dates(self) -> bool:
        """Whether a column has dates in most rows, and little else; texts in two columns have none."""
        _, *rows = self.rows
        return any(
            2 * sum(len(cell) <= _LONGEST_DATE and bool(DATED.search(cell)) for cell in column) >= len(rows)
            for column in zip(*rows, strict=True)
        )


@dataclass(slots=True)
class _Columns:
    """The columns of some lines."""

    covered: list[Span] = field(default_factory=list)
    """Where any line has a word, in order and apart."""
    borders: list[Span] = field(default_factory=list)
    """The gaps between ``covered`` that are wide in some line."""

    def with_line(self, line: Line) -> "_Columns":
        """The columns of these lines and another one."""
        covered: list[Span] = []
        for start, end in sorted([*self.covered, *((word.start, word.end) for word in line)]):
            if covered and start - covered[-1][1] < _VALLEY:
                covered[-1] = covered[-1][0], max(covered[-1][1], end)
            else:
                covered.append((start, end))
        gaps = [(low, high) for (_, low), (high, _) in pairwise(covered)]
        wide = _wide_gaps(line)
        return _Columns(
            covered, [gap for gap in gaps if _is_within(gap, self.borders) or _is_within(gap, wide)]
        )

    def index(self, word: Word) -> int:
        """The column of a word."""
        return bisect_right(self.borders, word.start, key=itemgetter(1))

    def chosen(self, lines: Sequence[Line]) -> "_Columns":
        """These columns of lines, without gaps that are spaces between words of one cell.

        Such a gap is narrow in some line, and every line that is wide there has another one beside it.
        """
        narrow = {
            border
            for line in lines
            for left, right in pairwise(line)
            if _SPACE <= right.start - left.end < WIDE
            for border in self.borders_in(left.end, right.start)
        }
        needed = {
            border
            for line in lines
            for start, end in _wide_gaps(line)
            if narrow.issuperset(within := self.borders_in(start, end))
            for border in within
        }
        return _Columns(self.covered, [one for one in self.borders if one not in narrow or one in needed])

    def borders_in(self, start: float, end: float) -> list[Span]:
        """The borders between two places of a line."""
        first = bisect_left(self.borders, start, key=itemgetter(0))
        return self.borders[first : bisect_right(self.borders, end, key=itemgetter(1))]


def aligned_tables(lines: Sequence[Line]) -> Iterator[AlignedTable]:
    """The tables among lines: at least three lines below each other with gaps at the same places.

    The last cell of a line may go on in the next ones. The time is linear in the number of lines.
    """
    first = 0
    while first < len(lines):
        table = _table_at(lines, first)
        if table is not None:
            yield table
        first = table.end if table is not None else first + 1


def _table_at(lines: Sequence[Line], first: int) -> AlignedTable | None:
    """The table that begins at a line."""
    columns = _Columns().with_line(lines[first])
    header = kept = columns.borders
    if not header or _is_underline(lines[first]):
        return None
    end, rows = first + 1, 1
    for at in range(first + 1, len(lines)):
        line, is_apart = lines[at], not lines[at - 1]
        if not line and not is_apart:
            continue
        if _wide_gaps(line) and not _is_underline(line):
            wider = columns.with_line(line)
            before, kept = kept, [gap for gap in header if wider.borders_in(*gap)]
            most_lost = len(header) / 2 if rows == 1 else not is_apart  # the header may be longer
            if not kept or len(before) - len(kept) > most_lost:
                break
            columns, rows = wider, rows + 1
        elif not line or not (_is_underline(line) or (columns.index(line[0]) and not is_apart)):
            break
        end = at + 1
    return AlignedTable(first, end, _rows(lines[first:end], columns)) if rows >= _FEWEST_ROWS else None


def _is_within(gap: Span, others: Sequence[Span]) -> bool:
    """Whether a gap is part of one of others, which are in order and apart."""
    at = bisect_right(others, gap[0], key=itemgetter(0))
    return at > 0 and gap[1] <= others[at - 1][1]


def _wide_gaps(line: Line) -> list[Span]:
    return [(left.end, right.start) for left, right in pairwise(line) if right.start - left.end >= WIDE]


def _is_underline(line: Line) -> bool:
    return all(_UNDERLINE.fullmatch(word.text) for word in line)


def _rows(lines: Sequence[Line], columns: _Columns) -> tuple[tuple[str, ...], ...]:
    """The cells of lines; those of a line without a wide gap are added to the ones above it."""
    columns = columns.chosen(lines)
    rows: list[list[dict[tuple[int, int], list[str]]]] = []
    for at, line in enumerate(lines):
        if _is_underline(line):
            continue
        if _wide_gaps(line):
            rows.append([defaultdict(list) for _ in range(len(columns.borders) + 1)])
        for word in sorted(line, key=attrgetter("line", "start")):
            rows[-1][columns.index(word)][at, word.line].append(word.text)
    return _without_halves([[joined(map(" ".join, cell.values())) for cell in row] for row in rows])


def joined(lines: Iterable[str]) -> str:
    """The lines of a cell as one.

    Behind a hyphen or slash a word goes on, as does a name with underscores, or a year that is cut.
    """
    text = ""
    for line in filter(None, lines):
        last, first = text[-_LONGEST_NAME:].rpartition(" ")[2], line[:_LONGEST_NAME].partition(" ")[0]
        is_cut = "_" in last + first or _CUT_YEAR.fullmatch(last + first)
        goes_on = line[0].isalnum() and re.search(r"\w[-/]$", last)
        text += line if is_cut or goes_on or not text else f" {line}"
    return text


def _without_halves(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Rows in which neighbouring columns are one if no row has both: a name, and numbers further right."""
    columns: list[Sequence[str]] = []
    for column in zip(*rows, strict=True):
        if columns and not any(left and right for left, right in zip(columns[-1], column, strict=True)):
            columns[-1] = [left or right for left, right in zip(columns[-1], column, strict=True)]
        else:
            columns.append(column)
    return tuple(zip(*columns, strict=True))
