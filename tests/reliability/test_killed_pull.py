"""A pull that is killed at any change to a file leaves no half model, and is gone on with."""

import multiprocessing
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from file_server import FileServer, serving
from killing_at import kill_at

from timelens.answer.models import incoming_file
from timelens.answer.models.catalogue import read_record
from timelens.answer.models.download import pull

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["timelens.answer.models.download"])


def fetch(url: str, target: Path, number: int, counts: Path) -> None:
    """Pull in small blocks; end at the change of that number, or at that block where it is negative."""
    incoming_file._BLOCK = 10_000
    blocks = iter(range(1, 1_000))

    def on_progress(_done: int, _size: int) -> None:
        if next(blocks) == -number:
            signal.raise_signal(signal.SIGKILL)

    changes = kill_at(number, target.parent)
    pull(url, target, watcher=incoming_file.Watcher(on_progress=on_progress))
    counts.write_text(f"{len(changes)} {next(blocks) - 1}")


def run(url: str, target: Path, number: int, counts: Path) -> int | None:
    process = PROCESSES.Process(target=fetch, args=(url, target, number, counts))
    process.start()
    process.join(60)
    return process.exitcode


@pytest.fixture
def server(tiny_model: Path) -> Iterator[FileServer]:
    with serving(FileServer(tiny_model.read_bytes())) as server:
        yield server


def test_a_pull_killed_at_any_moment_is_gone_on_with(server: FileServer, tmp_path: Path) -> None:
    url, counts = f"{server.url}/tiny.gguf", tmp_path / "counts"
    assert run(url, tmp_path / "whole" / "tiny.gguf", 0, counts) == 0
    changes, blocks = map(int, counts.read_text().split())
    assert changes >= 8
    assert blocks >= 8
    for number in (*range(1, changes + 1), *range(-blocks, 0, 3)):
        target = tmp_path / str(number) / "tiny.gguf"
        assert run(url, target, number, counts) == -signal.SIGKILL
        if target.exists():
            assert target.read_bytes() == server.content
            record = read_record(target)
            assert record is not None
            assert record.sha256 == server.sha256
        server.asked.clear()
        pull(url, target)
        assert target.read_bytes() == server.content
        left = {file.name for file in target.parent.iterdir()} - {"tiny.gguf.lock"}
        assert left == {"tiny.gguf", "tiny.gguf.json"}
        if number < 0 and -number < blocks:
            assert server.asked[0].startswith("bytes="), "what had come was fetched again"
