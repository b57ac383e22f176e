"""The chat screen: questions in; the agent's steps, the answer and its evidence out."""

from collections.abc import Awaitable, Callable
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Event, Key
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from timelens import TimelensError
from timelens.temporal import Day
from timelens.tui import wording
from timelens.tui.as_of_chat import AsOfChat
from timelens.tui.commands import COMMANDS, Command, Known, command_named, parse_command
from timelens.tui.commands import completions as completions_of
from timelens.tui.completion import Completion
from timelens.tui.conversations import Conversations
from timelens.tui.corpus_chat import CorpusChat
from timelens.tui.evidence_chat import EvidenceChat
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import ChatLog, Exchange, Notice
from timelens.tui.footer import KeysFooter
from timelens.tui.ingest_chat import IngestChat
from timelens.tui.looks import Looks
from timelens.tui.model_chat import ModelChat
from timelens.tui.options import IDLE, Activity, Options
from timelens.tui.prompt import Prompt
from timelens.tui.questions import Questions
from timelens.tui.status import Parts, StatusLine
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.timeline.typed import TypedPeriods
from timelens.tui.widget_messages import WidgetMessages
from timelens.tui.worker import Library, Worker

if TYPE_CHECKING:
    from timelens import Answerer, Parser, Settings
    from timelens.history import KeptExchange


_FIRST_PAINT_SECONDS = 0.05
"""Time for the terminal to draw the first picture before heavy packages are imported."""


