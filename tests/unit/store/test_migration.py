"""A corpus of an earlier format: read as it is, and converted by the first run that writes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from earlier_store import write_version_3
from unit.store.conftest import chunk, document, embedded, everything

from timelens.documents import Fact
from timelens.embedding import Embedder
from timelens.errors import StoreError
from timelens.ingest.pipeline import reembed
from timelens.ingest.repair import verify
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import only_writer
from timelens.store.schema import SCHEMA_VERSION
from timelens.temporal.interval import Granularity, year_interval

FACT = Fact((("Name", "Ann"),), 0, None, Granularity.DAY)


@pytest.fixture
def earlier(path: Path, hashed: Embedder) -> Path:
    dated = [chunk("b", n, f"word{n} here", [year_interval(1900 + n)]) for n in range(700)]
    row = chunk("c", 0, "Ann", fact=FACT)
    texts = document(hashed, "a", "one", "two")
    write_version_3(
        path, hashed.identity, [texts, embedded(hashed, "b", dated), embedded(hashed, "c", [row])]
    )
    return path


def tables(path: Path) -> list[list[dict[str, Any]]]:
    store = CorpusStore(path)
    return [
        sorted(table.search().to_arrow().to_pylist(), key=lambda row: row["id"])
        for table in (store._documents, store._chunks)
    ]


def test_it_is_read_as_it_is(earlier: Path, hashed: Embedder) -> None:
    before = {file: file.read_bytes() for file in earlier.rglob("*") if file.is_file()}
    store = CorpusStore(earlier)
    store.require_embedder(hashed.identity)
    assert len(everything(store, hashed)) == 703
    assert [table.facts for table in store.tables()] == [(FACT,)]
    assert [hit.chunk.id for hit in store.keyword("word7", 3)] == ["b#7"]
    verified = verify(earlier)
    assert verified.is_fine
    assert not verified.found.has_checksums
    after = {file: file.read_bytes() for file in before}
    assert after == before


def test_the_first_run_that_writes_migrates_it_and_embeds_nothing(earlier: Path, hashed: Embedder) -> None:
    documents, chunks = tables(earlier)
    store = CorpusStore(earlier)
    with only_writer(earlier), store.changing():
        store.settle()
    assert store.metadata.schema_version == SCHEMA_VERSION
    after_documents, after_chunks = tables(earlier)
    for row in chunks:
        if row["fact"]:
            row["fact"] |= {"start_name": None, "end_name": None}
    assert after_chunks == chunks
    assert [table.facts for table in store.tables()] == [(FACT,)]
    assert [{**row, "checksum": None} for row in after_documents] == [
        {**row, "checksum": None} for row in documents
    ]
    verified = verify(earlier)
    assert verified.is_fine
    assert verified.found.has_checksums
    assert not verified.found.interrupted
    assert [hit.chunk.id for hit in CorpusStore(earlier).keyword("word7", 3)] == ["b#7"]
    again = CorpusStore(earlier)
    with again.changing():
        again.write([document(hashed, "a", "uno")])
    assert verify(earlier).is_fine


def test_it_is_converted_before_documents_are_added(earlier: Path, hashed: Embedder) -> None:
    named = replace(FACT, date_names=("Joined", "Left"))
    added = embedded(hashed, "d", [chunk("d", 0, "Bo", fact=named)])
    store = CorpusStore(earlier)
    with only_writer(earlier), store.changing():
        store.write([added])
    assert store.metadata.schema_version == SCHEMA_VERSION
    assert [table.facts for table in CorpusStore(earlier).tables()] == [(FACT,), (named,)]
    assert verify(earlier).is_fine


def test_embedding_it_again_migrates_it(earlier: Path, other_hashed: Embedder) -> None:
    reembed(CorpusStore(earlier), other_hashed)
    assert CorpusStore(earlier).metadata.schema_version == SCHEMA_VERSION
    verified = verify(earlier)
    assert verified.is_fine
    assert verified.found.has_checksums


@pytest.mark.parametrize("version", [2, SCHEMA_VERSION + 1])
def test_other_versions_are_refused_and_kept(
    path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("earlier_store.VERSION", version)
        write_version_3(path, hashed.identity, [document(hashed, "a", "one")])
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    for use in (CorpusStore, lambda at: CorpusStore.create(at, hashed.identity), verify):
        with pytest.raises(
            StoreError, match=f"has format {version}; this timelens reads format {SCHEMA_VERSION}"
        ):
            use(path)
    assert {file: file.read_bytes() for file in before} == before


def test_vectors_are_not_made_again(earlier: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    def encoded(*_: object) -> None:
        raise AssertionError("something was embedded")

    monkeypatch.setattr(type(hashed), "encode_documents", encoded)
    store = CorpusStore(earlier)
    with only_writer(earlier), store.changing():
        store.settle()
    assert verify(earlier).found.has_checksums
