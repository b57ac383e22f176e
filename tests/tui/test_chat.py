"""The chat over a scripted agent: order, cancelling, errors, layout."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_chat import (
    QUESTION,
    TODAY,
    ChatMaker,
    FakeCorpus,
    FakeLibrary,
    TimelineMaker,
    script,
)
from textual.events import Key, Paste
from textual.widgets import OptionList

from timelens.answer.rendering.timeline import Timeline
from timelens.errors import BadInputError, StoreError
from timelens.question.merge import Reading
from timelens.question.parse import parse
from timelens.temporal.calendar import Day, day_number, parse_day
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import day_interval, year_interval
from timelens.tui.corpora import CorporaScreen
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import State
from timelens.tui.first_run import FirstRunScreen, bundled_corpora
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.worker import Ask, Worker


@pytest.fixture
def moon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only bundled corpus."""
    monkeypatch.setattr("timelens.tui.first_run.bundled_corpora", lambda: {"moon": Path("moon/documents")})


async def test_an_answer_at_80_by_24_shows_citation_bars_and_dates(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents, 5 passages, 1957 to 2024")
        await chat.type(pilot, QUESTION)
        screen = await chat.see(pilot, "It was in 1961✗ [1].", "✗ 1 contradicted", "the filter was widened")
        assert "●" in screen
        assert "▄" in screen
        assert "12 Apr 1961" in screen
        assert "4 passages" in screen
        assert chat.exchanges[0].state is State.DONE


async def test_what_is_not_cited_is_fainter_and_of_another_shape(
    chat_of: ChatMaker, timeline_of: TimelineMaker
) -> None:
    times = (day_interval(day_number(1961, 4, 12)), year_interval(1971, 1979))
    chat = chat_of(FakeCorpus("space", script(timeline_of(*times, title="First ●"))))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "dates:")
        strips = chat.app.screen._compositor.render_strips()

        def brightness(sign: str) -> set[float]:
            styles = [s.style for strip in strips for s in strip if s.style is not None and sign in s.text]
            return {sum(style.color.get_truecolor()) for style in styles if style.color is not None}

        assert "━" not in chat.screen
        assert max(brightness("[2]")) < min(brightness("[1]") | brightness("It was in"))
        (row,) = [line for line in chat.screen.splitlines() if "[2]" in line]
        assert "──" in row
        assert "First ●" in row


async def test_evidence_without_room_is_counted_and_scrolled_to(
    chat_of: ChatMaker, timeline_of: TimelineMaker
) -> None:
    evidence = timeline_of(*(year_interval(1900 + number, 1960 + number) for number in range(20)))
    chat = chat_of(FakeCorpus("space", script(evidence)))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        screen = await chat.see(pilot, "dates:", "20 pieces of evidence, 1 cited", "█")
        assert "[20]" not in screen
        chat.app.query_one(TimelinePanel).focus()
        await pilot.press("end")
        await chat.see(pilot, "[20] 1919 to 1979")
        await pilot.press("escape")
        assert chat.app.focused is chat.app.query_one(Prompt)


async def test_steps_are_shown_as_they_come(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=5)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "topic: What happened", "1960 to 1999", "plan:", "retrieved", "It was")
        assert "1961 [1]" not in chat.screen
        assert "answering" in chat.screen
        corpus.go.set()
        await chat.see(pilot, "It was in 1961")
        assert chat.exchanges[0].text == "It was in 1961 [1]."


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_key_cancels_and_keeps_what_came(chat_of: ChatMaker, timeline: Timeline, key: str) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=5)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was")
        await pilot.press(key)
        await chat.see(pilot, "cancelled")
        corpus.go.set()
        await chat.until(pilot, lambda: corpus.closed_in)
        await pilot.pause()
        assert corpus.closed_in == ["timelens-agent"]
        assert chat.exchanges[0].text == "It was "
        assert chat.exchanges[0].state is State.CANCELLED

        corpus.hold_at = None
        await chat.type(pilot, "And then?")
        await chat.until(pilot, lambda: chat.exchanges[-1].state is State.DONE)
        assert [exchange.state for exchange in chat.exchanges] == [State.CANCELLED, State.DONE]


