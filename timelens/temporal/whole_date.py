"""Reads texts that are one date and nothing else: user input, table cells, metadata fields."""

import re
from functools import lru_cache

from timelens.temporal.calendar import Day, day_number
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval, month_interval

_LONGEST = 60
"""Most characters of a date that is passed to dateparser."""
_IN_WORDS = re.compile(
    r"(?:\d{4}\W*)?(?:\d{1,2}\W*)?(?:[^\W\d_]{1,3}\W*)?[^\W\d_]{1,14}\W*(?:\d{1,2}\W*)?(?:[^\W\d_]{1,3}\W*)?"
    r"(?:\d{4}[^\W\d_]?\W*)?(?:\d{1,2}\W*)?[^\W\d_]?"
)
"""A year, a month in letters and maybe a day. For other texts dateparser would try all locales in vain."""
_YEAR, _FIGURES = re.compile(r"(?<!\d)\d{4}(?!\d)"), re.compile(r"(?<!\d)\d{1,3}(?!\d)")
_SETTINGS = {"REQUIRE_PARTS": ["year", "month"], "PREFER_DAY_OF_MONTH": "first"}


def whole_date(text: str, anchor: Day | None = None) -> Interval | None:
    """The days that the whole text names, bounded on both sides; ``None`` for any other text.

    The grammar is tried first. Full dates, and months with a year, in other languages are read by dateparser,
    which has about 200 locales.

    Args:
        text: "May 2021", "3 października 1990".
        anchor: the day from which "last May" counts.
    """
    stated = text.strip()
    expressions = find_expressions(stated, anchor)
    if len(expressions) == 1 and expressions[0].text == stated:
        interval = expressions[0].interval
        if interval is not None and interval.start is not None and interval.end is not None:
            return interval
    if len(stated) > _LONGEST or not _YEAR.search(stated) or not _IN_WORDS.fullmatch(stated):
        return None
    locale = _locale_of(_FIGURES.sub("2", _YEAR.sub("2012", stated)))
    return None if locale is None else _read_in(locale, stated)


@lru_cache(maxsize=1024)
def _locale_of(sample: str) -> str | None:
    """The locale in which dateparser reads a date. Samples have fixed numbers, for the cache."""
    from dateparser.date import DateDataParser

    read = DateDataParser(settings=_SETTINGS).get_date_data(sample)
    return read.locale if read.date_obj is not None and read.period in ("day", "month") else None


def _read_in(locale: str, text: str) -> Interval | None:
    from dateparser.date import DateDataParser

    read = DateDataParser(locales=[locale], settings=_SETTINGS).get_date_data(text)
    if read.date_obj is None:
        return None
    year, month, day = read.date_obj.year, read.date_obj.month, read.date_obj.day
    return (
        month_interval(year, month) if read.period == "month" else day_interval(day_number(year, month, day))
    )
