"""Evidence in chronological order, numbered for citation (TA-RAG, Section 4.4)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.model import Citation
from timelens.answer.sentences import points_back
from timelens.documents import Chunk, EventSource, Hit
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_OF_ITS_DAY = re.compile(r"\b(?:is|are|has|have|now|today|currently|will)\b", re.IGNORECASE)
"""Words of a sentence that speaks of the day on which it was written."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Pieces of evidence from early to late; numbers follow their rank, 1 is the best support."""

    citations: tuple[Citation, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The evidence in order of time."""
        return tuple(citation.hit for citation in self.citations)

    @property
    def records(self) -> frozenset[int]:
        """The numbers of the pieces that are rows of tables."""
        return frozenset(one.number for one in self.citations if one.hit.chunk.fact is not None)

    def to_arrow(self) -> "pa.Table":
        """A row for each piece, by the schema :data:`timelens.answer.tables.EVIDENCE`."""
        from timelens.answer.tables import evidence_table

        return evidence_table(self.citations)

    def to_pandas(self) -> "pd.DataFrame":
        """As :meth:`to_arrow`, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.tables import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """What a notebook shows: a drawing, and each piece."""
        from timelens.answer.article import Article, as_output
        from timelens.answer.evidence import Evidence

        return as_output(Article(Evidence(self)))


def make_timeline(hits: Sequence[Hit]) -> Timeline:
    """Order ranked hits by their time; undated ones stand last."""
    return in_order(Citation(number, hit) for number, hit in enumerate(hits, start=1))


def in_order(citations: Iterable[Citation]) -> Timeline:
    """Order numbered pieces by their time; undated ones stand last."""
    return Timeline(tuple(sorted(citations, key=lambda citation: (start_of(citation.hit), citation.number))))


def time_of(hit: Hit) -> Interval | None:
    """The time that a piece of evidence stands for: that of its best event.

    Without one it is what its best sentence states, or the one that it points back to; else its publication.
    """
    if hit.interval is not None or hit.sentence is None:
        return hit.interval or hit.chunk.published or hit.chunk.envelope
    return stated_in(hit.chunk, hit.sentence, hit.sentence) or hit.chunk.published or hit.chunk.envelope


def stated_in(chunk: Chunk, first: int, last: int) -> Interval | None:
    """The time that sentences state or carry on, that of the last of them first.

    "They won it" happened when the sentence before says; "it is open" is so on the day that it was written.
    """
    if not any(_OF_ITS_DAY.search(chunk.sentence(index)) for index in range(first, last + 1)):
        first = points_back(chunk, first)
    events = [event for event in chunk.events if first <= event.sentence <= last]
    own = (event for event in events if event.source is not EventSource.PUBLISHED)
    return next((event.interval for event in sorted(own, key=lambda event: -event.sentence)), None)


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
