"""Parses the day that counts as today: ISO 8601 first, then as times in questions are parsed. Pure."""

import re

from timelens.errors import BadInputError
from timelens.question.parse import one_line, parse
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval
from timelens.temporal.whole_date import whole_date

_ISO = re.compile(r"([+-]\d{4,}|\d{4}|\d{5,}(?=-))(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


def day_meant(text: str, today: Day, conventions: Conventions = USUAL) -> Day:
    """The day that a text means; for a longer time, its last day that is not after ``today``.

    For a time that lies entirely after ``today``, it is the last day.

    Args:
        text: "2021-05-06", "1990", "last May", "two years ago", "as of 1990".
        today: the reference day for "last May".
        conventions: how seasons, fiscal years and numeric dates are read.

    Raises:
        ValueError: the text is not a date, or the date does not exist.
    """
    meant = time_meant(text, today, conventions)
    if meant.end is None:
        raise ValueError(f"{text.strip()!r} is not a date or a time that ends")
    last = meant.end - 1
    is_begun = meant.start is None or meant.start <= today
    return min(last, today) if is_begun else last


def time_meant(text: str, today: Day, conventions: Conventions = USUAL) -> Interval:
    """The time that a text means; arguments as in :func:`day_meant`.

    Raises:
        ValueError: the text is not a time, or the date does not exist.
    """
    stated = text.strip()
    meant = iso_time(stated) or _asked(stated, today, conventions) or whole_date(stated, today)
    if meant is None:
        raise ValueError(f"{stated!r} is not a date or a time that ends")
    return meant


def iso_time(text: str) -> Interval | None:
    """A day, month or year in ISO 8601: 2021-05-06, 2021-05, 2021; ``None`` for any other text.

    "2001-09" is a month here, although a text or a question may mean the years 2001 to 2009 by it.

    Raises:
        ValueError: the date does not exist.
    """
    stated = _ISO.fullmatch(text.strip())
    if stated is None:
        return None
    year, month, day = (None if part is None else int(part) for part in stated.groups())
    assert year is not None  # noqa: S101 -- every match has a year
    if month is None:
        return year_interval(year)
    return month_interval(year, month) if day is None else day_interval(day_number(year, month, day))


def named_day(text: str, name: str, today: Day, conventions: Conventions = USUAL) -> Day:
    """:func:`day_meant` for the value of an option or argument ``name``.

    Raises:
        BadInputError: the text is not a date, or the date does not exist.
    """
    try:
        return day_meant(text, today, conventions)
    except ValueError as error:
        raise BadInputError(
            f"{name}: {error}", "write a day or a time: 2021-05-06, May 2021, 1990"
        ) from error


def _asked(stated: str, today: Day, conventions: Conventions) -> Interval | None:
    """The time of a text parsed as a question; ``None`` if the text contains anything else."""
    words = one_line(stated)
    if not words:
        return None
    periods = parse(words, today, conventions).periods
    return periods[0].interval if len(periods) == 1 and periods[0].text == words else None
