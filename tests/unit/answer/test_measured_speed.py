"""How fast a model reads and writes, by llama.cpp's own clock."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_llama import settings, stream

from timelens.answer.llama import LlamaAnswerer, Session, keep_speed, known_speed
from timelens.answer.lm import Speed


@pytest.fixture
def answerer(tiny_model: Path) -> Iterator[LlamaAnswerer]:
    answerer = LlamaAnswerer(settings(tiny_model))
    yield answerer
    answerer.close()


def test_an_answer_is_measured_and_told_once(answerer: LlamaAnswerer) -> None:
    assert answerer.session.take_speed() is None  # nothing is loaded
    assert answerer.session.open()
    started = time.perf_counter()
    pieces = list(stream(answerer))
    seconds = time.perf_counter() - started
    speed = answerer.session.take_speed()
    assert speed is not None
    assert (
        len(pieces) - 2 <= speed.written <= 40
    )  # the first comes of the prompt; some bytes show only together
    assert speed.read > 100
    assert 0 < speed.read_seconds + speed.written_seconds < seconds
    assert answerer.session.take_speed() == Speed()


def test_what_is_remembered_of_a_prompt_is_not_read_again(answerer: LlamaAnswerer) -> None:
    list(stream(answerer))
    first = answerer.session.take_speed()
    list(stream(answerer))
    second = answerer.session.take_speed()
    assert first is not None
    assert second is not None
    assert second.read < first.read / 4


def test_a_session_is_opened_before_its_first_job_unless_that_is_cancelled(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(settings(tiny_model))
    assert session.open()
    session.close()

    def cancelled(*_: object) -> None:
        session.cancel()

    monkeypatch.setattr("timelens.answer.llama.llama_session.try_out", cancelled)
    assert not session.open()
    session.close()


@pytest.mark.parametrize(
    ("speed", "telling", "words"),
    [
        (Speed(1203, 8.02, 61, 3.5), True, "reads 150 and writes 17 tokens/s"),
        (Speed(0, 0.0, 20, 4.0), True, "writes 5.0 tokens/s"),
        (Speed(1203, 8.02, 7, 0.5), False, "reads 150 and writes 14 tokens/s"),
        (Speed(200_000, 10.0, 30_000, 10.0), True, "reads 20,000 and writes 3,000 tokens/s"),
    ],
)
def test_rates_in_words(speed: Speed, telling: bool, words: str) -> None:
    assert (speed.is_telling, speed.words) == (telling, words)
    assert speed + Speed() == speed


@pytest.mark.usefixtures("home")
def test_a_speed_is_kept_for_the_file_as_it_is_and_for_the_machine(tmp_path: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(b"GGUF")
    speed = Speed(10, 1.0, 20, 2.0)
    assert known_speed(model, settings(model)) is None
    keep_speed(model, settings(model), speed)
    assert known_speed(model, settings(model)) == speed
    assert known_speed(model, settings(model, threads=2)) is None
    model.write_bytes(b"GGUF, another")
    assert known_speed(model, settings(model)) is None
