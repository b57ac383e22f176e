"""The timeline panel: the actions of its keys, and its messages to the chat."""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from timelens.temporal import Interval
from timelens.tui.timeline import captions
from timelens.tui.timeline.brush import Brush
from timelens.tui.timeline.drawing import Scene
from timelens.tui.timeline.keys import KEYS
from timelens.tui.timeline.pieces import pieces_of
from timelens.tui.timeline.view import TimelineView
from timelens.tui.timeline.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence
    from timelens.tui.timeline.plot import ValuesPlot
    from timelens.tui.timeline.values import Values

_ZOOM = Fraction(2)
_PAN = Fraction(1, 4)
_ROWS_OF_A_PLOT = 16
"""Height of a curve with its axis."""
_ROWS_BELOW_A_PLOT = 3
_MOST_ASKED = 3
"""Maximum rows of asked periods below a curve."""


class TimelinePanel(Vertical):
    """The evidence, the asked periods and their gaps on an axis with zoom, pan, selection and marking."""

    ALLOW_MAXIMIZE = True

    BINDINGS: ClassVar[list[BindingType]] = KEYS

    DEFAULT_CSS = """
    TimelinePanel { border: round $border-blurred; border-title-color: $text-muted;
        border-subtitle-color: $text-muted; padding: 0 0 0 1;
        &:focus-within { border: round $border; }
    }
    """

    class Selected(Message):
        """A piece of evidence was selected, or none."""

        def __init__(self, number: int | None) -> None:
            self.number = number
            super().__init__()

    class Opened(Message):
        """A piece of evidence was opened, to show its document."""

        def __init__(self, number: int) -> None:
            self.number = number
            super().__init__()

    class Brushed(Message):
        """A span was marked to ask about: whole days, half-open."""

        def __init__(self, interval: Interval) -> None:
            self.interval = interval
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self._evidence: ShownEvidence | None = None
        self._scene = Scene()
        self._typed: tuple[AskedPeriod, ...] = ()
        self._moved: Window | None = None
        """The window that the user moved to; ``None`` shows everything."""
        self._brush: Brush | None = None
        self._selected: int | None = None
        self._values: Values | None = None
        """The values shown in place of the evidence, if requested."""

    def compose(self) -> ComposeResult:
        """The rows; a plot is added when it is first requested."""
        yield TimelineView()

    @property
    def selected(self) -> int | None:
        """The number of the selected piece of evidence."""
        return self._selected

    # Calls from other widgets

    def show(self, evidence: "ShownEvidence") -> None:
        """Draw other evidence, with the cited pieces highlighted. Values stay if the answer cites any.

        The window stays while an answer to the same evidence arrives.
        """
        is_same = self._evidence is not None and self._evidence.timeline == evidence.timeline
        self._evidence = evidence
        self._scene = Scene(pieces_of(evidence), evidence.asked, evidence.gaps)
        if not is_same:
            self._moved = self._brush = self._selected = None
        if self._values is not None:
            self._values = self._found_values()
            used = evidence.cited.union(evidence.nearest)
            if self._values is not None and used and self._values.numbers.isdisjoint(used):
                self._values = None  # the answer is about something else
        self._draw()
        self.refresh(layout=True)

    def select(self, number: int | None) -> None:
        """Select a piece of evidence and bring it into view; an unknown number clears the selection."""
        piece = next((piece for piece in self._scene.pieces if piece.number == number), None)
        self._selected = None if piece is None else piece.number
        window = self._window
        if piece is not None and piece.time is not None and window is not None:
            shown = window.showing(piece.time)
            self._moved = self._moved if shown == window else shown
        self._draw()
        if piece is not None:
            self._view.reveal(piece.number)

    def preview(self, periods: "Sequence[AskedPeriod]") -> None:
        """Show the periods of a question being typed in place of the asked ones; empty restores those."""
        self._typed = tuple(periods)
        self._draw()

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 -- as Textual has it
        """Focus the rows."""
        self._view.focus(scroll_visible)
        return self

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 -- Textual's
        """Disable the keys that need a marked span, evidence, periods or values if there are none."""
        match action:
            case "drop_mark":
                return self._brush is not None
            case "enter":
                return self._brush is not None or self._selected is not None
            case "fit_asked":
                return bool(self._scene.asked)
            case "values":
                return self._evidence is not None and bool(
                    self._evidence.series
                    or any(c.hit.chunk.fact is not None for c in self._evidence.timeline.citations)
                )
        return True

    def action_choose(self, steps: int) -> None:
        """Select the next or previous piece of evidence; at first the first or last."""
        numbers = [piece.number for piece in self._scene.pieces]
        if not numbers:
            return
        if self._selected is None:
            self._choose(numbers[0 if steps > 0 else -1])
        else:
            index = numbers.index(self._selected) + steps
            self._choose(numbers[min(max(index, 0), len(numbers) - 1)])

    def action_choose_end(self, index: int) -> None:
        """Select the first or the last piece of evidence."""
        if self._scene.pieces:
            self._choose(self._scene.pieces[index].number)

    def action_enter(self) -> None:
        """Ask about the marked span, or open the selected evidence."""
        axis = self._view.drawing.axis
        if self._brush is not None and axis is not None:
            span = self._brush.interval(axis)
            self.action_drop_mark()
            self.post_message(self.Brushed(span))
        elif self._selected is not None:
            self.post_message(self.Opened(self._selected))

    def action_sideways(self, steps: int) -> None:
        """Extend or shrink the marked span; without one, pan to earlier or later days."""
        if self._brush is not None:
            self.action_mark(steps)
        else:
            self._pan(steps)

    def action_zoom(self, steps: int) -> None:
        """Zoom in or out around the selected evidence, or else around the middle."""
        window, chosen = self._window, self._chosen_time
        around = None
        if window is not None and chosen is not None and (inside := window.interval.intersection(chosen)):
            around = Fraction((inside.start or 0) + (inside.end or 0), 2)
        self._zoom(steps, around)

    def action_fit(self) -> None:
        """Show everything."""
        self._moved = None
        self._draw()

    def action_fit_asked(self) -> None:
        """Show the asked periods, with a margin on each side."""
        self._moved = Window.over((period.interval for period in self._scene.asked), margin=True)
        self._draw()

    def action_begin_mark(self) -> None:
        """Start marking a span at the selected evidence, or else in the middle."""
        axis = self._view.drawing.axis
        if axis is None:
            return
        chosen = self._chosen_time
        if chosen is not None and chosen.start is not None and axis.start <= chosen.start < axis.end:
            self._brush = Brush.on(chosen.start)
        else:
            self._brush = Brush.at(axis.width // 2, axis)
        self._draw()

    def action_mark(self, steps: int) -> None:
        """Extend the marked span towards later or earlier days; start one if there is none."""
        axis = self._view.drawing.axis
        if self._brush is None:
            self.action_begin_mark()
        elif axis is not None:
            self._brush = self._brush.stepped(steps, axis)
            self._draw()

    def action_drop_mark(self) -> None:
        """Clear the marked span."""
        self._brush = None
        self._draw()

    async def action_values(self) -> None:
        """Show the values of the answer or a table over time as a curve or states; or the evidence again."""
        self._values = self._found_values() if self._values is None else None
        if self._values is not None and self._values.numeric and not self._plots:
            from timelens.tui.timeline.plot import ValuesPlot

            await self.mount(ValuesPlot(), before=self._view)
        self._draw()
        self.refresh(layout=True)

    def action_maximize(self) -> None:
        """Maximise the timeline, or restore it."""
        if self.screen.maximized is None:
            self.screen.maximize(self)
        else:
            self.screen.minimize()

    def action_scroll_lanes(self, pages: int) -> None:
        """Scroll a page of lanes down or up."""
        (self._view.scroll_page_down if pages > 0 else self._view.scroll_page_up)(animate=False)

    # Mouse events

    def on_timeline_view_pressed(self, event: TimelineView.Pressed) -> None:
        """Select the clicked piece; a double click opens it."""
        event.stop()
        self._choose(event.number)
        if event.twice and event.number is not None:
            self.post_message(self.Opened(event.number))

    def on_timeline_view_dragged(self, event: TimelineView.Dragged) -> None:
        """Mark the span that was dragged over."""
        event.stop()
        axis = self._view.drawing.axis
        if axis is not None:
            self._brush = Brush.at(event.begun, axis).to(event.reached, axis)
            self._draw()

    def on_timeline_view_zoomed(self, event: TimelineView.Zoomed) -> None:
        """Zoom around the day under the mouse."""
        event.stop()
        axis, window = self._view.drawing.axis, self._window
        if axis is not None and window is not None:
            self._zoom(
                event.steps, window.start + window.length * Fraction(2 * event.column + 1, 2 * axis.width)
            )

    def on_timeline_view_panned(self, event: TimelineView.Panned) -> None:
        """Pan to earlier or later days."""
        event.stop()
        self._pan(event.steps)

    # Drawing

    @property
    def _view(self) -> TimelineView:
        return self.query_one(TimelineView)

    @property
    def _all(self) -> Window | None:
        values = () if self._values is None else self._values.times
        return Window.over((*self._scene.times, *values, *(period.interval for period in self._typed)))

    @property
    def _window(self) -> Window | None:
        """The shown window: where the user moved to, unless a typed period is outside; else everything."""
        moved = self._moved
        beyond = (p for p in self._typed if moved is not None and not p.interval.intersects(moved.interval))
        return self._all if moved is None or any(beyond) else moved

    @property
    def _chosen_time(self) -> Interval | None:
        return next((piece.time for piece in self._scene.pieces if piece.number == self._selected), None)

    def _choose(self, number: int | None) -> None:
        self.select(number)
        self.post_message(self.Selected(self._selected))

    def _pan(self, steps: int) -> None:
        window, everything = self._window, self._all
        if window is not None and everything is not None:
            self._moved = window.moved(steps * _PAN, everything)
            self._draw()

    def _zoom(self, steps: int, around: Fraction | None) -> None:
        window = self._window
        if window is not None:
            self._moved = window.zoomed(_ZOOM**-steps, around)
            self._draw()

    def _found_values(self) -> "Values | None":
        from timelens.tui.timeline.values import values_of

        return None if self._evidence is None else values_of(self._evidence)

    def on_mount(self) -> None:
        """Draw the content that was set before."""
        self._draw()

    def _draw(self) -> None:
        if not self.query(TimelineView):
            return  # the view is not mounted yet
        scene, values, window = self._scene, self._values, self._window
        if self._typed:
            scene = replace(scene, asked=self._typed, gaps=(), typed=True)
        inset = self._draw_curve(values, window) if values is not None and values.numeric else 0
        if inset:
            scene = replace(scene, pieces=())
        elif values is not None:
            from timelens.tui.timeline.values import state_rows

            scene = replace(scene, states=state_rows(values))
        for plot in self._plots:
            plot.display = inset > 0
        roomy = self.content_size.height >= _ROWS_OF_A_PLOT - 2
        below = _ROWS_BELOW_A_PLOT + (min(len(scene.asked), _MOST_ASKED) - 1 if roomy and scene.asked else 0)
        self._view.styles.height = below if inset else "1fr"
        self._view.show(scene, window, self._brush, self._selected, inset)
        self._say(window)

    def _draw_curve(self, values: "Values", window: Window | None) -> int:
        """Draw numbers; returns the width of the scale, or 0 if nothing was drawn."""
        from timelens.tui.timeline.curve import scale_width

        for plot in self._plots:
            if window is not None:
                plot.show(values, window, self._selected)
                return scale_width(values)
        return 0

    @property
    def _plots(self) -> "Sequence[ValuesPlot]":
        return [plot for plot in self.children if plot is not self._view]  # type: ignore[misc]

    def _say(self, window: Window | None) -> None:
        """Set title and subtitle of the frame."""
        pieces, drawing = self._scene.pieces, self._view.drawing
        shown = None if self._moved is None or window is None else window.interval
        self.border_title = Content(
            captions.title(drawing, shown, pieces, self._values.name if self._values else "")
        )
        chosen = next((piece for piece in pieces if piece.number == self._selected), None)
        if self._brush is not None and drawing.axis is not None:
            words = captions.span_caption(self._brush.interval(drawing.axis))
        elif chosen is not None:
            words = captions.piece_caption(chosen)
        else:
            shown_values = None if self._values is None else len(self._values.numbers)
            answered = self._evidence is not None and bool(self._evidence.cited)
            words = captions.pieces_caption(pieces, shown_values, answered=answered)
        self.border_subtitle = Content(words)

    @property
    def _has_relative_children_height(self) -> bool:
        """False: the height is :meth:`get_content_height`; otherwise the panel would take all the space."""
        return False

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 -- Textual's
        """Rows for everything: a lane for each piece of evidence and each period, and the axis."""
        if self._values is not None and self._values.numeric:
            return _ROWS_OF_A_PLOT
        return len(self._scene.pieces) + len(self._scene.asked) + 2
