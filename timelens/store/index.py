"""Index in memory that finds chunks by vector and time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.embedding import Vectors
from timelens.store.arrays import EventLists, Indexes, Mask, edges_of, members_of
from timelens.temporal.interval import Interval

RankedRows = Sequence[tuple[int, float]]
"""Row ids with their scores, best first."""

_FEW = 4
"""If fewer than 1 / this of the rows are admitted, they are gathered first, which is faster."""
_BLOCK = 512
"""Number of rounded vectors compared at once; they fit in the processor's cache."""
_STEPS = 32_767
"""The integer that represents 1 in rounded vectors."""
_NOISE = 1e-6
"""Bound on the error of float32 sums."""

Rounded = NDArray[np.int16]


@dataclass(slots=True)
class Index:
    """Rows, vectors, events and documents of c chunks.

    With rounded vectors of 384 dimensions and one event per chunk it takes 0.9 kB per chunk.
    """

    rows: Indexes
    """(c,) row ids, ascending."""
    dated: EventLists
    _vectors: Vectors | Rounded
    """(c, d), of unit length."""
    _documents: dict[str, int]
    _members: Indexes
    """(c,) positions of chunks, grouped by document."""
    _edges: Indexes
    """The chunks of document ``i`` are ``_members[_edges[i] : _edges[i + 1]]``."""
    _last: tuple[tuple[Interval, ...], Mask] | None = field(default=None, init=False)

    @classmethod
    def made(
        cls,
        rows: Indexes,
        documents: pa.Array,
        dated: EventLists,
        vectors: Vectors | Rounded,
    ) -> Self:
        """The index for chunks given as parallel arrays, in ascending order of rows."""
        encoded = pc.dictionary_encode(documents)
        codes = encoded.indices.to_numpy()
        counts = np.bincount(codes, minlength=len(encoded.dictionary))
        return cls(
            rows,
            dated,
            vectors,
            {name: code for code, name in enumerate(encoded.dictionary.to_pylist())},
            np.argsort(codes, kind="stable"),
            edges_of(counts),
        )

    def positions(self, rows: Indexes) -> Indexes:
        """The positions of rows."""
        return np.searchsorted(self.rows, rows)

    def nearest(
        self,
        vector: Vectors,
        limit: int,
        windows: Sequence[Interval],
        documents: Sequence[str],
        precise: Callable[[Sequence[int]], Vectors],
    ) -> RankedRows:
        """The nearest rows by cosine similarity; ties go to the lower row.

        Rounded vectors select candidates, which are compared again with precise vectors.

        Args:
            vector: of unit length.
            limit: how many rows at most.
            windows: admit only chunks with an event that shares a day with one of them, if any.
            documents: admit only chunks of these documents, if any.
            precise: gives the unrounded vectors of rows.
        """
        positions = self._among(windows, documents)
        scores = self._similarities(vector, positions)
        is_rounded = self._vectors.dtype == np.int16
        if len(scores) > limit:
            least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            off = np.abs(vector).sum() / (2 * _STEPS) + _NOISE if is_rounded else 0.0
            near = scores >= least - 2 * off
            positions, scores = positions[near], scores[near]
        rows = self.rows[positions]
        if is_rounded:
            scores = precise(rows.tolist()) @ vector
        order = np.lexsort((rows, -scores))[:limit]
        return list(zip(rows[order].tolist(), scores[order].tolist(), strict=True))

    def inside(self, rows: Sequence[int], windows: Sequence[Interval]) -> Mask:
        """Which of the rows have an event that shares a day with a window."""
        return np.asarray(self._admitted(windows)[self.positions(np.asarray(rows, dtype=np.int64))])

    def reach(self, windows: Sequence[Interval]) -> tuple[float, float] | None:
        """First day and last day (exclusive) of all events of the admitted chunks; ``None`` without any."""
        events = self.dated.all
        members, _ = members_of(self.dated.edges, np.flatnonzero(self._admitted(windows)))
        if not len(members):
            return None
        return float(events.starts[members].min()), float(events.ends[members].max())

    def _among(self, windows: Sequence[Interval], documents: Sequence[str]) -> Indexes:
        """The admitted positions, ascending."""
        if not documents:
            return np.flatnonzero(self._admitted(windows)) if windows else np.arange(len(self.rows))
        codes = {self._documents[name] for name in documents if name in self._documents}
        members, _ = members_of(self._edges, np.asarray(sorted(codes), dtype=np.int64))
        positions = np.sort(self._members[members])
        return positions[self._admitted(windows)[positions]] if windows else positions

    def _admitted(self, windows: Sequence[Interval]) -> Mask:
        """(c,) which chunks the windows admit; cached, because a question searches several times."""
        if self._last is None or self._last[0] != tuple(windows):
            self._last = tuple(windows), self.dated.inside(windows)
        return self._last[1]

    def _similarities(self, vector: Vectors, positions: Indexes) -> NDArray[np.float32]:
        """The cosine similarities of the chunks at some positions to a vector."""
        gathered = _FEW * len(positions) < len(self.rows)
        if self._vectors.dtype != np.int16:
            exact = self._vectors[positions] @ vector if gathered else (self._vectors @ vector)[positions]
            return np.asarray(exact)
        scores = np.empty(len(positions) if gathered else len(self.rows), dtype=np.float32)
        for start in range(0, len(scores), _BLOCK):
            block = slice(start, start + _BLOCK)
            vectors = self._vectors[positions[block] if gathered else block]
            scores[block] = vectors.astype(np.float32) @ vector
        scores /= _STEPS
        return scores if gathered else np.asarray(scores[positions])


def rounded(vectors: Vectors) -> Rounded:
    """Unit vectors as int16, in half the memory; the error of each number is at most half a step."""
    return np.asarray(np.rint(vectors * _STEPS).astype(np.int16))
