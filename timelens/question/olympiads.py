"""The number of a Summer Olympics, as the year of the games. Pure.

Olympiads are counted every four years from 1896, whether games were held or not: those of 1948 are the 14th,
though three before them were not held. So a number names a year, whichever way a table counts. Winter Games
are counted as they are held, and their number stays as it is. (Olympic Charter, bye-law to Rule 6.)
"""

import re

from timelens.words import stem

_FIRST, _YEARS = 1896, 4
_NUMBERED = re.compile(
    r"\b(?P<number>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[1-9]\d?(?:st|nd|rd|th))"
    r"\s+(?:edition\s+of\s+the\s+)?(?:modern\s+)?(?P<games>Summer\s+(?:Olympics?(?:\s+Games)?|Games))\b",
    re.IGNORECASE,
)


def by_year(event: str) -> str:
    """A text with years for such numbers: "the 14th Summer Games" becomes "the 1948 Summer Games"."""
    return _NUMBERED.sub(lambda match: f"{_year(match['number'])} {match['games']}", event)


def _year(number: str) -> int:
    count = 1 if number.casefold() == "first" else int(stem(number))
    return _FIRST + _YEARS * (count - 1)
