"""Calendar years: of eras, in words, in two figures, ranges of them."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import civil
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import month_interval, year_interval
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    BCE,
    CE,
    CENTURY_WORDS,
    CLAUSE_END,
    COUNTED_AFTER,
    DASH,
    DIGITS,
    PLAIN_YEAR,
    ROMAN_NUMBERS,
    SPACE,
    SPELT_YEAR,
    TENS,
    UNITS_IN_WORDS,
    USUAL_YEAR,
    YEAR_OF_GRACE,
    YEARS_AHEAD,
    completed_figures,
    completed_year,
    digits,
    in_roman,
    number,
    read_year,
    spelt_year,
    year,
)

_TO = rf"(?:{DASH}|{SPACE}(?:to|until|through){SPACE})"
_EARLY = "[1-9][0-9]{2}"
"""A year with three digits."""
_RULERS = "|".join(map(str.capitalize, ("king", "queen", "emperor", "empress", "pope", "caliph")))
_SOON = 6
"""Years after the day of writing up to which two figures name a year to come; farther ones are past."""
_GOES_ON = rf"(?!{SPACE}(?:he|she|they)\b)(?!{SPACE}?(?:[,;?)](?![0-9])|\.(?:\s|$)|$))"
"""Neither the end of a clause nor a subject follows, so that the number before counts the next word."""


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


def _spelt_year_of_no_hour(match: re.Match[str], anchors: Anchors) -> Dates | None:
    return _spelt_year(match, anchors) if spelt_year(match[0]) % 100 >= 60 else None


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


def _completed(figures: str, anchors: Anchors) -> int:
    """The year of two figures: at most six years after the day of writing, or twenty after a named date."""
    reference = USUAL_YEAR if anchors.reference is None else civil(anchors.reference)[0]
    if anchors.creation is not None:
        reference = min(reference, civil(anchors.creation)[0] + _SOON - YEARS_AHEAD)
    return completed_year(figures, reference)


def _spelt_short_year(match: re.Match[str], anchors: Anchors) -> Dates:
    return (year_interval(_completed(str(number(match[0]) or 0), anchors)),)


def _short_year(match: re.Match[str], anchors: Anchors) -> Dates:
    return (year_interval(_completed(match[0], anchors)),)


def _short_years(match: re.Match[str], anchors: Anchors) -> Dates:
    first = _completed(match["y"], anchors)
    return year_interval(first), year_interval(completed_figures(match["last"], first))


def _roman_year(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    value = ROMAN_NUMBERS.get(match[0].lower())
    return None if value is None else (year_interval(value),)


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
        year("(?!)"),
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
        "spelt-year-at-start",
        CENTURY_WORDS,
        SPELT_YEAR,
        _spelt_year_of_no_hour,
        ("nineteen sixty-eight", "1968-01-01 1969-01-01"),
        confidence=0.7,
        cue=rf"(?:\A|[.!?]{SPACE})",
        veto=rf"(?!{CLAUSE_END}|{SPACE}?[?!]|{SPACE}(?:was|had|saw)\b)",
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
        "early-years-of-ruler",
        {"999"},
        rf"(?P<y>{_EARLY}){DASH}(?P<last>{_EARLY})(?![0-9])",
        _early_years,
        ("757-796", "0757-01-01 0797-01-01"),
        confidence=0.7,
        cue=rf"(?-i:\b(?:{_RULERS}){SPACE}(?:[A-Z]\w+{SPACE}?){{1,3}}\()",
        veto=r"(?!\))",
        names_range=True,
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
        "roman-year",
        {in_roman(value) for value in range(1000, 2100)},
        r"(?-i:M[MDCLXVI]{3,14})(?![a-z0-9-])",
        _roman_year,
        ("MCMXXIX", "1929-01-01 1930-01-01"),
        ("MDCC", "1700-01-01 1701-01-01"),
        confidence=0.85,
    ),
)
