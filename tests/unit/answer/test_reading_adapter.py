"""The reading adapter in llama.cpp, with a tiny model and an adapter of random weights."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import gguf
import numpy as np
import pytest
from evidence import hit
from tiny_gguf import EMBEDDING, LAYERS
from tiny_llama import settings

from timelens.answer.llama import LlamaAnswerer, reading_adapter
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.lm.language_model import Ending
from timelens.answer.lm.stop import Stop
from timelens.answer.models.gguf_header import describe_model
from timelens.answer.writing.answer_prompt import Prompt
from timelens.answer.writing.reading_prompt import NOTHING_READ
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number

PROMPT = Prompt("Answer.", "Who led it?", frozenset())
HITS = [hit("a", ["Ada Lind led the club."], 2010)]
QUESTION = parse("Who led the club in 2010?", day_number(2026))


def write_adapter(path: Path) -> Path:
    random = np.random.default_rng(3)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 16.0)
    for layer in range(LAYERS):
        for part, shape in (("a", (8, EMBEDDING)), ("b", (EMBEDDING, 8))):
            weights = random.standard_normal(shape).astype(np.float16)
            writer.add_tensor(f"blk.{layer}.attn_output.weight.lora_{part}", weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An adapter that fits every model."""
    file = write_adapter(tmp_path / "adapter.gguf")
    monkeypatch.setattr(reading_adapter, "FILE", file)
    monkeypatch.setattr(reading_adapter, "SHA256", hashlib.sha256(file.read_bytes()).hexdigest())
    monkeypatch.setattr("timelens.answer.llama.loaded_model.fits", lambda _description: True)
    return file


@pytest.fixture
def loaded(tiny_model: Path) -> Iterator[LoadedModel]:
    model = LoadedModel(describe_model(tiny_model), LlamaSettings(threads=1))
    yield model
    model.close()


def test_the_bundled_file_is_the_one_that_is_pinned_and_small() -> None:
    data = reading_adapter.FILE.read_bytes()
    assert hashlib.sha256(data).hexdigest() == reading_adapter.SHA256
    assert len(data) < 20_000_000


@pytest.mark.parametrize(
    ("architecture", "family", "fits"),
    [
        ("qwen2", "Qwen2.5-Coder 1.5B", True),
        ("qwen2", "Qwen2.5-Coder 0.5B", False),
        ("qwen2", "Qwen2.5 1.5B", False),
        ("qwen2", None, False),
        ("llama", "Qwen2.5-Coder 1.5B", False),
    ],
)
def test_it_is_used_with_the_family_that_it_was_trained_on_alone(
    tiny_model: Path, architecture: str, family: str | None, fits: bool
) -> None:
    described = replace(describe_model(tiny_model), architecture=architecture, family=family)
    assert reading_adapter.fits(described) is fits


@pytest.mark.usefixtures("adapter")
def test_a_reply_is_the_likeliest_and_has_its_probability(loaded: LoadedModel) -> None:
    first, again = loaded.read(PROMPT, Stop()), loaded.read(PROMPT, Stop())
    assert first is not None
    assert first == again
    assert first.text
    assert first.log_probability < 0
    assert first.log_refusal < 0


@pytest.mark.usefixtures("adapter")
def test_what_is_written_after_a_reading_is_written_without_the_adapter(loaded: LoadedModel) -> None:
    def written() -> str:
        return "".join(loaded.generate(PROMPT, 30, Stop(), Ending()))

    before = written()
    read = loaded.read(PROMPT, Stop())
    assert read is not None
    assert read.text[:30] != before[:30]
    assert written() == before


@pytest.mark.usefixtures("adapter")
def test_a_stopped_reading_gives_nothing(loaded: LoadedModel) -> None:
    stop = Stop()
    stop.set()
    assert loaded.read(PROMPT, stop) is None
    assert loaded.read(PROMPT, Stop()) is not None


def test_an_adapter_that_is_damaged_is_not_used(adapter: Path, loaded: LoadedModel) -> None:
    adapter.write_bytes(adapter.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(MissingError, match="cannot be used"):
        loaded.read(PROMPT, Stop())


@pytest.mark.usefixtures("adapter")
def test_an_answerer_reads_in_the_default_mode_alone(tiny_model: Path) -> None:
    def read(**changed: str) -> object:
        answerer = LlamaAnswerer(settings(tiny_model).model_copy(update=changed))
        try:
            return answerer.read_values(QUESTION, HITS)
        finally:
            answerer.close()

    assert read() is not None
    assert read(reading="direct") is None


def test_an_answerer_whose_model_no_adapter_fits_reads_nothing(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(settings(tiny_model))
    assert answerer.read_values(QUESTION, HITS) is None
    answerer.close()


@pytest.mark.usefixtures("adapter")
def test_a_cancelled_reading_is_told_in_a_note(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LoadedModel, "read", lambda *_: None)
    answerer = LlamaAnswerer(settings(tiny_model))
    assert answerer.read_values(QUESTION, HITS) == NOTHING_READ
    assert NOTHING_READ.probability == 0
    assert answerer.notes == ("the answer was cancelled before it was complete",)
    answerer.close()


@pytest.mark.usefixtures("adapter")
def test_a_question_that_does_not_fit_is_one_line_with_its_remedy(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(settings(tiny_model, context_tokens=256))
    with pytest.raises(BadInputError, match="do not fit into the model's context of 256 tokens"):
        answerer.read_values(QUESTION, HITS)
    answerer.close()
