"""Answers from a timeline, written by a model."""

from collections.abc import Iterator

from timelens.answer.llama.model import Ending, LoadedModel
from timelens.answer.llama.session import Session
from timelens.answer.llama.stop import Stop
from timelens.answer.model import Draft
from timelens.answer.prompt import Prompt, compose, keep_citations
from timelens.answer.timeline import Timeline
from timelens.config import LlamaSettings
from timelens.errors import BadInputError
from timelens.question.model import ParsedQuestion


class LlamaAnswerer:
    """Writes answers with a GGUF model, which is loaded when the first answer is asked for.

    May be shared by threads: one answer is written at a time, others wait. Closing the stream of an answer
    ends its generation at once, reading of the prompt included; :meth:`cancel` does so from any thread.
    """

    def __init__(self, settings: LlamaSettings) -> None:
        self.session = Session(settings)
        self._notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the last answer, such as evidence that did not fit."""
        return self._notes

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str]:
        """The answer, piece by piece. Citations are of evidence that the model was shown.

        Raises:
            MissingError: llama-cpp-python or the model file is not there.
            BadInputError: the file is no usable model, or the question does not fit into its context.
        """

        def job(model: LoadedModel, stop: Stop) -> Iterator[str]:
            self._notes = ()
            prompt = self._prompt(model, parsed, timeline, draft)
            self._notes = _notes_on(prompt, timeline, model.context_tokens)
            ending = Ending()
            generated = model.generate(prompt, self.session.settings.answer_tokens, stop, ending)
            yield from keep_citations(generated, prompt.shown)
            if ending.note:
                self._notes = (*self._notes, ending.note)

        return self.session.stream(job)

    def cancel(self) -> None:
        """End all answers that are being written, from any thread; their streams end early, with a note."""
        self.session.cancel()

    def close(self) -> None:
        """Cancel, and give the model's memory back. A later answer loads it again."""
        self.session.close()

    def _prompt(self, model: LoadedModel, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Prompt:
        answer = self.session.settings.answer_tokens
        budget = model.context_tokens - model.template_tokens - answer
        prompt = compose(parsed, timeline, draft, count=model.count, budget=budget)
        if prompt is None:
            asked = self.session.settings.context_tokens
            remedy = "raise llama.context_tokens" if model.context_tokens == asked else "use another model"
            raise BadInputError(
                f"the question and its evidence do not fit into the model's context of "
                f"{model.context_tokens} tokens, {answer} of them for the answer",
                f"ask more briefly, lower llama.answer_tokens, or {remedy}",
            )
        return prompt


def _notes_on(prompt: Prompt, timeline: Timeline, context_tokens: int) -> tuple[str, ...]:
    total = len(timeline.citations)
    context = f"the model's context of {context_tokens} tokens"
    if prompt.shortened:
        left_out = f", and {total - 1} others not at all" if total > 1 else ""
        return (f"the best piece of evidence fits into {context} only in part{left_out}",)
    if len(prompt.shown) < total:
        return (f"{total - len(prompt.shown)} of {total} pieces of evidence did not fit into {context}",)
    return ()
