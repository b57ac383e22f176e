"""Months and multiples: month and year, months without a year, quarters, halves, seasons."""

import re

from timelens.lexicon import ordinals
from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import add_months, civil, day_number
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval, month_interval
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    COMMA,
    COUNTED_AFTER,
    DASH,
    MONTH,
    MONTHS,
    ORDINAL,
    PLAIN_YEAR,
    SEASON,
    SEASONS,
    SPACE,
    YEAR_OF_GRACE,
    completed_year,
    month,
    number,
    read_year,
    year,
    year_of_date,
)

_SHORT_YEAR = (
    rf"(?:fy|fiscal{SPACE}(?:year{SPACE})?)?(?:(?P<y>{PLAIN_YEAR})|{APOSTROPHE}?(?P<yy>[0-9]{{2}})(?![0-9]))"
)
FALL_AS_VERB = rf"{SPACE}(?:of|under|in|into|within|on|to|below|outside|from|short|apart|over|back)\b"
_A_MARCH = (
    r"(?<!\bin )(?<!\bof )(?<!\bby )(?<!\bfrom )(?<!\bsince )(?<!\buntil )(?<!\bearly )(?<!\blate )"
    rf"(?-i:march){SPACE}of\b"
)
"""The noun in small letters, as in "the march of 1963"."""
_PERIOD = rf"(?P<letter>q|h)(?:(?:uarter|alf){SPACE})?(?P<n>[1-4])"
_PERIOD_REVERSED = r"(?P<n>[1-4])(?P<letter>q|h)"


def months_from(year_number: int, first_month: int, months: int, granularity: Granularity) -> Interval:
    """Consecutive months from ``first_month`` (1..12) of a year, possibly into the next year."""
    first = day_number(year_number, first_month)
    return Interval(first, add_months(first, months), granularity)


def season_interval(year_number: int, season: str, conventions: Conventions) -> Interval:
    """A season by the year it starts in: the northern winter of 1941 is December 1941 to February 1942."""
    first_month = SEASONS[season.lower()]
    if conventions.southern:
        first_month = (first_month + 5) % 12 + 1
    return months_from(year_number, first_month, 3, Granularity.SEASON)


def part_of_year(year_number: int, letter: str, index: int) -> Interval:
    """Quarter 1..4 (letter q) or half 1..2 (letter h) of a year.

    Raises:
        ValueError: no such part.
    """
    if letter.lower() == "q":
        if not 1 <= index <= 4:
            raise ValueError(f"quarter {index} does not exist")
        return months_from(year_number, 3 * index - 2, 3, Granularity.QUARTER)
    return months_from(year_number, 6 * index - 5, 6, Granularity.HALF)


def _month_of_year(match: re.Match[str], _anchors: Anchors) -> Dates:
    """A month of a year; in "Feb. 1688/9" the later year counts from January."""
    year_number, new_style = read_year(match), match.groupdict().get("new_style")
    later = new_style is not None and str(year_number + 1).endswith(new_style)
    return (month_interval(year_number + later, month(match["month"])),)


def _elided_month(match: re.Match[str], anchors: Anchors) -> Dates:
    number_of_month = month(match[0])
    date = nearest_year(lambda year_number: month_interval(year_number, number_of_month), anchors)
    return () if date is None else (date,)


