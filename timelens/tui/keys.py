"""F1: all commands and all keys, read from the table of commands and from the bindings themselves."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from timelens.tui.commands import help_lines
from timelens.tui.rows import MUTED

_KEYS_WIDTH = 16
_DOES_WIDTH = 24


class KeysScreen(ModalScreen[None]):
    """The commands, then the keys of each place; ends without a result."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "dismiss(None)", "Back", id="keys-back")]

    def __init__(self, keymap: Mapping[str, str]) -> None:
        """Show keys; those whose bindings do not say what they do are left out.

        Args:
            keymap: other keys for some bindings, by the names of these.
        """
        super().__init__()
        self._keymap = dict(keymap)

    def compose(self) -> ComposeResult:
        """One text for the commands, and one for each place."""
        with VerticalScroll() as frame:
            frame.border_title = "commands and keys"
            yield _section("Commands", help_lines())
            for place, kinds in _places().items():
                lines = [line for kind in kinds for line in self._lines(kind)]
                if lines:
                    yield _section(place, lines)
        yield Footer()

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def _lines(self, kind: type[DOMNode]) -> list[Content]:
        """A line for each action that the class itself binds: its keys, what it does, and its name."""
        bindings = BindingsMap(kind.__dict__.get("BINDINGS", ()))
        bindings.apply_keymap(self._keymap)
        keys: dict[tuple[str, str], list[str]] = {}
        for _, binding in bindings:
            if binding.description:
                shown = keys.setdefault((binding.description, binding.id or ""), [])
                key = self.app.get_key_display(binding)
                shown += [] if key in shown else [key]
        return [
            Content.assemble(f"{', '.join(shown):<{_KEYS_WIDTH}}  {does:<{_DOES_WIDTH}}  ", (name, MUTED))
            for (does, name), shown in keys.items()
        ]


def _places() -> Mapping[str, Sequence[type[DOMNode]]]:
    """Where keys hold, in words, with the classes that bind them; this imports nearly all of the chat."""
    from timelens.tui.app import ChatApp
    from timelens.tui.corpora import CorporaScreen
    from timelens.tui.dialogs import HistoryScreen
    from timelens.tui.document import DocumentScreen
    from timelens.tui.document_view import DocumentView
    from timelens.tui.evidence_list import EvidencePanel
    from timelens.tui.prompt import Prompt
    from timelens.tui.screen import ChatScreen
    from timelens.tui.scrubber import Scrubber
    from timelens.tui.timeline.panel import TimelinePanel

    return {
        "Anywhere": (ChatScreen, ChatApp),
        "In the prompt": (Prompt,),
        "In the timeline": (TimelinePanel,),
        "In the evidence": (EvidencePanel,),
        "In a document": (DocumentScreen, DocumentView),
        "In the corpora": (CorporaScreen,),
        "In the conversations": (HistoryScreen,),
        "On the slider": (Scrubber,),
    }


def _section(title: str, lines: Sequence[str | Content]) -> Static:
    parts = [part for line in lines for part in ("\n  ", line)]
    return Static(Content.assemble((title, "bold $text-accent"), *parts))
