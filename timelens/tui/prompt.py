"""The line that questions and commands are typed into."""

import re
from collections.abc import Iterable
from typing import ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.events import Paste
from textual.widgets import Input

from timelens.printable import printable_line

_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")


class Prompt(Input):
    """A line of input; Up and Down go through what was typed before, of this run and of earlier ones."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", "Earlier", show=False),
        Binding("down", "recall(1)", "Later", show=False),
        Binding("ctrl+j", "submit", "Ask", show=False),  # Enter, typed before the terminal was taken over
    ]

    def __init__(self) -> None:
        super().__init__(placeholder="Ask about the documents, or /help", compact=True)
        self._lines: list[str] = []
        self._at = 0
        self._draft = ""

    def recall(self, lines: Iterable[str]) -> None:
        """Put lines of earlier runs before those of this one."""
        earlier = [printable_line(line) for line in lines]
        self._lines = earlier + self._lines
        self._at += len(earlier)

    def remember(self, line: str) -> None:
        """Put a line at the end, and be after it."""
        if self._lines[-1:] != [line]:
            self._lines.append(line)
        self._at = len(self._lines)

    def _on_paste(self, event: Paste) -> None:
        """Put a pasted text in as one line."""
        event.prevent_default()
        event.stop()
        self.replace(_BREAKS.sub(" ", event.text.strip("\r\n")), *self.selection)

    def action_copy(self) -> None:
        """Copy what is selected; where nothing is, Ctrl+C is for the chat."""
        if self.selection.is_empty:
            raise SkipAction
        super().action_copy()

    def action_recall(self, step: int) -> None:
        """Show an earlier or a later line; after the last one stands what was being typed."""
        at = self._at + step
        if not 0 <= at <= len(self._lines):
            return
        if self._at == len(self._lines):
            self._draft = self.value
        self._at = at
        self.value = self._draft if at == len(self._lines) else self._lines[at]
        self.cursor_position = len(self.value)
