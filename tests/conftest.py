from pathlib import Path

import pytest

from timelens.config import EmbedderSettings
from timelens.embedding import Embedder, load_embedder


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The bundled model; its packages take seconds to import, so one serves all tests."""
    return load_embedder(EmbedderSettings())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A timelens home of the test's own."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("TIMELENS_HOME", str(folder))
    return folder
