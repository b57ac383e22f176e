"""The main screens of the chat as they look, in three sizes; ``make snapshots`` writes them anew."""

import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from screens import FOLDER, Look, as_text, check, contrast, hold_still, look_at
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.filter import Monochrome
from textual.pilot import Pilot
from tui.conftest import make_hit

from timelens.answer.draft import Nearest
from timelens.answer.rendering.timeline import Timeline
from timelens.errors import BadInputError
from timelens.history import History, KeptExchange
from timelens.store.rows import StoredDocument
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.tui.corpora import CorporaScreen
from timelens.tui.dialogs import HistoryScreen
from timelens.tui.document import DocumentScreen
from timelens.tui.exchange import State
from timelens.tui.ingest_dialog import IngestScreen
from timelens.tui.keys import KeysScreen
from timelens.tui.scrubber import Scrubber
from timelens.tui.themes import HIGH_CONTRAST
from timelens.tui.two_days import TwoDaysScreen

COMPARISON = "What happened in 1961 compared with 1975?"
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


async def compared(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.type(pilot, COMPARISON)
    await chat.until(pilot, lambda: [e.state for e in chat.exchanges] == [State.DONE])


async def failed(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.type(pilot, QUESTION)
    await chat.see(pilot, "make it good")
    await chat.type(pilot, "/nothing")
    await chat.see(pilot, "there is no command /nothing")


async def keys(chat: Chat, pilot: Pilot[None]) -> None:
    await pilot.press("f1")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, KeysScreen))


async def conversations(chat: Chat, pilot: Pilot[None]) -> None:
    await pilot.press("f4")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
    await chat.see(pilot, "3 conversations")


async def document(chat: Chat, pilot: Pilot[None]) -> None:
    await answered(chat, pilot)
    await chat.type(pilot, "/open 1")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, DocumentScreen))
    await chat.see(pilot, "It was the first flight", "On 5 May 1961", "5 May 1961 ")


async def corpora(chat: Chat, pilot: Pilot[None]) -> None:
    await pilot.press("f5")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, CorporaScreen))
    await chat.see(pilot, "events", "A plan without a day")


async def two_days(chat: Chat, pilot: Pilot[None]) -> None:
    await answered(chat, pilot)
    await chat.type(pilot, "/asof 2015 vs 2020")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, TwoDaysScreen))
    await chat.see(pilot, "and again in", "It was in 1961 alone", "only on the right: 4")


async def completing(chat: Chat, pilot: Pilot[None]) -> None:
    await pilot.press(*"/co", "down")
    await chat.see(pilot, "choose the corpus to ask", "/compare")


async def slider(chat: Chat, pilot: Pilot[None]) -> None:
    await answered(chat, pilot)
    await pilot.press("f8")
    await chat.until(pilot, lambda: chat.app.query(Scrubber))


async def ingesting(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.type(pilot, "/ingest /")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, IngestScreen))
    await chat.see(pilot, "a new corpus")


SCREENS: dict[str, Drive] = {
    "opened": opened,
    "answered": answered,
    "compared": compared,
    "nearest": answered,
    "failed": failed,
    "keys": keys,
    "streaming": streaming,
    "conversations": conversations,
    "document": document,
    "corpora": corpora,
    "two-days": two_days,
    "completing": completing,
    "slider": slider,
    "ingest": ingesting,
}


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[None]:
    assert home.exists()  # themes are chosen, which is kept there
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
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


async def look(chat: Chat, size: tuple[int, int], drive: Drive) -> tuple[dict[str, Look], str]:
    """A screen in all looks, and a picture of the first."""
    looks: dict[str, Look] = {}
    chat.app.animation_level = "none"
    async with chat.open(size) as pilot:
        await opened(chat, pilot)
        await drive(chat, pilot)
        await hold_still(pilot)
        picture = chat.app.export_screenshot()
        for label, theme in THEMES.items():
            chat.app.theme = theme
            await hold_still(pilot)
            looks[label] = look_at(chat.app)
        chat.app.theme = "textual-dark"
        chat.app.no_color = True
        chat.app._filters.append(Monochrome())  # as at the start, where NO_COLOR is set
        chat.app.refresh_css(animate=False)
        await hold_still(pilot)
        looks["no colour"] = look_at(chat.app)
    return looks, picture


def corpus_of(name: str, timeline: Timeline) -> FakeCorpus:
    """What answers the question of a screen."""
    match name:
        case "streaming":
            return FakeCorpus("space", script(timeline), hold_at=5)
        case "nearest":
            near = [Nearest(timeline.citations[0], year_interval(1961))]
            text = "No passage answers this; the nearest is [1]."
            return FakeCorpus("space", script(timeline, text, nearest=near))
        case "compared":
            text = "1961: one flight [1].\n1975: none [2]."
            return FakeCorpus("space", script(timeline, text, COMPARISON))
        case "failed":
            return FakeCorpus("space", [*script(timeline)[:3], BadInputError("it is bad", "make it good")])
        case _:
            corpus = FakeCorpus("space", script(timeline, "It was in 1961 [1], and again in 1971 [2]."))
            first = timeline.hits[0].chunk
            later = make_hit(day_interval(day_number(1961, 5, 5)), "On 5 May 1961 another one flew.", "later")
            chunks = (first, replace(later.chunk, document_id=first.document_id, ordinal=1))
            corpus.documents = [StoredDocument(first.document_id, first.uri, first.title, None, None, chunks)]
            corpus.events_as_of[day_number(2015, 12, 31)] = script(
                Timeline(timeline.citations[:1]), "It was in 1961 alone [1]."
            )
            return corpus


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_looks_as_it_did(
    chat_of: ChatMaker, timeline_of: TimelineMaker, tmp_path: Path, name: str, width: int, height: int
) -> None:
    remember(tmp_path / "conversations.sqlite")
    corpus = corpus_of(name, evidence(timeline_of))
    looks, picture = await look(chat_of(corpus), (width, height), SCREENS[name])
    corpus.go.set()
    assert [style for style in looks["high contrast"].written if contrast(style) < 7] == []
    check(f"{name}-{width}x{height}", as_text(looks), picture)


def test_every_file_is_of_a_screen() -> None:
    names = {f"{name}-{width}x{height}.txt" for name in SCREENS for width, height in SIZES}
    assert {file.name for file in FOLDER.iterdir()} == names
