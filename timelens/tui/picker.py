"""The file picker. Imports textual-fspicker, so this module is imported only when it is opened."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.widgets.option_list import Option
from textual_fspicker.parts import DirectoryNavigation
from textual_fspicker.parts.directory_navigation import DirectoryEntry, DirectoryEntryStyling

from timelens.printable import printable_line
from timelens.tui.footer import KeysFooter

_PLAIN = DirectoryEntryStyling(Style(), Style(), Style(), Style())


class _Entry(DirectoryEntry):
    """A file or folder with a printable name; the library shows names unchanged."""

    def _as_renderable(self, location: Path) -> RenderableType:
        name = printable_line(location.name)
        return Text(f"{name}/" if location.is_dir() else name, no_wrap=True, overflow="ellipsis")


class Navigation(DirectoryNavigation):
    """The content of a folder; Enter opens a folder or takes a file."""

    def add_options(self, new_options: Iterable[Any]) -> "Navigation":
        """List printable entries instead of the original ones."""
        super().add_options(_safe(option) for option in new_options)
        return self

    def add_option(self, option: Any = None) -> "Navigation":  # noqa: ANN401 -- as in Textual
        """List one printable entry instead of the original one."""
        super().add_option(_safe(option))
        return self

    def validate__location(self, location: Path) -> Path:
        """Stay in the current folder if another cannot be listed; the library would end the chat."""
        try:
            with os.scandir(location):
                return location.resolve()
        except OSError:
            return self._location


def _safe(option: Any) -> Any:  # noqa: ANN401 -- any list entry
    return _Entry(option.location, _PLAIN) if isinstance(option, DirectoryEntry) else option


class PathPicker(ModalScreen[Path | None]):
    """Files and folders, starting from a folder; returns the one that was taken."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", id="picker-back"),
        Binding("space", "take", "Take", id="picker-take"),
        Binding("backspace", "up", "Folder above", id="picker-parent"),
        Binding("full_stop", "hidden", "Hidden files", id="picker-hidden"),
    ]

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def compose(self) -> ComposeResult:
        """The current folder and its content."""
        with Vertical() as frame:
            frame.border_title = "ingest a file or folder"
            frame.border_subtitle = "Enter opens a folder · Space chooses what is highlighted"
            yield Static(id="place")
            yield Navigation(self._folder)
        yield KeysFooter()

    def on_mount(self) -> None:
        """Focus the list."""
        self._navigation.focus()

    def on_directory_navigation_changed(self) -> None:
        """Show the current folder."""
        self.query_one("#place", Static).update(Content(printable_line(str(self._navigation.location))))

    def on_directory_navigation_selected(self, event: DirectoryNavigation.Selected) -> None:
        """Take a file."""
        self.dismiss(event.path)

    def action_take(self) -> None:
        """Take the highlighted file or folder; the entry ".." takes the current folder."""
        highlighted = self._navigation.highlighted
        if highlighted is not None:
            option: Option = self._navigation.get_option_at_index(highlighted)
            if isinstance(option, DirectoryEntry):
                above = option.location.name == ".."
                self.dismiss(self._navigation.location if above else option.location)

    def action_up(self) -> None:
        """Go to the folder above."""
        self._navigation.action_navigate_up()

    def action_hidden(self) -> None:
        """Show or hide hidden files."""
        self._navigation.toggle_hidden()

    @property
    def _navigation(self) -> Navigation:
        return self.query_one(Navigation)
