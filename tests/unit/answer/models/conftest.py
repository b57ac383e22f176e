"""A server of a model file, and the place that it is pulled to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from file_server import FileServer, serving

from timelens.answer.models import incoming_file


@pytest.fixture
def server(tiny_model: Path) -> Iterator[FileServer]:
    with serving(FileServer(tiny_model.read_bytes())) as server:
        yield server


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "tiny.gguf"


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming_file, "_BLOCK", 10_000)
