"""Expressions that name a holiday, with or without its year."""

import re
from collections.abc import Callable, Mapping

from timelens.temporal.anchoring import Anchors, beside, nearest_year
from timelens.temporal.calendar import Day, civil, weekday
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.rules.holiday_days import DAYS, FEASTS_OF, HOLIDAYS, SPANS
from timelens.temporal.rules.rule import Dates, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import APOSTROPHE, CLAUSE_END, PLAIN_YEAR, SPACE

_OF_OTHERS: dict[tuple[str, ...], list[str]] = {
    ("new year",): (
        "chinese lunar vietnamese korean tibetan mongolian hebrew persian iranian afghan kurdish "
        "islamic muslim hijri hindu tamil telugu bengali nepali sinhalese thai khmer cambodian lao "
        "burmese buddhist sikh punjabi balinese ethiopian coptic assyrian berber celtic julian old "
        "solar"
    ).split(),
    ("christmas", "easter", "good friday", "palm sunday", "pentecost", "lent", "epiphany"): (
        "orthodox eastern russian serbian greek coptic armenian ukrainian georgian julian"
    ).split(),
    (
        "thanksgiving",
        "labor day",
        "independence day",
        "election day",
        "mother's day",
        "father's day",
        "memorial day",
    ): (
        "australian austrian brazilian british canadian chinese danish dutch english finnish french "
        "german greek indian indonesian irish israeli italian japanese korean mexican norwegian "
        "pakistani polish portuguese russian scottish spanish swedish swiss thai turkish ukrainian "
        "welsh"
    ).split(),
}
"""Holidays that fall on other days with these words before them: then they are names without a day."""

_RISKY_ALONE = frozenset({
    "epiphany", "corpus christi", "pentecost", "black friday", "new year", "new year's", "election day",
    "earth day", "independence day", "glorious fourth", "ve day", "v-e day", "vj day", "v-j day", "midsummer",
    "twelfth night", "xmas", "lent", "advent", "trinity", "all saints", "all souls", "all hallows",
    "jewish new year", "orthodox new year", "ethiopian christmas", "rosh hashanah",
})  # fmt: skip
"""Names that are also common words, places or people, and so need a year."""
_AFTER_PREPOSITION = ("new year", "new year's", "midsummer", "xmas")
"""Those of them that need no year after a preposition of time: "since New Year", "in the new year"."""
_PREPOSITIONS = ("after", "around", "at", "before", "by", "from", "in", "over", "since", "till", "until")


def _pattern(name: str) -> str:
    words = re.sub(r"\bst ", r"(?:st\\.?|saint) ", name).replace("s's", "s's?").replace("'", f"{APOSTROPHE}?")
    return words.replace(" ", SPACE) + (f"{APOSTROPHE}?" if name.endswith("s") else "")


def _names(names: list[str]) -> str:
    return "|".join(_pattern(name) for name in sorted(names, key=len, reverse=True))


def _name_of(text: str) -> str:
    words = " ".join(text.lower().replace("\u2019", "'").split())
    words = re.sub(r"\b(?:st\.?|saint) ", "st ", words)
    names = (*DAYS, *SPANS)
    return words if words in names else next(name for name in names if _bare(name) == _bare(words))


_BESIDE = {"eve": -1, "vigil": -1, "morrow": 1, "octave": 7}
"""Offset in days from a feast to a day named relative to it."""


def _bare(name: str) -> str:
    return name.replace("'", "").replace("\u2018", "").replace("ss day", "s day")


def _holiday(match: re.Match[str], anchors: Anchors) -> Dates:
    groups = match.groupdict()
    in_year = _days_of(_name_of(match["holiday"]), groups)
    if year := groups.get("y"):
        return (in_year(int(year)),)
    date = nearest_year(in_year, anchors)
    return () if date is None else (date,)


def _stepped(match: re.Match[str], anchors: Anchors) -> Dates:
    """The last past or the next future holiday; "this" means the one in the year of writing."""
    if anchors.creation is None:
        return ()
    in_year = _days_of(_name_of(match["holiday"]), match.groupdict())
    return (_beside(in_year, _STEPS[match["step"].lower()], anchors.creation),)


