"""The prompt by itself: keys, lines, the past, completion, the times of a question."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from scripted_chat import WaitUntil
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Button, Static

from timelens.answer.rendering.shown_evidence import AskedPeriod
from timelens.question.parse import parse
from timelens.question.time_mentions import mentions
from timelens.temporal.calendar import day_number
from timelens.tui import app as chat_app
from timelens.tui.completion import Suggestion, completion_of
from timelens.tui.live_times import Times
from timelens.tui.prompt import Prompt
from timelens.tui.suggestions import Suggestions

TODAY = day_number(2024, 6, 1)
COMMANDS = [
    Suggestion("/asof", "set the day", goes_on=True),
    Suggestion("/corpus", "ask another corpus", goes_on=True),
    Suggestion("/help", "show this list"),
    Suggestion("/history", "earlier conversations"),
]
CORPORA = [Suggestion("leaders"), Suggestion("policy-rates"), Suggestion("spaceflight")]


def times_of(text: str) -> Times:
    parsed = parse(text, TODAY)
    return Times(
        mentions(parsed), tuple(AskedPeriod(period.interval, period.role) for period in parsed.periods)
    )


class Host(App[None]):
    """An app with a prompt below a text, as in the chat."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"pass('{key}')") for key in ("pageup", "pagedown", "ctrl+c")
    ]
    CSS_PATH = Path(chat_app.__file__).with_name("chat.tcss")
    CSS = "#above { height: 1fr; } #below { height: auto; }"

    def __init__(self, read: Callable[[str], Times] = times_of) -> None:
        super().__init__()
        self.prompt = Prompt(
            read, lambda line, at: completion_of(line, at, COMMANDS, {"corpus": lambda _: CORPORA})
        )
        self.sent: list[str] = []
        self.periods: list[tuple[AskedPeriod, ...]] = []
        self.escaped = 0
        self.passed: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static(id="above")
        yield Button("other")
        with Vertical(id="below"):
            yield self.prompt

    def on_mount(self) -> None:
        self.prompt.focus()

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        self.sent.append(message.value)
        message.prompt.remember(message.value)

    def on_prompt_times_read(self, message: Prompt.TimesRead) -> None:
        self.periods.append(message.periods)

    def action_pass(self, key: str) -> None:
        self.passed.append(key)

    def key_escape(self) -> None:
        self.escaped += 1


async def write(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*("space" if one == " " else "slash" if one == "/" else one for one in text))


def underlined(app: Host) -> str:
    """What of the screen is underlined."""
    strips = app.screen._compositor.render_strips()
    found = [s.text for strip in strips for s in strip if s.style is not None and s.style.underline]
    return "".join(found).strip()


def listed(app: Host) -> list[str]:
    lists = app.screen.query(Suggestions)
    rows = [option.prompt for one in lists if one.is_open for option in one.options]
    return [str(row).split("  ")[0] for row in rows]


@pytest.mark.parametrize("key", ["shift+enter", "shift+\r", "ctrl+j"])
async def test_enter_sends_and_other_keys_break_the_line(key: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "one")
        await pilot.press(key)
        await write(pilot, "two")
        assert app.sent == []
        assert app.prompt.size.height == 2
        await pilot.press("enter")
        await pilot.pause()
        assert app.sent == ["one\ntwo"]
        assert app.prompt.text == ""
        assert app.prompt.size.height == 1


async def test_keys_act_in_the_order_in_which_they_come() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        for key, character in zip(
            ["a", "b", "backspace", "ctrl+j", "c", "enter", "d"], "ab\x7f\nc\rd", strict=True
        ):
            app.post_message(Key(key, character))  # a burst, without waiting for any
        await pilot.pause()
        await pilot.pause()
        assert app.sent == ["a\nc"]
        assert app.prompt.text == "d"


async def test_what_could_not_be_used_is_put_back_before_what_was_typed_since() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)):
        app.prompt.put_back("one")
        assert app.prompt.text == "one"
        app.prompt.put_back("zero")
        assert app.prompt.text == "zero\none"


async def test_it_grows_to_six_lines_and_scrolls_then() -> None:
    app = Host()
    async with app.run_test(size=(40, 24)) as pilot:
        app.prompt.value = "word " * 14
        await pilot.pause()
        assert app.prompt.size.height == 2
        app.prompt.value = "\n".join(map(str, range(1, 10)))
        await pilot.pause()
        assert app.prompt.region.height == 6
        assert app.prompt.scroll_offset.y == 3
        assert app.prompt.region.bottom == 24


