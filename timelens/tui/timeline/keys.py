"""The keys of the timeline; the actions are those of its panel."""

from textual.binding import Binding, BindingType

_ZOOM = Binding.Group("Zoom", compact=True)

KEYS: list[BindingType] = [
    Binding("up,k", "choose(-1)", "Select earlier evidence", show=False, id="timeline-earlier"),
    Binding("down,j", "choose(1)", "Select later evidence", show=False, id="timeline-later"),
    Binding("home", "choose_end(0)", "Select the earliest", show=False, id="timeline-first"),
    Binding("end", "choose_end(-1)", "Select the latest", show=False, id="timeline-last"),
    Binding("enter", "enter", "Open it, or ask about the span", show=False, id="timeline-open"),
    Binding("left,h", "sideways(-1)", "Go to earlier days", show=False, id="timeline-left"),
    Binding("right,l", "sideways(1)", "Go to later days", show=False, id="timeline-right"),
    Binding("plus,equals_sign", "zoom(1)", "Zoom in", group=_ZOOM, id="timeline-zoom-in"),
    Binding("minus,underscore", "zoom(-1)", "Zoom out", group=_ZOOM, id="timeline-zoom-out"),
    Binding("0", "fit", "Show everything", show=False, id="timeline-all"),
    Binding("p", "fit_asked", "Show the asked periods", show=False, id="timeline-asked"),
    Binding("b", "begin_mark", "Mark a span", id="timeline-mark"),
    Binding(
        "shift+left", "mark(-1)", "Mark a span towards earlier days", show=False, id="timeline-mark-left"
    ),
    Binding("shift+right", "mark(1)", "Mark a span towards later days", show=False, id="timeline-mark-right"),
    Binding("escape", "drop_mark", "Clear the marked span", show=False, id="timeline-unmark"),
    Binding("v", "values", "Values over time", id="timeline-values"),
    Binding("m", "maximize", "Whole screen", id="timeline-maximize"),
    Binding("pageup", "scroll_lanes(-1)", "Scroll up", show=False, id="timeline-page-up"),
    Binding("pagedown", "scroll_lanes(1)", "Scroll down", show=False, id="timeline-page-down"),
]
