"""Reads texts that are one date and nothing else: user input, table cells, metadata fields."""

import re
from functools import lru_cache

from timelens.temporal.calendar import Day, day_number
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval, day_interval, month_interval

_LONGEST = 60
"""Most characters of a date that is passed to dateparser."""
_LONGEST_TIME = 200
"""Most characters of a text that may be one time."""
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
    time = _only_time(stated, anchor)
    if time is not None:
        return time.interval
    if len(stated) > _LONGEST or not _YEAR.search(stated) or not _IN_WORDS.fullmatch(stated):
        return None
    locale = _locale_of(_FIGURES.sub("2", _YEAR.sub("2012", stated)))
    return None if locale is None else _read_in(locale, stated)


def whole_dates(text: str) -> tuple[Interval, ...]:
    """The dates that the whole text names: both of a range, and 2012 of "c. 2012"; none of any other text.

    Together they are what :func:`whole_date` reads, but for the years around a date that is not sure.
    """
    time = _only_time(text.strip())
    if time is not None and time.dates:
        return time.dates
    date = whole_date(text)
    return () if date is None else (date,)


def _only_time(stated: str, anchor: Day | None = None) -> Expression | None:
    """The time that is the whole text, if it is bounded on both sides."""
    return _read(stated, anchor) if len(stated) <= _LONGEST_TIME else None


@lru_cache(maxsize=1024)
def _read(stated: str, anchor: Day | None) -> Expression | None:
    found = find_expressions(stated, anchor)
    if len(found) != 1 or found[0].text != stated or found[0].interval is None:
        return None
    return found[0] if found[0].open is None else None


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