def _around(match: re.Match[str], anchors: Anchors) -> Dates:
    """The holiday before or after the last date of the text."""
    narrative = anchors.narrative
    if narrative is None or narrative.start is None or narrative.end is None:
        return ()
    in_year = _days_of(_name_of(match["holiday"]), match.groupdict())
    step = _STEPS[match["step"].lower()]
    return (_beside(in_year, step, narrative.start if step < 0 else narrative.end - 1),)


_STEPS = {
    "last": -1, "this": 0, "next": 1, "previous": -1, "preceding": -1, "following": 1, "ensuing": 1,
    "before": -1, "after": 1,
}  # fmt: skip


def _beside(in_year: Callable[[int], Interval], step: int, day: Day) -> Interval:
    year = civil(day)[0]
    return beside([in_year(year + offset) for offset in (-1, 0, 1)], step, day)


def _days_of(name: str, groups: Mapping[str, str | None]) -> Callable[[int], Interval]:
    """A function from a year to the days of a holiday, of its eve or of its weekend."""
    if name in SPANS:
        first, last = SPANS[name]
        return lambda year: Interval(first(year), last(year) + 1, Granularity.DAY)
    on = DAYS[name]
    shift = -1 if groups.get("eve") else _BESIDE.get((groups.get("of") or "").lower(), 0)
    if any(groups.get(group) for group in ("weekend", "before", "after")):
        return lambda year: _weekend(on(year))
    return lambda year: day_interval(on(year) + shift)


def _weekend(day: Day) -> Interval:
    """The weekend nearest to a day, extended to include the day."""
    to_saturday = (5 - weekday(day)) % 7
    saturday = day + to_saturday if to_saturday <= 3 else day + to_saturday - 7
    return Interval(min(day, saturday), max(day, saturday + 1) + 1, Granularity.DAY)


_FEAST = rf"(?:feast|festival)(?:{SPACE}day)?{SPACE}of{SPACE}(?:the{SPACE})?"
_FEAST_OF = rf"(?:(?P<of>{'|'.join(_BESIDE)}){SPACE}of{SPACE}(?:the{SPACE})?(?:{_FEAST})?|{_FEAST})"
_FIRST_WORDS = {re.split(r"[ '-]", name)[0] for name in (*HOLIDAYS, *SPANS)}
_STARTS = (
    _FIRST_WORDS
    | {f"{word}tide" for word in _FIRST_WORDS}
    | {"saint", "weekend", "feast", "festival", *_BESIDE}
)


def _after(word: str) -> str:
    return rf"(?<=\b{word} )"


_OTHERS_DAYS = "|".join(
    f"(?:{'|'.join(map(_after, words))})(?:{'|'.join(map(_pattern, names))})"
    for names, words in _OF_OTHERS.items()
)
_NOT_OF_OTHERS = rf"(?!{_OTHERS_DAYS})"
_ALONE = _names([name for name in (*HOLIDAYS, *SPANS) if name not in _RISKY_ALONE])
_ALL = _names([*HOLIDAYS, *SPANS])
_LED_IN = "|".join(rf"(?<=\b{word} )|(?<=\b{word} the )" for word in _PREPOSITIONS)
_IF_LED_IN = rf"(?:{_LED_IN})(?:{_names(list(_AFTER_PREPOSITION))})"
_IF_FEAST = rf"(?(feast)(?:{_names([*FEASTS_OF, 'all saints', 'all souls', 'epiphany', 'pentecost'])})|(?!))"
_EVE = rf"(?:tide\b)?(?P<eve>(?:{APOSTROPHE}s?)?{SPACE}eve\b)?"

