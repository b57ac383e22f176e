"""Answers, and what they rest on."""

from dataclasses import dataclass
from enum import StrEnum

from timelens.documents import Hit
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval


class Status(StrEnum):
    """Whether a question was answered. No answer is a result, not a failure."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    PARTIAL = "partial"
    """Parts of the asked time are without evidence."""


class Support(StrEnum):
    """What the cited evidence says of a time that an answer states."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of evidence that an answer uses, by its number in the text."""

    number: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that answers the question, with its time.

    For facts of a table the days are the recorded ones, so ``end`` may equal ``start``; for text the
    interval is half-open.
    """

    text: str
    start: Day | None
    end: Day | None
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before its dates are checked."""

    status: Status
    text: str
    values: tuple[Value, ...] = ()
    citations: tuple[Citation, ...] = ()
    """Only what is used, best support first."""


@dataclass(frozen=True, slots=True)
class TimeReference:
    """A time that the answer states, checked against the evidence it cites."""

    text: str
    interval: Interval | None
    support: Support
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model noted down before it answered. It is no part of the answer."""

    text: str
