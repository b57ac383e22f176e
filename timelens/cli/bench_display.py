"""Benchmark runs as tables for people, and progress on standard error."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table
from rich.text import Text

from timelens import IngestReport
from timelens.bench.fetch import Fetched
from timelens.bench.reading_suites import NO_STRATEGY
from timelens.bench.report import Section
from timelens.bench.report import Table as ReportTable
from timelens.bench.report_tables import published_tables, tables
from timelens.bench.run_comparison import RunComparison
from timelens.bench.run_folder import Result
from timelens.bench.statistics import Difference
from timelens.bench.suites import ReadingSuite, Suite
from timelens.cli.console import ERR, note, say, show
from timelens.printable import printable_line

_ANSWERED_FROM = {"none": "no evidence", "oracle": "the gold passages"}
_MOST_FAULTS = 10


def show_summary(summary: Mapping[str, Any], ended: str = "written to") -> None:
    """The metrics of a run over all questions, by kind of question, and by every other grouping.

    The last line says what was done with the run (``ended``), and where it is.
    """
    groups = summary["groups"]
    deviations = summary.get("group_deviation", {})
    show(_table(summary, groups.get("kind", {}), deviations.get("kind", {})))
    for grouping, labels in groups.items():
        if grouping != "kind":
            show(_table(summary, labels, deviations.get(grouping, {}), heading=grouping))
    left_out = "".join(f"; left out: {count} ({reason})" for reason, count in summary["excluded"].items())
    asked = f"questions, {summary['strategy']}, answerer {summary['answerer']}"
    if summary.get("task", "documents") != "documents":
        asked += f", task {summary['task']}"
    if summary.get("query", "baseline") != "baseline":
        asked += f", queries {summary['query']}"
    if summary.get("evidence_from", "retrieved") != "retrieved":
        asked += f", answers from {_ANSWERED_FROM[summary['evidence_from']]}"
    if summary.get("negatives") == "taken out":
        asked += ", negatives taken out of the rankings"
    if "runs" in summary:
        asked += f", mean and standard deviation of {summary['runs']} runs"
    if "sampling" in summary:
        seeds = ", ".join(map(str, summary["sampling"]["seeds"]))
        asked += f", sampled at {summary['sampling']['temperature']:g} with the seeds {seeds}"
    say(f"{summary['n']} {'cases read' if summary['strategy'] == NO_STRATEGY else asked}{left_out}")
    _show_judge(summary.get("judge"))
    _show_verifier(summary.get("verifier"))
    say(f"{ended} {summary['run']}")


def _table(
    summary: Mapping[str, Any],
    groups: Mapping[str, Mapping[str, Any]],
    deviations: Mapping[str, Mapping[str, Any]],
    heading: str = "in percent",
) -> Table:
    """A row per metric with the number of questions that define it, a column for all and per group."""
    table = Table(box=None, pad_edge=False)
    table.add_column(heading)
    for label in ("all", *groups):
        table.add_column(Text(printable_line(label)), justify="right")
    counts = [group.get("n") for group in groups.values()]
    if counts and None not in counts:
        table.add_row("questions", str(summary["n"]), *(f"{count:.0f}" for count in counts))
    own, defined = summary.get("deviation", {}), summary.get("defined", {})
    for name, value in summary["metrics"].items():
        of_groups = (
            _figure(group.get(name), deviations.get(label, {}).get(name)) for label, group in groups.items()
        )
        said = f"{name} (of {defined[name]})" if name in defined else name
        table.add_row(said, _figure(value, own.get(name)), *of_groups)
    return table


def _show_judge(judge: Mapping[str, Any] | None) -> None:
    """The judge, its counts and failures, and its agreement with the rules."""
    if judge is None:
        return
    failed = f"; failed on {judge['failed']}, which are not scored" if judge["failed"] else ""
    say(
        f"judge {judge['name']}: {judge['documents']} documents of {judge['questions']} questions "
        f"with temporal intent{failed}"
    )
    if judge["answers_failed"]:
        say(f"ungraded answers, for which the judge failed: {judge['answers_failed']}", "yellow")
    for what, found in judge.get("agreement_with_rules", {}).items():
        if found["judged"]:
            kappa = "undefined" if found["kappa"] is None else f"{found['kappa']:.2f}"
            say(
                f"agreement with the rules on {what}: {100 * found['share']:.1f} % of {found['judged']}, "
                f"Cohen's kappa {kappa}"
            )


def _show_verifier(verifier: Mapping[str, Any] | None) -> None:
    """How well the verdicts on stated times agree with the recorded days."""
    if verifier is None:
        return
    for label, found in verifier["labels"].items():
        figures = ", ".join(f"{name} {_figure(found[name])}" for name in ("precision", "recall", "f1"))
        say(f"verifier, {label} times ({found['support']} of {verifier['times']}): {figures}")


def show_fetched(files: Sequence[Fetched]) -> None:
    """The fetched files."""
    for file in files:
        said = "verified" if file.verified else f"no hash is known for it; its SHA-256 is {file.sha256}"
        say(f"{file.path}: {said}")


@contextmanager
def fetch_progress(*, shown: bool) -> Iterator[Callable[[str, int, int | None], None]]:
    """A progress bar in bytes on standard error; yields the function that updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=ERR, disable=not shown, transient=True
    ) as progress:
        tasks: dict[str, TaskID] = {}

        def move(name: str, have: int, of: int | None) -> None:
            if name not in tasks:
                tasks[name] = progress.add_task(printable_line(name), total=of)
            progress.update(tasks[name], total=of, completed=have)

        yield move


