"""The thread that ingests while the chat goes on. It posts messages, the app owns the state."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from timelens import TimelensError
from timelens.faults import fault_of

if TYPE_CHECKING:
    from timelens import IngestProgress, IngestReport

_LOG = logging.getLogger(__name__)
_BETWEEN_REPORTS_SECONDS = 0.2


class Bringer(Protocol):
    """What brings files into a corpus."""

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: "Callable[[IngestProgress], None]"
    ) -> "IngestReport":
        """Bring files and folders into a corpus, by its name or path."""


class IngestAdvanced(Message):
    """So much was read."""

    def __init__(self, name: str, progress: "IngestProgress", seconds: float) -> None:
        super().__init__()
        self.name = name
        self.progress = progress
        self.seconds = seconds
        """Since the run began to read."""


class IngestEnded(Message):
    """A run is over: with its report, with an error, or, where it was cancelled, with neither."""

    def __init__(
        self, name: str, report: "IngestReport | None" = None, error: TimelensError | None = None
    ) -> None:
        super().__init__()
        self.name = name
        self.report = report
        self.error = error


class _CancelledError(Exception):
    """Leaves a run from within its report of progress."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, which may have been told to end."""

    name: str
    paths: tuple[Path, ...]
    cancelled: threading.Event
    before: threading.Thread | None
    """That of the run before, which may still be ending."""


class Ingester:
    """Ingests one thing at a time in a daemon thread of its own, so that questions are answered meanwhile.

    A cancelled run ends at its next report, after the batch that is being embedded; what was written stays.
    """

    def __init__(self, post: Callable[[Message], object], bringer: Bringer) -> None:
        self._post_message = post
        self._bringer = bringer
        self._stopped = threading.Event()
        self._run: _Run | None = None
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> str | None:
        """The corpus that is being written, also while a run that was cancelled ends; ``None`` for none."""
        return None if self._run is None else self._run.name

    @property
    def is_cancelled(self) -> bool:
        """Whether the run that goes on was told to end."""
        return self._run is not None and self._run.cancelled.is_set()

    @property
    def is_busy(self) -> bool:
        """Whether the thread is at work, be it on ending a run that was cancelled."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, name: str, paths: Sequence[Path]) -> None:
        """Begin to bring files and folders into a corpus, once a run that was cancelled is over."""
        run = _Run(name, tuple(paths), threading.Event(), self._thread)
        self._run = run
        self._thread = threading.Thread(target=self._work, args=(run,), name="timelens-ingest", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """End the run at its next report."""
        if (run := self._run) is not None:
            run.cancelled.set()

    def stop(self) -> None:
        """The same, and nothing is posted any more."""
        self._stopped.set()
        self.cancel()

    def _work(self, run: _Run) -> None:
        if run.before is not None:
            run.before.join()
        try:
            ended = IngestEnded(run.name, self._bring(run))
        except _CancelledError:
            ended = IngestEnded(run.name)
        except TimelensError as error:
            ended = IngestEnded(run.name, error=error)
        except Exception as error:  # noqa: BLE001 -- the thread's edge: the chat lives on
            ended = IngestEnded(run.name, error=fault_of(error))
        if self._run is run:
            self._run = None
        self._post(ended)

    def _bring(self, run: _Run) -> "IngestReport":
        began = reported = 0.0

        def advance(progress: "IngestProgress") -> None:
            nonlocal began, reported
            if run.cancelled.is_set():
                raise _CancelledError
            now = time.monotonic()
            began = began or now
            if progress.files_done == progress.files or now - reported > _BETWEEN_REPORTS_SECONDS:
                reported = now
                self._post(IngestAdvanced(run.name, progress, now - began))

        if run.cancelled.is_set():
            raise _CancelledError
        return self._bringer.ingest(run.name, run.paths, advance)

    def _post(self, message: Message) -> None:
        if self._stopped.is_set():
            return
        try:
            self._post_message(message)
        except RuntimeError:  # the app's loop closed between the check and the call
            _LOG.debug("nobody is there to read %r", message)
