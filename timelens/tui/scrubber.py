"""A one-line slider for the reference day over the span of the corpus, for keys and the mouse."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import MouseDown, MouseMove, MouseUp
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from timelens.temporal import Day, Granularity, civil, phrase_day, phrase_year
from timelens.tui.as_of_input import Slide

_STILL_SECONDS = 0.15
"""Seconds without movement before the evidence follows."""
_LONGEST_DAY = len("as of 30 September ")
_LONGEST_EARLY_YEAR = len("AD 999")


class Scrubber(Widget, can_focus=True):
    """A day on a track; its position is reported once it rests."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move('day', -1)", "Day", key_display="←/→", id="day-day-back"),
        Binding("right", "move('day', 1)", show=False, id="day-day-on"),
        Binding("shift+left", "move('month', -1)", "Month", key_display="shift+←/→", id="day-month-back"),
        Binding("shift+right", "move('month', 1)", show=False, id="day-month-on"),
        Binding("ctrl+left", "move('year', -1)", "Year", key_display="^←/→", id="day-year-back"),
        Binding("ctrl+right", "move('year', 1)", show=False, id="day-year-on"),
        Binding("pageup", "move('decade', -1)", "Ten years back", show=False, id="day-decade-back"),
        Binding("pagedown", "move('decade', 1)", "Ten years on", show=False, id="day-decade-on"),
        Binding("home", "to_end(-1)", "First day", show=False, id="day-first"),
        Binding("end", "to_end(1)", "Last day", show=False, id="day-last"),
        Binding("enter", "ask", "Ask", id="day-ask"),
        Binding("escape,f8", "leave", "Back", id="day-back"),
    ]

    class Moved(Message):
        """The day rests at a new position."""

        def __init__(self, day: Day) -> None:
            super().__init__()
            self.day = day

    class Asked(Message):
        """The user wants to ask the question as of this day."""

        def __init__(self, day: Day) -> None:
            super().__init__()
            self.day = day

    class Left(Message):
        """The user left the slider; everything is to be restored."""

    slide: reactive[Slide] = reactive(Slide(0, 0, 0))

    def __init__(self, first: Day, last: Day, day: Day) -> None:
        """A track from the first to the last day, inclusive, extended if ``day`` is outside."""
        super().__init__()
        self.set_reactive(Scrubber.slide, Slide.of(first, last, day))
        self._told = day
        self._dragged = False
        self._still: Timer | None = None

    def render(self) -> Content:
        """The ends of the track, the position of the day on it, and the day in words."""
        return drawing(self.slide, self.size.width)

    def watch_slide(self) -> None:
        """Report the day once it rests."""
        if self._still is not None:
            self._still.stop()
        self._still = self.set_timer(_STILL_SECONDS, self._tell)

    def action_move(self, unit: str, count: int) -> None:
        """Move by a number of units; a negative ``count`` moves back."""
        self.slide = self.slide.moved(Granularity(unit), count)

    def action_to_end(self, side: int) -> None:
        """Move to the first or the last day."""
        self.slide = self.slide.to(self.slide.first if side < 0 else self.slide.last)

    def action_ask(self) -> None:
        """Ask as of this day."""
        self._stop()
        self.post_message(self.Asked(self.slide.day))

    def action_leave(self) -> None:
        """Leave the slider."""
        self._stop()
        self.post_message(self.Left())

    def on_mouse_down(self, event: MouseDown) -> None:
        """Move the day to the mouse, and start dragging."""
        self._dragged = True
        self.capture_mouse()
        self._follow(event.x)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Follow the mouse while dragging."""
        if self._dragged:
            self._follow(event.x)

    def on_mouse_up(self, event: MouseUp) -> None:
        """Stop dragging."""
        event.stop()
        self._dragged = False
        self.release_mouse()

    def _follow(self, x: int) -> None:
        start, width = track(self.slide, self.size.width)
        self.slide = self.slide.at_column(x - self.gutter.left - start, width)

    def _tell(self) -> None:
        if self.slide.day != self._told:
            self._told = self.slide.day
            self.post_message(self.Moved(self.slide.day))

    def _stop(self) -> None:
        if self._still is not None:
            self._still.stop()


def track(slide: Slide, width: int) -> tuple[int, int]:
    """The first column and the number of columns of the track, in a line of ``width`` columns."""
    first, last = _ends(slide)
    return len(first) + 1, max(width - len(first) - len(last) - 3 - _day_columns(slide), 1)


def drawing(slide: Slide, width: int) -> Content:
    """The line: "1949 ━━━━●──── 2024  31 December 1990"."""
    first, last = _ends(slide)
    _, columns = track(slide, width)
    at = slide.column(columns)
    return Content.assemble(
        f"{first} ",
        ("━" * at, "$text-accent"),
        ("●", "bold $text-accent"),
        "─" * (columns - at - 1),
        f" {last} ",
        (f"as of {phrase_day(slide.day)}".rjust(_day_columns(slide)), "bold"),
    )


def _ends(slide: Slide) -> tuple[str, str]:
    return phrase_year(civil(slide.first)[0]), phrase_year(civil(slide.last)[0])


def _day_columns(slide: Slide) -> int:
    """Width of the longest day on a track in words, so that the track does not move."""
    first, last = map(len, _ends(slide))
    return _LONGEST_DAY + max(first, last, _LONGEST_EARLY_YEAR if civil(slide.first)[0] < 1000 else 0)
