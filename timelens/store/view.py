"""Searches over one version of the chunks of a corpus."""

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from timelens.embedding import Vectors
from timelens.store import vector_index
from timelens.store.arrays import ChunkArrays, EventLists, Indexes, Mask, matrix
from timelens.store.columns import RANKED_COLUMNS, Block, Columns
from timelens.store.extent import extent
from timelens.store.index import Index, RankedRows, rounded
from timelens.store.lance_errors import store_errors
from timelens.store.location import Location
from timelens.store.overview import CHUNK_COLUMNS, Overview
from timelens.store.rows import TEXT_COLUMNS, StoredChunk
from timelens.store.schema import TEXT_INDEX, UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from lancedb.query import LanceQueryBuilder
    from lancedb.table import LanceTable

IN_MEMORY = 100_000
"""Most chunks of a corpus that is held completely in memory, about 10 kB each."""

_MISSING = {"start": UNBOUNDED_PAST, "end": UNBOUNDED_PAST}
"""Bounds of the envelope of an undated chunk."""
_MOST_SHOWN = 5

_ROW_ID = "_rowid"
_EVERYTHING = (-np.inf, np.inf)
_OVERFETCH = 4
_AT_ONCE = 1024
"""Vectors in a batch; small, because LanceDB reads many batches ahead."""


class View:
    """Searches over one fixed version of a table, so that row ids stay valid.

    Windows admit only chunks with an event that shares a day with one of them. Methods that read the table
    raise :class:`timelens.errors.StoreError` if that fails.
    """

    def __init__(self, table: "LanceTable", path: Location) -> None:
        self._table = table
        self._path = path

    @property
    def span(self) -> Interval | None:
        """First to last day of most chunks, as :meth:`CorpusStore.span`."""
        return self._extent[0]

    @property
    def far_outside(self) -> list[StoredChunk]:
        """The first chunks with a time far outside the span."""
        return Columns(self._take, None).stored([(row, 0.0) for row in self._extent[1]])

    @cached_property
    def _extent(self) -> tuple[Interval | None, Sequence[int]]:
        with store_errors(self._path):
            rows = self._table.search().select(list(_MISSING)).with_row_id(with_row_id=True).to_arrow()
        starts, ends = (pc.fill_null(rows[name], missing).to_numpy() for name, missing in _MISSING.items())
        span, outside = extent(starts, ends)
        return span, _row_ids(rows)[outside][:_MOST_SHOWN].tolist()

    @cached_property
    def overview(self) -> Overview:
        """The events of the documents over time."""
        with store_errors(self._path):
            return Overview.read(self._table.search().select(list(CHUNK_COLUMNS)).to_arrow())

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval] = (), documents: Sequence[str] = ()
    ) -> RankedRows:
        """The chunks nearest to a unit vector by cosine similarity, within windows and documents if given."""
        if self._index is not None:
            return self._index.nearest(vector, limit, windows, documents, self._vectors)
        query = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
        if self._has_vector_index and not documents:
            query = vector_index.by_index(query)
        else:
            query = query.bypass_vector_index()
        found = self._search(query, "_distance", limit, windows, documents)
        return [(row, 1 - distance) for row, distance in found]

    def matching(
        self, text: str, limit: int, windows: Sequence[Interval] = (), *, of_tables: bool = True
    ) -> RankedRows:
        """The chunks that match words of a text, by BM25; without rows of tables unless ``of_tables``."""
        query = self._table.search(text, query_type="fts", fts_columns=TEXT_INDEX)
        return self._search(query, "_score", limit, windows, of_tables=of_tables)

    def has_word(self, word: str) -> bool:
        """Whether any chunk matches a word, in one of its forms."""
        query = self._table.search(word, query_type="fts", fts_columns=TEXT_INDEX)
        with store_errors(self._path):
            return bool(query.select(["_score"]).limit(1).to_arrow().num_rows)

    def spelt_like(self, word: str, limit: int) -> RankedRows:
        """The chunks that contain a word with up to two letters different from this one."""
        from lancedb.query import MatchQuery

        return self._search(
            self._table.search(MatchQuery(word, TEXT_INDEX, fuzziness=2), query_type="fts"),
            "_score",
            limit,
            (),
        )

    def arrays(self, rows: Sequence[int]) -> ChunkArrays:
        """The arrays for ranking of some rows, in the order given."""
        return self._columns.arrays(rows)

    def stored(self, found: RankedRows) -> list[StoredChunk]:
        """The chunks of some rows, with their scores."""
        return self._columns.stored(found)

    @cached_property
    def _columns(self) -> Columns:
        """The columns of all rows if the corpus is held in memory; else rows are read on demand."""
        if not self._is_held:
            return Columns(self._take, self._index)
        table = self._scan([*RANKED_COLUMNS, *TEXT_COLUMNS, "events"])
        rows = _row_ids(table)
        block = Block(rows, ChunkArrays.read(table, EventLists.read(table)))
        return Columns(partial(_taken, table.select(TEXT_COLUMNS), rows), None, [block])

    @cached_property
    def _index(self) -> Index | None:
        """The index in memory; ``None`` if there are too many chunks for it."""
        if self._is_held:
            (block,) = self._columns.blocks
            documents = pa.array(block.arrays.documents, pa.string())
            return Index.made(block.rows, documents, block.arrays.dated, block.arrays.vectors)
        if self._count > vector_index.INDEXED:
            return None
        table = self._scan(["document_id", "events"])
        rows = _row_ids(table)
        vectors = np.empty((len(rows), self._table.schema.field("vector").type.list_size), dtype=np.int16)
        with store_errors(self._path):
            query = self._table.search().with_row_id(with_row_id=True).select(["vector"])
            for batch in query.to_batches(batch_size=_AT_ONCE):
                vectors[np.searchsorted(rows, _row_ids(batch))] = rounded(matrix(batch["vector"]))
        return Index.made(rows, table["document_id"].combine_chunks(), EventLists.read(table), vectors)

    @cached_property
    def _has_vector_index(self) -> bool:
        with store_errors(self._path):
            return vector_index.has_vector_index(self._table)

    @cached_property
    def _count(self) -> int:
        with store_errors(self._path):
            return int(self._table.count_rows())

    @property
    def _is_held(self) -> bool:
        """Whether all rows are in memory."""
        return self._count <= IN_MEMORY

    def _scan(self, names: Iterable[str]) -> pa.Table:
        """Columns of all rows, in the order of row ids."""
        with store_errors(self._path):
            query = self._table.search().with_row_id(with_row_id=True).select(list(dict.fromkeys(names)))
            return _by_row(query.to_arrow())

    def _take(self, rows: Sequence[int], names: Sequence[str]) -> pa.Table:
        """Columns of some rows, in the order of row ids."""
        with store_errors(self._path):
            query = self._table.take_row_ids(list(rows)).with_row_id().select(list(names))
            return _by_row(query.to_arrow())

    def _vectors(self, rows: Sequence[int]) -> Vectors:
        return self.arrays(rows).vectors

    def _search(
        self,
        query: "LanceQueryBuilder",
        score: str,
        limit: int,
        windows: Sequence[Interval],
        documents: Sequence[str] = (),
        *,
        of_tables: bool = True,
    ) -> RankedRows:
        """Search in LanceDB until ``limit`` chunks pass the exact test, or none are left.

        Envelopes are filtered inside the database, before the search. Ties go to the lower row id, so that
        the result does not depend on the order in which the database reads.
        """
        query = query.with_row_id(with_row_id=True).select([score] if of_tables else [score, "fact"])
        clauses = []
        if windows:
            reach = _EVERYTHING if self._index is None else self._index.reach(windows)
            if reach is None:
                return []
            clauses.append(_envelope_filter(windows, reach))
        clauses += [in_list("document_id", documents)] if documents else []
        if clauses:
            query = query.where(" AND ".join(f"({clause})" for clause in clauses))
        best_first = "ascending" if score == "_distance" else "descending"
        # more rows than the limit, for ties of BM25 scores at the last place and for events outside windows
        fetch = limit + 1 if score == "_distance" and not windows else 2 * limit + 1
        while True:
            with store_errors(self._path):
                found = query.limit(fetch).to_arrow()
            found = found.sort_by([(score, best_first), (_ROW_ID, "ascending")])
            scores = found[score].to_numpy()
            admitted = self._inside(found[_ROW_ID].to_pylist(), windows)
            if not of_tables:
                admitted &= np.asarray(found["fact"].is_null())
            kept = np.flatnonzero(admitted)[:limit]
            complete = len(kept) == limit and scores[-1] != scores[kept[-1]]
            if complete or found.num_rows < fetch:
                return list(zip(found[_ROW_ID].take(kept).to_pylist(), scores[kept].tolist(), strict=True))
            fetch *= _OVERFETCH

    def _inside(self, rows: Sequence[int], windows: Sequence[Interval]) -> Mask:
        if not windows or not rows:
            return np.ones(len(rows), dtype=np.bool_)
        if self._index is not None:
            return self._index.inside(rows, windows)
        return self.arrays(rows).dated.inside(windows)