def test_a_model_amid_its_reading_or_writing_is_told_to_end() -> None:
    class Writer:
        notes = ()
        cancelled = 0

        def write(self, *_: object) -> Iterator[str]:
            return iter(())

        def cancel(self) -> None:
            self.cancelled += 1

    class Reader:
        cancelled = 0

        def read(self, question: str, reference_day: Day, _: Conventions) -> Reading:
            return Reading(parse(question, reference_day))

        def cancel(self) -> None:
            self.cancelled += 1

    writer, reader = Writer(), Reader()
    worker = Worker(lambda _: None, FakeLibrary(), writer, reader)
    asked = worker.ask(Ask(1, QUESTION, TODAY, None, None))
    worker.cancel(asked)
    assert asked.is_set()
    assert writer.cancelled == reader.cancelled == 1
    worker.stop()
    assert writer.cancelled == reader.cancelled == 2


async def test_a_question_waits_for_the_corpus(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    library = chat.app.chat.worker._library
    assert isinstance(library, FakeLibrary)
    library.opening.clear()
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "waiting for the corpus", "loading")
        library.opening.set()
        await chat.see(pilot, "It was in 1961")


async def test_one_question_at_a_time(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=2)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, corpus.reached.is_set)
        await chat.type(pilot, "Another?")
        await chat.see(pilot, "A question is being answered.")
        assert chat.app.query_one(Prompt).value == "Another?"
        corpus.go.set()
        await chat.until(pilot, lambda: chat.exchanges[0].state is State.DONE)
        assert len(corpus.asked) == 1


async def test_an_error_is_a_line_with_its_hint_and_the_chat_lives_on(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    corpus = FakeCorpus("space", [*script(timeline)[:2], BadInputError("it is [b]bad[/b]", "make it good")])
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "it is [b]bad[/b] – make it good")
        corpus.events = script(timeline)
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")
        assert [exchange.state for exchange in chat.exchanges] == [State.FAILED, State.DONE]


async def test_a_corpus_that_was_removed_meanwhile_is_named(
    chat_of: ChatMaker, timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = StoreError("[Errno 2] No such file or directory", "check the disk")
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        corpus.events = [*script(timeline)[:2], fault]
        monkeypatch.setattr(corpus, "exists", lambda: False)
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "the corpus space was removed – /corpus NAME")
        assert "Errno" not in chat.screen


async def test_a_fault_of_the_program_is_a_line_and_is_reported(
    chat_of: ChatMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    chat = chat_of(FakeCorpus("space", [ZeroDivisionError("by zero")]))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "ZeroDivisionError: by zero")
    assert "Traceback" in (tmp_path / "log" / "faults.log").read_text()


async def test_what_documents_hold_is_neither_markup_nor_obeyed(
    chat_of: ChatMaker, timeline_of: TimelineMaker
) -> None:
    hostile = "[red]alarm[/red] \x1b[2J\u202etxt.exe"
    timeline = timeline_of(year_interval(1970), title=hostile, text=hostile)
    chat = chat_of(FakeCorpus("space", script(timeline, f"{hostile} [1]")))
    async with chat.open((160, 50)) as pilot:
        await chat.type(pilot, f"What is {hostile}?")
        screen = await chat.see(pilot, "[red]alarm[/red] ␛[2J�txt.exe [1]")
        assert screen.count("[red]alarm[/red]") >= 5  # question, topic, answer, title, sentence
        assert "\x1b" not in screen
        assert "\u202e" not in screen


