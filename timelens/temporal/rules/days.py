"""Days: full dates in every common order, days without a year, stretches within one month, fixed holidays."""

import re

from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import civil, day_number
from timelens.temporal.interval import day_interval
from timelens.temporal.rules.rule import Dates, Kind, Rule, rule
from timelens.temporal.vocabulary import (
    COMMA,
    DASH,
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINAL,
    ORDINAL_DAY,
    ORDINALS,
    PLAIN_YEAR,
    SPACE,
    WEEKDAY_PREFIX,
    WEEKDAYS,
    YEAR_OF_DATE,
    digits,
    month,
    number,
    read_year,
    year,
)

_WEEKDAY_STARTS = frozenset(WEEKDAYS) | {name[:3] for name in WEEKDAYS} | {"tues", "thur", "thurs"}
_DAY_STARTS = frozenset({"9", "99"}) | _WEEKDAY_STARTS
_MONTH_STARTS = frozenset(MONTHS) | _WEEKDAY_STARTS
_SPELT_STARTS = frozenset(ORDINALS)
_OF = rf"(?:{SPACE}(?:day{SPACE})?of)?"
_AND = rf"(?:{DASH}|{SPACE}(?:to|and|or|&|through|until){SPACE}(?:the{SPACE})?|/)"
_DAY_MONTH = rf"{WEEKDAY_PREFIX}(?P<day>{DAY_OF_MONTH}){_OF}(?:{SPACE}|[-/])(?P<month>{MONTH})"
_MONTH_DAY = rf"{WEEKDAY_PREFIX}(?P<month>{MONTH})(?:{SPACE}|-)(?:the{SPACE})?(?P<day>{DAY_OF_MONTH})"
_DAYS_MONTH = (
    rf"{WEEKDAY_PREFIX}(?P<day>{DAY_OF_MONTH}){_AND}(?P<last>{DAY_OF_MONTH}){_OF}{SPACE}(?P<month>{MONTH})"
)
_MONTH_DAYS = (
    rf"{WEEKDAY_PREFIX}(?P<month>{MONTH}){SPACE}(?P<day>{DAY_OF_MONTH}){_AND}(?P<last>{DAY_OF_MONTH})"
)
_YEAR_AFTER = rf"(?:(?:{COMMA})?{SPACE}(?:(?:of|in){SPACE})?|[-/]){year(plain=YEAR_OF_DATE)}"

HOLIDAYS = {
    "new year's day": (1, 1), "new year's eve": (12, 31), "new years day": (1, 1), "new years eve": (12, 31),
    "epiphany": (1, 6), "valentine's day": (2, 14), "st. patrick's day": (3, 17), "may day": (5, 1),
    "midsummer's day": (6, 24), "bastille day": (7, 14), "halloween": (10, 31), "all saints' day": (11, 1),
    "armistice day": (11, 11), "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25),
    "boxing day": (12, 26),
}  # fmt: skip
"""Holidays with a fixed date, lower case, to (month, day)."""

_HOLIDAY = "|".join(
    re.escape(name).replace("'", "['\u2019]") for name in sorted(HOLIDAYS, key=len, reverse=True)
)


def _full(match: re.Match[str], _anchors: Anchors) -> Dates:
    day = number(match["day"]) or 0
    return (day_interval(day_number(read_year(match), month(match["month"]), day)),)


def _elided(match: re.Match[str], anchors: Anchors) -> Dates:
    day = number(match["day"]) or 0
    return _in_nearest_year(month(match["month"]), day, anchors)


def _in_nearest_year(month_number: int, day: int, anchors: Anchors) -> Dates:
    date = nearest_year(lambda year: day_interval(day_number(year, month_number, day)), anchors)
    return () if date is None else (date,)


def _full_stretch(match: re.Match[str], _anchors: Anchors) -> Dates:
    first, last = (
        day_interval(day_number(read_year(match), month(match["month"]), digits(match[name])))
        for name in ("day", "last")
    )
    return first, last


