"""Years that begin elsewhere than in January: fiscal, academic and sporting ones."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import add_months, day_number
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    DASH,
    PLAIN_YEAR,
    SPACE,
    completed_figures,
    completed_year,
)

_FISCAL = ("fiscal", "financial", "fy", "tax", "budget", "accounting")
_FIRST_MONTHS = dict.fromkeys(_FISCAL, 4)
_FIRST_MONTHS |= {"academic": 9, "school": 9, "ay": 9, "season": 7, "seasons": 7, "campaign": 7}
"""First month of years that span two calendar years, by kind."""

_KIND_OF_YEAR = (
    rf"(?:fy|(?-i:AY)|(?:fiscal|financial)(?:{SPACE}years?)?|(?:tax|budget|accounting|academic|school){SPACE}years?"
    rf"|(?:academic|school){SPACE}session)"
)


def _split_year(match: re.Match[str], anchors: Anchors) -> Dates:
    """A year, such as a fiscal or academic one, that spans two calendar years."""
    first_year, name = completed_year(match["y"]), (match["kind"] or match["named"]).lower().split()[0]
    if completed_figures(match["last"], first_year) != first_year + 1:
        raise ValueError("a year that two calendar years share lies in two that follow each other")
    first_month = _FIRST_MONTHS[name]
    if name in _FISCAL and anchors.conventions.fiscal_year_first_month > 1:
        first_month = anchors.conventions.fiscal_year_first_month
    first = day_number(first_year, first_month)
    return (Interval(first, add_months(first, 12), Granularity.YEAR),)


def _fiscal_year(match: re.Match[str], anchors: Anchors) -> Dates:
    return (fiscal_year(completed_year(match["y"] or match["year"]), anchors.conventions),)


def fiscal_year(year_number: int, conventions: Conventions) -> Interval:
    """A fiscal year by the calendar year it ends in."""
    first_month = conventions.fiscal_year_first_month
    first = day_number(year_number if first_month == 1 else year_number - 1, first_month)
    return Interval(first, add_months(first, 12), Granularity.YEAR)


RULES: tuple[Rule, ...] = (
    rule(
        "split-year",
        {"99", "9999", *_FISCAL, "academic", "school", "ay", "season"},
        rf"(?:(?P<kind>{_KIND_OF_YEAR}|season(?:{SPACE}of)?){SPACE}?)?(?P<y>{PLAIN_YEAR}|{APOSTROPHE}?[0-9]{{2}}(?![0-9]))"
        rf"(?:{DASH}|/)(?P<last>[0-9]{{4}}|[0-9]{{1,2}})(?![0-9])(?(kind)|{SPACE}(?:[a-z]{{3,12}}{SPACE})?(?P<named>{_KIND_OF_YEAR}|seasons?|campaign)\b)",
        _split_year,
        ("2013\u201314 season", "2013-07-01 2014-07-01"),
        ("2007\u20138 season", "2007-07-01 2008-07-01"),
        ("FY 2018-19", "2018-04-01 2019-04-01"),
        ("financial year 2010/11", "2010-04-01 2011-04-01"),
        ("2019/20 tax year", "2019-04-01 2020-04-01"),
        ("academic year 1999-2000", "1999-09-01 2000-09-01"),
        ("97/98 season", "1997-07-01 1998-07-01"),
        ("AY 2015-16", "2015-09-01 2016-09-01"),
        ("2011-15 season", ""),
    ),
    rule(
        "fiscal-year",
        {"9999", *_FISCAL},
        rf"(?:{_KIND_OF_YEAR}(?:{SPACE}(?:ended|ending|of|in))?{SPACE}?(?:fy)?{APOSTROPHE}?(?P<y>{PLAIN_YEAR}|[0-9]{{2}}(?![0-9]))"
        rf"|(?P<year>{PLAIN_YEAR}){SPACE}(?:fiscal|financial|tax|budget|accounting){SPACE}year\b)",
        _fiscal_year,
        ("fiscal year 2020", "2020-01-01 2021-01-01"),
        ("FY2020", "2020-01-01 2021-01-01"),
        ("FY 19", "2019-01-01 2020-01-01"),
        ("2019 tax year", "2019-01-01 2020-01-01"),
    ),
)
