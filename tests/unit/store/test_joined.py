"""Several corpora as one: exactly what one corpus with all of their chunks would find."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from unit.store.conftest import chunk, embedded

from timelens.documents import Chunk
from timelens.embedding import Embedder, EmbedderIdentity
from timelens.errors import StoreError
from timelens.question.parse import parse
from timelens.retrieval.request import Request
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import STRATEGIES, strategy_named
from timelens.store import view
from timelens.store.corpus import CorpusStore
from timelens.store.joined import JoinedStore
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import year_interval

WORDS = "ferry fare keeper harbour lamp mole council storm rent boat".split()
CORPORA: Mapping[str, Mapping[str, int]] = {"north": {"a": 6, "b": 5}, "south": {"a": 7, "c": 4}}


def chunks_of(corpus: str, document: str, count: int, *, prefix: str = "") -> list[Chunk]:
    """Chunks that differ from those of other corpora in their words and times."""
    chance = np.random.default_rng([ord(letter) for letter in corpus + document])
    made = []
    for number in range(count):
        words = " ".join(chance.choice(WORDS, 4))
        year = int(chance.integers(1990, 2010))
        made.append(
            chunk(f"{prefix}{document}", number, f"{words} of {corpus} {number}.", [year_interval(year)])
        )
    return made


@pytest.fixture
def joined(tmp_path: Path, hashed: Embedder) -> JoinedStore:
    stores = {}
    for corpus, documents in CORPORA.items():
        store = stores[corpus] = CorpusStore.create(tmp_path / corpus, hashed.identity)
        store.write(
            [embedded(hashed, name, chunks_of(corpus, name, count)) for name, count in documents.items()]
        )
        store.settle()
    return JoinedStore(stores)


@pytest.fixture
def one(tmp_path: Path, hashed: Embedder) -> CorpusStore:
    """The same in one corpus, with the ids that they have together."""
    store = CorpusStore.create(tmp_path / "one", hashed.identity)
    for corpus, documents in CORPORA.items():
        for name, count in documents.items():
            chunks = chunks_of(corpus, name, count, prefix=f"{corpus}/")
            store.write([embedded(hashed, f"{corpus}/{name}", chunks)])
    store.settle()
    return store


@pytest.mark.parametrize("in_memory", [True, False])
def test_the_nearest_are_those_of_one_corpus(
    joined: JoinedStore,
    one: CorpusStore,
    hashed: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    *,
    in_memory: bool,
) -> None:
    if not in_memory:
        monkeypatch.setattr(view, "IN_MEMORY", 0)
    vector = hashed.encode_queries(["ferry fare of the harbour"])[0]
    for windows in ((), (year_interval(1995, 2000),), (year_interval(1991), year_interval(2004, 2006))):
        for limit in (1, 5, 40):
            found, wanted = joined.dense(vector, limit, windows), one.dense(vector, limit, windows)
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-6)
            ids = {hit.chunk.id for hit in found}
            assert len(ids) == len(found)
            if limit == 40:
                assert ids == {hit.chunk.id for hit in wanted}
            for hit in found:
                assert hit.chunk.document_id.startswith(f"{hit.chunk.corpus}/")
                assert f"of {hit.chunk.corpus} " in hit.chunk.text


def test_rows_are_read_in_the_order_asked(joined: JoinedStore, hashed: Embedder) -> None:
    with joined.searching() as both:
        found = both.nearest(hashed.encode_queries(["boat"])[0], 40)
        rows = [row for row, _ in found]
        mixed = [rows[index] for index in np.random.default_rng(3).permutation(len(rows))]
        arrays, stored = both.arrays(mixed), both.stored([(row, 0.5) for row in mixed])
        assert arrays.ids == [one.chunk.id for one in stored]
        assert arrays.documents == [one.chunk.document_id for one in stored]
        np.testing.assert_allclose(arrays.vectors, np.stack([one.vector for one in stored]), atol=1e-6)
        assert [arrays.dated.of(index) for index in range(len(mixed))] == [one.chunk.events for one in stored]
        assert both.arrays([]).ids == []
        assert both.stored([]) == []


def test_documents_are_told_apart(joined: JoinedStore, hashed: Embedder) -> None:
    vector = hashed.encode_queries(["storm"])[0]
    with joined.searching() as both:
        for documents, wanted in (
            (["north/a"], 6),
            (["south/a"], 7),
            (["north/a", "south/c"], 10),
            (["a"], 0),
        ):
            found = both.stored(both.nearest(vector, 40, documents=documents))
            assert len(found) == wanted
            assert {one.chunk.document_id for one in found} == (set(documents) if wanted else set())


def test_words_and_span_are_those_of_any(joined: JoinedStore, one: CorpusStore) -> None:
    found = joined.keyword("ferry", 40)
    assert {hit.chunk.id for hit in found} == {hit.chunk.id for hit in one.keyword("ferry", 40)}
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert (joined.has_word("south"), joined.has_word("north"), joined.has_word("west")) == (
        True,
        True,
        False,
    )
    assert {hit.corpus for hit in joined.spelt_like("fery")} == {"north", "south"}
    assert joined.span() == one.span()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_finds_evidence_in_both(joined: JoinedStore, hashed: Embedder, name: str) -> None:
    parsed = parse("ferry fare between 1990 and 2010", day_number(2026, 11, 20))
    request = Request(parsed, parsed.core, parsed.window, 20)
    hits = strategy_named(name).retrieve(request, Searcher(joined, hashed)).hits
    assert {hit.chunk.corpus for hit in hits} == {"north", "south"}
    assert len({hit.chunk.id for hit in hits}) == len(hits)


def test_another_embedder_is_refused(joined: JoinedStore, hashed: Embedder) -> None:
    joined.require_embedder(hashed.identity)
    with pytest.raises(StoreError, match="was made with the embedder"):
        joined.require_embedder(EmbedderIdentity("other", 3, ""))
