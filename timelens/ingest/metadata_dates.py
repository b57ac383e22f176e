"""Reads dates of metadata: front matter, record fields, table cells, file names."""

import re

from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval
from timelens.temporal.whole_date import whole_date, whole_dates

# A bare number of more than four digits counts seconds or days from some epoch, so it is no year.
_ISO = re.compile(
    r"([+-]\d{4,6}|\d{4}|\d{5,6}(?=-))(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ]\d{1,2}:\d{2}.*)?", re.ASCII
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T\d{4}.*)?", re.ASCII)
_LONGEST_STAMP = 100  # characters
_DIGITS = re.compile(r"(\d{8})\d{4}(?:\d{2})?", re.ASCII)
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+(?=\S)", re.IGNORECASE)
_HOUR = re.compile(r"(?<=[\d.])(?:T|,?\s+(?:at\s+)?)\d{1,2}:\d{2}.*$", re.IGNORECASE | re.DOTALL)
_IN_FILE_NAME = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")

METADATA_KEYS = (
    "date",
    "published",
    "published_at",
    "publication_date",
    "datetime",
    "timestamp",
    "created",
    "created_at",
)
"""Keys of the publication date in front matter and records, in order of preference."""


def parse_date(value: str) -> Interval | None:
    """A date of metadata with its granularity: full or partial ISO 8601, or words in any language.

    Returns ``None`` for an empty value. A month or day of 00 is unknown.

    Raises:
        ValueError: the value is not a date, or the date does not exist.
    """
    text = value.strip()
    if not text:
        return None
    interval = _in_figures(text) or whole_date(text)
    if interval is not None:
        return interval
    raise ValueError(f"{text[:40]!r} is not a date that exists")


def parse_dates(value: str) -> tuple[Interval, ...]:
    """The dates that a value names, as :func:`parse_date` reads it: both of a range, none of an empty value.

    "C. 2012" is 2012, without the years around it.

    Raises:
        ValueError: the value is not a date, or the date does not exist.
    """
    text = value.strip()
    if not text:
        return ()
    interval = _in_figures(text)
    dates = whole_dates(text) if interval is None else (interval,)
    if dates:
        return dates
    raise ValueError(f"{text[:40]!r} is not a date that exists")


def _in_figures(text: str) -> Interval | None:
    """A date in the figures of ISO 8601; ``None`` for any other text.

    Raises:
        ValueError: the date does not exist.
    """
    stated = _COMPACT.fullmatch(text) or _ISO.fullmatch(text)
    if stated is None:
        return None
    if text.startswith("0000-00"):
        raise ValueError(f"{text[:40]!r} is not a date that exists")
    try:
        return _as_coarse_as_known(*(int(part or 0) for part in stated.groups()))
    except ValueError as error:
        raise ValueError(f"{text[:40]!r} is not a date that exists: {error}") from error


def parse_stamp(value: str) -> Interval | None:
    """A machine-written date, such as in web pages: like :func:`parse_date`, without weekday and time of day.

    Raises:
        ValueError: as :func:`parse_date`.
    """
    if len(value) > _LONGEST_STAMP:
        raise ValueError(f"{value[:40]!r} … is not a date that exists")
    text = _WEEKDAY.sub("", value.strip())
    digits = _DIGITS.fullmatch(text)
    return parse_date(digits[1] if digits else _HOUR.sub("", text))


def _as_coarse_as_known(year: int, month: int, day: int) -> Interval:
    if day:
        return day_interval(day_number(year, month, day))
    return month_interval(year, month) if month else year_interval(year)


def date_in_name(name: str) -> Interval | None:
    """The day in a file name (2008-12-16, 20081216, 2008_12_16), if it exists."""
    match = _IN_FILE_NAME.search(name)
    if match is None:
        return None
    try:
        return day_interval(day_number(int(match[1]), int(match[3]), int(match[4])))
    except ValueError:
        return None