def _elided_stretch(match: re.Match[str], anchors: Anchors) -> Dates:
    ends = [_in_nearest_year(month(match["month"]), digits(match[name]), anchors) for name in ("day", "last")]
    return (ends[0][0], ends[1][0]) if all(ends) else ()


def _iso(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (day_interval(day_number(int(match["y"]), int(match["month"]), int(match["day"]))),)


def _in_figures(match: re.Match[str], anchors: Anchors) -> Dates:
    """Points stand between day, month and year; what slashes and hyphens stand between is convention."""
    first, second = int(match["first"]), int(match["second"])
    day_first = anchors.conventions.day_first or match["mark"] == "."
    if first > 12 or (second <= 12 and day_first):
        first, second = second, first
    return (day_interval(day_number(int(match["y"]), first, second)),)


def _day_of_running_month(match: re.Match[str], anchors: Anchors) -> Dates:
    bound = anchors.not_before or anchors.not_after
    reference = anchors.reference if bound is None else bound.start
    if reference is None:
        return ()
    year_number, month_number, _ = civil(reference)
    return (day_interval(day_number(year_number, month_number, digits(match[0]))),)


def _holiday(match: re.Match[str], anchors: Anchors) -> Dates:
    month_number, day = HOLIDAYS[" ".join(match["holiday"].lower().replace("\u2019", "'").split())]
    if match["y"] is not None:
        return (day_interval(day_number(int(match["y"]), month_number, day)),)
    return _in_nearest_year(month_number, day, anchors)


RULES: tuple[Rule, ...] = (
    rule(
        "iso-day",
        {"9999"},
        r"(?P<y>[0-9]{4})([-/])(?P<month>[0-9]{2})\2(?P<day>[0-9]{2})(?![0-9])",
        _iso,
        ("2019-05-03", "2019-05-03 2019-05-04"),
        ("2019/05/03", "2019-05-03 2019-05-04"),
    ),
    rule(
        "day-in-figures",
        {"9", "99"},
        rf"(?P<first>[0-9]{{1,2}})(?P<mark>[-/.])(?P<second>[0-9]{{1,2}})(?P=mark)(?P<y>{PLAIN_YEAR})",
        _in_figures,
        ("10/31/1974", "1974-10-31 1974-11-01"),
        ("31.10.1974", "1974-10-31 1974-11-01"),
        confidence=0.9,
    ),
    rule(
        "day-month-year",
        _DAY_STARTS,
        _DAY_MONTH + _YEAR_AFTER,
        _full,
        ("8 February 1904", "1904-02-08 1904-02-09"),
        ("3rd of May 2019", "2019-05-03 2019-05-04"),
        ("5 Sept. 2001", "2001-09-05 2001-09-06"),
        ("15 March 44 BCE", "-0043-03-15 -0043-03-16"),
        ("Tuesday, 11 September 2001", "2001-09-11 2001-09-12"),
        ("31 January 876", "0876-01-31 0876-02-01"),
        ("31 February 2020", ""),
    ),
    rule(
        "month-day-year",
        _MONTH_STARTS,
        _MONTH_DAY + _YEAR_AFTER,
        _full,
        ("February 8, 1904", "1904-02-08 1904-02-09"),
        ("Mon, Sept. 3 2001", "2001-09-03 2001-09-04"),
        ("February 30, 2020", ""),
    ),
    rule(
        "month-spelt-day-year",
        MONTHS,
        rf"(?P<month>{MONTH}){SPACE}(?:the{SPACE})?(?P<day>{ORDINAL}){_YEAR_AFTER}",
        _full,
        ("January first, 2000", "2000-01-01 2000-01-02"),
        ("July the fourth 1776", "1776-07-04 1776-07-05"),
    ),
    rule(
        "year-month-day",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR})(?:{SPACE}|[-/])(?P<month>{MONTH})(?:{SPACE}|[-/])(?P<day>{DAY_OF_MONTH})",
        _full,
        ("2019-Aug-01", "2019-08-01 2019-08-02"),
        ("2004 May 3", "2004-05-03 2004-05-04"),
        confidence=0.9,
    ),
    rule(
        "spelt-day-month-year",
        _SPELT_STARTS,
        rf"(?P<day>{ORDINAL}){SPACE}(?:day{SPACE})?of{SPACE}(?P<month>{MONTH}){_YEAR_AFTER}",
        _full,
        ("fourth of July, 1776", "1776-07-04 1776-07-05"),
    ),
    rule(
        "spelt-day-month",
        _SPELT_STARTS,
        rf"(?P<day>{ORDINAL}){SPACE}(?:day{SPACE})?of{SPACE}(?P<month>{MONTH})",
        _elided,
        ("fourth of July", "1916-07-04 1916-07-05"),
        kind=Kind.ANCHORED,
        lacks_year=True,
        confidence=0.8,
    ),
    rule(
        "day-month",
        _DAY_STARTS,
        _DAY_MONTH,
        _elided,
        ("8 March", "1916-03-08 1916-03-09"),
        ("3rd of May", "1916-05-03 1916-05-04"),
        ("Friday 3 March", "1916-03-03 1916-03-04"),
        ("31 February", ""),
        kind=Kind.ANCHORED,
        lacks_year=True,
        confidence=0.85,
    ),
    rule(
        "month-day",
        _MONTH_STARTS,
        _MONTH_DAY,
        _elided,
        ("March 8", "1916-03-08 1916-03-09"),
        ("Sept. 3rd", "1916-09-03 1916-09-04"),
        kind=Kind.ANCHORED,
        lacks_year=True,
        confidence=0.85,
    ),
    rule(
        "days-month-year",
        _DAY_STARTS,
        _DAYS_MONTH + _YEAR_AFTER,
        _full_stretch,
        ("4\u20137 March 1989", "1989-03-04 1989-03-08"),
        ("8 and 9 May 1945", "1945-05-08 1945-05-10"),
        names_range=True,
    ),
    rule(
        "month-days-year",
        _MONTH_STARTS,
        _MONTH_DAYS + _YEAR_AFTER,
        _full_stretch,
        ("March 4\u20137, 1989", "1989-03-04 1989-03-08"),
        ("March 4 to 7, 1989", "1989-03-04 1989-03-08"),
        names_range=True,
    ),
    rule(
        "days-month",
        _DAY_STARTS,
        _DAYS_MONTH,
        _elided_stretch,
        ("4\u20137 March", "1916-03-04 1916-03-08"),
        kind=Kind.ANCHORED,
        lacks_year=True,
        confidence=0.85,
        names_range=True,
    ),
    rule(
        "month-days",
        _MONTH_STARTS,
        _MONTH_DAYS,
        _elided_stretch,
        ("March 4-7", "1916-03-04 1916-03-08"),
        kind=Kind.ANCHORED,
        lacks_year=True,
        confidence=0.85,
        names_range=True,
    ),
    rule(
        "day-of-running-month",
        {"9", "99"},
        ORDINAL_DAY,
        _day_of_running_month,
        ("14th", "1916-02-14 1916-02-15"),
        kind=Kind.ANCHORED,
        confidence=0.6,
        cue=rf"\b(?:on|until|till|by|since){SPACE}the{SPACE}",
        veto=rf"{SPACE}(?!(?:was|were|and|in|at|to|with|but|he|she|they|it|a|by|for|had|when|while)\b)[a-z0-9]|-[a-z]",
    ),
    rule(
        "holiday",
        {name.replace("'", " ").replace(".", " ").split()[0] for name in HOLIDAYS},
        rf"(?P<holiday>{_HOLIDAY})\b(?:(?:,|{SPACE}of|{SPACE}in)?{SPACE}(?P<y>{PLAIN_YEAR}))?",
        _holiday,
        ("Christmas Eve 1914", "1914-12-24 1914-12-25"),
        ("New Year\u2019s Day", "1916-01-01 1916-01-02"),
        kind=Kind.ANCHORED,
        confidence=0.8,
    ),
)
