"""Conversations in the chat: kept, found again, renamed, deleted, exported; prompts recalled."""

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scripted_chat import QUESTION, TODAY, Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.pilot import Pilot
from textual.widgets import OptionList

from timelens.agent import Answered, Reworded
from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence
from timelens.answer.rendering.timeline import Timeline
from timelens.errors import BadInputError
from timelens.history import History, KeptExchange
from timelens.question.parsed_question import PeriodRole
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import year_interval
from timelens.tui.dialogs import ConfirmScreen, HistoryScreen
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import State
from timelens.tui.export import exported, write_new
from timelens.tui.prompt import Prompt
from timelens.tui.stored_answer import read_stored_json, stored_json

HOSTILE = "[red]alarm[/red] \x1b[2J\u202etxt.exe"


@pytest.fixture
def history(tmp_path: Path) -> History:
    """The one that the chats of ``chat_of`` share."""
    return History(tmp_path / "conversations.sqlite")


def kept(question: str, answer: str = "It was in 1961 [1].", **values: str | None) -> KeptExchange:
    status, corpus = values.get("status") or "answered", values.get("corpus") or "space"
    asked = datetime(2024, 6, 1, 12, tzinfo=UTC)
    return KeptExchange(question, corpus, TODAY, "timelens", status, answer, values.get("result"), asked)


async def ask(chat: Chat, pilot: Pilot[None], question: str) -> None:
    before = len(chat.exchanges)
    await chat.type(pilot, question)
    await chat.until(pilot, lambda: [e.state for e in chat.exchanges[before:]] == [State.DONE])


async def resume(chat: Chat, pilot: Pilot[None], seen: str, *keys: str) -> None:
    """Open a conversation of the history that shows ``seen``: the first, or the one that the keys go to."""
    await chat.type(pilot, "/history")
    await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
    await chat.see(pilot, seen)
    await pilot.press(*keys, "enter")


async def test_a_question_is_kept_as_it_is_asked(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=2)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, corpus.reached.is_set)
        await chat.until(pilot, history.conversations)
        [conversation] = history.conversations()
        [running] = history.exchanges(conversation.id)
        assert (running.question, running.status, running.answer) == (QUESTION, "running", "")
        corpus.go.set()
        await chat.until(pilot, lambda: history.exchanges(conversation.id)[0].status == "answered")
    assert len(history.exchanges(conversation.id)) == 1
    assert "*ended before the answer*" in exported("", [running], ".md")

    history.append(conversation.id, replace(running, question="Cut short?"))
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await resume(chat, pilot, QUESTION)
        await chat.see(pilot, "the chat ended before the answer")


