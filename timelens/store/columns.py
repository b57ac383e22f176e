"""What every search looks at, of all chunks: vectors, documents and the days of events, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.embedding import Vectors
from timelens.store.rows import matrix
from timelens.store.schema import UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from lancedb.table import LanceTable

Days = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Columns:
    """Some columns of the ``chunks`` table, a position for each chunk."""

    rows: NDArray[np.int64]
    """Row ids, ascending."""
    documents: NDArray[np.int64]
    """Indexes into ``names``."""
    names: dict[str, int]
    vectors: Vectors
    owners: NDArray[np.int64]
    """Of each event, the position of its chunk."""
    starts: Days
    ends: Days
    _compared: tuple[bytes, NDArray[np.float32]] | None = field(default=None, init=False)

    @classmethod
    def read(cls, table: "LanceTable") -> Self:
        """Read them from a table."""
        columns = ["document_id", "events", "vector"]
        found = (
            table.search()
            .with_row_id(with_row_id=True)
            .select(columns)
            .to_arrow()
            .sort_by("_rowid")
            .combine_chunks()
        )
        documents = pc.dictionary_encode(found["document_id"].combine_chunks())
        events = found["events"].combine_chunks()
        days = events.flatten()
        return cls(
            rows=found["_rowid"].to_numpy().astype(np.int64),
            documents=documents.indices.to_numpy().astype(np.int64),
            names={name: index for index, name in enumerate(documents.dictionary.to_pylist())},
            vectors=matrix(found["vector"].combine_chunks()),
            owners=pc.list_parent_indices(events).to_numpy(),
            starts=_days(days.field("start"), UNBOUNDED_PAST),
            ends=_days(days.field("end"), UNBOUNDED_FUTURE),
        )

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval], documents: Sequence[str]
    ) -> list[tuple[int, float]]:
        """Row ids and cosine similarities of the nearest chunks, best first."""
        admitted = self._inside(windows) if windows else np.ones(len(self.rows), dtype=np.bool_)
        if documents:
            indexes = [self.names[name] for name in documents if name in self.names]
            admitted &= np.isin(self.documents, indexes)
        return self._first(np.flatnonzero(admitted), self._similarities(vector)[admitted], limit)

    def best(
        self, rows: NDArray[np.int64], scores: NDArray[np.float32], limit: int, windows: Sequence[Interval]
    ) -> list[tuple[int, float]]:
        """Of rows with scores the ones with an event inside windows, best first."""
        positions = np.searchsorted(self.rows, rows.astype(np.int64))
        if windows:
            inside = self._inside(windows)[positions]
            positions, scores = positions[inside], scores[inside]
        return self._first(positions, scores, limit)

    def _inside(self, windows: Sequence[Interval]) -> Mask:
        """Which chunks have an event that shares a day with a window."""
        admitted = np.zeros(len(self.rows), dtype=np.bool_)
        for window in windows:
            start = UNBOUNDED_PAST if window.start is None else window.start
            end = UNBOUNDED_FUTURE if window.end is None else window.end
            admitted[self.owners[(self.starts < end) & (self.ends > start)]] = True
        return admitted

    def _similarities(self, vector: Vectors) -> NDArray[np.float32]:
        """Of all chunks to a vector; those of the last vector are kept for the next search of a question."""
        asked = vector.tobytes()
        if self._compared is None or self._compared[0] != asked:
            self._compared = asked, self.vectors @ vector
        return self._compared[1]

    def _first(
        self, positions: NDArray[np.int64], scores: NDArray[np.float32], limit: int
    ) -> list[tuple[int, float]]:
        """The best by score, then by position."""
        if len(scores) > limit:
            least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            positions, scores = positions[scores >= least], scores[scores >= least]
        order = np.lexsort((positions, -scores))[:limit]
        return list(zip(self.rows[positions[order]].tolist(), scores[order].tolist(), strict=True))


def _days(column: pa.Array, unbounded: int) -> Days:
    return np.asarray(pc.fill_null(column, unbounded).to_numpy(), dtype=np.int64)
