"""Bringing documents in from the chat, and which corpus it opens."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, ScreenText, WaitUntil, script
from textual.command import CommandPalette
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from timelens.answer.rendering.timeline import Timeline
from timelens.config import Settings
from timelens.errors import StoreError
from timelens.ingest.failures import Failure
from timelens.tui.app import ChatApp
from timelens.tui.corpora import CorporaScreen
from timelens.tui.dialogs import ChoiceScreen, ConfirmScreen
from timelens.tui.exchange import Exchange, State
from timelens.tui.first_run import FirstRunScreen
from timelens.tui.ingest_dialog import IngestScreen
from timelens.tui.last_used import last_corpus
from timelens.tui.options import Options
from timelens.tui.picker import Navigation, PathPicker
from timelens.tui.screen import ChatScreen
from timelens.tui.worker import ApiLibrary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my notes"
    made.mkdir()
    (made / "a.md").write_text("# Rain\n\nIt rained on 3 May 2004.\n")
    return made


@pytest.fixture
def chat(timeline: Timeline, chat_of: ChatMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """A chat that asks ``space``."""
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    return chat_of(FakeCorpus("space", script(timeline)), FakeCorpus("trains", script(timeline)))


async def begun(chat: Chat, pilot: Pilot[None], folder: Path, name: str = "rain") -> None:
    """Begin an ingest that does not go on."""
    chat.library.ingest_on.clear()
    await chat.see(pilot, "Other corpora: /corpus trains")
    await chat.type(pilot, f"/ingest {folder}")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, IngestScreen))
    chat.app.screen.query_one(Input).value = name
    await pilot.press("enter")
    await chat.until(pilot, chat.library.ingesting.is_set)


async def test_a_folder_is_brought_into_a_corpus_called_like_it(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, f"/ingest '{folder}'")
        await chat.see(
            pilot,
            str(folder)[:30],
            "my-notes, a new corpus",
            "space: new and changed documents are added",
        )
        await pilot.press("enter")
        await chat.see(
            pilot, "my-notes: 2 added; 2 passages, 2 dated events; 0.1 s.", "To ask it: /corpus my-notes"
        )
        assert "reading" not in chat.screen
        assert chat.library.ingested == [("my-notes", [folder])]
        await chat.type(pilot, "/corpus my-notes")
        await chat.see(pilot, "my-notes: 3 documents", "Other corpora: /corpus space or trains")


async def test_the_corpus_can_be_chosen_among_those_there_are(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, f"/ingest {folder}")
        await chat.see(pilot, "a new corpus")
        line = chat.app.screen.query_one(Input)
        await pilot.press("down", "down")
        assert line.value == "trains"
        await pilot.press("down", "up", "up")
        assert line.value == "space"
        line.value = "a/b"
        await pilot.press("enter")
        await chat.see(pilot, "'a/b' cannot be the name of a corpus")
        line.value = "Other"
        await chat.see(pilot, "Other, a new corpus")
        line.value = "space"
        await pilot.press("enter")
        await chat.see(pilot, "space: 2 added")
        assert "To ask it" not in chat.screen
        assert chat.library.ingested == [("space", [folder])]


async def test_questions_are_answered_while_documents_are_read(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await chat.see(pilot, "Preparing to read into rain", "reading rain")
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, lambda: [e.state for e in chat.exchanges] == [State.DONE])
        await chat.type(pilot, f"/ingest {folder}")
        await chat.see(pilot, "documents are being read into rain – wait until it ends, or stop it with Esc")
        chat.app.chat.prompt.post_message(Paste(str(folder)))
        await chat.until(pilot, lambda: chat.app.chat.prompt.value == str(folder))
        chat.app.chat.prompt.value = ""
        chat.library.ingest_on.set()
        await chat.see(pilot, "rain: 2 added", "To ask it: /corpus rain")
        assert chat.screen.index("rain: 2 added") > chat.screen.index("wait until it ends")


async def test_the_corpora_show_what_was_read_meanwhile(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await pilot.press("f5")
        assert "  rain " not in await chat.see(pilot, "A plan without a day", "trains")
        chat.library.ingest_on.set()
        await chat.see(pilot, "  rain ", "events of space over time")
        assert isinstance(chat.app.screen, CorporaScreen)


async def test_escape_asks_before_it_stops(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await pilot.press("escape")
        await chat.see(pilot, "Stop reading into rain?", "What is stored stays")
        await pilot.press("n")
        assert not isinstance(chat.app.screen, ConfirmScreen)
        await pilot.press("escape", "y")
        await chat.see(pilot, "Stopping")
        await chat.type(pilot, f"/ingest {folder}")
        await chat.see(pilot, "it is stopping; wait a moment")
        await pilot.press("escape")
        assert not isinstance(chat.app.screen, ConfirmScreen)
        chat.library.ingest_on.set()
        await chat.see(pilot, "Stopped reading into rain; what is stored stays.")
        assert "Stopping" not in chat.screen
        assert "To ask it" not in chat.screen
        await pilot.press("escape")
        assert not isinstance(chat.app.screen, ConfirmScreen)


@pytest.mark.parametrize("again", [False, True])
async def test_quitting_waits_for_what_a_stopped_run_writes(chat: Chat, folder: Path, again: bool) -> None:
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await pilot.press("escape")
        await chat.see(pilot, "Stop reading into rain?")
        await pilot.press("y")
        await chat.see(pilot, "Stopping")
        await pilot.press("ctrl+q")
        await chat.see(pilot, "Quits when the")
        assert not chat.app._exit
        if again:
            await pilot.press("ctrl+q")
        else:
            chat.library.ingest_on.set()
        await chat.until(pilot, lambda: chat.app._exit)
        chat.library.ingest_on.set()


@pytest.mark.parametrize("palette", [False, True])
async def test_the_question_whether_to_stop_closes_when_there_is_nothing_to_stop(
    chat: Chat, folder: Path, palette: bool
) -> None:
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await pilot.press("escape")
        await chat.see(pilot, "Stop reading into rain?")
        if palette:
            await pilot.press("ctrl+p")
            await chat.until(pilot, lambda: not isinstance(chat.app.screen, ConfirmScreen))
        chat.library.ingest_on.set()
        if palette:
            await chat.until(pilot, lambda: "rain" in chat.app.chat.corpora.names)
            await pilot.press("escape")
        await chat.see(pilot, "rain: 2 added", "To ask it: /corpus rain")
        assert chat.app.screen is chat.app.chat


async def test_escape_stops_an_answer_first(chat_of: ChatMaker, timeline: Timeline, folder: Path) -> None:
    held = FakeCorpus("space", script(timeline), hold_at=2)
    chat = chat_of(held, FakeCorpus("trains", script(timeline)))
    async with chat.open() as pilot:
        await begun(chat, pilot, folder)
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, held.reached.is_set)
        await pilot.press("escape")
        await chat.until(pilot, lambda: chat.exchanges[-1].state is State.CANCELLED)
        assert not isinstance(chat.app.screen, ConfirmScreen)
        held.go.set()
        chat.library.ingest_on.set()
        await chat.see(pilot, "rain: 2 added")


async def test_what_could_not_be_read_is_told_in_short_and_kept_whole(
    chat: Chat, folder: Path, tmp_path: Path
) -> None:
    chat.library.left_out = tuple(Failure(f"{n}.md", "it is not UTF-8 text", "save it so") for n in range(9))
    async with chat.open((120, 40)) as pilot:
        await begun(chat, pilot, folder)
        chat.library.ingest_on.set()
        log = tmp_path / "home" / "log" / "ingest.log"
        await chat.see(pilot, "rain: 2 added, 9 failed", "4.md: it is not UTF-8 text – save it so")
        await chat.see(pilot, "and 4 more; all of them:", "ingest.log")
        assert "5.md" not in chat.screen
        assert len(log.read_text().splitlines()) == 9


async def test_a_busy_corpus_is_told(chat: Chat, folder: Path) -> None:
    chat.library.ingest_fault = StoreError(
        "another process is writing to space", "wait until it has finished"
    )
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, f"/ingest {folder}")
        await chat.see(pilot, "a new corpus")
        await pilot.press("down", "enter")
        await chat.see(pilot, "another process is writing to space – wait until it has finished")
        assert "reading" not in chat.screen.splitlines()[0]


async def test_a_path_that_is_not_there_is_told(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, f"/ingest {folder.parent}/gone")
        await chat.see(pilot, "there is no file or folder")
        await chat.type(pilot, "/ingest https://example.org/x")
        await chat.see(pilot, "is an address")


async def test_a_dropped_folder_is_offered(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        prompt = chat.app.chat.prompt
        prompt.post_message(Paste(f"'{folder}'\n"))
        await chat.see(pilot, "my-notes, a new corpus")
        await pilot.press("escape")
        await chat.until(pilot, lambda: prompt.value == f"'{folder}'")
        prompt.value = "What is in "
        prompt.post_message(Paste(str(folder)))
        await chat.until(pilot, lambda: prompt.value == f"What is in {folder}")
        prompt.value = ""
        prompt.post_message(Paste("when was it?"))
        await chat.until(pilot, lambda: prompt.value == "when was it?")
        prompt.value = ""
        prompt.post_message(Paste(f"{folder}/a.md"))
        await chat.see(pilot, "space: new and changed documents are added", "a, a new corpus")
        await pilot.press("enter")
        await chat.see(pilot, "space: 2 added")
        await chat.type(pilot, f"/ingest {folder}/a.md")
        await chat.see(pilot, "a, a new corpus")
        await pilot.press("down", "enter")
        await chat.see(pilot, "a: 2 added")
    assert chat.library.ingested == [("space", [folder / "a.md"]), ("a", [folder / "a.md"])]


async def test_a_file_or_folder_is_chosen(chat: Chat, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path = folder.parent
    (tmp_path / "[b]odd\x1b[31m").mkdir()
    (tmp_path / ".hidden").write_text("")
    monkeypatch.chdir(tmp_path)
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/ingest")
        screen = await chat.see(pilot, "../", "my notes/", "[b]odd␛[31m/")
        assert isinstance(chat.app.screen, PathPicker)
        assert ".hidden" not in screen
        assert "\x1b" not in screen
        await pilot.press("full_stop")
        await chat.see(pilot, ".hidden")
        navigation = chat.app.screen.query_one(Navigation)
        await reach(pilot, navigation, "my notes")
        await pilot.press("enter")
        await chat.see(pilot, "a.md")
        await pilot.press("backspace")
        await chat.see(pilot, "my notes/")
        await reach(pilot, navigation, "my notes")
        await pilot.press("space")
        await chat.see(pilot, "my-notes, a new corpus")
        await pilot.press("escape")
        await chat.type(pilot, "/ingest")
        await chat.see(pilot, "my notes/")
        navigation = chat.app.screen.query_one(Navigation)
        await reach(pilot, navigation, "my notes")
        await pilot.press("enter")
        await chat.see(pilot, "a.md")
        await reach(pilot, navigation, "a.md")
        await pilot.press("enter")
        await chat.see(pilot, "a, a new corpus")


async def reach(pilot: Pilot[None], navigation: Navigation, name: str) -> None:
    """Highlight an entry."""
    names = [option.location.name for option in navigation.options]  # type: ignore[attr-defined]
    navigation.highlighted = names.index(name)
    await pilot.pause()


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is closed to root")
async def test_a_closed_folder_is_not_gone_into(chat: Chat, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    async with chat.open() as pilot:
        chat.app.push_screen(PathPicker(tmp_path))
        await chat.see(pilot, "closed/")
        await pilot.press("down", "enter")
        await pilot.pause(0.2)
        assert chat.app.screen.query_one(Navigation).location == tmp_path


async def test_a_folder_that_is_gone_is_not_gone_into(chat: Chat, folder: Path) -> None:
    async with chat.open() as pilot:
        chat.app.push_screen(PathPicker(folder.parent))
        await chat.see(pilot, "my notes/")
        navigation = chat.app.screen.query_one(Navigation)
        navigation.location = folder.parent / "gone"
        await pilot.pause(0.2)
        assert navigation.location == folder.parent


async def test_the_first_corpus_is_opened_when_it_is_there(
    chat_of: ChatMaker, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("timelens.tui.first_run.bundled_corpora", dict)
    chat = chat_of()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("escape")
        await chat.see(pilot, "There is no corpus yet: /ingest makes one.")
        await chat.type(pilot, f"/ingest {folder}")
        await chat.see(pilot, "my-notes, a new corpus")
        await pilot.press("enter")
        await chat.see(pilot, "my-notes: 2 added", "my-notes: 3 documents")
        assert chat.app.chat.corpus == "my-notes"


async def test_a_question_before_the_first_documents_are_read_is_put_back(
    chat_of: ChatMaker, folder: Path
) -> None:
    chat = chat_of()
    chat.library.ingest_on.clear()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("escape")
        await chat.type(pilot, f"/ingest {folder}")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, IngestScreen))
        await pilot.press("enter")
        await chat.see(pilot, "Preparing to read")
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "There is nothing to ask until")
        assert chat.app.chat.prompt.value == QUESTION
        chat.library.ingest_on.set()
        await chat.see(pilot, "my-notes: 3 documents")
        await pilot.press("enter")
        await chat.until(pilot, lambda: chat.exchanges)


async def test_the_first_corpus_is_opened_below_the_palette(
    chat_of: ChatMaker, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("timelens.tui.first_run.bundled_corpora", lambda: {"space": folder})
    chat = chat_of()
    chat.library.ingest_on.clear()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("enter", "ctrl+p")
        await chat.until(pilot, chat.library.ingesting.is_set)
        await chat.until(pilot, lambda: isinstance(chat.app.screen, CommandPalette))
        chat.library.ingest_on.set()
        await chat.until(pilot, lambda: chat.app.chat.corpus == "space")
        await pilot.press("escape")
        await chat.see(pilot, "space: 3 documents")
        assert chat.app.screen is chat.app.chat


# Which corpus is opened


async def test_among_several_one_is_chosen_once(chat: Chat, chat_of: ChatMaker) -> None:
    library = chat.library
    library.used = None
    async with chat.open() as pilot:
        await chat.see(pilot, "Which corpus do you want to ask?", "space", "trains")
        await pilot.press("down", "enter")
        await chat.see(pilot, "trains: 3 documents")
        assert library.last() == "trains"
    again = chat_of(*library.corpora.values())
    again.library.keep_last("trains")
    async with again.open() as pilot:
        await again.see(pilot, "trains: 3 documents")


async def test_nobody_has_to_choose(chat: Chat) -> None:
    chat.library.used = None
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, ChoiceScreen))
        await chat.until(pilot, lambda: chat.app.screen.query(OptionList))
        assert chat.app.screen.query_one(OptionList).option_count == 3
        await pilot.press("escape")
        await chat.see(pilot, "space: 3 documents")
        assert chat.library.last() == "space"


async def test_a_corpus_that_is_gone_is_not_missed(chat: Chat) -> None:
    chat.library.keep_last("gone")
    async with chat.open() as pilot:
        await chat.see(pilot, "Which corpus do you want to ask?")
        await pilot.press("enter")
        await chat.see(pilot, "space: 3 documents")


async def test_the_real_thing(
    corpus_home: Path,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    wait_until: WaitUntil,
    screen_text: ScreenText,
) -> None:
    """Ingest into a second corpus, look at both, and ask the second."""
    home = tmp_path / "home"
    (home / "corpora").mkdir(parents=True)
    (home / "corpora" / "stations").symlink_to(corpus_home / "corpora" / "stations")
    monkeypatch.setenv("TIMELENS_HOME", str(home))
    chat = ChatApp(
        ChatScreen(None, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history")
    )

    async def see(pilot: Pilot[None], *texts: str) -> None:
        await wait_until(pilot, lambda: all(text in screen_text(chat) for text in texts))

    async def type_line(pilot: Pilot[None], line: str) -> None:
        chat.chat.prompt.value = line
        await pilot.press("enter")

    def done(count: int) -> Callable[[], bool]:
        return lambda: [e.state for e in chat.query(Exchange)] == [State.DONE] * count

    async with chat.run_test(size=(100, 40)) as pilot:
        await see(pilot, "stations: 3 documents")
        await type_line(pilot, f"/ingest {folder}")
        await see(pilot, "my-notes, a new corpus")
        await pilot.press("enter")
        await type_line(pilot, "When was Salyut 1 launched?")
        await wait_until(pilot, done(1))
        await see(pilot, "19 April 1971", "my-notes: 1 added", "To ask it: /corpus my-notes")
        await pilot.press("f5")
        await see(pilot, "my-notes", "●  stations", "Salyut 1")
        assert isinstance(chat.screen, CorporaScreen)
        await pilot.press("up")
        await see(pilot, "events of my-notes over time", "Rain")
        await pilot.press("enter")
        await see(pilot, "my-notes: 1 document")
        await type_line(pilot, "When did it rain?")
        await wait_until(pilot, done(2))
        await see(pilot, "3 May 2004")
        assert last_corpus() == "my-notes"
        await pilot.press("f5")
        await see(pilot, "●  my-notes")
        await pilot.press("a")
        await see(pilot, "all corpora: 4 documents", "all corpora · timelens")
        await type_line(pilot, "When was Salyut 1 launched?")
        await wait_until(pilot, done(3))
        await see(pilot, "Salyut 1 (stations)")
        await pilot.press("f5")
        await see(pilot, "●  my-notes", "●  stations")
        await pilot.press("escape")
        await type_line(pilot, f"/ingest {folder}")
        await see(pilot, "my-notes: new and changed documents")
        assert "*, which" not in screen_text(chat)
        await pilot.press("escape")
    assert last_corpus() == "*"
    again = ChatApp(
        ChatScreen(None, Options(TODAY, "timelens", 5), ApiLibrary(Settings()), tmp_path / "history")
    )
    async with again.run_test(size=(100, 40)) as pilot:
        await wait_until(pilot, lambda: "all corpora: 4 documents" in screen_text(again))
