"""The days of holidays: on a fixed date, on the n-th weekday of a month, or relative to Easter. Pure."""

from collections.abc import Callable

from timelens.temporal.calendar import Day, day_number, days_in_month, julian_lag, weekday
from timelens.temporal.rules.calendars import hebrew_year

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
FEASTS_OF = {f"st {name}": on for name, on in _SAINTS.items()} | _FEASTS
"""Names that are days only after "the feast of" and the like, with month and day; saints are also towns."""
DAYS = HOLIDAYS | {name: _fixed(*on) for name, on in FEASTS_OF.items()}
"""Days by lower-case name, those of feasts among them."""

SPANS: dict[str, tuple[DayOfYear, DayOfYear]] = {
    "lent": (_from_easter(-46), _from_easter(-1)),
    "holy week": (_from_easter(-7), _from_easter(-1)),
    "easter week": (_from_easter(0), _from_easter(6)),
    "whit week": (_from_easter(49), _from_easter(55)),
    "christmas week": (_fixed(12, 25), _fixed(12, 31)),
    "advent": (_advent, _fixed(12, 24)),
    "shrovetide": (_from_easter(-49), _from_easter(-47)),
}
"""Periods of the church year by first and last day."""
