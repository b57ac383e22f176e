"""Evidence in chronological order, numbered for citation (TA-RAG, Section 4.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from timelens.answer.model import Citation
from timelens.documents import Hit
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase


@dataclass(frozen=True, slots=True)
class Timeline:
    """Pieces of evidence from early to late; numbers follow their rank, 1 is the best support."""

    citations: tuple[Citation, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The evidence in order of time."""
        return tuple(citation.hit for citation in self.citations)


def make_timeline(hits: Sequence[Hit]) -> Timeline:
    """Order ranked hits by their time; undated ones stand last."""
    numbered = [Citation(number, hit) for number, hit in enumerate(hits, start=1)]
    return Timeline(tuple(sorted(numbered, key=lambda citation: (start_of(citation.hit), citation.number))))


def time_of(hit: Hit) -> Interval | None:
    """The time that a piece of evidence stands for: that of its best event, else its publication."""
    return hit.interval or hit.chunk.published or hit.chunk.envelope


def start_of(hit: Hit) -> float:
    """Where a piece of evidence begins in time; undated ones after all others."""
    time = time_of(hit)
    return float("inf") if time is None else time.bounds[0]


def label(hit: Hit) -> str:
    """The time of a piece of evidence in words; that of a fact as recorded."""
    if hit.chunk.fact is not None:
        return hit.chunk.fact.period
    time = time_of(hit)
    return "undated" if time is None else phrase(time)
