from collections.abc import Sequence
from pathlib import Path

import pytest
from unit.store.conftest import chunk, document, embedded, encode, everything, texts

from timelens.documents import Chunk
from timelens.embedding import Embedder, EncodedDocuments
from timelens.errors import StoreError
from timelens.store.corpus import CorpusStore
from timelens.temporal.interval import Interval, year_interval


def test_reembedding_keeps_all_but_the_vectors(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    times = [year_interval(2000), Interval(None, 5)]
    chunks = [chunk("d", n, f"word{n} common", times[: n % 3]) for n in range(600)]
    store.write([embedded(hashed, "d", chunks)])
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    for again in (store, CorpusStore(path)):
        again.require_embedder(other_hashed.identity)
        query = other_hashed.encode_queries(["word7 common"])[0]
        found = again.dense(query, 1000)
        assert sorted((hit.chunk for hit in found), key=lambda c: c.ordinal) == chunks
        assert found[0].chunk.id == "d#7"
        assert found[0].vector.shape == (other_hashed.identity.dimension,)
        assert texts(again.keyword("word9", 3)) == ["word9 common"]
        assert len(again.dense(query, 1000, [year_interval(2000)])) == 400
    assert list(store.content_hashes()) == ["d"]


def test_reembedding_an_empty_corpus_only_changes_its_embedder(
    store: CorpusStore, path: Path, other_hashed: Embedder
) -> None:
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    CorpusStore(path).require_embedder(other_hashed.identity)


def test_reembedding_that_fails_leaves_the_corpus_as_it_was(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.write([embedded(hashed, "d", [chunk("d", n, f"word{n}") for n in range(600)])])
    batches = iter(range(10))

    def encode_once(batch: Sequence[Chunk]) -> EncodedDocuments:
        if next(batches):
            raise RuntimeError("out of memory")
        return encode(other_hashed, batch)

    with pytest.raises(StoreError):
        store.reembed(other_hashed.identity, encode_once)
    for again in (store, CorpusStore(path)):
        again.require_embedder(hashed.identity)
        assert len(everything(again, hashed)) == 600
        assert texts(again.keyword("word9", 3)) == ["word9"]


def test_a_reader_learns_that_the_corpus_was_embedded_again(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.write([document(hashed, "a", "one")])
    reader = CorpusStore(path)
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    with pytest.raises(StoreError, match="made with the embedder other"):
        reader.require_embedder(hashed.identity)
