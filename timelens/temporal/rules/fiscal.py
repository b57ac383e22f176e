"""Years that begin elsewhere than in January: fiscal, academic and sporting ones."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import Day, add_months, day_number, days_in_month
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    DASH,
    DAY_OF_MONTH,
    MONTH,
    PLAIN_YEAR,
    SPACE,
    completed_figures,
    completed_year,
    digits,
    month,
)

_FISCAL = ("fiscal", "financial", "fy", "tax", "budget", "accounting")
_FIRST_MONTHS = dict.fromkeys(_FISCAL, 4)
_FIRST_MONTHS |= {"academic": 9, "school": 9, "ay": 9, "season": 7, "seasons": 7, "campaign": 7}
"""First month of years that span two calendar years, by kind."""
_FIRST_DAYS = dict.fromkeys(("federal", "us", "american"), (10, 1))
_FIRST_DAYS |= dict.fromkeys(("uk", "british", "hmrc"), (4, 6))
_FIRST_DAYS |= {"australian": (7, 1), "indian": (4, 1), "canadian": (4, 1)}
"""First month and day of the fiscal years of countries, which are named by the year they end in."""

_WHOSE = (
    rf"(?:(?P<whose>federal|u\.?s\.?|american|uk|u\.k\.|british|hmrc|australian|indian|canadian)"
    rf"(?:{SPACE}(?:federal|government)(?:['’]s)?)*{SPACE})?"
)
_STATED = (
    rf"(?:,?{SPACE}(?:\((?:from{SPACE})?(?P<opens>{MONTH})(?:{DASH}|{SPACE}(?:to|through|until){SPACE}){MONTH}\)"
    rf"|(?:\((?:(?:year{SPACE})?which{SPACE}|year{SPACE})?|which{SPACE})(?P<verb>ended|ending|ends|began|begins|beginning|started|starting)"
    rf"{SPACE}(?:(?:on|in){SPACE})?(?:the{SPACE})?(?:(?P<day>{DAY_OF_MONTH}){SPACE}(?:of{SPACE})?)?(?P<month>{MONTH})"
    rf"(?:{SPACE}(?P<late>{DAY_OF_MONTH}))?(?:,?{SPACE}(?P<in>{PLAIN_YEAR}))?\)?))?"
)
"""Where a year begins or ends, said behind it: "(October to September)", "which ended 30 June"."""
_KIND_OF_YEAR = (
    rf"(?:fy|(?-i:AY)|(?:fiscal|financial)(?:{SPACE}years?)?|(?:tax|budget|accounting|academic|school){SPACE}years?"
    rf"|(?:academic|school){SPACE}session)"
)


def _year_from(match: re.Match[str], ends_in: int, month_number: int) -> Interval:
    """The year that ends in a calendar year, from the first day that the text states, else of a month."""
    groups = match.groupdict()
    if groups["month"]:
        first = _stated(groups, ends_in)
    else:
        day = 1
        if groups["opens"]:
            month_number = month(groups["opens"])
        elif groups["whose"]:
            month_number, day = _FIRST_DAYS[groups["whose"].lower().replace(".", "")]
        first = day_number(ends_in if month_number == 1 else ends_in - 1, month_number, day)
    return Interval(first, add_months(first, 12), Granularity.YEAR)


def _stated(groups: dict[str, str | None], ends_in: int) -> Day:
    """The first day of a year of which the text says when it begins or ends."""
    month_number, day = month(groups["month"] or ""), digits(groups["day"] or groups["late"] or "0")
    if (groups["verb"] or "").startswith("end"):
        year = int(groups["in"] or ends_in)
        return add_months(day_number(year, month_number, day or days_in_month(year, month_number)) + 1, -12)
    return day_number(int(groups["in"] or ends_in - (month_number > 1)), month_number, day or 1)


def _split_year(match: re.Match[str], anchors: Anchors) -> Dates:
    """A year, such as a fiscal or academic one, that spans two calendar years."""
    first_year, name = completed_year(match["y"]), (match["kind"] or match["named"]).lower().split()[0]
    if completed_figures(match["last"], first_year) != first_year + 1:
        raise ValueError("a year that two calendar years share lies in two that follow each other")
    first_month = _FIRST_MONTHS[name]
    if name in _FISCAL and anchors.conventions.fiscal_year_first_month > 1:
        first_month = anchors.conventions.fiscal_year_first_month
    return (_year_from(match, first_year + 1, first_month),)


def _fiscal_year(match: re.Match[str], anchors: Anchors) -> Dates:
    ends_in = completed_year(match["y"] or match["year"])
    return (_year_from(match, ends_in, anchors.conventions.fiscal_year_first_month),)


_STARTS = frozenset({"99", "9999", *_FISCAL, *_FIRST_DAYS, "u"})

RULES: tuple[Rule, ...] = (
    rule(
        "split-year",
        _STARTS | {"academic", "school", "ay", "season"},
        rf"{_WHOSE}(?:(?P<kind>{_KIND_OF_YEAR}|season(?:{SPACE}of)?){SPACE}?)?(?P<y>{PLAIN_YEAR}|{APOSTROPHE}?[0-9]{{2}}(?![0-9]))"
        rf"(?:{DASH}|/)(?P<last>[0-9]{{4}}|[0-9]{{1,2}})(?![0-9])(?(kind)|{SPACE}(?:[a-z]{{2,12}}{SPACE})?(?P<named>{_KIND_OF_YEAR}|seasons?|campaign)\b){_STATED}",
        _split_year,
        ("2013\u201314 season", "2013-07-01 2014-07-01"),
        ("2007\u20138 season", "2007-07-01 2008-07-01"),
        ("FY 2018-19", "2018-04-01 2019-04-01"),
        ("financial year 2010/11", "2010-04-01 2011-04-01"),
        ("2019/20 tax year", "2019-04-01 2020-04-01"),
        ("UK tax year 2019/20", "2019-04-06 2020-04-06"),
        ("FY 2018-19 (July to June)", "2018-07-01 2019-07-01"),
        ("academic year 1999-2000", "1999-09-01 2000-09-01"),
        ("97/98 season", "1997-07-01 1998-07-01"),
        ("AY 2015-16", "2015-09-01 2016-09-01"),
        ("2011-15 season", ""),
    ),
    rule(
        "fiscal-year",
        _STARTS - {"99"},
        rf"{_WHOSE}(?:{_KIND_OF_YEAR}(?:{SPACE}(?:ended|ending|of|in))?{SPACE}?(?:fy)?{APOSTROPHE}?(?P<y>{PLAIN_YEAR}|[0-9]{{2}}(?![0-9]|{SPACE}{MONTH}))"
        rf"|(?P<year>{PLAIN_YEAR}){SPACE}(?:fiscal|financial|tax|budget|accounting){SPACE}year\b){_STATED}",
        _fiscal_year,
        ("fiscal year 2020", "2020-01-01 2021-01-01"),
        ("FY2020", "2020-01-01 2021-01-01"),
        ("FY 19", "2019-01-01 2020-01-01"),
        ("2019 tax year", "2019-01-01 2020-01-01"),
        ("federal fiscal year 2015", "2014-10-01 2015-10-01"),
        ("U.S. government fiscal year 2015", "2014-10-01 2015-10-01"),
        ("FY2015 (October to September)", "2014-10-01 2015-10-01"),
        ("fiscal 2019, which ended 30 September", "2018-10-01 2019-10-01"),
        ("fiscal 2019 (ended June 30, 2019)", "2018-07-01 2019-07-01"),
        ("FY2016 (beginning 1 July 2015)", "2015-07-01 2016-07-01"),
    ),
)
