"""Runs on Ray with real weights that are killed or interrupted, and clusters that are joined."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli.conftest import Run, run
from object_store import free_port
from processes_of import descendants

from timelens.api import open_corpus
from timelens.errors import MissingError
from timelens.store.corpus import CorpusStore

__all__ = ["run"]  # a fixture

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]
DOCUMENTS = Path(__file__).parents[2] / "corpora" / "spaceflight" / "documents"
ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
SMALL_BATCHES = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, a process ignores it
from timelens.cli import main
from timelens.ingest import distributed, pipeline
pipeline._CHUNKS_PER_WRITE, distributed._FILES_AT_ONCE = 16, 2
main()
"""


def start(*command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SMALL_BATCHES, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"},
    )


def ended(*command: str) -> tuple[int, str]:
    with start(*command) as process:
        try:
            out, err = process.communicate(timeout=240)
        finally:
            process.kill()
    assert out.count("\n") == 1, out
    return process.returncode, err


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


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


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_leaves_no_process_and_goes_on_with_the_same_command(
    sent: signal.Signals, run: Run
) -> None:
    command = ("ingest", str(DOCUMENTS), "-c", "broken", "--engine", "ray", "-q")
    process = start(*command)
    wait_for(lambda: process.poll() is not None or stored("broken") > 3)
    assert process.poll() is None, process.communicate()
    children = descendants(process.pid)
    assert len(children) > 4
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert out == ""
    if sent is signal.SIGINT:
        assert (process.returncode, err.count("\n")) == (130, 1), err
    else:
        assert (process.returncode, err) == (-sent, "")
    with suppress(AssertionError):
        wait_for(
            lambda: not any(map(is_running, children)), 120
        )  # Ray's agents look for the others now and then
    assert [Path(f"/proc/{pid}/cmdline").read_text() for pid in children if is_running(pid)] == []
    assert 0 < stored("broken") < 53
    assert ended(*command) == (0, "")
    assert run("ingest", DOCUMENTS, "-c", "whole", "-q").code == 0
    assert_same("broken", "whole")


@pytest.mark.parametrize("killed", ["MapBatches", "timelens.ingest.worker"])
def test_whatever_worker_is_killed_from_outside_all_is_stored(killed: str, run: Run) -> None:
    process = start("ingest", str(DOCUMENTS), "-c", "broken", "--engine", "ray", "-q")
    wait_for(lambda: process.poll() is not None or stored("broken") > 3)
    workers = [pid for pid in descendants(process.pid) if is_named(pid, killed)]
    for pid in workers[:1] if killed == "MapBatches" else []:
        os.kill(pid, signal.SIGKILL)
    for pid in workers if killed != "MapBatches" else []:
        os.kill(pid, signal.SIGKILL)
    assert workers
    _, err = process.communicate(timeout=240)
    assert err == "" or "the system ended the process" in err, err
    assert run("ingest", DOCUMENTS, "-c", "whole", "-q").code == 0
    assert run("ingest", DOCUMENTS, "-c", "broken", "-q").code == 0
    assert_same("broken", "whole")


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
    cluster: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("ingest", str(DOCUMENTS), "-c", "joined", "--engine", "ray", "--address", cluster, "-q")
    process = start(*command)  # which is at another address than the node: loopback is for that alone
    _, err = process.communicate(timeout=60)
    assert (process.returncode, "is no node of the cluster" in err) == (3, True)
    monkeypatch.setenv(ON_LOOPBACK, "0")
    assert ended(*command) == (0, "")
    assert run("ingest", DOCUMENTS, "-c", "whole", "-q").code == 0
    assert_same("joined", "whole")
