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
class Statement:
    """One dated statement, read from a piece of evidence: what operations over time work on.

    A row of a table is one, and so is what a reader takes from a sentence.
    """

    subject: str
    """What it is about: the values that a table's facts have in common, or the title of a text."""
    relation: str
    """What is stated of the subject: the column of a table, or the topic of the question."""
    value: str
    interval: Interval | None
    """When it held or happened, in the granularity of its source; ``None`` if undated."""
    hit: Hit
    """Where it is stated; ``hit.sentence`` is the sentence of a text."""
    probability: float
    """That the source states it: 1.0 for a row of a table."""
    planned: bool = False
    """Whether the source expects it, rather than telling that it was so."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A line of an answer that is worked out: a difference, a length, a count."""

    text: str
    """The line as it stands in the answer, with its citations."""
    operands: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of evidence that an answer uses, by its number in the text."""

    number: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class Nearest:
    """A passage that comes nearest to a question which nothing answers clearly."""

    citation: Citation
    period: Interval | None
    """The asked period that it is nearest to; ``None`` where no time is asked for."""


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
class Candidate:
    """A stretch of evidence that may answer, or a sentence that may tell yes or no."""

    text: str
    hit: Hit
    probability: float
    """That it answers, 0..1."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How an answer without a model was decided on for a question, or one of its periods."""

    way: str
    """What gave the answer, such as ``rows of tables``."""
    risk: float
    """How likely a candidate may be wrong, 0..1, and still be given as the answer."""
    candidates: tuple[Candidate, ...] = ()
    """What was read in texts, likeliest first; empty where the decision did not take the reader."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before its dates are checked."""

    status: Status
    text: str
    values: tuple[Value, ...] = ()
    citations: tuple[Citation, ...] = ()
    """Only what is used, best support first."""
    statements: tuple[Statement, ...] = ()
    """What its lines state, where rules read it."""
    derived: tuple[Derived, ...] = ()
    """The lines that are worked out from statements."""
    nearest: tuple[Nearest, ...] = ()
    """Without a clear statement: the passages nearest to the question, by their numbers in the text."""
    beside: Statement | None = None
    """What the answer came before or after, in the order of statements; its day need not be known."""
    series: tuple[Statement, ...] = ()
    """The values that were read, each with its time; a sentence that is quoted whole is none."""
    decisions: tuple[Decision, ...] = ()
    """One for each period of the question; a single one where it has no more than one."""


@dataclass(frozen=True, slots=True)
class TimeReference:
    """A time that the answer states, checked against the evidence it cites."""

    text: str
    interval: Interval | None
    support: Support
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of an answer, checked as a whole: subject, value and date together."""

    text: str
    """Without its citations."""
    support: Support
    derived: bool
    """Worked out from other statements rather than stated; supported when all of these are."""
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model noted down before it answered. It is no part of the answer."""

    text: str
