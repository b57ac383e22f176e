"""Messages of the chat's widgets, passed on to the part of the screen that handles them."""

from typing import TYPE_CHECKING

from textual.reactive import reactive

from timelens.tui import wording
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import Exchange
from timelens.tui.prompt import Prompt
from timelens.tui.thread_messages import ThreadMessages
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.timeline.typed import TypedPeriods

if TYPE_CHECKING:
    from timelens.tui.conversations import Conversations
    from timelens.tui.evidence_chat import EvidenceChat
    from timelens.tui.scrubber import Scrubber


class WidgetMessages(ThreadMessages):
    """A screen that receives messages of its widgets. Subclasses create the widgets and the parts."""

    conversations: "Conversations"
    evidence: "EvidenceChat"

    shown: reactive[Exchange | None] = reactive(None)
    """The exchange whose evidence the panels show."""

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.query_one(Prompt)

    async def on_chat_log_top_reached(self) -> None:
        """Show earlier questions of the conversation."""
        await self.conversations.show_earlier()

    def on_prompt_paths_dropped(self, event: Prompt.PathsDropped) -> None:
        """Offer to ingest files and folders that were dropped into the terminal."""
        self.ingests.offer(event.paths, event.text)

    async def on_exchange_citation_clicked(self, event: Exchange.CitationClicked) -> None:
        """Show the evidence of the answer, and select the piece; a second click opens its document."""
        if self.shown is event.exchange and self.query_one(EvidencePanel).selected == event.number:
            self.evidence.opened(event.number)
            return
        await self.evidence.choose(event.exchange)
        self.select(event.number)

    async def on_exchange_question_clicked(self, event: Exchange.QuestionClicked) -> None:
        """Show the evidence of the question."""
        await self.evidence.choose(event.exchange)

    def on_scrubber_moved(self, event: "Scrubber.Moved") -> None:
        """Update the evidence to the day of the slider."""
        self.as_of.moved(event.day)

    async def on_scrubber_asked(self, event: "Scrubber.Asked") -> None:
        """Ask the question as of the day."""
        await self.as_of.ask(event.day)

    async def on_scrubber_left(self) -> None:
        """Remove the slider and restore the exchange."""
        await self.as_of.leave()

    def on_timeline_panel_selected(self, event: TimelinePanel.Selected) -> None:
        """Select the piece that was selected on the timeline."""
        self.select(event.number)

    def on_timeline_panel_opened(self, event: TimelinePanel.Opened) -> None:
        """Show the document of a bar."""
        self.evidence.opened(event.number)

    def on_timeline_panel_brushed(self, event: TimelinePanel.Brushed) -> None:
        """Put a question about the marked span into the prompt."""
        self.prompt.value = wording.about_span(self.prompt.value, event.interval)
        self.prompt.focus()

    def on_prompt_times_read(self, event: Prompt.TimesRead) -> None:
        """Show the times of the question being typed on the timeline, or on a line without a timeline."""
        self.query_one(TimelinePanel).preview(event.periods)
        self.query_one(TypedPeriods).show(event.periods, self.corpora.span)

    def on_evidence_panel_selected(self, event: EvidencePanel.Selected) -> None:
        """Select the piece everywhere."""
        self.select(event.number)

    def on_evidence_panel_opened(self, event: EvidencePanel.Opened) -> None:
        """Show the document of the piece."""
        self.evidence.opened(event.number)

    def select(self, number: int | None) -> None:
        """Select a piece of the shown evidence in the answer and in both panels."""
        if self.shown is not None:
            self.shown.select(number)
            self.query_one(EvidencePanel).select(number)
        self.query_one(TimelinePanel).select(number)
