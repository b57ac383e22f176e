"""The dialog before an ingest, which asks for the corpus."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from timelens import BadInputError
from timelens.folders import require_corpus_name
from timelens.printable import printable_line
from timelens.tui.dropped import name_for
from timelens.tui.footer import KeysFooter

_MOST_PATHS = 5


class IngestScreen(ModalScreen[str | None]):
    """The files and folders to ingest, and the name of the target corpus; returns the name."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel", id="ingest-back"),
        Binding("up", "move(-1)", "Up", priority=True, show=False, id="ingest-up"),
        Binding("down", "move(1)", "Another corpus", priority=True, id="ingest-down"),
        Binding("enter", "ingest", "Ingest", priority=True, id="ingest-start"),
    ]

    def __init__(self, paths: Sequence[Path], present: str | None, names: Sequence[str]) -> None:
        """Propose names: for files the present corpus first, for a folder one that is called like it.

        Args:
            paths: the files and folders to ingest.
            present: the corpus that is being asked, by its name or path.
            names: the names of all corpora.
        """
        super().__init__()
        self._paths = paths
        self._known = [*([present] if present else []), *(name for name in names if name != present)]
        proposed = name_for(paths)
        first = present if present and not any(path.is_dir() for path in paths) else proposed
        self._choices = list(dict.fromkeys([first, proposed, *self._known]))

    def compose(self) -> ComposeResult:
        """The paths, the name field, and the proposed names."""
        with Vertical() as frame:
            frame.border_title = "ingest"
            for path in self._paths[:_MOST_PATHS]:
                yield Static(Content(printable_line(str(path))), classes="path")
            if len(self._paths) > _MOST_PATHS:
                yield Static(Content(f"and {len(self._paths) - _MOST_PATHS} more"), classes="path")
            yield Static("Into the corpus:", id="into")
            yield Input(self._choices[0], placeholder="Name of the corpus", compact=True)
            yield OptionList(*(Option(Content(self._described(name))) for name in self._choices))
            yield Static(id="said")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Start with the first proposed name."""
        choices = self.query_one(OptionList)
        choices.can_focus = False
        choices.highlighted = 0
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say whether the named corpus is new or will be extended."""
        choices, name = self.query_one(OptionList), event.value.strip()
        choices.highlighted = self._choices.index(name) if name in self._choices else None
        self._say("" if name in self._choices else self._described(name) if name else "")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose with a click."""
        self.query_one(Input).value = self._choices[event.option_index]
        self.action_ingest()

    def action_move(self, step: int) -> None:
        """Move to another proposed name."""
        at = self.query_one(OptionList).highlighted
        following = 0 if at is None else (at + step) % len(self._choices)
        line = self.query_one(Input)
        line.value = self._choices[following]
        line.cursor_position = len(line.value)

    def action_ingest(self) -> None:
        """Return the name, if it is valid."""
        name = self.query_one(Input).value.strip()
        try:
            if name not in self._known:
                require_corpus_name(name)
        except BadInputError as error:
            self._say(f"{error.message}: {error.hint}", wrong=True)
        else:
            self.dismiss(name)

    def _described(self, name: str) -> str:
        if name not in self._known:
            return f"{printable_line(name)}, a new corpus"
        return f"{printable_line(name)}: new and changed documents are added"

    def _say(self, text: str, *, wrong: bool = False) -> None:
        said = self.query_one("#said", Static)
        said.update(Content(printable_line(text)))
        said.set_class(wrong, "wrong")
