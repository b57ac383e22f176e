"""Search by the index of vectors, with the limit lowered under which a corpus is searched in memory."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from unit.store.conftest import chunk

from timelens.documents import Document
from timelens.embedding import EmbedderIdentity, EncodedDocuments, Vectors
from timelens.store import vector_index, view
from timelens.store.corpus import CorpusStore
from timelens.store.database import connect
from timelens.store.rows import EmbeddedDocument
from timelens.store.schema import CHUNKS
from timelens.temporal.interval import Interval

SIZE, DIMENSION, DAYS = 3000, 64, 1000
WINDOW = Interval(300, 400)
IDENTITY = EmbedderIdentity("random", DIMENSION, "")


def vectors(seed: int, size: int) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((size, DIMENSION))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


def times(size: int) -> list[list[Interval]]:
    """A day for each chunk; every third has a second one, so that its envelope holds more than its events."""
    days = np.random.default_rng(2).integers(0, DAYS, (size, 2)).tolist()
    return [
        [Interval(day, day + 1) for day in (both if number % 3 == 0 else both[:1])]
        for number, both in enumerate(days)
    ]


def made(name: str, of: Vectors, when: Sequence[Sequence[Interval]]) -> EmbeddedDocument:
    chunks = tuple(chunk(name, number, f"word{number}", events) for number, events in enumerate(when))
    document = Document(name, f"/{name}", "", "", name)
    return EmbeddedDocument(document, chunks, EncodedDocuments(of, [one[None] for one in of]))


@pytest.fixture(autouse=True)
def too_large_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "IN_MEMORY", 0)
    monkeypatch.setattr(vector_index, "INDEXED", SIZE - 1)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus as a version without the index leaves it."""
    path = tmp_path_factory.mktemp("large") / "written"
    store = CorpusStore.create(path, IDENTITY)
    store.write([made("d", vectors(1, SIZE), times(SIZE))])
    store.settle()
    assert not is_indexed(store)
    return path


@pytest.fixture
def indexed(written: Path, tmp_path: Path) -> CorpusStore:
    shutil.copytree(written, tmp_path / "corpus")
    store = CorpusStore(tmp_path / "corpus")
    store.settle()
    return store


def is_indexed(store: CorpusStore) -> bool:
    return vector_index.has_vector_index(connect(store.path).open_table(CHUNKS))


def found(store: CorpusStore, query: Vectors, limit: int, windows: Sequence[Interval] = ()) -> list[str]:
    return [hit.chunk.id for hit in store.dense(query, limit, windows)]


def right(query: Vectors, limit: int, window: Interval | None) -> list[str]:
    inside = [
        number
        for number, events in enumerate(times(SIZE))
        if window is None or any(event.intersects(window) for event in events)
    ]
    order = np.argsort(-(vectors(1, SIZE) @ query)[inside])[:limit]
    return [f"d#{inside[place]}" for place in order]


def recall(store: CorpusStore, queries: Vectors, window: Interval | None) -> float:
    """Mean share of the 50 nearest chunks of each query that the store finds.

    The index is trained on a random sample, so the share differs from run to run.  Two bits a number tell
    random vectors of 64 numbers apart less well than those of a real embedder.
    """
    windows = [window] if window else []
    shares = []
    for query in queries:
        expected = right(query, 50, window)
        names = found(store, query, 50, windows)
        assert len(names) == len(expected)
        shares.append(len(set(names) & set(expected)) / len(expected))
    return float(np.mean(shares))


@pytest.mark.parametrize("window", [None, WINDOW, Interval(500, 510)])
def test_the_index_finds_what_a_comparison_of_all_finds(
    indexed: CorpusStore, window: Interval | None
) -> None:
    assert is_indexed(indexed)
    queries = vectors(3, 10)
    assert recall(indexed, queries, window) > 0.9
    for query in queries:
        hits = indexed.dense(query, 50, [window] if window else [])
        assert [hit.score for hit in hits] == pytest.approx([hit.vector @ query for hit in hits], abs=1e-5)


def test_a_corpus_without_the_index_is_searched_exactly(written: Path) -> None:
    store = CorpusStore(written)
    query = vectors(4, 1)[0]
    for window in (None, WINDOW):
        assert found(store, query, 50, [window] if window else []) == right(query, 50, window)


def test_rows_written_after_the_index_was_made_are_found(indexed: CorpusStore) -> None:
    new = vectors(5, 20)
    indexed.write([made("new", new, [[Interval(350, 351)]] * 20)])
    for _ in range(2):
        for number in (0, 19):
            assert found(indexed, new[number], 5, [WINDOW])[0] == f"new#{number}"
            assert found(indexed, new[number], 5)[0] == f"new#{number}"
        indexed.settle()  # adds them to the index
    table = connect(indexed.path).open_table(CHUNKS)
    (name,) = [index.name for index in table.list_indices() if index.columns == ["vector"]]
    stats = table.index_stats(name)
    assert stats is not None
    assert (stats.num_indexed_rows, stats.num_unindexed_rows) == (SIZE + 20, 0)
    indexed.remove(["new"])
    assert not any(one.startswith("new") for one in found(indexed, new[0], 50))


def test_compacting_makes_the_index_and_keeps_what_it_finds(written: Path, tmp_path: Path) -> None:
    shutil.copytree(written, tmp_path / "corpus")
    store = CorpusStore(tmp_path / "corpus")
    store.compact(patience=0)
    assert is_indexed(store)
    queries = vectors(6, 10)
    assert recall(store, queries, WINDOW) > 0.9
    store.compact(patience=0)
    assert recall(store, queries, WINDOW) > 0.9


def test_vectors_that_the_index_does_not_take_are_searched_exactly(tmp_path: Path) -> None:
    store = CorpusStore.create(tmp_path / "corpus", EmbedderIdentity("random", DIMENSION - 4, ""))
    store.write([made("d", vectors(1, SIZE)[:, 4:], times(SIZE))])
    store.settle()
    assert not is_indexed(store)
    query = vectors(7, 1)[0, 4:]
    order = np.argsort(-(vectors(1, SIZE)[:, 4:] @ query / np.linalg.norm(vectors(1, SIZE)[:, 4:], axis=1)))
    assert found(store, query, 5) == [f"d#{number}" for number in order[:5]]
