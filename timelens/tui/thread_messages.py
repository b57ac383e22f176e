"""Messages of the chat's threads, passed on to the part of the screen that handles them."""

from typing import TYPE_CHECKING

from textual.screen import Screen

from timelens.tui.ingester import IngestAdvanced, IngestEnded
from timelens.tui.puller import PullAdvanced, PullEnded
from timelens.tui.worker import (
    AgentReported,
    CorpusReady,
    CorpusToChoose,
    Failed,
    ModelMeasured,
    ModelOpened,
    NoCorpora,
)

if TYPE_CHECKING:
    from timelens.tui.as_of_chat import AsOfChat
    from timelens.tui.corpus_chat import CorpusChat
    from timelens.tui.ingest_chat import IngestChat
    from timelens.tui.model_chat import ModelChat
    from timelens.tui.questions import Questions


class ThreadMessages(Screen[None]):
    """A screen that receives messages of its threads. Subclasses create the parts."""

    questions: "Questions"
    corpora: "CorpusChat"
    ingests: "IngestChat"
    models: "ModelChat"
    as_of: "AsOfChat"

    async def on_agent_reported(self, event: AgentReported) -> None:
        """A step of a question or a trial."""
        if not await self.as_of.reported(event):
            await self.questions.reported(event)

    async def on_failed(self, event: Failed) -> None:
        """Show an error with its remedy; the chat goes on."""
        if event.number is not None:
            if not self.as_of.failed(event.number, event.message, event.hint):
                self.questions.failed(event.number, event.message, event.hint)
        else:
            self.models.failed()
            await self.corpora.failed(event)

    async def on_corpus_ready(self, event: CorpusReady) -> None:
        """Send questions to this corpus from now on."""
        await self.corpora.ready(event)
        await self.models.offer_once()

    def on_no_corpora(self, _: NoCorpora) -> None:
        """Offer the bundled corpora."""
        self.corpora.none()

    def on_corpus_to_choose(self, event: CorpusToChoose) -> None:
        """Ask which corpus to open."""
        self.corpora.to_choose(event)

    def on_ingest_advanced(self, event: IngestAdvanced) -> None:
        """Progress of an ingest."""
        self.ingests.advanced(event)

    async def on_ingest_ended(self, event: IngestEnded) -> None:
        """End of an ingest."""
        await self.ingests.ended(event)

    async def on_model_opened(self, event: ModelOpened) -> None:
        """Another model was opened, or the change failed."""
        await self.models.model_opened(event)

    async def on_model_measured(self, event: ModelMeasured) -> None:
        """Measured speed of a model."""
        await self.models.model_measured(event)

    def on_pull_advanced(self, event: PullAdvanced) -> None:
        """Progress of a pull."""
        self.models.pull_advanced(event)

    async def on_pull_ended(self, event: PullEnded) -> None:
        """End of a pull."""
        await self.models.pull_ended(event)
