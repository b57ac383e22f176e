"""The first run, without any corpus: offers the corpora that come with timelens."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Event, Key, Paste
from textual.widgets import OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from timelens.printable import printable_line
from timelens.tui.dialogs import EndingScreen
from timelens.tui.footer import KeysFooter
from timelens.tui.ingester import Ingester
from timelens.tui.waiting import typed

if TYPE_CHECKING:
    from timelens import IngestProgress

_NO_CORPUS = "There is no corpus to ask yet."
_PACKAGE = Path(__file__).parents[1]


def bundled_corpora(package: Path = _PACKAGE) -> dict[str, Path]:
    """Name and documents of the corpora that come with timelens.

    An installed package has them inside, a source checkout beside the package.
    """
    is_checkout = (package.parent / "pyproject.toml").is_file()
    folder = (package.parent if is_checkout else package) / "corpora"
    return {documents.parent.name: documents for documents in sorted(folder.glob("*/documents/"))}


class FirstRunScreen(EndingScreen[str | None]):
    """Offers the bundled corpora and ingests the chosen one; returns its name, or ``None``."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Cancel", id="first-run-leave")]

    def __init__(self, ingester: Ingester, corpora: dict[str, Path]) -> None:
        super().__init__()
        self._ingester = ingester
        self._corpora = corpora
        self.held: list[Event] = []
        """What was typed while the corpus is read."""

    def compose(self) -> ComposeResult:
        """A welcome line, the choice, the progress bar."""
        with Vertical():
            yield Static(Content.styled(_NO_CORPUS, "bold"), id="title")
            if self._corpora:
                yield Static("Choose one that comes with timelens, or press Esc.", id="advice")
                yield OptionList(
                    *(
                        Option(Content("  ".join((printable_line(name), _described(folder)))), id=str(index))
                        for index, (name, folder) in enumerate(self._corpora.items())
                    )
                )
                yield ProgressBar()
            yield Static(id="typed")
            yield Static(
                Content(
                    "Your own documents: Esc, then /ingest. Or from a shell:\n"
                    "  timelens ingest FOLDER --corpus NAME"
                ),
                id="own",
            )
        yield KeysFooter()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ingest the chosen corpus."""
        name, folder = list(self._corpora.items())[event.option_index]
        self.query_one(Vertical).add_class("busy")
        self._head(f"What you type is asked when {name} is read.")
        self._advise(f"Preparing to read {name} …")
        self._ingester.start(name, [folder])

    def hold(self, event: Event) -> bool:
        """Hold back a key or a pasted text, and show it; false unless the corpus is being read."""
        if not self.is_current or not self.query_one(Vertical).has_class("busy"):
            return False
        is_typed = isinstance(event, Paste) or (
            isinstance(event, Key) and (event.is_printable or event.key in {"enter", "backspace"})
        )
        if is_typed:
            self.held.append(event)
            self.query_one("#typed", Static).update(Content(f"> {typed(self.held)}"))
        return is_typed

    def advance(self, progress: "IngestProgress") -> None:
        """Show the progress."""
        done, files = progress.files_done, progress.files
        self.query_one(ProgressBar).update(total=progress.bytes, progress=progress.bytes_done)
        self._advise(f"Read {done} of {files} files …" if done < files else "Writing …")

    def fail(self, message: str, hint: str) -> None:
        """Show the error, and offer the choice again."""
        self.query_one(Vertical).remove_class("busy")
        self._head(_NO_CORPUS)
        self._advise(f"{message} – {hint}")

    def action_leave(self) -> None:
        """Cancel a running ingest and go to the chat."""
        self._ingester.cancel()
        self.dismiss(None)

    def _head(self, text: str) -> None:
        self.query_one("#title", Static).update(Content.styled(printable_line(text), "bold"))

    def _advise(self, text: str) -> None:
        for advice in self.query("#advice").results(Static):
            advice.update(Content(printable_line(text)))


def _described(folder: Path) -> str:
    """The title of the corpus's README, if it has one."""
    try:
        with (folder.parent / "README.md").open(encoding="utf-8", errors="replace") as readme:
            return printable_line(readme.readline(200)).lstrip("# ")
    except OSError:
        return ""