async def test_ctrl_c_copies_what_is_selected_and_says_how_to_quit(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        prompt = chat.app.query_one(Prompt)
        await pilot.press(*"When")
        prompt.select_all()
        await pilot.press("ctrl+c")
        assert chat.app.clipboard == "When"
        prompt.clear()
        await pilot.press("ctrl+c", "ctrl+c", "ctrl+c")
        await chat.see(pilot, "Ctrl+Q to quit.")
        assert len(chat.app._notifications) == 1


@pytest.mark.parametrize(
    ("pasted", "line"),
    [
        ("When was\nit launched?", "When was\nit launched?"),
        ("\r\n  Who  was it,\r\n\r\n\tand when?\n", "  Who  was it,\n\n and when?"),
        ("\n", ""),
    ],
)
async def test_a_pasted_text_keeps_all_its_lines(
    chat_of: ChatMaker, timeline: Timeline, pasted: str, line: str
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        prompt = chat.app.query_one(Prompt)
        chat.app.post_message(Paste(pasted))
        await pilot.press("!")
        await chat.until(pilot, lambda: prompt.value == f"{line}!")


async def test_the_lines_of_a_question_stand_below_each_other(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "Who\nwas it?")
        await chat.until(pilot, lambda: "▶ Who" in chat.screen)
        lines = [line.strip("\n") for line in chat.screen.splitlines()]
        at = next(n for n, line in enumerate(lines) if "▶ Who" in line)
        assert lines[at + 1].index("was it?") == lines[at].index("Who")


async def test_what_is_typed_before_the_first_paint_is_not_lost(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    for key in (*"Why?", "ctrl+j"):
        chat.app.post_message(Key(key, key if len(key) == 1 else None))
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: [e.state for e in chat.exchanges] == [State.DONE])
        assert chat.exchanges[0].question == "Why?"


async def test_an_empty_line_is_ignored(chat_of: ChatMaker, timeline: Timeline) -> None:
    corpus = FakeCorpus("space", script(timeline))
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, "   ")
        await pilot.pause()
        assert not chat.exchanges
        assert not corpus.asked


async def test_commands_set_what_questions_are_asked_under(chat_of: ChatMaker, timeline: Timeline) -> None:
    first, second = FakeCorpus("first", script(timeline)), FakeCorpus("second", script(timeline))
    chat = chat_of(first, second)
    async with chat.open() as pilot:
        await chat.see(pilot, "Other corpora: /corpus second")
        await chat.type(pilot, "/asof 1999-12-31")
        await chat.type(pilot, "/strategy bm25")
        await chat.see(pilot, "Evidence is found with bm25 from now on.")
        await chat.type(pilot, "/k 1")
        await chat.see(pilot, "each question from now on: 1.")
        await chat.type(pilot, "/corpus second")
        await chat.see(pilot, "second · bm25 · as of 1999-12-31")
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, lambda: second.asked)
        assert second.asked == [(QUESTION, parse_day("1999-12-31"), "bm25", 1)]
        assert not first.asked


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/strategy best", "there is no strategy 'best' – choose one of bm25, "),
        ("/strategy best", "timelens, each also with +rerank"),
        ("/strategy timelens-best", "the strategy timelens has no stage 'best' – its stages are "),
        ("/strategy bm25+best", "cannot take +best – write NAME+rerank or NAME+rerank20"),
        ("/strategy", "The strategy is timelens. Strategies: bm25, naive, "),
        ("/k", "Pieces of evidence for each question from now on: 10."),
        ("/k 0", "'0' is not a number from 1 to 1,000 – write a number, as in /k 20"),
        (
            "/asof soon",
            "'soon' is not a date or a time that ends – write a day or a time:",
        ),
        ("/asof", "as of 1 June 2024"),
        ("/asof 2015 vs 2020", "there is no question to compare two days for – ask a question first"),
        ("/scrub", "there is no question to move the day of – ask a question first"),
        ("/dance", "there is no command /dance – see /help"),
        ("/corpus other", "there is no corpus other – /corpus space"),
        ("/help", "Commands. All keys: F1."),
    ],
)
async def test_commands_that_only_say_something(
    chat_of: ChatMaker, timeline: Timeline, line: str, shown: str
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, line)
        await chat.see(pilot, shown)
        assert chat.app.chat.options == Options(TODAY, "timelens", None)
        assert chat.app.query_one(Prompt).value == ""
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")


async def test_a_broken_corpus_leaves_the_old_one_open(chat_of: ChatMaker, timeline: Timeline) -> None:
    broken = FakeCorpus("broken", [StoreError("it is of another version", "ingest it anew")])
    chat = chat_of(FakeCorpus("a-good-one", script(timeline)), broken)
    async with chat.open() as pilot:
        await chat.see(pilot, "a-good-one: 3 documents")
        await chat.type(pilot, "/corpus broken")
        await chat.see(pilot, "it is of another version – ingest it anew", "a-good-one · timelens")
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")


