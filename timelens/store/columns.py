"""Rows of the ``chunks`` table in memory, as arrays for ranking and as chunks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from timelens.documents import Chunk
from timelens.store.arrays import ChunkArrays, EventLists, Indexes
from timelens.store.index import Index, RankedRows
from timelens.store.rows import TEXT_COLUMNS, StoredChunk, dated_chunks

Reader = Callable[[Sequence[int], Sequence[str]], pa.Table]
"""Reads columns of rows; the row ids must be ascending and unique."""

RANKED_COLUMNS = "id document_id title fact words vector sentence_vectors".split()
"""Columns of :class:`ChunkArrays`, except events."""

_ROWS_KEPT = 2048
_CHUNKS_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that were read together."""

    rows: Indexes
    """Row ids, ascending."""
    arrays: ChunkArrays

    def positions(self, rows: Indexes) -> Indexes:
        """The positions of rows in the block; -1 for rows that are not in it."""
        found = np.searchsorted(self.rows, rows)
        return np.where(np.append(self.rows, -1)[found] == rows, found, -1)


@dataclass(slots=True)
class Columns:
    """Columns of rows for ranking and for chunks, read on first use. The chunks made last are cached."""

    _read: Reader
    _index: Index | None
    """Source of events if given, because reading events takes as long as reading everything else."""
    blocks: list[Block] = field(default_factory=list)
    """The blocks read so far; no row is in two of them."""
    _chunks: dict[int, Chunk] = field(default_factory=dict, init=False)

    def arrays(self, rows: Sequence[int]) -> ChunkArrays:
        """Rows as arrays, in the order given."""
        wanted = np.asarray(rows, dtype=np.int64)
        missing = wanted
        for block in self.blocks:
            missing = missing[block.positions(missing) < 0]
        if len(missing) or not self.blocks:
            self.blocks.append(self._block(np.unique(missing)))
        parts, places = [], []
        for block in self.blocks:
            positions = block.positions(wanted)
            here = np.flatnonzero(positions >= 0)
            if len(here) or not len(wanted):
                parts.append(block.arrays.take(positions[here]))
                places.append(here)
        while len(self.blocks) > 1 and sum(len(block.rows) for block in self.blocks) > _ROWS_KEPT:
            del self.blocks[0]
        if len(parts) == 1:
            return parts[0]
        return ChunkArrays.joined(parts).take(np.argsort(np.concatenate(places)))

    def stored(self, found: RankedRows) -> list[StoredChunk]:
        """Rows as chunks, with their scores."""
        rows = [row for row, _ in found]
        arrays = self.arrays(rows)
        self._decode(rows, arrays.dated)
        edges = arrays.sentence_edges
        return [
            StoredChunk(
                self._chunks[row],
                arrays.vectors[position],
                arrays.sentence_vectors[edges[position] : edges[position + 1]],
                score,
            )
            for position, (row, score) in enumerate(found)
        ]

    def _block(self, rows: Indexes) -> Block:
        if self._index is None:
            table = self._read(rows.tolist(), [*RANKED_COLUMNS, "events"])
            dated = EventLists.read(table)
        else:
            table = self._read(rows.tolist(), RANKED_COLUMNS)
            dated = self._index.dated.take(self._index.positions(rows))
        return Block(rows, ChunkArrays.read(table, dated))

    def _decode(self, rows: Sequence[int], dated: EventLists) -> None:
        """Make the chunks that are not cached; ``dated`` has the events of all ``rows``."""
        positions = {row: position for position, row in enumerate(rows)}
        missing = sorted(positions.keys() - self._chunks.keys())
        for row in list(self._chunks)[: max(len(self._chunks) + len(missing) - _CHUNKS_KEPT, 0)]:
            if row not in positions:
                del self._chunks[row]
        if missing:
            events = (dated.of(positions[row]) for row in missing)
            chunks = dated_chunks(self._read(missing, TEXT_COLUMNS), events)
            self._chunks.update(zip(missing, chunks, strict=True))
