"""The periods of a question in the chat, as they are asked and as they are read back, at both sizes."""

import pytest
from scripted_chat import Chat, ChatMaker, FakeCorpus, TimelineMaker, script
from textual.pilot import Pilot
from textual.widget import Widget

from timelens.answer.draft import Nearest
from timelens.answer.rendering.shown_evidence import AskedPeriod
from timelens.answer.rendering.timeline import Timeline
from timelens.question.parsed_question import PeriodRole
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.tui.document import DocumentScreen
from timelens.tui.exchange import ChatLog, State
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.timeline.typed import TypedPeriods, typed_line
from timelens.tui.wording import about_span

COMPARISON = "Compare Bank Rate in 2004 with Bank Rate in 2009."
SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 50)])
HOSTILE = "[red]alarm[/red] \x1b[2J\u202etxt.exe"


@pytest.fixture
def rates(timeline_of: TimelineMaker) -> Timeline:
    return timeline_of(*map(year_interval, (2004, 2009, 2005, 2008, 2010)), title="Bank Rate")


def rows_of(chat: Chat, part: type[Widget] = TimelinePanel) -> list[str]:
    """What a part of the screen shows, without its frame."""
    region = chat.app.query_one(part).content_region
    return [line[region.x : region.right] for line in chat.screen.splitlines()[region.y : region.bottom]]


async def asked(chat: Chat, pilot: Pilot[None], question: str) -> None:
    await chat.type(pilot, question)
    await chat.until(pilot, lambda: chat.exchanges and chat.exchanges[-1].state is State.DONE)
    await pilot.pause()


@SIZES
async def test_every_period_has_a_row_with_its_role_above_the_evidence(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, COMPARISON)
        rows = rows_of(chat)
        assert [" ".join(row.replace("▄", "").split()) for row in rows[:2]] == [
            "baseline 2004",
            "comparison 2009",
        ]
        assert rows[0].rindex("▄") < rows[1].index("▄")
        assert all(f"[{number}]" in "\n".join(rows) for number in range(1, 6))


