"""The evidence of a question as bars on a time axis."""

from typing import ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import MouseScrollDown, MouseScrollUp
from textual.widget import Widget

from timelens.answer.timeline import Timeline
from timelens.tui.bars import Row, RowKind, draw
from timelens.tui.kept import Evidence
from timelens.tui.rows import MUTED

_NOTHING = "No evidence."
_LIGHT = str.maketrans("━●", "─○")
"""The bars of what the answer does not cite: they are told apart without colours, too."""


class TimelinePanel(Widget, can_focus=True):
    """The evidence on a time axis, with the asked periods marked; what has no room is scrolled to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_by(-1)", show=False),
        Binding("down", "scroll_by(1)", show=False),
        Binding("pageup", "scroll_by(-8)", show=False),
        Binding("pagedown", "scroll_by(8)", show=False),
    ]

    DEFAULT_CSS = """
    TimelinePanel { border: round $border-blurred; border-title-color: $text-muted; padding: 0 1; }
    TimelinePanel:focus { border: round $border; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "timeline"
        self._evidence = Evidence(Timeline(()))
        self._top: int | None = None
        """Pieces that were scrolled past; ``None`` until somebody scrolls."""

    def show(self, evidence: Evidence) -> None:
        """Draw other evidence; what the answer cites is set off."""
        self._evidence = evidence
        self._top = None
        self.refresh(layout=True)

    def action_scroll_by(self, rows: int) -> None:
        """Scroll towards later evidence, or back."""
        pieces = len(self._evidence.timeline.citations)
        hidden = pieces - sum(row.kind is RowKind.BAR for row in self._rows())
        if hidden:
            self._top = min(max((self._top or 0) + rows, 0), hidden)
            self.refresh()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Towards later evidence."""
        event.stop()
        self.action_scroll_by(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Towards earlier evidence."""
        event.stop()
        self.action_scroll_by(-1)

    def _rows(self) -> tuple[Row, ...]:
        """What there is room for."""
        shown, (width, height) = self._evidence, self.content_size
        return draw(shown.timeline, shown.asked, width, height, cited=shown.cited, top=self._top)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 -- Textual's signature
        """Rows for everything."""
        return max(1, len(draw(self._evidence.timeline, self._evidence.asked, width)))

    def render(self) -> RenderResult:
        """As many periods and bars as there are rows for."""
        rows = self._rows()
        if not rows:
            return Content(_NOTHING)
        return Content("\n").join([self._styled(row) for row in rows])

    def _styled(self, row: Row) -> Content:
        if row.kind is RowKind.BAR:
            cited = row.number in self._evidence.cited
            if not cited:
                return Content.assemble((f"{row.label}{row.drawing.translate(_LIGHT)}{row.note}", MUTED))
            return Content.assemble(
                (row.label, "bold $text-primary"), (row.drawing, "$text-primary"), row.note
            )
        colour = "$text-warning" if row.kind is RowKind.ASKED else MUTED
        return Content.assemble((row.text, colour))
