"""What is done in the chat with an answer that is there: open, copy, walk, ask again, compare."""

from dataclasses import replace
from pathlib import Path

import pytest
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from timelens.agent import AgentEvent
from timelens.answer.draft import Citation
from timelens.answer.rendering.timeline import Timeline
from timelens.store.rows import StoredDocument
from timelens.temporal.interval import year_interval
from timelens.tui import conversations
from timelens.tui.document import DocumentScreen
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import ChatLog, Exchange, State
from timelens.tui.prompt import Prompt
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.timeline.view import TimelineView

FOLLOW_UP = "And in [b]1990[/b]?"


@pytest.fixture(autouse=True)
def _no_desktop(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is copied goes into the home of the test."""
    assert home.is_dir()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)


def _corpus(timeline: Timeline, text: str = "It was in 1961 [1].") -> FakeCorpus:
    corpus = FakeCorpus("space", script(timeline, text))
    _store(corpus, timeline)
    return corpus


def _store(corpus: FakeCorpus, timeline: Timeline) -> None:
    corpus.documents += [
        StoredDocument(hit.chunk.document_id, hit.chunk.uri, hit.chunk.title, None, None, (hit.chunk,))
        for hit in timeline.hits
    ]


async def _ask(chat: Chat, pilot: Pilot[None], question: str) -> Exchange:
    before = len(chat.exchanges)
    await chat.type(pilot, question)
    return await _answered(chat, pilot, before)


async def _answered(chat: Chat, pilot: Pilot[None], before: int) -> Exchange:
    await chat.until(pilot, lambda: [e.state for e in chat.exchanges[before:]] == [State.DONE])
    await pilot.pause()
    return chat.exchanges[-1]


def _copied(home: Path) -> str:
    return (home / "copied.txt").read_text(encoding="utf-8")


def _question_line(exchange: Exchange) -> str:
    return str(exchange.query_one(".question", Static).content)


async def test_enter_on_evidence_opens_its_document(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.query_one(EvidencePanel).focus()
        await pilot.press("down", "down")
        assert chat.app.chat.query_one(EvidencePanel).selected == 2
        await pilot.press("enter")
        await chat.see(pilot, "[2] First flight 1", "It was.", "no day of its own")
        await pilot.press("escape")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, DocumentScreen))
        assert isinstance(chat.app.focused, EvidencePanel)


async def test_keys_of_a_document_leave_the_focus_in_the_evidence(
    home: Path, chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open() as pilot:
        await _ask(chat, pilot, QUESTION)
        await pilot.press("f2", "down", "enter")
        await chat.see(pilot, "[1] First flight 0", "no day of its own")
        await pilot.press(*"npdcx")
        await pilot.press("escape")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, DocumentScreen))
        assert isinstance(chat.app.focused, EvidencePanel)
        await pilot.press("y")
        await chat.until(pilot, (home / "copied.txt").exists)
        assert "First flight 0" in _copied(home)
        assert chat.app.chat.prompt.value == ""


async def test_what_is_typed_without_a_focus_goes_to_the_prompt(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open() as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.set_focus(None)
        await pilot.press(*"Who")
        assert chat.app.chat.prompt.value == "Who"


async def test_open_takes_a_number_or_what_is_selected(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open() as pilot:
        await chat.type(pilot, "/open")
        await chat.see(pilot, "there is no evidence yet – ask a question first")
        await chat.type(pilot, "/again")
        await chat.see(pilot, "there is no answer yet – ask a question first")
        await _ask(chat, pilot, QUESTION)
        await chat.type(pilot, "/open 3")
        await chat.see(pilot, "[3] First flight 2", "It was.")
        await pilot.press("escape")
        await chat.type(pilot, "/open 9")
        await chat.see(pilot, "there is no evidence 9 – choose a number from 1 to 3")
        chat.app.chat.select(2)
        await chat.type(pilot, "/open")
        await chat.see(pilot, "[2] First flight 1", "no day of its own")
        await pilot.press("escape")


async def test_a_second_click_on_a_citation_opens_it(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        exchange = await _ask(chat, pilot, QUESTION)
        chat.app.chat.post_message(Exchange.CitationClicked(exchange, 1))
        await chat.until(pilot, lambda: chat.app.chat.query_one(EvidencePanel).selected == 1)
        assert not isinstance(chat.app.screen, DocumentScreen)
        chat.app.chat.post_message(Exchange.CitationClicked(exchange, 1))
        await chat.see(pilot, "[1] First flight 0", "no day of its own")


async def test_a_document_that_is_gone_is_told(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((120, 40)) as pilot:
        await _ask(chat, pilot, QUESTION)
        await chat.type(pilot, "/open 1")
        await chat.see(pilot, "First flight 0 is not in space any more", "The cited text: “It was.”")


async def test_a_document_opens_while_an_answer_is_written(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = _corpus(timeline)
    corpus.hold_at = 5
    chat = chat_of(corpus)
    async with chat.open((120, 40)) as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was")
        await chat.type(pilot, "/open 1")
        await chat.see(pilot, "[1] First flight 0", "no day of its own")
        corpus.go.set()
        await pilot.press("escape")
        await chat.see(pilot, "It was in 1961")


async def test_evidence_from_the_history_is_opened_from_its_corpus(
    chat_of: ChatMaker, timeline: Timeline, home: Path
) -> None:
    text = "It came before. It was. It came after."
    (first, *rest) = timeline.citations
    chunk = replace(first.hit.chunk, text=text, sentences=((0, 15), (16, 23), (24, 38)))
    shown = Timeline((Citation(first.number, replace(first.hit, chunk=chunk, sentence=1)), *rest))
    chat = chat_of(_corpus(shown))
    async with chat.open() as pilot:
        await _ask(chat, pilot, QUESTION)
    corpus = _corpus(shown)
    other = FakeCorpus("another", script(timeline))
    chat = chat_of(other, corpus)
    async with chat.open((120, 40)) as pilot:
        await pilot.press("f4", "enter")
        await chat.see(pilot, "It was in 1961")
        await chat.type(pilot, "/open 1")
        await chat.see(pilot, "[1] First flight 0", text)
        assert any("[1]  It came before. It was." in line for line in chat.screen.splitlines())
        await pilot.press("y")
        await chat.see(pilot, "Copied,")
        assert _copied(home).endswith("/somewhere/First flight 0\n")
        await pilot.press("escape")
        corpus.documents = []
        await chat.type(pilot, "/open 1")
        await chat.see(pilot, "is not in space any more")


async def test_a_document_of_the_corpora_is_shown_without_a_citation(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    corpus = _corpus(timeline)
    chunk = replace(timeline.hits[0].chunk, document_id="log")
    corpus.documents = [StoredDocument("log", "/notes/log.md", "The log", None, None, (chunk,))]
    chat = chat_of(corpus)
    async with chat.open((100, 30)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await pilot.press("f5")
        await chat.see(pilot, "A plan without a day")
        await pilot.press("tab", "tab", "enter")
        screen = await chat.see(pilot, "The log", "/notes/log.md", chunk.text[:20])
        assert "[1]" not in screen
        assert "1 of 1" not in screen
        assert "Copy" not in screen
        await pilot.press("n", "c", "y", "q")
        await chat.see(pilot, "A plan without a day")


async def test_y_copies_the_answer_or_the_selected_evidence(
    chat_of: ChatMaker, timeline: Timeline, home: Path
) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.query_one(ChatLog).focus()
        await pilot.press("y")
        await chat.see(pilot, "Copied, if")
        source = "[1] First flight 0, 12 April 1961: /somewhere/First flight 0\n"
        answer = f"{QUESTION}\n\nIt was in 1961 [1].\n\n{source}"
        assert _copied(home) == answer
        assert chat.app.clipboard == answer
        for panel in (EvidencePanel, TimelinePanel):
            chat.app.chat.query_one(panel).focus()
            chat.app.chat.select(2)
            await pilot.press("y")
            await chat.until(pilot, lambda: "First flight 1" in _copied(home))
            source = "First flight 1, page 3, 1971 to 1979\n/somewhere/First flight 1\n"
            assert _copied(home) == f"“It was.”\n{source}"
            (home / "copied.txt").write_text("")
        chat.app.chat.query_one(Prompt).focus()
        await chat.type(pilot, "/copy 3")
        await chat.until(pilot, lambda: "First flight 2" in _copied(home))
        await chat.type(pilot, "/copy")
        await chat.until(pilot, lambda: _copied(home) == answer)
        await chat.type(pilot, "/copy x")
        await chat.see(pilot, "there is no evidence x – choose a number from 1 to 3")


async def test_keys_that_are_letters_take_nothing_from_typing(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open() as pilot:
        await _ask(chat, pilot, QUESTION)
        await pilot.press(*"yes, or")
        assert chat.app.chat.query_one(Prompt).value == "yes, or"
        assert len(chat.exchanges) == 1


async def _two(chat: Chat, pilot: Pilot[None], corpus: FakeCorpus, second: list[AgentEvent]) -> None:
    await _ask(chat, pilot, QUESTION)
    corpus.events = second
    await _ask(chat, pilot, FOLLOW_UP)


async def test_alt_up_and_down_walk_through_the_answers(
    chat_of: ChatMaker, timeline: Timeline, timeline_of: TimelineMaker, home: Path
) -> None:
    corpus = _corpus(timeline)
    second = timeline_of(year_interval(1990), title="Second flight")
    _store(corpus, second)
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await pilot.press("alt+up")  # nothing to walk to
        await _two(chat, pilot, corpus, script(second, "Later [1]."))
        first, last = chat.exchanges
        assert _question_line(first).startswith("> ")
        assert _question_line(last).startswith("▶ ")
        await pilot.press("alt+up")
        await chat.see(pilot, "First flight 0", "Evidence of an earlier question")
        assert _question_line(first).startswith("▶ ")
        assert _question_line(last).startswith("> ")
        await pilot.press("alt+up")  # it is the first
        assert chat.app.chat.shown is first
        await chat.type(pilot, "/copy 1")
        await chat.until(pilot, lambda: "First flight 0" in _copied(home))
        await chat.type(pilot, "/open 2")
        await chat.see(pilot, "[2] First flight 1", "no day of its own")
        await pilot.press("escape", "alt+down")
        await chat.see(pilot, "Second flight 0")
        await pilot.press("alt+down")
        assert chat.app.chat.shown is last
        await chat.type(pilot, "/copy 1")
        await chat.until(pilot, lambda: "Second flight 0" in _copied(home))


async def test_r_asks_again_under_the_present_options_after_what_came_before(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    corpus = _corpus(timeline)
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await _two(chat, pilot, corpus, script(timeline, question=FOLLOW_UP))
        await chat.type(pilot, "/strategy bm25")
        chat.app.chat.query_one(ChatLog).focus()
        await pilot.press("r")
        again = await _answered(chat, pilot, 2)
        assert again.question == FOLLOW_UP
        assert [strategy for _, _, strategy, _ in corpus.asked] == ["timelens", "timelens", "bm25"]
        turns = [None if turn is None else turn.question for turn in corpus.after]
        assert turns == [None, QUESTION, QUESTION]  # not after itself
        await pilot.press("alt+up", "alt+up")
        chat.app.chat.query_one(Prompt).focus()
        await chat.type(pilot, "/again")
        await _answered(chat, pilot, 3)
        assert corpus.asked[-1] == (QUESTION, TODAY, "bm25", None)
        assert corpus.after[-1] is None


async def test_e_puts_the_question_back_and_loses_no_draft(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = _corpus(timeline)
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await _two(chat, pilot, corpus, script(timeline, question=FOLLOW_UP))
        prompt = chat.app.chat.query_one(Prompt)
        prompt.value = "a draft"
        chat.app.chat.query_one(ChatLog).focus()
        await pilot.press("e")
        await chat.until(pilot, lambda: prompt.value == FOLLOW_UP)
        assert prompt.has_focus
        await pilot.press("up")
        assert prompt.value == "a draft"
        await pilot.press("alt+up")
        await chat.type(pilot, "/edit")
        await chat.until(pilot, lambda: prompt.value == QUESTION)
        assert len(chat.exchanges) == 2


async def test_another_strategy_is_compared_with_the_answer(
    chat_of: ChatMaker, timeline: Timeline, timeline_of: TimelineMaker
) -> None:
    corpus = _corpus(timeline)
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        one, two, _ = timeline.citations
        other = timeline_of(year_interval(1990), title="Other").citations[0]
        ranked = [replace(piece, number=number) for number, piece in enumerate((two, one, other), start=1)]
        corpus.events = script(Timeline(tuple(ranked)))
        await chat.type(pilot, "/compare bm25")
        again = await _answered(chat, pilot, 1)
        await chat.see(
            pilot,
            "evidence of bm25 compared with timelens: 1 new, 1 gone, 2 at another rank, 0",
            "+ [3] 1990 · Other 0",
            "− [3] undated · First flight 2",
            "↑ [1] 1971 to 1979 · First flight 1, was [2]",
            "↓ [2] 12 April 1961 · First flight 0, was [1]",
        )
        assert again.strategy == "bm25"
        assert chat.app.chat.options.strategy == "timelens"
        await chat.type(pilot, "/compare nothing")
        await chat.see(pilot, "there is no strategy")


async def test_s_offers_the_other_strategies(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = _corpus(timeline)
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.query_one(ChatLog).focus()
        await pilot.press("s")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, CommandPalette))
        await chat.see(pilot, "hybrid", "tarag", "mrag")
        await pilot.press(*"tarag")
        await pilot.pause(0.5)
        await pilot.press("enter", "enter")
        await _answered(chat, pilot, 1)
        await chat.see(pilot, "evidence of tarag compared with timelens: 0 new, 0 gone, 0 at another rank, 3")
        assert corpus.asked[-1][2] == "tarag"


async def test_nothing_is_asked_again_amid_an_answer(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = _corpus(timeline)
    corpus.hold_at = 5
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was")
        chat.app.chat.query_one(ChatLog).focus()
        await pilot.press("r", "s")
        await chat.see(pilot, "A question is being answered.")
        assert len(chat.exchanges) == 1
        corpus.go.set()
        await chat.see(pilot, "It was in 1961")


async def test_walking_up_brings_back_what_was_asked_before(
    chat_of: ChatMaker, timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversations, "_AT_ONCE", 4)
    corpus = _corpus(timeline)
    chat = chat_of(corpus)
    async with chat.open((120, 40)) as pilot:
        for number in range(6):
            await _ask(chat, pilot, f"{QUESTION} {number}")
    chat = chat_of(_corpus(timeline))
    async with chat.open((120, 40)) as pilot:
        await pilot.press("f4", "enter")
        await chat.until(pilot, lambda: len(chat.exchanges) == 4)
        await pilot.pause()
        for _ in range(5):
            await pilot.press("alt+up")
        await chat.until(pilot, lambda: len(chat.exchanges) == 6)
        await chat.until(pilot, lambda: chat.app.chat.shown is chat.exchanges[0])
        assert chat.exchanges[0].question == f"{QUESTION} 0"


async def test_tab_goes_to_the_timeline_and_a_click_into_the_log_goes_nowhere(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        await pilot.click(ChatLog)
        reached = [type(chat.app.focused)]
        for _ in range(4):
            await pilot.press("tab")
            reached.append(type(chat.app.focused))
        assert reached == [Prompt, TimelineView, EvidencePanel, ChatLog, Prompt]


@pytest.mark.parametrize("panel", [TimelineView, EvidencePanel, ChatLog])
async def test_a_command_typed_in_a_panel_goes_to_the_prompt(
    chat_of: ChatMaker, timeline: Timeline, panel: type[Widget]
) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.query_one(panel).focus()
        await pilot.pause()
        await pilot.press(*"/help")
        assert chat.app.chat.prompt.value == "/help"
        assert chat.app.focused is chat.app.chat.prompt
        await pilot.press("enter")
        await chat.see(pilot, "All keys: F1.")
        assert len(chat.exchanges) == 1


async def test_a_key_of_the_timeline_is_not_typed(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(_corpus(timeline))
    async with chat.open((160, 50)) as pilot:
        await _ask(chat, pilot, QUESTION)
        chat.app.chat.query_one(TimelinePanel).focus()
        await pilot.pause()
        await pilot.press("plus", "b", "m", "v")
        assert chat.app.chat.prompt.value == ""
        assert chat.app.chat.maximized is chat.app.chat.query_one(TimelinePanel)
        await pilot.press("W")
        assert chat.app.chat.prompt.value == "W"
        assert chat.app.chat.maximized is None
