"""Evidence in chronological order, numbered for citation (TA-RAG, Section 4.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.draft import Citation
from timelens.answer.hit_times import start_of, time_of
from timelens.documents import Hit
from timelens.temporal.phrasing import phrase

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


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


def label(hit: Hit) -> str:
    """The time of a hit in words; for a fact, the recorded time."""
    if hit.chunk.fact is not None:
        return hit.chunk.fact.period
    time = time_of(hit)
    return "undated" if time is None else phrase(time)
