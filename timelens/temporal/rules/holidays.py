"""Named holidays: on a fixed date, on the n-th weekday of a month, or relative to Easter."""

import re
from collections.abc import Callable, Mapping

from timelens.temporal.anchoring import Anchors, beside, nearest_year
from timelens.temporal.calendar import Day, civil, day_number, days_in_month, julian_lag, weekday
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.rules.calendars import hebrew_year
from timelens.temporal.rules.rule import Dates, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import APOSTROPHE, PLAIN_YEAR, SPACE

DayOfYear = Callable[[int], Day]
"""From an astronomical year to the day on which a holiday falls."""


def easter(year: int) -> Day:
    """Easter Sunday of the western churches (Meeus, Astronomical Algorithms, chapter 8)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    leap_centuries, century_rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    leaps, year_rest = divmod(rest, 4)
    to_sunday = (32 + 2 * century_rest + 2 * leaps - epact - year_rest) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * late + 114, 31)
    return day_number(year, month, day + 1)


def orthodox_easter(year: int) -> Day:
    """Easter Sunday of the eastern churches (Julian calendar; Meeus, chapter 8), as a Gregorian day."""
    epact = (19 * (year % 19) + 15) % 30
    to_sunday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
    month, day = divmod(epact + to_sunday + 114, 31)
    return day_number(year, month, day + 1) + julian_lag(year)


def _fixed(month: int, day: int) -> DayOfYear:
    return lambda year: day_number(year, month, day)


def _eve(month: int, day: int) -> DayOfYear:
    return lambda year: day_number(year, month, day) - 1


def _from_easter(days: int) -> DayOfYear:
    return lambda year: easter(year) + days


def _from_orthodox_easter(days: int) -> DayOfYear:
    return lambda year: orthodox_easter(year) + days


def _advent(year: int) -> Day:
    """The fourth Sunday before Christmas."""
    christmas = day_number(year, 12, 25)
    return christmas - (weekday(christmas) + 1 or 7) - 21


def _nth(index: int, wanted: int, month: int, days: int = 0) -> DayOfYear:
    """The n-th (-1: last) given weekday (0 is Monday) of a month, plus ``days``."""

    def day(year: int) -> Day:
        if index > 0:
            first = day_number(year, month)
            return first + (wanted - weekday(first)) % 7 + 7 * (index - 1) + days
        last = day_number(year, month, days_in_month(year, month))
        return last - (weekday(last) - wanted) % 7 + days

    return day


def _julian(month: int, day: int) -> DayOfYear:
    """A day of the Julian calendar, as the eastern churches keep it; in December, of the year before."""

    def on(year: int) -> Day:
        began = year - 1 if month == 12 else year
        return day_number(began, month, day) + julian_lag(year - 1)

    return on


def _jewish_new_year(year: int) -> Day:
    return hebrew_year(year + 3761)


def _august_bank_holiday(year: int) -> Day:
    return _nth(1 if year < 1965 else -1, 0, 8)(year)


HOLIDAYS: dict[str, DayOfYear] = {
    "new year's day": _fixed(1, 1),
    "new years day": _fixed(1, 1),
    "new year's eve": _fixed(12, 31),
    "new years eve": _fixed(12, 31),
    "epiphany": _fixed(1, 6),
    "groundhog day": _fixed(2, 2),
    "candlemas": _fixed(2, 2),
    "valentine's day": _fixed(2, 14),
    "burns night": _fixed(1, 25),
    "earth day": _fixed(4, 22),
    "ve day": _fixed(5, 8),
    "v-e day": _fixed(5, 8),
    "oak apple day": _fixed(5, 29),
    "juneteenth": _fixed(6, 19),
    "independence day": _fixed(7, 4),
    "glorious fourth": _fixed(7, 4),
    "vj day": _fixed(8, 15),
    "v-j day": _fixed(8, 15),
    "trafalgar day": _fixed(10, 21),
    "hallowe'en": _fixed(10, 31),
    "all hallows": _fixed(11, 1),
    "hallowmas": _fixed(11, 1),
    "all hallows' day": _fixed(11, 1),
    "bonfire night": _fixed(11, 5),
    "guy fawkes day": _fixed(11, 5),
    "holy innocents' day": _fixed(12, 28),
    "childermas": _fixed(12, 28),
    "twelfth night": _fixed(1, 5),
    "twelfth day": _fixed(1, 6),
    "xmas eve": _fixed(12, 24),
    "xmas day": _fixed(12, 25),
    "xmas": _fixed(12, 25),
    "new year's": _fixed(1, 1),
    "new year": _fixed(1, 1),
    "fourth of july": _fixed(7, 4),
    "mother's day": _nth(2, 6, 5),
    "father's day": _nth(3, 6, 6),
    "spring bank holiday": _nth(-1, 0, 5),
    "august bank holiday": _august_bank_holiday,
    "remembrance sunday": _nth(2, 6, 11),
    "election day": _nth(1, 0, 11, 1),
    "septuagesima": _from_easter(-63),
    "sexagesima": _from_easter(-56),
    "quinquagesima": _from_easter(-49),
    "pancake day": _from_easter(-47),
    "passion sunday": _from_easter(-14),
    "low sunday": _from_easter(7),
    "quasimodo sunday": _from_easter(7),
    "hock tuesday": _from_easter(16),
    "rogation sunday": _from_easter(35),
    "whit tuesday": _from_easter(51),
    "advent sunday": _advent,
    "lady day": _fixed(3, 25),
    "april fools' day": _fixed(4, 1),
    "april fool's day": _fixed(4, 1),
    "anzac day": _fixed(4, 25),
    "may day": _fixed(5, 1),
    "cinco de mayo": _fixed(5, 5),
    "midsummer day": _fixed(6, 24),
    "midsummer's day": _fixed(6, 24),
    "midsummer": _fixed(6, 24),
    "canada day": _fixed(7, 1),
    "bastille day": _fixed(7, 14),
    "lammas": _fixed(8, 1),
    "lammas day": _fixed(8, 1),
    "michaelmas": _fixed(9, 29),
    "michaelmas day": _fixed(9, 29),
    "candlemas day": _fixed(2, 2),
    "martinmas day": _fixed(11, 11),
    "halloween": _fixed(10, 31),
    "all saints": _fixed(11, 1),
    "all saints' day": _fixed(11, 1),
    "all souls": _fixed(11, 2),
    "all souls' day": _fixed(11, 2),
    "guy fawkes night": _fixed(11, 5),
    "armistice day": _fixed(11, 11),
    "remembrance day": _fixed(11, 11),
    "martinmas": _fixed(11, 11),
    "veterans day": _fixed(11, 11),
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "christmas": _fixed(12, 25),
    "boxing day": _fixed(12, 26),
    "hogmanay": _fixed(12, 31),
    "martin luther king day": _nth(3, 0, 1),
    "mlk day": _nth(3, 0, 1),
    "presidents' day": _nth(3, 0, 2),
    "memorial day": _nth(-1, 0, 5),
    "labor day": _nth(1, 0, 9),
    "columbus day": _nth(2, 0, 10),
    "thanksgiving day": _nth(4, 3, 11),
    "thanksgiving": _nth(4, 3, 11),
    "black friday": _nth(4, 3, 11, 1),
    "cyber monday": _nth(4, 3, 11, 4),
    "shrove tuesday": _from_easter(-47),
    "ash wednesday": _from_easter(-46),
    "mothering sunday": _from_easter(-21),
    "palm sunday": _from_easter(-7),
    "maundy thursday": _from_easter(-3),
    "good friday": _from_easter(-2),
    "easter sunday": _from_easter(0),
    "easter day": _from_easter(0),
    "easter": _from_easter(0),
    "easter monday": _from_easter(1),
    "ascension day": _from_easter(39),
    "pentecost": _from_easter(49),
    "whit sunday": _from_easter(49),
    "whitsun": _from_easter(49),
    "whit monday": _from_easter(50),
    "trinity sunday": _from_easter(56),
    "trinity": _from_easter(56),
    "corpus christi": _from_easter(60),
    "jewish new year": _jewish_new_year,
    "rosh hashanah": _jewish_new_year,
    **{
        f"{whose} {name}": on
        for whose, days in {
            "canadian": {"thanksgiving": _nth(2, 0, 10), "thanksgiving day": _nth(2, 0, 10)},
            "american": {"thanksgiving": _nth(4, 3, 11), "thanksgiving day": _nth(4, 3, 11)},
            "coptic": {"christmas": _julian(12, 25)},
            "ethiopian": {"christmas": _julian(12, 25)},
            "russian": {"christmas": _julian(12, 25)},
            "serbian": {"christmas": _julian(12, 25)},
            "orthodox": {
                "christmas": _julian(12, 25),
                "christmas day": _julian(12, 25),
                "new year": _julian(1, 1),
            },
        }.items()
        for name, on in days.items()
    },
    **{
        f"{whose} {name}": _from_orthodox_easter(days)
        for whose in ("orthodox", "greek", "russian", "serbian", "coptic")
        for name, days in {
            "palm sunday": -7,
            "good friday": -2,
            "easter": 0,
            "easter sunday": 0,
            "easter monday": 1,
            "pentecost": 49,
        }.items()
    },
}
"""Days by lower-case name; the American ones if countries differ (Thanksgiving, Labor Day)."""

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

_SAINTS = {
    "hilary": (1, 13), "agnes": (1, 21), "vincent": (1, 22), "valentine": (2, 14), "matthias": (2, 24),
    "david": (3, 1), "gregory": (3, 12), "patrick": (3, 17), "cuthbert": (3, 20), "benedict": (3, 21),
    "george": (4, 23), "mark": (4, 25), "philip and st james": (5, 1), "dunstan": (5, 19),
    "barnabas": (6, 11),
    "alban": (6, 22), "john the baptist": (6, 24), "john": (6, 24), "peter and st paul": (6, 29),
    "peter": (6, 29),
    "peter and paul": (6, 29), "swithin": (7, 15), "swithun": (7, 15), "margaret": (7, 20),
    "mary magdalene": (7, 22), "james": (7, 25), "anne": (7, 26), "oswald": (8, 5), "lawrence": (8, 10),
    "laurence": (8, 10), "bartholomew": (8, 24), "giles": (9, 1), "matthew": (9, 21), "michael": (9, 29),
    "jerome": (9, 30), "francis": (10, 4), "denis": (10, 9), "edward": (10, 13), "luke": (10, 18),
    "crispin": (10, 25), "simon and st jude": (10, 28), "leonard": (11, 6), "martin": (11, 11),
    "edmund": (11, 20), "cecilia": (11, 22), "clement": (11, 23), "catherine": (11, 25),
    "katherine": (11, 25),
    "andrew": (11, 30), "nicholas": (12, 6), "lucy": (12, 13), "thomas": (12, 21), "stephen": (12, 26),
    "john the evangelist": (12, 27), "sylvester": (12, 31),
}  # fmt: skip
_FEASTS = {
    "circumcision": (1, 1), "purification": (2, 2), "annunciation": (3, 25), "invention of the cross": (5, 3),
    "visitation": (7, 2), "transfiguration": (8, 6), "assumption": (8, 15), "nativity of the virgin": (9, 8),
    "exaltation of the cross": (9, 14), "holy cross": (9, 14),
    "conception": (12, 8), "immaculate conception": (12, 8), "nativity": (12, 25), "holy innocents": (12, 28),
}  # fmt: skip
HOLIDAYS |= {f"st {name}'s day": _fixed(*on) for name, on in _SAINTS.items()}
HOLIDAYS |= {f"st {name}'s eve": _eve(*on) for name, on in _SAINTS.items()}
_FEASTS_OF = {f"st {name}": on for name, on in _SAINTS.items()} | _FEASTS
"""Names that are days only after "the feast of" and the like; saints are also churches and towns."""
_DAYS = HOLIDAYS | {name: _fixed(*on) for name, on in _FEASTS_OF.items()}

_SPANS: dict[str, tuple[DayOfYear, DayOfYear]] = {
    "lent": (_from_easter(-46), _from_easter(-1)),
    "holy week": (_from_easter(-7), _from_easter(-1)),
    "easter week": (_from_easter(0), _from_easter(6)),
    "whit week": (_from_easter(49), _from_easter(55)),
    "christmas week": (_fixed(12, 25), _fixed(12, 31)),
    "advent": (_advent, _fixed(12, 24)),
    "shrovetide": (_from_easter(-49), _from_easter(-47)),
}
"""Periods of the church year by first and last day."""

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
    names = (*_DAYS, *_SPANS)
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


_STEPS = {"last": -1, "this": 0, "next": 1, "previous": -1, "preceding": -1, "following": 1, "ensuing": 1}


def _beside(in_year: Callable[[int], Interval], step: int, day: Day) -> Interval:
    year = civil(day)[0]
    return beside([in_year(year + offset) for offset in (-1, 0, 1)], step, day)


def _days_of(name: str, groups: Mapping[str, str | None]) -> Callable[[int], Interval]:
    """A function from a year to the days of a holiday, of its eve or of its weekend."""
    if name in _SPANS:
        first, last = _SPANS[name]
        return lambda year: Interval(first(year), last(year) + 1, Granularity.DAY)
    on = _DAYS[name]
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
_FIRST_WORDS = {re.split(r"[ '-]", name)[0] for name in (*HOLIDAYS, *_SPANS)}
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
_ALONE = _names([name for name in (*HOLIDAYS, *_SPANS) if name not in _RISKY_ALONE])
_ALL = _names([*HOLIDAYS, *_SPANS])
_LED_IN = "|".join(rf"(?<=\b{word} )|(?<=\b{word} the )" for word in _PREPOSITIONS)
_IF_LED_IN = rf"(?:{_LED_IN})(?:{_names(list(_AFTER_PREPOSITION))})"
_IF_FEAST = rf"(?(feast)(?:{_names([*_FEASTS_OF, 'all saints', 'all souls', 'epiphany', 'pentecost'])})|(?!))"
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
