from collections.abc import Iterator
from pathlib import Path

import pytest

from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.models.gguf_header import describe_model
from timelens.config import LlamaSettings


@pytest.fixture(scope="module")
def loaded(tiny_model: Path) -> Iterator[LoadedModel]:
    """The tiny model, which each module loads for itself."""
    model = LoadedModel(describe_model(tiny_model), LlamaSettings(threads=1))
    yield model
    model.close()
