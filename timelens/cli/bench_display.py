"""Runs for people: tables, and progress on standard error."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from timelens.bench.compare import Comparison
from timelens.bench.reading import NO_STRATEGY
from timelens.bench.runs import Result
from timelens.bench.suites import ReadingSuite, Suite
from timelens.ingest.pipeline import IngestReport
from timelens.printable import printable_line

_out = Console(markup=False, highlight=False, emoji=False)
_err = Console(stderr=True, markup=False, highlight=False, emoji=False)

_MOST_FAULTS = 10
_PIPE_WIDTH = 1000


def show_summary(summary: Mapping[str, Any]) -> None:
    """The metrics of a run, by kind of question beside all; and by relation, where they are told apart."""
    _print(_table(summary, summary["groups"].get("kind", {})))
    relations = summary["groups"].get("relation")
    if relations:
        _print(_table(summary, relations))
    left_out = "".join(f"; left out: {count} ({reason})" for reason, count in summary["excluded"].items())
    asked = f"questions, {summary['strategy']}, answerer {summary['answerer']}"
    _say(f"{summary['n']} {'cases read' if summary['strategy'] == NO_STRATEGY else asked}{left_out}")
    _say(f"written to {summary['run']}")


def _table(summary: Mapping[str, Any], groups: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each metric, a column for each group beside all."""
    table = Table(box=None, pad_edge=False)
    table.add_column("in percent")
    for heading in ("all", *groups):
        table.add_column(Text(printable_line(heading)), justify="right")
    counts = [group.get("n") for group in groups.values()]
    if None not in counts:
        table.add_row("questions", str(summary["n"]), *map(str, counts))
    for name, value in summary["metrics"].items():
        table.add_row(name, _figure(value), *(_figure(group.get(name)) for group in groups.values()))
    return table


def show_comparison(comparison: Comparison) -> None:
    """A row for each metric, a column for each run."""
    table = Table(box=None, pad_edge=False)
    table.add_column("in percent")
    for label in comparison.labels:
        table.add_column(Text(printable_line(label)), justify="right")
    table.add_row("questions", *(str(summary["n"]) for summary in comparison.summaries))
    for name, values in comparison.metrics.items():
        table.add_row(Text(printable_line(name)), *(_figure(value) for value in values))
    _print(table)
    for note in comparison.notes:
        _say(f"note: {note}", "yellow")


def show_suites(suites: Mapping[str, Suite | ReadingSuite]) -> None:
    """One line for each suite."""
    table = Table(box=None, pad_edge=False)
    for heading in ("suite", "measures", "the folder holds"):
        table.add_column(heading)
    for name, suite in suites.items():
        table.add_row(name, suite.purpose, suite.layout)
    _print(table)


def show_faults(report: IngestReport, results: Sequence[Result], notes: Sequence[str]) -> None:
    """What could not be read, found or answered."""
    lines = [f"note: {note}" for note in (*notes, *report.notes)]
    faults = [f"{failure.path}: {failure.error} ({failure.hint})" for failure in report.failures]
    faults += [
        f"question {result.id}: {result.failed}: {result.error}" for result in results if result.failed
    ]
    lines += faults[:_MOST_FAULTS]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"and {len(faults) - _MOST_FAULTS} more")
    for line in lines:
        _say(line, "yellow")


@contextmanager
def question_progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, and the function that moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=_err, disable=not shown, transient=True) as progress:
        task = progress.add_task("asking", total=None)

        def move(done: int, of: int) -> None:
            progress.update(task, total=of, completed=done)

        yield move


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _say(line: str, style: str = "default") -> None:
    _err.print(Text(printable_line(line), style=style), soft_wrap=not _err.is_terminal)


def _print(table: Table) -> None:
    """On standard output; a table for a pipe or a file is as wide as it needs to be."""
    if not _out.is_terminal:
        _out.width = _PIPE_WIDTH
    _out.print(table)
