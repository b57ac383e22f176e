"""``ingest --watch``: after the first run, changes are ingested until a signal to end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from timelens import MissingError, TimelensError
from timelens.cli.console import say
from timelens.cli.options import print_json, warn

if TYPE_CHECKING:
    from timelens import Corpus, IngestReport
    from timelens.ingest.watching import Watch

Ingest = Callable[..., "IngestReport"]
"""Ingests the ``changed`` paths, with or without ``sync``."""


class _Stop:
    """Whether a signal to end was received."""

    def __init__(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def catch(self, _: int, __: FrameType | None) -> None:
        """The first signal ends the run when it is safe, the second at once."""
        if self._set:
            raise KeyboardInterrupt
        self._set = True


class _StoppedError(Exception):
    """A batch was aborted because of a signal."""


def keep_up(
    watch: "Watch",
    corpus: "Corpus",
    ingest: Ingest,
    first: "IngestReport",
    *,
    sync: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Ingest changes, with a line for each batch that changed something, until a signal to end.

    Each failure is reported once and tried again. The corpus is not locked between batches.

    Args:
        watch: the watched places, in their state before the first run.
        corpus: the target corpus.
        ingest: ingests paths, as the first run did for all.
        first: the report of the first run, which is shown; its messages are not repeated.
        sync: whether to remove documents whose files are gone.
        as_json: whether to print reports as one line of JSON instead of words.
        quiet: report only changes.

    Raises:
        MissingError: a watched place or the corpus is gone.
    """
    with _caught_signals() as stop:
        batches = _Batches(corpus, ingest, first, stop, sync=sync, as_json=as_json)
        batches.show(first)
        if not quiet:
            say("watching for changes; Ctrl+C ends it")
        watch.run(batches.take, stop)


@contextmanager
def _caught_signals() -> Iterator[_Stop]:
    stop = _Stop()
    before = {number: signal.signal(number, stop.catch) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Batches:
    """Ingests batches, and reports what is new."""

    def __init__(
        self,
        corpus: "Corpus",
        ingest: Ingest,
        first: "IngestReport",
        stop: _Stop,
        *,
        sync: bool,
        as_json: bool,
    ) -> None:
        self._corpus = corpus
        self._ingest = ingest
        self._stop = stop
        self._sync = sync
        self._as_json = as_json
        self._told = {*first.failures, *first.notes}
        self._error = ""
        """Message of the last batch's error, while it lasts."""

    def show(self, report: "IngestReport") -> None:
        """Show the report of a run on one line."""
        from timelens.cli.display import show_report
        from timelens.contracts import ingest_json

        if self._as_json:
            print_json(ingest_json(report))
        else:
            show_report(report)

    def take(self, changed: frozenset[Path]) -> bool:
        """Ingest paths; returns whether they are done.

        Raises:
            MissingError: the corpus is gone.
        """
        from timelens.faults import fault_of

        if not self._corpus.exists():
            raise MissingError(
                f"the corpus {self._corpus.name} is gone, so the watch ends",
                "start the command again to make the corpus",
            )
        try:
            self._say(self._brought(changed))
        except _StoppedError:
            return False
        except TimelensError as error:
            self._warn(error)
            return False
        except Exception as error:  # noqa: BLE001 -- the next batch may go well
            self._warn(fault_of(error))
        else:
            self._error = ""
        return True

    def _brought(self, changed: frozenset[Path]) -> "IngestReport":
        """The report of ingesting the paths; nothing is removed if most of a place would be removed."""
        from timelens import MostlyGoneError

        try:
            return self._ingest(changed=changed, sync=self._sync, on_progress=self._go_on)
        except MostlyGoneError as error:
            self._warn(error)
            return self._ingest(changed=changed, on_progress=self._go_on)

    def _go_on(self, _: object) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _warn(self, error: TimelensError) -> None:
        if error.message != self._error:
            warn(error, self._corpus.name)
        self._error = error.message

    def _say(self, report: "IngestReport") -> None:
        new = replace(
            report,
            failures=tuple(failure for failure in report.failures if failure not in self._told),
            notes=tuple(note for note in report.notes if note not in self._told),
        )
        self._told |= {*new.failures, *new.notes}
        if new.failures or new.added or new.updated or new.removed:
            self.show(new)
