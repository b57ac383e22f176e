"""Helpers for all layouts of annotated expressions: days, classes, and equality of intervals. Pure."""

import re

from timelens.lexicon import MONTH_FORMS, SEASONS, one_of
from timelens.temporal import Day, Expression, Granularity, Interval, parse_day

_CLASSES = (
    ("before the era", r"\bb\.?c"),
    ("early, mid, late", r"\b(?:early|mid|middle|late|end|beginning|start|first half|second half)\b"),
    (
        "relative to the text",
        r"\b(?:later|earlier|following|next|previous|same|that|after|before|this|last|ago)\b",
    ),
    ("decade, century", r"[0-9]{2}s\b|centur"),
    ("season", rf"\b(?:{one_of(SEASONS)})\b"),
    ("month or day with year", r"[a-z]{3}.*[0-9]{4}|[0-9]{4}.*[a-z]{3}"),
    ("year", r"^\W*(?:ad )?[0-9]{2,4}\W*$"),
    ("month or day without year", rf"\b(?:{one_of(name[:3] for name in MONTH_FORMS)})"),
    ("other", r""),
)


def class_of(text: str) -> str:
    """The class of an expression by its surface form, for error analysis."""
    return next(name for name, pattern in _CLASSES if re.search(pattern, text.lower()))


def day_of(stated: object) -> Day | None:
    """The day of an ISO date or time, ``None`` for anything else."""
    match = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(stated or ""))
    try:
        return None if match is None else parse_day(match[0])
    except ValueError:
        return None


def overlap(expression: Expression, start: int, end: int) -> int:
    """Number of characters an expression shares with ``start..end`` of its text; negative if disjoint."""
    return min(expression.char_end, end) - max(expression.char_start, start)


def same_century(found: Interval, wanted: Interval) -> bool:
    """Whether both are the same century; a century may begin in the year 00 or 01."""
    return (
        Granularity.CENTURY is found.granularity is wanted.granularity
        and abs(found.bounds[0] - wanted.bounds[0]) <= 366
        and abs(found.bounds[1] - wanted.bounds[1]) <= 366
    )
