"""Interruptions, damage, other versions and embedders."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from threading import Event as Signal

import lancedb
import pyarrow as pa
import pytest
from unit.store.conftest import document, everything, texts

from timelens.embedding import Embedder, EmbedderIdentity
from timelens.errors import ExitCode, MissingError, StoreError
from timelens.store.corpus import CorpusStore
from timelens.store.lance_errors import store_errors
from timelens.store.schema import (
    CHUNKS,
    SCALAR_INDEXES,
    SCHEMA_VERSION,
    TEXT_INDEX,
    StoreMetadata,
    chunks_schema,
)


def break_on(store: CorpusStore, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """The process ends before rows are put into a table the next time."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for way in ("add", "merge_insert"):
        monkeypatch.setattr(getattr(store, table), way, killed)


def test_chunks_that_an_interrupted_write_left_behind_are_swept(
    store: CorpusStore, path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    with monkeypatch.context() as patched:
        break_on(store, patched, "_documents")
        with pytest.raises(KeyboardInterrupt):
            store.write([document(hashed, "b", "half there")])
    again = CorpusStore(path)
    assert set(again.content_hashes()) == {"a"}
    again.settle()
    assert everything(again, hashed) == {"a#0": "one", "a#1": "two"}


def test_chunks_that_an_interrupted_write_left_behind_are_not_doubled_by_the_next(
    store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        break_on(store, patched, "_documents")
        with pytest.raises(KeyboardInterrupt):
            store.write([document(hashed, "a", "half there", "the rest")])
    store.write([document(hashed, "a", "whole"), document(hashed, "b", "new")])
    assert store.summary().chunks == 2
    assert everything(store, hashed) == {"a#0": "whole", "b#0": "new"}


def test_a_document_of_which_only_the_chunks_were_replaced_does_not_pass_for_stored(
    store: CorpusStore, path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = document(hashed, "a", "old", "old two")
    store.write([old])
    with monkeypatch.context() as patched:
        break_on(store, patched, "_documents")
        with pytest.raises(KeyboardInterrupt):
            store.write([document(hashed, "a", "new"), document(hashed, "b", "half there")])
    again = CorpusStore(path)
    again.settle()
    assert again.content_hashes().keys() == {"a"}
    assert again.content_hashes()["a"] != old.document.content_hash
    assert everything(again, hashed) == {"a#0": "new"}


def test_an_index_that_an_interruption_left_unmade_is_made_later(
    path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("timelens.store.corpus_tables.create_indexes", killed)
        with pytest.raises(KeyboardInterrupt):
            CorpusStore.create(path, hashed.identity)
    store = CorpusStore(path)
    store.settle()
    indexed = {column for index in store._chunks.list_indices() for column in index.columns}
    assert indexed == {*SCALAR_INDEXES, TEXT_INDEX}


def test_an_interruption_between_the_tables_leaves_no_broken_corpus(path: Path, hashed: Embedder) -> None:
    (path / f"{CHUNKS}.lance" / "_versions").mkdir(parents=True)  # as LanceDB begins a table
    with pytest.raises(MissingError):
        CorpusStore(path)
    store = CorpusStore.create(path, hashed.identity)
    store.write([document(hashed, "a", "one")])
    assert everything(CorpusStore(path), hashed) == {"a#0": "one"}


def make_corpus(path: str, start: Barrier) -> str:
    start.wait()
    try:
        CorpusStore.create(Path(path), EmbedderIdentity("same", 4, "hash"))
    except StoreError as error:
        return error.message
    return ""


def test_two_that_make_a_corpus_at_once_both_get_it(path: Path) -> None:
    start = Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make_corpus, [str(path)] * 4, [start] * 4)) == [""] * 4


def test_a_corpus_of_another_format_is_refused(path: Path, hashed: Embedder) -> None:
    CorpusStore.create(path, hashed.identity)
    schema = chunks_schema(StoreMetadata(SCHEMA_VERSION + 1, hashed.identity))
    lancedb.connect(path).create_table(CHUNKS, schema=schema, mode="overwrite")
    for again in (CorpusStore, lambda at: CorpusStore.create(at, hashed.identity)):
        with pytest.raises(StoreError, match=rf"has format {SCHEMA_VERSION + 1}") as caught:
            again(path)
        assert caught.value.exit_code is ExitCode.STORE
        assert "new corpus" in caught.value.hint


def test_a_later_format_is_told_apart_even_if_it_says_more_of_its_embedder(
    path: Path, hashed: Embedder
) -> None:
    CorpusStore.create(path, hashed.identity)
    schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, hashed.identity))
    later = {"schema_version": SCHEMA_VERSION + 1, "embedder": {"family": "unheard of"}}
    schema = schema.with_metadata({b"timelens": json.dumps(later).encode()})
    lancedb.connect(path).create_table(CHUNKS, schema=schema, mode="overwrite")
    with pytest.raises(StoreError, match="has format"):
        CorpusStore(path)


