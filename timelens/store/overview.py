"""Events of documents over time: a histogram, and the span of each document. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from timelens.embedding import EmbedderIdentity
from timelens.store.arrays import EventLists, Floats, Indexes, Mask
from timelens.store.extent import extent
from timelens.store.histogram import Histogram, edges_over
from timelens.store.schema import UNBOUNDED_PAST
from timelens.temporal.interval import Granularity, Interval

CHUNK_COLUMNS = ("document_id", "start", "end", "events")
DOCUMENT_COLUMNS = ("id", "uri", "title", "published_start", "published_end", "published_granularity")


@dataclass(frozen=True, slots=True)
class Outlying:
    """A sentence whose time is far outside the span of its corpus."""

    document_id: str
    sentence: str
    time: Interval


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """Counts, span and embedder of a corpus."""

    documents: int
    chunks: int
    events: int
    span: Interval | None
    """First to last day of most chunks; unbounded sides of facts are left out."""
    embedder: EmbedderIdentity
    outlying: tuple[Outlying, ...] = ()
    """The first statements with times far outside the span, most of which are misread."""


@dataclass(frozen=True, slots=True)
class DocumentOverview:
    """One document of a corpus, with the span of its events."""

    id: str
    uri: str
    title: str
    published: Interval | None
    """The day of the document."""
    chunks: int
    dated: int
    """Number of chunks with at least one event."""
    events: int
    span: Interval | None
    """First to last day of its events, without open sides; ``None`` if nothing is dated.

    Events outside the span of the corpus are used only if the document has no others.
    """

    @property
    def kind(self) -> str:
        """The suffix of its file in lower case, such as ``md``; empty without one."""
        return PurePath(self.uri.partition("#")[0] or self.id).suffix[1:].lower()


@dataclass(frozen=True, slots=True)
class Overview:
    """The times of c chunks of d documents, with e events."""

    span: Interval | None
    """First to last day of most chunks (:func:`timelens.store.extent.extent`)."""
    _codes: Mapping[str, int]
    """The numbers of the documents, by id."""
    _owners: Indexes
    """(c,) the document of each chunk."""
    _starts: Floats
    """(e,) first days of events; minus infinity if unbounded."""
    _ends: Floats
    """(e,) last days, exclusive; infinity if unbounded."""
    _event_owners: Indexes
    """(e,) the chunk of each event."""

    @classmethod
    def read(cls, chunks: pa.Table) -> Self:
        """From rows of the ``chunks`` table with :data:`CHUNK_COLUMNS`."""
        starts, ends = (pc.fill_null(chunks[name], UNBOUNDED_PAST).to_numpy() for name in ("start", "end"))
        span, _ = extent(starts, ends)
        events = EventLists.read(chunks)
        encoded = pc.dictionary_encode(chunks["document_id"].combine_chunks())
        return cls(
            span=span,
            _codes={name: code for code, name in enumerate(encoded.dictionary.to_pylist())},
            _owners=encoded.indices.to_numpy().astype(np.int64),
            _starts=events.all.starts,
            _ends=events.all.ends,
            _event_owners=events.owners,
        )

    def histogram(self, bins: int) -> Histogram:
        """The number of events over time, in at most ``bins`` bins.

        Raises:
            ValueError: ``bins`` is less than :data:`timelens.store.histogram.FEWEST`.
        """
        if self.span is None:
            return Histogram()
        unit, units, edges = edges_over(self.span, bins)
        starts, ends = np.maximum(self._starts, edges[0]), np.minimum(self._ends, edges[-1])
        inside = starts < ends
        begun = np.searchsorted(edges, starts[inside], side="right") - 1
        over = np.searchsorted(edges, ends[inside], side="left")
        more = np.bincount(begun, minlength=len(edges)) - np.bincount(over, minlength=len(edges))
        return Histogram(
            edges=edges,
            counts=tuple(np.cumsum(more)[:-1].tolist()),
            unit=unit,
            units=units,
            before=int((self._ends <= edges[0]).sum()),
            after=int((self._starts >= edges[-1]).sum()),
        )

    def documents(self, rows: pa.Table, within: Interval | None = None) -> list[DocumentOverview]:
        """The documents by title.

        Args:
            rows: of the ``documents`` table, with :data:`DOCUMENT_COLUMNS`.
            within: admit only documents with an event that shares a day with it.
        """
        size = len(self._codes)
        has_events = np.zeros(len(self._owners), dtype=np.bool_)
        has_events[self._event_owners] = True
        chunks, dated, events = (
            np.bincount(owners, minlength=size).tolist()
            for owners in (self._owners, self._owners[has_events], self._owners[self._event_owners])
        )
        spans = self._spans()
        admitted = self._inside(within) if within else None
        found = []
        for row in rows.select(DOCUMENT_COLUMNS).to_pylist():
            code = self._codes.get(row["id"], -1)
            known = code >= 0
            if admitted is not None and not (known and admitted[code]):
                continue
            found.append(
                DocumentOverview(
                    id=row["id"],
                    uri=row["uri"] or "",
                    title=row["title"] or "",
                    published=_published(row),
                    chunks=chunks[code] if known else 0,
                    dated=dated[code] if known else 0,
                    events=events[code] if known else 0,
                    span=spans[code] if known else None,
                )
            )
        return sorted(found, key=lambda document: ((document.title or document.id).casefold(), document.id))

    def _inside(self, window: Interval) -> Mask:
        """(d,) which documents have an event that shares a day with a window."""
        admitted = np.zeros(len(self._codes), dtype=np.bool_)
        admitted[self._owners[self._event_owners[self._shared(window)]]] = True
        return admitted

    def _spans(self) -> list[Interval | None]:
        """(d,) the span of each document, as in :attr:`DocumentOverview.span`."""
        begun, ended = np.isfinite(self._starts), np.isfinite(self._ends)
        firsts = np.where(begun, self._starts, self._ends - 1)
        lasts = np.where(ended, self._ends - 1, self._starts)
        inside = self._shared(self.span) if self.span else np.zeros(len(firsts), dtype=np.bool_)
        owners = self._owners[self._event_owners]
        first, last = (np.full(len(self._codes), side) for side in (np.inf, -np.inf))
        for some in (inside & (begun | ended), begun | ended):
            events = some & np.isinf(first)[owners]
            np.minimum.at(first, owners[events], firsts[events])
            np.maximum.at(last, owners[events], lasts[events])
        return [
            None if np.isinf(start) else Interval(int(start), int(end) + 1)
            for start, end in zip(first, last, strict=True)
        ]

    def _shared(self, window: Interval) -> Mask:
        """(e,) which events share a day with a window."""
        start, end = window.bounds
        return np.asarray((self._starts < end) & (self._ends > start))


def _published(row: Mapping[str, Any]) -> Interval | None:
    unit = row["published_granularity"]
    return Interval(row["published_start"], row["published_end"], Granularity(unit)) if unit else None
