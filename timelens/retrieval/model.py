"""What goes into a retrieval strategy, and what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from timelens.documents import Chunk, Hit, Scores
from timelens.question.model import ParsedQuestion
from timelens.temporal.interval import Interval


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
    k: int
    widen: bool = True
    """Whether a window without evidence may be widened and then dropped."""
    summariser: Summariser | None = None
    """For strategies that have use for one."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the asked time the evidence covers."""

    asked: Interval | None
    share: float | None
    """Of the asked time's bins, the part with evidence; ``None`` when no time was asked for."""
    gaps: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Evidence, best first, and what the user should know about it."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


def whole_chunk(chunk: Chunk, scores: Scores, *passed: str) -> Hit:
    """A chunk as evidence for a strategy that looks at no sentence: its time is that of publication."""
    return Hit(chunk, scores, chunk.published or chunk.envelope, None, passed)
