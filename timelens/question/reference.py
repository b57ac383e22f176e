"""The day that a text means as the day that counts as today, read as a question reads its times. Pure."""

import re

from timelens.question.parse import one_line, parse
from timelens.temporal.calendar import Day, parse_day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.stated import whole_date

_IN_FIGURES = re.compile(r"[+-]?\d{4,}-\d\d-\d\d")


def day_meant(text: str, today: Day, conventions: Conventions = USUAL) -> Day:
    """The day that a text means: of a longer time the last day that is not after ``today``.

    Of a time that lies wholly after ``today`` it is the last day.

    Args:
        text: "2021-05-06", "1990", "last May", "two years ago", "as of 1990".
        today: the day from which "last May" counts.
        conventions: how seasons, fiscal years and dates in figures are read.

    Raises:
        ValueError: it is no date, or one that does not exist.
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


def _asked(stated: str, today: Day, conventions: Conventions) -> Interval | None:
    """The time that a text asks about as a question; ``None`` if it says anything else as well."""
    words = one_line(stated)
    if not words:
        return None
    periods = parse(words, today, conventions).periods
    return periods[0].interval if len(periods) == 1 and periods[0].text == words else None
