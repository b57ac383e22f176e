"""Names of times that a question asks to tell: "which Christmas was the busiest?". Pure."""

import re

from timelens.lexicon import MONTH_FORMS, WEEKDAY_FORMS, one_of
from timelens.temporal.rules.holiday_days import HOLIDAYS, SPANS
from timelens.temporal.vocabulary import APOSTROPHE, SEASON

_HOLIDAYS = one_of({*HOLIDAYS, *SPANS}).replace("'", APOSTROPHE)
_ASKED = re.compile(
    r"\b(?:(?:which|what)(?:\s+(?:one|other|single))?|the\s+(?:(?!latest|newest|nearest)[a-z]+est|best|worst|(?:most|least)\s+[a-z]+))\s+"
    rf"(?P<name>(?:(?:{_HOLIDAYS})(?:(?:{APOSTROPHE}s?)?\s+eve)?"
    rf"|{one_of((*MONTH_FORMS, *WEEKDAY_FORMS))}|{SEASON})"
    r"(?:\s+weekend)?)\b(?!\s+(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b|[12]\d{3}\b))",
    re.IGNORECASE,
)
"""A name behind "which" or a superlative ("the wettest July"), without the day or year of one time."""


def without_asked_names(text: str) -> str:
    """The text, as long as before, with signs in place of the names of times that it asks to tell.

    "Which Christmas 2019 concert" asks for no Christmas, and stays.
    """
    return _ASKED.sub(_blanked, text)


def _blanked(match: re.Match[str]) -> str:
    start = match.start("name") - match.start()
    return match[0][:start] + "x" * (len(match[0]) - start)
