"""The progress and result of an ingest in words for the chat. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from timelens.printable import counted, printable_line

if TYPE_CHECKING:
    from timelens import Failure, IngestProgress, IngestReport

_MOST_FAILURES = 5
_SURE_SECONDS = 2.0
"""Seconds before rate and remaining time are estimated."""
_MINUTE_SECONDS = 59.95  # less than this is not written as 60.0 s
_UNITS = ("B", "kB", "MB", "GB", "TB")


def progress_words(progress: "IngestProgress", seconds: float) -> str:
    """The progress of a run: ``12 of 40 files, 3.2 of 10.4 MB, 1.1 MB/s, 0:06 left``."""
    done, size = progress.bytes_done, progress.bytes
    if progress.files and progress.files_done == progress.files:
        return f"{progress.files:,} files read, writing"
    said = f"{progress.files_done:,} of {counted(progress.files, 'file')}, {_of(done, size)}"
    if seconds < _SURE_SECONDS or not done:
        return said
    rate = done / seconds
    return f"{said}, {size_words(rate)}/s, {_clock((size - done) / rate)} left"


def report_lines(report: "IngestReport", log: str | None) -> list[str]:
    """The result of a run with its first failures; ``log`` is the file with all failures."""
    counts = (
        (report.added, "added"),
        (report.updated, "updated"),
        (report.unchanged, "unchanged"),
        (report.failed, "failed"),
    )
    done = ", ".join(f"{count:,} {what}" for count, what in counts if count) or "nothing to do"
    held = f"{counted(report.chunks, 'passage')}, {counted(report.events, 'dated event')}"
    took = f"{report.seconds:.1f} s" if report.seconds < _MINUTE_SECONDS else _clock(report.seconds)
    said = [done, held, took] if report.chunks else [done, took]
    lines = [f"{report.corpus}: {'; '.join(said)}."]
    lines += [f"  {failure_line(failure)}" for failure in report.failures[:_MOST_FAILURES]]
    more = len(report.failures) - _MOST_FAILURES
    if more > 0:
        where = f"; all of them: {log}" if log else ""
        lines.append(f"  and {more:,} more{where}")
    return [*lines, *(f"  {note}" for note in report.notes)]


def failures_text(failures: "Sequence[Failure]") -> str:
    """All failures, one per line."""
    return "".join(f"{failure_line(failure)}\n" for failure in failures)


def failure_line(failure: "Failure") -> str:
    """The path that failed, the reason, and the remedy."""
    return printable_line(f"{failure.path}: {failure.error} – {failure.hint}")


def size_words(size: float) -> str:
    """``950 B``, ``3.2 MB``."""
    return f"{_scaled(size, _power(size))} {_UNITS[_power(size)]}"


def _of(done: float, size: float) -> str:
    """``3.2 of 10.4 MB``."""
    power = _power(size)
    return f"{_scaled(done, power)} of {_scaled(size, power)} {_UNITS[power]}"


def _power(size: float) -> int:
    power = 0
    while size >= 1000 ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    return power


def _scaled(size: float, power: int) -> str:
    return f"{size:.0f}" if power == 0 else f"{size / 1000**power:.1f}"


def _clock(seconds: float) -> str:
    """``0:06``, ``1:02:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
