"""Dense and full-text search, the basis of all strategies, over one or several corpora."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from timelens.documents import Chunk
from timelens.embedding import Embedder, Reranker, Vectors
from timelens.store.rows import StoredChunk
from timelens.store.searches import Searches
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_VECTORS_KEPT = 1024
_CHUNKS_KEPT = 4096


@dataclass(frozen=True, slots=True)
class ChunkWords:
    """The topic words of a chunk."""

    chunk: Chunk
    title: frozenset[str]
    sentences: tuple[frozenset[str], ...]


class Searcher:
    """Searches a corpus by text. Thread-safe; the models are loaded when first needed."""

    def __init__(self, store: Searches, embedder: Embedder, reranker: Reranker | None = None) -> None:
        self.store = store
        self.reranker = reranker
        self._embedder = embedder
        self._vectors: dict[str, Vectors] = {}
        self._words: dict[str, ChunkWords] = {}
        self._keeping = Lock()

    def vectors(self, texts: Sequence[str]) -> list[Vectors]:
        """The vectors of queries; new ones are embedded in one batch, and the latest are cached.

        Raises:
            StoreError: the corpus was made with another embedder.
        """
        with self._keeping:
            missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            if missing:
                self.store.require_embedder(self._embedder.identity)
                self._vectors.update(zip(missing, self._embedder.encode_queries(missing), strict=True))
            wanted = [self._vectors[text] for text in texts]
            for text in list(self._vectors)[:-_VECTORS_KEPT]:
                del self._vectors[text]
            return wanted

    def vector(self, text: str) -> Vectors:
        """The vector of one query; see :meth:`vectors`."""
        return self.vectors([text])[0]

    def dense(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks with the most similar vectors, best first."""
        return self.store.dense(self.vector(text), limit, windows)

    def keyword(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks with the best full-text scores, best first."""
        return self.store.keyword(text, limit, windows)

    def has_word(self, word: str) -> bool:
        """Whether any chunk contains a word in any of its forms."""
        return self.store.has_word(word)

    def spelt_like(self, word: str) -> list[Chunk]:
        """Some chunks that contain a word spelt similarly."""
        return self.store.spelt_like(word)

    def are_common(self, words: Sequence[str]) -> list[bool]:
        """For each word, whether it is a single token of the embedder, as common words are."""
        shortest, *counts = self._embedder.count_tokens(["a", *words])
        return [count <= shortest for count in counts]

    def words(self, chunk: Chunk) -> ChunkWords:
        """The topic words of a chunk; those of the latest chunks are cached."""
        with self._keeping:
            known = self._words.get(chunk.id)
            if known is None or known.chunk is not chunk:
                title = topic_words(chunk.title)
                sentences = tuple(topic_words(chunk.sentence(index)) for index in range(len(chunk.sentences)))
                known = self._words[chunk.id] = ChunkWords(chunk, title, sentences)
                if len(self._words) > _CHUNKS_KEPT:
                    del self._words[next(iter(self._words))]
            return known
