"""Lengths of time ("three years", "a year and a half", "a quarter of a century"): patterns and steps."""

import re

from timelens.lexicon import VAGUE_NUMBERS
from timelens.temporal.anchoring import shift_day, shifted
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.vocabulary import CARDINAL, CARDINALS, DIGITS, SPACE, UNIT, number, unit

NUMBER_STARTS = frozenset(CARDINALS) | VAGUE_NUMBERS | DIGITS | {"half"}
"""First words of rules that start with a number of units."""
LENGTH_STARTS = NUMBER_STARTS | {"quarter"}
"""First words of rules that start with a length."""

COUNT = (
    r"(?:(?=[a-z]|[0-9,]+[^0-9a-z]{1,8}[a-z])"  # a number before a sign or another number counts no unit
    rf"(?:(?P<n>{CARDINAL}|an?|another)|(?P<vague>(?=[a-z])(?:(?:a{SPACE})?(?:few|couple{SPACE}of)"
    r"|several|some|(?<!\bin how )many))))"  # "in how many years from 2012 to 2025" counts years
)
"""A number of units: group ``n`` for a number, ``vague`` for a vague quantity."""
_PART_OF = rf"(?:an?{SPACE})?(?P<part>half|quarter)(?:{SPACE}of)?(?:{SPACE}(?:an?{SPACE})?|-)"
_COUNTED = (
    rf"{COUNT}(?:{SPACE}and{SPACE}a{SPACE}(?P<part_before>half))?(?:{SPACE}(?:full|whole|long|calendar))?"
    rf"(?:{SPACE}|-)"
)
_UNIT = (
    rf"(?:(?:fiscal|financial|tax|accounting|reporting){SPACE})?(?P<unit>hours?\b|{UNIT})(?:{SPACE}and{SPACE}(?:a{SPACE}(?P<part_after>half)\b(?!{SPACE}of)"
    rf"|(?P<more>{CARDINAL}|an?){SPACE}(?P<smaller>{UNIT})))?"
)
LENGTH = rf"(?:{_PART_OF}|{_COUNTED}){_UNIT}"
"""A length of time; read it with :func:`steps`."""
LENGTH_OR_UNIT = rf"(?:{_PART_OF}|{_COUNTED})?{_UNIT}"
"""A length with an optional number: "the month before"."""

LENGTH_OR_FORTNIGHT = rf"(?!hours?\b|(?!fortnight\b){UNIT}){LENGTH_OR_UNIT}"
"""A length with a number, which only "fortnight" may omit: "the last fortnight"."""

Steps = list[tuple[int, Granularity]]
"""A length as (count, unit) pairs, coarse units first."""

_MONTHS_OF = {
    Granularity.YEAR: 12,
    Granularity.DECADE: 120,
    Granularity.CENTURY: 1200,
    Granularity.MILLENNIUM: 12_000,
}
_QUARTERS = {"quarter": 1, "half": 2}
_HOURS_OF_DAY = 24


def steps(match: re.Match[str]) -> Steps | None:
    """The steps of a :data:`LENGTH`; ``None`` if it is vague or not in whole days."""
    word, count = match["unit"].lower(), 1 if match["n"] is None else number(match["n"])
    if match["vague"] is not None or not count:
        return None
    if word.startswith("hour"):
        days, rest = divmod(count, _HOURS_OF_DAY)
        return [(days, Granularity.DAY)] if days and not rest else None
    granularity = unit(word)
    if match["part"] is not None:
        return _part(match["part"], granularity)
    found = [(2 * count if word.startswith("fortnight") else count, granularity)]
    if part := match["part_before"] or match["part_after"]:
        found += _part(part, granularity)
    if match["more"] is not None:
        found.append((number(match["more"]) or 1, unit(match["smaller"])))
    return found


def _part(word: str, granularity: Granularity) -> Steps:
    """Half or a quarter of a unit, in the largest unit that expresses it; approximate in days."""
    months = _MONTHS_OF.get(granularity, 0) * _QUARTERS[word.lower()] // 4
    if not months:
        return [(max(1, granularity.days * _QUARTERS[word.lower()] // 4), Granularity.DAY)]
    return [(months, Granularity.MONTH)] if months % 12 else [(months // 12, Granularity.YEAR)]


def moved(day: Day, length: Steps, sign: int) -> Day:
    """The day a length later (sign 1) or earlier (-1).

    Raises:
        ValueError: the day is more than about a million years from 1970.
    """
    for count, granularity in length:
        day = shift_day(day, sign * count, granularity)
    return day


def stepped(date: Interval, length: Steps, sign: int) -> Interval:
    """The date a length later or earlier, at the granularity that :func:`shifted` gives the last step."""
    if date.start is None:
        return date
    *coarse, (count, granularity) = length
    day = moved(date.start, coarse, sign)
    return shifted(Interval(day, day + 1, date.granularity), sign * count, granularity)
