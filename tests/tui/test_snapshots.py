"""The main screens of the chat as they look, in three sizes; ``make snapshots`` writes them anew."""

import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from screens import FOLDER, Look, as_text, check, contrast, hold_still, look_at
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.pilot import Pilot

from timelens.answer.model import Nearest
from timelens.answer.timeline import Timeline
from timelens.history import History, KeptExchange
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.tui.dialogs import HistoryScreen
from timelens.tui.exchange import State
from timelens.tui.themes import HIGH_CONTRAST

SIZES = ((80, 24), (120, 40), (200, 60))
THEMES = {"dark": "textual-dark", "light": "textual-light", "high contrast": HIGH_CONTRAST.name}

Drive = Callable[[Chat, Pilot[None]], Awaitable[object]]
"""Brings the chat from its opened corpus to the screen that is to be looked at."""


async def opened(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.see(pilot, "space: 3 documents")


async def answered(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.type(pilot, QUESTION)
    await chat.until(pilot, lambda: [e.state for e in chat.exchanges] == [State.DONE])


async def streaming(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.type(pilot, QUESTION)
    await chat.see(pilot, "It was", "answering …")


async def conversations(chat: Chat, pilot: Pilot[None]) -> None:
    await pilot.press("f4")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
    await chat.see(pilot, "3 conversations")


SCREENS: dict[str, Drive] = {
    "opened": opened,
    "answered": answered,
    "nearest": answered,
    "streaming": streaming,
    "conversations": conversations,
}


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[None]:
    assert home.exists()  # themes are chosen, which is kept there
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def evidence(timeline_of: TimelineMaker) -> Timeline:
    """Pieces of all kinds: a day, years, an open end, none, and one with wide letters and markup."""
    return timeline_of(
        day_interval(day_number(1961, 4, 12)),
        year_interval(1971, 1979),
        Interval(day_number(1998, 11, 20), None),
        None,
        year_interval(1986),
        title="宇宙 [red]flight[/red]",
        text="It was the first flight of a person into space, and it took 108 minutes.",
    )


def remember(history: Path) -> None:
    """Conversations of earlier days."""
    for number, title in enumerate(["Who was first?", "How did it change?", "[bold]What[/bold] came then?"]):
        asked = datetime(2024, 5, 1, 12, tzinfo=UTC) + timedelta(days=number)
        kept = KeptExchange(title, "space", TODAY, "timelens", "answered", "It was so.", None, asked)
        History(history).append(None, kept)


async def look(
    name: str, chat: Chat, size: tuple[int, int], themes: dict[str, str]
) -> tuple[dict[str, Look], str]:
    """A screen in several themes, and a picture of the first."""
    looks: dict[str, Look] = {}
    picture = ""
    chat.app.animation_level = "none"
    async with chat.open(size) as pilot:
        chat.app.register_theme(HIGH_CONTRAST)
        await opened(chat, pilot)
        await SCREENS[name](chat, pilot)
        for label, theme in themes.items():
            chat.app.theme = theme
            await hold_still(pilot)
            looks[label] = look_at(chat.app)
            picture = picture or chat.app.export_screenshot()
    return looks, picture


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_looks_as_it_did(
    chat_of: ChatMaker,
    timeline_of: TimelineMaker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    width: int,
    height: int,
) -> None:
    timeline = evidence(timeline_of)
    near = [Nearest(timeline.citations[0], year_interval(1961))] if name == "nearest" else []
    text = (
        "No passage answers this; the nearest is [1]."
        if near
        else "It was in 1961 [1], and again in 1971 [2]."
    )
    remember(tmp_path / "conversations.sqlite")

    corpus = FakeCorpus("space", script(timeline, text, nearest=near), 5 if name == "streaming" else None)

    monkeypatch.delenv("NO_COLOR", raising=False)
    looks, picture = await look(name, chat_of(corpus), (width, height), THEMES)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "conversations.sqlite").unlink()
    remember(tmp_path / "conversations.sqlite")
    without, _ = await look(name, chat_of(corpus), (width, height), {"no colour": THEMES["dark"]})
    assert [style for style in looks["high contrast"].written if contrast(style) < 7] == []
    check(f"{name}-{width}x{height}", as_text({**looks, **without}), picture)


def test_every_file_is_of_a_screen() -> None:
    names = {f"{name}-{width}x{height}.txt" for name in SCREENS for width, height in SIZES}
    assert {file.name for file in FOLDER.iterdir()} == names
