"""Work on a Ray of two workers, which these tests share, against the same work without it."""

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import Bench, beir, bench, bench_home
from cli.conftest import Run, run
from cluster.workers import Doubling, Mortal
from processes_of import descendants
from unit.conftest import HashedEmbedder

from timelens.cluster import Cluster, Stage, connection, joined
from timelens.cluster.connection import environment, private_folder, started
from timelens.errors import BadInputError, MissingError, StoreError
from timelens.ingest import distributed
from timelens.ingest.distributed import Distributed, portions
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import IngestReport, ingest, survey, tasks_of
from timelens.ingest.progress import IngestProgress
from timelens.ingest.readers import READERS
from timelens.ingest.sources import discover
from timelens.processes import Budget
from timelens.store.corpus import CorpusStore

__all__ = ["beir", "bench", "bench_home", "run"]  # fixtures

EMBEDDER = HashedEmbedder()
ON_RAY = Distributed(HashedEmbedder, EMBEDDER.identity)
DOCUMENTS = 60


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Cluster]:
    """A Ray of this machine that this process is connected to, so that whatever joins one works there."""
    at_sigterm = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(starts=True, on_loopback=True).items():
            patch.setenv(name, value)
        with private_folder() as folder, started(folder, workers=2), joined() as cluster:
            yield cluster
    assert signal.getsignal(signal.SIGTERM) is at_sigterm  # Ray sets its own


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents of several kinds; some are broken, or there twice."""
    path = tmp_path / "documents"
    (path / "more").mkdir(parents=True)
    for number in range(DOCUMENTS):
        year = 1900 + number
        text = " ".join(f"In May {year + turn} harbour {number} was quiet." for turn in range(12))
        (path / f"{number:02}.md").write_text(f"---\ndate: {year}-03-01\n---\n# Report {number}\n\n{text}\n")
    records = [{"id": f"r{number}", "text": f"Record {number} of 1970."} for number in range(200)]
    (path / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (path / "offices.csv").write_text("Holder,Start,End\nAda,2010,2011\nBo,2012,\n")
    (path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    (path / "empty.md").write_text("---\ntitle: x\n---\n")
    (path / "odd.exe").write_text("x")
    (path / "more" / "00.md").write_text("Another text of 2001.")
    return path


def rows(store: CorpusStore) -> list[list[dict[str, Any]]]:
    """All rows of both tables, with all their columns."""
    return [table.to_arrow().to_pylist() for table in (store._documents, store._chunks)]


def said(report: IngestReport) -> dict[str, Any]:
    """All of a report but how long it took, and where."""
    return {
        name: getattr(report, name) for name in IngestReport.__slots__ if name not in {"seconds", "corpus"}
    }


@pytest.mark.long
@pytest.mark.usefixtures("two_workers")
def test_two_workers_of_which_one_is_killed_store_the_rows_of_a_local_run_and_say_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed, "_FILES_AT_ONCE", 8)
    (folder / "dates.txt").write_text(", ".join(f"{1 + n % 28} May {1850 + n % 170}" for n in range(40_000)))
    paths, budget = [folder, folder / "more"], Budget(cpu_seconds=1)
    local, spread = (CorpusStore.create(tmp_path / name, EMBEDDER.identity) for name in ("here", "on-ray"))
    expected = ingest(paths, local, EMBEDDER, Intake(budget=budget))
    note = tmp_path / "killed"
    read = Distributed(Mortal(note), EMBEDDER.identity)
    steps: list[IngestProgress] = []
    report = ingest(paths, spread, EMBEDDER, Intake(budget=budget, read=read), on_progress=steps.append)
    assert note.exists()
    assert said(report) == said(expected)
    assert (report.added, report.failed) == (DOCUMENTS + 202, 4)
    assert any(
        failure.path == "dates.txt" and "more than 1 s" in failure.error for failure in report.failures
    )
    assert rows(local) == rows(spread)
    done = [step.bytes_done for step in steps]
    assert done == sorted(done)
    assert len(set(done)) > DOCUMENTS
    assert (done[-1], steps[-1].files_done) == (steps[-1].bytes, steps[-1].files)


@pytest.mark.long
@pytest.mark.usefixtures("two_workers")
def test_what_changed_and_what_is_gone_is_brought_up_to_date_as_in_a_local_run(
    folder: Path, tmp_path: Path
) -> None:
    stores = [CorpusStore.create(tmp_path / name, EMBEDDER.identity) for name in ("here", "on-ray")]
    local, spread = stores
    for store in stores:
        ingest([folder], store, EMBEDDER)
    (folder / "00.md").write_text("Other text of 1999.")
    (folder / "01.md").unlink()
    (folder / "new.md").write_text("New text of 2004.")
    (folder / "bad.txt").unlink()
    (folder / "empty.md").unlink()
    paths = [folder]
    planned = survey(paths, local, "x", Intake(sync=True))
    assert said(survey(paths, spread, "x", Intake(sync=True, read=ON_RAY))) == said(planned)
    here = ingest(paths, local, EMBEDDER, Intake(sync=True))
    there = ingest(paths, spread, EMBEDDER, Intake(sync=True, read=ON_RAY))
    assert said(there) == said(here)
    assert (there.added, there.updated, there.removed, there.failed) == (1, 1, 1, 0)
    assert rows(local) == rows(spread)


def test_items_come_in_their_order_and_an_error_with_where_it_was(two_workers: Cluster) -> None:
    stages = [Stage(Doubling, 0.25, steady=False), Stage(Doubling, 0.75)]
    items = two_workers.stream([*range(20), None], stages)
    assert [next(items) for _ in range(20)] == [4 * number for number in range(20)]
    with pytest.raises(TypeError) as caught:
        next(items)
    assert "workers.py" in caught.value.__notes__[0]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")
@pytest.mark.usefixtures("two_workers")
def test_a_ray_of_this_machine_listens_on_loopback_alone() -> None:
    sockets = {
        str(link.readlink())
        for pid in (os.getpid(), *descendants(os.getpid()))
        for link in Path(f"/proc/{pid}/fd").glob("*")
        if link.is_symlink()
    }
    listening = [
        line.split()
        for kind in ("tcp", "tcp6")
        for line in Path("/proc/net", kind).read_text().splitlines()[1:]
        if line.split()[3] == "0A"
    ]
    own = [fields[1] for fields in listening if f"socket:[{fields[9]}]" in sockets]
    assert len(own) > 3
    loopback = ("0100007F:", "0000000000000000FFFF00000100007F:", "00000000000000000000000001000000:")
    assert [address for address in own if not address.startswith(loopback)] == []


@pytest.mark.long
@pytest.mark.usefixtures("two_workers", "bench_home")
def test_a_bench_run_on_ray_is_the_local_one(bench: Bench, beir: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    bench("beir", beir, one, "--answerer", "extractive")
    bench("beir", beir, two, "--answerer", "extractive", "--limit", "1")
    outcome, _ = bench("beir", beir, two, "--answerer", "extractive", "--resume", "--engine", "ray")
    assert outcome.code == 0, outcome.err
    for name in ("results.jsonl", "run.trec"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_an_embedder_of_a_worker_that_is_another_is_refused() -> None:
    with pytest.raises(StoreError, match="is not the one of this machine"):
        distributed._Embedding(lambda: HashedEmbedder("other"), EMBEDDER.identity)


def test_portions_hold_all_files_in_order_and_neither_too_many_nor_too_much(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tasks_of(discover([folder], READERS).sources)
    monkeypatch.setattr(distributed, "_BYTES_AT_ONCE", 5_000)
    monkeypatch.setattr(distributed, "_FILES_AT_ONCE", 4)
    made = portions(tasks)
    assert [task for portion in made for task in portion.tasks] == tasks
    assert [portion.number for portion in made] == list(range(len(made)))
    assert {len(portion.tasks) for portion in made} >= {1, 4}
    assert max(len(portion.tasks) for portion in made) == 4


@pytest.mark.usefixtures("home")
def test_what_cannot_be_done_is_one_line_with_its_remedy(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*options: str) -> tuple[int, str]:
        outcome = run("ingest", folder, "-c", "x", *options)
        return outcome.code, outcome.err.splitlines()[-2]

    code, line = ends("--engine", "spark")
    assert (code, "there is no engine 'spark'" in line) == (2, True)
    code, line = ends("--address", "auto")
    assert (code, "an address does not go with the engine local" in line) == (2, True)
    code, line = ends("--engine", "ray", "--watch")
    assert (code, "--watch does not go with --engine ray" in line) == (2, True)
    from timelens.cluster import joining

    monkeypatch.setattr(joining, "find_spec", lambda name: None if name == "ray" else find_spec(name))
    outcome = run("ingest", folder, "-c", "x", "--engine", "ray")
    assert outcome.code == 3
    assert outcome.err == (
        'timelens: the package ray is not installed\n  install it: pip install "timelens[ray]"\n'
    )
    outcome = run("bench", "run", "beir", "--data", folder, "--engine", "ray")
    assert (outcome.code, "pip install" in outcome.err) == (3, True)


@pytest.mark.parametrize(
    ("address", "error", "words"),
    [
        ("nowhere", BadInputError, "is no address of a cluster"),
        ("127.0.0.1:99999", BadInputError, "is no address of a cluster"),
        ("127.0.0.1:9", MissingError, "there is no cluster at 127.0.0.1:9"),
        ("ray://127.0.0.1:9", BadInputError, "does not work through a client"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_after_one_short_try(
    address: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    connect = socket.create_connection

    def tried(at: tuple[str, int], seconds: float) -> socket.socket:
        waits.append(seconds)
        return connect(at, seconds)

    monkeypatch.setattr(socket, "create_connection", tried)
    with pytest.raises(error) as caught:
        connection._require_answer(address)
    assert words in str(caught.value)
    assert waits == ([5] if error is MissingError else [])
