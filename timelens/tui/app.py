"""The application around the chat: how it starts, ends and reports failures."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.worker import WorkerFailed

from timelens import ExitCode
from timelens.tui.terminal import call_at_termination
from timelens.tui.waiting import WaitingScreen

if TYPE_CHECKING:
    from timelens.tui.corpora import CorporaScreen
    from timelens.tui.screen import ChatScreen


_FRAME = 0.25
"""Share of the colour of text in that of a frame without the focus."""


class ChatApp(App[None]):
    """Starts and ends the chat; the chat itself is :class:`timelens.tui.screen.ChatScreen`."""

    TITLE = "timelens"
    CSS_PATH = Path(__file__).with_name("chat.tcss")  # Textual does not read the CSS file of the first screen
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", priority=True, id="quit")]

    def __init__(self, chat: "ChatScreen | Callable[[], ChatScreen]", theme: str | None = None) -> None:
        """Start with a chat, or with a function that makes it.

        Args:
            chat: a function is called on a thread after the first paint, because its imports take longer than
                those of Textual itself.
            theme: the theme until the chat is loaded; ignored unless it is built in.
        """
        super().__init__()
        self._early: list[Event] | None = []
        self._waits = False
        """Whether to quit as soon as an ingest that is being stopped has ended."""
        self._chat: ChatScreen | None = None
        if callable(chat):
            self._load: Callable[[], ChatScreen] = chat
            if theme in self.available_themes:
                self.theme = theme
        else:
            self._take(chat)

    @property
    def chat(self) -> "ChatScreen":
        """The chat.

        Raises:
            RuntimeError: it is not loaded yet.
        """
        if self._chat is None:
            raise RuntimeError("the chat is not loaded yet")
        return self._chat

    def _take(self, chat: "ChatScreen") -> None:
        self._chat = chat
        chat.looks.dress(self)

    def get_default_screen(self) -> Screen[Any]:
        """The chat, or its outline while the chat is loading."""
        return WaitingScreen() if self._chat is None else self._chat

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme; where it sets none for the frames of the panels, one that is visible.

        Textual's own differs so little from the background that terminals with 256 colours show no frame.
        """
        variables = super().get_css_variables()
        ink, ground = variables["foreground"], variables["background"]
        if "border-blurred" not in self.current_theme.variables and ink.startswith("#"):
            frame = Color.parse(ground).blend(Color.parse(ink), _FRAME).hex
            variables["border-blurred"] = self.theme_variables["border-blurred"] = frame
        return variables

    # Start

    async def on_event(self, event: Event) -> None:
        """Hold back key presses and pastes until the chat is loaded."""
        is_held = isinstance(event, Key | Paste) and not event.is_forwarded
        if self._early is not None and is_held and not (isinstance(event, Key) and event.key == "ctrl+q"):
            self._early.append(event)
            if isinstance(self.screen, WaitingScreen):
                self.screen.show(self._early)
        elif not is_held or self._chat is None or not self._chat.holds(event):
            await super().on_event(event)

    async def _take_early(self) -> None:
        """Replay the held input. The terminal sends Enter as Ctrl+J before Textual takes it over."""
        early, self._early = self._early or [], None
        for event in early:
            is_enter = isinstance(event, Key) and event.key == "ctrl+j"
            await self.on_event(Key("enter", "\r") if is_enter else event)

    def on_mount(self) -> None:
        """Listen to the terminal and to signals."""
        if not self.is_headless:
            call_at_termination(self._leave)
        if self._chat is None:
            self.screen.call_after_refresh(self._begin_loading)
        else:
            self._chat.call_after_refresh(self._take_early)

    def _begin_loading(self) -> None:
        self.run_worker(self._show_loaded())

    async def _show_loaded(self) -> None:
        """Put the chat over its outline."""
        chat = await asyncio.to_thread(self._load)
        if self.return_code is not None:  # the user quit meanwhile
            return
        self._take(chat)
        await self.push_screen(chat)
        self.call_later(self._take_early)  # after the prompt has the focus

    async def on_corpora_screen_document_chosen(self, event: "CorporaScreen.DocumentChosen") -> None:
        """Show a document that was chosen on the screen of corpora."""
        await self.chat.evidence.show_document(event.corpus, event.document.id)

    # End

    async def action_quit(self) -> None:
        """Quit; the partial result of a running question is saved.

        An ingest that is being stopped still writes what it has read, unless the user quits again.
        """
        if self._chat is None or self._waits or not self._chat.ingests.is_stopping:
            self._leave(ExitCode.DONE)
            return
        self._waits = True
        self.notify("Quits when the documents are written. Ctrl+Q again quits now.", markup=False)

    def on_ingest_ended(self) -> None:
        """Quit, if that waited for an ingest to stop."""
        if self._waits:
            self._leave(ExitCode.DONE)

    def _leave(self, code: int) -> None:
        if self._chat is not None:
            self._chat.questions.cancel()
        self.exit(return_code=code)

    def action_help_quit(self) -> None:
        """Ctrl+C cancels like Esc; if there is nothing to cancel, say how to quit, once at a time."""
        if self.chat.activity.answering:
            self.chat.questions.cancel()
        else:
            self.clear_notifications()
            key = self.chat.looks.keymap.get("quit", "Ctrl+Q").partition(",")[0]
            self.notify(f"{key} to quit.", markup=False)

    def is_busy(self) -> bool:
        """Whether a thread of the chat is still running."""
        return self._chat is not None and (self._chat.worker.thread.is_alive() or self._chat.ingests.is_busy)

    @property
    def fault(self) -> Exception | None:
        """The unexpected exception that ended the chat, if any."""
        return self._exception

    def _handle_exception(self, error: Exception) -> None:
        """Exit without Textual's traceback: the caller that opened the chat reports the fault."""
        if self._exception is None:
            self._exception = error.error if isinstance(error, WorkerFailed) else error  # type: ignore[assignment]
            self._exception_event.set()
        self._return_code = ExitCode.FAULT
        self._close_messages_no_wait()

    # The palette

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The commands of the input line, also listed in the palette."""
        from timelens.tui.commands import COMMANDS

        for command in COMMANDS:
            if command.in_palette:
                action = partial(self.chat.action_command, command.name)
                yield SystemCommand(command.name.capitalize(), command.help.capitalize(), action)
        yield from (
            entry for entry in super().get_system_commands(screen) if entry.title != "Keys"
        )  # F1 shows all