def show_comparison(comparison: RunComparison) -> None:
    """A row for each metric, a column for each run."""
    table = Table(box=None, pad_edge=False)
    table.add_column("in percent")
    for label in comparison.labels:
        table.add_column(Text(printable_line(label)), justify="right")
    table.add_row("questions", *(str(summary["n"]) for summary in comparison.summaries))
    for name, values in comparison.metrics.items():
        table.add_row(Text(printable_line(name)), *(_figure(value) for value in values))
    show(table)
    for label, found in zip(comparison.labels[1:], comparison.differences, strict=True):
        _show_differences(f"{label} less {comparison.labels[0]}", found)
    note(comparison.notes)


def _show_differences(heading: str, found: Mapping[str, Difference]) -> None:
    """A row for each metric with questions in both runs."""
    show()
    if not found:
        show(Text(printable_line(f"{heading}: no question has a score in both runs")))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column(Text(printable_line(heading)))
    for column in ("points", "95 % interval", "p", "questions"):
        table.add_column(column, justify="right")
    for name, one in found.items():
        interval = f"{one.low:+.1f} to {one.high:+.1f}"
        table.add_row(Text(printable_line(name)), f"{one.mean:+.1f}", interval, f"{one.p:.4f}", str(one.n))
    show(table)


def show_report(found: Sequence[Section]) -> None:
    """Every table of a report; in each section the published tables come last."""
    for section in found:
        show(Text(printable_line(f"{section.suite}: {section.data}"), style="bold"))
        for table in (*tables(section), *published_tables(section)):
            _show_table(table)
        note(section.notes)


def _show_table(table: ReportTable) -> None:
    show()
    show(Text(printable_line(table.title)))
    shown = Table(box=None, pad_edge=False)
    for number, column in enumerate(table.columns):
        shown.add_column(Text(printable_line(column)), justify="left" if number < table.words else "right")
    for row in table.rows:
        shown.add_row(*(Text(printable_line(cell)) for cell in row))
    show(shown)


def show_written(files: Sequence[Path], faults: Sequence[str]) -> None:
    """The files that were written, and errors."""
    for file in files:
        say(f"written to {file}")
    note(faults)


def show_suites(suites: Mapping[str, Suite | ReadingSuite]) -> None:
    """One line for each suite."""
    table = Table(box=None, pad_edge=False)
    for heading in ("suite", "measures", "the folder holds"):
        table.add_column(heading)
    for name, suite in suites.items():
        table.add_row(name, suite.purpose, suite.layout)
    show(table)


def show_faults(report: IngestReport, results: Sequence[Result], notes: Sequence[str]) -> None:
    """Documents that could not be read, and questions that failed."""
    note((*notes, *report.notes))
    faults = [f"{failure.path}: {failure.error} ({failure.hint})" for failure in report.failures]
    faults += [
        f"question {result.id}: {result.failed}: {result.error}" for result in results if result.failed
    ]
    for fault in faults[:_MOST_FAULTS]:
        say(fault, "yellow")
    if len(faults) > _MOST_FAULTS:
        say(f"and {len(faults) - _MOST_FAULTS} more", "yellow")


@contextmanager
def question_progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error; yields the function that updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=ERR, disable=not shown, transient=True) as progress:
        task = progress.add_task("asking", total=None)

        def move(done: int, of: int) -> None:
            progress.update(task, total=of, completed=done)

        yield move


def _figure(value: float | None, deviation: float | None = None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if deviation is None else f"{value:.1f} ± {deviation:.1f}"
