"""Runs on Ray with real weights that are killed or interrupted, and clusters that are joined."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.conftest import beir
from cli.conftest import Outcome, Run, run
from object_store import free_port
from processes_of import descendants

from timelens.api import open_corpus
from timelens.errors import ExitCode, MissingError
from timelens.store.corpus import CorpusStore

__all__ = ["beir", "run"]  # fixtures

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]
SECONDS = 600
"""That anything may take on a machine that others use as well, where all of this takes one minute alone."""
BUNDLED = Path(__file__).parents[2] / "corpora" / "spaceflight" / "documents"
DOCUMENTS = 24
ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
ASKED = 400
DATES = 8_000
SMALL_BATCHES = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, a process ignores it
from timelens.cli import main
from timelens.ingest import distributed, pipeline
pipeline._CHUNKS_PER_WRITE, distributed._FILES_AT_ONCE = 4, 2
main()
"""


@dataclass(slots=True)
class Programs:
    """``timelens`` in processes of its own, none of which outlives the test."""

    all: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, *command: object) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"}
        process = subprocess.Popen(
            [sys.executable, "-c", SMALL_BATCHES, *map(str, command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.all.append(process)
        return process

    def run(self, *command: object) -> Outcome:
        process = self.start(*command)
        out, err = process.communicate(timeout=SECONDS)
        return Outcome(process.returncode, out, err)


@pytest.fixture
def programs() -> Iterator[Programs]:
    started = Programs()
    yield started
    for process in started.all:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.2)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "XZ"
    except OSError:
        return False


def stored(name: str) -> int:
    with suppress(MissingError):
        return CorpusStore(open_corpus(name).path).summary().documents
    return 0


def rows(name: str) -> tuple[list[dict[str, Any]], list[np.ndarray[Any, Any]]]:
    """All rows of both tables by id but checksums, and the vectors by themselves."""
    store = CorpusStore(open_corpus(name).path)
    chunks = store._chunks.to_arrow().sort_by("id").to_pylist()
    documents = store._documents.to_arrow().sort_by("id").drop_columns(["checksum"]).to_pylist()
    vectors = [np.asarray(row.pop("vector")) for row in chunks]
    vectors += [np.asarray(one) for row in chunks for one in row.pop("sentence_vectors")]
    return chunks + documents, vectors


def assert_same(name: str, other: str) -> None:
    (one, vectors), (two, other_vectors) = rows(name), rows(other)
    assert one == two
    assert np.allclose(np.stack(vectors), np.stack(other_vectors), atol=2e-3)  # sentences have 16 bits
    assert open_corpus(name).verify().is_fine


def stored_some(process: subprocess.Popen[str]) -> set[int]:
    """The processes that a run has started, when it has stored some of the documents."""
    wait_for(lambda: process.poll() is not None or stored("broken") > 3)
    assert process.poll() is None, process.communicate()
    return set(descendants(process.pid))


def require_gone(children: set[int]) -> None:
    with suppress(AssertionError):
        wait_for(lambda: not any(map(is_running, children)), 120)
    assert [Path(f"/proc/{pid}/cmdline").read_text() for pid in children if is_running(pid)] == []


def folder_of(children: set[int]) -> Path:
    """Where the Ray of a run has its files."""
    commands = [
        Path(f"/proc/{pid}/cmdline").read_text() for pid in children if is_named(pid, "raylet/raylet")
    ]
    [folder] = {found for command in commands for found in re.findall(r"/[^\0=]*/tl-\w+", command)}
    return Path(folder)


INGEST = ("ingest", "documents", "-c", "broken", "--engine", "ray", "-q")


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents in the folder where the commands run."""
    monkeypatch.chdir(tmp_path)
    Path("documents").mkdir()
    for path in sorted(BUNDLED.glob("*.md"))[:DOCUMENTS]:
        shutil.copy(path, "documents")


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_leaves_nothing_behind_and_goes_on_with_the_same_command(
    sent: signal.Signals, programs: Programs, run: Run
) -> None:
    process = programs.start(*INGEST)
    children = stored_some(process)
    folder = folder_of(children)
    assert folder.exists()
    process.send_signal(sent)
    out, err = process.communicate(timeout=SECONDS)
    assert out == ""
    if sent is signal.SIGINT:
        assert (process.returncode, err.count("\n")) == (130, 1), err
    else:
        assert (process.returncode, err) == (-sent, "")
    require_gone(children)
    assert not folder.exists()
    assert 0 < stored("broken") < DOCUMENTS
    assert programs.run(*INGEST).code == 0
    assert run("ingest", "documents", "-c", "whole", "-q").code == 0
    assert_same("broken", "whole")


def kill(children: set[int], *names: str) -> None:
    """Kill those of a run's processes whose command has one of the names; there has to be one of each."""
    for name in names:
        named = [pid for pid in children if is_named(pid, name)]
        assert named
        for pid in named:
            os.kill(pid, signal.SIGKILL)


def assert_ray_has_ended(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == ExitCode.MISSING, err
    line, remedy = err.splitlines()
    assert line == "timelens: Ray on this machine has ended before the work was done"
    assert "start the same command again" in remedy


def test_a_head_that_dies_ends_an_ingest_with_one_line_and_the_same_command_goes_on(
    programs: Programs, run: Run
) -> None:
    process = programs.start(*INGEST)
    children = stored_some(process)
    kill(children, "gcs_server", "raylet/raylet")
    assert_ray_has_ended(process)
    require_gone(children)
    done = stored("broken")
    assert 0 < done < DOCUMENTS
    assert open_corpus("broken").verify().is_fine
    again = programs.run(*INGEST, "--json")
    assert again.code == 0, again.err
    assert json.loads(again.out)["documents"]["unchanged"] == done
    assert run("ingest", "documents", "-c", "whole", "-q").code == 0
    assert_same("broken", "whole")


def test_a_head_that_dies_ends_a_bench_run_with_one_line_and_resume_goes_on(
    programs: Programs, beir: Path, tmp_path: Path
) -> None:
    with (beir / "queries.jsonl").open("a") as queries, (beir / "qrels" / "test.tsv").open("a") as qrels:
        for number in range(ASKED):
            query = {
                "_id": f"more-{number}",
                "text": "Who was the builder of the pier?",
                "answers": ["Sten Holm"],
            }
            queries.write(json.dumps(query) + "\n")
            qrels.write(f"more-{number}\tpier\t1\n")
    fixed = ("--as-of", "2024-06-01", "--engine", "ray", "--answerer", "extractive", "-q")
    command = ("bench", "run", "beir", "--data", beir, "--out", tmp_path / "run", *fixed)
    results = tmp_path / "run" / "results.jsonl"

    def asked() -> int:
        return results.read_text().count("\n") if results.exists() else 0

    process = programs.start(*command)
    wait_for(lambda: process.poll() is not None or asked() > 3)
    kill(set(descendants(process.pid)), "gcs_server", "raylet/raylet")
    assert_ray_has_ended(process)
    done = asked()
    assert 3 < done < ASKED
    kept = results.read_text()
    again = programs.run(*command, "--resume")
    assert again.code == 0, again.err
    assert results.read_text().startswith(kept)
    assert asked() == ASKED + 5


def test_workers_that_are_killed_from_outside_do_their_part_again(programs: Programs, run: Run) -> None:
    process = programs.start(*INGEST)
    workers = sorted(pid for pid in stored_some(process) if is_named(pid, "MapBatches"))
    os.kill(workers[0], signal.SIGKILL)
    _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (0, "")
    assert run("ingest", "documents", "-c", "whole", "-q").code == 0
    assert_same("broken", "whole")


def test_a_document_whose_reading_process_is_killed_from_outside_is_listed(
    programs: Programs, run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "a.txt").write_text(", ".join(f"{1 + n % 28} May {1850 + n % 170}" for n in range(DATES)))
    (folder / "b.txt").write_text("The pier was built in May 1902.")
    process = programs.start("ingest", folder, "-c", "broken", "--engine", "ray", "-q")

    def is_reading(pid: int) -> bool:  # it is warm, and has had no time for all of the first document
        return is_named(pid, "timelens.ingest.worker") and has_said_it_is_ready(pid) and not stored("broken")

    wait_for(lambda: process.poll() is not None or any(map(is_reading, descendants(process.pid))))
    kill(set(descendants(process.pid)), "timelens.ingest.worker")
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == ExitCode.DONE_WITH_FAILURES, err
    assert out.startswith("broken: 1 added, 1 failed;")
    assert err.startswith("a.txt: ")
    assert "the system ended the process" in err
    assert run("ingest", folder, "-c", "broken", "-q").code == 0
    assert open_corpus("broken").verify().is_fine
    assert stored("broken") == 2


def has_said_it_is_ready(pid: int) -> bool:
    """Whether a reading process has written something, which is that it waits for documents."""
    with suppress(OSError):
        counts = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
        return int(counts["wchar"]) > 0
    return False


def is_named(pid: int, name: str) -> bool:
    with suppress(OSError):
        return name in Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return False


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of one node, which outlives those that join it."""
    folder, port = tmp_path_factory.mktemp("r"), free_port()
    command = [
        *(
            sys.executable,
            "-m",
            "ray.scripts.scripts",
            "start",
            "--head",
            "--block",
            "--num-cpus",
            "2",
            "--num-gpus",
            "1",
        ),
        *("--node-ip-address", "127.0.0.1", "--port", str(port), "--include-dashboard", "false"),
        *("--disable-usage-stats", "--temp-dir", f"/tmp/{folder.name}-{port}"),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        ON_LOOPBACK: "0",
    }
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        wait_for(lambda: process.poll() is not None or answers(port))
        assert process.poll() is None
        yield f"127.0.0.1:{port}"
        process.terminate()


def answers(port: int) -> bool:
    import socket

    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def test_a_cluster_that_is_there_is_joined_and_left(
    cluster: str, programs: Programs, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("ingest", "documents", "-c", "joined", "--engine", "ray", "--address", cluster, "-q")
    refused = programs.run(*command)  # it is at another address than the node: loopback is for that alone
    assert (refused.code, "is no node of the cluster" in refused.err) == (ExitCode.MISSING, True)
    monkeypatch.setenv(ON_LOOPBACK, "0")
    outcome = programs.run(*command)
    assert (outcome.code, outcome.err) == (0, "")
    assert run("ingest", "documents", "-c", "whole", "-q").code == 0
    assert_same("joined", "whole")