@SIZES
async def test_the_steps_name_all_periods_and_what_waits_for_what(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    corpus = FakeCorpus("bank", script(rates, question=COMPARISON), hold_at=2)
    chat = chat_of(corpus)

    async def logged(pilot: Pilot[None], *texts: str) -> None:
        await chat.until(
            pilot, lambda: all(text in " ".join(" ".join(rows_of(chat, ChatLog)).split()) for text in texts)
        )

    async with chat.open(size) as pilot:
        await chat.type(pilot, COMPARISON)
        await logged(
            pilot,
            "2004 (baseline); 2009 (comparison)",
            "plan: 1 baseline period (2004); 2 comparison period (2009); 3 after 1 and 2: what changed",
        )
        corpus.go.set()
        await chat.until(pilot, lambda: chat.exchanges[0].state is State.DONE)
        await pilot.pause()
        chat.exchanges[0].show_steps(True)
        await logged(
            pilot, "retrieved 2 of 2", "coverage, 2004: 50%; none for 1970 coverage, 2009: 50%; none for 1970"
        )
        chat.exchanges[0].show_steps(False)
        await logged(pilot, "evidence for 2 of 2 periods")


@SIZES
async def test_many_periods_leave_room_for_the_evidence(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    question = "What was Bank Rate in 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008 and 2009?"
    chat = chat_of(FakeCorpus("bank", script(rates, question=question)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, question)
        rows = rows_of(chat)
        marked = [row for row in rows if "▄" in row]
        assert {str(year) for year in range(2001, 2010)} <= set("\n".join(marked).split())
        assert all(f"[{number}]" in "\n".join(rows) for number in range(1, 6))
        assert "╵" in rows[-1] or "┼" in rows[-2]


@SIZES
async def test_passages_that_answer_nothing_are_marked_as_nearest(
    chat_of: ChatMaker, timeline_of: TimelineMaker, size: tuple[int, int]
) -> None:
    timeline = timeline_of(year_interval(1991), year_interval(2001), title=HOSTILE, text=HOSTILE)
    question = "Who was the mayor of Atlantis in 1990 and 2000?"
    one, other = timeline.citations
    near = [Nearest(one, year_interval(1990)), Nearest(one, year_interval(2000)), Nearest(other, None)]
    events = script(timeline, "No clear statement was found. Nearest: [1] [2]", question, nearest=near)
    chat = chat_of(FakeCorpus("bank", events))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, question)
        if size[0] < 120:
            await pilot.press("f2")
        screen = await chat.see(pilot, "nearest passage (1990; 2000)", "[red]alarm[/red] ␛[2J�txt.exe")
        assert screen.count("nearest passage") == 2
        assert "cited" not in screen
        assert "\x1b" not in screen
        assert "\u202e" not in screen


@SIZES
async def test_periods_are_shown_again_with_a_kept_conversation(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, COMPARISON)
        before = rows_of(chat)
    again = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with again.open(size) as pilot:
        await again.see(pilot, "bank: 3 documents")
        await again.type(pilot, "/history")
        await again.see(pilot, COMPARISON)
        await pilot.press("enter")
        await again.see(pilot, "time asked for: 2004 (baseline); 2009 (comparison)")
        await pilot.pause()
        assert rows_of(again) == before
        evidence = again.exchanges[0].evidence
        assert evidence is not None
        assert [period.role for period in evidence.asked] == [PeriodRole.BASELINE, PeriodRole.COMPARISON]


async def test_a_hostile_question_about_two_periods_is_no_markup(chat_of: ChatMaker, rates: Timeline) -> None:
    question = f"Compare {HOSTILE} in 2004 with {HOSTILE} in 2009."
    chat = chat_of(FakeCorpus("bank", script(rates, question=question)))
    async with chat.open((160, 50)) as pilot:
        await asked(chat, pilot, question)
        screen = await chat.see(pilot, "[red]alarm[/red]", "baseline", "comparison")
        assert "\x1b" not in screen
        assert "\u202e" not in screen


@SIZES
async def test_what_is_chosen_on_the_timeline_lights_up_in_the_answer_and_opens(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, "It was 4 [1].", question=COMPARISON)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, COMPARISON)
        chat.app.query_one(TimelinePanel).focus()
        await pilot.press("home")
        await pilot.pause()
        log = chat.app.chat.chat_log.region
        rows = chat.app.screen._compositor.render_strips()[log.y : log.bottom]
        strips = [strip.crop(log.x, log.right) for strip in rows]
        assert [s.text for strip in strips for s in strip if s.style and s.style.reverse] == ["[1]"]
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(chat.app.screen, DocumentScreen)
        assert chat.app.screen.number == 1


@SIZES
@pytest.mark.parametrize(
    ("typed", "question"),
    [("", "What about 2005 to 2007?"), ("Who was governor?", "Who was governor from 2005 to 2007?")],
)
async def test_a_marked_span_becomes_a_question(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int], typed: str, question: str
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, COMPARISON)
        prompt, panel = chat.app.chat.prompt, chat.app.query_one(TimelinePanel)
        prompt.value = typed
        panel.focus()
        panel.post_message(TimelinePanel.Brushed(year_interval(2005, 2007)))
        await chat.until(pilot, lambda: prompt.value == question and prompt.has_focus)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_m_gives_the_timeline_the_whole_screen_and_esc_takes_it_back(
    chat_of: ChatMaker, rates: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open(size) as pilot:
        await asked(chat, pilot, COMPARISON)
        panel = chat.app.query_one(TimelinePanel)
        panel.focus()
        await pilot.press("m")
        await chat.until(pilot, lambda: panel.region.size == size)
        await pilot.press("escape")
        await chat.until(pilot, lambda: panel.region.height < size[1] // 2)


async def test_the_times_of_what_is_typed_are_shown_on_the_timeline(
    chat_of: ChatMaker, rates: Timeline
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open((160, 50)) as pilot:
        await asked(chat, pilot, COMPARISON)
        await pilot.press(*"Rates in 2019?")
        await chat.until(pilot, lambda: any("2019" in row for row in rows_of(chat)))
        assert not any("baseline" in row for row in rows_of(chat))
        chat.app.chat.prompt.value = ""
        await chat.until(pilot, lambda: any("baseline" in row for row in rows_of(chat)))
        assert not any("2019" in row for row in rows_of(chat))


async def test_the_times_of_a_first_question_are_shown_on_a_line_while_it_is_typed(
    chat_of: ChatMaker, rates: Timeline
) -> None:
    chat = chat_of(FakeCorpus("bank", script(rates, question=COMPARISON)))
    async with chat.open((80, 24)) as pilot:
        await chat.see(pilot, "bank: ")
        line = chat.app.chat.query_one(TypedPeriods)
        assert not line.region
        await pilot.press(*"Rates in 2019?")
        await chat.see(pilot, "─▄▄─────  2019")
        chat.app.chat.prompt.value = ""
        await chat.until(pilot, lambda: not line.region)
        await asked(chat, pilot, COMPARISON)
        await pilot.press(*"Rates in 2019?")
        await chat.until(pilot, lambda: any("2019" in row for row in rows_of(chat)))
        assert not line.region, "the timeline shows them"


@pytest.mark.parametrize(
    ("periods", "span", "line"),
    [
        ([year_interval(1990)], year_interval(1990, 1999), "▄▄▄────────────────────  1990"),
        ([year_interval(1990), year_interval(1999)], None, "▄▄─────────────▄▄  1990, 1999"),
        ([year_interval(1990 + n) for n in range(5)], None, "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄  5 periods"),
    ],
)
def test_periods_on_a_line(periods: list[Interval], span: Interval | None, line: str) -> None:
    assert typed_line([AskedPeriod(period) for period in periods], span, 29) == line


@pytest.mark.parametrize(
    ("typed", "span", "question"),
    [
        ("", year_interval(1998, 2002), "What about 1998 to 2002?"),
        ("Who was king ?", year_interval(1998, 2002), "Who was king from 1998 to 2002?"),
        ("Who was king", year_interval(1998), "Who was king in 1998?"),
        ("Who was king?", day_interval(0), "Who was king on 1 January 1970?"),
    ],
)
def test_a_span_in_a_question(typed: str, span: Interval, question: str) -> None:
    assert about_span(typed, span) == question
