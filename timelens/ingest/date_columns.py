"""Finds the columns of a table that date its rows, by their names or by their cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from timelens.errors import BadInputError
from timelens.ingest.table_dates import (
    STILL_VALID,
    UNKNOWN,
    YEAR,
    by_column,
    counts_years,
    is_date,
    month_first,
    only_day_of,
    open_words,
    plain_name,
    year_across,
)
from timelens.lexicon import PAST_VERBS
from timelens.temporal.calendar import Day

_START_NAMES = ("start", "start date", "started", "begin", "beginning", "from", "since", "valid from")
_END_NAMES = tuple("end,end date,ended,finish,to,until,till,through,valid to,valid until".split(","))
_DAY_NAMES = ("date", "day", "on", "decided", "published")
_LASTING = "since"
"""The name of a start that tells a state, which may last; it is no day of its own."""
_UNITS = frozenset(
    "year yr fy month quarter week when calendar fiscal financial school academic tax season".split()
)
"""Words of the names of a column that has the time of each row ("financial year"), if all cells are dates."""
OTHER_DATES = frozenset({*_START_NAMES, *_END_NAMES, *_DAY_NAMES} - {"day"})
"""Names of columns beside which columns of year, month and day are not the time of a row."""
_OF_TIME = re.compile(
    r"\b(?:years?|dates?|days?|from|to|till|since|until|start\w*|end\w*|begin\w*|joined|left)\b",
    re.IGNORECASE,
)
"""Words in a column's name that show that bare numbers in it are years."""
_OF_DEEDS = re.compile(rf"\b(?:[a-z]{{3,}}ed|{'|'.join(PAST_VERBS)})\b", re.IGNORECASE)
"""The same for two columns that are years both: "built" and "demolished"."""
_WORD = re.compile(r"[^\W\d_]+")
_MOSTLY = 0.9
"""Least share of filled cells that are dates in a date column, and of rows that start before they end."""
_OF_BIRTH = re.compile(r"\b(?:born|births?|birthdays?|birthdates?|dob)\b")
"""Words in the name of a column whose dates are not the times of the rows."""


