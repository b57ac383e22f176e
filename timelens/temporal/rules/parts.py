"""Parts of a date: what stands before it and narrows or shifts it ("late", "the day after")."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from timelens.temporal.anchoring import shift_day
from timelens.temporal.calendar import Day, add_months, civil, weekday
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, iso_week, weeks_of
from timelens.temporal.rules.deictic import COUNT
from timelens.temporal.rules.months import part_of_year, season_interval
from timelens.temporal.rules.rule import Example, compiled
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    CARDINAL,
    CLOCK,
    ORDINAL,
    SEASON,
    SPACE,
    UNIT,
    WEEKDAY,
    WEEKDAYS,
    digits,
    number,
    unit,
)

Narrow = Callable[[re.Match[str], Interval], Interval]
"""From a match and a date to its part. May raise ``ValueError`` where the date has no such part."""

_OF = rf"(?:{SPACE}(?:of|in))(?:{SPACE}the)?{SPACE}(?:year{SPACE})?"
_OF_ONLY = rf"{SPACE}of(?:{SPACE}the)?{SPACE}(?:year{SPACE})?"
_EXACTLY = r"(?:exactly|precisely|just)"
_MONTHS = {Granularity.YEAR: 12, Granularity.DECADE: 120, Granularity.CENTURY: 1200}
_NTH_LAST = rf"(?:(?P<from_last>{ORDINAL})(?:{SPACE}|-)(?:to(?:{SPACE}|-))?last|(?P<penultimate>penultimate))"
_BEFORE_DATE = rf"(?:{_OF}|{SPACE}|-){APOSTROPHE}?"
_BEFORE_WEEK_YEAR = rf"(?:{_OF_ONLY}|{SPACE}in{SPACE}|,?{SPACE}|/)"
_THIRDS = {
    "early": 0, "beginning": 0, "start": 0, "onset": 0, "opening": 0, "outset": 0, "dawn": 0,
    "first": 0,
    "mid": 1, "middle": 1, "midst": 1, "height": 1,
    "late": 2, "end": 2, "close": 2, "closing": 2, "latter": 2, "final": 2, "last": 2,
    "later": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One way to narrow or shift the date that follows; ``pattern`` ends where the date starts."""

    name: str
    pattern: re.Pattern[str]
    narrow: Narrow
    examples: tuple[Example, ...]
    edge: Narrow | None = None
    """What it means as a limit: "before the end of May" is before its last day, not before its last third."""
    by_convention: Callable[[re.Match[str], Interval, Conventions], Interval] | None = None
    """Takes the place of ``narrow`` where what it means is a matter of convention."""
    counts_from_limit: bool = False
    """Whether it counts from the date as from a limit: "a year before the start of 1970"."""


