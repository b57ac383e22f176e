"""A corpus in an object store, with a real S3 server: several processes, lost connections, killed ones."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pytest
from object_store import BUCKET, Gate, ObjectStore
from waiting import until

from timelens.config import Settings
from timelens.embedding import Embedder
from timelens.errors import BadInputError, ExitCode, MissingError, StoreError
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest, reembed
from timelens.ingest.repair import repair, verify
from timelens.store import vector_index, view, write_lease
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import is_there, only_writer
from timelens.store.corpus_tables import UNFINISHED
from timelens.store.database import connect
from timelens.store.location import Address, address
from timelens.store.rows import EmbeddedDocument, document_table
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Interval

PROCESS = [sys.executable, str(Path(__file__).parents[2] / "remote_writing.py")]
SENTENCE = "The probe number {} was launched in {}."
LONG = pytest.mark.long


@pytest.fixture(autouse=True)
def _turns_are_over_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_lease, "SILENCE", 5.0)
    monkeypatch.setattr(write_lease, "BEAT", 0.5)


def place(url: str) -> Address:
    return address(url, Settings.load().storage.lance_options(url))


def documents(folder: Path, first: int, count: int) -> Path:
    folder.mkdir(exist_ok=True)
    for number in range(first, first + count):
        text = " ".join(SENTENCE.format(number, 1900 + year) for year in range(12))
        (folder / f"{number:03}.txt").write_text(text)
    return folder


def started(*arguments: object, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*PROCESS, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def ended(process: "subprocess.Popen[str]") -> list[int]:
    out, err = process.communicate(timeout=180)
    assert process.returncode == 0, err
    counts: list[int] = json.loads(out)
    return counts


def require_repaired(url: str, names: set[str]) -> None:
    """Each document is there once, with all its chunks as they were written."""
    found = verify(place(url)).found
    assert (found.damaged, found.unfinished, found.files) == ((), (), ())
    assert found.documents == len(names)
    store = CorpusStore(place(url))
    assert store.content_hashes().keys() == names
    rows = store._chunks.search().select(["id"]).to_arrow()["id"].to_pylist()
    assert len(rows) == len(set(rows)) == found.chunks


def test_it_is_written_searched_changed_embedded_again_compacted_and_removed(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    at = place(object_store.corpus())
    folder = documents(tmp_path / "in", 0, 3)
    store = CorpusStore.create(at, hashed.identity)
    assert ingest([folder], store, hashed).added == 3
    assert ingest([folder], CorpusStore.create(at, hashed.identity), hashed).unchanged == 3
    (folder / "000.txt").write_text("Nothing was launched in 1999.")
    (folder / "001.txt").unlink()
    report = ingest([folder], store, hashed, Intake(sync=True))
    assert (report.updated, report.removed, report.unchanged) == (1, 1, 1)
    require_repaired(at.url, {"000.txt", "002.txt"})
    store.compact(patience=0)
    reembed(store, other_hashed)
    assert CorpusStore(at).metadata.embedder == other_hashed.identity
    assert store.dense(other_hashed.encode_queries(["launched"])[0], 1)
    assert store.size() > 1000
    require_repaired(at.url, {"000.txt", "002.txt"})
    with only_writer(at):
        CorpusStore.erase(at)
    assert not is_there(at)
    with pytest.raises(MissingError):
        CorpusStore(at)
    keys = object_store.request(f"/{BUCKET}?prefix={at.url.removeprefix(f's3://{BUCKET}/')}/", "GET")
    assert b"<Key>" not in keys


@pytest.mark.parametrize("name", ["a b", "日本", "it's", 'say "x"', "a+b&c=d", "x" * 400])
def test_a_name_may_have_any_letters(name: str, object_store: ObjectStore, hashed: Embedder) -> None:
    at = place(f"{object_store.corpus()}/{name}")
    CorpusStore.create(at, hashed.identity)
    assert is_there(at)
    assert CorpusStore(at).summary().documents == 0


NOWHERE = [
    "",
    "b",
    "bucket",
    "bucket/",
    "bucket/a//b",
    "bucket/../b",
    "bucket/a#b",
    "bucket/a?b",
    "bu cket/x",
]
NOWHERE += ["bucket/a%20b", "bucket/a\nb", "bucket/a\\b", "bucket/\ud800", f"bucket/{'x' * 501}"]


@pytest.mark.parametrize("name", [*(f"s3://{rest}" for rest in NOWHERE), "ftp://bucket/x", "file:///tmp/x"])
def test_an_address_where_no_corpus_can_be_is_refused(name: str) -> None:
    with pytest.raises(BadInputError) as caught:
        address(name, {})
    assert "\n" not in caught.value.message


def test_a_key_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadInputError) as caught:
        address("s3://AKIAX:hidden@bucket/x", {})
    assert "hidden" not in caught.value.message + caught.value.hint


@LONG
def test_two_processes_bring_in_different_documents_at_once(
    object_store: ObjectStore, tmp_path: Path
) -> None:
    url = object_store.corpus()
    folders = [documents(tmp_path / "one", 0, 12), documents(tmp_path / "two", 12, 12)]
    both = [started("ingest", url, folder, PATIENT="1") for folder in folders]
    assert [ended(process) for process in both] == [[12, 0, 0], [12, 0, 0]]
    require_repaired(url, {f"{number:03}.txt" for number in range(24)})


def test_two_processes_bring_in_the_same_documents_at_once(object_store: ObjectStore, tmp_path: Path) -> None:
    url = object_store.corpus()
    folder = documents(tmp_path / "one", 0, 6)  # several writes for each of the two
    both = [started("ingest", url, folder, PATIENT="1") for _ in range(2)]
    assert [sum(ended(process)) for process in both] == [6, 6]
    require_repaired(url, {f"{number:03}.txt" for number in range(6)})


def test_a_reader_sees_what_another_process_has_written(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder
) -> None:
    url = object_store.corpus()
    store = CorpusStore.create(place(url), hashed.identity)
    ingest([documents(tmp_path / "in", 0, 1)], store, hashed)
    reader = started("read", url)
    assert reader.stdin is not None
    assert reader.stdout is not None
    seen = []
    for more in (0, 2, 5):
        ingest([documents(tmp_path / "in", 0, 1 + more)], store, hashed)
        reader.stdin.write("\n")
        reader.stdin.flush()
        seen.append(int(reader.stdout.readline()))
    reader.communicate(timeout=60)
    assert seen[0] < seen[1] < seen[2]


def test_the_first_turn_is_not_taken_while_others_make_the_table(
    object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lease, "SETTLING", 1.5)
    at = place(object_store.corpus())
    made_at: list[float] = []

    def make() -> None:
        for number in range(4):
            row = pa.table({"holder": [write_lease._NEW], "beat": [number]}, schema=write_lease._SCHEMA)
            connect(at).create_table(write_lease.WRITER, row, mode="overwrite")
            made_at.append(time.monotonic())
            time.sleep(0.7)

    maker = threading.Thread(target=make)
    maker.start()
    # LanceDB panics if an overwrite meets a first creation
    until(lambda: made_at or not maker.is_alive(), "the first table is made")
    with write_lease.write_lease(at) as mine:
        assert len(made_at) == 4
        assert time.monotonic() - made_at[-1] > 1.5
        mine.require()
    maker.join()


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param(("writer",), marks=LONG),
        pytest.param(("writer", "documents"), marks=LONG),
        ("writer", "documents", "chunks"),
    ],
)
def test_tables_whose_maker_was_killed_are_made(
    tables: Sequence[str], object_store: ObjectStore, tmp_path: Path
) -> None:
    """The first object of a table is there, and no commit."""
    url = object_store.corpus()
    for table in tables:
        object_store.request(url.replace("s3:/", "") + f"/{table}.lance/_transactions/0-x.txn", "PUT", b"x")
    with pytest.raises(MissingError, match="there is no corpus"):
        CorpusStore(place(url))
    assert sum(ended(started("ingest", url, documents(tmp_path / "one", 0, 2)))) == 2
    require_repaired(url, {"000.txt", "001.txt"})


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(40_000, marks=LONG),
        150_000,
        pytest.param(270_000, marks=LONG),
        pytest.param(400_000, marks=LONG),
    ],
)
def test_the_same_command_resumes_after_a_writer_was_killed(
    after: int, object_store: ObjectStore, gate: Gate, tmp_path: Path
) -> None:
    url, folder = object_store.corpus(), documents(tmp_path / "one", 0, 12)
    writer = started("ingest", url, folder, AWS_ENDPOINT_URL=f"http://127.0.0.1:{gate.port}")
    until(lambda: gate.passed >= after, f"{after} bytes pass", every=0.01)
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    assert sum(ended(started("ingest", url, folder))) == 12
    require_repaired(url, {f"{number:03}.txt" for number in range(12)})


@LONG
def test_the_same_command_resumes_after_the_connection_was_lost(
    object_store: ObjectStore, gate: Gate, tmp_path: Path
) -> None:
    url, folder = object_store.corpus(), documents(tmp_path / "one", 0, 24)
    way = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{gate.port}", "TIMELENS_STORAGE__RETRIES": "1"}
    writer = started("ingest", url, folder, **way)
    until(lambda: gate.passed >= 400_000, "400,000 bytes pass", every=0.01)
    gate.shut()
    _, err = writer.communicate(timeout=60)
    assert writer.returncode == ExitCode.MISSING
    [line] = err.strip().splitlines()
    assert line.startswith(f"the object store cannot be reached for {url}")
    gate.open()
    _, _, unchanged = ended(started("ingest", url, folder, **way))
    assert 0 < unchanged < 24
    require_repaired(url, {f"{number:03}.txt" for number in range(24)})


@pytest.fixture
def gate(object_store: ObjectStore) -> Iterator[Gate]:
    """A way to the server that can be shut."""
    gate = Gate(int(object_store.url.rpartition(":")[2]))
    gate.open()
    yield gate
    gate.shut()


def test_a_turn_is_waited_for_and_taken_from_a_process_that_was_killed(
    object_store: ObjectStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = place(object_store.corpus())
    CorpusStore.create(at, hashed.identity)
    holder = started("hold", at.url)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    monkeypatch.setattr(write_lease, "SILENCE", 3.0)
    monkeypatch.setattr(
        write_lease, "PATIENCE", 5.0
    )  # more than the silence: the holder is heard all the time
    with pytest.raises(StoreError, match="other processes are writing"), write_lease.write_lease(at):
        pass
    holder.kill()
    holder.communicate()
    begun = time.monotonic()
    with write_lease.write_lease(at):
        assert time.monotonic() - begun > 2


def test_a_writer_that_lost_its_turn_commits_nothing_more(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder
) -> None:
    at = place(object_store.corpus())
    store = CorpusStore.create(at, hashed.identity)
    ingest([documents(tmp_path / "in", 0, 1)], store, hashed)
    (tmp_path / "in" / "000.txt").write_text("Another text, launched in 1999.")
    before = store._documents.version, store._chunks.version
    with write_lease.write_lease(at) as mine:
        lose(mine, at)
        with pytest.raises(StoreError, match="lost its turn"):
            ingest([tmp_path / "in"], store, hashed)
    assert (store._documents.version, store._chunks.version) == before
    write_lease._opened(at).update(values={"holder": ""})
    assert ingest([tmp_path / "in"], store, hashed).updated == 1
    require_repaired(at.url, {"000.txt"})


def test_what_was_committed_as_a_turn_was_lost_is_written_again(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = place(object_store.corpus())
    store = CorpusStore.create(at, hashed.identity)

    def made_late(documents: Sequence[EmbeddedDocument], rows: pa.Table) -> pa.Table:
        lose(write_lease._turns[at.url], at)
        return document_table(documents, rows)

    with monkeypatch.context() as patch:
        patch.setattr("timelens.store.corpus.document_table", made_late)
        with pytest.raises(StoreError, match="lost its turn"):
            ingest([documents(tmp_path / "in", 0, 1)], store, hashed)
    assert store.content_hashes() == {"000.txt": UNFINISHED}
    write_lease._opened(at).update(values={"holder": ""})
    assert ingest([tmp_path / "in"], store, hashed).updated == 1
    require_repaired(at.url, {"000.txt"})


def lose(mine: write_lease._Lease, at: Address) -> None:
    """Have another process take a turn, and wait until its holder knows."""
    write_lease._opened(at).update(values={"holder": "another"})
    until(lambda: mine._is_lost, "the holder knows", seconds=20)


def test_a_writer_of_another_embedder_is_refused_once_it_is_embedded_again(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    at = place(object_store.corpus())
    store = CorpusStore.create(at, hashed.identity)
    ingest([documents(tmp_path / "in", 0, 1)], store, hashed)
    reembed(CorpusStore(at), other_hashed)
    with pytest.raises(StoreError, match="was made with the embedder other"):
        store.remove(["000.txt"])


def test_it_is_not_repaired_in_place(object_store: ObjectStore, hashed: Embedder) -> None:
    at = place(object_store.corpus())
    CorpusStore.create(at, hashed.identity)
    with pytest.raises(BadInputError, match="cannot be repaired"):
        repair(at, hashed)


WORDS = "tide pilot crane quay rope barge chart anchor signal winch ferry lamp mast buoy dock".split()


def test_beyond_the_limit_an_ingest_makes_the_index_of_vectors_and_searches_use_it(
    object_store: ObjectStore, tmp_path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "IN_MEMORY", 0)
    monkeypatch.setattr(vector_index, "INDEXED", 299)
    drawn = np.random.default_rng(1)
    texts = [f"In May {1900 + number % 100}, {' '.join(drawn.choice(WORDS, 5))}." for number in range(300)]
    records = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    (tmp_path / "all.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    at = place(object_store.corpus())
    assert ingest([tmp_path / "all.jsonl"], CorpusStore.create(at, hashed.identity), hashed).added == 300
    store = CorpusStore(at)
    assert vector_index.has_vector_index(store._chunks)
    by_index = Mock(wraps=vector_index.by_index)
    monkeypatch.setattr(vector_index, "by_index", by_index)
    queries = hashed.encode_queries([" ".join(drawn.choice(WORDS, 3)) for _ in range(10)])
    rows = store._chunks.search().select(["id", "vector", "start"]).to_arrow().to_pylist()
    for window in (None, Interval(parse_day("1950-01-01"), parse_day("1970-01-01"))):
        inside = [row for row in rows if window is None or window.start <= row["start"] < window.end]
        similar = queries @ np.array([row["vector"] for row in inside]).T
        shares = []
        for query, scores in zip(queries, similar, strict=True):
            found = store.dense(query, 10, [window] if window else [])
            least = np.sort(scores)[-10]
            shares += [hit.score >= least - 1e-5 for hit in found]
        assert len(shares) == 100
        assert np.mean(shares) > 0.9
    assert by_index.call_count == 20
