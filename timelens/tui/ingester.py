"""The thread that ingests while the chat goes on. It posts messages; the app owns the state."""

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
    """Ingests files into a corpus."""

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: "Callable[[IngestProgress], None]"
    ) -> "IngestReport":
        """Ingest files and folders into a corpus, given by its name or path."""


class IngestAdvanced(Message):
    """Progress of a run."""

    def __init__(self, name: str, progress: "IngestProgress", seconds: float) -> None:
        super().__init__()
        self.name = name
        self.progress = progress
        self.seconds = seconds
        """Seconds since the run began to read."""


class IngestEnded(Message):
    """A run ended: with a report, with an error, or with neither if it was cancelled."""

    def __init__(
        self, name: str, report: "IngestReport | None" = None, error: TimelensError | None = None
    ) -> None:
        super().__init__()
        self.name = name
        self.report = report
        self.error = error


class _CancelledError(Exception):
    """Aborts a run from its progress callback."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, which may have been cancelled."""

    name: str
    paths: tuple[Path, ...]
    cancelled: threading.Event
    before: threading.Thread | None
    """The thread of the previous run, which may still be ending."""


class Ingester:
    """Ingests one run at a time on its own daemon thread, so that questions are answered meanwhile.

    A cancelled run ends at its next progress report, after the batch that is being embedded; documents that
    were written stay.
    """

    def __init__(self, post: Callable[[Message], object], bringer: Bringer) -> None:
        self._post_message = post
        self._bringer = bringer
        self._stopped = threading.Event()
        self._run: _Run | None = None
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> str | None:
        """The corpus that is being written, also while a cancelled run is ending; ``None`` without a run."""
        return None if self._run is None else self._run.name

    @property
    def is_cancelled(self) -> bool:
        """Whether the current run was cancelled."""
        return self._run is not None and self._run.cancelled.is_set()

    @property
    def is_busy(self) -> bool:
        """Whether the thread is running, also if only to end a cancelled run."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, name: str, paths: Sequence[Path]) -> None:
        """Start to ingest files and folders into a corpus, after any cancelled run has ended."""
        run = _Run(name, tuple(paths), threading.Event(), self._thread)
        self._run = run
        self._thread = threading.Thread(target=self._work, args=(run,), name="timelens-ingest", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """End the run at its next progress report."""
        if (run := self._run) is not None:
            run.cancelled.set()

    def stop(self) -> None:
        """Cancel the run, and post no more messages."""
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
        except Exception as error:  # noqa: BLE001 -- top of the thread: the chat must go on
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
