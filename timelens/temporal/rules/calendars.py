"""Other calendars: years of eras and reigns, and the months of the French Republic and of Islam.

An era is a function from a year to its first day; few productions write the years of any of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from timelens.lexicon import (
    ERAS,
    ISLAMIC_MONTHS,
    JAPANESE_ERAS,
    ORDINALS,
    REIGNS,
    REPUBLICAN_MONTHS,
    SOVEREIGNS,
    one_of,
)
from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import Day, civil, day_number, parse_day
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import (
    COUNTED_AFTER,
    DASH,
    DIGITS,
    ORDINAL,
    ORDINAL_STARTS,
    ROMAN_NUMBERS,
    SPACE,
    number,
)

Era = Callable[[int], Day]
"""The first day of a year of an era, counted from 1. Raises ``ValueError`` if there is no such year."""


def _counted(first: Day, least: int, most: int) -> Era:
    """An era whose years begin on the anniversaries of its first day."""
    year, month, day = civil(first)

    def began(n: int) -> Day:
        if not least <= n <= most + 1:
            raise ValueError(f"the era has no year {n}")
        return day_number(year + n - 1, month, day)

    return began


def _islamic(n: int) -> Day:
    """The tabular Islamic calendar: 12 months of 30 and 29 days, 11 leap years in 30."""
    return day_number(622, 7, 19) + 354 * (n - 1) + (11 * n + 3) // 30


def _republican(n: int) -> Day:
    """The calendar of the French Republic, of fourteen years; the years 3, 7 and 11 have a leap day."""
    if not 1 <= n <= 15:
        raise ValueError(f"the French Republic had no year {n}")
    return day_number(1792, 9, 22) + 365 * (n - 1) + n // 4


def hebrew_year(n: int) -> Day:
    """The first of Tishri: the new moon of the year, put off by up to two days."""

    def counted(year: int) -> int:
        months = (235 * year - 234) // 19
        days = 29 * months + (12_084 + 13_753 * months) // 25_920
        return days + (3 * (days + 1) % 7 < 3)

    before, this, after = counted(n - 1), counted(n), counted(n + 1)
    delay = 2 if after - this == 356 else this - before == 382
    return day_number(-3760, 9, 7) + this + delay


_LAST_YEAR = 99
"""Years of the running era or reign that may be named."""


def _in_turn(starts: Iterable[tuple[str, Day]]) -> dict[str, Era]:
    """Eras of which each ends in the year in which the next one begins."""
    rows = [*starts, ("", day_number(2100))]
    return {
        name: _counted(first, 1, min(civil(following)[0] - civil(first)[0] + 1, _LAST_YEAR))
        for (name, first), (_, following) in pairwise(rows)
    }


def _spellings(name: str) -> tuple[str, ...]:
    """A name with macrons, circumflexes, and plain."""
    return name, name.translate(str.maketrans("ōū", "ôû")), name.translate(str.maketrans("ōū", "ou"))


_REIGNS = _in_turn((name, parse_day(first)) for name, first in REIGNS.items())
_JAPANESE = {
    form: era
    for name, era in _in_turn((name, day_number(year)) for name, year in JAPANESE_ERAS.items()).items()
    for form in _spellings(name)
}
_ON_AND_ON = (
    {name: _counted(parse_day(first), least, most) for name, (first, least, most) in ERAS.items()}
    | dict.fromkeys(("ah", "hijra", "hijri", "hegira", "islamic calendar", "muslim calendar"), _islamic)
    | dict.fromkeys(("am", "anno mundi", "hebrew calendar", "jewish calendar"), hebrew_year)
)
_SHORT = sorted(name for name in _ON_AND_ON if len(name) <= 3)
"""Abbreviations of eras, which are in capitals, with or without full stops."""
_ERAS = _JAPANESE | _ON_AND_ON | dict.fromkeys(("french republic", "republic"), _republican)
_ABBREVIATED = one_of(
    form for name in _SHORT for form in (name.upper() + "(?![a-zA-Z])", "[.][ ]?".join(name.upper()) + "[.]")
)
_WHOLE_NAMES = one_of(name for name in _ON_AND_ON if len(name) > 3)
_GOING_ON = rf"(?:(?-i:{_ABBREVIATED})|(?:{_WHOLE_NAMES})\b)"
_OF_JAPAN = one_of(_JAPANESE)
_ROMAN_YEAR = "(?-i:[IVX]{1,5})"


def _first_words(names: Iterable[str]) -> frozenset[str]:
    return frozenset(re.split(r"[ '-]", name)[0] for name in names)


def _count(text: str) -> int:
    """A year in figures, in words, or in Roman numerals."""
    return ROMAN_NUMBERS.get(text.lower()) or number(text) or 0


def _year_of(era: Era, n: int, last: int | None = None) -> Interval:
    return Interval(era(n), era((last or n) + 1), Granularity.YEAR)


def _if_any(era: Era, n: int, last: int | None = None) -> Dates | None:
    """The years of an era; ``None`` if it has not all of them."""
    try:
        return (_year_of(era, n, last),)
    except ValueError:
        return None


def _era(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    name = re.sub(r"\s+", " ", match["era"].lower())
    era = _ERAS.get(name) or _ERAS[re.sub(r"[. ]", "", name)]
    text = match["n"] or match["later"]
    n = 1 if text.lower() == "gannen" else _count(text)
    if era is hebrew_year and not 5000 <= n < 6000:
        return None
    return _if_any(era, n)


_SHORT_NAMES = {form: name for name, forms in SOVEREIGNS.items() for form in (name, *forms)}
_NUMERALS = "VIII|VII|VI|IV|V|III|II|I"
_NUMERAL = (
    rf"(?:{SPACE}?(?P<numeral>(?-i:{_NUMERALS}))(?![a-z0-9])"
    rf"|{SPACE}the{SPACE}(?P<word>{one_of(tuple(ORDINALS)[:8])})\b)"
)
_SOVEREIGN = rf"(?P<name>{one_of(SOVEREIGNS)})\b{_NUMERAL}?(?!['’a-z])"
_REIGN_OF = rf"(?:the{SPACE})?reign{SPACE}of{SPACE}"
_CROWNED = (
    rf"(?:(?:{_REIGN_OF})?(?:king|queen){SPACE}|{_REIGN_OF}"
    rf"|(?=[a-z]+{SPACE}(?:the{SPACE}[efst]|(?-i:[IV]))))"
)
"""What shows that a name is that of a sovereign: an office, a reign, or a numeral behind it."""


def _reign(match: re.Match[str]) -> str:
    numeral = match["numeral"] or _NUMERALS.rsplit("|", maxsplit=1)[-1]
    if match["word"] is not None:
        place = ORDINALS[match["word"].lower()]
        numeral = next(roman for roman, value in ROMAN_NUMBERS.items() if value == place)
    return f"{_SHORT_NAMES[match['name'].lower()]} {numeral.lower()}"


def _regnal_year(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    era = _REIGNS.get(_reign(match))
    if era is None:
        return None
    return _if_any(era, _count(match["n"]), _count(match["last"]) if match["last"] else None)


def _whole_reign(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    names = list(REIGNS)
    if (name := _reign(match)) not in REIGNS or name == names[-1]:
        return None
    following = REIGNS[names[names.index(name) + 1]]
    return (Interval(parse_day(REIGNS[name]), parse_day(following), Granularity.YEAR),)


def _forms(months: Mapping[str, Iterable[str]]) -> str:
    return one_of(form for name, forms in months.items() for form in (name, *forms)).replace("-", "[- ]")


_MONTHS = {
    form: (number_of, era)
    for months, era in ((REPUBLICAN_MONTHS, _republican), (ISLAMIC_MONTHS, _islamic))
    for number_of, (name, forms) in enumerate(months.items())
    for form in (name, *forms)
}
_MONTH = (
    rf"(?P<month>(?P<republican>{_forms(REPUBLICAN_MONTHS)})|{_forms(ISLAMIC_MONTHS)})(?![a-z])"
    rf"(?=(?P<marked>[ ,0-9]{{1,9}}(?-i:A\.?H\b))?)"
)
_YEAR_OF_MONTH = (
    rf"(?:,?{SPACE}(?:of{SPACE})?(?:(?:in{SPACE})?(?:the{SPACE})?year{SPACE}|(?:l['’])?an{SPACE})?(?P<y>"
    rf"(?(republican)(?:{_ROMAN_YEAR}(?![a-z0-9])|[0-9]{{1,2}}(?![0-9])|{ORDINAL})"
    rf"|(?(marked)[0-9]{{1,4}}|1[34][0-9]{{2}})(?![0-9])))(?:{SPACE}(?-i:AH\b|A\.H\.))?)"
)
_DAYS_OF_REVOLUTION = {(0, 13): 4, (1, 18): 8, (6, 12): 3, (8, 1): 3, (10, 9): 2, (11, 18): 5}
"""Days of the Revolution that are known without their year, by month and day."""


def _in_month(match: re.Match[str], _anchors: Anchors) -> Dates | None:
    form = match["month"].lower()
    index, era = _MONTHS.get(form) or _MONTHS[form.replace(" ", "-")]
    day = number(match["day"]) if match["day"] else None
    year = _count(match["y"]) if match["y"] else _DAYS_OF_REVOLUTION.get((index, day or 0))
    if year is None:
        return None
    whole = _month_of(era, year, index)
    if day is None:
        return (whole,)
    if whole.start is None or not 1 <= day <= whole.days:
        return ()
    return (day_interval(whole.start + day - 1),)


def _month_of(era: Era, year: int, index: int) -> Interval:
    """The month of a year, counted from 0; the last one goes on to the end of the year."""
    lengths = [30] * 12 + [6] if era is _republican else [30, 29] * 6
    first = era(year) + sum(lengths[:index])
    last = era(year + 1) if index + 1 == len(lengths) else first + lengths[index]
    return Interval(first, last, Granularity.MONTH)


WORDS_AFTER_NUMBERS = _first_words((*_SHORT_NAMES, *_MONTHS, *_ON_AND_ON))
"""First words of what may stand behind a number here."""

RULES: tuple[Rule, ...] = (
    rule(
        "year-of-era-in-words",
        {*ORDINAL_STARTS, "year"},
        rf"(?:(?P<n>{ORDINAL}){SPACE}year|year{SPACE}(?P<later>[0-9]{{1,4}}|{_ROMAN_YEAR}\b)){SPACE}of{SPACE}"
        rf"(?:the{SPACE})?(?:(?:emperor|era{SPACE}of){SPACE})?(?P<era>{_OF_JAPAN}|{_GOING_ON}"
        rf"|french{SPACE}republic|(?(later)republic|(?!)))(?![a-z])(?:{SPACE}(?:era|period|reign)\b)?",
        _era,
        ("5th year of Taisho", "1916-01-01 1917-01-01"),
        ("first year of the Reiwa era", "2019-01-01 2020-01-01"),
        ("Year II of the Republic", "1793-09-22 1794-09-22"),
        ("year 1342 of the Hijra", "1923-08-14 1924-08-02"),
        confidence=0.9,
    ),
    rule(
        "japanese-year",
        _first_words(_JAPANESE),
        rf"(?P<era>{_OF_JAPAN})(?:{SPACE}era)?(?:,?{SPACE}year)?{SPACE}(?P<n>[0-9]{{1,2}}|gannen)(?![0-9])",
        _era,
        ("Sh\u014dwa 45", "1970-01-01 1971-01-01"),
        ("Heisei 3", "1991-01-01 1992-01-01"),
        ("Meiji 1", "1868-01-01 1869-01-01"),
        ("Genroku 15", "1702-01-01 1703-01-01"),
        confidence=0.9,
        veto=r"[.,:][0-9]|%",
    ),
    rule(
        "era-year",
        {*_first_words(_ON_AND_ON), "a", "b"} - {"be"},
        rf"(?=(?-i:[A-Z])|an|ab)(?P<era>{_GOING_ON}){SPACE}(?P<n>[0-9]{{1,4}})(?![0-9])",
        _era,
        ("AH 1342", "1923-08-14 1924-08-02"),
        ("AUC 753", "0000-01-01 0001-01-01"),
        ("B.E. 2560", "2017-01-01 2018-01-01"),
        ("anno mundi 5708", "1947-09-15 1948-10-04"),
        confidence=0.9,
        veto=r"[.,:][0-9]|%",
    ),
    rule(
        "year-era",
        DIGITS,
        rf"(?P<n>[0-9]{{1,4}}){SPACE}(?:of{SPACE}the{SPACE})?(?P<era>{_GOING_ON})",
        _era,
        ("1342 of the Hijra", "1923-08-14 1924-08-02"),
        ("1099 AH", "1687-11-07 1688-10-26"),
        ("2560 B.E.", "2017-01-01 2018-01-01"),
        confidence=0.9,
    ),
    rule(
        "regnal-year-in-words",
        ORDINAL_STARTS,
        rf"(?P<n>{ORDINAL})(?:{SPACE}(?:and{SPACE})?(?P<last>{ORDINAL}))?(?:{SPACE}regnal)?{SPACE}years?{SPACE}of{SPACE}{_CROWNED}{_SOVEREIGN}",
        _regnal_year,
        ("third year of Henry VIII", "1511-04-22 1512-04-22"),
        ("12th year of the reign of George the Third", "1771-10-25 1772-10-25"),
        ("tenth year of Queen Anne", "1711-03-08 1712-03-08"),
        confidence=0.9,
    ),
    rule(
        "regnal-year",
        {"9", "99"},
        rf"(?P<n>[0-9]{{1,2}})(?:(?:{SPACE}?&{SPACE}?|{SPACE}and{SPACE}|{DASH})(?P<last>[0-9]{{1,2}}))?{SPACE}(?P<name>{one_of(_SHORT_NAMES)})\b"
        rf"(?:(?<=[a-z])\.)?(?:{_NUMERAL}|(?<=\b(?:vict|eliz)\.)|(?=,?{SPACE}c(?:ap|h)?\.))",
        _regnal_year,
        ("12 Geo. III", "1771-10-25 1772-10-25"),
        ("4 & 5 Vict.", "1840-06-20 1842-06-20"),
        ("2 Hen. V", "1414-03-21 1415-03-21"),
        confidence=0.85,
        veto=rf"(?!,?{SPACE}(?:c|cap|ch|sess|st|stat)\b){COUNTED_AFTER}",
    ),
    rule(
        "reign",
        {"reign"},
        rf"reign{SPACE}of{SPACE}(?:(?:king|queen){SPACE})?{_SOVEREIGN}",
        _whole_reign,
        ("reign of Henry VIII", "1509-04-22 1547-01-28"),
        ("reign of Queen Anne", "1702-03-08 1714-08-01"),
        confidence=0.8,
        cue=rf"\b(?:in|during|throughout|under|since|before|after|until|of|from|to|by){SPACE}the{SPACE}",
    ),
    rule(
        "day-of-other-month",
        ORDINAL_STARTS,
        rf"(?P<day>{ORDINAL}|[0-9]{{1,2}})(?:{SPACE}of)?{SPACE}{_MONTH}{_YEAR_OF_MONTH}?",
        _in_month,
        ("18 Brumaire an VIII", "1799-11-09 1799-11-10"),
        ("14 Vent\u00f4se Year II", "1794-03-04 1794-03-05"),
        ("9 Thermidor", "1794-07-27 1794-07-28"),
        ("1 Muharram 1443 AH", "2021-08-10 2021-08-11"),
        confidence=0.9,
    ),
    rule(
        "other-month",
        _first_words(_MONTHS),
        rf"{_MONTH}(?:{SPACE}(?P<day>[0-9]{{1,2}}),)?{_YEAR_OF_MONTH}",
        _in_month,
        ("Brumaire an VIII", "1799-10-23 1799-11-22"),
        ("Ramadan 1442 AH", "2021-04-13 2021-05-13"),
        confidence=0.9,
    ),
    rule(
        "republican-year",
        {"l"},
        rf"(?:l['\u2019])an{SPACE}(?P<n>{_ROMAN_YEAR})(?![a-z0-9])",
        lambda match, _anchors: (_year_of(_republican, _count(match["n"])),),
        ("l'an VIII", "1799-09-23 1800-09-23"),
        confidence=0.8,
    ),
)
