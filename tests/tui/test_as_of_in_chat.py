"""The day that counts as today, in the chat over a real corpus: set, moved along, two compared."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_chat import ScreenText, TimelineMaker, WaitUntil
from textual.pilot import Pilot

from timelens.config import Settings
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import year_interval
from timelens.tui.app import ChatApp
from timelens.tui.differences import Marked, ShownAnswer, marked, sides_of, summary
from timelens.tui.exchange import Exchange, State
from timelens.tui.options import Options
from timelens.tui.screen import ChatScreen
from timelens.tui.scrubber import Scrubber
from timelens.tui.two_days import TwoDaysScreen
from timelens.tui.worker import ApiLibrary

TODAY = parse_day("2024-06-01")
KEEPERS = """name,office,start,end
Ada Lind,keeper of North Point,1980-01-01,1990-01-01
Bo Falk,keeper of North Point,1990-01-01,2005-01-01
Cleo Dahl,keeper of North Point,2005-01-01,
"""
QUESTION = "Who is the keeper of North Point now?"


@pytest.fixture(scope="module")
def keepers_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with a corpus of one table, of who kept a lighthouse when."""
    table = tmp_path_factory.mktemp("documents") / "keepers.csv"
    table.write_text(KEEPERS, encoding="utf-8")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        open_corpus("keepers").ingest([table])
    return home


class Chat:
    def __init__(self, history: Path, wait_until: WaitUntil, screen_text: ScreenText) -> None:
        options = Options(TODAY, "timelens", 5)
        self.app = ChatApp(
            ChatScreen("keepers", options, ApiLibrary(Settings()), history, settings=Settings())
        )
        self._wait_until = wait_until
        self._screen_text = screen_text

    def open(self, size: tuple[int, int] = (120, 40)) -> AbstractAsyncContextManager[Pilot[None]]:
        return self.app.run_test(size=size, notifications=True)

    async def type(self, pilot: Pilot[None], line: str) -> None:
        self.app.chat.prompt.value = line
        await pilot.press("enter")

    async def ask(self, pilot: Pilot[None], question: str = QUESTION) -> None:
        count = len(self.exchanges)
        await self.type(pilot, question)
        await self._wait_until(pilot, lambda: [e.state for e in self.exchanges] == [State.DONE] * (count + 1))

    async def see(self, pilot: Pilot[None], *texts: str) -> str:
        await self._wait_until(pilot, lambda: all(text in self.screen for text in texts))
        return self.screen

    async def until(self, pilot: Pilot[None], condition: Callable[[], object]) -> None:
        await self._wait_until(pilot, condition)

    @property
    def screen(self) -> str:
        return self._screen_text(self.app)

    @property
    def exchanges(self) -> list[Exchange]:
        return list(self.app.chat.query(Exchange))


@pytest.fixture
def chat(
    keepers_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wait_until: WaitUntil,
    screen_text: ScreenText,
) -> Chat:
    monkeypatch.setenv("TIMELENS_HOME", str(keepers_home))
    return Chat(tmp_path / "history", wait_until, screen_text)


