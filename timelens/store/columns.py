"""Rows of the ``chunks`` table in memory: searched as arrays, and handed out as chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.documents import Chunk
from timelens.embedding import Vectors
from timelens.store.arrays import ChunkArrays, Indexes, Mask
from timelens.store.rows import TEXT_COLUMNS, StoredChunk, chunks_of
from timelens.temporal.interval import Interval

Found = Sequence[tuple[int, float]]
"""Row ids with their scores, best first."""

_CHUNKS_KEPT = 4096
_FEW = 4
"""A part of the rows so small is gathered before it is compared: faster than to compare all."""


@dataclass(slots=True)
class Columns:
    """Some rows of the ``chunks`` table, a position for each."""

    rows: Indexes
    """Row ids, ascending."""
    arrays: ChunkArrays
    _texts: pa.Table
    _event_owners: Indexes
    _documents: Indexes
    """Indexes into ``_names``."""
    _names: dict[str, int]
    _chunks: dict[int, Chunk] = field(default_factory=dict, init=False)

    @classmethod
    def read(cls, table: pa.Table) -> Self:
        """From rows with their ``_rowid``."""
        ids = table["_rowid"].to_numpy()
        if np.any(ids[1:] < ids[:-1]):
            table = table.take(np.argsort(ids))
        table = table.combine_chunks()
        arrays = ChunkArrays.read(table)
        documents = pc.dictionary_encode(table["document_id"].combine_chunks())
        return cls(
            rows=table["_rowid"].to_numpy().astype(np.int64),
            arrays=arrays,
            _texts=table.select(TEXT_COLUMNS),
            _event_owners=arrays.event_owners,
            _documents=documents.indices.to_numpy().astype(np.int64),
            _names={name: index for index, name in enumerate(documents.dictionary.to_pylist())},
        )

    def missing(self, rows: Sequence[int]) -> list[int]:
        """Those of some rows that are not here."""
        missing: list[int] = np.setdiff1d(np.asarray(rows, dtype=np.int64), self.rows).tolist()
        return missing

    def taken(self, rows: Sequence[int]) -> ChunkArrays:
        """Some rows as arrays, in the order given."""
        return self.arrays.take(self._positions(rows))

    def stored(self, found: Found) -> list[StoredChunk]:
        """Some rows as chunks, with their scores."""
        positions = self._positions([row for row, _ in found]).tolist()
        self._decode(positions)
        edges = self.arrays.sentence_edges
        return [
            StoredChunk(
                self._chunks[position],
                self.arrays.vectors[position],
                self.arrays.sentence_vectors[edges[position] : edges[position + 1]],
                score,
            )
            for position, (_, score) in zip(positions, found, strict=True)
        ]

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval], documents: Sequence[str]
    ) -> Found:
        """The nearest rows by cosine similarity."""
        admitted = self._inside(windows) if windows else np.ones(len(self.rows), dtype=np.bool_)
        if documents:
            indexes = [self._names[name] for name in documents if name in self._names]
            admitted &= np.isin(self._documents, indexes)
        positions = np.flatnonzero(admitted)
        scores = self._similarities(vector, positions)
        if len(scores) > limit:
            least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            positions, scores = positions[scores >= least], scores[scores >= least]
        order = np.lexsort((positions, -scores))[:limit]
        return list(zip(self.rows[positions[order]].tolist(), scores[order].tolist(), strict=True))

    def inside(self, rows: Sequence[int], windows: Sequence[Interval]) -> Mask:
        """Which of some rows have an event that shares a day with a window."""
        return np.asarray(self._inside(windows)[self._positions(rows)])

    def _inside(self, windows: Sequence[Interval]) -> Mask:
        admitted = np.zeros(len(self.rows), dtype=np.bool_)
        for window in windows:
            admitted[self._event_owners[self.arrays.events.inside(window)]] = True
        return admitted

    def _positions(self, rows: Sequence[int]) -> Indexes:
        return np.searchsorted(self.rows, np.asarray(rows, dtype=np.int64))

    def _similarities(self, vector: Vectors, positions: Indexes) -> NDArray[np.float32]:
        """Of some rows to a vector."""
        vectors = self.arrays.vectors
        if _FEW * len(positions) < len(vectors):
            return np.asarray(vectors[positions] @ vector)
        return np.asarray((vectors @ vector)[positions])

    def _decode(self, positions: Sequence[int]) -> None:
        """Make the chunks that are not known; the last ones made are kept."""
        missing = [position for position in dict.fromkeys(positions) if position not in self._chunks]
        wanted = set(positions)
        for position in list(self._chunks)[: max(len(self._chunks) + len(missing) - _CHUNKS_KEPT, 0)]:
            if position not in wanted:
                del self._chunks[position]
        if missing:
            self._chunks.update(zip(missing, chunks_of(self._texts.take(missing)), strict=True))
