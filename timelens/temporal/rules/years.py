"""Years and longer: eras, ranges of years, fiscal and sporting years, decades, centuries, millennia."""

import re

from timelens.lexicon import DECADES, ORDINALS
from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import Day, add_months, civil, day_number
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval, month_interval, year_interval
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    BCE,
    CARDINALS,
    CE,
    CENTURY_WORDS,
    CLAUSE_END,
    COUNTED_AFTER,
    DASH,
    DIGITS,
    ORDINAL,
    PLAIN_YEAR,
    SPACE,
    SPELT_YEAR,
    TENS,
    UNITS_IN_WORDS,
    USUAL_YEAR,
    YEAR_OF_GRACE,
    completed_figures,
    completed_year,
    digits,
    in_roman,
    number,
    read_year,
    spelt_year,
    year,
)

_FISCAL = ("fiscal", "financial", "fy", "tax", "budget", "accounting")
_FIRST_MONTHS = dict.fromkeys(_FISCAL, 4)
_FIRST_MONTHS |= {"academic": 9, "school": 9, "ay": 9, "season": 7, "seasons": 7, "campaign": 7}
"""First month of years that span two calendar years, by kind."""

_ORDINAL_STARTS = frozenset(ORDINALS) | {"twenty", "9", "99"}
_TO = rf"(?:{DASH}|{SPACE}(?:to|until|through){SPACE})"
_OF_OLD = 5
"""Years after the start of a decade from which its short name means it, not the one a century before."""
USUAL_DECADE = 1990
"""Reference year for decades with two digits if there is no anchor."""
_NO_AGE = "".join(rf"(?<!\b{whose} )" for whose in ("his", "her", "their", "my", "your", "our"))
_IN_WORDS = "|".join(DECADES)
_EPITHET = rf"(?:(?:roaring|swinging|hungry|naughty|gay|booming|dirty|fabulous){SPACE})?"
_KIND_OF_YEAR = (
    rf"(?:fy|(?-i:AY)|(?:fiscal|financial)(?:{SPACE}years?)?|(?:tax|budget|accounting|academic|school){SPACE}years?"
    rf"|(?:academic|school){SPACE}session)"
)
_EARLY = "[1-9][0-9]{2}"
"""A year with three digits."""
_GOES_ON = rf"(?!{SPACE}?(?:[,;?)](?![0-9])|\.(?:\s|$)|$))"
"""No end of a clause follows, so that the number before counts the next word."""


def decade_interval(first_year: int) -> Interval:
    """Ten years from an astronomical year."""
    return Interval(day_number(first_year), day_number(first_year + 10), Granularity.DECADE)


def century_interval(index: int, *, before_era: bool, years: int = 100) -> Interval:
    """The n-th century (millennium with ``years=1000``) AD or BC; they adjoin between 1 BC and 1 AD."""
    first_year = 1 - index * years if before_era else (index - 1) * years + 1
    granularity = Granularity.CENTURY if years == 100 else Granularity.MILLENNIUM
    return Interval(day_number(first_year), day_number(first_year + years), granularity)


