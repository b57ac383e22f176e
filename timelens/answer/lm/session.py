"""A model that is opened when it is first needed, and works in a thread of its own."""

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from timelens.answer.lm.model import LanguageModel
from timelens.answer.lm.speed import Speed
from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.config import ModelSettings

Piece = TypeVar("Piece")
Job = Callable[[LanguageModel, Stop], Iterator[Piece]]
SettingsT_co = TypeVar("SettingsT_co", bound=ModelSettings, covariant=True)

_PATIENCE_SECONDS = 0.15
"""How long a reader that has stopped a job waits for it. Loading cannot be stopped: it ends by itself."""


class ModelSession(ABC, Generic[SettingsT_co]):
    """One model for all that is done with it.

    May be shared by threads: one job is done at a time, others wait. Closing the stream of a job ends its
    generation at once, reading of the prompt included; :meth:`cancel` does so from any thread.
    """

    thread_name: str

    def __init__(self, settings: SettingsT_co) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._running: set[Stop] = set()

    @abstractmethod
    def opened(self, stop: Stop) -> LanguageModel | None:
        """The model, opened for the first job; ``None`` where that was stopped.

        Raises:
            MissingError: the model or what runs it is not there.
            BadInputError: the model cannot be used.
        """

    @abstractmethod
    def release(self) -> None:
        """Give back what the model holds. A later job opens it again."""

    def take_remarks(self) -> tuple[str, ...]:
        """What the user should know of the model and was not told yet."""
        return ()

    def take_speed(self) -> Speed | None:
        """What was read and written since this was last asked; ``None`` where the engine does not tell."""
        return None

    def open(self) -> bool:
        """Open the model before its first job; false where that was cancelled.

        Raises:
            MissingError: the model or what runs it is not there.
            BadInputError: the model cannot be used.
        """
        return any(self.stream(lambda _model, _stop: iter((True,))))

    def stream(self, job: Job[Piece]) -> Iterator[Piece]:
        """What a job makes with the opened model until it is done or is to stop, piece by piece.

        Raises:
            MissingError: the model or what runs it is not there.
            BadInputError: the model cannot be used; and what the job raises.
        """
        stop = Stop()
        pieces: queue.SimpleQueue[Piece | Exception | None] = queue.SimpleQueue()
        # In a thread of its own, so that Ctrl-C and close() are heard while the model reads the prompt.
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
        """End all jobs that wait or run, from any thread; their streams end early."""
        for stop in tuple(self._running):
            stop.set()

    def close(self) -> None:
        """Cancel, and give back what the model holds. A later job opens it again."""
        self.cancel()
        with self._lock:
            self.release()

    def _work(self, job: Job[Piece], stop: Stop, put: Callable[[Piece | Exception | None], None]) -> None:
        """Do a job into a queue: its pieces, then what went wrong, then ``None``."""
        while not self._lock.acquire(timeout=POLL_SECONDS):
            if stop:
                put(None)
                return
        try:
            model = self.opened(stop)
            for piece in job(model, stop) if model is not None else ():
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
