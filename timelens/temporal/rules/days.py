"""Days: full dates in every common order, days without a year, ranges within one month."""

import re

from timelens.lexicon import WEEKDAY_FORMS
from timelens.temporal.anchoring import Anchors, nearest_year, shifted
from timelens.temporal.calendar import civil, day_number, days_in_month, julian_lag, weekday
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, iso_week
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    CLOCK,
    COMMA,
    COUNTED_AFTER,
    DASH,
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINAL,
    ORDINAL_DAY,
    ORDINAL_STARTS,
    PLAIN_YEAR,
    SHORT_YEAR_OF_DAY,
    SPACE,
    WEEKDAY,
    WEEKDAY_PREFIX,
    WEEKDAYS,
    YEAR_OF_GRACE,
    completed_year,
    digits,
    month,
    number,
    read_year,
    year_of_date,
)

_WEEKDAY_STARTS = frozenset(WEEKDAYS).union(*WEEKDAY_FORMS.values())
_ROMAN_MONTHS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_DAY_STARTS = ORDINAL_STARTS | _WEEKDAY_STARTS
_MONTH_STARTS = frozenset(MONTHS) | _WEEKDAY_STARTS | {"9", "99"}
_OF = rf"(?:{SPACE}(?:day{SPACE})?of(?:{SPACE}(?:the{SPACE}month{SPACE}of|this))?)?"
_DAY = rf"(?P<day>{DAY_OF_MONTH}|{ORDINAL}(?={SPACE}(?:day{SPACE})?of{SPACE}))"
_DAY_MONTH = rf"{WEEKDAY_PREFIX}{_DAY}(?:(?<=[a-z])\.)?{_OF}(?:{SPACE}|[-/])(?P<month>{MONTH})"
_MONTH_BEFORE = rf"{WEEKDAY_PREFIX}(?P<month>{MONTH})(?:{SPACE}|-)(?:(?:the|ye){SPACE})?"
_CALENDAR = (
    rf"(?:,?{SPACE}?(?:\((?:(?P<julian>O\.?[ ]?S\.?|old[ -]style|julian(?:{SPACE}calendar)?)"
    rf"|N\.?[ ]?S\.?|new[ -]style|gregorian(?:{SPACE}calendar)?)\)|(?-i:(?P<os>O\.[ ]?S\.)|N\.[ ]?S\.)"
    rf"|(?P<old>old[ -]style)\b|new[ -]style\b))"
)
"""A mark of the calendar behind a date."""
_YEAR_AFTER = (
    rf"(?:(?:{COMMA})?{SPACE}(?:(?:(?:of|in)(?:{SPACE}the{SPACE}year)?|in{SPACE}the{SPACE}{YEAR_OF_GRACE}|{CLOCK}(?:{SPACE}(?-i:[A-Z]{{3,4}}))?){SPACE})?|[-/]){year_of_date()}"
    rf"(?:/(?P<new_style>[0-9]{{1,4}})(?![0-9/]))?{_CALENDAR}?"
)

_ENDED = rf"(?!/|{SPACE}[a-z])"
"""Text after a full date that no rule can include in a longer match."""


def _full(match: re.Match[str], _anchors: Anchors) -> Dates:
    """A day of a year; in "3 February 1712/13" the later year counts from 1 January."""
    day, year_number = number(match["day"]) or 0, read_year(match)
    has_style = "new_style" in match.re.groupindex and match["new_style"] is not None
    if has_style and str(year_number + 1).endswith(match["new_style"]):
        year_number += 1
    return (_of_calendar(match, year_number, month(match["month"]), day),)


def _of_calendar(match: re.Match[str], year: int, month_number: int, day: int) -> Interval:
    """A day, which a mark behind it may place in the Julian calendar."""
    groups = match.groupdict()
    if groups.get("julian") or groups.get("os") or groups.get("old"):
        day += julian_lag(year if month_number > 2 else year - 1)
        first = day_number(year, month_number)
        return day_interval(first + day - 1)
    return day_interval(day_number(year, month_number, day))


def _elided(match: re.Match[str], anchors: Anchors) -> Dates:
    day = number(match["day"]) or 0
    return _in_nearest_year(month(match["month"]), day, anchors)


def _in_nearest_year(month_number: int, day: int, anchors: Anchors) -> Dates:
    date = nearest_year(lambda year: day_interval(day_number(year, month_number, day)), anchors)
    return () if date is None else (date,)


def _iso_week(match: re.Match[str], _anchors: Anchors) -> Dates:
    week = iso_week(int(match["y"]), int(match["week"] or match["n"]))
    if match["weekday"] is None or week.start is None:
        return (week,)
    return (day_interval(week.start + int(match["weekday"]) - 1),)


_OF_VERSION = Pattern(r"\b(?:versions?|releases?|builds?|firmware|ver\.?|ip(?:[ ]address)?)[ ]\Z")
"""Text before a number in points that counts versions or addresses."""


