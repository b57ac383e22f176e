"""Parses the day that counts as today, as times in questions are parsed. Pure."""

import re

from timelens.errors import BadInputError
from timelens.question.parse import one_line, parse
from timelens.temporal.calendar import Day, parse_day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.whole_date import whole_date

_IN_FIGURES = re.compile(r"[+-]?\d{4,}-\d\d-\d\d")


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
    stated = text.strip()
    try:
        return parse_day(stated)
    except ValueError:
        if _IN_FIGURES.fullmatch(stated):
            raise
    meant = _asked(stated, today, conventions) or whole_date(stated, today)
    if meant is None or meant.end is None:
        raise ValueError(f"{stated!r} is not a date or a time that ends")
    last = meant.end - 1
    is_begun = meant.start is None or meant.start <= today
    return min(last, today) if is_begun else last


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