async def test_a_pasted_text_keeps_its_lines_and_nothing_that_a_terminal_obeys() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "ab")
        await pilot.press("left")
        app.prompt.post_message(Paste("1\r\n2\x1b[31m\r3\n"))
        await pilot.pause()
        assert app.prompt.text == "a1\n2␛[31m\n3b"
        assert app.prompt.cursor_location == (2, 1)
        await pilot.press("ctrl+z")
        assert app.prompt.text == "ab"


async def test_up_and_down_go_through_lines_first_and_then_through_the_past() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.recall(["old", "two\nlines"])
        await write(pilot, "draft")
        await pilot.press("up")
        assert app.prompt.text == "two\nlines"
        await pilot.press("down")
        assert (app.prompt.text, app.prompt.cursor_location[0]) == ("two\nlines", 1)
        await pilot.press("up", "up")
        assert app.prompt.text == "old"
        await pilot.press("up")
        assert app.prompt.text == "old"
        await pilot.press("down", "down", "down")
        assert app.prompt.text == "draft"
        await pilot.press("enter", "up")
        assert app.prompt.text == "draft"


async def test_a_long_line_is_gone_through_by_its_rows() -> None:
    app = Host()
    async with app.run_test(size=(40, 24)) as pilot:
        app.prompt.recall(["old"])
        app.prompt.value = "word " * 14
        await pilot.press("up")
        assert app.prompt.text.startswith("word")
        await pilot.press("up")
        assert app.prompt.text == "old"


async def test_what_was_typed_is_searched_as_one_types() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.recall(["Who led Rome in 1990?", "Who led Bonn?", "What fee?", "Who led rome in 2000?"])
        await write(pilot, "led")
        await pilot.press("ctrl+r")
        assert listed(app) == ["Who led rome in 2000?", "Who led Bonn?", "Who led Rome in 1990?"]
        await write(pilot, " ROME")
        assert listed(app) == ["Who led rome in 2000?", "Who led Rome in 1990?"]
        await pilot.press("ctrl+r", "enter")
        assert app.prompt.text == "Who led Rome in 1990?"
        assert (listed(app), app.sent) == ([], [])
        await pilot.press("enter")
        await pilot.pause()
        assert app.sent == ["Who led Rome in 1990?"]


async def test_esc_leaves_the_search_with_what_it_began_with() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.recall(["alpha", "beta"])
        await write(pilot, "al")
        await pilot.press("ctrl+r")
        await write(pilot, "x")
        assert listed(app) == []
        await pilot.press("enter")
        assert app.sent == []
        await pilot.press("escape")
        assert (app.prompt.text, app.escaped) == ("al", 0)
        await pilot.press("escape")
        assert app.escaped == 1


async def test_a_search_without_a_match_says_so_and_begins_anew() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.recall(["alpha", "beta"])
        await write(pilot, "A draft ")
        await pilot.press("ctrl+r")
        shown = app.screen.query_one(Suggestions)
        assert shown.display
        assert "no match" in str(shown.border_title)
        await pilot.press("ctrl+r")
        await write(pilot, "be")
        assert listed(app) == ["beta"]
        assert "no match" not in str(shown.border_title)
        await pilot.press("enter")
        assert app.prompt.text == "beta"
        assert not shown.display


async def test_commands_and_arguments_are_completed_by_tab() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        assert not app.screen.query(Suggestions)
        await write(pilot, "/")
        assert listed(app) == ["/asof", "/corpus", "/help", "/history"]
        await write(pilot, "c")
        assert listed(app) == ["/corpus"]
        await pilot.press("tab")
        assert app.prompt.text == "/corpus "
        assert listed(app) == ["leaders", "policy-rates", "spaceflight"]
        await pilot.press("down", "down", "tab")
        assert (app.prompt.text, listed(app)) == ("/corpus policy-rates", [])
        await pilot.press("enter")
        await pilot.pause()
        assert app.sent == ["/corpus policy-rates"]


async def test_enter_sends_what_is_typed_unless_a_row_was_gone_to() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "/h")
        await pilot.press("enter")
        await pilot.pause()
        assert app.sent == ["/h"]
        await write(pilot, "/h")
        await pilot.press("up", "enter")
        assert (app.prompt.text, app.sent) == ("/history", ["/h"])


async def test_esc_closes_the_list_and_tab_without_one_goes_on() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "/h")
        await pilot.press("escape")
        assert (listed(app), app.prompt.text, app.escaped) == ([], "/h", 0)
        await pilot.press("backspace")
        assert listed(app) == ["/asof", "/corpus", "/help", "/history"]
        await pilot.press("escape", "tab")
        assert not app.prompt.has_focus


