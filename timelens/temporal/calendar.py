"""The calendar: days as signed numbers in the proleptic Gregorian calendar.

A day is an ``int``, with 0 = 1970-01-01. Years are astronomical: 0 is 1 BCE, -43 is 44 BCE.
Python's ``date`` ends at year 1, so it appears nowhere in the engine.
"""

import re

Day = int
"""A day number: days since 1970-01-01, negative before."""

_DAYS_PER_ERA = 146_097  # the Gregorian calendar repeats every 400 years
_EPOCH_SHIFT = 719_468  # days from 0000-03-01 to 1970-01-01
_ISO_DAY = re.compile(r"([+-]?\d{4,})-(\d{2})-(\d{2})")


def day_number(year: int, month: int = 1, day: int = 1) -> Day:
    """Day number of a calendar date.

    Raises:
        ValueError: the date does not exist (month 13, 31 February).
    """
    if not 1 <= month <= 12:
        raise ValueError(f"month {month} does not exist")
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError(f"day {day} does not exist in {year:04d}-{month:02d}")
    march_year = year - (month <= 2)
    era, year_of_era = divmod(march_year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * _DAYS_PER_ERA + day_of_era - _EPOCH_SHIFT


def civil(day: Day) -> tuple[int, int, int]:
    """(year, month, day of month) of a day number; inverse of :func:`day_number`."""
    era, day_of_era = divmod(day + _EPOCH_SHIFT, _DAYS_PER_ERA)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day_of_month = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = (shifted_month + 2) % 12 + 1
    return era * 400 + year_of_era + (month <= 2), month, day_of_month


def is_leap(year: int) -> bool:
    """Whether an astronomical year has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def julian_lag(year: int) -> int:
    """Number of days that the Julian calendar is behind the Gregorian one, from March of a year on."""
    return year // 100 - year // 400 - 2


def days_in_month(year: int, month: int) -> int:
    """Number of days of a month (1 to 12)."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def weekday(day: Day) -> int:
    """0 for Monday to 6 for Sunday."""
    return (day + 3) % 7


def weekday_beside(day: Day, wanted: int, step: int) -> Day:
    """The last such weekday before ``day`` (step -1), or the first after it (1) or not before it (0)."""
    ahead = (wanted - weekday(day)) % 7
    return day + (ahead - 7 if step < 0 else ahead or 7 * step)


def add_months(day: Day, months: int) -> Day:
    """The same day of the month some months later (negative: earlier), clipped to the month's last day."""
    year, month, day_of_month = civil(day)
    years, month_index = divmod(month - 1 + months, 12)
    year, month = year + years, month_index + 1
    return day_number(year, month, min(day_of_month, days_in_month(year, month)))


def format_day(day: Day) -> str:
    """ISO 8601 with an astronomical year of at least four digits: ``2021-05-06``, ``-0043-03-15``."""
    year, month, day_of_month = civil(day)
    sign = "-" if year < 0 else ""
    return f"{sign}{abs(year):04d}-{month:02d}-{day_of_month:02d}"


def parse_day(text: str) -> Day:
    """The inverse of :func:`format_day`.

    Raises:
        ValueError: the text is not ``YYYY-MM-DD``, or the date does not exist.
    """
    match = _ISO_DAY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a date of the form YYYY-MM-DD")
    return day_number(int(match[1]), int(match[2]), int(match[3]))
