"""Intervals of TIMEX2 and TIMEX3 annotation values (ISO 8601 with additional letters)."""

import re

from timelens.temporal import (
    Granularity,
    Interval,
    day_interval,
    day_number,
    granule,
    iso_week,
    month_interval,
    year_interval,
)

_VALUE = re.compile(
    r"(?P<bc>BC)?(?P<year>[0-9]{2,4})"
    r"(?:-(?:W(?P<week>[0-9]{2})|Q(?P<quarter>[1-4])|H(?P<half>[12])|(?P<season>WI|SP|SU|FA)"
    r"|(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?))?",
)
_SEASONS = {"SP": 3, "SU": 6, "FA": 9, "WI": 12}


def interval_of(value: str | None) -> Interval | None:
    """The days of a value that has a place on the calendar, else ``None``.

    A time of day is dropped. Two digits are a century counted from a year 00 (``19`` is 1900 to 1999), three
    a decade. BCE, only years and months have an interval, because the calendar of a day is not stated.
    Durations, sets, references to the present, past or future, and dates with unknown parts have none.
    """
    match = _VALUE.fullmatch(re.sub("T.*", "", (value or "").strip()))
    if match is None:
        return None
    try:
        return _interval(match)
    except ValueError:
        return None


def _interval(match: re.Match[str]) -> Interval | None:
    figures = match["year"]
    if len(figures) < 4:
        if match["bc"] or len(match[0]) > len(figures):
            return None
        years = 10 ** (4 - len(figures))
        first = int(figures) * years
        unit = Granularity.DECADE if years == 10 else Granularity.CENTURY
        return Interval(day_number(first), day_number(first + years), unit)
    year = 1 - int(figures) if match["bc"] else int(figures)
    if match["day"]:
        return None if match["bc"] else day_interval(day_number(year, int(match["month"]), int(match["day"])))
    if match["month"]:
        return month_interval(year, int(match["month"]))
    if match["season"]:
        return granule(day_number(year, _SEASONS[match["season"]]), Granularity.SEASON)
    if match["quarter"]:
        return granule(day_number(year, 3 * int(match["quarter"]) - 2), Granularity.QUARTER)
    if match["half"]:
        return granule(day_number(year, 6 * int(match["half"]) - 5), Granularity.HALF)
    if match["week"]:
        return iso_week(year, int(match["week"]))
    return year_interval(year)
