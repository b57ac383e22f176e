"""Tables with a column for each date ("Item | 2019 | 2020 | 2021"): a row for each value in place of them."""

from collections.abc import Sequence
from itertools import pairwise

from timelens.ingest.table_dates import FEW_YEARS, LONGEST_YEAR, YEAR, Row, day_of, year_across
from timelens.temporal.calendar import Day

_FEWEST = 2
"""Minimum number of columns that are dates."""
_VALUE = "Value"
"""The name of the column of values."""
_DATE, _YEAR = "Date", "Year"
"""The name of the column of dates; that of school years and the like, which are no other dates."""


def with_dated_rows(header: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """The table with one row for each filled cell below a date, and the other columns repeated in each.

    The names of at least two columns are dates in order, and a column before them tells what each row is
    about; any other table is returned unchanged.
    """
    dated = [at for at, name in enumerate(header) if _day(name) is not None]
    labels = [at for at in range(len(header)) if at not in dated]
    days = [header[at] for at in dated]
    if len(dated) < _FEWEST or not labels or labels[0] > dated[0] or not _are_in_order(days):
        return list(header), list(rows)
    made: list[Row] = [
        (number, [*(row[label] if label < len(row) else "" for label in labels), row[at].strip(), day])
        for number, row in rows
        for at, day in zip(dated, days, strict=True)
        if at < len(row) and any(map(str.isalnum, row[at]))  # a dash stands for nothing
    ]
    name = _DATE if all(map(day_of, days)) else _YEAR
    return [*(header[label] for label in labels), _VALUE, name], made


def _day(name: str) -> Day | None:
    """The first day of a date; ``None`` for any other name."""
    across = year_across(_YEAR, name)
    return day_of(name) if across is None else across.start


def _are_in_order(names: Sequence[str]) -> bool:
    """Whether dates go forwards or backwards; bare years are near each other, other numbers seldom are."""
    days = [day for name in names if (day := _day(name)) is not None]
    steps = [later - day for day, later in pairwise(days)]
    are_bare = all(map(YEAR.fullmatch, names))
    most = FEW_YEARS * LONGEST_YEAR if are_bare else max(map(abs, steps), default=0)
    return all(0 < step <= most for step in steps) or all(0 < -step <= most for step in steps)
