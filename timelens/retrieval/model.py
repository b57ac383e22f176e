"""What goes into a retrieval strategy, and what comes out."""

from dataclasses import dataclass

from timelens.documents import Chunk, Hit, Scores
from timelens.question.model import ParsedQuestion
from timelens.temporal.interval import Interval


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
