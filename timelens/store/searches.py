"""Interface of searches over one or several corpora."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from timelens.documents import Chunk
from timelens.embedding import EmbedderIdentity, Vectors
from timelens.store.arrays import ChunkArrays
from timelens.store.index import RankedRows
from timelens.store.rows import StoredChunk
from timelens.temporal.interval import Interval


class ChunkView(Protocol):
    """One version of the chunks of a corpus (:class:`timelens.store.view.View`), or of several corpora."""

    @property
    def span(self) -> Interval | None:
        """From the first to the last day of most chunks."""

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval] = (), documents: Sequence[str] = ()
    ) -> RankedRows:
        """The chunks nearest to a unit vector by cosine similarity, within windows and documents if given."""

    def matching(
        self, text: str, limit: int, windows: Sequence[Interval] = (), *, of_tables: bool = True
    ) -> RankedRows:
        """The chunks that match words of a text, by BM25; without rows of tables unless ``of_tables``."""

    def has_word(self, word: str) -> bool:
        """Whether any chunk matches a word, in one of its forms."""

    def spelt_like(self, word: str, limit: int) -> RankedRows:
        """The chunks that contain a word with up to two letters different from this one."""

    def arrays(self, rows: Sequence[int]) -> ChunkArrays:
        """The arrays for ranking of some rows, in the order given."""

    def stored(self, found: RankedRows) -> list[StoredChunk]:
        """The chunks of some rows, with their scores."""


class Searches(ABC):
    """Searches over one or several corpora."""

    @abstractmethod
    def searching(self) -> AbstractContextManager[ChunkView]:
        """A view of the current version, for related searches; one thread at a time."""

    @abstractmethod
    def require_embedder(self, embedder: EmbedderIdentity) -> None:
        """Refuse an embedder other than the one whose vectors are stored.

        Raises:
            StoreError: they differ in name, dimension, weights or document prefix.
        """

    def span(self) -> Interval | None:
        """The interval from the first to the last day of the chunks; ``None`` if nothing is dated.

        For an envelope without an end its first day is used, without a start its last. A few chunks far from
        most others are ignored.
        """
        with self.searching() as view:
            return view.span

    def dense(self, vector: Vectors, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks nearest to a vector of unit length, best first, scored by cosine similarity.

        ``windows`` admits only chunks with an event that shares a day with one of them.
        """
        with self.searching() as view:
            return view.stored(view.nearest(vector, limit, windows))

    def keyword(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks that match words of a text, best first, scored by BM25; windows as in :meth:`dense`."""
        with self.searching() as view:
            return view.stored(view.matching(text, limit, windows))

    def has_word(self, word: str) -> bool:
        """Whether :meth:`keyword` would find anything for a word."""
        with self.searching() as view:
            return view.has_word(word)

    def spelt_like(self, word: str, limit: int = 20) -> list[Chunk]:
        """The chunks that contain a word with up to two letters different from this one, best first."""
        with self.searching() as view:
            return [stored.chunk for stored in view.stored(view.spelt_like(word, limit))]
