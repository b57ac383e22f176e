"""The chat: a question in, the agent's steps, the answer and its evidence on the screen."""

import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import WorkerFailed

from timelens.errors import BadInputError, ExitCode, TimelensError
from timelens.printable import printable_line
from timelens.temporal.calendar import Day, format_day
from timelens.tui.commands import COMMANDS, Command, help_lines, needs_argument, parse_command
from timelens.tui.dialogs import ConfirmScreen, HistoryScreen
from timelens.tui.exchange import Exchange, State
from timelens.tui.export import exported, write_new
from timelens.tui.first_run import FirstRunScreen, bundled_corpora
from timelens.tui.keeper import Keeper
from timelens.tui.model_chat import ModelChat
from timelens.tui.prompt import Prompt
from timelens.tui.terminal import tell_of_end
from timelens.tui.worker import (
    AgentReported,
    Ask,
    CorpusReady,
    Failed,
    IngestAdvanced,
    IngestEnded,
    Library,
    NoCorpora,
    Worker,
)

if TYPE_CHECKING:
    from timelens.agent import Answerer, Parser
    from timelens.config import Settings
    from timelens.history import Conversation

_WHEN_IDLE = {"history", "new", "delete"}
"""Commands that leave the conversation, which has to wait until a question is answered."""
_MOST_RESTORED = 100


@dataclass(frozen=True, slots=True)
class Options:
    """What questions are asked under."""

    as_of: Day
    strategy: str
    k: int | None


@dataclass(frozen=True, slots=True)
class _Current:
    """The question that is being answered."""

    exchange: Exchange
    options: Options
    asked: datetime
    cancelled: threading.Event


