"""Decades, centuries and millennia."""

import re

from timelens.lexicon import DECADES
from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import civil, day_number
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    BCE,
    CARDINALS,
    CE,
    CENTURY_WORDS,
    DASH,
    ORDINAL,
    ORDINAL_STARTS,
    ROMAN_NUMBERS,
    SPACE,
    digits,
    in_roman,
    number,
)

_OF_OLD = 5
"""Years after the start of a decade from which its short name means it, not the one a century before."""
USUAL_DECADE = 2000
"""Reference year for decades with two digits if there is no anchor: all of these are in the 1900s."""
_NO_AGE = "".join(rf"(?<!\b{whose} )" for whose in ("his", "her", "their", "my", "your", "our"))
_DEGREES = rf"(?:{SPACE}\(?)?(?:\u00b0|(?:degrees{SPACE})?(?:fahrenheit|celsius|centigrade)\b)"
_IN_WORDS = "|".join(DECADES)
_EPITHET = rf"(?:(?:roaring|swinging|hungry|naughty|gay|booming|dirty|fabulous){SPACE})?"


def decade_interval(first_year: int) -> Interval:
    """Ten years from an astronomical year."""
    return Interval(day_number(first_year), day_number(first_year + 10), Granularity.DECADE)


def century_interval(index: int, *, before_era: bool, years: int = 100) -> Interval:
    """The n-th century (millennium with ``years=1000``) AD or BC; they adjoin between 1 BC and 1 AD.

    Raises:
        ValueError: the index is 0.
    """
    if index < 1:
        raise ValueError(f"there is no century {index}")
    first_year = 1 - index * years if before_era else (index - 1) * years + 1
    granularity = Granularity.CENTURY if years == 100 else Granularity.MILLENNIUM
    return Interval(day_number(first_year), day_number(first_year + years), granularity)


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


_CENTURIES = tuple(sorted((in_roman(value) for value in range(1, 22)), key=len, reverse=True))


_ITALIAN = ("trecento", "quattrocento", "cinquecento", "seicento", "settecento", "ottocento", "novecento")


def _spelt_hundreds(match: re.Match[str], _anchors: Anchors) -> Dates:
    first = 100 * CARDINALS[match["n"].lower()]
    return (Interval(day_number(first), day_number(first + 100), Granularity.CENTURY),)


def _century_in_letters(match: re.Match[str], _anchors: Anchors) -> Dates:
    ends = [century_interval(int(match[end]), before_era=False) for end in ("n", "last") if match[end]]
    return tuple(ends)


def _century(match: re.Match[str], _anchors: Anchors) -> Dates:
    index = (
        ROMAN_NUMBERS.get(match["n"].lower().removesuffix("th").removesuffix("st"))
        or number(match["n"].replace(" ", "-"))
        or 0
    )
    years = 100 if match["unit"][0] in "cC" else 1000
    return (century_interval(index, before_era=match["bc"] is not None, years=years),)


RULES: tuple[Rule, ...] = (
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
        rf"(?P<decade>[0-9]0){APOSTROPHE}?s\b",
        _short_decade,
        ("80s", "1880-01-01 1890-01-01"),
        is_completed=True,
        confidence=0.8,
        cue=rf"(?:{_NO_AGE}\b(?:the|early|late|mid){SPACE}{APOSTROPHE}?|mid-{APOSTROPHE}?|{APOSTROPHE}"
        rf"|0s(?:{DASH}|,?{SPACE}(?:and|or|to|&){SPACE}(?:the{SPACE})?|,{SPACE}(?:the{SPACE})?))",
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
        veto=rf"{SPACE}of\b|{_DEGREES}",
    ),
    rule(
        "century",
        ORDINAL_STARTS
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
)