@pytest.mark.parametrize("metadata", [None, {b"timelens": b"[]"}, {b"timelens": b"{"}, {b"timelens": b"{}"}])
def test_tables_of_someone_else_are_no_corpus(path: Path, metadata: dict[bytes, bytes] | None) -> None:
    database = lancedb.connect(path)
    for name in ("documents", CHUNKS):
        database.create_table(name, schema=pa.schema([pa.field("id", pa.string())], metadata=metadata))
    with pytest.raises(StoreError, match="cannot be read"):
        CorpusStore(path)


def use(path: Path, embedder: Embedder) -> None:
    store = CorpusStore(path)
    store.content_hashes()
    everything(store, embedder)


def files(path: Path, pattern: str) -> list[Path]:
    found = [file for file in path.glob(pattern) if file.is_file()]
    assert found
    return found


@pytest.mark.parametrize("damage", ["delete", "truncate", "overwrite"])
@pytest.mark.parametrize(
    "where", ["chunks.lance/data/*", "documents.lance/data/*", "chunks.lance/_versions/*"]
)
def test_damage_is_reported_as_such_with_a_remedy(
    store: CorpusStore, path: Path, hashed: Embedder, where: str, damage: str
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    for file in files(path, where):
        content = file.read_bytes()
        if damage == "delete":
            file.unlink()
        else:
            file.write_bytes(content[: len(content) // 2] if damage == "truncate" else b"\0" * len(content))
    with pytest.raises(StoreError, match="cannot be read") as caught:
        use(path, hashed)
    assert str(path) in caught.value.message
    assert "\n" not in caught.value.message
    assert "corpora verify corpus --repair" in caught.value.hint


def test_damage_is_not_taken_for_an_unfinished_start(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    for file in files(path, "chunks.lance/_versions/*"):
        file.unlink()
    with pytest.raises(StoreError):
        CorpusStore.create(path, hashed.identity)


@pytest.mark.usefixtures("store")
def test_a_missing_table_is_damage(path: Path) -> None:
    shutil.rmtree(path / "documents.lance")
    with pytest.raises(StoreError, match="cannot be read"):
        CorpusStore(path)


def test_another_embedder_is_refused_with_the_remedy(
    store: CorpusStore, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.require_embedder(hashed.identity)
    for change in (
        {"name": "x"},
        {"dimension": 3},
        {"weights_sha256": "0"},
        {"document_prefix": "passage: "},
    ):
        with pytest.raises(StoreError):
            store.require_embedder(replace(hashed.identity, **change))
    with pytest.raises(StoreError, match="made with the embedder hashed, but other") as caught:
        store.require_embedder(other_hashed.identity)
    assert "--reembed --corpus corpus" in caught.value.hint
    assert caught.value.exit_code is ExitCode.STORE


def test_an_open_reader_sees_what_another_handle_writes(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    reader = CorpusStore(path)
    store.write([document(hashed, "a", "one")])
    assert everything(reader, hashed) == {"a#0": "one"}
    store.write([document(hashed, "a", "uno"), document(hashed, "b", "two")])
    store.settle()
    assert everything(reader, hashed) == {"a#0": "uno", "b#0": "two"}
    store.remove(["a"])
    assert texts(reader.keyword("uno two", 5)) == ["two"]


def test_a_reader_meets_only_whole_documents_while_they_are_replaced(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    store.write([document(hashed, "a", *["before"] * 5)])
    reader = CorpusStore(path)
    query = hashed.encode_queries(["x"])[0]
    seen: list[list[str]] = []
    done = Signal()

    def read() -> None:
        while not done.is_set():
            seen.append(texts(reader.dense(query, 50)))

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        try:
            for turn in range(8):
                store.write([document(hashed, "a", *[f"turn {turn}"] * (turn % 3 + 1))])
            store.settle()
        finally:
            done.set()
        reading.result()
    assert len(seen) > 1
    whole = [["before"] * 5, *([f"turn {turn}"] * (turn % 3 + 1) for turn in range(8))]
    assert all(state in whole for state in seen)


def test_a_remedy_names_a_corpus_as_a_command_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    with pytest.raises(MissingError) as caught:
        CorpusStore(tmp_path / "corpora" / "town")
    assert caught.value.hint == "make one: timelens ingest FOLDER --corpus town"
    with pytest.raises(MissingError) as caught:
        CorpusStore(tmp_path / "my town")
    assert caught.value.hint == f"make one: timelens ingest FOLDER --corpus '{tmp_path}/my town'"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("IO error: short, /root/.cargo/registry/src/x-1/lance/src/a.rs:172:20", "IO error: short ("),
        ("failed to fill, /rustc/2d81/library/core/src/a.rs:250:5", "failed to fill ("),
        ("No space left on device (os error 28)", "is full (make room"),
    ],
)
def test_errors_of_the_library_are_told_without_places_in_its_sources(said: str, told: str) -> None:
    with pytest.raises(StoreError) as caught, store_errors(Path("town")):
        raise RuntimeError(said)
    assert told in f"{caught.value.message} ({caught.value.hint})"
