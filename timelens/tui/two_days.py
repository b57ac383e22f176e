"""A question under two days that count as today, side by side, with what differs marked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from timelens.printable import printable_line
from timelens.temporal.calendar import Day
from timelens.temporal.phrasing import phrase_day
from timelens.tui.differences import Found, Marked, Side, sides_of, summary

if TYPE_CHECKING:
    from timelens.agent import AgentEvent

_DIFFERS, _SAME = "≠ ", "  "


class TwoDaysScreen(Screen[None]):
    """Two columns, each with an answer and its evidence; ends without a result."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", "Back")]

    def __init__(self, question: str, days: tuple[Day, Day]) -> None:
        super().__init__()
        self._question = question
        self._days = days
        self._found: list[Found | None] = [None, None]

    def compose(self) -> ComposeResult:
        """The question, how much differs, and a column for each day."""
        yield Static(Content(f"> {printable_line(self._question)}"), id="asked")
        yield Static(Content(f"{_DIFFERS}is on this side alone"), id="differs")
        with VerticalScroll(), Horizontal():
            for day in self._days:
                with Vertical():
                    yield Static(Content(f"as of {phrase_day(day)}"), classes="day")
                    yield Static(Content("asking …"), classes="side")
        yield Footer()

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def take(self, place: int, events: "Sequence[AgentEvent]") -> None:
        """Show what was found as of one of the days: 0 is the left one, 1 the right one."""
        from timelens.agent import Answered, Gathered

        found = Found("", ())
        for event in events:
            if isinstance(event, Gathered):
                found = Found(found.text, event.timeline.citations)
            elif isinstance(event, Answered):
                found = Found(event.answer.text, found.evidence)
        self._found[place] = found
        self._draw()

    def fail(self, place: int, message: str) -> None:
        """Say what went wrong with one of the days."""
        side = list(self.query(".side").results(Static))[place]
        side.update(Content.styled(printable_line(message), "$text-error"))

    def _draw(self) -> None:
        one, other = self._found
        sides = self.query(".side").results(Static)
        if one is None or other is None:
            for found, side in zip(self._found, sides, strict=True):
                if found is not None:
                    side.update(column(sides_of(found, found)[0]))
            return
        both = sides_of(one, other)
        for drawn, side in zip(both, sides, strict=True):
            side.update(column(drawn))
        self.query_one("#differs", Static).update(Content(summary(*both)))


def column(side: Side) -> Content:
    """An answer and its evidence; what the other side has too is fainter, what differs has a sign."""
    evidence = side.evidence or (Marked("no evidence", differs=False),)
    parts = [*map(_part, side.answer), Content(""), *map(_part, evidence)]
    return Content("\n").join(parts)


def _part(item: Marked) -> Content:
    first, *rest = item.text.split("\n")
    style = "bold" if item.differs else "$text-muted"
    lines = [f"{_DIFFERS if item.differs else _SAME}{first}", *(f"{_SAME}{line}" for line in rest)]
    return Content.styled("\n".join(lines), style)