async def test_every_exchange_is_kept_as_it_ends(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await ask(chat, pilot, QUESTION)
        await ask(chat, pilot, "And then?")
        await chat.until(pilot, lambda: history.conversations()[0].exchanges == 2)
        await chat.type(pilot, "/new")
        await chat.see(pilot, "A new conversation.")
        assert QUESTION not in chat.screen
        await ask(chat, pilot, "Another thing?")
    newer, older = history.conversations()
    assert (newer.title, older.title, older.corpus) == ("Another thing?", QUESTION, "space")
    first, second = history.exchanges(older.id)
    assert (first.question, first.status, first.as_of, first.strategy) == (
        QUESTION,
        "answered",
        TODAY,
        "timelens",
    )
    assert first.answer == "It was in 1961 [1]."
    assert json.loads(first.result or "")["citations"][0]["n"] == 1
    assert second.question == "And then?"


async def test_a_conversation_is_found_and_shown_again_in_its_corpus(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await ask(chat, pilot, QUESTION)
    history.append(None, kept("What else?"))

    chat = chat_of(FakeCorpus("a-first", script(timeline)), FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "a-first: 3 documents")
        await pilot.press("f4")
        await chat.see(pilot, "What else?", QUESTION, "2 conversations", "space · 1 question")
        await pilot.press(*"happened")
        await chat.until(pilot, lambda: "What else?" not in chat.screen and "1 conversation" in chat.screen)
        await pilot.press("enter")
        screen = await chat.see(
            pilot, "It was in 1961✗ [1].", "✗ 1 contradicted", "the filter was widened", "space · timelens"
        )
        assert "●" in screen
        assert "▄" in screen
        await pilot.press("f2")
        await chat.see(pilot, "cited · score 0.45 (meaning 0.50, words 0.20, time 0.90)", "page 3")
        await pilot.press("f2")
        await ask(chat, pilot, "And then?")
    assert [(c.title, c.exchanges) for c in history.conversations()] == [(QUESTION, 2), ("What else?", 1)]


async def test_what_was_said_before_goes_along_with_a_question(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await ask(chat, pilot, QUESTION)
        await ask(chat, pilot, "And then?")
        await chat.type(pilot, "/new")
        await chat.see(pilot, "A new conversation.")
        await ask(chat, pilot, "And now?")
    assert [turn and turn.question for turn in corpus.after] == [None, QUESTION, None]


async def test_a_resumed_conversation_is_the_context_of_what_is_asked_next(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await ask(chat, pilot, QUESTION)
        before = chat.exchanges[-1].turn
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await pilot.press("f4")
        await chat.see(pilot, "1 conversation")
        await pilot.press("enter")
        await chat.see(pilot, "asked 20")
        await ask(chat, pilot, "And then?")
    assert before is not None
    assert corpus.after == [before]


async def test_a_conversation_of_a_removed_corpus_leaves_no_corpus_open(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    history.append(None, kept("Who was it?", corpus="gone"))
    space = FakeCorpus("space", script(timeline))
    chat = chat_of(space)
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await resume(chat, pilot, "Who was it?")
        await chat.see(pilot, "there is no corpus gone – /corpus space", "timelens  no corpus")
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "no corpus is open")
        assert space.asked == []
        await chat.type(pilot, "/corpus space")
        await chat.see(pilot, "space: 3 documents")
        await ask(chat, pilot, QUESTION)


async def test_a_resumed_conversation_goes_on_as_of_its_own_day(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    today = kept("Asked on its day?")
    history.append(None, today)
    history.append(None, replace(today, question="Asked of 1990?", as_of=parse_day("1990-05-01")))
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await resume(chat, pilot, "Asked of 1990?")
        await chat.see(pilot, "Questions are asked as of 1 May 1990.", "as of 1990-05-01")
        await resume(chat, pilot, "Asked on its day?", "down")
        await chat.see(pilot, "Questions are asked as of 1 June 2024.", "as of 2024-06-01")


async def test_markdown_tells_how_a_question_was_read_and_where_its_evidence_is(
    timeline: Timeline, chat_of: ChatMaker, tmp_path: Path
) -> None:
    *events, answered = script(timeline)
    assert isinstance(answered, Answered)
    answer = replace(answered.answer, notes=("read as: What happened after 1999?", *answered.answer.notes))
    chat = chat_of(FakeCorpus("space", [*events, Answered(answer)]))
    async with chat.open() as pilot:
        await ask(chat, pilot, "and after that?")
        await chat.type(pilot, f"/export {tmp_path / 'new.md'}")
        await chat.until(pilot, (tmp_path / "new.md").exists)
    markdown = (tmp_path / "new.md").read_text(encoding="utf-8")
    assert "\n\n*read as: What happened after 1999?*\n\n*note: the filter was widened*\n" in markdown
    assert "- \\[1\\] 12 April 1961: First flight 0 · /somewhere/First flight 0\n" in markdown


async def test_a_conversation_without_a_corpus_and_with_a_question_mark(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    history.append(None, replace(kept("Between 1990 and 2020?", status="failed"), corpus=""))
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await resume(chat, pilot, "Between 1990 and 2020?")
        assert "· ·" not in await chat.see(pilot, "· timelens · as of 2024-06-01")
        await chat.type(pilot, "/delete")
        await chat.see(pilot, "Delete this conversation: Between 1990 and 2020?")
        assert "??" not in chat.screen
        await pilot.press("n")
        exported_text = exported("", history.exchanges(history.conversations()[0].id), ".md")
        assert "· ·" not in exported_text


async def test_how_a_follow_up_was_read_is_shown(chat_of: ChatMaker, timeline: Timeline) -> None:
    events = [Reworded("What happened after 1999?"), *script(timeline)]
    chat = chat_of(FakeCorpus("space", events, hold_at=2))
    async with chat.open() as pilot:
        await chat.type(pilot, "and after that?")
        await chat.see(pilot, "read as: What happened after 1999?", "topic: ")


async def test_the_list_is_walked_with_the_arrows_and_left_with_escape(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    for title in ("Oldest?", "Middle?", "Newest?"):
        history.append(None, kept(title))
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.type(pilot, "/history")
        await chat.see(pilot, "3 conversations")
        await pilot.press("down", "down", "up")
        assert chat.app.screen.query_one(OptionList).highlighted == 1
        await pilot.press("escape")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, HistoryScreen))
        assert not chat.exchanges
        await resume(chat, pilot, "3 conversations", "down")
        await chat.until(pilot, lambda: [e.question for e in chat.exchanges] == ["Middle?"])


async def test_a_conversation_is_renamed_and_deleted_after_a_question(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.type(pilot, "/rename Early")
        await chat.see(pilot, "no question was asked in this conversation yet")
        await chat.type(pilot, "/delete")
        await chat.see(pilot, "there is nothing to delete yet")
        await ask(chat, pilot, QUESTION)
        await chat.type(pilot, "/rename Of [b]rockets[/b]")
        await chat.see(pilot, "is now called Of [b]rockets[/b]", "· Of [b]rockets[/b]")
        assert [c.title for c in history.conversations()] == ["Of [b]rockets[/b]"]
        await chat.type(pilot, "/delete")
        await chat.see(pilot, "Delete this conversation: Of [b]rockets[/b]?")
        await pilot.press("n")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, ConfirmScreen))
        assert len(history.conversations()) == 1
        await chat.type(pilot, "/delete")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, ConfirmScreen))
        await pilot.press("y")
        await chat.see(pilot, "Deleted: Of [b]rockets[/b]")
        assert not chat.exchanges
        assert history.conversations() == []
        await ask(chat, pilot, "A new one?")
    assert [c.title for c in history.conversations()] == ["A new one?"]


async def test_a_conversation_is_exported_and_nothing_is_overwritten(
    chat_of: ChatMaker, timeline: Timeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "old.md").write_text("mine")
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((100, 40)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await ask(chat, pilot, QUESTION)
        await chat.type(pilot, "/export ~/new.md")
        await chat.see(pilot, "Written:", "new.md")
        await chat.type(pilot, "/export ~/new.json")
        await chat.until(pilot, (tmp_path / "new.json").exists)
        await chat.type(pilot, "/export ~/new.html")
        await chat.until(pilot, (tmp_path / "new.html").exists)
        await chat.type(pilot, "/export ~/old.md")
        await chat.see(pilot, "old.md already exists")
        await chat.type(pilot, "/export ~/new.pdf")
        await chat.see(pilot, "a conversation cannot be exported as .pdf")
        await chat.type(pilot, f"/export {tmp_path}/none/new.md")
        await chat.see(pilot, "cannot be written: No such file or directory")
    assert (tmp_path / "old.md").read_text() == "mine"
    markdown = (tmp_path / "new.md").read_text(encoding="utf-8")
    assert markdown.startswith(f"# {QUESTION}\n\n## {QUESTION}\n")
    assert "It was in 1961 \\[1\\]." in markdown
    assert "- \\[1\\] 12 April 1961: First flight 0" in markdown
    page = (tmp_path / "new.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert page.count("<svg") == 1
    [turn] = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["exchanges"]
    assert (turn["question"], turn["as_of"], turn["corpus"]) == (QUESTION, "2024-06-01", "space")
    assert turn["result"]["status"] == "answered"


async def test_what_is_cancelled_or_fails_is_kept_and_marked(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=5)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was")
        await pilot.press("escape")
        corpus.go.set()
        corpus.events = [*script(timeline)[:2], BadInputError("it is bad", "make it good")]
        await chat.type(pilot, "Worse?")
        await chat.see(pilot, "it is bad – make it good")
    [conversation] = history.conversations()
    cancelled, failed = history.exchanges(conversation.id)
    assert (cancelled.status, cancelled.answer) == ("cancelled", "It was ")
    assert (failed.status, failed.answer, failed.result) == ("failed", "", None)

    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((100, 40)) as pilot:
        await resume(chat, pilot, "1 conversation")
        await chat.see(pilot, "It was", "cancelled", "this question failed", "12 Apr 1961")
        assert [exchange.state for exchange in chat.exchanges] == [State.CANCELLED, State.FAILED]


async def test_quitting_in_the_middle_keeps_what_came(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=5)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was")
        await pilot.press("ctrl+q")
    corpus.go.set()
    [kept_one] = history.exchanges(history.conversations()[0].id)
    assert (kept_one.status, kept_one.answer) == ("cancelled", "It was ")


async def test_a_conversation_is_not_left_while_a_question_is_answered(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=2)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, corpus.reached.is_set)
        for command in ("/new", "/history", "/delete"):
            await chat.type(pilot, command)
            await chat.see(pilot, "A question is being answered.")
            assert chat.app.query_one(Prompt).value == command
        assert len(chat.exchanges) == 1
        corpus.go.set()
        await chat.until(pilot, lambda: chat.exchanges[0].state is State.DONE)


async def test_earlier_prompts_come_back_across_runs(
    chat_of: ChatMaker, timeline: Timeline, history: History
) -> None:
    for question in ("First?", "Second?"):
        history.append(None, kept(question))
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        prompt = chat.app.query_one(Prompt)
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/asof 2020-01-01")
        await chat.type(pilot, "/asof 2020-01-01")
        await pilot.press(*"draft")
        seen = [prompt.value]
        for key in ("up", "up", "up", "up", "down", "down", "down", "down"):
            await pilot.press(key)
            seen.append(prompt.value)
        command = "/asof 2020-01-01"
        back = [command, "Second?", "First?", "First?"]
        assert seen == ["draft", *back, "Second?", command, "draft", "draft"]
        await pilot.press("up", "up", "end", *"!", "enter")
        await chat.until(pilot, lambda: [e.question for e in chat.exchanges] == ["Second?!"])


async def test_every_command_is_in_the_palette(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        offered = {c.title: c.callback for c in chat.app.get_system_commands(chat.app.screen)}
        assert {"Corpus", "History", "New", "Rename", "Delete", "Export", "Help", "Quit"} <= set(offered)
        assert len(offered) == len(list(chat.app.get_system_commands(chat.app.screen)))
        await chat.app.chat.action_command("rename")
        assert chat.app.query_one(Prompt).value == "/rename "
        await chat.app.chat.action_command("history")
        await chat.see(pilot, "There are no conversations yet")


@pytest.mark.parametrize(
    ("content", "said"), [(b"no database", "is not a history or is damaged"), (None, "newer timelens")]
)
async def test_without_a_history_the_chat_goes_on(
    chat_of: ChatMaker, timeline: Timeline, tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "conversations.sqlite"
    if content is None:
        History(file).check()
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA user_version = 99")
    else:
        file.write_bytes(content * 100)
    before = file.read_bytes()
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((220, 40)) as pilot:
        await chat.see(pilot, "The history is off:", said, "space: 3 documents")
        await ask(chat, pilot, QUESTION)
        await asyncio.sleep(0.1)
        await pilot.pause()
        assert chat.screen.count("The history is off") == 1
        await chat.type(pilot, "/rename X")
        await chat.see(pilot, "this conversation could not be saved")
        await chat.type(pilot, "/history")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, HistoryScreen))
        await chat.see(pilot, "The history is off:", "move the file away")
    assert file.read_bytes() == before


async def test_what_the_history_holds_is_neither_markup_nor_obeyed(
    chat_of: ChatMaker, timeline_of: TimelineMaker, history: History
) -> None:
    evidence = ShownEvidence(timeline_of(year_interval(1970), title=HOSTILE, text=HOSTILE))
    conversation = history.append(None, kept(HOSTILE, HOSTILE, result=stored_json(None, evidence)))
    history.append(conversation, kept("Broken?", result='{"evidence": [{"n": "x"}]}', corpus="\x1b[2J[b]"))
    chat = chat_of(FakeCorpus("space", script(timeline_of(None))))
    async with chat.open((160, 50)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/history")
        screen = await chat.see(pilot, "[red]alarm[/red] ␛[2J�txt.exe", "␛[2J[b]")
        await pilot.press("enter")
        screen += await chat.see(pilot, "cannot be read", "score 0.45")
        assert chat.app.query_one(EvidencePanel).region.width > 0
        await pilot.press("up", "up")
        screen += chat.screen
        assert "\x1b" not in screen
        assert "\u202e" not in screen


def test_an_export_holds_no_markup_of_others(timeline_of: TimelineMaker) -> None:
    text = "# <script>x</script> [a](http://b) \x1b[2J\n- **bold**"
    evidence = ShownEvidence(timeline_of(year_interval(1970), title=text), cited=frozenset({1}))
    exchange = kept(text, text, result=stored_json(None, evidence))
    markdown = exported(text, [exchange], ".MD")
    assert "<script>" not in markdown.replace("\\<", "")
    assert "](" not in markdown.replace("\\]", "")
    assert "\x1b" not in markdown
    assert sum(line.startswith("#") for line in markdown.split("\n")) == 2
    assert json.loads(exported(text, [exchange], ".json"))["title"] == text
    broken = json.loads(exported("x", [kept("What?", result="{")], ".json"))
    assert broken["exchanges"][0]["result"] == "{"


def test_a_name_that_no_file_can_have_is_bad_input() -> None:
    for name in ("a\0b.md", "~nobody-of-that-name/x.md", ""):
        with pytest.raises(
            BadInputError, match=r"is not the name of a file|cannot be written|already exists"
        ):
            write_new(name, "x")


def test_a_file_that_has_no_room_is_not_half_written(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(BadInputError, match="cannot be written"):
            write_new(str(tmp_path / "large.html"), "x" * 1_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"evidence": 1}', '{"evidence": [], "asked": ["x", null]}', "[" * 100_000]
)
def test_what_is_no_kept_answer_is_said(text: str) -> None:
    assert "cannot be read" in read_stored_json(text).notes[0]


def test_evidence_is_read_again_as_it_was_shown(timeline_of: TimelineMaker) -> None:
    asked = (AskedPeriod(year_interval(1960), PeriodRole.BASELINE), AskedPeriod(year_interval(1970)))
    evidence = ShownEvidence(timeline_of(year_interval(-43), None, year_interval(1970, 1979)), asked)
    text = stored_json(None, evidence)
    read = read_stored_json(text).evidence
    assert read is not None
    assert stored_json(None, read) == text
    assert read.asked == asked
