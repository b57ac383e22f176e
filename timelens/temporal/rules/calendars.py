"""Other calendars."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import SPACE


def _hijri_year(match: re.Match[str], _anchors: Anchors) -> Dates:
    """A year of the tabular Islamic calendar: 12 months of 30 and 29 days, 11 leap years in 30."""
    first = _first_of_hijri(int(match["first"] or match["last"]))
    return (Interval(first, _first_of_hijri(int(match["first"] or match["last"]) + 1), Granularity.YEAR),)


def _first_of_hijri(year_number: int) -> Day:
    return day_number(622, 7, 19) + 354 * (year_number - 1) + (11 * year_number + 3) // 30


RULES: tuple[Rule, ...] = (
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