class ChatApp(ModelChat):
    """A chat over one corpus at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True),
        Binding("escape", "cancel", "Cancel"),
        Binding("f2,ctrl+t", "toggle_evidence", "Evidence"),
        Binding("f3,ctrl+o", "toggle_steps", "Steps"),
        Binding("f4,ctrl+r", "command('history')", "History"),
        Binding("pageup", "scroll_log(-1)", "Scroll", show=False),
        Binding("pagedown", "scroll_log(1)", "Scroll", show=False),
    ]

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
        """
        if settings is None:
            from timelens.config import Settings

            settings = Settings.load()
        super().__init__(settings, offers=offers)
        self.options = options
        self.keeper = Keeper(history)
        self.worker = Worker(self.post_message, library, answerer, parser)
        self._wanted = corpus
        self._corpus: str | None = None
        self._address = ""
        self._loading: str | None = corpus or "a corpus"
        self._current: _Current | None = None
        self._asked = 0
        self._keeps = True
        self._early: list[Event] | None = []

    async def on_event(self, event: Event) -> None:
        """Hold back what is typed before the first paint, when nothing is there to take it."""
        if self._early is not None and isinstance(event, Key | Paste) and not event.is_forwarded:
            self._early.append(event)
        else:
            await super().on_event(event)

    async def _take_early(self) -> None:
        early, self._early = self._early or [], None
        for event in early:
            await self.on_event(event)

    def on_mount(self) -> None:
        """Paint first; what is heavy begins after it."""
        self.query_one(Prompt).focus()
        self._show_status()
        self.worker.open(self._wanted)  # the first job: what is asked meanwhile waits behind it
        self.call_after_refresh(self.worker.start)
        self.call_after_refresh(self._take_early)
        self._watch(self._recall)
        if not self.is_headless:
            tell_of_end(self._leave)

    def on_unmount(self) -> None:
        """Let the worker end, and the history be written."""
        self.worker.stop()
        self.keeper.close()

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

    # What the user does

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask a question or carry out a command."""
        line = event.value.strip()
        if line and isinstance(event.input, Prompt) and await self._take(line):
            event.input.remember(line)
            event.input.clear()

    async def _take(self, line: str) -> bool:
        """Do what a line says; false if it has to wait."""
        try:
            if await self._take_reply(line):
                return True
            command = parse_command(line)
            if self._current is not None and (command is None or command.name in _WHEN_IDLE):
                self.notify("One question at a time: Esc cancels it.", markup=False)
                return False
            if command is not None:
                await self._obey(command)
            else:
                await self._ask(line)
        except TimelensError as error:
            await self._complain(error)
        return True

    async def _ask(self, question: str) -> None:
        self._asked += 1
        exchange = Exchange(self._asked, question, show_steps=self._steps_shown)
        await self._chat_log.add(exchange)
        options = self.options
        turns = [earlier.turn for earlier in self.query(Exchange) if earlier.turn is not None]
        after = turns[-1] if turns else None
        ask = Ask(self._asked, question, options.as_of, options.strategy, options.k, after)
        self._current = _Current(exchange, options, datetime.now(UTC), self.worker.ask(ask))
        self._keep(self._current)
        self._show_status()

    async def _obey(self, command: Command) -> None:
        match command.name:
            case "corpus":
                self._loading = command.argument
                self.worker.open(command.argument)
            case "strategy":
                from timelens.retrieval.strategies import strategy_named

                strategy_named(command.argument)
                self._set(strategy=command.argument)
            case "model":
                await self._obey_about_models(command.argument)
            case "asof":
                self._set(as_of=_day(command.argument, self.options.as_of))
            case "help":
                await self._say("\n".join(help_lines()))
            case "quit":
                await self.action_quit()
            case _:
                await self._obey_about_conversations(command)
        self._show_status()

    async def _obey_about_conversations(self, command: Command) -> None:
        match command.name:
            case "history":
                self.push_screen(HistoryScreen(self.keeper), self._chosen)
            case "new":
                await self._begin()
            case "rename":
                self._meanwhile(partial(self._rename, command.argument))
            case "delete":
                self._meanwhile(self._delete)
            case "export":
                self._meanwhile(partial(self._export, command.argument))

    def action_cancel(self) -> None:
        """Stop answering; what came stays. Otherwise go back to the input, or stop what is done of models."""
        if self._current is not None:
            self.worker.cancel(self._current.cancelled)
            self._current.exchange.cancel()
            self._end(self._current)
            self._show_status()
        elif not self._prompt.has_focus:
            self._chat.remove_class("evidence-first")
            self._prompt.focus()
        else:
            self._cancel_about_models()

    def action_help_quit(self) -> None:
        """Ctrl+C cancels like Esc; where nothing is to be cancelled, say how to quit."""
        if self._current is not None:
            self.action_cancel()
        else:
            super().action_help_quit()

    async def action_quit(self) -> None:
        """Leave; what came of a question that is being answered is kept."""
        self._leave(ExitCode.DONE)

    def _leave(self, code: int) -> None:
        if self._current is not None:
            self.action_cancel()
        self.exit(return_code=code)

    async def action_command(self, name: str) -> None:
        """Carry out a command that needs no argument, or begin to write one that does."""
        if needs_argument(name):
            self._prompt.value = f"/{name} "
            self._prompt.focus()
        else:
            await self._take(f"/{name}")

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every command of the input line stands in the palette too."""
        for name, (_, purpose) in COMMANDS.items():
            if name != "quit":  # Textual's own is there
                action = partial(self.action_command, name)
                yield SystemCommand(name.capitalize(), purpose.capitalize(), action)
        yield from super().get_system_commands(screen)

    # The history

    def _end(self, current: _Current) -> None:
        """Keep what came of a question."""
        self._current = None
        self._keep(current)

    def _keep(self, current: _Current) -> None:
        """Write a question into the history, with what has come of it."""
        options = current.options
        exchange = current.exchange.kept(
            corpus=self._address, as_of=options.as_of, strategy=options.strategy, asked=current.asked
        )
        saved = self.keeper.save(exchange)
        self._watch(lambda: saved)

    def _watch(self, use: Callable[[], Awaitable[None]]) -> None:
        """Say once when the history cannot be used any more; the chat goes on without it."""

        async def to_its_end() -> None:
            try:
                await use()
            except TimelensError as error:
                if self._keeps:
                    await self._say(f"The history is off: {error.message} – {error.hint}", error=True)
                self._keeps = False
            else:
                self._keeps = True

        self.run_worker(to_its_end)  # type: ignore[arg-type] # mypy cannot tell what its union means

    async def _recall(self) -> None:
        self._prompt.recall(await self.keeper.questions())

    def _chosen(self, conversation: "Conversation | None") -> None:
        if conversation is not None:
            self._meanwhile(partial(self._resume, conversation))

    async def _resume(self, conversation: "Conversation") -> None:
        """Show an earlier conversation, and go on with it in its corpus."""
        exchanges = await self.keeper.resume(conversation)
        await self._clear()
        hidden = len(exchanges) - _MOST_RESTORED
        if hidden > 0:
            await self._say(f"{hidden} earlier questions are not shown; /export FILE writes them all.")
        evidence = None
        for kept in exchanges[-_MOST_RESTORED:]:
            self._asked += 1
            shown = Exchange(self._asked, kept.question, show_steps=self._steps_shown, kept=kept)
            await self._chat_log.add(shown)
            evidence = shown.evidence or evidence
        if evidence is not None:
            await self._show_evidence(evidence)
        if (corpus := exchanges[-1].corpus) not in {"", self._address}:
            self._loading = corpus
            self.worker.open(corpus)

    async def _begin(self) -> None:
        self.keeper.begin()
        await self._clear()
        await self._say("A new conversation.")

    async def _rename(self, title: str) -> None:
        await self.keeper.rename(title)
        await self._say(f"This conversation is called {self.keeper.title} now.")

    async def _delete(self) -> None:
        title = self.keeper.title
        if title is None:
            raise BadInputError("there is nothing to delete yet", "see /history for other conversations")
        if await self.push_screen_wait(ConfirmScreen(f"Delete this conversation: {title}?")):
            await self.keeper.delete()
            await self._clear()
            await self._say(f"Deleted: {title}")

    async def _export(self, file: str) -> None:
        exchanges = await self.keeper.exchanges()
        path = write_new(file, exported(self.keeper.title or "", exchanges, PurePath(file).suffix))
        await self._say(f"Written: {path}")

    # What the worker posts

    async def on_corpus_ready(self, event: CorpusReady) -> None:
        """Questions go to this corpus now."""
        self._corpus, self._address, self._loading = event.name, event.address, None
        others = [name for name in event.names if name != event.name]
        more = f"\nThere is more: /corpus {' or '.join(others)}" if others else ""
        await self._say(f"{event.name}: {event.description}.{more}")
        self._show_status()
        await self._offer_once()

    def on_no_corpora(self, _: NoCorpora) -> None:
        """Offer the bundled ones."""
        self._corpus, self._loading = None, None
        self._show_status()
        self.push_screen(FirstRunScreen(self.worker, bundled_corpora()), self._offered)

    async def _offered(self, chosen: str | None) -> None:
        if chosen is None:
            again = "".join(
                f" /corpus {name} brings the choice back." for name in list(bundled_corpora())[:1]
            )
            await self._say(f"There is no corpus yet: timelens ingest FOLDER --corpus NAME makes one.{again}")

    async def on_agent_reported(self, event: AgentReported) -> None:
        """Show a step of the question that runs; one that was cancelled may still report."""
        current = self._current
        if current is None or current.exchange.number != event.number:
            return
        before = current.exchange.evidence
        current.exchange.take(event.event)
        evidence = current.exchange.evidence
        if evidence is not None and evidence is not before:
            await self._show_evidence(evidence)
        if current.exchange.state is State.DONE:
            self._end(current)
            self.call_after_refresh(self._chat_log.settle, current.exchange)
        self._show_status()

    def on_ingest_advanced(self, event: IngestAdvanced) -> None:
        """Pass it on to the screen that waits for it."""
        if isinstance(self.screen, FirstRunScreen):
            self.screen.advance(event.progress)

    async def on_ingest_ended(self, event: IngestEnded) -> None:
        """Open the new corpus."""
        if not event.complete:
            await self._say(f"Reading {event.name} was cancelled.")
            return
        if isinstance(self.screen, FirstRunScreen):
            self.screen.dismiss(event.name)
        self._loading = event.name
        self.worker.open(event.name)
        self._show_status()

    async def on_failed(self, event: Failed) -> None:
        """One line with the remedy; the chat goes on."""
        current = self._current
        if event.number is not None:
            if current is not None and current.exchange.number == event.number:
                current.exchange.fail(event.message, event.hint)
                self._end(current)
        elif isinstance(self.screen, FirstRunScreen):
            self.screen.fail(event.message, event.hint)
        else:
            self._loading = self._change = None
            await self._say(f"{event.message} – {event.hint}", error=True)
        self._show_status()

    # What is shown

    def _show_status(self) -> None:
        corpus = printable_line(self._corpus) if self._corpus else "no corpus"
        parts: list[str | tuple[str, str]] = [
            ("timelens  ", "bold $text-accent"),
            (corpus, "bold"),
            f" · {self.options.strategy} · as of {format_day(self.options.as_of)}",
        ]
        parts += [(f" · {text}", style) for text, style in self._model_status()]
        if self._current is not None and self._corpus is not None:
            parts.append((" · answering …", "$text-warning"))
        elif self._loading:
            parts.append((f" · loading {printable_line(self._loading)} …", "$text-warning"))
        if self.keeper.title:
            parts.append((f" · {self.keeper.title}", ""))
        for status in self._chat.query("#status").results(Static):  # none while the chat is being left
            status.update(Content.assemble(*parts))

    def _set(self, *, as_of: Day | None = None, strategy: str | None = None) -> None:
        old = self.options
        self.options = Options(old.as_of if as_of is None else as_of, strategy or old.strategy, old.k)


def _day(text: str, today: Day) -> Day:
    from timelens.temporal.stated import day_meant

    try:
        return day_meant(text, today)
    except ValueError as error:
        raise BadInputError(str(error), "write /asof 2021-05-06") from error
