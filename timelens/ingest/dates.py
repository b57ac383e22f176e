"""Dates as metadata states them: front matter, record fields, table cells, file names."""

import re

from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval

_ISO = re.compile(r"([+-]?\d{4,})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ]\d{1,2}:\d{2}.*)?")
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
"""Names under which front matter and records state when a text was published, in order of preference."""


def parse_date(value: str) -> Interval | None:
    """A date as metadata states it, with its granularity: ISO 8601 in whole or in part, or in words.

    Returns ``None`` for an empty value.

    Raises:
        ValueError: it is not a date, or one that does not exist.
    """
    text = value.strip()
    if not text:
        return None
    iso = _ISO.fullmatch(text)
    if iso:
        year, month, day = (int(part) if part else None for part in iso.groups())
        if year is not None and month and day:
            return day_interval(day_number(year, month, day))
        return month_interval(year, month) if year is not None and month else year_interval(year or 0)
    expressions = find_expressions(text)
    if len(expressions) == 1 and expressions[0].text == text and expressions[0].interval is not None:
        return expressions[0].interval
    raise ValueError(f"{text[:40]!r} is not a date that exists")


def date_in_name(name: str) -> Interval | None:
    """The day that a file name states (2008-12-16, 20081216, 2008_12_16), if it is a real one."""
    match = _IN_FILE_NAME.search(name)
    if match is None:
        return None
    try:
        return day_interval(day_number(int(match[1]), int(match[3]), int(match[4])))
    except ValueError:
        return None
