from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from unit.store.conftest import chunk, document, embedded, encode, everything

from timelens.documents import Chunk, Document, Event, EventSource, Fact
from timelens.embedding import Embedder
from timelens.errors import ExitCode, MissingError
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.interval import Granularity, Interval, year_interval


def test_the_chunks_of_documents_come_in_the_order_asked(store: CorpusStore, hashed: Embedder) -> None:
    parts = [replace(chunk("page", n, f"part {n}"), id=f"it's#{n}#0") for n in (1, 2)]
    store.write(
        [
            document(hashed, "a", *(f"a{n}" for n in range(12))),
            document(hashed, "a#b", "another"),
            document(hashed, "a$", "not this"),
            embedded(hashed, "page", parts),
        ]
    )
    found = [one.text for one in store.chunks_from(["it's#2", "a", "gone"])]
    assert found == ["part 2", *(f"a{n}" for n in range(12))]
    assert [one.text for one in store.chunks_from(["a#b"])] == ["another"]
    assert store.chunks_from([]) == []


def test_what_was_written_comes_back_as_it_was(store: CorpusStore, path: Path, hashed: Embedder) -> None:
    published = Interval(-800_000, -799_000, Granularity.YEAR)
    whole = Chunk(
        id="a#0",
        document_id="a",
        ordinal=0,
        uri="/home/someone/a.md",
        title="Ein Titel – “quoted”",
        text="First 雪 sentence. Second one.",
        published=published,
        sentences=((0, 17), (18, 29)),
        events=(
            Event(Interval(None, 5, Granularity.CENTURY), 0, EventSource.STATED, 0.5),
            Event(Interval(-3, None), 1, EventSource.ANCHORED, 0.25),
            Event(published, 1, EventSource.PUBLISHED, 1.0),
        ),
        fact=Fact((("Name", "Ada"), ("Note", "")), 10, None, Granularity.MONTH),
        places=((0, "page 3"), (1, "Findings")),
    )
    plain = chunk("a", 1, "Undated, without a fact.")
    vectors = encode(hashed, [whole, plain])
    item = EmbeddedDocument(Document("a", "/a", "t", "x", "h", published=published), (whole, plain), vectors)
    store.write([item])
    found = CorpusStore(path).dense(vectors.vectors[0], 2)
    assert [hit.chunk for hit in found] == [whole, plain]
    assert found[0].score == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(found[0].vector, vectors.vectors[0], atol=1e-6)
    np.testing.assert_allclose(found[0].sentence_vectors, vectors.spans[0], atol=1e-3)
    assert found[1].sentence_vectors.shape == (1, hashed.identity.dimension)


def test_a_document_comes_back_with_all_its_chunks_in_order(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    published = Interval(5, 6)
    parts = [replace(chunk("it's", n, f"part {n}"), events=(), published=published) for n in (2, 0, 11, 1)]
    item = Document(
        "it's", "/a/it's.md", "A title", "", "h", published=published, published_source="file name"
    )
    vectors = encode(hashed, parts)
    store.write([EmbeddedDocument(item, tuple(parts), vectors), document(hashed, "it", "another")])
    found = CorpusStore(path).document("it's")
    assert [one.ordinal for one in found.chunks] == [0, 1, 2, 11]
    assert [one.text for one in found.chunks] == ["part 0", "part 1", "part 2", "part 11"]
    assert found.chunks[0] == parts[1]
    assert (found.id, found.uri, found.title) == ("it's", "/a/it's.md", "A title")
    assert (found.published, found.published_source) == (published, "file name")
    with pytest.raises(MissingError, match="gone is not in"):
        store.document("gone")


def test_creating_again_opens_what_is_there(store: CorpusStore, path: Path, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "one")])
    again = CorpusStore.create(path, hashed.identity)
    assert everything(again, hashed) == {"a#0": "one"}


def test_a_corpus_is_private_to_the_user(store: CorpusStore) -> None:
    assert isinstance(store.path, Path)
    assert store.path.stat().st_mode & 0o077 == 0


def test_a_corpus_that_is_not_there_is_missing_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no corpus at") as caught:
        CorpusStore(tmp_path / "none")
    assert "timelens ingest" in caught.value.hint
    assert caught.value.exit_code is ExitCode.MISSING
    assert not (tmp_path / "none").exists()


def test_an_empty_corpus_answers_with_nothing(store: CorpusStore, hashed: Embedder) -> None:
    assert store.dense(hashed.encode_queries(["x"])[0], 5) == []
    assert store.keyword("x", 5, [year_interval(2000)]) == []
    assert store.content_hashes() == {}
    assert store.span() is None
    summary = store.summary()
    assert (summary.documents, summary.chunks, summary.events, summary.span) == (0, 0, 0, None)


def test_a_replaced_document_leaves_none_of_its_old_chunks(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "one", "two", "three"), document(hashed, "b", "other", "more")])
    before = store.content_hashes()
    store.write([document(hashed, "a", "uno", "dos")])
    assert everything(store, hashed) == {"a#0": "uno", "a#1": "dos", "b#0": "other", "b#1": "more"}
    after = store.content_hashes()
    assert after["a"] != before["a"]
    assert after["b"] == before["b"]
    assert store.keyword("three", 5) == []
    store.settle()
    assert everything(store, hashed) == {"a#0": "uno", "a#1": "dos", "b#0": "other", "b#1": "more"}


def test_removing_takes_a_document_and_its_chunks_and_no_other(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, name, f"{name} one", f"{name} two") for name in ("a", "a2", "b")])
    store.remove(["a", "never there"])
    assert set(everything(store, hashed)) == {"a2#0", "a2#1", "b#0", "b#1"}
    assert set(store.content_hashes()) == {"a2", "b"}
    store.remove([])
    assert store.summary().documents == 2


AWKWARD_IDS = [
    "it's.txt",
    "''",
    "' OR '1'='1",
    'a"b.txt',
    "back\\slash",
    "percent%_",
    "雪/ünï.md",
    "🙂",
    "line\nbreak",
    "-- comment",
    "semi; DROP TABLE chunks",
    "x" * 2000,
]


def test_an_id_is_only_ever_an_id_whatever_it_holds(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, name, "old", "old two") for name in [*AWKWARD_IDS, "plain"]])
    for name in AWKWARD_IDS:
        store.write([document(hashed, name, "new")])
    left = everything(store, hashed)
    assert left == {**{f"{name}#0": "new" for name in AWKWARD_IDS}, "plain#0": "old", "plain#1": "old two"}
    for name in AWKWARD_IDS:
        store.remove([name])
    assert set(store.content_hashes()) == {"plain"}
    assert everything(store, hashed) == {"plain#0": "old", "plain#1": "old two"}


def test_thousands_of_documents_are_removed_at_once(store: CorpusStore, hashed: Embedder) -> None:
    names = [f"document {n}" for n in range(3000)]
    vectors = encode(hashed, [chunk("d", 0, "same")])
    documents = [Document(name, "", "", "", "hash") for name in names]
    store.write([EmbeddedDocument(d, (chunk(d.id, 0, "same"),), vectors) for d in documents])
    store.remove(names[1:])
    assert everything(store, hashed) == {f"{names[0]}#0": "same"}
