"""Tables with a column for each date ("Item | 2019 | 2020", "Item | from 1 May 2019 | from 1 June 2020").

They have a row for each value in place of these columns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from timelens.ingest.table_dates import FEW_YEARS, LONGEST_YEAR, YEAR, Row, day_of, year_across
from timelens.temporal.calendar import Day

_FEWEST = 2
"""Minimum number of columns that are dates."""
_VALUE = "Value"
"""The name of the column of values."""
_FROM, _TO = "From", "To"
_TIMED = re.compile(
    r"(?:(?:valid |effective |in force )?"
    r"(?:(?P<since>from|since|as of|as from)|(?P<until>until|till|up to)) )?(?P<stated>.+)",
    re.IGNORECASE,
)
"""The name of a column: a date, with or without a word for what holds from it, or until it."""
_DATE, _YEAR = "Date", "Year"
"""The name of the column of dates; that of school years and the like, which are no other dates."""


@dataclass(frozen=True, slots=True)
class _Dated:
    """A column that is named after a date."""

    at: int
    day: Day
    stated: str
    """The date in the name."""
    side: str
    """Which side of the date it is about: "since", "until", or empty for the date itself."""


def with_dated_rows(header: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """The table with one row for each filled cell below a date, and the other columns repeated in each.

    The names of at least two columns are dates in order, with "from" or "until" before each or before none,
    and a column before them tells what each row is about; any other table is returned unchanged. What holds
    from a date holds until the next one.
    """
    dated = [found for at, name in enumerate(header) if (found := _dated(at, name)) is not None]
    are_sides = any(one.side for one in dated)
    dated = [one for one in dated if bool(one.side) == are_sides]
    labels = [at for at in range(len(header)) if at not in {one.at for one in dated}]
    if len(dated) < _FEWEST or not labels or labels[0] > dated[0].at or not _are_in_order(dated):
        return list(header), list(rows)
    if are_sides:
        names, times = [_FROM, _TO], [_period(one, dated) for one in dated]
    else:
        names, times = (
            [_DATE if all(day_of(one.stated) for one in dated) else _YEAR],
            [[one.stated] for one in dated],
        )
    made: list[Row] = [
        (number, [*(row[label] if label < len(row) else "" for label in labels), row[one.at].strip(), *time])
        for number, row in rows
        for one, time in zip(dated, times, strict=True)
        if one.at < len(row) and any(map(str.isalnum, row[one.at]))  # a dash stands for nothing
    ]
    return [*(header[label] for label in labels), _VALUE, *names], made


def _dated(at: int, name: str) -> _Dated | None:
    """The date in the name of a column; ``None`` for any other name."""
    found = _TIMED.fullmatch(name.strip())
    if found is None:
        return None
    across = year_across(_YEAR, found["stated"])
    day = day_of(found["stated"]) if across is None else across.start
    side = "since" if found["since"] else "until" if found["until"] else ""
    return None if day is None else _Dated(at, day, found["stated"], side)


def _period(column: _Dated, dated: Sequence[_Dated]) -> list[str]:
    """The start and the end of what stands in a column."""
    if column.side == "until":
        return ["", column.stated]
    later = [one for one in dated if one.side == "since" and one.day > column.day]
    return [column.stated, min(later, key=lambda one: one.day).stated if later else ""]


def _are_in_order(dated: Sequence[_Dated]) -> bool:
    """Whether dates go forwards or backwards; bare years are near each other, other numbers seldom are."""
    steps = [later.day - one.day for one, later in pairwise(dated)]
    are_bare = all(YEAR.fullmatch(one.stated) for one in dated)
    most = FEW_YEARS * LONGEST_YEAR if are_bare else max(map(abs, steps), default=0)
    return all(0 < step <= most for step in steps) or all(0 < -step <= most for step in steps)
