"""Spreadsheets (XLSX, XLSM, XLS, ODS): each sheet is a table with typed dates."""

import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from timelens.documents import Document, Mark
from timelens.errors import BadInputError, on_one_line
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.reader_tools import make_document, read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import Table, cell_text, rows_below_header, text_of_rows
from timelens.ingest.zip_packages import Package

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_MOST_CELLS = 5_000_000  # from the first to the last cell of a sheet, including empty ones
_SAVE_ANEW = "open it in the program that it was made with and save it again, or save its sheets as CSV"
_CELL = re.compile(rb"""<(?:\w+:)?(?:c|row)\b[^<>]*?\br\s*=\s*["']([A-Z]{0,7})(\d{1,9})""")
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")
"""First bytes of XLS (whose sheets have at most 65,536 rows of 256 cells) and of encrypted XLSX."""
_LONGEST_NAME = 100

Row = tuple[int, list[str]]
"""The number of a row, from 1, and the text of its cells."""


def read_workbook(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a spreadsheet. Each visible sheet is a document, read like a CSV file.

    Formulas give their last calculated value. The value of cells merged vertically is repeated in each row.
    """
    raw = read_bytes(source)
    if not (source.path.suffix.lower() == ".xls" and raw.startswith(_COMPOUND)):
        _require_bounded(Package(raw, source.path.suffix[1:].upper()))
    workbook = _opened(raw)
    with workbook:
        hidden = _hidden(workbook)
        if hidden:
            hint = "unhide them to have them read"
            yield Failure(source.id, f"hidden sheets are left out: {some_of(hidden)}", hint, partial=True)
        visible = [name for name in workbook.sheet_names if name not in hidden]
        empty = True
        for name in visible:
            rows = _rows(_sheet(workbook, name))
            if rows:
                empty = False
                yield from _document(source, name, rows, columns, alone=len(visible) == 1)
    if empty:
        raise BadInputError("its sheets are empty", "remove it or fill it")


def _require_bounded(package: Package) -> None:
    """Make sure that the sheets are not too large for memory.

    The library allocates every cell between the first and the last, and aborts the process if that fails.
    """
    for part in package.names:
        last_row = last_column = 0
        for found in _CELL.finditer(package.read(part) or b""):
            last_row = max(last_row, int(found[2]))
            last_column = max(last_column, _column(found[1]))
        if last_row * max(last_column, 1) > _MOST_CELLS:
            raise _too_large()


def _too_large() -> BadInputError:
    return BadInputError(
        f"a sheet of it reaches over more than {_MOST_CELLS:,} cells", "split it, or save it as CSV"
    )


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _opened(raw: bytes) -> "CalamineWorkbook":
    from python_calamine import CalamineWorkbook, PasswordError

    with _faults_told("it is not a readable spreadsheet"):
        try:
            return CalamineWorkbook.from_filelike(io.BytesIO(raw))
        except PasswordError as error:
            raise BadInputError("it is encrypted", "save a copy without a password") from error


@contextmanager
def _faults_told(problem: str) -> Iterator[None]:
    """Convert any error of the library for a broken file; a panic of Rust is no ``Exception``."""
    try:
        yield
    except BadInputError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise BadInputError(f"{problem}: {on_one_line(error)}", _SAVE_ANEW) from error


def _sheet(workbook: "CalamineWorkbook", name: str) -> "CalamineSheet":
    with _faults_told(f"its sheet {name!r} cannot be read"):
        return workbook.get_sheet_by_name(name)


def _hidden(workbook: "CalamineWorkbook") -> list[str]:
    from python_calamine import SheetVisibleEnum

    return [meta.name for meta in workbook.sheets_metadata if meta.visible != SheetVisibleEnum.Visible]


def _rows(sheet: "CalamineSheet") -> list[Row]:
    """The rows that are not blank."""
    if sheet.height * sheet.width == 0:
        return []
    if sheet.height * sheet.width > _MOST_CELLS:
        raise _too_large()
    rows = [[cell_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    for (top, column), (bottom, _) in sheet.merged_cell_ranges or ():
        for row in rows[top + 1 : bottom + 1]:
            if column < len(row) and not row[column]:
                row[column] = rows[top][column]
    return [(number, row) for number, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]


def _document(
    source: SourceFile, name: str, rows: Sequence[Row], columns: TableColumns, *, alone: bool
) -> Iterator[Document | Failure]:
    where = f"{source.id} sheet {name}"
    lead, table_rows = _parted(rows)
    try:
        table = _table(table_rows, where, columns)
    except BadInputError as error:
        yield Failure(where, error.message, error.hint)
        return
    yield from table.failures
    title = source.path.stem.replace("_", " ")
    title = title if alone else f"{title}: {name}"
    yield make_document(
        source,
        f"{source.id}#{name[:_LONGEST_NAME]}",
        table.text,
        title=f"{title}. {lead}" if lead else title,
        facts=table.facts,
        hashed=hashlib.sha256(repr((columns, name, rows)).encode(errors="replace")).hexdigest(),
        places=tuple(Mark(mark.offset, f"sheet {name[:_LONGEST_NAME]}, {mark.place}") for mark in table.rows),
    )


def _parted(rows: Sequence[Row]) -> tuple[str, Sequence[Row]]:
    """(text above the table, rows from the header on), without empty columns."""
    width = max(len(row) for _, row in rows)
    filled = [column for column in range(width) if any(row[column].strip() for _, row in rows)]
    narrow = [(number, [row[column].strip() for column in filled]) for number, row in rows]
    first = next((i for i, (_, row) in enumerate(narrow) if sum(map(bool, row)) > 1), 0)
    return " ".join(cell for _, row in narrow[:first] for cell in row if cell), narrow[first:]


def _table(rows: Sequence[Row], where: str, columns: TableColumns) -> Table:
    """The table of the rows; all rows as text if the first one is no header."""
    header = rows[0][1]
    if len(rows) > 1 and len(header) > 1 and len(set(header)) > 1:
        named = [cell or f"column {place}" for place, cell in enumerate(header, start=1)]
        return rows_below_header([(rows[0][0], named), *rows[1:]], where, columns)
    return text_of_rows(((number, "; ".join(filter(None, row))) for number, row in rows), "\n\n")
