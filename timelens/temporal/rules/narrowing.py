"""Functions that narrow or shift a date by the words before it: from their match and the date to days.

Each may raise ``ValueError`` if the date has no such part, and returns a date without bounds unchanged.
"""

import re
from dataclasses import replace

from timelens.lexicon import DECADES
from timelens.temporal.anchoring import shift_day
from timelens.temporal.calendar import Day, add_months, civil, day_number, weekday
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, iso_week, weeks_of
from timelens.temporal.rules.counting import Steps, moved, steps
from timelens.temporal.rules.months import months_from, part_of_year, season_interval
from timelens.temporal.vocabulary import WEEKDAYS, digits, month, number, unit

_MONTHS_IN_THIRD = {Granularity.QUARTER: 1, Granularity.SEASON: 1, Granularity.HALF: 2, Granularity.YEAR: 4}
_THIRDS = {
    "early": 0, "beginning": 0, "start": 0, "onset": 0, "opening": 0, "outset": 0, "dawn": 0,
    "first": 0,
    "mid": 1, "middle": 1, "midst": 1, "height": 1,
    "late": 2, "dying": 2, "end": 2, "close": 2, "closing": 2, "latter": 2, "final": 2, "last": 2,
    "later": 2,
}  # fmt: skip

_FRACTIONS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "qtr": 4}
_PLACES = dict.fromkeys(("front", "opening", "early", "earlier", "former"), 1) | {"middle": 2}
"""Position of a fraction by words other than numbers; any other word means the last."""
_BEFORE = ("before", "prior", "preceding", "leading", "previous", "short", "shy")
_TO_END = ("to", "until", "through", "ended", "ending", "ends", "closing", "closed", "up", "running", "right")


