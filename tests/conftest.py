"""Fixtures that several layers' tests share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_gguf import write_tiny_gguf


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A GGUF model that llama.cpp runs like any other; what it writes is printable and means nothing."""
    yield write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")
    if "llama_cpp" in sys.modules:  # it leaves files open, which Python would warn of at exit
        from llama_cpp import _utils

        _utils.outnull_file.close()
        _utils.errnull_file.close()
