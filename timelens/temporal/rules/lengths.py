"""Durations and recurring times, which have no place on the calendar."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.rules.counting import COUNT, NUMBER_STARTS
from timelens.temporal.rules.rule import Dates, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import DASH, MONTH, SEASON, SPACE, UNIT, WEEKDAY, WEEKDAYS

_UNIT_IN_COMPOUND = "(?:day|week|month|year|decade|century|hour)"
_UNIT_OR_HOUR = rf"(?!quarter){UNIT}|hours?\b"


_DAY_OF_EACH_WEEK = rf"\b(?!last{SPACE}|first{SPACE})[a-z]+{SPACE}(?:day|night|evening|morning)s?{SPACE}"
"""A name such as "market day" or "training night", which has a weekday."""


def _nowhere(_match: re.Match[str], _anchors: Anchors) -> Dates:
    return ()


RULES: tuple[Rule, ...] = (
    rule(
        "duration",
        NUMBER_STARTS,
        rf"{COUNT}(?:{SPACE}(?:more|other|full|whole|long|and{SPACE}a{SPACE}half))?{SPACE}(?:{_UNIT_OR_HOUR})",
        _nowhere,
        ("three years", ""),
        ("several months", ""),
        ("a day", ""),
        ("two and a half years", ""),
        kind=ExpressionKind.DURATION,
        confidence=0.8,
        veto=rf"['\u2019]?{SPACE}(?:ahead|off){SPACE}of\b",
    ),
    rule(
        "compound-duration",
        NUMBER_STARTS | {"month", "year", "week", "decade", "day"},
        rf"(?:{COUNT}{DASH}{_UNIT_IN_COMPOUND}(?:{DASH}(?:long|old))?|{_UNIT_IN_COMPOUND}{DASH}(?:long|old))\b",
        _nowhere,
        ("three-year", ""),
        ("month-long", ""),
        ("forty-year-old", ""),
        kind=ExpressionKind.DURATION,
        confidence=0.8,
    ),
    rule(
        "half-century",
        {"half"},
        rf"half(?:-|{SPACE}(?:an?{SPACE})?)(?:day|year|decade|century)\b",
        _nowhere,
        ("half-century", ""),
        ("half a year", ""),
        kind=ExpressionKind.DURATION,
        confidence=0.7,
    ),
    rule(
        "set",
        {"every", "each", "per", "once", "twice"},
        rf"(?:every|each|per|(?:once|twice){SPACE}(?:an?|per)){SPACE}(?:(?:other|second|single){SPACE})?"
        rf"(?:{UNIT}|annum\b|{WEEKDAY}|{MONTH}|{SEASON}|morning\b|night\b|evening\b)",
        _nowhere,
        ("every Monday", ""),
        ("each year", ""),
        ("once a month", ""),
        kind=ExpressionKind.SET,
        confidence=0.85,
    ),
    rule(
        "adverb-of-set",
        {"daily", "weekly", "monthly", "yearly", "annually"},
        r"(?:dai|week|month|year|annual)ly\b",
        _nowhere,
        ("annually", ""),
        ("daily", ""),
        kind=ExpressionKind.SET,
        confidence=0.7,
    ),
    rule(
        "weekdays",
        {f"{name}s" for name in WEEKDAYS},
        rf"(?:{'|'.join(WEEKDAYS)})s\b",
        _nowhere,
        ("Mondays", ""),
        kind=ExpressionKind.SET,
        confidence=0.8,
    ),
    rule(
        "weekday-of-each-week",
        WEEKDAYS.keys() | {"now", "always", "usually", "normally"},
        rf"(?:(?:now|always|usually|normally){SPACE}(?:on{SPACE})?(?:an?{SPACE})?{WEEKDAY}|{WEEKDAY}{SPACE}now\b)",
        _nowhere,
        ("Thursday now", ""),
        ("always on a Friday", ""),
        kind=ExpressionKind.SET,
        confidence=0.7,
        cue=rf"{_DAY_OF_EACH_WEEK}(?:is|are|was|were){SPACE}(?:on{SPACE})?",
    ),
    rule(
        "weekday-moved",
        {"from"},
        rf"from{SPACE}{WEEKDAY}{SPACE}to{SPACE}{WEEKDAY}",
        _nowhere,
        ("from Tuesday to Thursday", ""),
        kind=ExpressionKind.SET,
        confidence=0.7,
        cue=rf"{_DAY_OF_EACH_WEEK}(?:[a-z]+{SPACE}){{0,2}}(?:mov|chang|switch|shift)[a-z]{{1,3}}{SPACE}",
    ),
)
