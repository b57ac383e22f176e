"""What stands on the screen until the chat is loaded."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from scripted_chat import TODAY, FakeCorpus, FakeLibrary, ScreenText, WaitUntil, script
from textual.events import Event, Key, Paste

from timelens.answer.rendering.timeline import Timeline
from timelens.errors import BadInputError
from timelens.tui.app import ChatApp
from timelens.tui.exchange import Exchange, State
from timelens.tui.options import Options
from timelens.tui.screen import ChatScreen
from timelens.tui.waiting import PLACEHOLDER, configured_theme, typed


def keys(*names: str) -> list[Event]:
    return [Key(name, name if len(name) == 1 else None) for name in names]


@pytest.mark.parametrize(
    ("events", "text"),
    [
        (keys(), ""),
        (keys("W", "h"), "Wh"),
        (keys("W", "x", "backspace", "h"), "Wh"),
        (keys("backspace", "a"), "a"),
        (keys("a", "enter", "b"), "a"),
        ([*keys("a"), Paste("b"), *keys("c")], "a"),
    ],
)
def test_what_events_write(events: Sequence[Event], text: str) -> None:
    assert typed(events) == text


@pytest.mark.parametrize(
    ("written", "theme"),
    [
        ('[chat]\ntheme = "nord"', "nord"),
        ("[chat]\ntheme = 3", None),
        ("chat = 1", None),
        ("[chat", None),
        ("\x00", None),
        (None, None),
    ],
)
def test_the_theme_is_that_of_the_configuration(
    written: str | None, theme: str | None, tmp_path: Path
) -> None:
    if written is not None:
        (tmp_path / "config.toml").write_text(written)
    assert configured_theme(tmp_path / "config.toml") == theme


def test_the_theme_of_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_CHAT__THEME", "dracula")
    (tmp_path / "config.toml").write_text('[chat]\ntheme = "nord"')
    assert configured_theme(tmp_path / "config.toml") == "dracula"


class Slow:
    """Makes a chat once it may."""

    def __init__(self, make: Callable[[], ChatScreen]) -> None:
        self.may = threading.Event()
        self._make = make

    def __call__(self) -> ChatScreen:
        assert self.may.wait(30)
        return self._make()


@pytest.fixture
def slow(timeline: Timeline, tmp_path: Path) -> Slow:
    library = FakeLibrary(FakeCorpus("space", script(timeline)))
    options = Options(TODAY, "timelens", None)
    return Slow(lambda: ChatScreen(None, options, library, tmp_path / "history"))


async def test_what_is_typed_is_shown_and_asked_once_the_chat_is_there(
    slow: Slow, wait_until: WaitUntil, screen_text: ScreenText
) -> None:
    app = ChatApp(slow, "nord")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: f"> {PLACEHOLDER}" in screen_text(app))
        assert app.theme == "nord"
        with pytest.raises(RuntimeError, match="not loaded"):
            _ = app.chat
        for event in keys("W", "h", "y", "?"):
            app.post_message(event)
        await wait_until(pilot, lambda: "> Why?" in screen_text(app))
        app.post_message(Key("ctrl+j", None))
        slow.may.set()
        await wait_until(pilot, lambda: [e.state for e in app.screen.query(Exchange)] == [State.DONE])
        assert [exchange.question for exchange in app.chat.query(Exchange)] == ["Why?"]


async def test_a_chat_that_cannot_be_made_ends_with_its_error(wait_until: WaitUntil) -> None:
    def fail() -> ChatScreen:
        raise BadInputError("no", "do it otherwise")

    app = ChatApp(fail)
    with pytest.raises(BadInputError):
        async with app.run_test() as pilot:
            await wait_until(pilot, lambda: app.fault is not None)
    assert isinstance(app.fault, BadInputError)


async def test_ctrl_q_leaves_before_the_chat_is_there(slow: Slow) -> None:
    app = ChatApp(slow)
    async with app.run_test() as pilot:
        app.post_message(Key("ctrl+q", None))
        await pilot.pause()
        assert app.return_code == 0
        slow.may.set()
    assert not app.is_busy()
