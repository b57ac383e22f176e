"""Tables as temporal databases (TDBench): each row is a fact with an interval of validity."""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import permutations

from timelens.documents import Fact, Mark
from timelens.errors import BadInputError
from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import parse_date
from timelens.ingest.table_dates import (
    FAR_END,
    STILL_VALID,
    UNKNOWN,
    YEAR,
    Row,
    contradictions,
    day_of,
    is_date,
    month_first,
    open_words,
    plain_name,
    recorded,
    with_whole_dates,
    year_across,
)
from timelens.ingest.table_headers import (
    NO_NAMES,
    are_names,
    below_title,
    distinct_names,
    likely_delimiter,
    stated_delimiter,
)
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity

_START_NAMES = ("start", "start date", "started", "begin", "beginning", "from", "since", "valid from")
_END_NAMES = ("end", "end date", "ended", "finish", "to", "until", "through", "valid to", "valid until")
_DAY_NAMES = ("date", "day", "on", "decided", "published")
_UNITS = frozenset(
    "year month quarter week when calendar fiscal financial school academic tax season".split()
)
"""Words of the names of a column that has the time of each row ("financial year"), if all cells are dates."""
_OTHER_DATES = frozenset({*_START_NAMES, *_END_NAMES, *_DAY_NAMES} - {"day"})
"""Names of columns beside which columns of year, month and day are not the time of a row."""
_OF_TIME = re.compile(
    r"\b(?:years?|dates?|days?|from|to|till|since|until|start\w*|end\w*|begin\w*|joined|left)\b",
    re.IGNORECASE,
)
"""Words in a column's name that show that bare numbers in it are years."""
_MOSTLY = 0.9
"""Least share of filled cells that are dates in a date column, and of rows that start before they end."""
_EXACT = 2**53
"""Bound below which floats represent whole numbers exactly."""
_OF_BIRTH = re.compile(r"\b(?:born|births?|birthdays?|birthdates?|dob)\b")
"""Words in the name of a column whose dates are not the times of the rows."""


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns named by the user; ``None`` means detection."""

    start: str | None = None
    end: str | None = None


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

    A row with an empty end is still valid. A row whose start or end is no date, or whose end is before its
    start, is skipped and becomes a failure. If the first row is data, all rows are text.

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
    header = distinct_names(header)
    if columns == TableColumns() and not _OTHER_DATES.intersection(map(plain_name, header)):
        header, numbered = with_whole_dates(header, numbered)
    start, end = _date_columns(header, [row for _, row in numbered], columns)
    if start is None:
        return _as_text(header, numbered)
    dated = {start, start if end is None else end}
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
    stated = ", ".join(f"{name} {value}" for name, value in fact.fields if value)
    return f"{stated}: {fact.period}."


def _without_blank_end(header: list[str], rows: list[Row]) -> tuple[list[str], list[Row]]:
    """The table without the unnamed and empty columns at its right end."""
    width = max((at for at, name in enumerate(header, start=1) if name), default=0)
    if width == len(header) or any(
        map(str.strip, (cell for _, row in rows for cell in row[width : len(header)]))
    ):
        return header, rows
    return header[:width], [(number, [*row[:width], *row[len(header) :]]) for number, row in rows]


def _date_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: TableColumns
) -> tuple[int | None, int | None]:
    """Indexes of the start and the end column; the same index twice if a row has a single day.

    They are recognised by name, else by content: two columns of dates, in order.
    """
    names = [plain_name(name) for name in header]
    for named in (columns.start, columns.end):
        if named is not None and named not in header:
            raise BadInputError(f"it has no column {named!r}", f"its columns are {', '.join(header)}")
    cells = _by_column(rows, len(header))
    start = header.index(columns.start) if columns.start else _position(names, _START_NAMES, cells)
    end = header.index(columns.end) if columns.end else _position(names, _END_NAMES, cells)
    day = start if columns.start else _position(names, _DAY_NAMES, cells)
    if day is None:
        day = next(
            (
                at
                for at, name in enumerate(names)
                if _UNITS.issuperset(name.split()) and _are_dates(name, cells[at])
            ),
            None,
        )
    if start is not None and end is not None:
        return start, end
    if day is None or start is not None or end is not None:
        turned = month_first(list(enumerate(rows)), frozenset(range(len(header))))
        cells = _by_column([row for _, row in turned], len(header))
        pairs = [
            (one, other)
            for one, other in _pairs(names, cells)
            if start in (None, one) and end in (None, other)
        ]
        if len(pairs) == 1:
            return pairs[0]
        if day is start is end is None:
            day = _only_dates(names, cells)
    if columns.end:
        raise BadInputError(f"it has no start column beside {columns.end!r}", "name one with --start-col")
    return day, day


def _only_dates(names: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """The column that dates nearly all of several rows, if no other column holds dates.

    Bare years do not count: they may be anything, such as a founding year.
    """
    dated = {
        at: [cell for cell in of if not YEAR.fullmatch(cell) and day_of(cell) is not None]
        for at, of in enumerate(cells)
        if _days(names[at], of)
    }
    at, dates = next(((at, dates) for at, dates in dated.items() if dates), (0, []))
    is_enough = len(dates) >= max(_MOSTLY * len(cells[at]), 2)
    return (
        at if is_enough and sum(map(bool, dated.values())) == 1 and not _OF_BIRTH.search(names[at]) else None
    )


def _by_column(rows: Sequence[Sequence[str]], columns: int) -> list[list[str]]:
    """The cells of each column; empty where a row is too short."""
    return [[row[index].strip() if index < len(row) else "" for row in rows] for index in range(columns)]


def _pairs(names: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of date columns, each given by its cells, in which the first is the start of the second."""
    dated = {index: _days(name, cells[index]) for index, name in enumerate(names)}
    for one, other in permutations([index for index, days in dated.items() if days], 2):
        both = [
            (a, b) for a, b in zip(dated[one], dated[other], strict=True) if a is not None and b is not None
        ]
        in_order = sum(a <= b for a, b in both)
        if in_order >= _MOSTLY * len(both) > 0 and sum(a < b for a, b in both) > 0:
            yield one, other


