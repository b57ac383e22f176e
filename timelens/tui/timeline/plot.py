"""The curve of the timeline on the screen, drawn with plotext."""

from typing import TYPE_CHECKING

from textual.app import RenderResult
from textual.color import Color
from textual_plotext import PlotextPlot

from timelens.tui.timeline.curve import Colours, Scale, draw_curves, scale_width

if TYPE_CHECKING:
    from timelens.tui.timeline.values import Values
    from timelens.tui.timeline.window import Window

_CURVES = ("primary", "warning", "success", "error", "secondary", "accent")


class ValuesPlot(PlotextPlot):
    """Numbers over the days of a window; its canvas has the same columns as the axis below."""

    DEFAULT_CSS = """
    ValuesPlot { height: 1fr; margin: 0 1 0 0; background: $surface; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._values: Values | None = None
        self._window: Window | None = None
        self._selected: int | None = None

    def show(self, values: "Values", window: "Window", selected: int | None) -> None:
        """Draw these values over the window; the selected piece is labelled too."""
        self._values, self._window, self._selected = values, window, selected
        self.refresh()

    def render(self) -> RenderResult:
        """Draw at the current size."""
        if self._values is not None and self._window is not None:
            axis = self._window.axis(self.size.width - scale_width(self._values))
            scale = Scale.of(self._values, axis, self.size.height)
            draw_curves(self.plt, self._values, scale, self._selected, self._colours())
        return super().render()

    def _colours(self) -> Colours:
        variables = self.app.theme_variables
        curves = [Color.parse(variables[name]).rgb for name in _CURVES if name in variables]
        text, ground = Color.parse(variables["foreground"]), Color.parse(variables["surface"])
        return Colours(curves, text.rgb, ground.blend(text, 0.6).rgb, ground.rgb)
