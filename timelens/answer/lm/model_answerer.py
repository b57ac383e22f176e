"""Answers from a timeline, written by a model."""

from collections.abc import Iterator, Sequence

from timelens.answer.draft import Draft
from timelens.answer.lm.language_model import CANCELLED, LanguageModel
from timelens.answer.lm.mode_steps import ModeRun, Written, read_with_adapter
from timelens.answer.lm.model_session import ModelSession
from timelens.answer.lm.stop import Stop
from timelens.answer.lm.summariser import summarise
from timelens.answer.rendering.timeline import Timeline
from timelens.answer.writing.reading_prompt import NOTHING_READ, ModelReading
from timelens.config import ModelSettings
from timelens.documents import Hit
from timelens.question.parsed_question import ParsedQuestion


class ModelAnswerer:
    """Writes answers with a model, which is opened for the first answer.

    Thread-safe: one answer is written at a time, others wait. Closing the stream of an answer ends its
    generation at once, even during the evaluation of the prompt; :meth:`cancel` does so from any thread.
    """

    def __init__(self, session: ModelSession[ModelSettings]) -> None:
        self.session = session
        self._notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on the last answer, such as evidence that did not fit."""
        return self._notes

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[Written]:
        """The answer, piece by piece, by the reading mode of the settings.

        In some modes, thoughts of the model come first. Only evidence that the model was shown is cited.

        Raises:
            MissingError: the model or its engine is missing.
            BadInputError: the model cannot be used, or the question does not fit into its context.
        """

        def job(model: LanguageModel, stop: Stop) -> Iterator[Written]:
            self._notes = ()
            job = ModeRun(model, stop, self.session.settings, parsed, timeline, draft)
            try:
                yield from job.write()
            finally:
                self._notes = (*job.notes, *self.session.take_remarks())

        return self.session.stream(job)

    def read_values(self, parsed: ParsedQuestion, hits: Sequence[Hit]) -> ModelReading | None:
        """The values that the model reads in ``hits``, best first, with its reading adapter.

        ``None`` if no adapter fits it, or if the settings name another reading mode. After a cancellation
        there are none, and a note.

        Raises:
            MissingError: the model, its engine or the adapter is missing.
            BadInputError: the model cannot be used, or the question does not fit into its context.
        """
        if self.session.settings.reading != "adapter" or not hits:
            return None
        begun = False

        def job(model: LanguageModel, stop: Stop) -> Iterator[ModelReading]:
            nonlocal begun
            begun = model.has_adapter
            if begun and (read := read_with_adapter(model, stop, self.session.settings, parsed, hits)):
                yield read

        self._notes = ()
        found = list(self.session.stream(job))
        if begun and not found:
            self._notes = (CANCELLED,)
            return NOTHING_READ
        return found[0] if found else None

    def summarise(self, question: str, passages: Sequence[str]) -> list[str | None]:
        """One sentence for each passage: see :func:`timelens.answer.lm.summariser.summarise`."""
        return summarise(self.session, question, passages)

    def cancel(self) -> None:
        """End all current answers, from any thread; their streams end early, with a note."""
        self.session.cancel()

    def close(self) -> None:
        """Cancel, and release the model's resources. A later answer opens it again."""
        self.session.close()