_OF_ANY_DATE = frozenset({*_START_NAMES, *_END_NAMES, "date", "day", "on", "start year", "end year"})
"""Names of date columns that tell nothing more than that."""


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns named by the user; ``None`` means detection."""

    start: str | None = None
    end: str | None = None


def date_columns(
    header: Sequence[str], cells: Sequence[Sequence[str]], columns: TableColumns
) -> tuple[int | None, int | None]:
    """Indexes of the start and the end column, by the cells of each column; twice the same for a single day.

    They are recognised by name, else by content: two columns of dates, in order, or one of dates or years. A
    start without an end is the day of its row. ``None`` twice if no column dates the rows.

    Raises:
        BadInputError: a column that the user named does not exist, or an end has no start beside it.
    """
    names = [plain_name(name) for name in header]
    for named in (columns.start, columns.end):
        if named is not None and named not in header:
            raise BadInputError(f"it has no column {named!r}", f"its columns are {', '.join(header)}")
    start = header.index(columns.start) if columns.start else _position(names, _START_NAMES, cells)
    end = header.index(columns.end) if columns.end else _position(names, _END_NAMES, cells)
    day = start if columns.start else _position(names, _DAY_NAMES, cells)
    if start is not None and end is not None:
        return start, end
    if day is None:
        day = _of_units(names, cells)
    if day is not None and start is end is None:
        return day, day
    rows = list(enumerate(zip(*cells, strict=True)))
    cells = by_column(month_first(rows, frozenset(range(len(header)))), len(header))
    found = _pairs(names, cells)
    pairs = [(one, other) for one, other in found if start in (None, one) and end in (None, other)]
    if len(pairs) == 1:
        return pairs[0]
    if columns.end:
        raise BadInputError(f"it has no start column beside {columns.end!r}", "name one with --start-col")
    if start is end is None:
        only = _only_dates(names, cells)
        return (only, only) if only is not None else _of_deeds(names, cells)
    if day is None and start is not None and names[start] != _LASTING:
        day = start
    return day, day


def telling_name(name: str) -> str:
    """The name of a date column if it tells what happened then ("Planted"); else empty."""
    plain = plain_name(name)
    return "" if plain in _OF_ANY_DATE or _UNITS.issuperset(plain.split()) else name


def _of_units(names: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """The first column that is named after a unit of time and has only dates, or that counts years.

    A column that counts years is the first of the table, or one whose name has such a word.
    """
    for at, (name, of) in enumerate(zip(names, cells, strict=True)):
        if _UNITS.issuperset(name.split()) and _are_dates(name, of):
            return at
        if (at == 0 or _UNITS.intersection(_WORD.findall(name))) and counts_years(of):
            return at
    return None


def _only_dates(names: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """The column that dates nearly all of several rows, if no other column holds dates.

    Bare years count only beside other dates: they may be anything, such as a founding year.
    """
    dated: dict[int, list[str]] = {}
    for at, (name, of) in enumerate(zip(names, cells, strict=True)):
        dates = [cell for cell, day in zip(of, _days(name, of), strict=False) if day is not None]
        if not all(map(YEAR.fullmatch, dates)):
            dated[at] = dates
    if len(dated) != 1:
        return None
    ((at, dates),) = dated.items()
    in_full = sum(YEAR.fullmatch(cell) is None for cell in dates)
    is_enough = in_full >= 2 and len(dates) >= _MOSTLY * len(cells[at])
    return at if is_enough and not _OF_BIRTH.search(names[at]) else None


def _pairs(
    names: Sequence[str], cells: Sequence[Sequence[str]], of_years: re.Pattern[str] = _OF_TIME
) -> Iterator[tuple[int, int]]:
    """Pairs of date columns, each given by its cells, in which the first is the start of the second.

    Bare years are dates in columns whose names match ``of_years``. Dates of birth are left out.
    """
    dated = {
        index: _days(name, cells[index], of_years)
        for index, name in enumerate(names)
        if not _OF_BIRTH.search(name)
    }
    for one, other in permutations([index for index, days in dated.items() if days], 2):
        both = [
            (a, b) for a, b in zip(dated[one], dated[other], strict=True) if a is not None and b is not None
        ]
        in_order = sum(a <= b for a, b in both)
        if in_order >= _MOSTLY * len(both) > 0 and sum(a < b for a, b in both) > 0:
            yield one, other


def _days(name: str, cells: Sequence[str], of_years: re.Pattern[str] = _OF_TIME) -> list[Day | None]:
    """The first day of each date in a column; empty unless nearly all filled cells are single dates."""
    found = [only_day_of(cell) for cell in cells]
    is_open = open_words(cell for cell, day in zip(cells, found, strict=True) if day is None)
    filled = [cell for cell in cells if cell.casefold() not in is_open | UNKNOWN]
    bare = all(map(YEAR.fullmatch, filled))
    enough = sum(day is not None for day in found) >= max(_MOSTLY * len(filled), 1)
    return found if enough and (not bare or of_years.search(name)) else []


def _of_deeds(names: Sequence[str], cells: Sequence[Sequence[str]]) -> tuple[int | None, int | None]:
    """The first two columns of years, in order, that are named after deeds: "built" and "demolished"."""
    filled = [[cell for cell in of if cell.casefold() not in STILL_VALID] for of in cells]
    years = [of if all(map(YEAR.fullmatch, some)) else () for of, some in zip(cells, filled, strict=True)]
    return next(_pairs(names, years, _OF_DEEDS), (None, None))


def _position(names: Sequence[str], wanted: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """The first column with a wanted name that may hold dates, unlike the places of "from" and "to"."""
    for index in (names.index(name) for name in wanted if name in names):
        filled = [cell for cell in cells[index] if cell.casefold() not in STILL_VALID]
        if not filled or any(map(is_date, filled)):
            return index
    return None


def _are_dates(name: str, cells: Sequence[str]) -> bool:
    return bool(cells) and all(is_date(cell) or year_across(name, cell) for cell in cells)
