"""A model that is loaded when it is first needed, and works in a thread of its own."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from timelens.answer.gguf_header import ModelDescription, describe_model
from timelens.answer.llama.model import LoadedModel, first_context
from timelens.answer.llama.stop import POLL_SECONDS, Stop
from timelens.answer.llama.trial import try_out
from timelens.config import LlamaSettings
from timelens.errors import MissingError

Piece = TypeVar("Piece")

_PATIENCE_SECONDS = 0.15
"""How long a reader that has stopped a job waits for it. Loading cannot be stopped: it ends by itself."""


class Session:
    """One model for all that is done with it.

    May be shared by threads: one job is done at a time, others wait. Closing the stream of a job ends its
    generation at once, reading of the prompt included; :meth:`cancel` does so from any thread.
    """

    def __init__(self, settings: LlamaSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._model: LoadedModel | None = None
        self._running: set[Stop] = set()

    def stream(self, job: Callable[[LoadedModel, Stop], Iterator[Piece]]) -> Iterator[Piece]:
        """What a job makes with the loaded model until it is done or is to stop, piece by piece.

        Raises:
            MissingError: llama-cpp-python or the model file is not there.
            BadInputError: the file is no usable model; and what the job raises.
        """
        stop = Stop()
        pieces: queue.SimpleQueue[Piece | Exception | None] = queue.SimpleQueue()
        # In a thread of its own, so that Ctrl-C and close() are heard while native code reads the prompt.
        writer = threading.Thread(target=self._work, args=(job, stop, pieces.put), name="llama")
        self._running.add(stop)
        writer.start()
        try:
            while (piece := _next(pieces, stop)) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            stop.set()
            writer.join(_PATIENCE_SECONDS)
            self._running.discard(stop)

    def cancel(self) -> None:
        """End all jobs that wait or run, from any thread; their streams end early."""
        for stop in tuple(self._running):
            stop.set()

    def close(self) -> None:
        """Cancel, and give the model's memory back. A later job loads it again."""
        self.cancel()
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None

    def _work(
        self,
        job: Callable[[LoadedModel, Stop], Iterator[Piece]],
        stop: Stop,
        put: Callable[[Piece | Exception | None], None],
    ) -> None:
        """Do a job into a queue: its pieces, then what went wrong, then ``None``."""
        while not self._lock.acquire(timeout=POLL_SECONDS):
            if stop:
                put(None)
                return
        try:
            if self._model is None:
                description = described(self.settings)
                context = first_context(description, self.settings)
                caution = try_out(description, self.settings, context, stop)
                if stop:
                    return
                self._model = LoadedModel(description, self.settings, caution)
            for piece in job(self._model, stop):
                put(piece)
        except Exception as error:  # noqa: BLE001 -- it is raised again in the thread that reads
            put(error)
        finally:
            self._lock.release()
            put(None)


def _next(pieces: "queue.SimpleQueue[Piece | Exception | None]", stop: Stop) -> "Piece | Exception | None":
    """The next piece, or ``None`` where there is no more or it does not come although it is to stop."""
    while not stop:
        try:
            return pieces.get(timeout=POLL_SECONDS)
        except queue.Empty:
            continue
    try:
        return pieces.get(timeout=_PATIENCE_SECONDS)
    except queue.Empty:
        return None


def described(settings: LlamaSettings) -> ModelDescription:
    """The configured model by the header of its file.

    Raises:
        MissingError: none is configured, or its file is not there.
        BadInputError: the file is no usable model.
    """
    if settings.model is None:
        raise MissingError(
            "no language model is configured", "set llama.model to a GGUF file, or use --answerer extractive"
        )
    return describe_model(settings.model.expanduser())
