"""What the threads of the chat post, handed to the part of the screen that it is about."""

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
    """A screen that hears of its threads. Whoever extends it makes the parts."""

    questions: "Questions"
    corpora: "CorpusChat"
    ingests: "IngestChat"
    models: "ModelChat"
    as_of: "AsOfChat"

    async def on_agent_reported(self, event: AgentReported) -> None:
        """The question that runs got one step further."""
        if not await self.as_of.reported(event):
            await self.questions.reported(event)

    async def on_failed(self, event: Failed) -> None:
        """One line with the remedy; the chat goes on."""
        if event.number is not None:
            if not self.as_of.failed(event.number, event.message, event.hint):
                self.questions.failed(event.number, event.message, event.hint)
        else:
            self.models.failed()
            await self.corpora.failed(event)

    async def on_corpus_ready(self, event: CorpusReady) -> None:
        """Questions go to this corpus now."""
        await self.corpora.ready(event)
        await self.models.offer_once()

    def on_no_corpora(self, _: NoCorpora) -> None:
        """Offer the bundled ones."""
        self.corpora.none()

    def on_corpus_to_choose(self, event: CorpusToChoose) -> None:
        """Ask which corpus is meant."""
        self.corpora.to_choose(event)

    def on_ingest_advanced(self, event: IngestAdvanced) -> None:
        """So much was read."""
        self.ingests.advanced(event)

    async def on_ingest_ended(self, event: IngestEnded) -> None:
        """An ingest is over."""
        await self.ingests.ended(event)

    async def on_model_opened(self, event: ModelOpened) -> None:
        """Another model answers, or the old one stays."""
        await self.models.model_opened(event)

    async def on_model_measured(self, event: ModelMeasured) -> None:
        """What a model costs."""
        await self.models.model_measured(event)

    def on_pull_advanced(self, event: PullAdvanced) -> None:
        """How far a pull is."""
        self.models.pull_advanced(event)

    async def on_pull_ended(self, event: PullEnded) -> None:
        """A model is here, or is not."""
        await self.models.pull_ended(event)