RULES: tuple[Rule, ...] = (
    rule(
        "holiday-of-year",
        _STARTS,
        rf"(?:(?P<feast>{_FEAST_OF})|(?P<before>weekend{SPACE}of{SPACE}))?(?P<holiday>{_NOT_OF_OTHERS}(?:{_ALL})|{_IF_FEAST})"
        rf"(?![a-su-z]){_EVE}(?P<weekend>{SPACE}weekend)?"
        rf"(?:(?:,|{SPACE}of|{SPACE}in)?{SPACE}(?P<y>{PLAIN_YEAR}))(?P<after>{SPACE}weekend\b)?",
        _holiday,
        ("Christmas Eve 1914", "1914-12-24 1914-12-25"),
        ("Easter 2018", "2018-04-01 2018-04-02"),
        ("Good Friday, 1916", "1916-04-21 1916-04-22"),
        ("Orthodox Easter 2018", "2018-04-08 2018-04-09"),
        ("Orthodox Christmas 2014", "2014-01-07 2014-01-08"),
        ("Canadian Thanksgiving 2018", "2018-10-08 2018-10-09"),
        ("Jewish New Year 2020", "2020-09-19 2020-09-20"),
        ("Saint Patrick's Day 2020", "2020-03-17 2020-03-18"),
        ("Thanksgiving 2017", "2017-11-23 2017-11-24"),
        ("Memorial Day 2013", "2013-05-27 2013-05-28"),
        ("Labor Day 2021 weekend", "2021-09-04 2021-09-07"),
        ("weekend of Thanksgiving 2023", "2023-11-23 2023-11-27"),
        ("feast of St Bartholomew, 1572", "1572-08-24 1572-08-25"),
        ("All Souls 1750", "1750-11-02 1750-11-03"),
        ("Midsummer Eve 1381", "1381-06-23 1381-06-24"),
        ("Whitsuntide 1911", "1911-06-04 1911-06-05"),
        ("Advent Sunday 1950", "1950-12-03 1950-12-04"),
        ("Holy Week 1916", "1916-04-16 1916-04-23"),
        ("Lent 1750", "1750-02-11 1750-03-29"),
        ("August Bank Holiday 1964", "1964-08-03 1964-08-04"),
    ),
    rule(
        "last-holiday",
        {"last", "next", "this"},
        rf"(?P<step>last|next|this){SPACE}(?P<holiday>{_ALONE})\b{_EVE}(?P<weekend>{SPACE}weekend\b)?",
        _stepped,
        ("last Christmas", "2020-12-25 2020-12-26"),
        ("next Easter", "2022-04-17 2022-04-18"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.8,
    ),
    rule(
        "holiday-beside",
        {"previous", "preceding", "following", "ensuing"},
        rf"(?P<step>previous|preceding|following|ensuing){SPACE}(?P<holiday>{_ALONE})\b{_EVE}",
        _around,
        ("previous Michaelmas", "1915-09-29 1915-09-30"),
        ("following Easter", "1916-04-23 1916-04-24"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.8,
    ),
    rule(
        "holiday-before",
        _STARTS,
        rf"(?P<holiday>{_ALONE})\b{_EVE}{SPACE}(?P<step>before|after)(?={CLAUSE_END}|[?!])",
        _around,
        ("Christmas before", "1915-12-25 1915-12-26"),
        ("Easter after", "1916-04-23 1916-04-24"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        cue=rf"\bthe{SPACE}",
    ),
    rule(
        "holiday",
        _STARTS,
        rf"(?P<feast>{_FEAST_OF})?(?P<holiday>{_NOT_OF_OTHERS}(?:{_ALONE})|{_IF_LED_IN}|{_IF_FEAST})\b{_EVE}(?P<weekend>{SPACE}weekend\b)?",
        _holiday,
        ("eve of St John", "1916-06-23 1916-06-24"),
        ("New Year\u2019s Day", "1916-01-01 1916-01-02"),
        ("Easter Monday", "1916-04-24 1916-04-25"),
        kind=ExpressionKind.ANCHORED,
        lies_in=Granularity.YEAR,
        confidence=0.8,
        veto=rf"{SPACE}(?:island|islands|rising|egg|eggs|bunny|tree|trees|card|cards|carol|carols|truce|present|term|island)\b"
        rf"|-",
    ),
)
