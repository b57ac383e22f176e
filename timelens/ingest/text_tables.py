"""Tables in texts: a table whose rows have dates is a document of facts beside the text it stands in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from timelens.documents import Document, Mark
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.reader_tools import make_document, places_of
from timelens.ingest.sources import SourceFile
from timelens.ingest.table_dates import Row
from timelens.ingest.table_headers import below_title
from timelens.ingest.tables import rows_below_header
from timelens.temporal.interval import Interval

_MOST_COLUMNS = 1_000
"""Maximum number of columns that one cell is repeated in, as browsers have it."""
_LONGEST_HEADING = 100  # characters
SENTENCE_END = re.compile(r"[.!?:…][\"'”’)\]]*$")
"""The end of the last line of a paragraph."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table in a text."""

    heading: str
    """The heading above it; empty if there is none."""
    start: int
    """The offset of its first line."""
    end: int
    """The offset behind its last line."""
    rows: tuple[Row, ...] = field(repr=False)
    """Its rows with their numbers, from 1; the first names the columns."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, and how many columns and rows it covers."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class MixedText:
    """A text with tables in it."""

    text: str
    marks: tuple[Mark, ...]
    """Its places."""
    tables: tuple[TextTable, ...]


@dataclass(frozen=True, slots=True)
class Separated:
    """A text and its tables with dates, apart."""

    tables: tuple[Document | Failure, ...]
    text: str
    """The text without them."""
    marks: tuple[Mark, ...]
    """The places of the text without them."""

    @property
    def is_only_tables(self) -> bool:
        """Whether all that is left besides the tables are headings."""
        return bool(self.tables) and not _has_text(self.text, self.marks)


def documents_in(
    source: SourceFile,
    mixed: MixedText,
    title: str,
    columns: TableColumns,
    *,
    hashed: str,
    published: Interval | None = None,
    published_source: str | None = None,
) -> Iterator[Document | Failure]:
    """The documents of a file with tables in its text: one for each table with dates, then its text.

    The text is left out if it has nothing but headings besides these tables. The arguments by name are those
    of the text's document (:func:`~timelens.ingest.reader_tools.make_document`).
    """
    parted = separated(source, mixed, title, columns)
    yield from parted.tables
    if not parted.is_only_tables:
        yield make_document(
            source,
            source.id,
            parted.text,
            title=title,
            published=published,
            published_source=published_source,
            hashed=hashed,
            places=places_of(parted.marks, title),
        )


def separated(source: SourceFile, mixed: MixedText, title: str, columns: TableColumns) -> Separated:
    """Take the tables of which most rows are facts out of a text; its other tables stay in it.

    ``title`` is that of the document of the text.
    """
    found: list[Document | Failure] = []
    taken: list[TextTable] = []
    for number, table in enumerate(mixed.tables, start=1):
        lead, rows = below_title(table.rows)
        try:
            read = rows_below_header(rows, f"{source.id} table {number}", columns)
        except BadInputError:  # its columns have no names, or not those that the user named
            continue
        if 2 * len(read.facts) <= len(rows) - 1:
            continue
        heading = lead or table.heading
        taken.append(table)
        found += read.failures
        found.append(
            make_document(
                source,
                f"{source.id}#table-{len(taken)}",
                "",
                title=title if heading in ("", title) else f"{title}: {heading}",
                facts=read.facts,
                hashed=f"{columns}\n{table.rows}",
                places=read.rows,
            )
        )
    cut = [_with_empty_lines(_with_heading(table, mixed), mixed.text) for table in taken]
    return Separated(tuple(found), _without(mixed.text, cut), tuple(_moved(mixed, cut)))


def _with_heading(table: TextTable, mixed: MixedText) -> TextTable:
    """The table, together with the heading above it if there is nothing else below that."""
    above = [mark for mark in mixed.marks if mark.offset < table.start]
    next_place = min((mark.offset for mark in mixed.marks if mark.offset >= table.end), default=None)
    if not above or mixed.text[table.end : next_place].strip():
        return table
    between = mixed.text[above[-1].offset : table.start].strip()
    last = above[-1]
    is_heading = last.place and last.stands_in(mixed.text) and "\n" not in between
    return replace(table, start=last.offset) if is_heading else table


def _with_empty_lines(table: TextTable, text: str) -> TextTable:
    """The table, together with the empty lines below it if there is one above it."""
    if not text.endswith("\n\n", 0, table.start):
        return table
    end = table.end
    while text.startswith("\n", end):
        end += 1
    return replace(table, end=end)


def _without(text: str, tables: Iterable[TextTable]) -> str:
    """A text without some of its tables."""
    parts, position = [], 0
    for table in tables:
        parts.append(text[position : table.start])
        position = table.end
    return "".join([*parts, text[position:]])


def grid(rows: Iterable[Sequence[Cell]]) -> tuple[Row, ...]:
    """Numbered rows of cells; a cell that covers several columns or rows is repeated in each."""
    laid: list[Row] = []
    above: dict[int, Cell] = {}
    for number, cells in enumerate(rows, start=1):
        row: list[str] = []
        covered = {at: replace(cell, down=cell.down - 1) for at, cell in above.items() if cell.down > 1}
        above = dict(covered)
        for cell in cells:
            while len(row) in covered:
                row.append(covered[len(row)].text)
            for at in range(len(row), len(row) + min(max(cell.across, 1), _MOST_COLUMNS)):
                above[at] = cell
                row.append(cell.text)
        while len(row) in covered:
            row.append(covered[len(row)].text)
        laid.append((number, row))
    return tuple(laid)


def _moved(mixed: MixedText, cut: Sequence[TextTable]) -> list[Mark]:
    """The places of a text in the text without some tables; of several at one offset, the last.

    In place of a heading that is cut with its table the place above it goes on.
    """
    moved: dict[int, Mark] = {}
    place = ""
    for mark in mixed.marks:
        is_in_table = any(table.start <= mark.offset < table.end for table in cut)
        is_cut = is_in_table and mark.stands_in(mixed.text)
        place = place if is_cut else mark.place
        gone = sum(min(mark.offset, table.end) - table.start for table in cut if table.start < mark.offset)
        moved[mark.offset - gone] = replace(mark, offset=mark.offset - gone, place=place)
    return list(moved.values())


def _has_text(text: str, marks: Iterable[Mark]) -> bool:
    """Whether a text has words besides its headings."""
    headings = {mark.offset for mark in marks if mark.place and mark.stands_in(text)}
    return any(offset not in headings and any(map(str.isalnum, line)) for offset, line in lines_in(text))


def heading_above(text: str, start: int, section: str = "") -> str:
    """The line above a table that begins at an offset, or above a line of signs there, if it may name it.

    Otherwise, if it is long or ends a sentence, the heading of the section, or without one the first line of
    the text, if that may.
    """
    last = text[max(start - 3 * _LONGEST_HEADING, 0) : start].rstrip().split("\n")[-2:]
    first = text[: min(start, 3 * _LONGEST_HEADING)].lstrip().partition("\n")[0]
    line = next((line for line in reversed(last) if any(map(str.isalnum, line))), "")
    return next(filter(_may_be_heading, (line.strip(), section or first.strip())), "")


def _may_be_heading(line: str) -> bool:
    return len(line) <= _LONGEST_HEADING and SENTENCE_END.search(line) is None


def lines_in(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its offset."""
    offset = 0
    for line in text.split("\n"):
        yield offset, line
        offset += len(line) + 1
