"""Progress of long work, on standard error."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from timelens.cli.console import ERR, say
from timelens.cli.streams import NobodyReadsError
from timelens.printable import printable_line

if TYPE_CHECKING:
    from timelens import (
        IngestProgress,
        OnStep,
    )


@contextmanager
def steps_progress(*, shown: bool) -> "Iterator[OnStep]":
    """A progress bar on standard error; yields the function that updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    hidden = not (shown and ERR.is_terminal)
    with Progress(*columns, TimeElapsedColumn(), console=ERR, disable=hidden, transient=True) as progress:
        task = progress.add_task("reading", total=None)
        yield lambda what, done, total: progress.update(task, total=total, completed=done, description=what)


@contextmanager
def pull_progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar in bytes on standard error; yields the function that updates it."""
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, disable=not shown, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, size: progress.update(task, completed=done, total=size)


@contextmanager
def ingest_progress(*, shown: bool) -> "Iterator[Callable[[IngestProgress], None]]":
    """Progress in bytes on standard error, as a bar or as lines in a pipe; yields the update function."""
    if shown and not ERR.is_terminal:
        yield _Lines().move
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[files]}"))
    measures = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(elapsed_when_finished=True))
    with Progress(*columns, *measures, console=ERR, disable=not shown, transient=True) as progress:
        task = progress.add_task("reading", total=None, files="")

        def move(state: "IngestProgress") -> None:
            progress.update(
                task,
                total=state.bytes,
                completed=state.bytes_done,
                description=printable_line(state.document_id)[:40] or "reading",
                files=f"{state.files_done:,}/{state.files:,}",
            )

        yield move


class _Lines:
    """Progress as one line every few seconds."""

    _SECONDS = 10

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()

    def move(self, state: "IngestProgress") -> None:
        """Print the progress, unless a line was printed recently; the work goes on if nobody reads it."""
        now = time.monotonic()
        if now - self._said < self._SECONDS:
            return
        self._said = now
        rate = state.bytes_done / (now - self._began)
        done, size = decimal(state.bytes_done), decimal(state.bytes)
        left = f", about {_duration((state.bytes - state.bytes_done) / rate)} left" if rate else ""
        files = f"{state.files_done:,} of {state.files:,} files"
        with suppress(NobodyReadsError):
            say(f"{files}, {done} of {size}, {decimal(int(rate))}/s{left}: {state.document_id}")


def _duration(seconds: float) -> str:
    """A duration as 1:02:03."""
    return str(timedelta(seconds=round(seconds))).removeprefix("0:")
