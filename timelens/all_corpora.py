"""All corpora of this machine, searched and asked as one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from timelens.asking import Askable
from timelens.config import Settings
from timelens.embedding import Embedder, Reranker, load_reranker
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.retrieval.searcher import Searcher
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import corpora_here
from timelens.store.joined import MOST, JoinedStore, qualified
from timelens.store.overview import CorpusSummary
from timelens.store.rows import StoredDocument
from timelens.temporal.interval import hull


class AllCorpora(Askable):
    """All corpora of this machine as one, except those that cannot be asked together.

    Results are merged by score. Ids of documents begin with the name of their corpus and a slash, and
    :attr:`timelens.documents.Chunk.corpus` has the name.
    """

    name = "all corpora"

    def __init__(self, settings: Settings) -> None:
        """Corpora are opened when they are first needed."""
        super().__init__(settings)
        self._opened: _Opened | None = None

    def exists(self) -> bool:
        """Whether there is at least one corpus."""
        return bool(corpora_here())

    @property
    def left_out(self) -> tuple[tuple[str, TimelensError], ...]:
        """(name, reason) of the corpora that are not asked: made with another embedder, or not readable.

        Raises:
            MissingError: there is no corpus, or none that can be asked.
        """
        return self._open().left_out

    def document(self, document_id: str) -> StoredDocument:
        """A document, as :meth:`timelens.Corpus.document`; its id begins with the name of its corpus.

        Raises:
            MissingError: there is no such corpus, or no such document in it.
            StoreError: the corpus is damaged, or an incompatible version made it.
        """
        name, _, own = document_id.partition("/")
        path = corpora_here().get(name)
        if path is None:
            raise MissingError(f"there is no corpus {name}", "see: timelens corpora list")
        found = CorpusStore(path).document(own)
        chunks = tuple(qualified(name, chunk) for chunk in found.chunks)
        return replace(found, id=document_id, chunks=chunks)

    def summary(self) -> CorpusSummary:
        """Counts and span of all corpora together, without outlying sentences.

        Raises:
            MissingError: there is no corpus, or none that can be asked.
            StoreError: a corpus is damaged.
        """
        parts = [store.summary() for store in self._open().stores.values()]
        return CorpusSummary(
            documents=sum(part.documents for part in parts),
            chunks=sum(part.chunks for part in parts),
            events=sum(part.events for part in parts),
            span=hull(part.span for part in parts if part.span is not None),
            embedder=self._embed().identity,
        )

    def _search(self) -> Searcher:
        return self._open().searcher

    def _open(self) -> "_Opened":
        """The current corpora, opened again if their names have changed."""
        corpora = corpora_here()
        if self._opened is None or self._opened.names != tuple(corpora):
            self._opened = _opened(corpora, self._embed(), load_reranker(self.settings.reranker))
        return self._opened


@dataclass(frozen=True, slots=True)
class _Opened:
    """Corpora that are asked together, and those left out."""

    names: tuple[str, ...]
    """Names of all corpora at the time of opening."""
    stores: Mapping[str, CorpusStore]
    left_out: tuple[tuple[str, TimelensError], ...]
    searcher: Searcher


def _require_searchable(store: CorpusStore, embedder: Embedder) -> None:
    """Make sure that a search can read a corpus; what it loads is needed in any case.

    Raises:
        StoreError: the corpus is damaged.
    """
    with store.searching() as view:
        view.stored(view.nearest(np.eye(1, embedder.identity.dimension, dtype=np.float32)[0], 1))


def _opened(corpora: Mapping[str, Path], embedder: Embedder, reranker: Reranker | None) -> _Opened:
    stores: dict[str, CorpusStore] = {}
    left_out: list[tuple[str, TimelensError]] = []
    for name, path in corpora.items():
        try:
            store = CorpusStore(path)
            store.require_embedder(embedder.identity)
            _require_searchable(store, embedder)
            if len(stores) == MOST:
                raise BadInputError(f"only {MOST} corpora can be asked together", "ask it by itself")
        except TimelensError as error:
            left_out.append((name, error))
        else:
            stores[name] = store
    if not stores:
        raise MissingError(
            "there is no corpus that can be asked", "make one: timelens ingest FOLDER --corpus NAME"
        )
    return _Opened(tuple(corpora), stores, tuple(left_out), Searcher(JoinedStore(stores), embedder, reranker))
