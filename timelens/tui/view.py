"""What the chat looks like: its parts on the screen, and what is shown in them."""

from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from timelens.errors import TimelensError
from timelens.tui.exchange import ChatLog, Exchange, Notice
from timelens.tui.kept import Evidence
from timelens.tui.panels import EvidencePanel, TimelinePanel
from timelens.tui.prompt import Prompt


class ChatView(App[None]):
    """Status, log with panels, input, keys; what happens in them is the business of the chat."""

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

    def __init__(self) -> None:
        super().__init__()
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
                yield Prompt()
            yield Footer()
        yield Static("The terminal is too small for the chat.\nIt needs 40 × 12.", id="too-small")

    def action_toggle_evidence(self) -> None:
        """Go to the evidence, in place of the timeline where there is room for one of them, or back."""
        chat = self._chat
        chat.toggle_class("evidence-first")
        shown = chat.has_class("evidence-first") and chat.has_class("has-evidence")
        chat.query_one(EvidencePanel if shown else Prompt).focus()

    def action_toggle_steps(self) -> None:
        """Show the steps of answered questions, or one line for each."""
        self._steps_chosen = not self._steps_shown
        for exchange in self.query(Exchange):
            exchange.show_steps(self._steps_chosen)

    def action_scroll_log(self, direction: int) -> None:
        """A page up or down."""
        (self._chat_log.scroll_page_up if direction < 0 else self._chat_log.scroll_page_down)()

    @property
    def _chat_log(self) -> ChatLog:
        return self._chat.query_one(ChatLog)

    @property
    def _chat(self) -> Screen[Any]:
        """The screen of the chat, whatever lies over it."""
        return self.screen_stack[0]

    @property
    def _prompt(self) -> Prompt:
        return self._chat.query_one(Prompt)

    @property
    def _steps_shown(self) -> bool:
        """As chosen, otherwise where there is room."""
        return self._steps_chosen if self._steps_chosen is not None else self.size.width >= 120

    def _meanwhile(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do something that waits, while the chat goes on; an error is a line."""

        async def to_its_end() -> None:
            try:
                await job()
            except TimelensError as error:
                await self._complain(error)
            self._show_status()

        self.run_worker(to_its_end)  # type: ignore[arg-type] # mypy cannot tell what its union means

    def _show_status(self) -> None:
        """Show what questions are asked under, and what is being done."""
        raise NotImplementedError

    async def _show_evidence(self, evidence: Evidence) -> None:
        timeline, panel = self._chat.query_one(TimelinePanel), self._chat.query_one(EvidencePanel)
        self._chat.add_class("has-evidence")
        timeline.show(evidence)
        await panel.show(evidence)

    async def _clear(self) -> None:
        self._chat.remove_class("has-evidence", "evidence-first")
        await self._chat_log.remove_children()

    async def _complain(self, error: TimelensError) -> None:
        await self._say(f"{error.message} – {error.hint}", error=True)

    async def _say(self, text: str, *, error: bool = False) -> None:
        await self._chat_log.add(Notice(text, error=error))
