"""One version of a corpus's chunks, as searches see it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from timelens.embedding import Vectors
from timelens.store.arrays import ChunkArrays, Mask
from timelens.store.columns import Columns, Found
from timelens.store.faults import store_errors
from timelens.store.rows import StoredChunk
from timelens.store.schema import TEXT_INDEX, UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from lancedb.query import LanceQueryBuilder
    from lancedb.table import LanceTable

IN_MEMORY = 100_000
"""Chunks of a corpus that is searched in memory, some 10 kB each; beyond, LanceDB filters and scans."""

_ROW_ID = "_rowid"
_OVERFETCH = 4
_ROWS_KEPT = 4096


class View:
    """Searches over a table that is held at one version, so that row ids stay what they are.

    Windows admit only chunks with an event that shares a day with one of them. What reads the table raises
    :class:`timelens.errors.StoreError` where that fails.
    """

    def __init__(self, table: "LanceTable", path: Path) -> None:
        self._table = table
        self._path = path
        self._known: pa.Table | None = None
        self._read: Columns | None = None

    @cached_property
    def span(self) -> Interval | None:
        """From the first to the last day of all envelopes, as :meth:`CorpusStore.span`."""
        with store_errors(self._path):
            rows = self._table.search().select(["start", "end"]).to_arrow()
        starts, ends = _bounded(rows["start"]), _bounded(rows["end"])
        if not starts and not ends:
            return None
        firsts = [*starts[:1], *(day - 1 for day in ends[:1])]
        lasts = [*(day + 1 for day in starts[1:]), *ends[1:]]
        return Interval(min(firsts), max(lasts))

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval] = (), documents: Sequence[str] = ()
    ) -> Found:
        """The chunks nearest to a vector of unit length, by cosine similarity; of these documents, if any."""
        if self._columns is not None:
            return self._columns.nearest(vector, limit, windows, documents)
        query = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
        found = self._search(query, "_distance", limit, windows, documents)
        return [(row, 1 - distance) for row, distance in found]

    def matching(
        self, text: str, limit: int, windows: Sequence[Interval] = (), *, of_tables: bool = True
    ) -> Found:
        """The chunks that match words of a text, by BM25; rows of tables among them or not."""
        query = self._table.search(text, query_type="fts", fts_columns=TEXT_INDEX)
        return self._search(query, "_score", limit, windows, of_tables=of_tables)

    def has_word(self, word: str) -> bool:
        """Whether any chunk matches a word, in one of its forms."""
        query = self._table.search(word, query_type="fts", fts_columns=TEXT_INDEX)
        with store_errors(self._path):
            return bool(query.select(["_score"]).limit(1).to_arrow().num_rows)

    def spelt_like(self, word: str, limit: int) -> Found:
        """The chunks that hold a word of which up to two letters are other ones."""
        from lancedb.query import MatchQuery

        return self._search(
            self._table.search(MatchQuery(word, TEXT_INDEX, fuzziness=2), query_type="fts"),
            "_score",
            limit,
            (),
        )

    def arrays(self, rows: Sequence[int]) -> ChunkArrays:
        """What ranking looks at of some rows, in the order given."""
        return self._holding(rows).taken(rows)

    def stored(self, found: Found) -> list[StoredChunk]:
        """The chunks of some rows, with their scores."""
        return self._holding([row for row, _ in found]).stored(found)

    @cached_property
    def _columns(self) -> Columns | None:
        """All rows in memory, where they are not too many."""
        with store_errors(self._path):
            if self._table.count_rows() > IN_MEMORY:
                return None
            query = self._table.search().with_row_id(with_row_id=True)
            return Columns.read(query.select(self._names).to_arrow())

    def _holding(self, rows: Sequence[int]) -> Columns:
        """Columns that hold some rows; where not all are in memory, what was read before is kept."""
        if self._columns is not None:
            return self._columns
        missing = list(dict.fromkeys(rows)) if self._read is None else self._read.missing(rows)
        if self._read is None or missing:
            known = [self._known] if self._known is not None and self._known.num_rows < _ROWS_KEPT else []
            with store_errors(self._path):
                query = self._table.take_row_ids(missing if known else list(dict.fromkeys(rows)))
                read = query.with_row_id().select(self._names).to_arrow()
            self._known = pa.concat_tables([*known, read])
            self._read = Columns.read(self._known)
        return self._read

    def _search(
        self,
        query: "LanceQueryBuilder",
        score: str,
        limit: int,
        windows: Sequence[Interval],
        documents: Sequence[str] = (),
        *,
        of_tables: bool = True,
    ) -> Found:
        """Search in LanceDB until ``limit`` chunks pass the exact test, or none are left.

        The envelopes are filtered inside the database, before the search. Of equal scores the lower row id
        comes first, so that the result does not depend on the order in which the database reads.
        """
        query = query.with_row_id(with_row_id=True).select([score] if of_tables else [score, "fact"])
        clauses = [_envelope_filter(windows)] if windows else []
        clauses += [in_list("document_id", documents)] if documents else []
        if clauses:
            query = query.where(" AND ".join(f"({clause})" for clause in clauses))
        best_first = "ascending" if score == "_distance" else "descending"
        # BM25 scores tie often, and a tie at the last place calls for a second look
        fetch = limit + 1 if score == "_distance" else 2 * limit + 1
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
        return self._holding(rows).inside(rows, windows)

    @cached_property
    def _names(self) -> list[str]:
        """The columns that are read: all but the one that is there for full-text search alone."""
        return [name for name in self._table.schema.names if name != TEXT_INDEX]


def in_list(column: str, values: Iterable[str]) -> str:
    """An SQL condition that admits these values of a column."""
    return f"{column} IN ({', '.join(map(quoted, values))})"


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def _bounded(days: pa.ChunkedArray) -> list[Day]:
    """Least and greatest of the days that are neither missing nor stand for an unbounded side, if any."""
    bounded = pc.and_(pc.greater(days, UNBOUNDED_PAST), pc.less(days, UNBOUNDED_FUTURE))
    extremes = pc.min_max(days.filter(bounded)).as_py()
    return [] if extremes["min"] is None else [extremes["min"], extremes["max"]]


def _envelope_filter(windows: Iterable[Interval]) -> str:
    """Envelopes that share a day with a window. Built from numbers alone."""
    clauses = []
    for window in windows:
        start = UNBOUNDED_PAST if window.start is None else int(window.start)
        end = UNBOUNDED_FUTURE if window.end is None else int(window.end)
        clauses.append(f"(`start` < {end:d} AND `end` > {start:d})")
    return " OR ".join(clauses)