@pytest.mark.parametrize("leave", ["ctrl+q", "/quit"])
async def test_quitting_in_the_middle_of_a_question(
    chat_of: ChatMaker, timeline: Timeline, leave: str
) -> None:
    corpus = FakeCorpus("space", script(timeline), hold_at=2)
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.until(pilot, corpus.reached.is_set)
        if leave == "ctrl+q":
            await pilot.press("ctrl+q")
        else:
            await chat.type(pilot, "/quit")
        await pilot.pause()
    assert chat.app.return_code == 0
    assert chat.app.chat.worker.thread.daemon
    corpus.go.set()
    chat.app.chat.worker.thread.join(30)
    assert corpus.closed_in == ["timelens-agent"]


async def test_a_wide_screen_has_side_panels_and_a_small_one_a_message(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((160, 50)) as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(
            pilot,
            "cited · score 0.45 (meaning 0.50, words 0.20, time 0.90)",
            "┼───────┼",
            "1960    1965",
            "plan:",
            " · page 3",
        )
        panels = [chat.app.query_one(EvidencePanel), chat.app.query_one(TimelinePanel)]
        assert all(panel.region.x >= 80 for panel in panels)
        await pilot.resize_terminal(30, 10)
        await chat.see(pilot, "too small")
        await pilot.resize_terminal(100, 11)
        await chat.see(pilot, "too small")
        await pilot.resize_terminal(40, 12)
        await chat.until(pilot, lambda: "too small" not in chat.screen)
        await pilot.resize_terminal(80, 24)
        await chat.see(pilot, "It was in 1961")


@pytest.mark.parametrize("size", [(30, 8), (100, 6), (5, 24), (1, 1)])
async def test_the_prompt_keeps_the_focus_while_the_terminal_is_too_small(
    chat_of: ChatMaker, timeline: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")
        await pilot.press(*"Who")
        await pilot.resize_terminal(*size)
        await chat.until(pilot, lambda: chat.app.query_one("#too-small").is_on_screen)
        await pilot.press("space", *"was")
        await pilot.resize_terminal(80, 24)
        await chat.until(pilot, lambda: "It was in 1961" in chat.screen)
        await pilot.press("space", *"cap")
        assert chat.app.chat.prompt.value == "Who was cap"
        assert chat.app.focused is chat.app.chat.prompt


@pytest.mark.parametrize("keys", [["tab"], ["f2"], ["shift+tab"]])
async def test_a_panel_has_the_focus_again_after_too_small_a_terminal(
    chat_of: ChatMaker, timeline: Timeline, keys: list[str]
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")
        await pilot.press(*keys)
        await pilot.pause()
        focused = chat.app.focused
        assert focused is not chat.app.chat.prompt
        await pilot.resize_terminal(30, 8)
        await chat.see(pilot, "too small")
        await pilot.click(offset=(15, 4))
        await pilot.resize_terminal(80, 24)
        await chat.until(pilot, lambda: "too small" not in chat.screen)
        assert chat.app.focused is focused


async def test_a_chat_that_opens_too_small_has_the_focus_in_the_prompt(chat_of: ChatMaker) -> None:
    chat = chat_of(FakeCorpus("space", []))
    async with chat.open((30, 8)) as pilot:
        await chat.see(pilot, "too small")
        await pilot.press(*"Who")
        await pilot.resize_terminal(80, 24)
        await chat.see(pilot, "> Who")
        assert chat.app.focused is chat.app.chat.prompt


async def test_evidence_and_steps_are_a_key_away(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")
        assert "score" not in chat.screen
        assert "plan:" not in chat.screen
        await pilot.press("f2")
        await chat.see(pilot, "12 April 1961 · First flight 0", "score 0.45")
        assert isinstance(chat.app.focused, EvidencePanel)
        await pilot.press("f2")
        await chat.until(pilot, lambda: "score" not in chat.screen)
        assert isinstance(chat.app.focused, Prompt)
        await pilot.press("f2", "escape")
        await chat.until(pilot, lambda: "score" not in chat.screen)
        assert isinstance(chat.app.focused, Prompt)
        await pilot.press("f3")
        await chat.see(pilot, "plan:")


async def test_a_very_long_question_and_sentence_are_shown_in_part(
    chat_of: ChatMaker, timeline_of: TimelineMaker
) -> None:
    long = "word " * 20_000
    corpus = FakeCorpus("space", script(timeline_of(None, title=long, text=long), question=long))
    chat = chat_of(corpus)
    async with chat.open() as pilot:
        await chat.type(pilot, long)
        await chat.see(pilot, "It was in 1961")
        assert corpus.asked[0][0] == long.strip()
        assert chat.exchanges[0].region.height < 40


@pytest.mark.usefixtures("moon")
async def test_the_first_run_offers_and_ingests_a_bundled_corpus(chat_of: ChatMaker) -> None:
    chat = chat_of()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await chat.see(
            pilot, "There is no corpus to ask yet.", "moon", "timelens ingest FOLDER --corpus NAME"
        )
        assert isinstance(chat.app.focused, OptionList)
        await pilot.press("enter")
        await chat.see(pilot, "moon: 3 documents")
        library = chat.app.chat.worker._library
        assert isinstance(library, FakeLibrary)
        assert library.ingested == [("moon", [Path("moon/documents")])]


@pytest.mark.usefixtures("moon")
async def test_what_is_typed_while_the_first_corpus_is_read_is_asked_of_it(chat_of: ChatMaker) -> None:
    chat = chat_of()
    chat.library.ingest_on.clear()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("enter")
        await chat.see(pilot, "What you type is asked when moon is read.")
        assert "There is no corpus" not in chat.screen
        await pilot.press(*"Who wass", "backspace", "?")
        await chat.see(pilot, "> Who was?")
        await pilot.press("enter")
        chat.library.opening.clear()
        chat.library.ingest_on.set()
        await chat.see(pilot, "> Who was?", "waiting for the corpus …")
        chat.library.opening.set()
        await chat.see(pilot, "moon: 3 documents")
        assert [exchange.question for exchange in chat.exchanges] == ["Who was?"]


@pytest.mark.usefixtures("moon")
async def test_what_is_typed_before_the_first_corpus_is_given_up_is_kept(chat_of: ChatMaker) -> None:
    chat = chat_of()
    chat.library.ingest_on.clear()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("enter", *"Who?", "escape")
        await chat.see(pilot, "There is no corpus yet")
        assert chat.app.chat.prompt.value == "Who?"
        chat.library.ingest_on.set()


async def test_without_bundled_corpora_the_first_run_says_how_to_ingest(
    chat_of: ChatMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("timelens.tui.first_run.bundled_corpora", dict)
    chat = chat_of()
    async with chat.open() as pilot:
        await chat.see(pilot, "timelens ingest FOLDER --corpus NAME")
        await pilot.press("escape")
        await chat.see(pilot, "There is no corpus yet: /ingest makes one.")
        assert not isinstance(chat.app.screen, FirstRunScreen)
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "no corpus is open – open one: /corpus NAME")


@pytest.mark.usefixtures("moon")
async def test_without_a_corpus_messages_name_the_bundled_ones_and_the_command_offers_them(
    chat_of: ChatMaker,
) -> None:
    chat = chat_of()
    async with chat.open() as pilot:
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("escape")
        await chat.see(pilot, "There is no corpus yet")
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "open one: /corpus NAME (bundled: moon), or make one: /ingest PATH")
        await chat.type(pilot, "/corpus moon")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("escape")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, FirstRunScreen))
        assert "there is no corpus moon" not in chat.screen
        await chat.type(pilot, "/corpus mars")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, FirstRunScreen))
        await pilot.press("escape")
        await chat.see(pilot, "there is no corpus mars – /corpus NAME (bundled: moon), or make one: /ingest")


async def test_the_command_without_a_name_shows_all_corpora(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/corpus")
        await chat.until(pilot, lambda: isinstance(chat.app.screen, CorporaScreen))


def test_bundled_corpora_are_in_an_installed_package_and_beside_it_in_a_checkout(tmp_path: Path) -> None:
    package = tmp_path / "timelens"
    beside, inside = (folder / "corpora" / "moon" / "documents" for folder in (tmp_path, package))
    beside.mkdir(parents=True)
    assert bundled_corpora(package) == {}
    inside.mkdir(parents=True)
    assert bundled_corpora(package) == {"moon": inside}
    (tmp_path / "pyproject.toml").touch()
    assert bundled_corpora(package) == {"moon": beside}
    assert {"leaders", "spaceflight"} <= set(bundled_corpora())
