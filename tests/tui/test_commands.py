"""The table of commands, and what is made from it."""

from collections.abc import Callable, Iterator
from operator import attrgetter

import pytest
from scripted_chat import QUESTION, ChatMaker, FakeCorpus, script
from textual.containers import VerticalScroll
from textual.widgets._footer import FooterKey

from timelens.answer.rendering.timeline import Timeline
from timelens.config import Settings
from timelens.errors import BadInputError
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import year_interval
from timelens.tui.commands import COMMANDS, Known, command_named, completions, help_cells, parse_command
from timelens.tui.keys import KeysScreen
from timelens.tui.prompt import Prompt

KNOWN = Known(("leaders", "space", "space [b]"), Settings(), day_number(2024), year_interval(1960, 1961))


async def test_keys_without_room_are_left_out_and_not_cut(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((80, 24)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        for width, last in (
            (79, "^q Quit"),
            (60, "f4 History"),
            (64, "f5 Corpora"),
            (72, "f8 Day"),
            (90, "^q Quit"),
        ):
            await pilot.resize_terminal(width, 24)
            await chat.until(
                pilot,
                lambda: chat.screen.splitlines()[-1].split("▏")[0].rstrip().endswith(last),  # noqa: B023
            )


async def test_the_line_of_keys_is_made_again_only_for_other_keys(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((120, 40)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await pilot.pause()
        keys = list(chat.app.screen.query(FooterKey))
        assert keys
        chat.app.screen.refresh_bindings()
        await pilot.pause()
        assert list(chat.app.screen.query(FooterKey)) == keys
        await chat.type(pilot, QUESTION)
        await chat.see(pilot, "It was in 1961")
        await pilot.press("tab")
        await chat.until(pilot, lambda: "zoom" in chat.screen.splitlines()[-1].lower())
        assert list(chat.app.screen.query(FooterKey)) != keys


async def test_the_list_of_commands_shows_its_beginning_with_its_lines_in_columns(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((60, 18)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await chat.type(pilot, "/help")
        screen = await chat.see(pilot, "Commands. All keys: F1.", "/corpora")
        lines = screen.splitlines()
        at = next(n for n, line in enumerate(lines) if "/asof" in line)
        column = lines[at].index("set the day")
        assert lines[at + 1][:column].strip() == ""
        assert lines[at + 1][column] != " "


def test_names_and_keys_are_there_once() -> None:
    names = [command.name for command in COMMANDS]
    keys = [key for command in COMMANDS for key in command.keys.split(",") if key]
    assert len(set(names)) == len(names)
    assert len(set(keys)) == len(keys)


def test_a_line_is_a_question_or_a_command_with_its_argument() -> None:
    assert parse_command("Who was it?") is None
    assert parse_command("/ASOF  2020-01-01 ") == (command_named("asof"), "2020-01-01")
    assert parse_command("/model") == (command_named("model"), "")
    with pytest.raises(BadInputError, match="needs an argument"):
        parse_command("/export  ")
    with pytest.raises(BadInputError, match="there is no command /"):
        parse_command("/")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("/corp", ["/corpus", "/corpora"]),
        ("/corpus s", ["space", "space [b]", "leaders"]),
        ("/Corpus LEAD", ["leaders"]),
        ("/strategy bm", ["bm25"]),
        ("/model non", ["none"]),
        ("/asof 196", ["1961", "1960"]),
        ("/asof 1961-1", ["1961-10-31", "1961-11-30", "1961-12-31"]),
        ("/export read", ["README.md"]),
        ("/nothing x", []),
        ("Who", []),
    ],
)
@pytest.mark.usefixtures("home")
def test_what_a_line_may_become(line: str, offered: list[str]) -> None:
    completion = completions(line, len(line), KNOWN)
    assert ([] if completion is None else [one.text for one in completion.suggestions]) == offered


def test_every_command_has_a_line_in_the_help() -> None:
    assert [says for _, says in help_cells()] == [command.help for command in COMMANDS]
    assert all(cells[0].startswith(one.form) for cells, one in zip(help_cells(), COMMANDS, strict=True))


async def test_every_command_has_its_method(chat_of: ChatMaker, timeline: Timeline) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open() as pilot:
        await chat.see(pilot, "space: 3 documents")
        handlers: Iterator[Callable[[str], object]] = (
            attrgetter(command.handler)(chat.app.chat) for command in COMMANDS
        )
        assert all(callable(handler) for handler in handlers)
        offered = chat.app.chat.completions("/corpus ", 8)
        assert offered is not None
        assert [one.text for one in offered.suggestions] == ["space", "*"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_f1_shows_all_commands_and_the_keys_of_each_place(
    chat_of: ChatMaker, timeline: Timeline, size: tuple[int, int]
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open(size) as pilot:
        await chat.see(pilot, "space: 3 documents")
        await pilot.press("f1")
        await chat.see(pilot, "commands and keys", "/strategy [NAME]")
        seen = chat.screen
        frame = chat.app.screen.query_one(VerticalScroll)
        for top in range(0, frame.virtual_size.height, 10):
            frame.scroll_to(y=top, animate=False, immediate=True)
            await pilot.pause()
            seen += chat.screen
        assert "In the prompt" in seen
        assert "In a document" in seen
        assert all(name in seen for name in ("document-open-file", "document-page-down", "corpora-filter"))
        assert "/export FILE" in seen
        assert "f2, ^t" in seen
        await pilot.press("escape")
        await chat.until(pilot, lambda: not isinstance(chat.app.screen, KeysScreen))
        assert isinstance(chat.app.focused, Prompt)


async def test_the_keys_of_the_chat_have_room_in_80_columns_in_their_order(
    chat_of: ChatMaker, timeline: Timeline
) -> None:
    chat = chat_of(FakeCorpus("space", script(timeline)))
    async with chat.open((80, 24)) as pilot:
        await chat.see(pilot, "space: 3 documents")
        keys = "f1 Keys f2 Evidence f3 Steps f4 History f5 Corpora f8 Day ^q Quit"
        assert chat.screen.splitlines()[-1].split("▏")[0].strip() == keys
        assert chat.screen.endswith("▏^p palette")
