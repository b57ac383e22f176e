"""Answers to questions of pure calendar arithmetic: "what is the date 90 days before 1 March 2020?". Pure."""

import re

from timelens.answer.draft import Draft, Status, Value
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import Day, civil
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import ExpressionKind, find_expressions
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.phrasing import (
    MONTH_NAMES,
    months_and_days,
    phrase,
    phrase_counts,
    phrase_length,
    phrase_year,
)
from timelens.temporal.vocabulary import MONTH, UNIT
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
_COUNTED = re.compile(
    r"\W*(?:(?:and|so|please|tell me)\s+)?how\s+(?:many\s+(?P<unit>day|week|month|year)s|long)\b"
    r"(?:\s+(?:is|are|was|were|it|there|that|lie|exactly))*"
    r"\s+(?P<ends>(?:between|from|since|until|till)\s.+?)\W*",
    re.IGNORECASE | re.DOTALL,
)
"""A question for the length of time between two dates, or from one of them to today."""
_NAMED_DAY = re.compile(
    rf"\b(?:(?:the\s+)?(?:29|3[01])(?:st|th)?\s+(?:of\s+)?{MONTH}|{MONTH}\s+(?:29|3[01])(?:st|th)?)"
    r"(?:,?\s+\d{1,4})?\b",
    re.IGNORECASE,
)
"""A day that some month lacks, with the name of a month."""
_SHORT_MONTH = re.compile(r"\b[A-Z][a-z]{2}(?P<comma>,?)\s+\d{1,4}\b")


def calculated(parsed: ParsedQuestion, conventions: Conventions = USUAL) -> Draft | None:
    """The date or the length that a question asks to compute, or ``None`` if it asks for anything else.

    The date is the interval of the question's only constraint; evidence is not used.
    """
    length = _length(parsed, conventions)
    if length is not None:
        return length
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
    return _told(said, Value(stated, interval.start, interval.end, ()))


def _told(said: str, value: Value) -> Draft:
    text = f"{said}: calculated from the calendar, not from documents."
    return Draft(Status.ANSWERED, text, (value,))


def _length(parsed: ParsedQuestion, conventions: Conventions) -> Draft | None:
    """The length of time between the two dates that a question names in full, or from one to today."""
    asked = _COUNTED.fullmatch(parsed.question)
    if asked is None:
        return None
    found = find_expressions(asked["ends"], parsed.reference_day, conventions=conventions)
    if len(found) != 1 or found[0].text != asked["ends"] or found[0].kind is ExpressionKind.ANCHORED:
        return None
    (ends,) = found
    dates = ends.dates
    if len(dates) == 1:
        today = day_interval(parsed.reference_day)
        dates = (dates[0], today) if ends.relation is Relation.SINCE else (today, dates[0])
        if dates[1].bounds < dates[0].bounds:
            return None
    if len(dates) != 2:
        return None
    first, last = sorted(dates, key=lambda date: date.bounds)
    unit = Granularity((asked["unit"] or "year").lower())
    if first.granularity is not last.granularity or unit.days < first.granularity.days:
        return None
    if first.start is None or last.start is None:
        return None
    said = _counted(first.start, last.start, unit)
    days = phrase_counts([(last.start - first.start, "day")])
    is_told = first.granularity is not Granularity.DAY or said == days
    return _told(said if is_told else f"{said} ({days})", Value(said, first.start, last.end, ()))


def _counted(start: Day, end: Day, unit: Granularity) -> str:
    """The time from one day to another in a unit, and the days that are left."""
    months, days = months_and_days(start, end)
    match unit:
        case Granularity.DAY:
            return phrase_counts([(end - start, "day")])
        case Granularity.WEEK:
            return phrase_counts([((end - start) // 7, "week"), ((end - start) % 7, "day")])
        case Granularity.MONTH:
            return phrase_counts([(months, "month"), (days, "day")])
        case _:
            return phrase_length(start, end)


def impossible_date(question: str, reference_day: Day, conventions: Conventions) -> str | None:
    """The date that does not exist, of a question that names no other time; else ``None``.

    "90 days before 31 February" counts only in a question for nothing but that date.
    """
    is_counting = _SHIFTED.search(question) is not None
    if not is_counting and _NAMED_DAY.search(question) is None:
        return None
    found = find_expressions(question, reference_day, conventions=conventions)
    times = [one for one in found if one.interval is not None or one.kind is ExpressionKind.EXPLICIT]
    if len(times) != 1:
        return None
    (named,) = times
    if named.interval is not None or named.dates:
        return None
    if shifted := _SHIFTED.search(named.text):
        is_alone = len(found) == 1 and _asks_alone(question, named.text)
        return named.text[shifted.end() :].strip() if is_alone else None
    day = _NAMED_DAY.search(named.text)
    return None if day is None else day.group()


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
