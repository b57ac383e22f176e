"""Tables as temporal databases (TDBench): each row is a fact with an interval of validity."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from timelens.documents import Fact, Mark
from timelens.errors import BadInputError
from timelens.ingest.date_columns import OTHER_DATES, TableColumns, date_columns, telling_name
from timelens.ingest.dated_headers import with_dated_rows
from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import parse_dates
from timelens.ingest.period_columns import with_split_periods
from timelens.ingest.table_dates import (
    FAR_END,
    UNKNOWN,
    Row,
    by_column,
    contradictions,
    month_first,
    open_words,
    plain_name,
    recorded,
    recorded_ends,
    with_full_years,
    with_whole_dates,
    year_across,
)
from timelens.ingest.table_headers import (
    NO_NAMES,
    are_names,
    below_title,
    distinct_names,
    in_words,
    likely_delimiter,
    stated_delimiter,
)

_EXACT = 2**53
"""Bound below which floats represent whole numbers exactly."""


@dataclass(frozen=True, slots=True)
class Table:
    """The content of a table: facts if it has date columns, else its rows as text."""

    facts: tuple[Fact, ...]
    text: str
    failures: tuple[Failure, ...]
    rows: tuple[Mark, ...] = ()
    """Row marks: at the index of each fact, or at the offset of each line of the text."""
    lead: str = ""
    """The text above the table."""


def read_table(content: str, where: str, columns: TableColumns, delimiter: str | None = None) -> Table:
    """Read delimited text with a header row, below a title or none.

    Last cells that a row lacks are empty, and a row with an empty end is still valid. A row whose start or
    end is no date, or whose end is before its start, is skipped and becomes a failure. If the first row is
    data, all rows are text.

    Raises:
        BadInputError: the text is no table, there is no header, or a named column does not exist.
    """
    stated, content = stated_delimiter(content)
    delimiter = delimiter or stated or likely_delimiter(content)
    try:
        rows = list(csv.reader(io.StringIO(content), delimiter=delimiter))
    except csv.Error as error:
        raise BadInputError(f"it is not a table: {error}", "check its quotes and delimiters") from error
    lead, numbered = below_title(
        [(at, row) for at, row in enumerate(rows, start=1) if any(map(str.strip, row))]
    )
    if not numbered:
        raise BadInputError(NO_NAMES, "give it a header with distinct names")
    return replace(rows_below_header(numbered, where, columns), lead=lead)


def rows_below_header(numbered: Sequence[Row], where: str, columns: TableColumns) -> Table:
    """Read numbered rows, as :func:`read_rows`, of which the first names the columns.

    If it is data like the others, all are text, with a failure that says so.

    Raises:
        BadInputError: there is no header, or a named column does not exist.
    """
    (_, names), *rows = numbered
    if columns != TableColumns() or are_names(names, [row for _, row in rows]):
        return read_rows(names, rows, where, columns)
    told = ((number, "; ".join(cell.strip() for cell in row if cell.strip())) for number, row in numbered)
    hint = "give it a header; its rows were read as text"
    return replace(text_of_rows(told, ".\n"), failures=(Failure(where, NO_NAMES, hint, partial=True),))


def read_rows(names: Sequence[str], rows: Iterable[Row], where: str, columns: TableColumns) -> Table:
    """Read numbered rows of a table, as :func:`read_table`.

    Raises:
        BadInputError: there is no header, or a named column does not exist.
    """
    numbered = [(number, row) for number, row in rows if any(cell.strip() for cell in row)]
    header, numbered = _without_blank_end(list(map(str.strip, names)), numbered)
    named = {columns.start, columns.end}
    header = distinct_names([name if name in named else in_words(name) for name in header])
    numbered = [(number, [*row, *[""] * (len(header) - len(row))]) for number, row in numbered]
    others = OTHER_DATES.intersection(map(plain_name, header))
    if columns == TableColumns() and others <= {"date"}:
        header, numbered = with_whole_dates(header, numbered)
    if columns == TableColumns():
        header, numbered = with_split_periods(header, numbered)
    columns_of_cells = zip(header, by_column(numbered, len(header)), strict=True)
    full = [with_full_years(name, cells) for name, cells in columns_of_cells]
    start, end = date_columns(header, full, columns)
    if start is None:
        names, dated_rows = with_dated_rows(header, numbered)
        is_dated = columns == TableColumns() and names != header
        return read_rows(names, dated_rows, where, columns) if is_dated else _as_text(header, numbered)
    dated = {start, start if end is None else end}
    numbered = [
        (number, [full[at][place] if at in dated else cell for at, cell in enumerate(row)])
        for place, (number, row) in enumerate(numbered)
    ]
    failures = contradictions(numbered, dated, where)
    numbered = month_first(numbered, dated)
    ends = () if end in {None, start} else [row[end].strip() for _, row in numbered if end < len(row)]
    is_open = open_words(ends)
    facts: list[Fact] = []
    marks: list[Mark] = []
    for number, row in numbered:
        try:
            facts.append(_fact(header, row, start, end, is_open))
        except ValueError as error:
            hint = "correct it; this row was left out"
            failures.append(Failure(f"{where} row {number}", str(error), hint, partial=True))
        else:
            marks.append(Mark(len(marks), f"row {number}"))
    return Table(tuple(facts), "", tuple(failures), tuple(marks))


def _as_text(header: Sequence[str], numbered: Iterable[Row]) -> Table:
    """The rows as lines of text."""

    def told(row: Sequence[str]) -> str:
        cells = zip(header, row, strict=False)
        return "; ".join(f"{name}: {cell}" for name, cell in cells if cell.strip())

    return text_of_rows(((number, told(row)) for number, row in numbered), ".\n")


def text_of_rows(lines: Iterable[tuple[int, str]], between: str) -> Table:
    """Numbered lines as text with a mark for each row; empty lines are left out."""
    filled = [(number, line) for number, line in lines if line]
    marks: list[Mark] = []
    offset = 0
    for number, line in filled:
        marks.append(Mark(offset, f"row {number}"))
        offset += len(line) + len(between)
    return Table((), between.join(line for _, line in filled), (), tuple(marks))


def cell_text(value: object) -> str:
    """The text of a typed cell: dates in ISO 8601, whole numbers without a decimal point, "" for none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes").removesuffix(" 00:00")
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def verbalise(fact: Fact) -> str:
    """A fact as a sentence that a retriever can find."""
    stated = [f"{name} {value}" for name, value in fact.fields if value]
    if fact.named_dates:
        return f"{', '.join([*stated, fact.named_dates])}."
    return f"{', '.join(stated)}: {fact.period}."


