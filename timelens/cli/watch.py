"""``ingest --watch``: after the first run, changes are brought in until it is told to end."""

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
"""Brings ``changed`` paths in, with or without ``sync``."""


class _Stop:
    """Whether a signal to end has come."""

    def __init__(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def catch(self, _: int, __: FrameType | None) -> None:
        """The first ends what is done when it is safe, the second at once."""
        if self._set:
            raise KeyboardInterrupt
        self._set = True


class _StoppedError(Exception):
    """A batch has been left because a signal came."""


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
    """Bring in what changes, with a line for each batch that changed something, until a signal to end comes.

    What cannot be brought in is said once, and tried again. The corpus is free between batches.

    Args:
        watch: what is watched, as it was before the first run.
        corpus: what it is brought into.
        ingest: brings paths in, as the first run did with all.
        first: what that run did, which is shown; what it says need not be said again.
        sync: whether documents whose files are gone are removed.
        as_json: whether to print a report on one line in place of words.
        quiet: say only what has changed.

    Raises:
        MissingError: what is watched, or the corpus, is gone.
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
    """Brings batches in, and says what is new."""

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
        """Of the last batch, as long as it lasts."""

    def show(self, report: "IngestReport") -> None:
        """What a run did, on one line."""
        from timelens.cli.display import show_report
        from timelens.contracts import ingest_json

        if self._as_json:
            print_json(ingest_json(report))
        else:
            show_report(report)

    def take(self, changed: frozenset[Path]) -> bool:
        """Bring paths in, and say whether that is done with.

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
        """What bringing them in did; where most of a place would be removed, nothing is."""
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
