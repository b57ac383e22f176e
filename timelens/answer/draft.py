"""Answers, with the statements and citations that support them."""

from dataclasses import dataclass
from enum import StrEnum

from timelens.documents import Hit
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval


class Status(StrEnum):
    """Whether a question was answered. "No answer" is a result, not an error."""

    ANSWERED = "answered"
    """Everything that was asked has an answer."""
    NO_ANSWER = "no_answer"
    """Nothing states an answer with enough certainty; the text may name the nearest passages."""
    PARTIAL = "partial"
    """Parts of the asked time have no evidence."""


class Support(StrEnum):
    """Whether the cited evidence supports a time or a line of an answer."""

    SUPPORTED = "supported"
    """The evidence states it."""
    CONTRADICTED = "contradicted"
    """The evidence states something else in its place."""
    UNSUPPORTED = "unsupported"
    """The evidence does not state it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A dated statement, read from a table row or a sentence; the operand of operations over time."""

    subject: str
    """The values that the facts of a table share, or the title of a text."""
    relation: str
    """The answer column of a table, ``time`` if there is none, or empty."""
    value: str
    interval: Interval | None
    """Its time, in the granularity of the source; ``None`` if undated."""
    hit: Hit
    """Its evidence; ``hit.sentence`` is the sentence of a text."""
    probability: float
    """The probability that the source states it; 1.0 for a table row."""
    planned: bool = False
    """Whether the source expects it rather than reports it."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed line of an answer: a difference, a length, a count."""

    text: str
    """The line of the answer, with its citations."""
    operands: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of evidence with its citation number in an answer."""

    number: int
    """Its number in the text, from 1: ``[1]``."""
    hit: Hit
    """The evidence."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A passage that a refusal names as nearest to the question."""

    citation: Citation
    period: Interval | None
    """The asked period that it is nearest to; ``None`` if the question has no time."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value that answers the question, with its time.

    For table rows, ``start`` and ``end`` are the recorded days, so ``end`` may equal ``start``; for text, the
    interval is half-open.
    """

    text: str
    """The value, as the evidence has it."""
    start: Day | None
    """Its first day; ``None`` if it is open or unknown."""
    end: Day | None
    """The end of its time (see above); ``None`` if it is open or unknown."""
    citations: tuple[int, ...]
    """The numbers of the evidence that states it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of text that may answer, or a sentence that may tell yes or no."""

    text: str
    hit: Hit
    probability: float
    """The probability that it answers, 0..1."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision behind an answer without a language model, for a question or one of its periods."""

    way: str
    """The way that gave the answer, such as ``rows of tables``."""
    risk: float
    """The accepted probability, 0..1, that an answer read in a text is wrong."""
    candidates: tuple[Candidate, ...] = ()
    """The reader's candidates, likeliest first; empty if the reader was not used."""
    ignored: str = ""
    """The condition of the question that the way did not apply, in its words; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is verified."""

    status: Status
    text: str
    values: tuple[Value, ...] = ()
    citations: tuple[Citation, ...] = ()
    """Only the evidence that is used, best support first."""
    statements: tuple[Statement, ...] = ()
    """The statements behind its lines, as far as they are known."""
    derived: tuple[Derived, ...] = ()
    """The lines computed from statements."""
    nearest: tuple[Nearest, ...] = ()
    """For a refusal: the nearest passages, by their numbers in the text."""
    beside: Statement | None = None
    """The statement that the answer precedes or succeeds; it may be undated."""
    series: tuple[Statement, ...] = ()
    """The values over time, without sentences that are quoted as a whole."""
    decisions: tuple[Decision, ...] = ()
    """One for each period of the question; a single one if it has at most one period."""


@dataclass(frozen=True, slots=True)
class TimeReference:
    """A time that the answer states, verified against the cited evidence."""

    text: str
    """Its words in the answer."""
    interval: Interval | None
    """Its days; ``None`` if the words name none."""
    support: Support
    """Whether the cited evidence has it."""
    citations: tuple[int, ...]
    """The numbers of the evidence that it was checked against."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of an answer, verified as a whole: subject, value and date together."""

    text: str
    """The line without its citations."""
    support: Support
    """Whether the cited evidence states it."""
    derived: bool
    """Whether it is computed from statements; it is supported if all of these are."""
    citations: tuple[int, ...]
    """The numbers of the evidence that it was checked against."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A note that a model wrote before its answer; not part of the answer."""

    text: str
