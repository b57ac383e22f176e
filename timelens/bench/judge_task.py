"""The question put to a judge about a document, and what must be judged (TEMPO, Appendix C).

There are two judges: ``rules`` (``judge_rules.py``) and ``llm`` (``judge_llm.py``). Both are given the first
2,000 characters of a document, as published.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from timelens import Focus, ReasoningClass, parse
from timelens.bench.measures import Judged, Judgement
from timelens.bench.suite_data import Guidance
from timelens.temporal import Day, Interval, find_expressions, hull

JUDGES = ("none", "rules", "llm")
LONGEST_DOCUMENT = 2_000
"""Number of characters of a document that are judged."""
RECENT_DAYS = 3 * 366
"""Days before now that count as "recent"."""

_CROSS_PERIOD = re.compile(r"\bsince\b|\bover the last\b|\bchanged\b|\btrend", re.IGNORECASE)
_OF_TRENDS = frozenset({"trends_changes_and_cross_period", ReasoningClass.TRENDS_CROSS_PERIOD.value})
_NOW = re.compile(
    r"\b(?:now|nowadays|today|current(?:ly)?|recent(?:ly)?|lately|as of|up-to-date|latest|present)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JudgedPeriod:
    """A period that a question needs evidence from."""

    words: str
    interval: Interval | None
    """The days of the period; ``None`` if its words state none."""
    recent: bool = False
    """Whether the period reaches up to now: words such as "currently" then refer to it."""


@dataclass(frozen=True, slots=True)
class Need:
    """The temporal information need of a question."""

    question: str
    core: str
    """The core query: the question without its time."""
    focus: Focus
    asked: tuple[Interval, ...]
    """The periods the question asks about; empty if it names no time."""
    periods: tuple[JudgedPeriod, ...]
    """The periods the question compares; empty if it compares none."""
    now: Day


class Judge(Protocol):
    """Judges documents."""

    name: str

    def judge(self, need: Need, documents: Sequence[str]) -> list[Judgement | None]:
        """One judgement per document, ``None`` on failure. A document is its title and text, already cut."""
        ...


@runtime_checkable
class Grader(Judge, Protocol):
    """A judge that also compares answers with a reference."""

    def grade(self, question: str, answer: str, reference: str) -> float | None:
        """The share of the reference that the answer states, 0..1; ``None`` if the judge failed."""
        ...


def need_of(question: str, guidance: Guidance, now: Day) -> Need | None:
    """The temporal need of a question; ``None`` without temporal intent, which means nothing is judged.

    A question has temporal intent if annotators say so or if its words show a focus on time. It compares
    periods if its class is trends and changes, if its focus is change over time, or, as in the published
    code, if its text has "since", "over the last", "changed" or "trend". The periods are the first two of its
    key time anchors (annotated, else parsed). With fewer than two anchors, the first period is the anchor, or
    the first date, or all time except the last three years; the second is the time after it, up to now.
    """
    parsed = parse(question, now)
    if parsed.focus is Focus.NONE and not guidance.temporal:
        return None
    compares = (
        guidance.reasoning_class in _OF_TRENDS
        or parsed.focus is Focus.CHANGE_OVER_TIME
        or _CROSS_PERIOD.search(question) is not None
    )
    periods = _periods(question, guidance.anchors or parsed.anchors, now) if compares else ()
    asked = tuple(period.interval for period in parsed.periods)
    return Need(question, parsed.core, parsed.focus, asked, periods, now)


def judged_by(judge: Judge, need: Need, documents: Sequence[str]) -> Judged:
    """A judge's verdicts on a ranking, best document first."""
    cut = [document[:LONGEST_DOCUMENT] for document in documents]
    return Judged(tuple(judge.judge(need, cut)), len(need.periods))


def _periods(question: str, anchors: Sequence[str], now: Day) -> tuple[JudgedPeriod, ...]:
    if len(anchors) >= 2:
        return (_period(anchors[0], now), _period(anchors[1], now))
    baseline = _period(anchors[0], now) if anchors else _first_date(question, now)
    later = "nowadays" if _NOW.search(question) else "later, up to now"
    start = None if baseline.interval is None else baseline.interval.end
    after = Interval(start, now + 1) if start is not None and start <= now else None
    return (baseline, JudgedPeriod(later, after, recent=True))


def _period(words: str, now: Day) -> JudgedPeriod:
    """The period of an anchor's words: the hull of all dates in them."""
    dates = [date for found in find_expressions(words, now) for date in found.dates]
    return JudgedPeriod(words, hull(dates), recent=_NOW.search(words) is not None)


def _first_date(question: str, now: Day) -> JudgedPeriod:
    """The first date of a question; without one, all time except the last three years."""
    for found in find_expressions(question, now):
        if found.dates:
            return JudgedPeriod(found.text, found.dates[0])
    return JudgedPeriod("the earlier time", Interval(None, now - RECENT_DAYS))
