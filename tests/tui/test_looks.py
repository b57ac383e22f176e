"""Themes, keys and what is kept of old conversations, as the configuration says."""

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.color import ColorSystem
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, script
from textual.color import Color
from textual.pilot import Pilot

from timelens.answer.rendering.timeline import Timeline
from timelens.history import History, KeptExchange
from timelens.tui.dialogs import HistoryScreen
from timelens.tui.keys import KeysScreen
from timelens.tui.timeline.panel import TimelinePanel


@pytest.fixture
def chat(chat_of: ChatMaker, timeline: Timeline, home: Path) -> Chat:
    assert home.exists()  # what is configured stands there
    return chat_of(FakeCorpus("space", script(timeline)))


def configure(home: Path, text: str) -> None:
    (home / "config.toml").write_text(text, encoding="utf-8")


async def open_corpus(chat: Chat, pilot: Pilot[None]) -> None:
    await chat.see(pilot, "space: 3 documents")


async def go_back_to(chat: Chat, pilot: Pilot[None], question: str) -> None:
    """Press Up until the question is there: those of earlier runs are read while the chat takes keys."""
    for _ in range(100):
        await pilot.press("up")
        await pilot.pause(0.05)
        if question in chat.screen:
            break
    await chat.see(pilot, question)


async def test_a_theme_is_taken_and_kept(chat: Chat, home: Path) -> None:
    configure(home, "k = 5\n")
    async with chat.open() as pilot:
        await open_corpus(chat, pilot)
        assert chat.app.theme == "textual-dark"
        await chat.type(pilot, "/theme")
        await chat.see(pilot, "The theme is textual-dark.", "high-contrast", "nord", "/theme NAME")
        await chat.type(pilot, "/theme high-contrast")
        await chat.until(pilot, lambda: chat.app.screen.styles.background.hex == "#000000")
        await chat.until(pilot, lambda: "theme" in (home / "config.toml").read_text())
    wanted = {"k": 5, "chat": {"theme": "high-contrast"}}
    assert tomllib.loads((home / "config.toml").read_text()) == wanted


async def test_a_theme_that_is_chosen_in_the_palette_is_kept(chat: Chat, home: Path) -> None:
    async with chat.open() as pilot:
        await open_corpus(chat, pilot)
        chat.app.theme = "nord"  # as the palette does
        await chat.until(pilot, (home / "config.toml").exists)
    assert tomllib.loads((home / "config.toml").read_text()) == {"chat": {"theme": "nord"}}


async def test_a_configured_theme_is_there_from_the_first_paint(
    chat_of: ChatMaker, timeline: Timeline, home: Path
) -> None:
    (home / "themes").mkdir()
    (home / "themes" / "night.toml").write_text('primary = "#88c0d0"\nbackground = "#000011"\n')
    configure(home, '[chat]\ntheme = "night"\n')
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        assert chat.app.theme == "night"
        assert chat.app.screen.styles.background.hex == "#000011"
        await open_corpus(chat, pilot)
        assert "no theme" not in chat.screen


@pytest.mark.parametrize(
    ("name", "said"),
    [("nowhere", "there is no theme nowhere – /theme lists them"), ("../bad", "there is no theme ../bad")],
)
async def test_a_configured_theme_that_is_not_there_is_one_line(
    chat_of: ChatMaker, timeline: Timeline, home: Path, name: str, said: str
) -> None:
    configure(home, f'[chat]\ntheme = "{name}"\n')
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, said)
        assert chat.app.theme == "textual-dark"


