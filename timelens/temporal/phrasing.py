"""Intervals in English words. Reading the words gives the same interval."""

from collections.abc import Iterable, Sequence

from timelens.lexicon import MONTH_FORMS
from timelens.temporal.calendar import Day, add_months, civil, day_number
from timelens.temporal.interval import Granularity, Interval, granule, last_day_of

MONTH_NAMES = tuple(map(str.capitalize, MONTH_FORMS))
_TOLD = (Granularity.YEAR, Granularity.MONTH, Granularity.DAY)
"""The units that have names, from coarse to fine."""


def phrase_year(year: int) -> str:
    """An astronomical year as people write it: ``2010``, ``AD 79``, ``44 BCE``."""
    if year <= 0:
        return f"{1 - year} BCE"
    return str(year) if year >= 1000 else f"AD {year}"


def phrase_day(day: Day) -> str:
    """``16 December 2008``."""
    year, month, day_of_month = civil(day)
    return f"{day_of_month} {MONTH_NAMES[month - 1]} {phrase_year(year)}"


def phrase(interval: Interval) -> str:
    """An interval in words, in the largest units that state it exactly.

    ``16 December 2008``, ``May 2015``, ``2010``, ``2014 to 2016``, ``since 2017``, ``before 5 May 2021``.
    """
    if interval.start is None and interval.end is None:
        return "any time"
    if interval.start is None:
        return f"before {_phrase_start(interval.end or 0)}"
    if interval.end is None:
        return f"since {_phrase_start(interval.start)}"
    for unit in (Granularity.YEAR, Granularity.MONTH):
        first, last = granule(interval.start, unit), granule(interval.end - 1, unit)
        if (first.start, last.end) == (interval.start, interval.end):
            return _from_to(interval.start, interval.end - 1, unit)
    return _from_to(interval.start, interval.end - 1, Granularity.DAY)


def _from_to(first: Day, last: Day, unit: Granularity) -> str:
    start, end = phrase_granule(first, unit), phrase_granule(last, unit)
    return start if start == end else f"{start} to {end}"


def phrase_length(start: Day, end: Day) -> str:
    """The time from one day to another in calendar units: ``1 year, 5 months and 12 days``.

    Raises:
        ValueError: the end lies before the start.
    """
    months, days = months_and_days(start, end)
    return phrase_counts(((months // 12, "year"), (months % 12, "month"), (days, "day")))


def months_and_days(start: Day, end: Day) -> tuple[int, int]:
    """The time from one day to another in whole months, and the days that are left.

    Raises:
        ValueError: the end lies before the start.
    """
    if end < start:
        raise ValueError("a length is not negative")
    (first_year, first_month, _), (last_year, last_month, _) = civil(start), civil(end)
    months = (last_year - first_year) * 12 + last_month - first_month
    if add_months(start, months) > end:
        months -= 1
    return months, end - add_months(start, months)


def phrase_counts(counts: Iterable[tuple[int, str]]) -> str:
    """Counts of units in words, without those that are 0: ``2 weeks and 1 day``; ``0 days`` if all are."""
    parts = [f"{count:,} {unit}{'s' if count != 1 else ''}" for count, unit in counts if count]
    if not parts:
        return "0 days"
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def phrase_granule(day: Day, unit: Granularity) -> str:
    """The day, month or year that contains a day, in words; for any other unit, the day."""
    year, month, _ = civil(day)
    if unit is Granularity.YEAR:
        return phrase_year(year)
    if unit is Granularity.MONTH:
        return f"{MONTH_NAMES[month - 1]} {phrase_year(year)}"
    return phrase_day(day)


def phrase_recorded(start: Day | None, end: Day | None, unit: Granularity) -> str:
    """A validity as a table records it, with both days inclusive: ``from 1 May 2015 to 31 January 2016``.

    An end of ``None`` means that it still holds; equal days are written once. A quarter is told by its
    months, a week by its days, a decade by its years: ``from April 2019 to June 2019``.
    """
    told = next(each for each in _TOLD if each.days <= unit.days)
    first = "" if start is None else phrase_granule(start, told)
    if end is None:
        return f"since {first}" if first else "at all times"
    if start == end and told is unit:
        return f"on {first}" if unit is Granularity.DAY else f"in {first}"
    last = phrase_granule(last_day_of(end, unit), told)
    return f"from {first} to {last}" if first else f"until {last}"


def _phrase_start(day: Day) -> str:
    year, _month, day_of_month = civil(day)
    if day == day_number(year):
        return phrase_year(year)
    return phrase_granule(day, Granularity.MONTH if day_of_month == 1 else Granularity.DAY)


def enumerated(words: Sequence[str], joint: str = "and") -> str:
    """Words as a list: "in 2005, in 2010 and in 2015"; empty without any."""
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
