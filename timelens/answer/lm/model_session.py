"""A model that is opened for its first job and works in a separate thread."""

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from timelens.answer.lm.language_model import LanguageModel
from timelens.answer.lm.speed import Speed
from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.config import ModelSettings

ReplyPiece = TypeVar("ReplyPiece")
ModelJob = Callable[[LanguageModel, Stop], Iterator[ReplyPiece]]
SettingsT_co = TypeVar("SettingsT_co", bound=ModelSettings, covariant=True)

_PATIENCE_SECONDS = 0.15
"""How long the consumer of a stopped job waits for it. Loading cannot be stopped and ends by itself."""


class ModelSession(ABC, Generic[SettingsT_co]):
    """One model for all jobs.

    Thread-safe: one job runs at a time, others wait. Closing the stream of a job ends its generation at once,
    even during the evaluation of the prompt; :meth:`cancel` does so from any thread.
    """

    thread_name: str

    def __init__(self, settings: SettingsT_co) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._running: set[Stop] = set()

    @abstractmethod
    def opened(self, stop: Stop) -> LanguageModel | None:
        """The model, opened for the first job; ``None`` if opening was stopped.

        Raises:
            MissingError: the model or its engine is missing.
            BadInputError: the model cannot be used.
        """

    @abstractmethod
    def release(self) -> None:
        """Release the model's resources. A later job opens it again."""

    def take_remarks(self) -> tuple[str, ...]:
        """New remarks for the user on the model; each is returned once."""
        return ()

    def take_speed(self) -> Speed | None:
        """The speed since the last call; ``None`` if the engine does not measure it."""
        return None

    def open(self) -> bool:
        """Open the model before its first job; false if that was cancelled.

        Raises:
            MissingError: the model or its engine is missing.
            BadInputError: the model cannot be used.
        """
        return any(self.stream(lambda _model, _stop: iter((True,))))

    def stream(self, job: ModelJob[ReplyPiece]) -> Iterator[ReplyPiece]:
        """Run a job with the opened model, and yield its pieces until it ends or is stopped.

        Raises:
            MissingError: the model or its engine is missing.
            BadInputError: the model cannot be used.
            Exception: any error of the job.
        """
        stop = Stop()
        pieces: queue.SimpleQueue[ReplyPiece | Exception | None] = queue.SimpleQueue()
        # A separate thread lets Ctrl-C and close() take effect while the model evaluates the prompt.
        writer = threading.Thread(target=self._work, args=(job, stop, pieces.put), name=self.thread_name)
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
        """End all waiting and running jobs, from any thread; their streams end early."""
        for stop in tuple(self._running):
            stop.set()

    def close(self) -> None:
        """Cancel, and release the model's resources. A later job opens it again."""
        self.cancel()
        with self._lock:
            self.release()

    def _work(
        self, job: ModelJob[ReplyPiece], stop: Stop, put: Callable[[ReplyPiece | Exception | None], None]
    ) -> None:
        """Run a job and put its pieces into a queue, then its error, if any, then ``None``."""
        while not self._lock.acquire(timeout=POLL_SECONDS):
            if stop:
                put(None)
                return
        try:
            model = self.opened(stop)
            for piece in job(model, stop) if model is not None else ():
                put(piece)
        except Exception as error:  # noqa: BLE001 -- raised again in the consumer's thread
            put(error)
        finally:
            self._lock.release()
            put(None)


def _next(
    pieces: "queue.SimpleQueue[ReplyPiece | Exception | None]", stop: Stop
) -> "ReplyPiece | Exception | None":
    """The next piece; ``None`` after the last one, or if none comes in time after a stop."""
    while not stop:
        try:
            return pieces.get(timeout=POLL_SECONDS)
        except queue.Empty:
            continue
    try:
        return pieces.get(timeout=_PATIENCE_SECONDS)
    except queue.Empty:
        return None