def third(date: Interval, index: int) -> Interval:
    """Early (0), mid (1) or late (2): a third of a year, month or century; 4, 5 and 4 years of a decade."""
    if date.start is None or date.end is None or date.days < 3:
        return date
    if date.granularity is Granularity.DECADE:
        offsets = ((0, 48), (36, 96), (72, 120))[index]
    elif date.granularity in (Granularity.CENTURY, Granularity.MILLENNIUM):
        years = 100 if date.granularity is Granularity.CENTURY else 1000
        bounds = (0, years // 3, 2 * (years // 3), years)
        offsets = (12 * bounds[index], 12 * bounds[index + 1])
    elif date.granularity in _MONTHS_IN_THIRD:
        months = _MONTHS_IN_THIRD[date.granularity]
        offsets = (months * index, months * (index + 1))
    else:
        return _third_of_days(date.start, date.end, index, date.granularity)
    first, last = (add_months(date.start, offset) for offset in offsets)
    return Interval(first, last, date.granularity)


_MONTHS_IN_THIRD = {Granularity.QUARTER: 1, Granularity.SEASON: 1, Granularity.HALF: 2, Granularity.YEAR: 4}


def _third_of_days(start: Day, end: Day, index: int, granularity: Granularity) -> Interval:
    length = (end - start) // 3
    return Interval(start + index * length, end if index == 2 else start + (index + 1) * length, granularity)


def _third(match: re.Match[str], date: Interval) -> Interval:
    return third(date, _THIRDS[match["part"].lower()])


def _season(match: re.Match[str], date: Interval, conventions: Conventions) -> Interval:
    if date.start is None:
        return date
    return season_interval(civil(date.start)[0], match["season"], conventions)


def _fraction(match: re.Match[str], date: Interval) -> Interval:
    """The n-th half, third or quarter of a date."""
    if date.start is None or date.end is None:
        return date
    word = match["unit"].lower()
    index = {"last": 0, "final": 0}.get(match["n"].lower()) if not number(match["n"]) else number(match["n"])
    parts = {"half": 2, "third": 3}.get(word, 4)
    index = index or parts
    if date.granularity is Granularity.YEAR and word != "third":
        return part_of_year(civil(date.start)[0], word[0], index)
    if not 1 <= index <= parts:
        raise ValueError(f"{word} {index} does not exist")
    if date.granularity.days >= Granularity.YEAR.days:
        months = round(date.days / 365.2425 * 12)
        first, last = (add_months(date.start, months * (index - 1 + offset) // parts) for offset in (0, 1))
        return Interval(first, last, date.granularity)
    length = int(date.days) // parts
    first = date.start + (index - 1) * length
    return Interval(first, date.end if index == parts else first + length, date.granularity)


def _first_units(match: re.Match[str], date: Interval) -> Interval:
    """The first or last n units of a date."""
    if date.start is None or date.end is None:
        return date
    count = 1 if match["n"] is None else number(match["n"]) or 1
    granularity = unit(match["unit"])
    if match["end"].lower() == "first":
        return Interval(date.start, min(date.end, shift_day(date.start, count, granularity)), granularity)
    return Interval(max(date.start, shift_day(date.end, -count, granularity)), date.end, granularity)


def _nth_unit(match: re.Match[str], date: Interval) -> Interval:
    """The n-th day, week, month or year of a date, counted from its start or its end.

    Weeks of a year are those of ISO 8601; weeks of anything shorter start with its first day.
    """
    if date.start is None or date.end is None:
        return date
    granularity = unit(match["unit"])
    index = _place(match)
    if granularity is Granularity.WEEK and date.granularity is Granularity.YEAR:
        year = civil(date.start)[0]
        return iso_week(year, index if index > 0 else weeks_of(year) + 1 + index)
    if index < 0:
        last = shift_day(date.end, index + 1, granularity)
        first = shift_day(date.end, index, granularity)
    else:
        first, last = (shift_day(date.start, index + offset, granularity) for offset in (-1, 0))
    whole = Interval(first, last, granularity).intersection(date)
    if whole is None:
        raise ValueError(f"{granularity} {index} is not in it")
    return whole


def _place(match: re.Match[str]) -> int:
    """1 for the first, -1 for the last, -2 for the second to last."""
    groups = match.groupdict()
    if groups.get("penultimate"):
        return -2
    if from_last := groups.get("from_last"):
        return -(number(from_last) or 1)
    return (number(groups["n"]) or 1) if groups.get("n") else -1


def _nth_weekday(match: re.Match[str], date: Interval) -> Interval:
    """The n-th or last Monday to Sunday of a date."""
    if date.start is None or date.end is None:
        return date
    wanted, index = WEEKDAYS[match["weekday"].lower()], _place(match)
    if index < 0:
        return day_interval(date.end - 1 - (weekday(date.end - 1) - wanted) % 7 + 7 * (index + 1))
    return day_interval(date.start + (wanted - weekday(date.start)) % 7 + 7 * (index - 1))


def _weekday_beside(match: re.Match[str], date: Interval) -> Interval:
    """The n-th Monday to Sunday before or after a date."""
    if date.start is None or date.end is None:
        return date
    wanted = WEEKDAYS[match["weekday"].lower()]
    weeks = 7 * ((number(match["n"]) or 1) - 1 if match["n"] else 0)
    if match["direction"].lower() == "before":
        return day_interval(date.start - 1 - (weekday(date.start - 1) - wanted) % 7 - weeks)
    return day_interval(date.end + (wanted - weekday(date.end)) % 7 + weeks)


def _numbered_week(match: re.Match[str], date: Interval) -> Interval:
    """A week of a year by its number in ISO 8601."""
    if date.start is None or date.granularity is not Granularity.YEAR:
        raise ValueError("weeks are numbered by the year")
    return iso_week(civil(date.start)[0], digits(match["n"]))


def _whole(_match: re.Match[str], date: Interval) -> Interval:
    return date


def _week(_match: re.Match[str], date: Interval) -> Interval:
    if date.start is None or date.granularity is not Granularity.DAY:
        return date
    return granule(date.start, Granularity.WEEK)


def _offset(match: re.Match[str], date: Interval) -> Interval:
    if date.start is None or date.end is None:
        return date
    sign = -1 if match["direction"].lower().split()[0] in ("before", "prior", "preceding") else 1

    def moved(day: Day) -> Day:
        for count, granularity in _steps(match):
            day = shift_day(day, sign * count, granularity)
        return day

    first = moved(date.start)
    if date.granularity is Granularity.DAY:
        return Interval(first, first + (date.end - date.start), Granularity.DAY)
    return Interval(first, moved(date.end), date.granularity)


def _steps(match: re.Match[str]) -> list[tuple[int, Granularity]]:
    """How far an offset goes: some units, half a unit more or less, some smaller units."""
    granularity = unit(match["unit"])
    halves = _MONTHS.get(granularity, 0) // 2
    if match["half"] is not None:
        return [(halves, Granularity.MONTH)] if halves else [(1, granularity)]
    steps = [(1 if match["n"] is None else number(match["n"]) or 1, granularity)]
    if (match["half_of"] or match["and_half"]) and halves:
        steps.append((halves, Granularity.MONTH))
    if match["more"] is not None:
        steps.append((number(match["more"]) or 1, unit(match["smaller"])))
    return steps


def _edge(match: re.Match[str], date: Interval) -> Interval:
    """The first or last day of a date."""
    if date.start is None or date.end is None:
        return date
    match _THIRDS[match["part"].lower()]:
        case 0:
            return Interval(date.start, date.start + 1, date.granularity)
        case 2:
            return Interval(date.end - 1, date.end, date.granularity)
        case _:
            return _third(match, date)


def _part(
    name: str,
    pattern: str,
    narrow: Narrow,
    *examples: tuple[str, str],
    edge: Narrow | None = None,
    by_convention: Callable[[re.Match[str], Interval, Conventions], Interval] | None = None,
    counts_from_limit: bool = False,
) -> Part:
    return Part(
        name=name,
        pattern=compiled(rf"(?<![a-z0-9-]){pattern}\Z"),
        narrow=narrow,
        examples=tuple(Example(*example) for example in examples),
        edge=edge,
        by_convention=by_convention,
        counts_from_limit=counts_from_limit,
    )


PARTS: tuple[Part, ...] = (
    _part(
        "third",
        rf"(?P<part>early|late|mid|middle){_BEFORE_DATE}",
        _third,
        ("early 2003", "2003-01-01 2003-05-01"),
        ("mid-2008", "2008-05-01 2008-09-01"),
        ("late in 2003", "2003-09-01 2004-01-01"),
    ),
    _part(
        "named-third",
        rf"(?:very{SPACE})?(?P<part>beginning|start|onset|opening|outset|dawn|middle|midst|height|end|close|closing)"
        rf"{_OF_ONLY}",
        _third,
        ("end of 2003", "2003-09-01 2004-01-01"),
        ("start of the year 2020", "2020-01-01 2020-05-01"),
        edge=_edge,
    ),
    _part(
        "vague-third",
        rf"(?P<part>early|first|opening|middle|later?|latter|last|final|closing){SPACE}"
        rf"(?:part|days|weeks|months|years|stages|decades){_OF}",
        _third,
        ("latter part of 2003", "2003-09-01 2004-01-01"),
        ("early months of 2003", "2003-01-01 2003-05-01"),
    ),
    _part(
        "season",
        rf"(?P<season>{SEASON}){_BEFORE_DATE}",
        _whole,
        ("spring of 1968", "1968-03-01 1968-06-01"),
        ("winter 1941", "1941-12-01 1942-03-01"),
        by_convention=_season,
    ),
    _part(
        "fraction",
        rf"(?P<n>{ORDINAL}|last|final|latter)[ -](?P<unit>half|third|quarter|qtr)(?:{_OF}|,?{SPACE})",
        _fraction,
        ("first half of 2017", "2017-01-01 2017-07-01"),
        ("second quarter of 2019", "2019-04-01 2019-07-01"),
        ("third quarter 2008", "2008-07-01 2008-10-01"),
    ),
    _part(
        "nth-last-unit",
        rf"{_NTH_LAST}{SPACE}(?P<unit>{UNIT}){_OF}",
        _nth_unit,
        ("third last week of 2018", "2018-12-10 2018-12-17"),
        ("penultimate day of May 1940", "1940-05-30 1940-05-31"),
    ),
    _part(
        "first-units",
        rf"(?P<end>first|last|final)(?:{SPACE}(?P<n>{CARDINAL}))?{SPACE}(?P<unit>{UNIT}){_OF}",
        _first_units,
        ("first three months of 1915", "1915-01-01 1915-04-01"),
        ("last week of August 1914", "1914-08-25 1914-09-01"),
        ("first day of 2020", "2020-01-01 2020-01-02"),
    ),
    _part(
        "nth-unit",
        rf"(?P<n>{ORDINAL}){SPACE}(?P<unit>{UNIT}){_OF}",
        _nth_unit,
        ("second week of May 1940", "1940-05-08 1940-05-15"),
        ("second week of 2021", "2021-01-11 2021-01-18"),
    ),
    _part(
        "numbered-week",
        rf"(?:(?:calendar|iso){SPACE})?(?:week|wk|cw){SPACE}?(?P<n>[0-5]?[0-9]){_BEFORE_WEEK_YEAR}",
        _numbered_week,
        ("week 12 of 2019", "2019-03-18 2019-03-25"),
        ("calendar week 3, 2027", "2027-01-18 2027-01-25"),
    ),
    _part(
        "nth-weekday",
        rf"(?:{_NTH_LAST}|(?P<n>{ORDINAL})|last|final){SPACE}(?P<weekday>{WEEKDAY}){_OF}",
        _nth_weekday,
        ("second Wednesday of October 2014", "2014-10-08 2014-10-09"),
        ("last Sunday in March 2014", "2014-03-30 2014-03-31"),
        ("second to last Sunday of March 2014", "2014-03-23 2014-03-24"),
    ),
    _part(
        "weekday-beside",
        rf"(?:(?P<n>{ORDINAL}){SPACE})?(?P<weekday>{WEEKDAY}){SPACE}(?P<direction>before|after|following){SPACE}",
        _weekday_beside,
        ("Monday after 3 May 1940", "1940-05-06 1940-05-07"),
        ("third Tuesday after 25 December 2014", "2015-01-13 2015-01-14"),
        ("Friday before 1 May 2019", "2019-04-26 2019-04-27"),
    ),
    _part(
        "part-of-day",
        rf"(?:early{SPACE})?(?:morning|afternoon|evening|night|dawn|midnight|noon|day){SPACE}(?:of|on){SPACE}"
        rf"(?:the{SPACE})?",
        _whole,
        ("night of 20 June 1791", "1791-06-20 1791-06-21"),
    ),
    _part(
        "clock",
        rf"{CLOCK}(?:,?{SPACE}(?:on{SPACE})?(?:the{SPACE})?)",
        _whole,
        ("11 a.m. on 11 November 1918", "1918-11-11 1918-11-12"),
    ),
    _part(
        "unit-of",
        rf"(?:months?|years?){SPACE}(?:of{SPACE})?(?:the{SPACE})?",
        _whole,
        ("year 1914", "1914-01-01 1915-01-01"),
        ("month of May 1940", "1940-05-01 1940-06-01"),
    ),
    _part(
        "whole",
        rf"(?:rest|remainder|whole|course|most|much|all|entirety){_OF}",
        _whole,
        ("rest of 1916", "1916-01-01 1917-01-01"),
    ),
    _part(
        "week-of",
        rf"(?:week|weekend){SPACE}(?:of|(?:ending|beginning|starting|commencing)(?:{SPACE}on)?){SPACE}(?:the{SPACE})?",
        _week,
        ("week of 3 May 1940", "1940-04-29 1940-05-06"),
    ),
    _part(
        "offset",
        rf"(?:{_EXACTLY}{SPACE})?(?:{COUNT}{SPACE}(?:(?P<half_of>and{SPACE}a{SPACE}half){SPACE})?"
        rf"|(?P<half>half{SPACE}an?{SPACE})|the{SPACE}(?!{UNIT}{SPACE}from\b))(?P<unit>{UNIT})"
        rf"(?:{SPACE}and{SPACE}(?:(?P<and_half>a{SPACE}half)|(?P<more>{CARDINAL}|an?){SPACE}(?P<smaller>{UNIT})))?{SPACE}"
        rf"(?P<direction>before|after|prior{SPACE}to|preceding|following|from){SPACE}(?:the{SPACE})?",
        _offset,
        ("four months before 1 May 2019", "2019-01-01 2019-01-02"),
        ("the day after 3 May 1940", "1940-05-04 1940-05-05"),
        ("11 months before June 30, 2010", "2009-07-30 2009-07-31"),
        ("half a year before 1 May 2019", "2018-11-01 2018-11-02"),
        ("a year and a half before 1 May 2019", "2017-11-01 2017-11-02"),
        ("two years and three months after 1 May 2019", "2021-08-01 2021-08-02"),
        counts_from_limit=True,
    ),
)
"""Tried in this order, again and again outwards from the date."""
