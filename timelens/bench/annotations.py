"""What all layouts of annotated expressions share: days, classes, and when intervals are alike. Pure."""

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
    """A class of expression by its surface, for the analysis of errors."""
    return next(name for name, pattern in _CLASSES if re.search(pattern, text.lower()))


def day_of(stated: object) -> Day | None:
    """The day of an ISO date or time, ``None`` for anything else."""
    match = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(stated or ""))
    try:
        return None if match is None else parse_day(match[0])
    except ValueError:
        return None


def overlap(expression: Expression, start: int, end: int) -> int:
    """How many characters an expression shares with a stretch of its text; negative where they lie apart."""
    return min(expression.char_end, end) - max(expression.char_start, start)


def same_century(found: Interval, wanted: Interval) -> bool:
    """Whether both are the same century, which begins in the year 00 for some and in 01 for others."""
    return (
        Granularity.CENTURY is found.granularity is wanted.granularity
        and abs(found.bounds[0] - wanted.bounds[0]) <= 366
        and abs(found.bounds[1] - wanted.bounds[1]) <= 366
    )
