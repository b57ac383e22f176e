import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from timelens.embedding import Embedder, EmbedderIdentity, EncodedDocuments, Span, Vectors

_DIMENSION = 16


class HashedEmbedder:
    """Vectors from the hashes of words: same words, same vector. For tests that need no meaning."""

    def __init__(self, name: str = "hashed", dimension: int = _DIMENSION, token_limit: int = 64) -> None:
        self.identity = EmbedderIdentity(name, dimension, hashlib.sha256(name.encode()).hexdigest())
        self.token_limit = token_limit

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        rows = [self._vector(query.casefold().split() or [""]) for query in queries]
        return np.array(rows, np.float32).reshape(len(rows), self.identity.dimension)

    def _vector(self, words: Sequence[str]) -> Vectors:
        seeds = [hashlib.sha256(f"{self.identity.name} {word}".encode()).digest() for word in words]
        total = sum(np.random.default_rng(list(s)).standard_normal(self.identity.dimension) for s in seeds)
        return np.asarray(total / np.linalg.norm(total), np.float32)

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        return EncodedDocuments(
            self.encode_queries(texts),
            [
                self.encode_queries([text[start:end] for start, end in inside])
                for text, inside in zip(texts, spans, strict=True)
            ],
        )


@pytest.fixture
def hashed() -> Embedder:
    """An embedder that costs nothing."""
    return HashedEmbedder()


@pytest.fixture
def other_hashed() -> Embedder:
    """Another one: other name, dimension and weights."""
    return HashedEmbedder("other", dimension=8)