async def test_the_day_is_read_as_a_question_reads_it_and_said_back(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.type(pilot, "/asof 1984")
        await chat.see(pilot, "as of 31 December 1984", "as of 1984-12-31")
        await chat.ask(pilot)
        await chat.see(pilot, "Ada Lind")
        await chat.type(pilot, "/asof")
        await chat.see(pilot, "as of 1 June 2024")
        assert chat.app.chat.options.as_of == TODAY


async def test_a_question_right_behind_the_day_is_asked_under_it(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.type(pilot, "/asof last May")
        await chat.ask(pilot)
        assert chat.app.chat.options.as_of == parse_day("2024-05-31")


async def test_the_evidence_follows_the_slider_and_esc_brings_back_what_was(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.ask(pilot)
        await chat.see(pilot, "Cleo Dahl")
        await pilot.press("f8")
        await chat.see(pilot, "as of 1 June 2024")
        assert isinstance(chat.app.focused, Scrubber)
        await pilot.press(*["pagedown"], *["pageup"] * 3)
        await chat.see(pilot, "as of 1 June 1994", "Bo Falk")
        await chat.until(pilot, lambda: "Cleo" not in chat.screen)
        assert chat.app.chat.options.as_of == TODAY
        await pilot.press("pageup")
        await chat.see(pilot, "as of 1 June 1984", "Ada Lind")
        assert sum(exchange.display for exchange in chat.exchanges) == 1
        await pilot.press("escape")
        await chat.see(pilot, "Cleo Dahl")
        assert len(chat.exchanges) == 1
        assert not chat.app.chat.query(Scrubber)
        assert chat.app.chat.prompt.has_focus


async def test_enter_on_the_slider_asks_as_of_its_day(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.ask(pilot)
        await pilot.press("f8", *["pageup"] * 3, "enter")
        await chat.until(pilot, lambda: [e.state for e in chat.exchanges] == [State.DONE] * 2)
        await chat.see(pilot, "Bo Falk", "Cleo Dahl", "as of 1994-06-01")
        assert not chat.app.chat.query(Scrubber)


async def test_what_is_typed_takes_the_slider_away_first(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.ask(pilot)
        await pilot.press("f8", "pageup", "pageup", "pageup")
        await chat.see(pilot, "Bo Falk")
        chat.app.chat.prompt.focus()
        await chat.ask(pilot, "Who was the keeper of North Point in 1985?")
        assert not chat.app.chat.query(Scrubber)
        assert [exchange.display for exchange in chat.exchanges] == [True, True]
        await chat.see(pilot, "Ada Lind")


async def test_f8_takes_the_slider_away_again_and_the_command_too(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.ask(pilot)
        await pilot.press("f8", "f8")
        assert not chat.app.chat.query(Scrubber)
        await chat.type(pilot, "/scrub")
        await chat.until(pilot, lambda: chat.app.chat.query(Scrubber))
        chat.app.chat.prompt.focus()
        await pilot.press("escape")
        await chat.until(pilot, lambda: not chat.app.chat.query(Scrubber))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_two_days_stand_side_by_side_with_what_differs(chat: Chat, size: tuple[int, int]) -> None:
    async with chat.open(size) as pilot:
        await chat.ask(pilot)
        await chat.type(pilot, "/asof 1984 vs 1995")
        await chat.see(pilot, "as of 31 December 1984", "as of 31 December 1995", "The answers differ")
        rows = chat.screen.splitlines()
        (answers,) = [row for row in rows if "Ada Lind" in row and "Bo Falk" in row][:1]
        assert answers.count("█") + answers.count("▌") + answers.count("┃") == 2
        assert answers.index("Ada Lind") < size[0] // 2 <= answers.index("Bo Falk")
        assert chat.app.chat.options.as_of == TODAY
        await pilot.press("escape")
        await chat.see(pilot, "Cleo Dahl")
        assert not isinstance(chat.app.screen, TwoDaysScreen)
        assert len(chat.exchanges) == 1


async def test_one_day_twice_differs_in_nothing(chat: Chat) -> None:
    async with chat.open() as pilot:
        await chat.ask(pilot)
        await chat.type(pilot, "/asof 1984 | 1984-06-01")
        await chat.see(pilot, "Nothing differs.")


def test_what_the_other_side_lacks_is_marked_in_any_order() -> None:
    one, other = marked(["a", "B", "c"], ["C", "b", "d"], str.casefold)
    assert one == (Marked("a", differs=True), Marked("B", differs=False), Marked("c", differs=False))
    assert other == (Marked("C", differs=False), Marked("b", differs=False), Marked("d", differs=True))
    assert marked([], ["x"], str) == ((), (Marked("x", differs=True),))


def test_evidence_is_the_same_wherever_it_stands(timeline_of: TimelineMaker) -> None:
    citations = timeline_of(year_interval(1961), year_interval(1971), year_interval(1981)).citations
    one = ShownAnswer("It was A [1].\nAnd B [2].", citations[:2])
    other = ShownAnswer(
        "It was A [2].\n\nAnd C [1].", tuple(replace(c, number=c.number + 5) for c in citations[1:])
    )
    left, right = sides_of(one, other)
    assert [item.differs for item in (*left.answer, *right.answer)] == [False, True, False, True]
    assert [item.text.split(" ·")[0] for item in left.evidence if item.differs] == ["[1] A title 0"]
    assert [item.text.split(" ·")[0] for item in right.evidence if item.differs] == ["[8] A title 2"]
    assert summary(left, right) == ("The answers differ. Evidence only on the left: 1, only on the right: 1.")
    assert summary(*sides_of(one, one)) == "Nothing differs."
