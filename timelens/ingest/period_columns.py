"""Columns of periods: "2001–2005", "3–28 March 2014", "since May 2019"."""

import re
from collections.abc import Sequence

from timelens.ingest.date_columns import OTHER_DATES
from timelens.ingest.table_dates import (
    MOSTLY,
    Row,
    by_column,
    only_day_of,
    orders,
    plain_name,
    year_across,
)
from timelens.temporal.calendar import civil, format_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Granularity, Interval

_FIRST_YEAR, _LAST_YEAR = 1500, 2100
"""The years between which bare years are taken for a period."""
_FIGURES = {Granularity.YEAR: len("2001"), Granularity.MONTH: len("2001-01")}
"""Characters of an ISO date that state a unit."""
_UP_TO_NOW = re.compile(
    r"\s*(?:[-–—]|to|until|till)\s*(?:now|present|today|date|current|ongoing)?\s*$", re.IGNORECASE
)
"""The end of a period that has none: "2019 –", "2019 to date"."""
_IN_FIGURES = re.compile(
    r"(?<!\d)(?<!\d{4}-\d\d-)(?P<first>\d{1,2})(?P<mark>[/-])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<year>\d{4}|\d\d)(?!\d)"
)
"""A date in figures within a period: "01/04/2014 – 15/06/2014"."""


def with_split_periods(header: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """The table with two columns of dates for the one of periods: "2001–2005", "since May 2019".

    If the name of a column says that it has the times of the rows, no other column is looked at.
    """
    named = [at for at, name in enumerate(header) if plain_name(name) in OTHER_DATES]
    columns = by_column(rows, len(header)) if len(named) <= 1 else []
    split = {
        at: _split(cells)
        for at, (name, cells) in enumerate(zip(header, columns, strict=False))
        if named in ([], [at]) and not _are_years(name, cells)
    }
    periods = [(at, ends) for at, ends in split.items() if ends]
    if len(periods) != 1:
        return list(header), list(rows)
    ((at, ends),) = periods
    whole: list[Row] = [
        (number, [*row[:at], *pair, *row[at + 1 :]]) for (number, row), pair in zip(rows, ends, strict=True)
    ]
    return [*header[:at], "From", "To", *header[at + 1 :]], whole


def is_time(cell: str) -> bool:
    """Whether a cell is a date with a year, or a period, in figures."""
    return any(map(str.isdigit, cell)) and _ends_of(cell) is not None


def _are_years(name: str, cells: Sequence[str]) -> bool:
    """Whether a column has years that end in the calendar year after ("2015/16" under "School year")."""
    filled = list(filter(None, cells))
    return bool(filled) and all(year_across(name, cell) for cell in filled)


def _split(cells: Sequence[str]) -> list[tuple[str, str]]:
    """The ends of each cell of a column of periods, one that is none with itself; empty for other columns."""
    filled = sum(map(bool, cells))
    allowed = filled - max(MOSTLY * filled, 2)
    found: list[tuple[str, str] | None] = []
    for cell in cells:
        found.append(_ends_of(cell))
        if found[-1] is None and cell:
            allowed -= 1
        if allowed < 0:  # soon true of most columns, so few of their cells are read
            return []
    if all(ends is None or ends[0] == ends[1] for ends in found):
        return []
    turned = _month_first(cells)
    if turned != list(cells):
        found = [_ends_of(cell) for cell in turned]
    return [ends or (cell, "") for ends, cell in zip(found, turned, strict=True)]


def _month_first(cells: Sequence[str]) -> list[str]:
    """The cells with the month before the day in all dates in figures, if some show that the day is first."""
    dates: list[Row] = [(0, [date[0]]) for cell in cells for date in _IN_FIGURES.finditer(cell)]
    day_first, month_first = orders(dates, frozenset({0}))
    if not day_first or month_first:
        return list(cells)
    return [_IN_FIGURES.sub(r"\g<second>\g<mark>\g<first>\g<mark>\g<year>", cell) for cell in cells]


def _ends_of(cell: str) -> tuple[str, str] | None:
    """The first and the last date of a period, each empty if it is open; ``None`` for any other cell.

    A single date is both.
    """
    is_open = _UP_TO_NOW.search(cell) is not None
    if not is_open and only_day_of(cell) is not None:
        return cell, cell
    text = f"since {_UP_TO_NOW.sub('', cell)}" if is_open else cell
    found = find_expressions(text)
    if len(found) != 1 or not (time := found[0]).dates or time.text != text:
        return None
    first, last = _first_day(time.dates[0]), _last_day(time.dates[-1])
    if not first or not last:
        return None
    if time.open is None and len(time.dates) == 1:
        return cell, cell
    return ("" if time.open == "start" else first), ("" if time.open == "end" else last)


def _first_day(date: Interval) -> str:
    """The year, the month or the first day of a date as a cell has it; empty in unlikely years."""
    return "" if date.start is None else _written(date.start, date.granularity)


def _last_day(date: Interval) -> str:
    """The year, the month or the last day of a date likewise."""
    return "" if date.end is None else _written(date.end - 1, date.granularity)


def _written(day: int, unit: Granularity) -> str:
    """A day, or its month or year, as a cell has it; empty in years that a table is not likely to have."""
    if not _FIRST_YEAR <= civil(day)[0] <= _LAST_YEAR:
        return ""
    return format_day(day)[: _FIGURES.get(unit, len("2001-01-01"))]
