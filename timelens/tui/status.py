"""The status line of the chat: the options of questions and the current activity."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from timelens.printable import printable_line
from timelens.temporal import format_day
from timelens.tui.options import IDLE, Activity, Options

Parts = tuple[tuple[str, str], ...]
"""Texts with their styles."""


class StatusLine(Widget):
    """The status line. Its reactives are bound to those of the chat screen."""

    corpus: reactive[str | None] = reactive(None)
    options: reactive[Options] = reactive(Options(0, "", None))
    activity: reactive[Activity] = reactive(IDLE)
    model: reactive[Parts] = reactive(())
    conversation: reactive[str] = reactive("")

    def render(self) -> Content:
        """One line, cut off at its end if it does not fit."""
        name = printable_line(self.corpus) if self.corpus else "no corpus"
        loading = f"loading {printable_line(self.activity.loading)} …" if self.activity.loading else ""
        parts: list[str | tuple[str, str]] = [
            ("timelens  ", "bold $text-accent"),
            (name, "bold") if self.corpus or not loading else (loading, "$text-warning"),
            f" · {self.options.strategy} · as of {format_day(self.options.as_of)}",
        ]
        parts += [(f" · {printable_line(text)}", style) for text, style in self.model]
        if self.activity.answering and self.corpus:
            parts.append((" · answering …", "$text-warning"))
        elif self.corpus and loading:
            parts.append((f" · {loading}", "$text-warning"))
        if self.activity.reading:
            parts.append((f" · reading {printable_line(self.activity.reading)}", "$text-warning"))
        if self.conversation:
            parts.append(f" · {printable_line(self.conversation)}")
        return Content.assemble(*parts)