def _period(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (part_of_year(_short_year(match), match["letter"], int(match["n"])),)


def _short_year(match: re.Match[str]) -> int:
    return completed_year(match["y"] or match["yy"] or match["fiscal"])


def _season_of_year(match: re.Match[str], anchors: Anchors) -> Dates:
    return (season_interval(int(match["y"]), match["season"], anchors.conventions),)


def _elided_period(match: re.Match[str], anchors: Anchors) -> Dates:
    index = number(match["n"])
    if index is None or anchors.reference is None:
        return ()
    return (part_of_year(civil(anchors.reference)[0], match["letter"][0], index),)


def _elided_season(match: re.Match[str], anchors: Anchors) -> Dates:
    date = nearest_year(
        lambda year_number: season_interval(year_number, match[0].split()[0], anchors.conventions), anchors
    )
    return () if date is None else (date,)


RULES: tuple[Rule, ...] = (
    rule(
        "month-year",
        frozenset(MONTHS) | {"9", "99"},
        rf"(?!{_A_MARCH})(?P<month>{MONTH})(?:(?:{COMMA})?(?:{SPACE}(?:of|in))?(?:{SPACE}the{SPACE}(?:year|{YEAR_OF_GRACE}))?{SPACE}|[-/]){year_of_date()}(?:/(?P<new_style>[0-9]{{1,2}})(?![0-9/]))?",
        _month_of_year,
        ("May 2015", "2015-05-01 2015-06-01"),
        ("May 889", "0889-05-01 0889-06-01"),
        ("Nov 1842", "1842-11-01 1842-12-01"),
        ("February of 1940", "1940-02-01 1940-03-01"),
        ("April 480 BC", "-0479-04-01 -0479-05-01"),
        ("Feb '94", "1994-02-01 1994-03-01"),
        ("June nineteen thirty-six", "1936-06-01 1936-07-01"),
        ("8ber 1790", "1790-10-01 1790-11-01"),
        ("Xber 1701", "1701-12-01 1702-01-01"),
        ("Feb. 1688/9", "1689-02-01 1689-03-01"),
    ),
    rule(
        "month-short-year",
        MONTHS,
        rf"(?=(?-i:[A-Z]))(?P<month>[a-z]{{3,9}})\.?[ -]?(?P<yy>3[2-9]|[4-9][0-9])"
        rf"(?![a-z0-9%:/-]|[.,][0-9]|{COUNTED_AFTER})",
        _month_of_year,
        ("Jan98", "1998-01-01 1998-02-01"),
        ("Dec-98", "1998-12-01 1999-01-01"),
        confidence=0.8,
    ),
    rule(
        "year-month",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR}){SPACE}(?P<month>(?!(?:may|march|mar|jan)\b){MONTH})",
        _month_of_year,
        ("1973 June", "1973-06-01 1973-07-01"),
        ("1790 Octr", "1790-10-01 1790-11-01"),
        confidence=0.85,
        veto=rf"{SPACE}(?:[0-9]|(?:had|has|was|is|who|and{SPACE}(?:his|her))\b)",
    ),
    rule(
        "month",
        MONTHS,
        MONTH,
        _elided_month,
        ("October", "1916-10-01 1916-11-01"),
        ("Sept.", "1916-09-01 1916-10-01"),
        kind=ExpressionKind.ANCHORED,
        lacks_year=True,
        lies_in=Granularity.YEAR,
        confidence=0.8,
        doubt=Doubt.VERB,
    ),
    rule(
        "year-season",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR}){SPACE}(?P<season>winter|spring|summer|autumn)\b",
        _season_of_year,
        ("1914 summer", "1914-06-01 1914-09-01"),
        confidence=0.8,
        cue=rf"\b(?:the|early|late|mid){SPACE}",
        cue_reach=12,
        veto=rf"{SPACE}(?:olympic|paralympic|games|universiade|war\b)",
    ),
    rule(
        "quarter-or-half",
        {"q", "h", "quarter", "half"},
        rf"{_PERIOD}(?:(?:,|{SPACE}of)?{SPACE}|[-/])?{_SHORT_YEAR}",
        _period,
        ("Q3 2020", "2020-07-01 2020-10-01"),
        ("H2 2008", "2008-07-01 2009-01-01"),
        ("quarter 3 2020", "2020-07-01 2020-10-01"),
        ("Q3 FY2020", "2020-07-01 2020-10-01"),
        ("H3 2008", ""),
    ),
    rule(
        "quarter-of-no-year",
        {"q", "quarter"},
        rf"(?:quarter{SPACE}|(?<=\b(?:in|of|by) )q)(?P<n>[05-9])"
        rf"(?:(?:,|{SPACE}of)?{SPACE}|[-/])(?P<y>{PLAIN_YEAR})",
        lambda match, _anchors: (part_of_year(int(match["y"]), "q", int(match["n"])),),
        ("quarter 5 of 2020", ""),
    ),
    rule(
        "numbered-month",
        {"month"},
        rf"month{SPACE}(?P<n>[0-9]{{1,2}})(?:,?{SPACE}of)?{SPACE}(?P<y>{PLAIN_YEAR})",
        lambda match, _anchors: (month_interval(int(match["y"]), int(match["n"])),),
        ("month 3 of 2010", "2010-03-01 2010-04-01"),
        ("month 13 of 2010", ""),
    ),
    rule(
        "quarter-before-year",
        {"9"},
        rf"{_PERIOD_REVERSED}(?:{SPACE}|/)?{_SHORT_YEAR}",
        _period,
        ("4Q18", "2018-10-01 2019-01-01"),
        ("2H 2008", "2008-07-01 2009-01-01"),
    ),
    rule(
        "quarter-after-year",
        {"9999", "fy"},
        rf"(?:(?P<y>{PLAIN_YEAR})|fy{APOSTROPHE}?(?:(?P<fiscal>{PLAIN_YEAR})|(?P<yy>[0-9]{{2}})))(?:{SPACE}|{DASH}|/)?{_PERIOD}(?![0-9])",
        _period,
        ("2019 Q3", "2019-07-01 2019-10-01"),
        ("2019-Q3", "2019-07-01 2019-10-01"),
        ("FY21 Q3", "2021-07-01 2021-10-01"),
    ),
    rule(
        "quarter",
        {"q"},
        rf"{_PERIOD}(?![0-9a-z])",
        _elided_period,
        ("Q3", "1916-07-01 1916-10-01"),
        kind=ExpressionKind.ANCHORED,
        lies_in=Granularity.YEAR,
        confidence=0.7,
        cue=rf"\b(?:in|during|of|by|since|until|last|this|early|late){SPACE}",
    ),
    rule(
        "spelt-quarter",
        set(ordinals(1, 4)),
        rf"(?P<n>{ORDINAL})[ -](?P<letter>quarter|qtr)\b",
        _elided_period,
        ("second quarter", "1916-04-01 1916-07-01"),
        kind=ExpressionKind.ANCHORED,
        lies_in=Granularity.YEAR,
        confidence=0.7,
        cue=rf"\bthe{SPACE}",
        veto=rf"{SPACE}of\b",
    ),
    rule(
        "fall",
        {"fall"},
        r"fall\b",
        _elided_season,
        ("fall", "1916-09-01 1916-12-01"),
        kind=ExpressionKind.ANCHORED,
        lies_in=Granularity.YEAR,
        confidence=0.7,
        cue=rf"\b(?:(?:in|by|during|until|since|of){SPACE}the|that|this|early|late|mid|next|following){SPACE}",
        veto=FALL_AS_VERB,
    ),
    rule(
        "season",
        set(SEASONS) - {"fall"},
        rf"{SEASON}(?:{SPACE}months\b)?",
        _elided_season,
        ("summer", "1916-06-01 1916-09-01"),
        ("summer months", "1916-06-01 1916-09-01"),
        kind=ExpressionKind.ANCHORED,
        lies_in=Granularity.YEAR,
        confidence=0.7,
        doubt=Doubt.SPRING,
        cue=rf"\b(?:the|that|this|in|by|during|until|since|early|late|mid|next|following){SPACE}(?:the{SPACE})?",
        veto=rf"{SPACE}of\b(?!{SPACE}(?:{year()}))|{SPACE}(?:palace|olympics|games|school)\b",
    ),
)