def _year(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (year_interval(read_year(match)),)


def _early_years(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    first, last = digits(match["y"]), digits(match["last"])
    return (year_interval(first), year_interval(last)) if first < last else None


def _years_of_era(match: re.Match[str], _anchors: Anchors) -> Dates:
    first = digits(match["y"])
    return year_interval(first), year_interval(completed_figures(match["last"], first))


def _years(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    """A range of years if it ascends (2010-11), else a year and month (2019-05)."""
    first, last = digits(match["y"]), match["last"] or match["or"]
    if match["or"] is not None:
        return year_interval(first), year_interval(completed_figures(last, first))
    if len(last) == 2 and int(last) <= first % 100 and first % 100 < 90:
        return (month_interval(first, int(last)),) if 1 <= int(last) <= 12 else None
    return year_interval(first), year_interval(completed_figures(last, first))


def _circa(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (admitted(Relation.AROUND, year_interval(read_year(match))),)


def _spelt_year(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (year_interval(spelt_year(match[0])),)


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


def _elided_era(match: re.Match[str], anchors: Anchors) -> Dates | None:
    """A bare number as a year: BC if the narrative is, or AD as the end of a range that began early AD.

    It must be close enough: within 150 years of a BC date, less than 300 years after an AD one.
    """
    if (first := anchors.not_before) is not None and first.start is not None:
        begun = civil(first.start)[0]
        if 0 < begun < digits(match[0]) < min(begun + 300, 1000):
            return (year_interval(digits(match[0])),)
    bound = anchors.not_before or anchors.not_after or anchors.narrative
    if bound is None or bound.end is None or civil(bound.end - 1)[0] > 0:
        return None
    year_number = 1 - digits(match[0])
    return (year_interval(year_number),) if abs(year_number - civil(bound.end - 1)[0]) <= 150 else None


def _spelt_short_year(match: re.Match[str], anchors: Anchors) -> Dates:
    reference = USUAL_YEAR if anchors.reference is None else civil(anchors.reference)[0]
    return (year_interval(completed_year(str(number(match[0]) or 0), reference)),)


def _short_year(match: re.Match[str], anchors: Anchors) -> Dates:
    reference = USUAL_YEAR if anchors.reference is None else civil(anchors.reference)[0]
    return (year_interval(completed_year(match[0], reference)),)


def _short_years(match: re.Match[str], anchors: Anchors) -> Dates:
    reference = USUAL_YEAR if anchors.reference is None else civil(anchors.reference)[0]
    first = completed_year(match["y"], reference)
    return year_interval(first), year_interval(completed_figures(match["last"], first))


def _decade(match: re.Match[str], _anchors: Anchors) -> Dates:
    """A decade, or a century for "the 1800s"; "the 2000s" are read as a decade, as is usual."""
    first = digits(match["y"])
    if match["bc"] is not None:
        return (decade_interval(1 - first - 9),)
    if first % 100 == 0 and first < 2000:
        return (Interval(day_number(first), day_number(first + 100), Granularity.CENTURY),)
    return (decade_interval(first),)


def _short_decade(match: re.Match[str], anchors: Anchors) -> Dates:
    words = re.split(r"[\s-]+", match["decade"].lower())
    last_two = 10 if words[-1] in ("tens", "teens") else DECADES.get(words[-1]) or digits(words[-1])
    if last_two > 100:
        return (decade_interval(last_two),)
    if len(words) > 1:
        return (decade_interval(100 * CARDINALS[words[0]] + last_two),)
    reference = USUAL_DECADE if anchors.reference is None else civil(anchors.reference)[0]
    first = reference - reference % 100 + last_two
    if anchors.not_before is not None:
        return (decade_interval(first if first >= reference else first + 100),)
    latest = reference if anchors.creation is None else civil(anchors.creation)[0]
    if anchors.narrative is None:
        return (decade_interval(first if first + _OF_OLD <= latest else first - 100),)
    begun = [year for year in (first - 100, first, first + 100) if year <= max(latest, reference)]
    return (decade_interval(min(begun, key=lambda year: abs(year + 5 - reference))),)


_ROMAN = {in_roman(value): value for value in range(1, 2100)}
_CENTURIES = tuple(sorted((in_roman(value) for value in range(1, 22)), key=len, reverse=True))


def _roman_year(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    value = _ROMAN.get(match[0].lower())
    return None if value is None else (year_interval(value),)


_ITALIAN = ("trecento", "quattrocento", "cinquecento", "seicento", "settecento", "ottocento", "novecento")


def _spelt_hundreds(match: re.Match[str], _anchors: Anchors) -> Dates:
    first = 100 * CARDINALS[match["n"].lower()]
    return (Interval(day_number(first), day_number(first + 100), Granularity.CENTURY),)


def _century_in_letters(match: re.Match[str], _anchors: Anchors) -> Dates:
    ends = [century_interval(int(match[end]), before_era=False) for end in ("n", "last") if match[end]]
    return tuple(ends)


def _hijri_year(match: re.Match[str], _anchors: Anchors) -> Dates:
    """A year of the tabular Islamic calendar: 12 months of 30 and 29 days, 11 leap years in 30."""
    first = _first_of_hijri(int(match["first"] or match["last"]))
    return (Interval(first, _first_of_hijri(int(match["first"] or match["last"]) + 1), Granularity.YEAR),)


def _first_of_hijri(year_number: int) -> Day:
    return day_number(622, 7, 19) + 354 * (year_number - 1) + (11 * year_number + 3) // 30


def _century(match: re.Match[str], _anchors: Anchors) -> Dates:
    index = (
        _ROMAN.get(match["n"].lower().removesuffix("th").removesuffix("st"))
        or number(match["n"].replace(" ", "-"))
        or 0
    )
    years = 100 if match["unit"][0] in "cC" else 1000
    return (century_interval(index, before_era=match["bc"] is not None, years=years),)


RULES: tuple[Rule, ...] = (
    rule(
        "year",
        {"9999"},
        PLAIN_YEAR,
        lambda match, _anchors: (year_interval(int(match[0])),),
        ("2011", "2011-01-01 2012-01-01"),
        confidence=0.95,
        doubt=Doubt.QUANTITY,
        is_bare=True,
    ),
    rule(
        "year-of-era",
        DIGITS | {"99999", "999999", "ad", "a", "anno", "ce", "c"},
        year(plain="(?!)"),
        _year,
        ("AD 79", "0079-01-01 0080-01-01"),
        ("A. D. 79", "0079-01-01 0080-01-01"),
        ("Anno Domini 1650", "1650-01-01 1651-01-01"),
        ("44 before Christ", "-0043-01-01 -0042-01-01"),
        ("490 BC", "-0489-01-01 -0488-01-01"),
        ("800 CE", "0800-01-01 0801-01-01"),
        ("44000 BCE", "-43999-01-01 -43998-01-01"),
        ("12,500 BCE", "-12499-01-01 -12498-01-01"),
    ),
    rule(
        "years-of-era",
        {"ad", "a", "anno", "ce", "c"},
        rf"{CE}{SPACE}(?P<y>[0-9]{{1,4}})(?:{DASH}|/)(?P<last>[0-9]{{1,4}})(?![0-9])",
        _years_of_era,
        ("AD 43-410", "0043-01-01 0411-01-01"),
        names_range=True,
    ),
    rule(
        "circa-year",
        {"c", "ca", "abt"},
        rf"(?:ca?|abt)\.?{year()}",
        _circa,
        ("c.1490", "1489-01-01 1492-01-01"),
        ("ca.350 BC", "-0350-01-01 -0347-01-01"),
    ),
    rule(
        "named-year",
        {"year"},
        rf"(?:year{SPACE}(?P<bc>[0-9]{{1,4}}{SPACE}?{BCE})|{YEAR_OF_GRACE}{SPACE}(?:(?P<y>[0-9]{{3,4}})(?![0-9])|(?P<spelt>{SPELT_YEAR})))",
        _year,
        ("year 79 BC", "-0078-01-01 -0077-01-01"),
        ("year of our Lord 1342", "1342-01-01 1343-01-01"),
        ("year of grace thirteen hundred and forty-two", "1342-01-01 1343-01-01"),
    ),
    rule(
        "named-early-year",
        {"year"},
        rf"year{SPACE}(?P<y>{_EARLY})(?![0-9])",
        _year,
        ("year 814", "0814-01-01 0815-01-01"),
        confidence=0.95,
    ),
    rule(
        "spelt-year",
        CENTURY_WORDS,
        SPELT_YEAR,
        _spelt_year,
        ("nineteen thirty-six", "1936-01-01 1937-01-01"),
        ("two thousand and eight", "2008-01-01 2009-01-01"),
        ("nineteen hundred", "1900-01-01 1901-01-01"),
        ("eighteen-oh-four", "1804-01-01 1805-01-01"),
        ("nineteen nought five", "1905-01-01 1906-01-01"),
        ("one thousand eight hundred and fifteen", "1815-01-01 1816-01-01"),
        ("ten sixty-six", "1066-01-01 1067-01-01"),
        confidence=0.9,
        cue=rf"\b(?:in|since|until|till|by|from|to|of|or|before|after|year|and|between|circa|about|around|during|through"
        rf"|throughout|dated|early|late|mid|summer|autumn|fall|winter|spring){SPACE}(?:the{SPACE}year{SPACE})?",
        veto=rf"{SPACE}?[-a-z]*[a-z]s\b|{SPACE}(?:men|women|people|children|feet|million|and{SPACE}[0-9])\b|-",
    ),
    rule(
        "spelt-year-alone",
        CENTURY_WORDS,
        rf"{SPELT_YEAR}(?={CLAUSE_END}|{SPACE}?[?!])",
        _spelt_year,
        ("eighteen ninety-six", "1896-01-01 1897-01-01"),
        confidence=0.7,
        cue=rf"(?:[a-z],{SPACE}|\(|\n)",
    ),
    rule(
        "spelt-short-year",
        TENS,
        rf"(?:{'|'.join(TENS)})[- ](?:{UNITS_IN_WORDS})\b",
        _spelt_short_year,
        ("forty-five", "1845-01-01 1846-01-01"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.6,
        cue=rf"(?:(?<![a-z0-9]){APOSTROPHE}|\b(?:summer|winter|spring|autumn|fall){SPACE}of{SPACE}|\bback{SPACE}in{SPACE})",
        veto=rf"{APOSTROPHE}|{COUNTED_AFTER}",
    ),
    rule(
        "early-year",
        {"999"},
        rf"(?P<y>{_EARLY})(?![0-9])",
        _year,
        ("833", "0833-01-01 0834-01-01"),
        is_bare=True,
        confidence=0.7,
        cue=rf"\b(?:in|since|until|till){SPACE}",
        cue_reach=12,
        veto=_GOES_ON,
        doubt=Doubt.QUANTITY,
    ),
    rule(
        "early-years",
        {"999"},
        rf"(?P<y>{_EARLY}){_TO}(?P<last>{_EARLY})(?![0-9])",
        _early_years,
        ("887 to 899", "0887-01-01 0900-01-01"),
        confidence=0.7,
        cue=rf"\b(?-i:From){SPACE}",
        veto=_GOES_ON,
        names_range=True,
        doubt=Doubt.QUANTITY,
    ),
    rule(
        "years",
        {"9999"},
        rf"(?P<y>{PLAIN_YEAR})(?:(?:{DASH}|[/~])(?P<last>[0-9]{{4}}|[0-9]{{1,2}})(?![0-9])|{SPACE}or{SPACE}(?P<or>[0-9]{{2}})(?={CLAUSE_END}))",
        _years,
        ("2019-05", "2019-05-01 2019-06-01"),
        ("2014\u201316", "2014-01-01 2017-01-01"),
        ("1914-1918", "1914-01-01 1919-01-01"),
        ("1939/40", "1939-01-01 1941-01-01"),
        ("1890\u20134", "1890-01-01 1895-01-01"),
        ("1999\u201300", "1999-01-01 2001-01-01"),
        ("1840 or 41", "1840-01-01 1842-01-01"),
        veto=rf"[-/.][0-9]|{SPACE}?{BCE}",
        settled=rf"(?!{SPACE}[a-z])",
        names_range=True,
        doubt=Doubt.QUANTITY,
    ),
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
    rule(
        "year-of-running-era",
        {"99", "999", "9999"},
        r"[0-9]{2,4}(?![0-9])",
        _elided_era,
        ("492", "-0491-01-01 -0490-01-01", "-0492-06-01"),
        is_bare=True,
        kind=ExpressionKind.ANCHORED,
        confidence=0.7,
        veto=rf"(?:,[0-9]|[.:][0-9]|%|{SPACE}?[-\u2013]?{SPACE}?[a-z]+s\b)",
        cue=rf"(?:\b(?:in|by|of|from|until|till|since|before|after|to|between|and|early|late|during|spring|summer"
        rf"|winter|autumn){SPACE}|[0-9][-\u2013]|mid-)",
        cue_reach=16,
        doubt=Doubt.QUANTITY,
    ),
    rule(
        "short-years",
        {"99"},
        rf"(?P<y>[0-9]{{2}}){APOSTROPHE}?{DASH}{APOSTROPHE}?(?P<last>[0-9]{{2}})(?![0-9a-z])",
        _short_years,
        ("62-'65", "1862-01-01 1866-01-01"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.7,
        names_range=True,
        cue=rf"(?<![a-z0-9]){APOSTROPHE}",
        cue_reach=1,
        veto=rf"{APOSTROPHE}|{SPACE}?%",
    ),
    rule(
        "short-year",
        {"99"},
        r"[0-9]{2}(?![0-9a-z])",
        _short_year,
        ("89", "1889-01-01 1890-01-01"),
        is_bare=True,
        kind=ExpressionKind.ANCHORED,
        confidence=0.7,
        cue=rf"(?<![a-z0-9]){APOSTROPHE}",
        cue_reach=1,
        veto=rf"{APOSTROPHE}|{SPACE}?%",
        doubt=Doubt.QUANTITY,
    ),
    rule(
        "decade",
        {"99", "999", "9999"},
        rf"(?P<y>[12]?[0-9]{{2}}0)(?:{APOSTROPHE}|{SPACE})?s\b(?P<bc>{SPACE}{BCE})?",
        _decade,
        ("1960s", "1960-01-01 1970-01-01"),
        ("1990's", "1990-01-01 2000-01-01"),
        ("1800s", "1800-01-01 1900-01-01"),
        ("470s BC", "-0478-01-01 -0468-01-01"),
    ),
    rule(
        "short-decade",
        {"99"},
        rf"(?P<decade>[1-9]0){APOSTROPHE}?s\b",
        _short_decade,
        ("80s", "1880-01-01 1890-01-01"),
        is_completed=True,
        confidence=0.8,
        cue=rf"(?:{_NO_AGE}\b(?:the|early|late|mid){SPACE}{APOSTROPHE}?|mid-{APOSTROPHE}?|{APOSTROPHE}"
        rf"|0s(?:{DASH}|{SPACE}(?:and|or|to|&){SPACE}(?:the{SPACE})?))",
        cue_reach=32,
    ),
    rule(
        "full-spelt-decade",
        CENTURY_WORDS,
        rf"(?P<decade>(?:{'|'.join(sorted(CENTURY_WORDS))})[ -](?:{_IN_WORDS}|tens|teens))\b",
        _short_decade,
        ("nineteen-tens", "1910-01-01 1920-01-01"),
        ("nineteen-fifties", "1950-01-01 1960-01-01"),
        ("eighteen-twenties", "1820-01-01 1830-01-01"),
        confidence=0.8,
    ),
    rule(
        "spelt-hundreds",
        CENTURY_WORDS,
        rf"(?P<n>{'|'.join(sorted(CENTURY_WORDS - {'one', 'two'}))})[ -]hundreds\b",
        _spelt_hundreds,
        ("eighteen hundreds", "1800-01-01 1900-01-01"),
        confidence=0.9,
    ),
    rule(
        "spelt-decade",
        DECADES,
        rf"(?P<decade>{_IN_WORDS})\b",
        _short_decade,
        ("nineties", "1890-01-01 1900-01-01"),
        is_completed=True,
        confidence=0.8,
        cue=rf"(?:{_NO_AGE}\b(?:the|early|late|mid)(?:{SPACE}|-){_EPITHET}{APOSTROPHE}?"
        rf"|ies{SPACE}(?:and|or|to){SPACE}(?:the{SPACE})?)",
        veto=rf"{SPACE}of\b",
    ),
    rule(
        "century",
        _ORDINAL_STARTS
        | frozenset(_CENTURIES)
        | {f"{numeral}{ending}" for numeral in _CENTURIES for ending in ("st", "th")},
        rf"(?P<n>{ORDINAL}|(?-i:{'|'.join(_CENTURIES).upper()})(?:th|st)?)[ -]"
        rf"(?P<unit>centur(?:y|ies)\b|(?:cent|(?<=[0-9][a-z]{{2}}[ -])c|(?<=[XVI][ -])c)\."
        rf"|(?<=[0-9][a-z]{{2}} )(?-i:C)\b(?!-)|millenni(?:um|a)\b)"
        rf"(?P<bc>(?:{SPACE}|-){BCE})?(?:{SPACE}{CE})?",
        _century,
        ("19th century", "1801-01-01 1901-01-01"),
        ("5th century BC", "-0499-01-01 -0399-01-01"),
        ("15th cent.", "1401-01-01 1501-01-01"),
        ("19th c.", "1801-01-01 1901-01-01"),
        ("19th C", "1801-01-01 1901-01-01"),
        ("18th-c.", "1701-01-01 1801-01-01"),
        ("XVIIIth century", "1701-01-01 1801-01-01"),
        ("eighteenth-century", "1701-01-01 1801-01-01"),
        ("second millennium", "1001-01-01 2001-01-01"),
        ("twenty-first century", "2001-01-01 2101-01-01"),
    ),
    rule(
        "century-in-letters",
        {"c"},
        rf"(?-i:C)(?P<n>1[0-9]|2[01])(?:th|st)?(?:(?:{DASH}|/)C?(?P<last>1[0-9]|2[01])(?:th|st)?)?(?![0-9a-z-])",
        _century_in_letters,
        ("C19", "1801-01-01 1901-01-01"),
        ("C17-C18", "1601-01-01 1801-01-01"),
        confidence=0.6,
        names_range=True,
        cue=rf"(?:\b(?:early|mid|late|later|in|of|from|mainly|mostly|largely|partly|probably|and|or)(?:{SPACE}|-)|[0-9]{DASH}|/)",
        veto=rf"{SPACE}(?:dat|isotop|level|labell|fatty|acid|vaccin|jab|test|patient|infect|ward|form|plug|socket|connector|lead|flight|gate|seat|berth|room|road)",
    ),
    rule(
        "italian-century",
        _ITALIAN,
        rf"{'|'.join(_ITALIAN)}",
        lambda match, _anchors: (century_interval(_ITALIAN.index(match[0].lower()) + 14, before_era=False),),
        ("Quattrocento", "1401-01-01 1501-01-01"),
        confidence=0.9,
        cue=rf"\b(?:the|early|late|mid){SPACE}",
    ),
    rule(
        "roman-year",
        {in_roman(value) for value in range(1000, 2100)},
        r"(?-i:M[MDCLXVI]{3,14})(?![a-z0-9-])",
        _roman_year,
        ("MCMXXIX", "1929-01-01 1930-01-01"),
        ("MDCC", "1700-01-01 1701-01-01"),
        confidence=0.85,
    ),
    rule(
        "hijri-year",
        {"999", "9999", "ah", "a"},
        rf"(?:(?-i:A\.?H\.?){SPACE}(?P<first>[0-9]{{3,4}})(?![0-9])|(?P<last>[0-9]{{3,4}}){SPACE}(?:(?-i:AH\b|A\.H\.)|(?:of{SPACE}the{SPACE})?(?:hijra|hijri|hegira)\b))",
        _hijri_year,
        ("AH 1342", "1923-08-14 1924-08-02"),
        ("1342 of the Hijra", "1923-08-14 1924-08-02"),
        confidence=0.9,
    ),
)