def _third(date: Interval, index: int) -> Interval:
    """Early (0), mid (1) or late (2): a third of a year, month or century; 4, 5 and 4 years of a decade."""
    if date.start is None or date.end is None or date.days < 3:
        return date
    if date.granularity is Granularity.DECADE:
        offsets = ((0, 48), (36, 96), (72, 120))[index]
    elif date.granularity in (Granularity.CENTURY, Granularity.MILLENNIUM):
        years = 100 if date.granularity is Granularity.CENTURY else 1000
        bounds = (0, years // 3, 2 * (years // 3), years)
        offsets = (12 * bounds[index], 12 * bounds[index + 1])
    elif date.granularity in _MONTHS_IN_THIRD:
        months = _MONTHS_IN_THIRD[date.granularity]
        offsets = (months * index, months * (index + 1))
    else:
        return _third_of_days(date.start, date.end, index, date.granularity)
    first, last = (add_months(date.start, offset) for offset in offsets)
    return Interval(first, last, date.granularity)


def _third_of_days(start: Day, end: Day, index: int, granularity: Granularity) -> Interval:
    length = 10 if granularity is Granularity.MONTH else (end - start) // 3
    return Interval(start + index * length, end if index == 2 else start + (index + 1) * length, granularity)


def third(match: re.Match[str], date: Interval) -> Interval:
    """The early, middle or late third of a date, or a range of thirds ("mid-to-late")."""
    first = _third(date, which_third(match))
    if to := match.groupdict().get("to"):
        return Interval(first.start, _third(date, _THIRDS[to.lower()]).end, date.granularity)
    return first


_LENGTHS = {"days": (10, Granularity.DAY), "weeks": (4, Granularity.WEEK)}
"""Length of "the last days" and the like, if shorter than a third."""


def vague_third(match: re.Match[str], date: Interval) -> Interval:
    """The early, middle or late third of a date, shortened according to the units."""
    whole = _third(date, which_third(match))
    length = _LENGTHS.get(match["units"].lower())
    if whole.start is None or whole.end is None or length is None or which_third(match) == 1:
        return whole
    if which_third(match) == 0:
        return Interval(whole.start, min(whole.end, shift_day(whole.start, *length)), whole.granularity)
    return Interval(
        max(whole.start, shift_day(whole.end, -length[0], length[1])), whole.end, whole.granularity
    )


def quarter_to(match: re.Match[str], date: Interval) -> Interval:
    """The quarter of a year that contains its stated last month."""
    if date.start is None or date.granularity is not Granularity.YEAR:
        raise ValueError("a quarter is one of a year")
    return part_of_year(civil(date.start)[0], "q", (month(match["month"]) + 2) // 3)


def decade_of(match: re.Match[str], date: Interval) -> Interval:
    """The twenties or the 80s of a century."""
    if date.start is None or date.granularity is not Granularity.CENTURY:
        raise ValueError("a decade is one of a century")
    word = match["decade"].lower()
    first = civil(date.start)[0] // 100 * 100 + (DECADES.get(word, 0) or digits(word)) % 100
    return Interval(day_number(first), day_number(first + 10), Granularity.DECADE)


def which_third(match: re.Match[str]) -> int:
    """0 for the beginning, 1 for the middle, 2 for the end."""
    return _THIRDS[match["part"].lower()]


def season(match: re.Match[str], date: Interval, conventions: Conventions) -> Interval:
    """A season of a year; a stated south, or a summer in two years, means the southern hemisphere."""
    if date.start is None or date.end is None:
        return date
    first, last = civil(date.start)[0], civil(date.end - 1)[0]
    two_years = last == first + 1 and match["season"].lower().startswith("summer")
    if match["south"] or two_years:
        conventions = replace(conventions, southern=True)
    whole = season_interval(first, match["season"], conventions)
    return _third(whole, 1) if match["mid"] else whole


_LATE_IDES = (3, 5, 7, 10)
"""Months of the Roman calendar whose nones and ides are two days later."""


def roman_day(match: re.Match[str], date: Interval) -> Interval:
    """The kalends, nones or ides of a month; any other date unchanged."""
    if date.start is None or date.granularity is not Granularity.MONTH:
        return date
    day = {"k": 1, "c": 1, "n": 5, "i": 13}[match["name"][0].lower()]
    later = 2 if day > 1 and civil(date.start)[1] in _LATE_IDES else 0
    return day_interval(date.start + day - 1 + later)


def turn(_match: re.Match[str], date: Interval) -> Interval:
    """The days around the start of a date: five years for a century, two for a decade, a week for a year."""
    if date.start is None or date.end is None:
        return date
    year = civil(date.start)[0]
    match date.granularity:
        case Granularity.CENTURY | Granularity.MILLENNIUM:
            return Interval(day_number(year - 6), day_number(year + 5), Granularity.YEAR)
        case Granularity.DECADE:
            return Interval(day_number(year - 2), day_number(year + 2), Granularity.YEAR)
        case _:
            middle = day_number(civil(date.end - 1)[0])
            return Interval(middle - 7, middle + 7, Granularity.DAY)


def within(match: re.Match[str], date: Interval) -> Interval:
    """A date extended by a length: after it, before it, or both ("of", for dates coarser than a day)."""
    length = _length(match)
    if date.start is None or date.end is None:
        return date
    first, last = moved(date.start, length, -1), moved(date.end, length, 1)
    if _direction(match) in _BEFORE:
        return Interval(first, date.end, date.granularity)
    is_day = date.granularity is Granularity.DAY
    return Interval(date.start if is_day or _direction(match) != "of" else first, last, date.granularity)


_BY_LETTER = {
    "w": Granularity.WEEK, "f": Granularity.WEEK, "m": Granularity.MONTH, "q": Granularity.QUARTER,
    "h": Granularity.HALF,
    "y": Granularity.YEAR,
}  # fmt: skip


def abbreviated_stretch(match: re.Match[str], date: Interval) -> Interval:
    """The unit that ends or begins with a date, by abbreviations: "w/e", "y/e", "w/c"."""
    if date.start is None or date.end is None:
        return date
    letter, count = (match["unit"] or "y").lower(), int(match["n"] or 1)
    granularity = _BY_LETTER[letter]
    count *= 2 if letter == "f" else 1
    if (match["end"] or "e").lower() == "e":
        return Interval(shift_day(date.end, -count, granularity), date.end, granularity)
    return Interval(date.start, shift_day(date.start, count, granularity), granularity)


_TERMS = {"hilary": 1, "lent": 1, "easter": 4, "trinity": 4, "michaelmas": 10}
"""First months of the terms of courts and universities, three months each."""


def law_term(match: re.Match[str], date: Interval) -> Interval:
    """A term of a year by its name."""
    if date.start is None or date.granularity is not Granularity.YEAR:
        raise ValueError("a term is one of a year")
    return months_from(civil(date.start)[0], _TERMS[match["term"].lower()], 3, Granularity.QUARTER)


def fraction(match: re.Match[str], date: Interval) -> Interval:
    """The n-th half, third or quarter of a date."""
    if date.start is None or date.end is None:
        return date
    word, place = match["unit"].lower().removesuffix("s"), match["n"].lower()
    parts = _FRACTIONS[word]
    index = number(place) or _PLACES.get(place, parts)
    if date.granularity is Granularity.YEAR and word != "third":
        return part_of_year(civil(date.start)[0], word[0], index)
    if not 1 <= index <= parts:
        raise ValueError(f"{word} {index} does not exist")
    if date.granularity.days >= Granularity.YEAR.days:
        months = round(date.days / 365.2425 * 12)
        first, last = (add_months(date.start, months * (index - 1 + offset) // parts) for offset in (0, 1))
        return Interval(first, last, date.granularity)
    length = int(date.days) // parts
    first = date.start + (index - 1) * length
    return Interval(first, date.end if index == parts else first + length, date.granularity)


def first_units(match: re.Match[str], date: Interval) -> Interval:
    """The first or last n units of a date."""
    if date.start is None or date.end is None:
        return date
    count = 1 if match["n"] is None else number(match["n"]) or 1
    granularity = unit(match["unit"])
    count *= 2 if match["unit"].lower().startswith("fortnight") else 1
    if match["end"].lower() in ("first", "opening"):
        return Interval(date.start, min(date.end, shift_day(date.start, count, granularity)), granularity)
    return Interval(max(date.start, shift_day(date.end, -count, granularity)), date.end, granularity)


def nth_unit(match: re.Match[str], date: Interval) -> Interval:
    """The n-th day, week, month or year of a date, counted from its start or its end.

    Weeks of a year are those of ISO 8601; weeks of anything shorter start with its first day.
    """
    if date.start is None or date.end is None:
        return date
    granularity = unit(match["unit"])
    index = _place(match)
    if granularity is Granularity.WEEK and date.granularity is Granularity.YEAR:
        year = civil(date.start)[0]
        return iso_week(year, index if index > 0 else weeks_of(year) + 1 + index)
    if index < 0:
        last = shift_day(date.end, index + 1, granularity)
        first = shift_day(date.end, index, granularity)
    else:
        first, last = (shift_day(date.start, index + offset, granularity) for offset in (-1, 0))
    whole = Interval(first, last, granularity).intersection(date)
    if whole is None:
        raise ValueError(f"{granularity} {index} is not in it")
    return whole


def _place(match: re.Match[str]) -> int:
    """The position in a unit: 1 for the first, -1 for the last, -2 for the second to last."""
    groups = match.groupdict()
    if groups.get("penultimate"):
        return -2
    if from_last := groups.get("from_last"):
        return -(number(from_last) or 1)
    return (number(groups["n"]) or 1) if groups.get("n") else -1


def nth_weekday(match: re.Match[str], date: Interval) -> Interval:
    """The n-th or last Monday to Sunday of a date."""
    if date.start is None or date.end is None:
        return date
    wanted, index = WEEKDAYS[match["weekday"].lower()], _place(match)
    if index < 0:
        return day_interval(date.end - 1 - (weekday(date.end - 1) - wanted) % 7 + 7 * (index + 1))
    return day_interval(date.start + (wanted - weekday(date.start)) % 7 + 7 * (index - 1))


def weekday_beside(match: re.Match[str], date: Interval) -> Interval:
    """The n-th Monday to Sunday before or after a date."""
    if date.start is None or date.end is None:
        return date
    wanted = WEEKDAYS[match["weekday"].lower()]
    weeks = 7 * ((number(match["n"]) or 1) - 1 if match["n"] else 0)
    if match["direction"].lower() == "before":
        return day_interval(date.start - 1 - (weekday(date.start - 1) - wanted) % 7 - weeks)
    return day_interval(date.end + (wanted - weekday(date.end)) % 7 + weeks)


def numbered_week(match: re.Match[str], date: Interval) -> Interval:
    """A week of a year by its number in ISO 8601, or the weeks from one to another."""
    if date.start is None or date.granularity is not Granularity.YEAR:
        raise ValueError("weeks are numbered by the year")
    first, last = (
        iso_week(civil(date.start)[0], digits(text)) for text in (match["n"], match["last"] or match["n"])
    )
    return Interval(first.start, last.end, Granularity.WEEK)


def unchanged(_match: re.Match[str], date: Interval) -> Interval:
    """The date unchanged, for words that do not narrow it."""
    return date


def week(match: re.Match[str], date: Interval) -> Interval:
    """The week, or its weekend, that contains a day; any other date unchanged."""
    if date.start is None or date.granularity is not Granularity.DAY:
        return date
    whole = granule(date.start, Granularity.WEEK)
    return (
        whole if match["unit"].lower() == "week" or whole.end is None else Interval(whole.end - 2, whole.end)
    )


def offset(match: re.Match[str], date: Interval) -> Interval:
    """The date shifted by the stated length."""
    length = _length(match)
    if date.start is None or date.end is None:
        return date
    sign = -1 if _direction(match) in (*_BEFORE, "ago") else 1
    first = moved(date.start, length, sign)
    if date.granularity is Granularity.DAY:
        return Interval(first, first + (date.end - date.start), Granularity.DAY)
    return Interval(first, moved(date.end, length, sign), date.granularity)


def stretch(match: re.Match[str], date: Interval) -> Interval:
    """A stretch of the stated length that ends before the date or at its end, or begins with or after it."""
    length, word = _length(match), _direction(match)
    if date.start is None or date.end is None:
        return date
    if word in _BEFORE or word in _TO_END:
        end = date.start if word in _BEFORE else date.end
        return Interval(moved(end, length, -1), end, length[-1][1])
    start = date.end if word in ("after", "following") else date.start
    return Interval(start, moved(start, length, 1), length[-1][1])


def _direction(match: re.Match[str]) -> str:
    """The word that gives the side of the date on which a length lies."""
    words = (match["direction"] or "after").lower().split()
    return words[1] if words[0] in ("that", "which") else words[0]


def _length(match: re.Match[str]) -> Steps:
    length = steps(match)
    if length is None:
        raise ValueError("a vague length leads to no day")
    return length


def edge(match: re.Match[str], date: Interval) -> Interval:
    """The first or last day of a date."""
    if date.start is None or date.end is None:
        return date
    match which_third(match):
        case 0:
            return Interval(date.start, date.start + 1, date.granularity)
        case 2:
            return Interval(date.end - 1, date.end, date.granularity)
        case _:
            return third(match, date)
