"""The input and the result of a retrieval strategy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from timelens.documents import Chunk, Hit, Scores
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval, hull


@runtime_checkable
class Summariser(Protocol):
    """A language model that shortens passages."""

    def summarise(self, question: str, passages: Sequence[str]) -> Sequence[str | None]:
        """One sentence for each passage with respect to the question; ``None`` if it is irrelevant."""


def summariser_in(answerer: object) -> Summariser | None:
    """The answerer, if it can also summarise; else ``None``."""
    return answerer if isinstance(answerer, Summariser) else None


@dataclass(frozen=True, slots=True)
class Request:
    """One retrieval: a question, or one step of its plan."""

    parsed: ParsedQuestion
    query: str
    """The topic to search for, without its time."""
    window: Interval | None
    """The period to search; ``parsed`` asks about this period alone."""
    k: int
    widen: bool = True
    """Whether a window without evidence may be widened, and then dropped."""
    summariser: Summariser | None = None
    """Used by strategies that rank summaries."""
    in_order: bool = True
    """Whether the order of the hits matters; otherwise they are not reranked."""


@dataclass(frozen=True, slots=True)
class Covered:
    """The coverage of one asked period by evidence on topic."""

    period: Interval
    share: float
    """The share of the period's parts with evidence, 0..1."""
    gaps: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of the asked time by evidence on topic, by period."""

    periods: tuple[Covered, ...] = ()
    """In the order of the question; empty if it asks for no time."""

    @property
    def asked(self) -> Interval | None:
        """The interval from the first to the last asked day."""
        return hull(covered.period for covered in self.periods)

    @property
    def share(self) -> float | None:
        """The mean share over the periods; ``None`` if the question asks for no time."""
        if not self.periods:
            return None
        return sum(covered.share for covered in self.periods) / len(self.periods)

    @property
    def gaps(self) -> tuple[Interval, ...]:
        """The parts of the periods without evidence, merged."""
        return tuple(dict.fromkeys(gap for covered in self.periods for gap in covered.gaps))

    @property
    def missing(self) -> tuple[Interval, ...]:
        """The times that an answer may name to report missing evidence: gaps and whole periods."""
        return (*self.gaps, *(covered.period for covered in self.periods))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Hits, best first, with notes for the user."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


def whole_chunk(chunk: Chunk, scores: Scores, *passed: str) -> Hit:
    """A hit without a best sentence; its time is the publication date, else the chunk's envelope."""
    return Hit(chunk, scores, chunk.published or chunk.envelope, None, passed)
