"""Answers from a timeline, written by a model in a thread of its own."""

import queue
import threading
from collections.abc import Callable, Iterator

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.library import try_out
from timelens.answer.llama.model import Ending, LoadedModel
from timelens.answer.llama.stop import POLL_SECONDS, Stop
from timelens.answer.model import Draft
from timelens.answer.prompt import Prompt, compose, keep_citations
from timelens.answer.timeline import Timeline
from timelens.config import LlamaSettings
from timelens.errors import BadInputError, MissingError
from timelens.question.model import ParsedQuestion


class LlamaAnswerer:
    """Writes answers with a GGUF model, which is loaded when the first answer is asked for.

    May be shared by threads: one answer is written at a time, others wait. Closing the stream of an answer
    ends its generation at once, reading of the prompt included; :meth:`cancel` does so from any thread.
    """

    def __init__(self, settings: LlamaSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._model: LoadedModel | None = None
        self._notes: tuple[str, ...] = ()
        self._running: set[Stop] = set()

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
        stop = Stop()
        pieces: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()
        # In a thread of its own, so that Ctrl-C and close() are heard while native code reads the prompt.
        writer = threading.Thread(
            target=self._write, args=(parsed, timeline, draft, stop, pieces.put), name="llama"
        )
        self._running.add(stop)
        writer.start()
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            stop.set()
            writer.join()
            self._running.discard(stop)

    def cancel(self) -> None:
        """End all answers that are being written, from any thread; their streams end early, with a note."""
        for stop in tuple(self._running):
            stop.set()

    def close(self) -> None:
        """Cancel, and give the model's memory back. A later answer loads it again."""
        self.cancel()
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None

    def _write(
        self,
        parsed: ParsedQuestion,
        timeline: Timeline,
        draft: Draft,
        stop: Stop,
        put: Callable[[str | Exception | None], None],
    ) -> None:
        """Write an answer into a queue: its pieces, then what went wrong, then ``None``."""
        while not self._lock.acquire(timeout=POLL_SECONDS):
            if stop:
                put(None)
                return
        try:
            self._notes = ()
            if self._model is None:
                description = _described(self._settings)
                try_out(description, stop)
                if stop:
                    return
                self._model = LoadedModel(description, self._settings)
            prompt = self._prompt(self._model, parsed, timeline, draft)
            self._notes = _notes_on(prompt, timeline, self._model.context_tokens)
            ending = Ending()
            generated = self._model.generate(prompt, self._settings.answer_tokens, stop, ending)
            for piece in keep_citations(generated, prompt.shown):
                put(piece)
            if ending.note:
                self._notes = (*self._notes, ending.note)
        except Exception as error:  # noqa: BLE001 -- it is raised again in the thread that reads
            put(error)
        finally:
            self._lock.release()
            put(None)

    def _prompt(self, model: LoadedModel, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Prompt:
        answer = self._settings.answer_tokens
        budget = model.context_tokens - model.template_tokens - answer
        prompt = compose(parsed, timeline, draft, count=model.count, budget=budget)
        if prompt is None:
            asked = self._settings.context_tokens
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


def _described(settings: LlamaSettings) -> ModelDescription:
    if settings.model is None:
        raise MissingError(
            "no language model is configured", "set llama.model to a GGUF file, or use --answerer extractive"
        )
    return describe_model(settings.model.expanduser())