def _in_figures(match: re.Match[str], anchors: Anchors) -> Dates | None:
    """A numeric date: day first with full stops, else in the order of the conventions."""
    if match["mark"] == "." and _OF_VERSION.search(match.string, max(0, match.start() - 16), match.start()):
        return None
    first, second = int(match["first"]), int(match["second"])
    day_first = anchors.conventions.day_first or match["mark"] == "."
    if first > 12 or (second <= 12 and day_first):
        first, second = second, first
    return (day_interval(day_number(completed_year(match["y"]), first, second)),)


_IN_POINTS = r"(?P<d{n}>[0-3]?[0-9])\.(?P<m{n}>0?[1-9]|1[0-2])\.(?P<y{n}>[0-9]{{2}})"


def _days_in_points(match: re.Match[str], _anchors: Anchors) -> Dates:
    first, last = (
        day_interval(day_number(completed_year(match[f"y{n}"]), int(match[f"m{n}"]), int(match[f"d{n}"])))
        for n in (1, 2)
    )
    return first, last


def _with_roman_month(match: re.Match[str], _anchors: Anchors) -> Dates:
    month_number = _ROMAN_MONTHS.index(match["month"].lower()) + 1
    return (day_interval(day_number(completed_year(match["y"]), month_number, int(match["day"]))),)


def _weekday_and_day(match: re.Match[str], anchors: Anchors) -> Dates:
    """The day in the nearest month in which it has the weekday, on the side that the sentence looks to."""
    reference = anchors.reference
    if reference is None:
        return ()
    year_number, month_number, _ = civil(reference)
    wanted, day = WEEKDAYS[match["weekday"].lower()], number(match["day"]) or 0
    sign = 1 if anchors.ahead > 0 else -1
    for distance in (0, 1, -1, 2, -2, 3, 4, 5, 6):
        years, index = divmod(month_number - 1 + sign * distance, 12)
        year = year_number + years
        if day <= days_in_month(year, index + 1):
            candidate = day_number(year, index + 1, day)
            if weekday(candidate) == wanted:
                return (day_interval(candidate),)
    return ()


def _day_of_running_month(match: re.Match[str], anchors: Anchors) -> Dates:
    bound = anchors.not_before or anchors.not_after
    reference = anchors.reference if bound is None else bound.start
    if reference is None:
        return ()
    year_number, month_number, _ = civil(reference)
    return (day_interval(day_number(year_number, month_number, digits(match[0]))),)


def _day_of_diary(match: re.Match[str], anchors: Anchors) -> Dates | None:
    """The next such day from the last day named on; no time without one."""
    if anchors.day is None or anchors.day.start is None:
        return None
    year_number, month_number, last = civil(anchors.day.start)
    day = digits(match[0])
    if day < last:
        year_number, month_number = year_number + month_number // 12, month_number % 12 + 1
    return (day_interval(day_number(year_number, month_number, day)),)


_STEPS = {"following": 1, "next": 1, "previous": -1, "preceding": -1}


def _day_of_that_month(match: re.Match[str], anchors: Anchors) -> Dates:
    if anchors.reference is None:
        return ()
    step = _STEPS.get((match["step"] or "").lower(), 0)
    whole = shifted(granule(anchors.reference, Granularity.MONTH), step, Granularity.MONTH)
    return (day_interval(day_number(*civil(whole.start or 0)[:2], number(match["day"]) or 0)),)


