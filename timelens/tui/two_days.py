"""A question under two reference days, side by side, with the differences marked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from timelens.printable import printable_line
from timelens.temporal import Day, phrase_day
from timelens.tui.differences import Marked, ShownAnswer, Side, sides_of, summary
from timelens.tui.footer import KeysFooter

if TYPE_CHECKING:
    from timelens import AgentEvent


class TwoDaysScreen(Screen[None]):
    """Two columns, each with an answer and its evidence; returns nothing."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", "Back", id="days-back")]

    def __init__(self, question: str, days: tuple[Day, Day]) -> None:
        super().__init__()
        self._question = question
        self._days = days
        self._found: list[ShownAnswer | None] = [None, None]

    def compose(self) -> ComposeResult:
        """The question, a summary of the differences, and a column for each day."""
        yield Static(Content(f"> {printable_line(self._question)}"), id="asked")
        yield Static(id="differs")
        with VerticalScroll(), Horizontal():
            for day in self._days:
                with Vertical():
                    yield Static(Content(f"as of {phrase_day(day)}"), classes="day")
                    yield Vertical(Static(Content("asking …")), classes="side")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Focus the frame, so that the arrow keys scroll."""
        self.query_one(VerticalScroll).focus()

    def take(self, place: int, events: "Sequence[AgentEvent]") -> None:
        """Show the result for one of the days: 0 is the left one, 1 the right one."""
        from timelens import Answered, Gathered

        found = ShownAnswer("", ())
        for event in events:
            if isinstance(event, Gathered):
                found = ShownAnswer(found.text, event.timeline.citations)
            elif isinstance(event, Answered):
                found = ShownAnswer(event.answer.text, found.evidence)
        self._found[place] = found
        one, other = self._found
        if one is None or other is None:
            self._fill(place, sides_of(found, found)[0])
            return
        both = sides_of(one, other)
        for index, side in enumerate(both):
            self._fill(index, side)
        self.query_one("#differs", Static).update(Content(summary(*both)))

    def fail(self, place: int, message: str) -> None:
        """Show an error for one of the days."""
        self._show(place, [Static(Content.styled(printable_line(message), "$text-error"))])

    def _fill(self, place: int, side: Side) -> None:
        evidence = side.evidence or (Marked("no evidence", differs=False),)
        items = [Static(Content(item.text), classes=_classes(item)) for item in (*side.answer, *evidence)]
        items[len(side.answer)].add_class("first")
        self._show(place, items)

    def _show(self, place: int, items: Sequence[Static]) -> None:
        side = list(self.query(".side"))[place]
        with self.app.batch_update():
            side.remove_children()
            side.mount_all(items)


def _classes(item: Marked) -> str:
    """The CSS class of an item: a difference has a bar at its left, everything else is fainter."""
    return "differs" if item.differs else "same"
