"""The program around the chat: how it begins and ends, and what is said when it fails."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.worker import WorkerFailed

from timelens.errors import ExitCode
from timelens.temporal.calendar import Day
from timelens.tui.commands import COMMANDS
from timelens.tui.options import Options
from timelens.tui.screen import ChatScreen
from timelens.tui.terminal import tell_of_end
from timelens.tui.worker import Library

if TYPE_CHECKING:
    from timelens.agent import Answerer, Parser
    from timelens.config import Settings
    from timelens.tui.corpora import CorporaScreen


class ChatApp(App[None]):
    """Opens the chat and leaves it; the chat itself is :class:`timelens.tui.screen.ChatScreen`."""

    TITLE = "timelens"
    CSS_PATH = Path(__file__).with_name("chat.tcss")  # Textual does not read that of the first screen
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", priority=True, id="quit")]

    def __init__(
        self,
        corpus: str | None,
        options: Options,
        library: Library,
        history: Path,
        answerer: "Answerer | None" = None,
        *,
        parser: "Parser | None" = None,
        settings: "Settings | None" = None,
        offers: bool = False,
        today: Day | None = None,
    ) -> None:
        """Begin with a corpus.

        Args:
            corpus: its name or path; ``None`` is the first there is.
            options: what questions are asked under.
            library: the corpora of this machine.
            history: the file that conversations are kept in.
            answerer: writes answers with a model; without one the evidence speaks for itself.
            parser: reads questions with a model beside the rules.
            settings: those that answerer and parser were made by; by default those of this machine.
            offers: whether to ask once for a first model.
            today: the day that /asof without a day goes back to; by default that of the options.
        """
        super().__init__()
        if settings is None:
            from timelens.config import Settings

            settings = Settings.load()
        self.chat = ChatScreen(
            corpus,
            options,
            library,
            history,
            answerer=answerer,
            parser=parser,
            settings=settings,
            offers=offers,
            today=options.as_of if today is None else today,
        )
        self.chat.looks.dress(self)
        self._early: list[Event] | None = []

    def get_default_screen(self) -> ChatScreen:
        """The chat lies under all other screens."""
        return self.chat

    # Beginning

    async def on_event(self, event: Event) -> None:
        """Hold back what is typed before the first paint, when nothing is there to take it."""
        if self._early is not None and isinstance(event, Key | Paste) and not event.is_forwarded:
            self._early.append(event)
        else:
            await super().on_event(event)

    async def _take_early(self) -> None:
        """Type what was held back. What the terminal calls Ctrl+J here was Enter before it was taken over."""
        early, self._early = self._early or [], None
        for event in early:
            is_enter = isinstance(event, Key) and event.key == "ctrl+j"
            await self.on_event(Key("enter", "\r") if is_enter else event)

    def on_mount(self) -> None:
        """Listen to the terminal and to signals."""
        self.chat.call_after_refresh(self._take_early)
        if not self.is_headless:
            tell_of_end(self._leave)

    async def on_corpora_screen_document_chosen(self, event: "CorporaScreen.DocumentChosen") -> None:
        """Show a document that was chosen among those of a corpus."""
        await self.chat.evidence.show_document(event.corpus, event.document.id)

    # Ending

    async def action_quit(self) -> None:
        """Leave; what came of a question that is being answered is kept."""
        self._leave(ExitCode.DONE)

    def _leave(self, code: int) -> None:
        self.chat.questions.cancel()
        self.exit(return_code=code)

    def action_help_quit(self) -> None:
        """Ctrl+C cancels like Esc; where nothing is to be cancelled, say how to quit."""
        if self.chat.activity.answering:
            self.chat.questions.cancel()
        else:
            super().action_help_quit()

    @property
    def fault(self) -> Exception | None:
        """The unexpected exception that the chat was left with, if it was."""
        return self._exception

    def _handle_exception(self, error: Exception) -> None:
        """Leave without Textual's traceback: whoever opened the chat tells of the fault."""
        if self._exception is None:
            self._exception = error.error if isinstance(error, WorkerFailed) else error  # type: ignore[assignment]
            self._exception_event.set()
        self._return_code = ExitCode.FAULT
        self._close_messages_no_wait()

    # The palette

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every command of the input line stands in the palette too."""
        for command in COMMANDS:
            if command.in_palette:
                action = partial(self.chat.action_command, command.name)
                yield SystemCommand(command.name.capitalize(), command.help.capitalize(), action)
        yield from (
            entry for entry in super().get_system_commands(screen) if entry.title != "Keys"
        )  # F1 shows all
