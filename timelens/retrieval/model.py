"""What goes into a retrieval strategy, and what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from timelens.documents import Chunk, Hit, Scores
from timelens.question.model import ParsedQuestion
from timelens.temporal.interval import Interval, hull


@runtime_checkable
class Summariser(Protocol):
    """A language model that shortens passages."""

    def summarise(self, question: str, passages: Sequence[str]) -> Sequence[str | None]:
        """One sentence for each passage, as it bears on the question; ``None`` where it does not."""


def summariser_in(answerer: object) -> Summariser | None:
    """What writes answers, if it shortens passages too."""
    return answerer if isinstance(answerer, Summariser) else None


@dataclass(frozen=True, slots=True)
class Request:
    """One retrieval: a question, or one step of its plan."""

    parsed: ParsedQuestion
    query: str
    """The topic to look for, without its time."""
    window: Interval | None
    """The period to search; ``parsed`` asks about this one alone."""
    k: int
    widen: bool = True
    """Whether a window without evidence may be widened and then dropped."""
    summariser: Summariser | None = None
    """For strategies that have use for one."""
    in_order: bool = True
    """Whether the order counts; what is only looked through need not be reranked."""


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of one asked period the evidence on topic covers."""

    period: Interval
    share: float
    """Of the period's parts, those with evidence, 0..1."""
    gaps: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the asked time the evidence on topic covers, period by period."""

    periods: tuple[Covered, ...] = ()
    """In the order of the question; none where it asks for no time."""

    @property
    def asked(self) -> Interval | None:
        """From the first to the last asked day."""
        return hull(covered.period for covered in self.periods)

    @property
    def share(self) -> float | None:
        """The mean over the periods; ``None`` when no time was asked for."""
        if not self.periods:
            return None
        return sum(covered.share for covered in self.periods) / len(self.periods)

    @property
    def gaps(self) -> tuple[Interval, ...]:
        """The stretches of the periods without evidence."""
        return tuple(dict.fromkeys(gap for covered in self.periods for gap in covered.gaps))

    @property
    def missing(self) -> tuple[Interval, ...]:
        """The times that an answer may name because there is no evidence for them: gaps, or whole periods."""
        return (*self.gaps, *(covered.period for covered in self.periods))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Evidence, best first, and what the user should know about it."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


def whole_chunk(chunk: Chunk, scores: Scores, *passed: str) -> Hit:
    """A chunk as evidence for a strategy that looks at no sentence: its time is that of publication."""
    return Hit(chunk, scores, chunk.published or chunk.envelope, None, passed)
