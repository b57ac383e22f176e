"""Fixtures that several layers' tests share."""

from pathlib import Path

import pytest
from tiny_gguf import write_tiny_gguf


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF model that llama.cpp runs like any other; what it writes is printable and means nothing."""
    return write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")
