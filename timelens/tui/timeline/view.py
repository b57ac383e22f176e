"""The rows of the timeline on the screen: line drawing and mouse handling."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from timelens.tui.timeline.brush import Brush
from timelens.tui.timeline.cells import Look, Row, Run, number_at
from timelens.tui.timeline.drawing import Drawing, Scene, draw
from timelens.tui.timeline.window import Window

_CLASSES = {look: f"timeline--{look}" for look in Look}


class TimelineView(ScrollView, can_focus=True, inherit_bindings=False):
    """The asked periods stay at the top and the axis at the bottom; the lanes between them scroll."""

    ALLOW_SELECT = False  # dragging marks a span of time

    COMPONENT_CLASSES: ClassVar[set[str]] = {*_CLASSES.values(), "timeline--brushed"}

    DEFAULT_CSS = """
    TimelineView { height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & .timeline--ground, & .timeline--axis, & .timeline--other, & .timeline--quiet,
        & .timeline--density { color: $foreground-muted; }
        & .timeline--asked, & .timeline--gap { color: $text-warning; }
        & .timeline--typed { color: $text-accent; }
        & .timeline--cited { color: $text-primary; text-style: bold; }
        & .timeline--brush { color: $text-accent; text-style: bold; }
        & .timeline--brushed { background: $primary 30%; }
        & .timeline--value-1 { color: $primary; }
        & .timeline--value-2 { color: $warning; }
        & .timeline--value-3 { color: $success; }
        & .timeline--value-4 { color: $error; }
        & .timeline--value-5 { color: $secondary; }
        & .timeline--value-6 { color: $accent; }
    }
    """

    class Pressed(Message):
        """A piece of evidence was clicked, or an empty position (``None``)."""

        def __init__(self, number: int | None, *, twice: bool) -> None:
            self.number = number
            self.twice = twice
            super().__init__()

    class Dragged(Message):
        """The mouse was dragged from one column of the axis to another."""

        def __init__(self, begun: int, reached: int) -> None:
            self.begun = begun
            self.reached = reached
            super().__init__()

    class Zoomed(Message):
        """The wheel was turned with Ctrl over a column of the axis; positive zooms in."""

        def __init__(self, steps: int, column: int) -> None:
            self.steps = steps
            self.column = column
            super().__init__()

    class Panned(Message):
        """The wheel was turned sideways; positive is towards later days."""

        def __init__(self, steps: int) -> None:
            self.steps = steps
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.drawing = Drawing()
        self._scene = Scene()
        self._window: Window | None = None
        self._brush: Brush | None = None
        self._selected: int | None = None
        self._inset = 0
        self._drawn_for: Size | None = None
        self._pressed: int | None = None
        self._dragged = False

    def show(
        self, scene: Scene, window: Window | None, brush: Brush | None, selected: int | None, inset: int
    ) -> None:
        """Draw the scene; the axis begins ``inset`` columns from the left."""
        self._scene, self._window, self._brush = scene, window, brush
        self._selected, self._inset = selected, inset
        self._draw()

    def reveal(self, number: int) -> None:
        """Scroll to the lane of a piece of evidence."""
        lane = self.drawing.lane_of.get(number)
        rows = self._height - len(self.drawing.head) - len(self.drawing.foot)
        if lane is not None and rows > 0:
            top = round(self.scroll_offset.y)
            self.scroll_to(y=min(max(top, lane - rows + 1), lane), animate=False, force=True)

    def on_resize(self) -> None:
        """Draw at the new size."""
        self._draw()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw at the current size, because not every size change is reported."""
        if self._drawn_for != self.scrollable_content_region.size:
            self._draw()
        return super().render_lines(crop)

    def notify_style_update(self) -> None:
        """Redraw with new colours."""
        super().notify_style_update()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A row of head, lanes or foot."""
        segments = [
            Segment(" " * self._inset),
            *(Segment(run.text, self._style(run)) for run in self._row(y)),
        ]
        strip = Strip(segments).adjust_cell_length(self.scrollable_content_region.width)
        return strip.apply_style(self.rich_style)

    def _row(self, y: int) -> Row:
        drawing = self.drawing
        head, foot = len(drawing.head), len(drawing.foot)
        if y < head:
            return drawing.head[y]
        if y >= self._height - foot:
            return drawing.foot[y - self._height + foot]
        lane = y - head + round(self.scroll_offset.y)
        return drawing.lanes[lane] if lane < len(drawing.lanes) else ()

    def _style(self, run: Run) -> Style:
        style = self.get_component_rich_style(_CLASSES[run.look], partial=False)
        if run.brushed:
            brushed = self.get_component_rich_style("timeline--brushed")
            style += Style(bgcolor=brushed.bgcolor)
        if run.number is not None and run.number == self._selected:
            style += Style(reverse=True, bold=True)
        return style

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _draw(self) -> None:
        self._drawn_for = self.scrollable_content_region.size
        width, height = self._drawn_for
        self.drawing = draw(self._scene, self._window, width - self._inset, height, self._brush)
        rows = len(self.drawing.head) + len(self.drawing.lanes) + len(self.drawing.foot)
        self.virtual_size = Size(width, rows)
        self.show_vertical_scrollbar = rows > height
        self.refresh()

    # Mouse events

    def _column(self, event: events.MouseEvent) -> int | None:
        """The column of the axis under the mouse, or the nearest one."""
        axis = self.drawing.axis
        if axis is None:
            return None
        offset = event.get_content_offset_capture(self)
        return min(max(offset.x - self._inset, 0), axis.width - 1)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Start a click or a drag."""
        self._pressed, self._dragged = self._column(event), False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark a span while the button is held."""
        column = self._column(event)
        if self._pressed is None or column is None or not event.button:
            return
        self._dragged = self._dragged or column != self._pressed
        if self._dragged:
            self.post_message(self.Dragged(self._pressed, column))

    def on_mouse_up(self) -> None:
        """End a click or a drag."""
        self.release_mouse()
        self._pressed = None

    def on_click(self, event: events.Click) -> None:
        """Report the clicked piece."""
        if self._dragged:
            return
        offset = event.get_content_offset_capture(self)
        number = number_at(self._row(offset.y), offset.x - self._inset)
        self.post_message(self.Pressed(number, twice=event.chain > 1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """With Ctrl zoom in, with Shift pan to earlier days."""
        self._wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """With Ctrl zoom out, with Shift pan to later days."""
        self._wheel(event, -1)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """Pan to earlier days."""
        event.stop()
        event.prevent_default()
        self.post_message(self.Panned(-1))

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """Pan to later days."""
        event.stop()
        event.prevent_default()
        self.post_message(self.Panned(1))

    def _wheel(self, event: events.MouseEvent, up: int) -> None:
        if not (event.ctrl or event.shift):
            return
        event.stop()
        event.prevent_default()
        if event.shift:
            self.post_message(self.Panned(-up))
        elif (column := self._column(event)) is not None:
            self.post_message(self.Zoomed(up, column))
