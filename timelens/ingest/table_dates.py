"""Dates in the cells of tables, with what names of columns and other cells tell of them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise

from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import parse_date, parse_dates
from timelens.temporal.calendar import Day, civil, day_number
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.vocabulary import completed_year
from timelens.temporal.whole_date import whole_date

Row = tuple[int, Sequence[str]]
"""The number of a row, from 1, and its cells."""
YEAR = re.compile(r"1\d{3}|20\d\d|21\d\d")
"""Figures that may be a year."""

_PARTS_OF_DATES = (("year", "month", "day"), ("year", "month"), ("year", "date"), ("year", "day"))
"""Names of the columns that are one date together, the year first."""
MOSTLY = 0.9
"""Least share of cells that are dates in a column of dates, or in the columns of one date together."""
_SERIES = 3
"""Least number of dates whose order tells something."""
LONGEST_YEAR = 366
FEW_YEARS = 10
"""Most years between rows that follow each other in a table of years."""
_FOUR_FIGURES = re.compile(r"\d{4}")
_NUMBER = re.compile(r"\d{1,2}")
_SHORT_YEAR = re.compile(
    r"(?P<day>\d{1,2}(?P<mark>[./-])\d{1,2}(?P=mark)|\d{1,2}(?:st|nd|rd|th)?[.,]?[\s/-]*(?=[^\W\d_]))?"
    r"(?:(?<=[\d.,\s/-])(?<!\d)|(?P<month>[^\W\d_]{3,9})[.,]?[\s/'’-]+)(?P<year>\d\d)"
)
"""A date with a year of two figures: "07.01.19", "9-Feb-23", or a month as Excel shows it, "Jan-01"."""
_HAS_A_YEAR = re.compile(rf"(?<!\d)(?:{YEAR.pattern})(?!\d)|\d[./]\d{{1,2}}[./]\d\d$")
_MONTHS = 12
STILL_VALID = frozenset(
    {"", "present", "now", "current", "today", "ongoing", "to date", "open", "-", "–", "—", "null", "none"}
)
UNKNOWN = frozenset(
    {"unknown", "not known", "n/a", "n.a.", "n. a.", "?", "??", "???", "tbc", "tbd", "tba", "to be confirmed"}
)
"""What stands for an end that is not known."""
_STILL = re.compile(r"(?<!not )(?<!no longer )\b(?:still|present|current(?:ly)?|now|ongoing|to date)\b")
FAR_END = re.compile(r"(?:31[./-]12[./-]|12/31/)?(?:2999|9999)(?:-12-31)?(?:[T ][\d:.]+)?")
"""A day that databases store for an end that has not come."""
_IN_FIGURES = re.compile(r"^(?P<first>\d{1,2})(?P<mark>[/-])(?P<second>\d{1,2})(?=(?P=mark)(?:\d{4}|\d{2})$)")
"""The day and the month of a date in figures: "01/04/2009". With points, the day is always first."""
_TWO_YEARS = re.compile(r"(\d{4})\s?[/–-]\s?(\d{4}|\d\d)")


def plain_name(name: str) -> str:
    """The name of a column in small letters, with spaces between its words."""
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()


def with_whole_dates(header: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """The table with one column for those of year, month and day, or of year and date ("14 April")."""
    names = list(map(plain_name, header))
    for parts in _PARTS_OF_DATES:
        places = [names.index(part) for part in parts if part in names]
        is_other = "date" in names and "date" not in parts
        if is_other or len(places) < len(parts) or any(names.count(part) > 1 for part in parts):
            continue
        joined = _joined_in_order([[row[at].strip() for at in places if at < len(row)] for _, row in rows])
        if joined and sum(date is not None for date in joined) >= MOSTLY * len(joined):
            return _with_one_date(header, rows, places, joined)
    return list(header), list(rows)


def _with_one_date(
    header: Sequence[str], rows: Sequence[Row], places: Sequence[int], joined: Sequence[str | None]
) -> tuple[list[str], list[Row]]:
    """The table with the joined dates in place of their parts, which stay together where they are no date."""

    def replaced(cells: Sequence[str], date: str | None) -> list[str]:
        told = " ".join(cells[at] for at in places if at < len(cells)) if date is None else date
        first, *others = sorted(places)
        return [told if at == first else cell for at, cell in enumerate(cells) if at not in others]

    whole: list[Row] = [
        (number, replaced(row, date)) for (number, row), date in zip(rows, joined, strict=True)
    ]
    return replaced(header, "Date"), whole


def _joined_in_order(dates: Sequence[Sequence[str]]) -> list[str | None]:
    """The date of each row; a row without a year, but with the rest, has that of the row above it."""
    joined = []
    above = ""
    for parts in dates:
        year, *rest = parts or [""]
        above = year or (above if any(rest) else "")
        joined.append(_joined([above, *rest]))
    return joined


def _joined(parts: Sequence[str]) -> str | None:
    """The date of cells with a year, a month and maybe a day; ``None`` if they are none."""
    if not parts or not _FOUR_FIGURES.fullmatch(parts[0]):
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
    return text if is_date(text) else None


def by_column(rows: Sequence[Row], columns: int) -> list[list[str]]:
    """The cells of each column; empty where a row is too short."""
    return [[row[index].strip() if index < len(row) else "" for _, row in rows] for index in range(columns)]


def with_full_years(name: str, cells: Sequence[str]) -> list[str]:
    """The cells of a column, in which years of two figures are written out if all are such dates.

    "Jan 21" is a month of 2021 if the column is of months, or if the years come in order.
    """
    stated = [_SHORT_YEAR.fullmatch(cell.strip()) for cell in cells]
    found = [date for date in stated if date is not None]
    written = [_in_full(date) if date else cell for date, cell in zip(stated, cells, strict=True)]
    filled = [cell for cell in written if cell.strip().casefold() not in STILL_VALID]
    if not found or not all(map(is_day, filled)):
        return list(cells)
    if not any(date["day"] for date in found) and "month" not in plain_name(name).split():
        days = [day for cell in written if (day := day_of(cell)) is not None]
        if len(days) < _SERIES or days not in (sorted(days), sorted(days, reverse=True)):
            return list(cells)
    return written


def _in_full(date: re.Match[str]) -> str:
    year = completed_year(date["year"])
    return f"{date['month']} {year}" if not date["day"] else f"{date[0][: -len(date['year'])]}{year}"


def counts_years(cells: Sequence[str]) -> bool:
    """Whether a column counts the years of its rows: all filled, in order, and no two far from each other."""
    if not cells or not all(map(YEAR.fullmatch, cells)):
        return False
    years = list(map(int, cells))
    ordered = sorted(years)
    return (
        len(set(years)) >= _SERIES
        and years in (ordered, ordered[::-1])
        and all(later - year <= FEW_YEARS for year, later in pairwise(ordered))
    )


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


def recorded_ends(
    first: Sequence[Interval], last: Sequence[Interval]
) -> tuple[Day | None, Day | None, Granularity]:
    """(start, end, granularity) of a row with these dates at its start and its end, none if it is open.

    The granularity is the finer one of the two. Of a coarser end the last day or month is recorded, of a
    coarser start the first, so that all of a stated year belongs to the row.

    Raises:
        ValueError: a date is an era, which has no fixed extent.
    """
    stated = list(map(_unit, (*first[:1], *last[-1:])))
    unit = min(stated, key=lambda each: each.days, default=Granularity.DAY)
    start, end = first[0].start if first else None, None
    if last:
        begin, after = map(int, last[-1].bounds)
        end = max(begin, int(granule(after - 1, unit).bounds[0]))
    return start, end, unit


def _unit(date: Interval) -> Granularity:
    """The unit in which a date is stated; a day if it is not within one, as a fiscal year or a weekend is."""
    start, end = map(int, date.bounds)
    return date.granularity if end <= granule(start, date.granularity).bounds[1] else Granularity.DAY


def month_first(rows: Sequence[Row], dated: AbstractSet[int]) -> list[Row]:
    """The rows with the month before the day in the columns ``dated``, if a date shows that the day is first.

    "31/03/2009" shows it for all dates of the table; if others show the opposite, the rows stay as they are.
    """
    day_first, month_first = orders(rows, dated)
    if not day_first or month_first:
        return list(rows)

    def turned(cell: str) -> str:
        return _IN_FIGURES.sub(r"\g<second>\g<mark>\g<first>", cell.strip())

    return [(number, [turned(c) if at in dated else c for at, c in enumerate(row)]) for number, row in rows]


def orders(rows: Sequence[Row], dated: AbstractSet[int]) -> tuple[str, str]:
    """(a date that shows that the day is first, one that shows that the month is); empty if there is none.

    If no date shows either, those do of which most are the first of different months, or that come in order
    only if the day is first.
    """
    columns = [
        [
            date
            for _, row in rows
            if at < len(row) and (date := _IN_FIGURES.match(row[at].strip())) is not None
        ]
        for at in sorted(dated)
    ]
    day_first, month_first = (
        next((date.string for dates in columns for date in dates if int(date[part]) > _MONTHS), "")
        for part in ("first", "second")
    )
    if not day_first and not month_first:
        day_first = next(filter(None, map(_first_of_order, columns)), "")
    return day_first, month_first


def _first_of_order(dates: Sequence[re.Match[str]]) -> str:
    """The first of the dates of a column if together they show that the day is first; else empty."""
    if len(dates) < _SERIES:
        return ""
    firsts, seconds = (Counter(int(date[part]) for date in dates) for part in ("first", "second"))
    by_day, by_month = (
        [(date.string[date.end() :], int(date[one]), int(date[other])) for date in dates]
        for one, other in (("second", "first"), ("first", "second"))
    )
    is_day_first = _is_in_order(by_day) and not _is_in_order(by_month)
    are_firsts = 2 * firsts[1] >= len(dates) and firsts[1] > seconds[1] and len(seconds) > 1
    return dates[0].string if is_day_first or are_firsts else ""


def _is_in_order(times: Sequence[tuple[str, int, int]]) -> bool:
    """Whether times do not fall, or do not rise."""
    return list(times) in (sorted(times), sorted(times, reverse=True))


def contradictions(rows: Sequence[Row], dated: AbstractSet[int], where: str) -> list[Failure]:
    """The failure for dates in figures that show both orders of day and month."""
    day_first, month_first = orders(rows, dated)
    if not day_first or not month_first:
        return []
    error = f"its dates are not all in one order: the day is first in {day_first}, the month in {month_first}"
    hint = "write them alike; where either can be first, the month was taken to be"
    return [Failure(where, error, hint, partial=True)]


def is_day(cell: str) -> bool:
    """Whether a cell is a date with a year."""
    return day_of(cell) is not None


def day_of(cell: str) -> Day | None:
    """The first day of a date with a year; ``None`` for any other cell."""
    try:
        date = parse_date(cell) if _HAS_A_YEAR.search(cell) else None
    except ValueError:
        return None
    return date.start if date is not None and date.bounds[1] - date.bounds[0] <= LONGEST_YEAR else None


def only_day_of(cell: str) -> Day | None:
    """The first day of a single date with a year; ``None`` for any other cell, such as a range."""
    day = day_of(cell)
    return day if day is not None and len(parse_dates(cell)) == 1 else None


def is_date(cell: str) -> bool:
    """Whether a cell is a date of any kind."""
    try:
        return parse_date(cell) is not None
    except ValueError:
        return False


def open_words(cells: Iterable[str]) -> frozenset[str]:
    """The words in a column of ends for what still holds: the usual ones, or the only text that is no date.

    That text ("not returned") has no digits, and does not say that the end is unknown.
    """
    different = {cell.casefold(): cell for cell in cells}
    words = [word for word in different if word not in STILL_VALID and not any(map(str.isdigit, word))]
    if not words:  # the usual case: no date is read for it
        return STILL_VALID
    usual = STILL_VALID.union(filter(_STILL.search, words))
    others = (word for word in {**dict.fromkeys(words), **different} if word not in usual)
    found = list(islice((word for word in others if not is_date(different[word])), 2))
    return usual.union(found) if len(found) == 1 and found[0] in words and found[0] not in UNKNOWN else usual
