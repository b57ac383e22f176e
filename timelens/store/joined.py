"""Several corpora searched as one: results are merged by score and name their corpus."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import numpy as np

from timelens.documents import Chunk
from timelens.embedding import EmbedderIdentity, Vectors
from timelens.store.arrays import ChunkArrays
from timelens.store.corpus import CorpusStore
from timelens.store.index import RankedRows
from timelens.store.rows import StoredChunk
from timelens.store.searches import Searches
from timelens.store.view import View
from timelens.temporal.interval import Interval, hull

_CORPUS_AT = 54
"""First bit of the corpus number in a row id; LanceDB numbers fragments of a table from bit 32 on."""
_ROW = (1 << _CORPUS_AT) - 1
MOST = 2 ** (63 - _CORPUS_AT) - 1
"""Most corpora that can be joined."""


class JoinedStore(Searches):
    """The stores of several corpora with the same embedder.

    Ids of documents and chunks begin with the name of their corpus and a slash.
    """

    def __init__(self, stores: Mapping[str, CorpusStore]) -> None:
        """``stores`` are at least one and at most :data:`MOST`, by the names of their corpora."""
        self.stores = stores

    def require_embedder(self, embedder: EmbedderIdentity) -> None:
        """Refuse an embedder other than the one of all corpora.

        Raises:
            StoreError: a corpus has another embedder.
        """
        for store in self.stores.values():
            store.require_embedder(embedder)

    @contextmanager
    def searching(self) -> Iterator["JoinedView"]:
        """A view of the current versions of all corpora."""
        with ExitStack() as stack:
            yield JoinedView(
                {name: stack.enter_context(store.searching()) for name, store in self.stores.items()}
            )


class JoinedView:
    """Searches over the views of several corpora; a :class:`timelens.store.searches.ChunkView`.

    BM25 scores of two corpora are only roughly comparable: the rarity of a word is that in its own corpus.
    """

    def __init__(self, views: Mapping[str, View]) -> None:
        self._names = tuple(views)
        self._views = tuple(views.values())

    @property
    def span(self) -> Interval | None:
        """The hull of the spans of all corpora."""
        return hull(span for view in self._views if (span := view.span) is not None)

    def nearest(
        self, vector: Vectors, limit: int, windows: Sequence[Interval] = (), documents: Sequence[str] = ()
    ) -> RankedRows:
        """The chunks nearest to a vector."""

        def of(number: int) -> RankedRows:
            own = self._own(number, documents)
            wanted = bool(own or not documents)
            return self._views[number].nearest(vector, limit, windows, own) if wanted else ()

        return self._best(of, limit)

    def matching(
        self, text: str, limit: int, windows: Sequence[Interval] = (), *, of_tables: bool = True
    ) -> RankedRows:
        """The chunks that match words of a text."""
        return self._best(
            lambda number: self._views[number].matching(text, limit, windows, of_tables=of_tables), limit
        )

    def has_word(self, word: str) -> bool:
        """Whether any chunk matches a word."""
        return any(view.has_word(word) for view in self._views)

    def spelt_like(self, word: str, limit: int) -> RankedRows:
        """The chunks that contain a word spelt almost like this one."""
        return self._best(lambda number: self._views[number].spelt_like(word, limit), limit)

    def arrays(self, rows: Sequence[int]) -> ChunkArrays:
        """The arrays for ranking of some rows, in the order given."""
        wanted = np.asarray(rows, dtype=np.int64)
        numbers = wanted >> _CORPUS_AT
        parts, places = [], []
        for number in np.unique(numbers).tolist() or [0]:
            here = np.flatnonzero(numbers == number)
            parts.append(self._named(number, self._views[number].arrays((wanted[here] & _ROW).tolist())))
            places.append(here)
        if len(parts) == 1:
            return parts[0]
        return ChunkArrays.joined(parts).take(np.argsort(np.concatenate(places)))

    def stored(self, found: RankedRows) -> list[StoredChunk]:
        """The chunks of some rows, with their scores."""
        chunks: dict[int, StoredChunk] = {}
        for number, name in enumerate(self._names):
            own = [(row, score) for row, score in found if row >> _CORPUS_AT == number]
            stored = self._views[number].stored([(row & _ROW, score) for row, score in own])
            for (row, _), one in zip(own, stored, strict=True):
                chunks[row] = replace(one, chunk=qualified(name, one.chunk))
        return [chunks[row] for row, _ in found]

    def _best(self, of: Callable[[int], RankedRows], limit: int) -> RankedRows:
        """The best results of all corpora; ties go to the lower row."""
        found = [
            (number << _CORPUS_AT | row, score)
            for number in range(len(self._views))
            for row, score in of(number)
        ]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]

    def _own(self, number: int, documents: Sequence[str]) -> list[str]:
        """The documents that belong to a corpus, with the ids that they have in it."""
        prefix = f"{self._names[number]}/"
        return [document.removeprefix(prefix) for document in documents if document.startswith(prefix)]

    def _named(self, number: int, arrays: ChunkArrays) -> ChunkArrays:
        prefix = f"{self._names[number]}/"
        ids, documents = ([prefix + one for one in each] for each in (arrays.ids, arrays.documents))
        return replace(arrays, ids=ids, documents=documents)


def qualified(name: str, chunk: Chunk) -> Chunk:
    """The chunk with ids that begin with the name of its corpus."""
    return replace(chunk, id=f"{name}/{chunk.id}", document_id=f"{name}/{chunk.document_id}", corpus=name)
