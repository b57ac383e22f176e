"""Dates of tables that their cells state only together with the name of a column, or with other cells."""

import re
from collections.abc import Sequence

from timelens.ingest.metadata_dates import parse_date
from timelens.temporal.calendar import civil, day_number
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.whole_date import whole_date

Row = tuple[int, Sequence[str]]

_PARTS = ("year", "month", "day")
_MOSTLY = 0.9
"""Least share of rows whose cells are one date together."""
_YEAR = re.compile(r"\d{4}")
_NUMBER = re.compile(r"\d{1,2}")
_MONTH_OF_YEAR = re.compile(r"([^\W\d_]{3,9})[.,]?[\s/'’-]+(\d\d)")
"""A month as Excel shows it: "Jan-01" is January 2001."""
_TWO_YEARS = re.compile(r"(\d{4})\s?[/–-]\s?(\d{4}|\d\d)")


def plain_name(name: str) -> str:
    """The name of a column in small letters, with spaces between its words."""
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()


def with_whole_dates(header: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """The table with one column for those of year, month and day, and with the months written out."""
    months = [at for at, name in enumerate(header) if "month" in plain_name(name).split()]
    for month in months:
        cells = [row[month].strip() for _, row in rows if month < len(row)]
        if all(map(_MONTH_OF_YEAR.fullmatch, filter(None, cells))):
            rows = [
                (number, [_written_out(cell) if at == month else cell for at, cell in enumerate(row)])
                for number, row in rows
            ]
    places = [at for part in _PARTS for at, name in enumerate(header) if plain_name(name) == part]
    if [plain_name(header[at]) for at in places] not in (list(_PARTS), list(_PARTS[:2])):
        return list(header), list(rows)
    joined = [_joined([row[at].strip() for at in places if at < len(row)]) for _, row in rows]
    if not joined or sum(date is not None for date in joined) < _MOSTLY * len(joined):
        return list(header), list(rows)

    def replaced(cells: Sequence[str], date: str | None) -> list[str]:
        told = " ".join(cells[at] for at in places if at < len(cells)) if date is None else date
        return [told if at == places[0] else cell for at, cell in enumerate(cells) if at not in places[1:]]

    whole = [(number, replaced(row, date)) for (number, row), date in zip(rows, joined, strict=True)]
    return replaced(header, "Date"), whole


def _joined(parts: Sequence[str]) -> str | None:
    """The date of cells with a year, a month and maybe a day; ``None`` if they are none."""
    if not parts or not _YEAR.fullmatch(parts[0]):
        return None
    year, *rest = parts
    filled = [part for part in rest if part]
    if rest[: len(filled)] != filled:
        return None
    numbers = [int(part) if _NUMBER.fullmatch(part) else None for part in filled]
    if None not in numbers:
        text = "-".join([year, *(f"{number:02}" for number in numbers)])
    else:
        text = " ".join([*reversed(filled), year])
    return text if _is_date(text) else None


def _is_date(text: str) -> bool:
    try:
        return parse_date(text) is not None
    except ValueError:
        return False


def _written_out(cell: str) -> str:
    stated = _MONTH_OF_YEAR.fullmatch(cell.strip())
    year = parse_date(f"1/1/{stated[2]}") if stated else None
    return f"{stated[1]} {civil(year.start)[0]}" if stated and year and year.start is not None else cell


def year_across(name: str, cell: str) -> Interval | None:
    """The days of a year that ends in the calendar year after: "2015/16" under "School year".

    They are those of the same words in a text. ``None`` for any other cell.
    """
    years = _TWO_YEARS.fullmatch(cell)
    if years is None or int(years[2]) != (int(years[1]) + 1) % 10 ** len(years[2]):
        return None
    stated = whole_date(f"{plain_name(name)} {cell}")
    return stated if stated is not None and stated.granularity is Granularity.YEAR else None


def recorded(years: Interval) -> tuple[int, int, Granularity]:
    """(start, end, granularity) of such a year as a table records them, with its last day or year."""
    start, end = years.bounds
    first, last = int(start), int(end) - 1
    if first == day_number(civil(first)[0]):
        return first, day_number(civil(last)[0]), Granularity.YEAR
    return first, last, Granularity.DAY
