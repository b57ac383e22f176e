"""The outline that is painted until the chat is loaded, with the text typed meanwhile."""

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Event, Key
from textual.screen import Screen
from textual.widgets import Static

PLACEHOLDER = "Ask about the documents, or /help"


class WaitingScreen(Screen[None]):
    """An outline without input: the app holds back what is typed, and this screen only shows it."""

    def __init__(self) -> None:
        super().__init__()
        self._typed = Static(_line(""), id="typed")

    def compose(self) -> ComposeResult:
        """The lines of the chat, at their positions."""
        with Vertical(id="chat"):
            yield Static(Content.styled("timelens", "bold $text-accent"), id="status")
            yield Static(id="main")
            with Horizontal(id="prompt"):
                yield Static(">")
                yield self._typed
            yield Static(id="footer")

    def show(self, held: Sequence[Event]) -> None:
        """Show the line that the held events would type."""
        self._typed.update(_line(typed(held)))


def typed(events: Sequence[Event]) -> str:
    """The text that events type into an empty prompt, up to the first event that does something else."""
    text = ""
    for event in events:
        if isinstance(event, Key) and event.is_printable and event.character:
            text += event.character
        elif isinstance(event, Key) and event.key == "backspace":
            text = text[:-1]
        else:
            break
    return text


def _line(text: str) -> Content:
    """A text with the cursor after it; the placeholder if it is empty."""
    if not text:
        return Content.assemble((PLACEHOLDER[0], "reverse"), (PLACEHOLDER[1:], "$text-disabled"))
    return Content.assemble(text, (" ", "reverse"))


def configured_theme(config: Path) -> str | None:
    """The theme of the configuration, so that the first paint uses it; its faults are reported later."""
    try:
        chat = tomllib.loads(config.read_text(encoding="utf-8")).get("chat", {})
    except (OSError, ValueError):
        chat = {}
    theme = os.environ.get("TIMELENS_CHAT__THEME") or (chat.get("theme") if isinstance(chat, dict) else None)
    return theme if isinstance(theme, str) else None
