"""The chat over a real corpus, with the real embedder and store."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from object_store import ObjectStore
from textual.app import App

from timelens.config import Settings
from timelens.temporal.calendar import parse_day
from timelens.tui.app import ChatApp
from timelens.tui.exchange import Exchange, State
from timelens.tui.first_run import FirstRunScreen
from timelens.tui.launch import Beginning, run_chat
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.screen import ChatScreen
from timelens.tui.worker import ApiLibrary

HEAVY = [
    "torch",
    "lancedb",
    "sentence_transformers",
    "spacy",
    "llama_cpp",
    "numpy",
    "pyarrow",
    "pydantic",
    "timelens.config",
    "timelens.temporal",
    "timelens.tui.screen",
]
TODAY = parse_day("2024-06-01")


@pytest.fixture
def chat(corpus_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChatApp:
    monkeypatch.setenv("TIMELENS_HOME", str(corpus_home))
    return ChatApp(
        ChatScreen(None, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history")
    )


async def test_a_question_is_answered_from_the_documents(
    chat: ChatApp, wait_until: Callable[..., Awaitable[None]], screen_text: Callable[[App[None]], str]
) -> None:
    async with chat.run_test(size=(80, 24)) as pilot:
        chat.query_one(Prompt).value = "When was Salyut 1 launched?"
        await pilot.press("enter")
        await wait_until(pilot, lambda: [exchange.state for exchange in chat.query(Exchange)] == [State.DONE])
        await pilot.pause()
        screen = screen_text(chat)
    assert "[1]" in screen
    assert "19 April 1971" in screen
    assert "supported" in screen
    assert "●" in screen


async def test_the_first_run_makes_a_corpus_that_can_be_asked(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wait_until: Callable[..., Awaitable[None]],
    screen_text: Callable[[App[None]], str],
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "mir.md").write_text("# Mir\n\nMir fell on 23 March 2001.\n", encoding="utf-8")
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("timelens.tui.first_run.bundled_corpora", lambda: {"stations": documents})
    chat = ChatApp(
        ChatScreen(None, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history")
    )
    async with chat.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: isinstance(chat.screen, FirstRunScreen))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "stations: 1 document" in screen_text(chat))


def test_nothing_heavy_is_imported_before_the_first_paint() -> None:
    code = f"import sys, timelens.tui.launch; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_a_terminal_there_is_no_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    from timelens.errors import BadInputError

    with Path(os.devnull).open() as nothing, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", nothing)
        with pytest.raises(BadInputError, match="needs a terminal"):
            run_chat(lambda: Beginning(None, Options(TODAY, "timelens", None), TODAY, Settings()))


async def test_a_corpus_in_an_object_store_is_opened_and_asked(
    object_store: ObjectStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wait_until: Callable[..., Awaitable[None]],
    screen_text: Callable[[App[None]], str],
) -> None:
    from timelens.api import open_corpus

    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    (tmp_path / "mir.md").write_text("# Mir\n\nMir fell on 23 March 2001.\n", encoding="utf-8")
    url = object_store.corpus()
    open_corpus(url).ingest([tmp_path / "mir.md"])
    chat = ChatApp(
        ChatScreen(
            url, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history", today=TODAY
        )
    )
    async with chat.run_test(size=(120, 40)) as pilot:
        chat.query_one(Prompt).value = "When did Mir fall?"
        await pilot.press("enter")
        await wait_until(pilot, lambda: [exchange.state for exchange in chat.query(Exchange)] == [State.DONE])
        await pilot.pause()
        screen = screen_text(chat)
    assert url in screen
    assert "23 March 2001" in screen
