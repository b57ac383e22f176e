"""The line that moves the day that counts as today."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_chat import WaitUntil
from textual.app import App, ComposeResult
from textual.events import MouseDown, MouseMove, MouseUp
from textual.widgets import Static

from timelens.temporal.calendar import Day, day_number, format_day
from timelens.tui import app as chat_app
from timelens.tui import scrubber
from timelens.tui.as_of_input import Slide
from timelens.tui.scrubber import Scrubber, drawing, track

STYLES = Path(chat_app.__file__).with_name("chat.tcss")
FIRST, LAST = day_number(1949), day_number(2024, 6, 1)


class Host(App[None]):
    CSS_PATH = STYLES

    def __init__(self, day: Day = LAST) -> None:
        super().__init__()
        self.scrubber = Scrubber(FIRST, LAST, day)
        self.happened: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static("above")
        yield self.scrubber

    def on_mount(self) -> None:
        self.scrubber.focus()

    def on_scrubber_moved(self, message: Scrubber.Moved) -> None:
        self.happened.append(f"moved {format_day(message.day)}")

    def on_scrubber_asked(self, message: Scrubber.Asked) -> None:
        self.happened.append(f"asked {format_day(message.day)}")

    def on_scrubber_left(self) -> None:
        self.happened.append("left")

    @property
    def day(self) -> str:
        return format_day(self.scrubber.slide.day)


@pytest.mark.parametrize(
    ("key", "day"),
    [
        ("left", "2000-02-28"),
        ("right", "2000-03-01"),
        ("shift+left", "2000-01-29"),
        ("shift+right", "2000-03-29"),
        ("ctrl+left", "1999-02-28"),
        ("ctrl+right", "2001-02-28"),
        ("pageup", "1990-02-28"),
        ("pagedown", "2010-02-28"),
        ("home", "1949-01-01"),
        ("end", "2024-06-01"),
    ],
)
async def test_each_key_moves_the_day(key: str, day: str, wait_until: WaitUntil) -> None:
    app = Host(day_number(2000, 2, 29))
    async with app.run_test(size=(80, 5)) as pilot:
        await pilot.press(key)
        assert app.day == day
        await wait_until(pilot, lambda: app.happened)
        assert app.happened == [f"moved {day}"]


async def test_only_the_day_that_rests_is_told(
    wait_until: WaitUntil, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrubber, "_STILL_SECONDS", 1.0)  # keys may come slowly on a busy machine
    app = Host()
    async with app.run_test(size=(80, 5)) as pilot:
        await pilot.press(*["ctrl+left"] * 10)
        await wait_until(pilot, lambda: app.happened)
        assert app.happened == ["moved 2014-06-01"]
        await pilot.press("left", "right")
        await pilot.pause(1.5)
        assert len(app.happened) == 1


async def test_enter_asks_and_esc_leaves_without_telling_the_day_again() -> None:
    app = Host()
    async with app.run_test(size=(80, 5)) as pilot:
        await pilot.press("left", "enter")
        await pilot.press("left", "escape")
        await pilot.press("left", "f8")
        await pilot.pause(0.3)
        assert app.happened == ["asked 2024-05-31", "left", "left"]


async def test_the_mouse_drags_the_day() -> None:
    app = Host()
    async with app.run_test(size=(80, 5)) as pilot:
        start, width = track(app.scrubber.slide, 78)
        await pilot._post_mouse_events([MouseDown], app.scrubber, offset=(1 + start, 0), button=1)
        assert app.day == "1949-01-01"
        await pilot._post_mouse_events([MouseMove], app.scrubber, offset=(start + width // 2, 0), button=1)
        assert "1984" < app.day < "1990"
        await pilot._post_mouse_events([MouseMove], app.scrubber, offset=(79, 0), button=1)
        assert app.day == "2024-06-01"
        await pilot._post_mouse_events([MouseUp], app.scrubber, offset=(1, 0), button=1)
        await pilot._post_mouse_events([MouseMove], app.scrubber, offset=(start + 2, 0))
        assert app.day == "2024-06-01"


def slides() -> Iterator[Slide]:
    yield Slide(FIRST, LAST, LAST)
    yield Slide(FIRST, LAST, FIRST)
    yield Slide(day_number(-11999, 9, 30), LAST, day_number(-11999, 9, 30))
    yield Slide(FIRST, FIRST, FIRST)


@pytest.mark.parametrize("slide", list(slides()), ids=str)
@pytest.mark.parametrize("width", [78, 158])
def test_the_line_is_as_wide_as_there_is_room(slide: Slide, width: int) -> None:
    line = drawing(slide, width).plain
    assert len(line) == width
    assert line.index("●") == track(slide, width)[0] + slide.column(track(slide, width)[1])