async def test_a_bad_file_of_a_theme_is_one_line_and_the_others_are_listed(chat: Chat, home: Path) -> None:
    (home / "themes").mkdir()
    (home / "themes" / "bad.toml").write_text('primary = "blurple"\n')
    (home / "themes" / "good.toml").write_text('primary = "red"\n')
    async with chat.open((160, 30)) as pilot:
        await open_corpus(chat, pilot)
        await chat.type(pilot, "/theme")
        await chat.see(
            pilot, "good,", "bad.toml cannot be used: primary must be a colour such as #88c0d0", "'blurple'"
        )
        await chat.type(pilot, "/theme bad")
        await chat.until(pilot, lambda: chat.screen.count("correct or remove the file") == 2)
        await chat.type(pilot, "/theme good")
        await chat.until(pilot, lambda: chat.app.theme == "good")


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "nord", "high-contrast"])
async def test_frames_are_visible_in_256_colours(chat: Chat, theme: str) -> None:
    async with chat.open() as pilot:
        chat.app.theme = theme
        await pilot.pause()
        frame, ground = (
            Color.parse(chat.app.get_css_variables()[name]).rich_color.downgrade(ColorSystem.EIGHT_BIT)
            for name in ("border-blurred", "background")
        )
        assert frame.number is not None
        assert ground.number is not None
        assert frame != ground
        if theme == "textual-dark":
            assert frame.number - ground.number > 3
        panel = chat.app.chat.query_one(TimelinePanel)
        assert panel.styles.border.top[1] == Color.parse(chat.app.get_css_variables()["border-blurred"])


async def test_no_color_leaves_no_colour(
    chat_of: ChatMaker, timeline: Timeline, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    configure(home, '[chat]\ntheme = "dracula"\n')
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await open_corpus(chat, pilot)
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "timeline", "✗")
        colours = {
            colour.triplet
            for strip in chat.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None and colour.triplet is not None
        }
        assert len(colours) > 2
        assert all(c.red == c.green == c.blue for c in colours)


async def test_other_keys_do_what_is_configured(chat_of: ChatMaker, timeline: Timeline, home: Path) -> None:
    configure(home, '[chat.keys]\nhistory = "f9, ctrl+g"\n"quit" = "f10"\n')
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((100, 60)) as pilot:
        await open_corpus(chat, pilot)
        await chat.see(pilot, "f9 History")
        await pilot.press("f4")
        await pilot.pause()
        assert not isinstance(chat.app.screen, HistoryScreen)
        await pilot.press("f9")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
        await pilot.press("escape", "ctrl+g")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
        await pilot.press("escape", "f1")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, KeysScreen))
        lines = [line for line in chat.screen.splitlines() if "History" in line or "Quit" in line]
        assert any("f9, ^g" in line and line.rstrip("│ ").endswith("history") for line in lines)
        await pilot.press("f10")
        await chat.until(pilot, lambda: chat.app.return_code == 0)


async def test_a_key_or_a_name_that_is_none_is_one_line(
    chat_of: ChatMaker, timeline: Timeline, home: Path
) -> None:
    configure(home, '[chat.keys]\nhistory = "ctl+y"\nhistroy = "f9"\nsteps = "f12"\n')
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((160, 30)) as pilot:
        await chat.see(
            pilot,
            "chat.keys.history: 'ctl+y' is not a key",
            "chat.keys.histroy: there is no action of that name – is history meant?",
            "f4 History",
            "f12 Steps",
        )


def remember(file: Path, *days: int) -> None:
    """A conversation of each day that is so long ago."""
    for ago in days:
        asked = datetime.now(UTC) - timedelta(days=ago)
        title = f"Asked {ago} days ago?"
        kept = KeptExchange(title, "space", TODAY, "timelens", "answered", "It was so.", None, asked)
        History(file).append(None, kept)


async def test_old_conversations_are_deleted_and_that_is_said_once(
    chat_of: ChatMaker, timeline: Timeline, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "conversations.sqlite"
    remember(file, 100, 50, 5)
    configure(home, "[history]\nkeep_days = 30\n")
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((120, 30)) as pilot:
        await chat.see(pilot, "Deleted 2 conversations without a question for 30 days (history.keep_days")
        await open_corpus(chat, pilot)
        await go_back_to(chat, pilot, "Asked 5 days ago?")
        assert chat.screen.count("Deleted") == 1
    assert [kept.title for kept in History(file).conversations()] == ["Asked 5 days ago?"]
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((120, 30)) as pilot:
        await open_corpus(chat, pilot)
        await go_back_to(chat, pilot, "Asked 5 days ago?")
        assert "Deleted" not in chat.screen


async def test_nothing_is_deleted_unless_it_is_configured(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "conversations.sqlite"
    remember(file, 10_000)
    async with chat.open() as pilot:
        await open_corpus(chat, pilot)
        await go_back_to(chat, pilot, "Asked 10000 days ago?")
    assert len(History(file).conversations()) == 1