def _days(name: str, cells: Sequence[str]) -> list[Day | None]:
    """The first day of each date in a column; empty unless nearly all filled cells are dates."""
    found = [day_of(cell) for cell in cells]
    is_open = open_words(cell for cell, day in zip(cells, found, strict=True) if day is None)
    filled = [cell for cell in cells if cell.casefold() not in is_open | UNKNOWN]
    bare = all(map(YEAR.fullmatch, filled))
    enough = sum(day is not None for day in found) >= max(_MOSTLY * len(filled), 1)
    return found if enough and (not bare or _OF_TIME.search(name)) else []


def _position(names: Sequence[str], wanted: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """The first column with a wanted name that may hold dates, unlike the places of "from" and "to"."""
    for index in (names.index(name) for name in wanted if name in names):
        filled = [cell for cell in cells[index] if cell.casefold() not in STILL_VALID]
        if not filled or any(map(is_date, filled)):
            return index
    return None


def _are_dates(name: str, cells: Sequence[str]) -> bool:
    return bool(cells) and all(is_date(cell) or year_across(name, cell) for cell in cells)


def _fact(
    header: Sequence[str], row: Sequence[str], start: int, end: int | None, is_open: AbstractSet[str]
) -> Fact:
    """Read one row; ``is_open`` are the words for an end that has not come.

    Raises:
        ValueError: a cell is missing or is no date, or the end is before the start.
    """
    if len(row) != len(header):
        raise ValueError(f"it has {len(row)} cells, but the header has {len(header)}")
    cells = [cell.strip() for cell in row]
    if end == start and (years := year_across(header[start], cells[start])):
        return Fact(tuple(zip(header, cells, strict=True)), *recorded(years))
    first = parse_date(cells[start])
    last = first if end == start else None
    if (
        end is not None
        and end != start
        and not FAR_END.fullmatch(cells[end])
        and cells[end].casefold() not in is_open
    ):
        if cells[end].casefold() in UNKNOWN:
            raise ValueError(f"its {header[end]} is not known: {cells[end]}")
        last = parse_date(cells[end])
    if first is None and last is None:
        neither = [header[at] for at in dict.fromkeys((start, end)) if at is not None]
        raise ValueError(
            f"it has no {' and no '.join(neither)}" if len(neither) > 1 else f"its {neither[0]} is empty"
        )
    first_day, last_day = (first.start if first else None), (last.start if last else None)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise ValueError(f"its {header[end or 0]} lies before its {header[start]}")
    fields = tuple(
        (name, value)
        for i, (name, value) in enumerate(zip(header, cells, strict=True))
        if i not in (start, end)
    )
    stated = [date.granularity for date in (first, last) if date is not None]
    granularity = min(stated, key=lambda unit: unit.days, default=Granularity.DAY)
    return Fact(fields, first_day, last_day, granularity)
