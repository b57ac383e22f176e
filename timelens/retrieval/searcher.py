"""The two searches that every strategy is built from, over one corpus and its embedder."""

from collections.abc import Sequence

from timelens.embedding import Embedder, Vectors
from timelens.store.corpus import CorpusStore
from timelens.store.rows import StoredChunk
from timelens.temporal.interval import Interval


class Searcher:
    """Searches a corpus by text; the embedder is loaded when vectors are first needed."""

    def __init__(self, store: CorpusStore, embedder: Embedder) -> None:
        self.store = store
        self._embedder = embedder
        self._vectors: dict[str, Vectors] = {}

    def vector(self, text: str) -> Vectors:
        """The vector of a query, computed once.

        Raises:
            StoreError: the corpus was made with another embedder.
        """
        if text not in self._vectors:
            self.store.require_embedder(self._embedder.identity)
            self._vectors[text] = self._embedder.encode_queries([text])[0]
        return self._vectors[text]

    def dense(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks nearest in meaning, best first."""
        return self.store.dense(self.vector(text), limit, windows)

    def keyword(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks that share words, best first."""
        return self.store.keyword(text, limit, windows)
