"""The keys of the timeline; the actions are those of its panel."""

from textual.binding import Binding, BindingType

KEYS: list[BindingType] = [
    Binding("up,k", "choose(-1)", "Choose earlier evidence", show=False),
    Binding("down,j", "choose(1)", "Choose later evidence", show=False),
    Binding("home", "choose_end(0)", "Choose the earliest", show=False),
    Binding("end", "choose_end(-1)", "Choose the latest", show=False),
    Binding("enter", "enter", "Open it, or ask about the marked span", show=False),
    Binding("left,h", "sideways(-1)", "Go to earlier days", show=False),
    Binding("right,l", "sideways(1)", "Go to later days", show=False),
    Binding("plus,equals_sign", "zoom(1)", "Zoom in", show=False),
    Binding("minus,underscore", "zoom(-1)", "Zoom out", show=False),
    Binding("0", "fit", "Show everything", show=False),
    Binding("p", "fit_asked", "Show the asked periods", show=False),
    Binding("b", "begin_mark", "Mark a span"),
    Binding("shift+left", "mark(-1)", "Mark a span towards earlier days", show=False),
    Binding("shift+right", "mark(1)", "Mark a span towards later days", show=False),
    Binding("escape", "drop_mark", "Drop the marked span", show=False),
    Binding("v", "values", "Values over time"),
    Binding("m", "maximize", "Use the whole screen", show=False),
    Binding("pageup", "scroll_lanes(-1)", "Scroll up", show=False),
    Binding("pagedown", "scroll_lanes(1)", "Scroll down", show=False),
]
