"""Evidence in chronological order, numbered for citation (TA-RAG, Section 4.4)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.draft import Citation
from timelens.answer.sentences import points_back
from timelens.documents import Chunk, EventSource, Hit
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_OF_ITS_DAY = re.compile(r"\b(?:is|are|has|have|now|today|currently|will)\b", re.IGNORECASE)
"""Words of a sentence about the day on which it was written."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Evidence in chronological order; numbers are ranks, 1 is the best support."""

    citations: tuple[Citation, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The evidence in chronological order."""
        return tuple(citation.hit for citation in self.citations)

    @property
    def records(self) -> frozenset[int]:
        """The citation numbers of table rows."""
        return frozenset(one.number for one in self.citations if one.hit.chunk.fact is not None)

    def to_arrow(self) -> "pa.Table":
        """A row for each piece, in the schema :data:`timelens.answer.rendering.arrow.EVIDENCE`."""
        from timelens.answer.rendering.arrow import evidence_table

        return evidence_table(self.citations)

    def to_pandas(self) -> "pd.DataFrame":
        """As :meth:`to_arrow`, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.rendering.arrow import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """The HTML for a notebook: a drawing and the pieces of evidence."""
        from timelens.answer.rendering.html import Article, as_output
        from timelens.answer.rendering.shown_evidence import ShownEvidence

        return as_output(Article(ShownEvidence(self)))


def make_timeline(hits: Sequence[Hit]) -> Timeline:
    """Number ranked hits from 1, and order them by time; undated ones are last."""
    return in_order(Citation(number, hit) for number, hit in enumerate(hits, start=1))


def in_order(citations: Iterable[Citation]) -> Timeline:
    """Order citations by time; undated ones are last."""
    return Timeline(tuple(sorted(citations, key=lambda citation: (start_of(citation.hit), citation.number))))


def time_of(hit: Hit) -> Interval | None:
    """The time of a hit: that of its best event.

    Without one, the time stated by the best sentence or by a sentence that it refers back to; else the
    publication date. The envelope of the chunk is the time of a hit without a best sentence: other sentences
    do not date one.
    """
    if hit.interval is not None or hit.sentence is None:
        return hit.interval or hit.chunk.published or hit.chunk.envelope
    return stated_in(hit.chunk, hit.sentence, hit.sentence) or hit.chunk.published


def stated_in(chunk: Chunk, first: int, last: int) -> Interval | None:
    """The stated or anchored time of sentences ``first`` to ``last``; of several, that of the last one.

    Earlier sentences that a pronoun refers to are included ("They won it"), unless a sentence is in the
    present ("it is open"), which is about the day on which it was written.
    """
    if not any(_OF_ITS_DAY.search(chunk.sentence(index)) for index in range(first, last + 1)):
        first = points_back(chunk, first)
    events = [event for event in chunk.events if first <= event.sentence <= last]
    own = (event for event in events if event.source is not EventSource.PUBLISHED)
    return next((event.interval for event in sorted(own, key=lambda event: -event.sentence)), None)


def start_of(hit: Hit) -> float:
    """The first day of a hit's time; infinity if it is undated."""
    time = time_of(hit)
    return float("inf") if time is None else time.bounds[0]


def label(hit: Hit) -> str:
    """The time of a hit in words; for a fact, the recorded time."""
    if hit.chunk.fact is not None:
        return hit.chunk.fact.period
    time = time_of(hit)
    return "undated" if time is None else phrase(time)
