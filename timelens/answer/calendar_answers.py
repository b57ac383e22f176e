"""Answers to questions of pure calendar arithmetic: "what is the date 90 days before 1 March 2020?". Pure."""

import re

from timelens.answer.draft import Draft, Status, Value
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import Day, civil
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import ExpressionKind, find_expressions
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import MONTH_NAMES, phrase, phrase_year
from timelens.temporal.vocabulary import UNIT
from timelens.words import WORD

_ASKING = frozenset(
    "what which when will would it that is was be the a date day month year time exactly "
    "precisely on in please "
    "tell give me calculate compute find falls fell lies come comes so".split()
)
"""Words that a question for a date alone may contain."""
_SHIFTED = re.compile(
    rf"\b{UNIT}.*\b(?:before|after|from|prior|later|earlier|following|preceding|past)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A length of time and its direction from a date."""
_SHORT_MONTH = re.compile(r"\b[A-Z][a-z]{2}(?P<comma>,?)\s+\d{1,4}\b")


def calculated(parsed: ParsedQuestion) -> Draft | None:
    """The date that a question asks to compute, or ``None`` if it asks for anything else.

    The date is the interval of the question's only constraint; evidence is not used.
    """
    if len(parsed.constraints) != 1:
        return None
    (constraint,) = parsed.constraints
    interval = constraint.interval
    bounded = interval is not None and interval.start is not None and interval.end is not None
    if interval is None or not bounded or not _SHIFTED.search(constraint.text):
        return None
    if not _asks_alone(parsed.question, constraint.text):
        return None
    stated = _as_asked(interval, constraint.text)
    whole = phrase(interval)
    said = whole if stated == whole else f"{stated} ({whole})"
    text = f"{said}: calculated from the calendar, not from documents."
    return Draft(Status.ANSWERED, text, (Value(stated, interval.start, interval.end, ()),))


def impossible_date(question: str, reference_day: Day, conventions: Conventions) -> str | None:
    """The date that does not exist, of a question that only counts from it; else ``None``."""
    if _SHIFTED.search(question) is None:
        return None
    found = find_expressions(question, reference_day, conventions=conventions)
    if len(found) != 1:
        return None
    (counted,) = found
    shifted = _SHIFTED.search(counted.text)
    is_impossible = counted.interval is None and counted.kind is ExpressionKind.EXPLICIT and not counted.dates
    if shifted is None or not is_impossible or not _asks_alone(question, counted.text):
        return None
    return counted.text[shifted.end() :].strip()


def _asks_alone(question: str, counted: str) -> bool:
    """Whether a question asks for nothing but a date."""
    rest = question.replace(counted, " ", 1)
    return all(word.casefold() in _ASKING for word in WORD.findall(rest))


def _as_asked(interval: Interval, asked: str) -> str:
    """A date in words; a month is abbreviated as in the question ("Sep, 1104")."""
    short = _SHORT_MONTH.search(asked)
    if short is None or interval.start is None or interval.granularity is not Granularity.MONTH:
        return phrase(interval)
    year, month, _ = civil(interval.start)
    return f"{MONTH_NAMES[month - 1][:3]}{short['comma']} {phrase_year(year).removeprefix('AD ')}"