@pytest.mark.parametrize(
    ("keys", "text", "rows"),
    [
        (["x", "backspace"], "/h", ["/help", "/history"]),
        (["e", "l", "ctrl+w"], "/", ["/asof", "/corpus", "/help", "/history"]),
        (["ctrl+u"], "", []),
        (["ctrl+z"], "", []),
        (["left", "delete"], "/", ["/asof", "/corpus", "/help", "/history"]),
    ],
)
async def test_the_list_follows_every_way_to_edit(keys: list[str], text: str, rows: list[str]) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "/h")
        await pilot.press(*keys)
        assert (app.prompt.text, listed(app)) == (text, rows)


async def test_the_list_goes_with_the_focus_and_stays_above_the_prompt() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.recall(["one long line " * 10])
        await pilot.press("ctrl+r")
        await write(pilot, "one")
        shown = app.screen.query_one(Suggestions)
        await pilot.resize_terminal(80, 30)
        await pilot.pause()
        assert shown.region.bottom == app.prompt.region.y == 29
        app.query_one(Button).focus()
        await pilot.pause()
        assert listed(app) == []


async def test_a_click_takes_a_row() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "/h")
        shown = app.screen.query_one(Suggestions)
        await pilot.pause()
        assert shown.region.bottom == app.prompt.region.y
        await pilot.click(Suggestions, offset=(3, 2))
        assert app.prompt.text == "/history"
        assert app.prompt.has_focus


async def test_the_times_of_a_question_are_underlined_and_posted(wait_until: WaitUntil) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "Who led in 1990")
        await wait_until(pilot, lambda: app.periods and underlined(app) == "in 1990")
        assert [str(asked.interval.granularity) for asked in app.periods[-1]] == ["year"]
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.periods[-1] == ())
        assert underlined(app) == ""


async def test_what_moved_since_is_not_underlined_until_it_is_read_again(wait_until: WaitUntil) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.value = "Who led in 1990 and in 1995?"
        await wait_until(pilot, lambda: underlined(app) == "in 1990in 1995")
        app.prompt.move_cursor((0, 19))
        await pilot.press("x")
        assert underlined(app) == "in 1990"
        await pilot.press("backspace")
        await wait_until(pilot, lambda: underlined(app) == "in 1990in 1995")


async def test_times_stand_where_they_are_in_several_lines(wait_until: WaitUntil) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.value = "Compare\nthe fee in May\n2021 with 2019"
        await wait_until(pilot, lambda: len(app.periods) == 1)
        await pilot.pause()
        assert underlined(app) == "in May20212019"


async def test_only_the_last_of_several_texts_is_read_and_no_key_waits(
    wait_until: WaitUntil,
) -> None:
    go, read = threading.Event(), []

    def slow(text: str) -> Times:
        read.append(text)
        go.wait(10)
        return times_of(text)

    app = Host(slow)
    async with app.run_test(size=(80, 24)) as pilot:
        for text in ("in 1990", "in 1991", "in 1992"):
            app.prompt.value = text
            await pilot.pause(0.3)
        assert app.prompt.text == "in 1992"
        go.set()
        await wait_until(pilot, lambda: app.periods)
        assert read == ["in 1990", "in 1992"]
        assert [asked.interval for asked in app.periods[0]] == [
            asked.interval for asked in times_of("in 1992").periods
        ]
        assert len(app.periods) == 1


async def test_a_reading_that_fails_leaves_the_prompt_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    def fail(text: str) -> Times:
        raise ZeroDivisionError(text)

    app = Host(fail)
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "in 1990")
        await pilot.pause(0.3)
        await write(pilot, "!")
        assert app.prompt.text == "in 1990!"
        assert "cannot be read" in caplog.text


async def test_without_a_terminal_an_editor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "true")
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "kept")
        await pilot.press("f6")
        await pilot.pause()
        assert app.prompt.text == "kept"
        (said,) = app._notifications
        assert said.message.startswith("no editor can be opened in this terminal")


async def test_what_is_for_the_chat_goes_on_to_it() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "text")
        await pilot.press("pageup", "pagedown", "ctrl+c")
        assert app.passed == ["pageup", "pagedown", "ctrl+c"]


async def test_ctrl_c_copies_what_is_selected() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "copy me")
        await pilot.press("shift+left", "shift+left", "ctrl+c")
        assert app.clipboard == "me"