def _without_blank_end(header: list[str], rows: list[Row]) -> tuple[list[str], list[Row]]:
    """The table without the unnamed and empty columns at its right end."""
    width = max((at for at, name in enumerate(header, start=1) if name), default=0)
    if width == len(header) or any(
        map(str.strip, (cell for _, row in rows for cell in row[width : len(header)]))
    ):
        return header, rows
    return header[:width], [(number, [*row[:width], *row[len(header) :]]) for number, row in rows]


def _fact(
    header: Sequence[str], row: Sequence[str], start: int, end: int | None, is_open: AbstractSet[str]
) -> Fact:
    """Read one row; ``is_open`` are the words for an end that has not come.

    Raises:
        ValueError: there are too many cells, a date is none, or the end is before the start.
    """
    if len(row) != len(header):
        raise ValueError(f"it has {len(row)} cells, but the header has {len(header)}")
    cells = [cell.strip() for cell in row]
    if end == start and (years := year_across(header[start], cells[start])):
        return Fact(tuple(zip(header, cells, strict=True)), *recorded(years))
    first = parse_dates(cells[start])
    last = first if end == start else ()
    if (
        end is not None
        and end != start
        and not FAR_END.fullmatch(cells[end])
        and cells[end].casefold() not in is_open
    ):
        if cells[end].casefold() in UNKNOWN:
            raise ValueError(f"its {header[end]} is not known: {cells[end]}")
        last = parse_dates(cells[end])
    if not first and not last:
        neither = [header[at] for at in dict.fromkeys((start, end)) if at is not None]
        raise ValueError(
            f"it has no {' and no '.join(neither)}" if len(neither) > 1 else f"its {neither[0]} is empty"
        )
    first_day, last_day, granularity = recorded_ends(first, last)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise ValueError(f"its {header[end or 0]} lies before its {header[start]}")
    fields = tuple(
        (name, value)
        for i, (name, value) in enumerate(zip(header, cells, strict=True))
        if i not in (start, end)
    )
    names = telling_name(header[start]), "" if end in (None, start) else telling_name(header[end])
    return Fact(fields, first_day, last_day, granularity, names)
