"""Chunks as arrays for ranking: vectors, events, words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.documents import Event, EventSource
from timelens.embedding import Vectors
from timelens.temporal.interval import Granularity, Interval

Indexes = NDArray[np.int64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_GRANULARITIES = tuple(Granularity)
_SOURCES = tuple(EventSource)
_PUBLISHED = _SOURCES.index(EventSource.PUBLISHED)
_UNIT_DAYS = np.asarray([granularity.days for granularity in _GRANULARITIES], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class EventArrays:
    """Events as parallel arrays; all have the same length."""

    starts: Floats
    """First days; minus infinity if unbounded."""
    ends: Floats
    """Last days, exclusive; infinity if unbounded."""
    sentences: Indexes
    """Index of the sentence within its chunk."""
    confidences: Floats
    sources: NDArray[np.int8]
    granularities: NDArray[np.int8]

    @property
    def published(self) -> Mask:
        """Which events are only the date of their document."""
        return np.asarray(self.sources == _PUBLISHED)

    @property
    def unit_days(self) -> Floats:
        """The nominal length in days of each event's granularity."""
        return np.asarray(_UNIT_DAYS[self.granularities])

    def interval(self, index: int) -> Interval:
        """The days of one event."""
        start, end = self.starts[index], self.ends[index]
        return Interval(
            None if np.isinf(start) else int(start),
            None if np.isinf(end) else int(end),
            _GRANULARITIES[self.granularities[index]],
        )

    def event(self, index: int) -> Event:
        """The event at an index."""
        return Event(
            self.interval(index),
            int(self.sentences[index]),
            _SOURCES[self.sources[index]],
            float(self.confidences[index]),
        )

    def inside(self, window: Interval) -> Mask:
        """Which events share a day with a window."""
        start, end = window.bounds
        return np.asarray((self.starts < end) & (self.ends > start))

    @classmethod
    def read(cls, events: pa.StructArray) -> Self:
        """The arrays of a flattened ``events`` column."""
        return cls(
            starts=_floats(events.field("start"), -np.inf),
            ends=_floats(events.field("end"), np.inf),
            sentences=events.field("sentence").to_numpy().astype(np.int64),
            confidences=events.field("confidence").to_numpy().astype(np.float64),
            sources=_codes(events.field("source"), _SOURCES),
            granularities=_codes(events.field("granularity"), _GRANULARITIES),
        )

    def take(self, indexes: Indexes) -> Self:
        """The events at some indexes."""
        return type(self)(
            self.starts[indexes],
            self.ends[indexes],
            self.sentences[indexes],
            self.confidences[indexes],
            self.sources[indexes],
            self.granularities[indexes],
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The events of all parts, in order."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))


@dataclass(frozen=True, slots=True)
class EventLists:
    """The events of c chunks, grouped by chunk."""

    all: EventArrays
    edges: Indexes
    """(c + 1,) the events of chunk ``i`` are ``[edges[i], edges[i + 1])``."""
    owners: Indexes
    """(e,) the chunk of each event."""

    @classmethod
    def made(cls, events: EventArrays, edges: Indexes) -> Self:
        """The lists for events grouped by chunk and their edges."""
        return cls(events, edges, owners_of(edges))

    @classmethod
    def read(cls, table: pa.Table) -> Self:
        """From rows of the ``chunks`` table."""
        lists = _lists(table, "events")
        return cls.made(EventArrays.read(lists.flatten()), _edges(lists))

    def of(self, position: int) -> tuple[Event, ...]:
        """The events of the chunk at a position."""
        return tuple(self.all.event(index) for index in range(*self.edges[position : position + 2].tolist()))

    def inside(self, windows: Iterable[Interval]) -> Mask:
        """(c,) which chunks have an event that shares a day with a window."""
        admitted = np.zeros(len(self.edges) - 1, dtype=np.bool_)
        for window in windows:
            admitted[self.owners[self.all.inside(window)]] = True
        return admitted

    def take(self, positions: Indexes) -> Self:
        """The events of some chunks."""
        members, edges = members_of(self.edges, positions)
        return type(self).made(self.all.take(members), edges)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The events of all parts, in order."""
        return cls.made(
            EventArrays.joined([part.all for part in parts]), _joined_edges([part.edges for part in parts])
        )


@dataclass(frozen=True, slots=True)
class ChunkArrays:
    """c chunks as parallel lists and arrays, with s sentences and e events.

    The sentences of chunk ``i`` are ``[sentence_edges[i], sentence_edges[i + 1])``; ``word_edges`` groups the
    words by sentence in the same way.
    """

    ids: list[str]
    documents: list[str]
    titles: list[str]
    facts: Mask
    """(c,) whether the chunk is a row of a table."""
    vectors: Vectors
    """(c, dimension)"""
    sentence_vectors: NDArray[np.float16]
    """(s, dimension)"""
    sentence_edges: Indexes
    """(c + 1,)"""
    dated: EventLists
    words: NDArray[np.uint32]
    """Ids of the topic words of each sentence (:func:`timelens.words.word_id`)."""
    word_edges: Indexes
    """(s + 1,)"""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def sentence_owners(self) -> Indexes:
        """(s,) the chunk of each sentence."""
        return owners_of(self.sentence_edges)

    @property
    def events(self) -> EventArrays:
        """The events of all chunks."""
        return self.dated.all

    @property
    def event_owners(self) -> Indexes:
        """(e,) the chunk of each event."""
        return self.dated.owners

    @classmethod
    def read(cls, table: pa.Table, dated: EventLists) -> Self:
        """From rows of the ``chunks`` table and their events."""
        sentences = _lists(table, "sentence_vectors")
        words = _lists(table, "words")
        return cls(
            ids=table["id"].to_pylist(),
            documents=table["document_id"].to_pylist(),
            titles=table["title"].to_pylist(),
            facts=np.asarray(table["fact"].is_valid().to_numpy()),
            vectors=matrix(table["vector"].combine_chunks()).astype(np.float32, copy=False),
            sentence_vectors=matrix(sentences.flatten()),
            sentence_edges=_edges(sentences),
            dated=dated,
            words=words.flatten().flatten().to_numpy(),
            word_edges=_edges(words.flatten()),
        )

    def take(self, positions: Indexes) -> Self:
        """The chunks at some positions, in the order given."""
        sentences, sentence_edges = members_of(self.sentence_edges, positions)
        words, word_edges = members_of(self.word_edges, sentences)
        return type(self)(
            ids=_chosen(self.ids, positions),
            documents=_chosen(self.documents, positions),
            titles=_chosen(self.titles, positions),
            facts=self.facts[positions],
            vectors=self.vectors[positions],
            sentence_vectors=self.sentence_vectors[sentences],
            sentence_edges=sentence_edges,
            dated=self.dated.take(positions),
            words=self.words[words],
            word_edges=word_edges,
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The chunks of all parts, in order."""
        return cls(
            ids=[name for part in parts for name in part.ids],
            documents=[name for part in parts for name in part.documents],
            titles=[title for part in parts for title in part.titles],
            facts=np.concatenate([part.facts for part in parts]),
            vectors=np.concatenate([part.vectors for part in parts]),
            sentence_vectors=np.concatenate([part.sentence_vectors for part in parts]),
            sentence_edges=_joined_edges([part.sentence_edges for part in parts]),
            dated=EventLists.joined([part.dated for part in parts]),
            words=np.concatenate([part.words for part in parts]),
            word_edges=_joined_edges([part.word_edges for part in parts]),
        )


def owners_of(edges: Indexes) -> Indexes:
    """The index of the group of each member, from the edges of the groups."""
    return np.repeat(np.arange(len(edges) - 1), np.diff(edges))


def matrix(lists: pa.FixedSizeListArray) -> NDArray[Any]:
    """A matrix whose rows are lists of a fixed size."""
    return np.asarray(lists.flatten().to_numpy(zero_copy_only=False)).reshape(
        len(lists), lists.type.list_size
    )


def _lists(table: pa.Table, name: str) -> pa.ListArray:
    return table[name].combine_chunks()


def _edges(lists: pa.ListArray) -> Indexes:
    """The edges of the lists among all their members, starting at 0."""
    edges = lists.offsets.to_numpy().astype(np.int64)
    return np.asarray(edges - edges[0]) if len(edges) else np.zeros(1, dtype=np.int64)


def edges_of(counts: Indexes) -> Indexes:
    """The edges of groups, from the number of members of each."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])


def members_of(edges: Indexes, positions: Indexes) -> tuple[Indexes, Indexes]:
    """The indexes of the members of some groups, in order, and the edges of the groups among them."""
    first = edges[positions]
    counts = edges[positions + 1] - first
    ends = edges_of(counts)
    return np.repeat(first - ends[:-1], counts) + np.arange(ends[-1]), ends


def _joined_edges(parts: Sequence[Indexes]) -> Indexes:
    """The edges of the groups of all parts, in order."""
    return edges_of(np.concatenate([np.diff(edges) for edges in parts]))


def _chosen(values: Sequence[str], positions: Indexes) -> list[str]:
    return [values[position] for position in positions.tolist()]


def _codes(column: pa.Array, names: Iterable[str]) -> NDArray[np.int8]:
    """The index of each value in ``names``."""
    places = pc.index_in(column, pa.array([str(name) for name in names]))
    return np.asarray(places.to_numpy().astype(np.int8))


def _floats(column: pa.Array, unbounded: float) -> Floats:
    return np.asarray(pc.fill_null(column.cast(pa.float64()), unbounded).to_numpy())