RULES: tuple[Rule, ...] = (
    rule(
        "iso-week",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR})(?:-?w(?P<week>[0-5][0-9])(?:-?(?P<weekday>[1-7]))?|,?{SPACE}week{SPACE}(?P<n>[0-5]?[0-9]))"
        r"(?![0-9a-z])",
        _iso_week,
        ("2013-W07", "2013-02-11 2013-02-18"),
        ("2013-W07-3", "2013-02-13 2013-02-14"),
        ("2019, week 12", "2019-03-18 2019-03-25"),
    ),
    rule(
        "week-of-year",
        {"week", "wk", "cw", "kw", "calendar", "iso"},
        rf"(?:(?:calendar|iso){SPACE})?(?:week|wk|[ck]w)\.?{SPACE}?(?P<n>[0-5]?[0-9])(?:,?{SPACE}|/)(?P<y>{PLAIN_YEAR})",
        lambda match, _anchors: (iso_week(int(match["y"]), int(match["n"])),),
        ("calendar week 3, 2027", "2027-01-18 2027-01-25"),
        ("wk 23/2012", "2012-06-04 2012-06-11"),
        ("week 12 2019", "2019-03-18 2019-03-25"),
    ),
    rule(
        "day-in-figures",
        {"9", "99"},
        rf"(?P<first>[0-9]{{1,2}})(?P<mark>[-/.])(?P<second>[0-9]{{1,2}})(?P=mark)(?P<y>{PLAIN_YEAR})",
        _in_figures,
        ("10/31/1974", "1974-10-31 1974-11-01"),
        ("31.10.1974", "1974-10-31 1974-11-01"),
        confidence=0.9,
        veto=r"\.[0-9]",
        settled=_ENDED,
    ),
    rule(
        "days-in-points-short-year",
        {"9", "99"},
        rf"{_IN_POINTS.format(n=1)}(?:{DASH}|{SPACE}(?:to|until|and){SPACE}){_IN_POINTS.format(n=2)}(?![0-9a-z]|\.[0-9])",
        _days_in_points,
        ("1.1.76-31.3.76", "1976-01-01 1976-04-01"),
        confidence=0.8,
        names_range=True,
    ),
    rule(
        "day-and-roman-month",
        {"9", "99"},
        rf"(?P<day>[0-3]?[0-9])(?P<mark>[-/.])[ ]?(?P<month>"
        rf"(?-i:{'|'.join(_ROMAN_MONTHS)}|{'|'.join(_ROMAN_MONTHS).upper()}))"
        rf"(?P=mark)[ ]?(?P<y>{PLAIN_YEAR}|[0-9]{{2}}(?![0-9]))",
        _with_roman_month,
        ("14.xi.1930", "1930-11-14 1930-11-15"),
        ("3/iv/58", "1958-04-03 1958-04-04"),
        ("1. V. 1921", "1921-05-01 1921-05-02"),
        confidence=0.95,
    ),
    rule(
        "day-month-year",
        _DAY_STARTS,
        _DAY_MONTH + _YEAR_AFTER,
        _full,
        ("8 February 1904", "1904-02-08 1904-02-09"),
        ("3rd of May 2019", "2019-05-03 2019-05-04"),
        ("fourth of July, 1776", "1776-07-04 1776-07-05"),
        ("twenty-third of February 1940", "1940-02-23 1940-02-24"),
        ("5 Sept. 2001", "2001-09-05 2001-09-06"),
        ("15 March 44 BCE", "-0043-03-15 -0043-03-16"),
        ("Tuesday, 11 September 2001", "2001-09-11 2001-09-12"),
        ("31 January 876", "0876-01-31 0876-02-01"),
        ("3 Feb '94", "1994-02-03 1994-02-04"),
        ("3 Feb 1712/13", "1713-02-03 1713-02-04"),
        ("29th of 9ber 1688", "1688-11-29 1688-11-30"),
        ("3d of Septr 1783", "1783-09-03 1783-09-04"),
        ("fifth day of November, in the year of our Lord 1605", "1605-11-05 1605-11-06"),
        ("3 May nineteen forty", "1940-05-03 1940-05-04"),
        ("5 November 1688 (O.S.)", "1688-11-15 1688-11-16"),
        ("30 January 1649 Old Style", "1649-02-09 1649-02-10"),
        ("15 November 1688 N.S.", "1688-11-15 1688-11-16"),
        ("31 February 2020", ""),
        settled=_ENDED,
    ),
    rule(
        "day-month-short-year",
        _DAY_STARTS,
        rf"{_DAY_MONTH}(?:{SPACE}|-)(?P<y>{SHORT_YEAR_OF_DAY})",
        _full,
        ("17 SEP 44", "1944-09-17 1944-09-18"),
        ("03-Feb-94", "1994-02-03 1994-02-04"),
        confidence=0.85,
    ),
    rule(
        "month-day-year",
        _MONTH_STARTS,
        rf"{_MONTH_BEFORE}(?P<day>{DAY_OF_MONTH}|{ORDINAL}){_YEAR_AFTER}",
        _full,
        ("February 8, 1904", "1904-02-08 1904-02-09"),
        ("9ber 29, 1688", "1688-11-29 1688-11-30"),
        ("Septr 12th 1788", "1788-09-12 1788-09-13"),
        ("Mon, Sept. 3 2001", "2001-09-03 2001-09-04"),
        ("January first, 2000", "2000-01-01 2000-01-02"),
        ("July the fourth 1776", "1776-07-04 1776-07-05"),
        ("Sun Oct 16 10:57:02 2016", "2016-10-16 2016-10-17"),
        ("February 30, 2020", ""),
        settled=_ENDED,
    ),
    rule(
        "month-glued-day-year",
        MONTHS,
        rf"(?P<month>[a-z]{{3,9}})(?P<day>{DAY_OF_MONTH}){_YEAR_AFTER}",
        _full,
        ("Dec31, 1994", "1994-12-31 1995-01-01"),
        confidence=0.9,
    ),
    rule(
        "month-spelt-day",
        MONTHS,
        rf"(?P<month>{MONTH}){SPACE}(?:the{SPACE})?(?P<day>{ORDINAL})",
        _elided,
        ("January first", "1916-01-01 1916-01-02"),
        ("July the fourth", "1916-07-04 1916-07-05"),
        kind=ExpressionKind.ANCHORED,
        lacks_year=True,
        lies_in=Granularity.YEAR,
        confidence=0.8,
        veto=COUNTED_AFTER,
    ),
    rule(
        "weekday-day-of-running-month",
        _WEEKDAY_STARTS,
        rf"(?P<weekday>{WEEKDAY})(?:{COMMA})?{SPACE}(?:the{SPACE})?(?P<day>{ORDINAL_DAY}|{ORDINAL})",
        _weekday_and_day,
        ("Tuesday the 29th", "1916-02-29 1916-03-01"),
        ("Friday 21st", "1916-01-21 1916-01-22"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        veto=rf"{SPACE}(?:of|{MONTH})|{SPACE}[a-z]+{SPACE}of\b",
    ),
    rule(
        "day-in-figures-short-year",
        {"9", "99"},
        r"(?P<first>[0-9]{1,2})(?P<mark>/)(?P<second>[0-9]{1,2})/(?P<y>[0-9]{2})(?![0-9/])",
        _in_figures,
        ("9/11/01", "2001-09-11 2001-09-12"),
        ("23/08/89", "1989-08-23 1989-08-24"),
        confidence=0.8,
        doubt=Doubt.REFERENCE,
    ),
    rule(
        "day-in-points-short-year",
        {"9", "99"},
        r"(?P<first>[0-9]{1,2})(?P<mark>[-.])(?P<second>0?[1-9]|1[0-2])(?P=mark)(?P<y>[0-9]{2})(?![0-9a-z]|[-.][0-9])",
        _in_figures,
        ("14.2.76", "1976-02-14 1976-02-15"),
        confidence=0.7,
        cue=rf"\b(?:on|dated?|dtd|d\.?o\.?b|born|died|w\.?e\.?f|eff(?:ective)?|due|paid|issued|signed|sent|rec'?d|received|delivered|posted|inst|{WEEKDAY}|[wymqp]/[ecb]|[wymqp]\.[ecb]|ended|ending|commencing|beginning"
        rf"|expires?)[.:,]?{SPACE}(?:the{SPACE})?",
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
        "day-month",
        _DAY_STARTS,
        _DAY_MONTH,
        _elided,
        ("8 March", "1916-03-08 1916-03-09"),
        ("3rd of May", "1916-05-03 1916-05-04"),
        ("fourth of July", "1916-07-04 1916-07-05"),
        ("Friday 3 March", "1916-03-03 1916-03-04"),
        ("31 February", ""),
        kind=ExpressionKind.ANCHORED,
        lacks_year=True,
        lies_in=Granularity.YEAR,
        confidence=0.85,
    ),
    rule(
        "month-day",
        _MONTH_STARTS,
        rf"{_MONTH_BEFORE}(?P<day>{DAY_OF_MONTH})",
        _elided,
        ("March 8", "1916-03-08 1916-03-09"),
        ("Sept. 3rd", "1916-09-03 1916-09-04"),
        kind=ExpressionKind.ANCHORED,
        lacks_year=True,
        lies_in=Granularity.YEAR,
        confidence=0.85,
    ),
    rule(
        "day-of-that-month",
        _DAY_STARTS,
        rf"(?P<day>{ORDINAL}){SPACE}(?:day{SPACE})?of{SPACE}(?:that(?:{SPACE}same)?"
        rf"|the{SPACE}(?P<step>same|said|following|next|previous|preceding)){SPACE}month\b",
        _day_of_that_month,
        ("17th of that month", "1916-02-17 1916-02-18"),
        ("3rd of the following month", "1916-03-03 1916-03-04"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.7,
    ),
    rule(
        "day-of-running-month",
        {"9", "99"},
        ORDINAL_DAY,
        _day_of_running_month,
        ("14th", "1916-02-14 1916-02-15"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.6,
        cue=rf"\b(?:on|until|till|by|since|(?:morning|afternoon|evening|night|hours|dawn|letter|note|e-?mail|message|order|favou?r){SPACE}of){SPACE}the{SPACE}",
        veto=rf"{COUNTED_AFTER}|-[a-z]",
    ),
    rule(
        "day-of-diary",
        {"9", "99"},
        ORDINAL_DAY,
        _day_of_diary,
        ("23rd", "1916-02-23 1916-02-24"),
        ("1st", "1916-03-01 1916-03-02"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.6,
        cue=rf"[.!?]{SPACE}",
        veto=rf"(?!\.{SPACE}(?-i:[A-Z]))",
    ),
)
IN_FIGURES = frozenset(rule.name for rule in RULES if rule.build is _in_figures)
"""Names of the rules for dates whose order of day and month depends on the conventions."""
