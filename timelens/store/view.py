"""One version of a corpus's chunks, as searches see it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from timelens.documents import Chunk
from timelens.embedding import Vectors
from timelens.store.columns import Columns
from timelens.store.rows import StoredChunk, stored_chunks
from timelens.store.schema import TEXT_INDEX, UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from lancedb.query import LanceQueryBuilder
    from lancedb.table import LanceTable

IN_MEMORY = 250_000
"""Chunks whose vectors and times are searched in memory, some 400 MB; beyond, LanceDB filters and scans."""

_ROW_ID = "_rowid"
_ROWS_KEPT = 4096
_OVERFETCH = 4

Found = Sequence[tuple[int, float]]
"""Row ids with their scores, best first."""


class View:
    """Searches over a table that is held at one version, so that row ids stay what they are."""

    def __init__(self, table: "LanceTable") -> None:
        self._table = table
        self._rows: dict[int, StoredChunk] = {}
        self._matched: tuple[str, NDArray[np.int64], NDArray[np.float32]] | None = None

    @cached_property
    def span(self) -> Interval | None:
        """From the first to the last day of all envelopes, as :meth:`CorpusStore.span`."""
        rows = self._table.search().select(["start", "end"]).to_arrow()
        starts, ends = _bounded(rows["start"]), _bounded(rows["end"])
        if not starts and not ends:
            return None
        firsts = [*starts[:1], *(day - 1 for day in ends[:1])]
        lasts = [*(day + 1 for day in starts[1:]), *ends[1:]]
        return Interval(min(firsts), max(lasts))

    @cached_property
    def _columns(self) -> Columns | None:
        """Vectors and times in memory, where they are not too many."""
        return Columns.read(self._table) if self._table.count_rows() <= IN_MEMORY else None

    def dense(
        self, vector: Vectors, limit: int, windows: Sequence[Interval], documents: Sequence[str]
    ) -> list[StoredChunk]:
        """The nearest chunks, as :meth:`CorpusStore.dense`."""
        if self._columns is not None:
            return self._stored(self._columns.nearest(vector, limit, windows, documents))
        query = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
        found = self._search(query, "_distance", limit, windows, documents)
        return [replace(hit, score=1 - hit.score) for hit in found]

    def keyword(self, text: str, limit: int, windows: Sequence[Interval]) -> list[StoredChunk]:
        """The best matching chunks, as :meth:`CorpusStore.keyword`."""
        if self._columns is not None:
            return self._stored(self._columns.best(*self._matches(text), limit, windows))
        return self._search(self._full_text(text), "_score", limit, windows)

    def both(
        self, vector: Vectors, text: str, limit: int, searches: Sequence[Sequence[Interval]]
    ) -> list[tuple[list[StoredChunk], list[StoredChunk]]]:
        """The results of both searches for each set of windows, read together."""
        if self._columns is None:
            return [
                (self.dense(vector, limit, windows, ()), self.keyword(text, limit, windows))
                for windows in searches
            ]
        matches = self._matches(text)
        nearest = [self._columns.nearest(vector, limit, windows, ()) for windows in searches]
        best = [self._columns.best(*matches, limit, windows) for windows in searches]
        self._load([row for found in (*nearest, *best) for row, _ in found])
        return [(self._stored(near), self._stored(match)) for near, match in zip(nearest, best, strict=True)]

    def spelt_like(self, word: str, limit: int) -> list[Chunk]:
        """The chunks that hold a word spelt almost so, as :meth:`CorpusStore.spelt_like`."""
        from lancedb.query import MatchQuery

        query = self._table.search(MatchQuery(word, TEXT_INDEX, fuzziness=2), query_type="fts")
        rows = query.with_row_id(with_row_id=True).select(["_score"]).limit(limit).to_arrow()
        return [hit.chunk for hit in self._stored([(row, 0.0) for row in rows[_ROW_ID].to_pylist()])]

    def _full_text(self, text: str) -> "LanceQueryBuilder":
        return self._table.search(text, query_type="fts", fts_columns=TEXT_INDEX)

    def _matches(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Row ids and BM25 scores of all chunks that share a word with a text; the last text is kept."""
        if self._matched is None or self._matched[0] != text:
            everything = self._table.count_rows() or 1
            rows = (
                self._full_text(text)
                .with_row_id(with_row_id=True)
                .select(["_score"])
                .limit(everything)
                .to_arrow()
            )
            self._matched = text, rows[_ROW_ID].to_numpy(), rows["_score"].to_numpy()
        return self._matched[1:]

    def _search(
        self,
        query: "LanceQueryBuilder",
        score: str,
        limit: int,
        windows: Sequence[Interval],
        documents: Sequence[str] = (),
    ) -> list[StoredChunk]:
        """Search in LanceDB until ``limit`` chunks pass the exact test, or none are left.

        The envelopes are filtered inside the database, before the search.
        """
        query = query.with_row_id(with_row_id=True).select([score])
        clauses = [_envelope_filter(windows)] if windows else []
        clauses += [in_list("document_id", documents)] if documents else []
        if clauses:
            query = query.where(" AND ".join(f"({clause})" for clause in clauses))
        fetch = limit
        while True:
            rows = query.limit(fetch).to_arrow()
            found = self._stored(list(zip(rows[_ROW_ID].to_pylist(), rows[score].to_pylist(), strict=True)))
            exact = [hit for hit in found if not windows or _has_event_in(hit.chunk, windows)]
            if len(exact) >= limit or rows.num_rows < fetch:
                return exact[:limit]
            fetch *= _OVERFETCH

    def _stored(self, found: Found) -> list[StoredChunk]:
        """The chunks of some rows, with their scores."""
        self._load([row for row, _ in found])
        return [replace(self._rows[row], score=score) for row, score in found]

    def _load(self, rows: Sequence[int]) -> None:
        """Read the rows that are not known; the last ones read are kept."""
        missing = [row for row in dict.fromkeys(rows) if row not in self._rows]
        if not missing:
            return
        wanted = set(rows)
        for row in list(self._rows)[: max(len(self._rows) + len(missing) - _ROWS_KEPT, 0)]:
            if row not in wanted:
                del self._rows[row]
        found = self._table.take_row_ids(missing).with_row_id().select(self._names).to_arrow()
        self._rows.update(zip(found[_ROW_ID].to_pylist(), stored_chunks(found, None), strict=True))

    @cached_property
    def _names(self) -> list[str]:
        """The columns that a chunk is read from."""
        return [name for name in self._table.schema.names if name != TEXT_INDEX]


def in_list(column: str, values: Iterable[str]) -> str:
    """An SQL condition that admits these values of a column."""
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"


def _bounded(days: pa.ChunkedArray) -> list[Day]:
    """Least and greatest of the days that are neither missing nor stand for an unbounded side, if any."""
    bounded = pc.and_(pc.greater(days, UNBOUNDED_PAST), pc.less(days, UNBOUNDED_FUTURE))
    extremes = pc.min_max(days.filter(bounded)).as_py()
    return [] if extremes["min"] is None else [extremes["min"], extremes["max"]]


def _has_event_in(chunk: Chunk, windows: Iterable[Interval]) -> bool:
    return any(event.interval.intersects(window) for window in windows for event in chunk.events)


def _envelope_filter(windows: Iterable[Interval]) -> str:
    """Envelopes that share a day with a window. Built from numbers alone."""
    clauses = []
    for window in windows:
        start = UNBOUNDED_PAST if window.start is None else int(window.start)
        end = UNBOUNDED_FUTURE if window.end is None else int(window.end)
        clauses.append(f"(`start` < {end:d} AND `end` > {start:d})")
    return " OR ".join(clauses)
