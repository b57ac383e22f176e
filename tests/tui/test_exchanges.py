"""Whose evidence the panels show, and citations that are clicked."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.style import Style
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.pilot import Pilot
from textual.widgets import Static

from timelens.agent import Answered, Reworded
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import Timeline
from timelens.history import History, KeptExchange
from timelens.temporal.interval import year_interval
from timelens.tui.exchange import ChatLog, Exchange, State
from timelens.tui.stored_answer import stored_json
from timelens.tui.timeline.panel import TimelinePanel


async def ask(chat: Chat, pilot: Pilot[None], question: str) -> Exchange:
    before = len(chat.exchanges)
    await chat.type(pilot, question)
    await chat.until(pilot, lambda: [e.state for e in chat.exchanges[before:]] == [State.DONE])
    await pilot.pause()
    return chat.exchanges[-1]


def reversed_texts(chat: Chat) -> list[str]:
    """What stands in the log in reverse."""
    log = chat.app.chat.chat_log.region
    rows = chat.app.screen._compositor.render_strips()[log.y : log.bottom]
    strips = [strip.crop(log.x, log.right) for strip in rows]
    return [s.text for strip in strips for s in strip if "[" in s.text and (s.style or Style()).reverse]


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_question_without_hits_keeps_the_earlier_evidence_marked_as_such(
    chat_of: ChatMaker, timeline: Timeline, size: tuple[int, int]
) -> None:
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open(size) as pilot:
        await ask(chat, pilot, QUESTION)
        assert "earlier question" not in chat.screen
        corpus.events = script(Timeline(()), "Nothing.", nearest=())
        await ask(chat, pilot, "What of [b]nothing[/b]?")
        await chat.see(
            pilot, "Nothing was found for the last question.", "Evidence of an earlier", "12 Apr 1961"
        )
        await ask(chat, pilot, "And again?")
        assert chat.app.chat.shown is chat.exchanges[0]
        corpus.events = script(timeline)
        await ask(chat, pilot, QUESTION)
        await chat.until(pilot, lambda: "earlier question" not in chat.screen)
        assert chat.app.chat.shown is chat.exchanges[-1]


async def test_where_nothing_was_found_yet_the_panels_say_so(chat_of: ChatMaker) -> None:
    chat = chat_of(FakeCorpus("space", script(Timeline(()), "Nothing.")))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "Nothing.", "1960 to 1999")
        assert "earlier question" not in chat.screen


async def test_a_clicked_question_shows_its_evidence(
    chat_of: ChatMaker, timeline: Timeline, timeline_of: TimelineMaker
) -> None:
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        first = await ask(chat, pilot, QUESTION)
        corpus.events = script(timeline_of(year_interval(1990), title="Second flight"))
        await ask(chat, pilot, "And in [b]1990[/b]?")
        await chat.see(pilot, "Second flight")
        await pilot.click(first.query_one(".question", Static))
        await chat.see(pilot, "First flight", f"Evidence of an earlier question: {QUESTION[:20]}")
        assert "Second flight" not in chat.screen
        await pilot.click(chat.exchanges[-1].query_one(".question", Static))
        await chat.see(pilot, "Second flight")
        await chat.until(pilot, lambda: "earlier question" not in chat.screen)


async def test_a_clicked_citation_lights_up_in_its_answer(chat_of: ChatMaker, timeline: Timeline) -> None:
    text = "It was in 1961 [1].\nIt was [2] and [1]."
    corpus = FakeCorpus("space", script(timeline, text))
    chat = chat_of(corpus)
    async with chat.open((160, 50)) as pilot:
        first = await ask(chat, pilot, QUESTION)
        second = await ask(chat, pilot, QUESTION)
        answer = first.query_one(".answer", Static)
        await pilot.click(answer, offset=(2 + text.index("[1]") + 2, 0))  # after the sign of the date
        await chat.until(pilot, lambda: reversed_texts(chat) == ["[1]", "[1]"])
        assert chat.app.chat.shown is first
        assert chat.app.query_one(TimelinePanel).selected == 1
        await chat.see(pilot, "Evidence of an earlier question")
        await pilot.click(second.query_one(".answer", Static), offset=(2 + 8, 1))
        await chat.until(pilot, lambda: reversed_texts(chat) == ["[2]"])
        assert chat.app.chat.shown is second
        chat.app.chat.select(None)
        await chat.until(pilot, lambda: reversed_texts(chat) == [])
        assert chat.app.query_one(TimelinePanel).selected is None


async def test_a_number_that_no_evidence_has_does_no_harm(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline, f"See [99] [{'9' * 5000}] [1].")))
    async with chat.open() as pilot:
        exchange = await ask(chat, pilot, QUESTION)
        await pilot.click(exchange.query_one(".answer", Static), offset=(2 + 5, 0))
        await chat.until(pilot, lambda: reversed_texts(chat) == ["[99]"])


async def test_a_long_conversation_is_shown_from_its_end_and_loaded_upwards(
    chat_of: ChatMaker, timeline: Timeline, tmp_path: Path
) -> None:
    history = History(tmp_path / "conversations.sqlite")
    asked = datetime(2024, 6, 1, 12, tzinfo=UTC)
    result = stored_json(None, ShownEvidence(timeline))
    conversation = None
    for number in range(45):
        question, answer = f"Question {number:02}?", "It was in 1961 [1]."
        kept = KeptExchange(question, "space", TODAY, "timelens", "answered", answer, result, asked)
        conversation = history.append(conversation, kept)
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await pilot.press("f4")
        await chat.see(pilot, "45 questions")
        await pilot.press("enter")
        await chat.see(pilot, "Question 44?")
        log = chat.app.query_one(ChatLog)

        def questions() -> list[str]:
            return [exchange.question for exchange in chat.exchanges]

        assert questions() == [f"Question {number:02}?" for number in range(25, 45)]
        log.scroll_home(animate=False)
        await chat.until(pilot, lambda: len(chat.exchanges) == 40)
        await chat.until(pilot, lambda: "> Question 25?" in chat.screen and log.scroll_y > 0)
        log.scroll_home(animate=False)
        await chat.until(pilot, lambda: len(chat.exchanges) == 45)
        assert questions() == [f"Question {number:02}?" for number in range(45)]
        await chat.until(pilot, lambda: "> Question 05?" in chat.screen and log.scroll_y > 0)
        log.scroll_home(animate=False)
        await chat.see(pilot, "> Question 00?")
        assert "earlier question" not in chat.screen
        await ask(chat, pilot, QUESTION)
        await chat.see(pilot, "It was in 1961✗ [1].")


async def test_a_note_is_shown_once(chat_of: ChatMaker, timeline: Timeline) -> None:
    *events, last = script(timeline)
    assert isinstance(last, Answered)
    read_as = "What happened after 1999?"
    notes = (f"read as: {read_as}", *last.answer.notes, *last.answer.notes)
    events = [Reworded(read_as), *events, Answered(replace(last.answer, notes=notes))]
    chat = chat_of(FakeCorpus("space", events))
    async with chat.open((160, 50)) as pilot:
        await ask(chat, pilot, QUESTION)
        assert chat.screen.count("the filter was widened") == 1
        assert chat.screen.count("read as:") == 1
        await pilot.press("f3")
        await chat.until(pilot, lambda: "plan:" not in chat.screen)
        assert chat.screen.count("read as:") == 1
