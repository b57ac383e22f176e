"""Answers of llama.cpp's own server in Python, which runs the tiny model of random weights."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest
from evidence import timeline
from tiny_llama import DRAFT, EVIDENCE, QUESTION

from timelens.answer.lm.language_model import Ending
from timelens.answer.lm.reading_modes import Judgement
from timelens.answer.lm.stop import Stop
from timelens.answer.rendering.timeline import Timeline
from timelens.answer.server import ServerAnswerer, ServerSession, endpoint_of, models_at
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import ServerSettings
from timelens.errors import TimelensError

EXTRAS = ("fastapi", "uvicorn", "starlette", "sse_starlette", "starlette_context")
if missing := [name for name in EXTRAS if find_spec(name) is None]:
    pytest.skip(f"llama_cpp.server needs {', '.join(missing)}", allow_module_level=True)


@pytest.fixture(scope="module")
def url(tiny_model: Path) -> Iterator[str]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    options = ["--model", str(tiny_model), "--host", "127.0.0.1", "--port", str(port), "--n_ctx", "4096"]
    process = subprocess.Popen(
        [sys.executable, "-m", "llama_cpp.server", *options, "--n_threads", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                models_at(endpoint_of(ServerSettings(url=url), patience=1))
                break
            except TimelensError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def stream(answerer: ServerAnswerer, evidence: Timeline = EVIDENCE) -> Iterator[str]:
    return cast("Iterator[str]", answerer.write(QUESTION, evidence, DRAFT))


def test_an_answer_is_streamed_and_cut_at_the_budget(url: str) -> None:
    answerer = ServerAnswerer(ServerSettings(url=url, answer_tokens=40))
    pieces = list(stream(answerer))
    assert len(pieces) > 10
    assert answerer.notes == ("the answer was cut after 40 tokens",)
    assert list(stream(answerer)) == pieces


def test_an_answer_can_be_cancelled(url: str) -> None:
    answerer = ServerAnswerer(ServerSettings(url=url, answer_tokens=2000))
    pieces = stream(answerer)
    next(pieces)
    threading.Timer(0.05, answerer.cancel).start()
    list(pieces)
    assert answerer.notes == ("the answer was cancelled before it was complete",)
    assert "".join(stream(ServerAnswerer(ServerSettings(url=url, answer_tokens=20))))


def test_a_schema_is_kept_to(url: str) -> None:
    session = ServerSession(ServerSettings(url=url))
    model = session.opened(Stop())
    assert model is not None
    grammar = model.grammar_of(Judgement.model_json_schema())
    pieces = model.generate(Prompt("Judge.", "Who led it?", frozenset()), 400, Stop(), Ending(), grammar)
    assert isinstance(Judgement.model_validate_json("".join(pieces)), Judgement)
    assert session.take_remarks() == ()


def test_a_prompt_that_is_too_long_for_the_server_is_said(url: str) -> None:
    """The model knows hardly more than single letters, which is far from what the estimate is made for."""
    answerer = ServerAnswerer(ServerSettings(url=url, answer_tokens=16))
    assert not list(stream(answerer, timeline(*("Ann led the club in 1998. " * 30 for _ in range(20)))))
    *_, note = answerer.notes
    assert note.startswith("the server's reply is empty")
