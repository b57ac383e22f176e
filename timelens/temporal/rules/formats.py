"""Technical formats: ISO 8601, military date-time groups, numeric months."""

import re
from fractions import Fraction
from math import floor

from timelens.temporal.anchoring import Anchors, shift_day
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, month_interval
from timelens.temporal.rules.rule import Dates, Doubt, Rule, rule
from timelens.temporal.vocabulary import MONTHS, PLAIN_YEAR, SPACE, completed_year, month

_ZONE = r"(?:z|[ ]?[+-][0-9]{2}:?[0-9]{2})?"
_TIME = rf"(?:[t ][0-2][0-9]:[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]{{1,9}})?)?{_ZONE})?"
_BASIC_TIME = rf"(?:t[0-2][0-9](?:[0-5][0-9](?:[0-6][0-9])?)?{_ZONE})?"
_MONTH_IN_GROUP = "|".join(name for name in MONTHS if len(name) == 3)


def _day(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (day_interval(day_number(int(match["y"]), int(match["month"]), int(match["day"]))),)


def _day_of_year(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    year, day = int(match["y"]), int(match["day"])
    last = day_number(year + 1) - day_number(year)
    return (day_interval(day_number(year) + day - 1),) if 1 <= day <= last else None


_JULIAN_DAYS = {"j": Fraction(4_881_175, 2), "m": Fraction(40_587)}
"""What Julian and modified Julian days count at the start of 1970-01-01; Julian days begin at noon."""


def _julian_day(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (day_interval(floor(Fraction(match["n"]) - _JULIAN_DAYS[match[0][0].lower()])),)


def _glued_day(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (day_interval(day_number(completed_year(match["y"]), month(match["month"]), int(match["day"]))),)


def _month_in_figures(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (month_interval(int(match["y"]), int(match["month"])),)


_UNITS = {"d": Granularity.DAY, "w": Granularity.WEEK, "m": Granularity.MONTH, "y": Granularity.YEAR}


def _period(match: re.Match[str], _anchors: Anchors) -> Dates:
    first = day_number(int(match["y"]), int(match["month"]), int(match["day"]))
    last = shift_day(first, int(match["n"]), _UNITS[match["unit"].lower()])
    return (Interval(first, last, Granularity.DAY),)


RULES: tuple[Rule, ...] = (
    rule(
        "iso-day",
        {"9999"},
        rf"(?P<y>[0-9]{{4}})([-/.])(?P<month>[0-9]{{2}})\2(?P<day>[0-9]{{2}})(?![0-9]){_TIME}",
        _day,
        ("2019-05-03", "2019-05-03 2019-05-04"),
        ("2019/05/03", "2019-05-03 2019-05-04"),
        ("2019-05-03T10:15:00.123+02:00", "2019-05-03 2019-05-04"),
        settled="(?!/)",
    ),
    rule(
        "iso-period",
        {"9999"},
        r"(?P<y>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})/p(?P<n>[0-9]{1,4})(?P<unit>[dwmy])(?![0-9a-z])",
        _period,
        ("2010-02-03/P10D", "2010-02-03 2010-02-13"),
        ("2010-02-03/P2M", "2010-02-03 2010-04-03"),
    ),
    rule(
        "iso-basic-day",
        {"9" * 8},
        rf"(?P<y>(?:19|20)[0-9]{{2}})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])(?![0-9]){_BASIC_TIME}",
        _day,
        ("20161016", "2016-10-16 2016-10-17"),
        ("20161016T101500Z", "2016-10-16 2016-10-17"),
        is_bare=True,
        confidence=0.8,
        doubt=Doubt.REFERENCE,
    ),
    rule(
        "iso-day-of-year",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR})-(?P<day>[0-3][0-9]{{2}})(?![0-9])",
        _day_of_year,
        ("2016-290", "2016-10-16 2016-10-17"),
        confidence=0.7,
        doubt=Doubt.REFERENCE,
    ),
    rule(
        "numbered-day",
        {"day", "doy", "julian"},
        rf"(?:(?:julian{SPACE})?day|doy|day{SPACE}of{SPACE}(?:the{SPACE})?year){SPACE}(?P<day>[0-3]?[0-9]{{1,2}})"
        rf"(?:,?{SPACE}(?:(?:of|in){SPACE}(?:the{SPACE}year{SPACE})?)?|/)(?P<y>{PLAIN_YEAR})",
        _day_of_year,
        ("day 123 of 2004", "2004-05-02 2004-05-03"),
        ("DOY 045/2011", "2011-02-14 2011-02-15"),
        ("Julian day 32, 2011", "2011-02-01 2011-02-02"),
        ("day of the year 60 of 2012", "2012-02-29 2012-03-01"),
        confidence=0.9,
    ),
    rule(
        "year-numbered-day",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR}),?{SPACE}(?:day(?:{SPACE}of{SPACE}year)?|doy){SPACE}(?P<day>[0-3]?[0-9]{{1,2}})(?![0-9])",
        _day_of_year,
        ("2004, day 123", "2004-05-02 2004-05-03"),
        ("2011 DOY 045", "2011-02-14 2011-02-15"),
        confidence=0.9,
    ),
    rule(
        "julian-day",
        {"jd", "mjd", "julian", "modified"},
        rf"(?:(?-i:JD|MJD)|(?:modified{SPACE})?julian{SPACE}(?:day|date)(?:{SPACE}number)?){SPACE}?"
        rf"(?P<n>(?<![0-9])(?:2[0-9]{{6}}|[3-6][0-9]{{4}})(?:\.[0-9]{{1,6}})?)(?![0-9])",
        _julian_day,
        ("JD 2451545", "2000-01-01 2000-01-02"),
        ("JD 2451544.5", "2000-01-01 2000-01-02"),
        ("MJD 51544", "2000-01-01 2000-01-02"),
        ("Julian date 2440587.4", "1969-12-31 1970-01-01"),
        confidence=0.9,
    ),
    rule(
        "glued-day",
        {"9", "99", "9" * 6},
        rf"(?P<day>[0-3]?[0-9])(?:[0-2][0-9][0-5][0-9](?:{SPACE}?[a-z])?{SPACE}?)?(?P<month>{_MONTH_IN_GROUP})"
        rf"{SPACE}?(?P<y>[0-9]{{4}}|[0-9]{{2}})(?![0-9a-z])",
        _glued_day,
        ("04MAR2009", "2009-03-04 2009-03-05"),
        ("031430ZOCT16", "2016-10-03 2016-10-04"),
        ("031430Z OCT 2016", "2016-10-03 2016-10-04"),
        confidence=0.95,
    ),
    rule(
        "month-in-figures",
        {"9", "99"},
        rf"(?P<month>0?[1-9]|1[0-2])/(?P<y>{PLAIN_YEAR})(?!/)",
        _month_in_figures,
        ("09/2016", "2016-09-01 2016-10-01"),
        confidence=0.8,
        doubt=Doubt.REFERENCE,
    ),
)
