"""The chat with a server in place of a model file."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from chat_server import KEY, ChatServer, chatting
from textual.app import App

from timelens.answer.server import ServerAnswerer
from timelens.config import ServerSettings, Settings
from timelens.temporal.calendar import parse_day
from timelens.tui.app import ChatApp
from timelens.tui.exchange import Exchange, State
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.screen import ChatScreen
from timelens.tui.worker import ApiLibrary

WaitUntil = Callable[..., Awaitable[None]]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("TIMELENS_SERVER_KEY", KEY)
    with chatting(ChatServer(key=KEY, pieces=["In 1971 [1], ", f"says {KEY}."])) as server:
        yield server


@pytest.fixture
def chat(corpus_home: Path, tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> ChatApp:
    monkeypatch.setenv("TIMELENS_HOME", str(corpus_home))
    answerer = ServerAnswerer(ServerSettings(url=server.url))
    options = Options(parse_day("2024-06-01"), "timelens", 5)
    return ChatApp(ChatScreen(None, options, ApiLibrary(Settings()), tmp_path / "history", answerer))


def _files_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_server_answers_and_its_key_is_not_kept(
    chat: ChatApp, tmp_path: Path, wait_until: WaitUntil, screen_text: Callable[[App[None]], str]
) -> None:
    async with chat.run_test(size=(80, 24)) as pilot:
        chat.query_one(Prompt).value = "When was Salyut 1 launched?"
        await pilot.press("enter")
        await wait_until(pilot, lambda: [exchange.state for exchange in chat.query(Exchange)] == [State.DONE])
        await pilot.pause()
        screen = screen_text(chat)
    assert "says [key]." in screen
    kept = _files_of(tmp_path)
    assert b"says [key]." in kept
    assert KEY.encode() not in kept


async def test_escape_ends_an_answer_in_the_middle(
    chat: ChatApp, server: ChatServer, wait_until: WaitUntil, screen_text: Callable[[App[None]], str]
) -> None:
    server.silent_before = 1
    async with chat.run_test(size=(80, 24)) as pilot:
        chat.query_one(Prompt).value = "When was Salyut 1 launched?"
        await pilot.press("enter")
        await wait_until(pilot, lambda: "In 1971" in screen_text(chat))
        await pilot.press("escape")
        await wait_until(pilot, server.gone.is_set)
        await wait_until(
            pilot, lambda: [exchange.state for exchange in chat.query(Exchange)] == [State.CANCELLED]
        )
