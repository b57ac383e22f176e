"""Holidays by name: on a fixed date, on the n-th weekday of a month, or counted from Easter."""

import re
from collections.abc import Callable

from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import Day, day_number, days_in_month, weekday
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.rules.rule import Dates, Kind, Rule, rule
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
    """Easter Sunday of the eastern churches: by the Julian calendar (Meeus, chapter 8), in the Gregorian."""
    epact = (19 * (year % 19) + 15) % 30
    to_sunday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
    month, day = divmod(epact + to_sunday + 114, 31)
    return day_number(year, month, day + 1) + year // 100 - year // 400 - 2


def _fixed(month: int, day: int) -> DayOfYear:
    return lambda year: day_number(year, month, day)


def _from_easter(days: int) -> DayOfYear:
    return lambda year: easter(year) + days


def _from_orthodox_easter(days: int) -> DayOfYear:
    return lambda year: orthodox_easter(year) + days


def _nth(index: int, wanted: int, month: int, days: int = 0) -> DayOfYear:
    """The n-th Monday (0) to Sunday (6) of a month, -1 the last, or some days after it."""

    def day(year: int) -> Day:
        if index > 0:
            first = day_number(year, month)
            return first + (wanted - weekday(first)) % 7 + 7 * (index - 1) + days
        last = day_number(year, month, days_in_month(year, month))
        return last - (weekday(last) - wanted) % 7 + days

    return day


HOLIDAYS: dict[str, DayOfYear] = {
    "new year's day": _fixed(1, 1),
    "new years day": _fixed(1, 1),
    "new year's eve": _fixed(12, 31),
    "new years eve": _fixed(12, 31),
    "epiphany": _fixed(1, 6),
    "groundhog day": _fixed(2, 2),
    "candlemas": _fixed(2, 2),
    "valentine's day": _fixed(2, 14),
    "st patrick's day": _fixed(3, 17),
    "st patrick": _fixed(3, 17),
    "lady day": _fixed(3, 25),
    "april fools' day": _fixed(4, 1),
    "april fool's day": _fixed(4, 1),
    "st george's day": _fixed(4, 23),
    "anzac day": _fixed(4, 25),
    "may day": _fixed(5, 1),
    "cinco de mayo": _fixed(5, 5),
    "midsummer day": _fixed(6, 24),
    "midsummer's day": _fixed(6, 24),
    "canada day": _fixed(7, 1),
    "bastille day": _fixed(7, 14),
    "lammas": _fixed(8, 1),
    "michaelmas": _fixed(9, 29),
    "halloween": _fixed(10, 31),
    "all saints' day": _fixed(11, 1),
    "all souls' day": _fixed(11, 2),
    "guy fawkes night": _fixed(11, 5),
    "armistice day": _fixed(11, 11),
    "remembrance day": _fixed(11, 11),
    "martinmas": _fixed(11, 11),
    "veterans day": _fixed(11, 11),
    "st andrew's day": _fixed(11, 30),
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
    "corpus christi": _from_easter(60),
    "orthodox easter": _from_orthodox_easter(0),
    "orthodox good friday": _from_orthodox_easter(-2),
}
"""Names in lower case. American where countries differ (Thanksgiving, Labor Day)."""

_RISKY_ALONE = frozenset({"epiphany", "corpus christi", "st patrick", "pentecost", "black friday"})
"""Names that are words, places or people as often as days: they need a year."""


def _pattern(name: str) -> str:
    words = name.replace("'", f"{APOSTROPHE}?").replace("st patrick", r"(?:st\.?|saint) patrick")
    return words.replace(" ", SPACE)


def _names(names: list[str]) -> str:
    return "|".join(_pattern(name) for name in sorted(names, key=len, reverse=True))


def _name_of(text: str) -> str:
    words = " ".join(text.lower().replace("\u2019", "'").split())
    words = re.sub(r"^(?:st\.?|saint) ", "st ", words)
    return words if words in HOLIDAYS else next(name for name in HOLIDAYS if _bare(name) == _bare(words))


def _bare(name: str) -> str:
    return name.replace("'", "").replace("\u2018", "")


def _holiday(match: re.Match[str], anchors: Anchors) -> Dates:
    on = HOLIDAYS[_name_of(match["holiday"])]
    weekend = any(match.groupdict().get(group) for group in ("weekend", "before", "after"))

    def in_year(year: int) -> Interval:
        return _weekend(on(year)) if weekend else day_interval(on(year))

    if year := match.groupdict().get("y"):
        return (in_year(int(year)),)
    date = nearest_year(in_year, anchors)
    return () if date is None else (date,)


def _weekend(day: Day) -> Interval:
    """The Saturday and Sunday nearest to a day, with the days from it or up to it."""
    to_saturday = (5 - weekday(day)) % 7
    saturday = day + to_saturday if to_saturday <= 3 else day + to_saturday - 7
    return Interval(min(day, saturday), max(day, saturday + 1) + 1, Granularity.DAY)


_STARTS = {"saint", "weekend"} | {re.split(r"[ ']", name)[0] for name in HOLIDAYS}
_ALONE = _names([name for name in HOLIDAYS if name not in _RISKY_ALONE])
_ALL = _names(list(HOLIDAYS))

RULES: tuple[Rule, ...] = (
    rule(
        "holiday-of-year",
        _STARTS,
        rf"(?P<before>weekend{SPACE}of{SPACE})?(?P<holiday>{_ALL})\b(?P<weekend>{SPACE}weekend)?"
        rf"(?:(?:,|{SPACE}of|{SPACE}in)?{SPACE}(?P<y>{PLAIN_YEAR}))(?P<after>{SPACE}weekend\b)?",
        _holiday,
        ("Christmas Eve 1914", "1914-12-24 1914-12-25"),
        ("Easter 2018", "2018-04-01 2018-04-02"),
        ("Good Friday, 1916", "1916-04-21 1916-04-22"),
        ("Orthodox Easter 2018", "2018-04-08 2018-04-09"),
        ("Saint Patrick's Day 2020", "2020-03-17 2020-03-18"),
        ("Thanksgiving 2017", "2017-11-23 2017-11-24"),
        ("Memorial Day 2013", "2013-05-27 2013-05-28"),
        ("Labor Day 2021 weekend", "2021-09-04 2021-09-07"),
        ("weekend of Thanksgiving 2023", "2023-11-23 2023-11-27"),
    ),
    rule(
        "holiday",
        _STARTS,
        rf"(?P<holiday>{_ALONE})\b(?P<weekend>{SPACE}weekend\b)?",
        _holiday,
        ("New Year\u2019s Day", "1916-01-01 1916-01-02"),
        ("Easter Monday", "1916-04-24 1916-04-25"),
        kind=Kind.ANCHORED,
        confidence=0.8,
        veto=rf"{SPACE}(?:island|islands|rising|egg|eggs|bunny|tree|trees|card|cards|carol|carols|truce|present)\b"
        rf"|-",
    ),
)