class ChatScreen(WidgetMessages):
    """A chat over one corpus at a time.

    Questions, conversations, corpora and models are handled by separate parts. Each part shows its messages
    through the screen's :meth:`say` and its reactives.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-thin"), (40, "-narrow"), (120, "-wide")]  # noqa: RUF012 -- as Textual has it
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (12, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", id="cancel"),
        *sorted(
            [
                Binding("f2,ctrl+t", "toggle_evidence", "Evidence", id="evidence"),
                Binding("f3,ctrl+o", "toggle_steps", "Steps", id="steps"),
                *(
                    Binding(c.keys, f"command('{c.name}')", c.key_says or c.name.capitalize(), id=c.name)
                    for c in COMMANDS
                    if c.keys
                ),
            ],
            key=lambda binding: (len(binding.key.partition(",")[0]), binding.key),  # letters, then F1 to F8
        ),
        Binding("alt+up", "walk(-1)", "Evidence of the previous answer", show=False, id="walk-back"),
        Binding("alt+down", "walk(1)", "Evidence of the next answer", show=False, id="walk-on"),
        Binding("pageup", "scroll_log(-1)", "Scroll up", show=False, id="scroll-up"),
        Binding("pagedown", "scroll_log(1)", "Scroll down", show=False, id="scroll-down"),
    ]

    corpus: reactive[str | None] = reactive(None)
    """The corpus that is being asked; ``None`` until one is open."""
    options: reactive[Options] = reactive(Options(0, "", None))
    activity: reactive[Activity] = reactive(IDLE)
    model: reactive[Parts] = reactive(())
    """The model that writes answers, and changes and pulls in progress, as the status line shows them."""
    conversation: reactive[str] = reactive("")
    """The title of the conversation."""

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
        """Start with a corpus.

        Args:
            corpus: its name or path; ``None`` is the first corpus.
            options: the options of questions.
            library: the corpora of this machine.
            history: the file that conversations are saved in.
            answerer: writes answers with a model; without one, answers quote the evidence.
            parser: reads questions with a model in addition to the rules.
            settings: the settings of answerer and parser; by default those of this machine.
            offers: whether to offer a first model once.
            today: the day that /asof without an argument goes back to; by default that of the options.
        """
        super().__init__()
        if settings is None:
            from timelens import Settings

            settings = Settings.load()
        self.set_reactive(ChatScreen.options, options)
        self.worker = Worker(self.post_message, library, answerer, parser)
        self.questions = Questions(self)
        self.conversations = Conversations(self, history, settings.history.keep_days)
        self.corpora = CorpusChat(self, library, corpus)
        self.ingests = IngestChat(self, library)
        self.models = ModelChat(self, settings, offers=offers)
        self.as_of = AsOfChat(self, options.as_of if today is None else today)
        self.looks = Looks(self, settings.chat)
        self.evidence = EvidenceChat(self, library.open, settings.time.conventions)
        self._asked = 0
        self._steps_chosen: bool | None = None

    def compose(self) -> ComposeResult:
        """Status line, log with panels, prompt, footer."""
        with Vertical(id="chat"):
            yield StatusLine().data_bind(
                ChatScreen.corpus,
                ChatScreen.options,
                ChatScreen.activity,
                ChatScreen.model,
                ChatScreen.conversation,
            )
            with Horizontal(id="main"):
                yield ChatLog(id="log")
                with Vertical(id="panels"):
                    yield Static(id="whose")
                    yield TimelinePanel()
                    yield EvidencePanel()
            yield TypedPeriods()
            with Horizontal(id="prompt"):
                yield Static(">")
                yield Prompt(self.as_of.times_of, self.completions)
            yield KeysFooter()
        yield Static("The terminal is too small for the chat.\nIt needs 40 × 12.", id="too-small")

    def on_mount(self) -> None:
        """Paint first; heavy work starts afterwards."""
        self.prompt.focus()
        self.models.show()
        self.corpora.open_first()  # the first job: questions asked meanwhile wait behind it
        self.call_after_refresh(self.set_timer, _FIRST_PAINT_SECONDS, self._begin)

    def _begin(self) -> None:
        self.worker.start()
        self.conversations.recall()
        self.looks.begin()

    def on_unmount(self) -> None:
        """Stop the threads, and wait until the history is written."""
        self.models.stop()
        self.ingests.stop()
        self.worker.stop()
        self.conversations.close()

    @property
    def chat_log(self) -> ChatLog:
        """The log of exchanges and notices."""
        return self.query_one(ChatLog)

    # Input

    async def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        """Ask a question or run a command; a line that has to wait is put back."""
        if not (line := event.value.strip()):
            return
        if await self._take(line):
            self.prompt.remember(line)
        else:
            self.prompt.put_back(line)

    async def _take(self, line: str) -> bool:
        """Run a line; false if it has to wait."""
        try:
            if await self.models.take_reply(line):
                return True
            command = parse_command(line)
            if self.activity.answering and (command is None or command[0].when_idle):
                self.notify("A question is being answered. Esc cancels it.", markup=False)
                return False
            if command is None and self.activity.reading and not (self.corpus or self.activity.loading):
                self.notify("There is nothing to ask until the first documents are read.", markup=False)
                return False
            if command is None or command[0].name != "scrub":
                await self.as_of.leave()
            await (self.questions.ask(line) if command is None else self._carry_out(*command))
        except TimelensError as error:
            await self.complain(error)
        return True

    # Commands; the table in commands.py names their methods

    async def _carry_out(self, command: Command, argument: str) -> None:
        await attrgetter(command.handler)(self)(argument)

    async def action_command(self, name: str) -> None:
        """Run a command, or start typing it in the prompt if it needs an argument."""
        if command_named(name).needs_argument:
            self.prompt.value = f"/{name} "
            self.prompt.focus()
        else:
            await self._take(f"/{name}")

    def holds(self, event: Event) -> bool:
        """Whether input is held back until the first corpus is read; other input may go to the prompt."""
        if isinstance(event, Key):
            self._lead_to_prompt(event)
        return self.ingests.holds(event)

    def _lead_to_prompt(self, key: Key) -> None:
        """Focus the prompt before it is sent a character that is no key of what has the focus."""
        focused = self.focused
        if focused is self.prompt or not self.is_active or not key.is_printable:
            return
        if not any(key.key in bindings.key_to_bindings for _, bindings in self._modal_binding_chain):
            if self.maximized is not None:
                self.minimize()
            self.set_focus(self.prompt)

    @property
    def focus_chain(self) -> list[Widget]:
        """Tab goes from the prompt to the timeline, then to the evidence, then to the log."""
        return sorted(super().focus_chain, key=lambda widget: isinstance(widget, ChatLog | Prompt))

    def completions(self, line: str, cursor: int) -> Completion | None:
        """Completions at a cursor position of a line that begins a command."""
        known = Known(self.corpora.names, self.models.settings, self.as_of.today, self.corpora.span)
        return completions_of(line, cursor, known)

    async def show_commands(self, _: str) -> None:
        """List the commands in the log, and show the beginning of the list."""
        from timelens.tui.keys import CommandList

        await self.chat_log.add(CommandList(self.chat_log.settle))

    async def show_keys(self, _: str) -> None:
        """Show all commands and all keys on a separate screen."""
        from timelens.tui.keys import KeysScreen

        self.app.push_screen(KeysScreen(self.looks.keymap))

    async def quit(self, _: str) -> None:
        """Leave the chat."""
        await self.app.action_quit()

    # Keys

    async def action_cancel(self) -> None:
        """Do the first that applies: stop answering, leave the slider, focus the prompt, stop other work."""
        if self.activity.answering:
            self.questions.cancel()
        elif self.as_of.slides:
            await self.as_of.leave()
        elif not self.prompt.has_focus:
            self.remove_class("evidence-first")
            self.prompt.focus()
        elif not self.ingests.ask_to_cancel():
            self.models.cancel()

    def action_toggle_evidence(self) -> None:
        """Move to the evidence, which replaces the timeline if only one fits, or back to the prompt."""
        self.toggle_class("evidence-first")
        there = self.has_class("evidence-first") and self.has_class("has-evidence")
        self.query_one(EvidencePanel if there else Prompt).focus()

    def action_toggle_steps(self) -> None:
        """Show all steps of answered questions, or one summary line for each."""
        self._steps_chosen = not self.steps_shown
        for exchange in self.query(Exchange):
            exchange.show_steps(self._steps_chosen)

    async def action_walk(self, steps: int) -> None:
        """Show the evidence of another answer."""
        await self.evidence.walk(steps)

    def action_scroll_log(self, direction: int) -> None:
        """Scroll the log a page up or down."""
        (self.chat_log.scroll_page_up if direction < 0 else self.chat_log.scroll_page_down)()

    @property
    def steps_shown(self) -> bool:
        """Whether all steps of answered questions are shown: as chosen, else if the screen is wide enough."""
        return self._steps_chosen if self._steps_chosen is not None else self.size.width >= 120

    # The log and the panels

    async def say(self, text: str, *, error: bool = False) -> None:
        """Add a notice of the program to the log."""
        await self.chat_log.add(Notice(text, error=error))

    async def complain(self, error: TimelensError) -> None:
        """Show an error with its remedy."""
        await self.say(f"{error.message} – {error.hint}", error=True)

    def exchange(self, question: str, kept: "KeptExchange | None" = None) -> Exchange:
        """A new exchange for the log, or a saved one."""
        self._asked += 1
        return Exchange(self._asked, question, show_steps=self.steps_shown, kept=kept)

    async def clear(self) -> None:
        """Clear log and panels."""
        self.remove_class("has-evidence", "evidence-first", "of-earlier")
        self.shown = None
        await self.chat_log.remove_children()

    @work
    async def meanwhile(self, job: Callable[[], Awaitable[None]]) -> None:
        """Run a job in the background; an error is shown as a line in the log."""
        try:
            await job()
        except TimelensError as error:
            await self.complain(error)
        self.conversation = self.conversations.title

    async def show_evidence_of(self, exchange: Exchange) -> None:
        """Show the evidence of an exchange in the panels; does nothing if it has none."""
        if (evidence := exchange.evidence) is None:
            return
        self.shown = exchange
        self.add_class("has-evidence")
        self.query_one(TimelinePanel).show(evidence)
        self.query_one(EvidencePanel).show(evidence)
        self.say_whose()

    async def show_newest_evidence(self) -> None:
        """Show the evidence of the newest question that has any, or else of the newest that was searched."""
        searched = [exchange for exchange in self.query(Exchange) if exchange.evidence is not None]
        found = [exchange for exchange in searched if exchange.found]
        for exchange in (found or searched)[-1:]:
            await self.show_evidence_of(exchange)

    def watch_shown(self, before: Exchange | None, after: Exchange | None) -> None:
        """Mark the answer that is shown; unmark and deselect the one before."""
        if before is not None and before.is_attached:
            before.select(None)
            before.mark(shown=False)
        if after is not None:
            after.mark(shown=True)

    def say_whose(self) -> None:
        """Name the question of the shown evidence above the panels, unless it is the last question."""
        ended = [
            exchange for exchange in self.query(Exchange) if exchange.evidence or not exchange.is_running
        ]
        shown, newest = self.shown, ended[-1] if ended else None
        if shown is None or newest is None or newest is shown:
            self.remove_class("of-earlier")
            return
        nothing_found = newest.evidence is not None and not newest.found
        line = wording.whose_line(shown.question, nothing_found=nothing_found)
        self.query_one("#whose", Static).update(Content(line))
        self.add_class("of-earlier")
