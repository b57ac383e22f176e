"""The F1 screen: all commands and all keys, read from the command table and from the bindings."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget

from timelens.tui.commands import help_cells
from timelens.tui.footer import KeysFooter
from timelens.tui.rows_widget import MUTED
from timelens.tui.wrapping import wrapped

_INDENT = "  "
_KEYS_WIDTH = 15
_DOES_WIDTH = 32
_LEAST = 8
"""Minimum width of a wrapped second cell."""


class Section(Widget):
    """A title and lines of two cells; the second cell is wrapped if it does not fit."""

    def __init__(self, title: str, lines: Sequence[tuple[str, str]], *, style: str = "") -> None:
        """Show lines; ``style`` applies to the second cells."""
        super().__init__()
        self._title = title
        self._lines = lines
        self._style = style

    def render(self) -> Content:
        """Title and lines, at the available width."""
        parts = [part for row in self._rows(self.content_size.width) for part in ("\n", row)]
        return Content.assemble((self._title, "bold $text-accent"), *parts)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 -- Textual's
        """One row for the title, plus the rows of the lines."""
        return 1 + len(self._rows(width))

    def _rows(self, width: int) -> list[Content]:
        rows = []
        for first, second in self._lines:
            lead = f"{_INDENT}{first}"
            for start, end in wrapped(second, max(width - cell_len(lead), _LEAST)):
                rows.append(Content.assemble(lead, (second[start:end], self._style)))
                lead = " " * cell_len(lead)
        return rows


class CommandList(Section):
    """The commands, in the log."""

    def __init__(self, settle: Callable[[Widget], None]) -> None:
        """``settle`` is called once, when it has its place in the log."""
        super().__init__("Commands. All keys: F1.", help_cells())
        self._settle: Callable[[Widget], None] | None = settle

    def on_show(self) -> None:
        """Scroll to the beginning when it is new; it is also shown again whenever it is scrolled to."""
        if self._settle is not None:
            self._settle(self)
            self._settle = None


class KeysScreen(ModalScreen[None]):
    """The commands, then the keys of each part of the chat; returns nothing."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "dismiss(None)", "Back", id="keys-back")]

    def __init__(self, keymap: Mapping[str, str]) -> None:
        """Show keys; bindings without a description are omitted.

        Args:
            keymap: custom keys for some bindings, by binding id.
        """
        super().__init__()
        self._keymap = dict(keymap)

    def compose(self) -> ComposeResult:
        """One text for the commands, and one for each part of the chat."""
        with VerticalScroll() as frame:
            frame.border_title = "commands and keys"
            yield Section("Commands", help_cells())
            for place, kinds in _places().items():
                yield Section(place, [cells for kind in kinds for cells in self._cells(kind)], style=MUTED)
        yield KeysFooter()

    def on_mount(self) -> None:
        """Focus the frame, so that the arrow keys scroll."""
        self.query_one(VerticalScroll).focus()

    def _cells(self, kind: type[DOMNode]) -> list[tuple[str, str]]:
        """For each action that the class itself binds: its keys with its description, and its name."""
        bindings = BindingsMap(kind.__dict__.get("BINDINGS", ()))
        bindings.apply_keymap(self._keymap)
        keys: dict[tuple[str, str], list[str]] = {}
        for _, binding in bindings:
            if binding.description:
                shown = keys.setdefault((binding.description, binding.id or ""), [])
                key = self.app.get_key_display(binding)
                shown += [] if key in shown else [key]
        return [
            (f"{', '.join(shown):<{_KEYS_WIDTH}}  {does:<{_DOES_WIDTH}}  ", name)
            for (does, name), shown in keys.items()
        ]


def _places() -> Mapping[str, Sequence[type[DOMNode]]]:
    """The parts of the chat in words, with the classes that bind their keys; imports most of the chat."""
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
