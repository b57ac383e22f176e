"""The chat: a question in, the agent's steps, the answer and its evidence on the screen."""

import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Footer, Input, Static

from timelens.errors import BadInputError, TimelensError
from timelens.printable import printable_line
from timelens.temporal.calendar import Day, format_day, parse_day
from timelens.tui.commands import Command, help_lines, parse_command
from timelens.tui.exchange import ChatLog, Exchange, Notice, State
from timelens.tui.first_run import FirstRunScreen, bundled_corpora
from timelens.tui.panels import EvidencePanel, TimelinePanel
from timelens.tui.terminal import leave_quickly, noise_to
from timelens.tui.worker import (
    AgentReported,
    ApiLibrary,
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
    from timelens.agent import Answerer
    from timelens.config import Settings


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
    cancelled: threading.Event


class ChatApp(App[None]):
    """A chat over one corpus at a time."""

    TITLE = "timelens"
    CSS = """
    #status { height: 1; padding: 0 1; background: $panel; color: $text-muted;
        text-wrap: nowrap; text-overflow: ellipsis; }
    #main { height: 1fr; }
    #log { width: 1fr; height: 1fr; }
    #panels { display: none; }
    #too-small { display: none; width: 100%; height: 100%; content-align: center middle; text-align: center; }
    #prompt { height: 1; background: $surface; }
    #prompt Static { width: 3; padding: 0 0 0 1; color: $text-accent; }
    #prompt Input { width: 1fr; background: $surface; }

    .has-evidence #panels { display: block; }
    .-narrow #main { layout: vertical; }
    .-narrow #panels { height: 9; max-height: 45%; }
    .-narrow TimelinePanel { height: 1fr; }
    .-narrow EvidencePanel { display: none; height: 1fr; }
    .-narrow.evidence-first TimelinePanel { display: none; }
    .-narrow.evidence-first EvidencePanel { display: block; }
    .-narrow.evidence-first #panels { height: 60%; max-height: 60%; }
    .-wide #panels { width: 45%; }
    .-wide TimelinePanel { height: auto; max-height: 40%; }
    .-wide EvidencePanel { height: 1fr; }

    .-thin #too-small, .-flat #too-small { display: block; }
    .-thin #chat, .-flat #chat { display: none; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-thin"), (40, "-narrow"), (120, "-wide")]  # noqa: RUF012 -- as Textual has it
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (12, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True),
        Binding("escape", "cancel", "Cancel"),
        Binding("f2,ctrl+t", "toggle_evidence", "Evidence"),
        Binding("f3,ctrl+o", "toggle_steps", "Steps"),
        Binding("pageup", "scroll_log(-1)", "Scroll", show=False),
        Binding("pagedown", "scroll_log(1)", "Scroll", show=False),
    ]

    def __init__(
        self, corpus: str | None, options: Options, library: Library, answerer: "Answerer | None" = None
    ) -> None:
        super().__init__()
        self.options = options
        self.worker = Worker(self.post_message, library, answerer)
        self._wanted = corpus
        self._corpus: str | None = None
        self._loading: str | None = corpus or "a corpus"
        self._current: _Current | None = None
        self._asked = 0
        self._steps_chosen: bool | None = None

    def compose(self) -> ComposeResult:
        """Status, log with panels, input, keys."""
        with Vertical(id="chat"):
            yield Static(id="status")
            with Horizontal(id="main"):
                yield ChatLog(id="log")
                with Vertical(id="panels"):
                    yield TimelinePanel()
                    yield EvidencePanel()
            with Horizontal(id="prompt"):
                yield Static(">")
                yield Input(placeholder="Ask about the documents, or /help", compact=True)
            yield Footer()
        yield Static("The terminal is too small for the chat.\nIt needs 40 × 12.", id="too-small")

    def on_mount(self) -> None:
        """Paint first; what is heavy begins after it."""
        self.query_one(Input).focus()
        self._show_status()
        self.worker.open(self._wanted)  # the first job: what is asked meanwhile waits behind it
        self.call_after_refresh(self.worker.start)

    def on_unmount(self) -> None:
        """Let the worker end."""
        self.worker.stop()

    # What the user does

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask a question or carry out a command."""
        line = event.value.strip()
        if not line:
            return
        try:
            command = parse_command(line)
            if command is not None:
                await self._obey(command)
            elif self._current is not None:
                self.notify("One question at a time: Esc cancels it.", markup=False)
                return
            else:
                await self._ask(line)
        except TimelensError as error:
            await self._say(f"{error.message} – {error.hint}", error=True)
        event.input.clear()

    async def _ask(self, question: str) -> None:
        self._asked += 1
        exchange = Exchange(self._asked, question, show_steps=self._steps_shown)
        await self._chat_log.add(exchange)
        options = self.options
        ask = Ask(self._asked, question, options.as_of, options.strategy, options.k)
        self._current = _Current(exchange, self.worker.ask(ask))

    async def _obey(self, command: Command) -> None:
        match command.name:
            case "corpus":
                self._loading = command.argument
                self.worker.open(command.argument)
            case "strategy":
                from timelens.retrieval.strategies import strategy_named

                strategy_named(command.argument)
                self._set(strategy=command.argument)
            case "asof":
                self._set(as_of=_day(command.argument))
            case "help":
                await self._say("\n".join(help_lines()))
            case "quit":
                self.exit()
        self._show_status()

    def action_cancel(self) -> None:
        """Stop answering; what came stays. Otherwise go back to the input."""
        if self._current is not None:
            self.worker.cancel(self._current.cancelled)
            self._current.exchange.cancel()
            self._current = None
            self._show_status()
        elif not self.query_one(Input).has_focus:
            self.screen.remove_class("evidence-first")
            self.query_one(Input).focus()

    def action_toggle_evidence(self) -> None:
        """Go to the evidence, in place of the timeline where there is room for one of them, or back."""
        chat = self.screen_stack[0]
        chat.toggle_class("evidence-first")
        shown = chat.has_class("evidence-first") and chat.has_class("has-evidence")
        chat.query_one(EvidencePanel if shown else Input).focus()

    def action_toggle_steps(self) -> None:
        """Show the steps of answered questions, or one line for each."""
        self._steps_chosen = not self._steps_shown
        for exchange in self.query(Exchange):
            exchange.show_steps(self._steps_chosen)

    def action_scroll_log(self, direction: int) -> None:
        """A page up or down."""
        (self._chat_log.scroll_page_up if direction < 0 else self._chat_log.scroll_page_down)()

    # What the worker posts

    async def on_corpus_ready(self, event: CorpusReady) -> None:
        """Questions go to this corpus now."""
        self._corpus, self._loading = event.name, None
        others = [name for name in event.names if name != event.name]
        more = f"\nThere is more: /corpus {' or '.join(others)}" if others else ""
        await self._say(f"{event.name}: {event.description}.{more}")
        self._show_status()

    def on_no_corpora(self, _: NoCorpora) -> None:
        """Offer the bundled ones."""
        self._corpus, self._loading = None, None
        self._show_status()
        self.push_screen(FirstRunScreen(self.worker, bundled_corpora()))

    async def on_agent_reported(self, event: AgentReported) -> None:
        """Show a step of the question that runs; one that was cancelled may still report."""
        current = self._current
        if current is None or current.exchange.number != event.number:
            return
        current.exchange.take(event.event)
        await self._show_evidence(event)
        if current.exchange.state is State.DONE:
            self._current = None
            self.call_after_refresh(self._chat_log.settle, current.exchange)
        self._show_status()

    def on_ingest_advanced(self, event: IngestAdvanced) -> None:
        """Pass it on to the screen that waits for it."""
        if isinstance(self.screen, FirstRunScreen):
            self.screen.advance(event.done, event.files)

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
                self._current = None
        elif isinstance(self.screen, FirstRunScreen):
            self.screen.fail(event.message, event.hint)
        else:
            self._loading = None
            await self._say(f"{event.message} – {event.hint}", error=True)
        self._show_status()

    # What is shown

    @property
    def _chat_log(self) -> ChatLog:
        return self.screen_stack[0].query_one(ChatLog)

    @property
    def _steps_shown(self) -> bool:
        """As chosen, otherwise where there is room."""
        return self._steps_chosen if self._steps_chosen is not None else self.size.width >= 120

    async def _show_evidence(self, event: AgentReported) -> None:
        from timelens.agent import Answered, Gathered

        chat = self.screen_stack[0]
        timeline, evidence = chat.query_one(TimelinePanel), chat.query_one(EvidencePanel)
        match event.event:
            case Gathered(gathered, coverage):
                chat.add_class("has-evidence")
                timeline.show(gathered, coverage.asked)
                await evidence.show(gathered)
            case Answered(answer):
                numbers = frozenset(citation.number for citation in answer.citations)
                timeline.cite(numbers)
                evidence.cite(numbers)

    def _show_status(self) -> None:
        corpus = printable_line(self._corpus) if self._corpus else "no corpus"
        parts: list[str | tuple[str, str]] = [
            ("timelens  ", "bold $text-accent"),
            (corpus, "bold"),
            f" · {self.options.strategy} · as of {format_day(self.options.as_of)}",
        ]
        if self._current is not None:
            parts.append((" · answering …", "$text-warning"))
        elif self._loading:
            parts.append((f" · loading {printable_line(self._loading)} …", "$text-warning"))
        self.screen_stack[0].query_one("#status", Static).update(Content.assemble(*parts))

    async def _say(self, text: str, *, error: bool = False) -> None:
        await self._chat_log.add(Notice(text, error=error))

    def _set(self, *, as_of: Day | None = None, strategy: str | None = None) -> None:
        old = self.options
        self.options = Options(old.as_of if as_of is None else as_of, strategy or old.strategy, old.k)


def run_chat(
    corpus: str | None,
    *,
    as_of: Day,
    strategy: str | None,
    k: int | None,
    settings: "Settings",
    answerer: "Answerer | None",
) -> int:
    """Open the chat in this terminal until the user quits.

    Args:
        corpus: a name or path; by default the first there is, and with none a choice of the bundled ones.
        as_of: the day that counts as today.
        strategy: how evidence is found; the configured way by default.
        k: pieces of evidence for an answer; the configured number by default.
        settings: of this machine.
        answerer: writes answers with a model; without one the evidence speaks for itself.

    Returns:
        The exit code: 0.

    Raises:
        BadInputError: this is not a terminal.
    """
    from timelens.config import home

    if not sys.stdin.isatty() or not sys.stderr.isatty():
        raise BadInputError("the chat needs a terminal", 'in a script use: timelens ask "…" --corpus NAME')
    app = ChatApp(corpus, Options(as_of, strategy or settings.strategy, k), ApiLibrary(settings), answerer)
    with noise_to(home() / "log" / "chat.log"):
        app.run()
    code = app.return_code or 0
    leave_quickly(app.worker.thread, code)
    return code


def _day(text: str) -> Day:
    try:
        return parse_day(text)
    except ValueError as error:
        raise BadInputError(str(error), "write /asof 2021-05-06") from error