def in_list(column: str, values: Iterable[str]) -> str:
    """The SQL condition that a column has one of these values."""
    return f"{column} IN ({', '.join(map(quoted, values))})"


def quoted(text: str) -> str:
    """A text as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def _row_ids(rows: pa.Table | pa.RecordBatch) -> Indexes:
    return np.asarray(rows[_ROW_ID].to_numpy().astype(np.int64))


def _by_row(table: pa.Table) -> pa.Table:
    """The rows in the order of their ids, each column as one chunk of Arrow."""
    ids = _row_ids(table)
    if np.any(ids[1:] < ids[:-1]):
        table = table.take(np.argsort(ids))
    return table.combine_chunks()


def _taken(table: pa.Table, held: Indexes, rows: Sequence[int], names: Sequence[str]) -> pa.Table:
    """Columns of some rows of a table whose rows have the ids ``held``, ascending."""
    return table.select(names).take(np.searchsorted(held, rows))


def _envelope_filter(windows: Iterable[Interval], reach: tuple[float, float]) -> str:
    """The SQL condition that an envelope shares a day with a window. It is built from numbers alone.

    ``reach`` bounds the envelopes of all admitted chunks. Its two extra conditions save LanceDB from listing
    the half of a corpus that begins before a window, and the half that ends after it.
    """
    first, last = reach
    least = f"`start` >= {int(first):d} AND " if first > -np.inf else ""
    most = f" AND `end` <= {int(last):d}" if last < np.inf else ""
    clauses = []
    for window in windows:
        start = UNBOUNDED_PAST if window.start is None else int(window.start)
        end = UNBOUNDED_FUTURE if window.end is None else int(window.end)
        clauses.append(f"({least}`start` < {end:d} AND `end` > {start:d}{most})")
    return " OR ".join(clauses)
