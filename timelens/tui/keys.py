"""F1: all commands and all keys, read from the table of commands and from the bindings themselves."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from timelens.tui.commands import help_lines

_KEYS_WIDTH = 16


class KeysScreen(ModalScreen[None]):
    """The commands, then the keys of each place; ends without a result."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "dismiss(None)", "Back")]

    def __init__(self, places: Mapping[str, Sequence[DOMNode]]) -> None:
        """Show keys.

        Args:
            places: where keys hold, in words, with the nodes whose classes bind them. Keys whose bindings
                do not say what they do are left out.
        """
        super().__init__()
        self._places = places

    def compose(self) -> ComposeResult:
        """One text for the commands, and one for each place."""
        with VerticalScroll() as frame:
            frame.border_title = "commands and keys"
            yield _section("Commands", help_lines())
            for place, nodes in self._places.items():
                lines = [line for node in nodes for line in self._lines(node)]
                if lines:
                    yield _section(place, lines)
        yield Footer()

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def _lines(self, node: DOMNode) -> list[str]:
        """A line for each action that the node's own class binds: its keys, and what it does."""
        keys: dict[str, list[str]] = {}
        for binding in Binding.make_bindings(type(node).__dict__.get("BINDINGS", ())):
            if binding.description:
                keys.setdefault(binding.description, []).append(self.app.get_key_display(binding))
        return [f"{', '.join(shown):<{_KEYS_WIDTH}}  {does}" for does, shown in keys.items()]


def _section(title: str, lines: list[str]) -> Static:
    return Static(Content.assemble((title, "bold $text-accent"), *(f"\n  {line}" for line in lines)))
