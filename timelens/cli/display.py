"""Results for people: rich tables and text. All text from outside is made printable first."""

import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

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
from rich.table import Table
from rich.text import Text

from timelens import Coverage, Hit, Nearest, Status, Support
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.cli.console import ERR, note, say, show
from timelens.printable import counted, printable, printable_line
from timelens.temporal import phrase

if TYPE_CHECKING:
    from timelens import (
        Answer,
        Changes,
        Histogram,
        IngestProgress,
        IngestReport,
        OnStep,
        SearchResult,
        Verification,
    )
    from timelens.answer.models.catalogue import PullRecord, Source
    from timelens.answer.models.gguf_header import ModelDescription
    from timelens.answer.models.incoming_file import Offer
    from timelens.answer.models.inventory import Listed
    from timelens.doctor import Check

_HEALTH = {"fine": ("✓", "green"), "missing": ("–", "yellow"), "broken": ("✗", "red")}
_MOST_BROKEN = 5
"""Maximum number of rows shown that break a dependency; all are counted."""
_SUPPORT = {Support.CONTRADICTED: "red", Support.UNSUPPORTED: "yellow"}


def show_answer(answer: "Answer") -> None:
    """The answer, its evidence, and its dates and lines that the evidence does not support.

    Unsupported parts are also marked in the text itself, so that they are not taken for facts in a pipe or a
    file.
    """
    shown, lines = _marked(answer)
    show(shown)
    if answer.citations:
        show()
        for citation in answer.citations:
            show(_evidence(f"[{citation.number}]", citation.hit))
    _show_nearest(answer.nearest)
    for reference in answer.time_references:
        if reference.support in _SUPPORT:
            say(f"{reference.support}: {reference.text}", _SUPPORT[reference.support])
    for support, line in lines:
        say(f"{support}: {line}", _SUPPORT[support])
    if len(answer.coverage.periods) > 1:
        _say_coverage(answer.coverage)
    note(answer.notes)


def _show_nearest(nearest: Sequence[Nearest]) -> None:
    """The passages nearest to the unanswered question, with the periods that they are nearest to."""
    from timelens.answer.rendering.labels import nearest_words
    from timelens.answer.rendering.shown_evidence import nearest_of

    if not nearest:
        return
    periods = nearest_of(nearest)
    hits = {near.citation.number: near.citation.hit for near in nearest}
    show()
    for number, hit in hits.items():
        line = _evidence(f"[{number}]", hit)
        show(line.append(f"  {nearest_words(periods[number])}", style="yellow"))


def _say_coverage(coverage: Coverage) -> None:
    """The coverage of the asked time, one line for each period."""
    from timelens.tui.wording import coverage_lines

    for line in coverage_lines(coverage):
        say(line)


def _marked(answer: "Answer") -> tuple[Text, list[tuple[Support, str]]]:
    """The text with a mark after each doubtful date or line; and the doubtful lines."""
    from timelens.answer.rendering.labels import SUPPORT_MARKS, date_marks, line_marks

    text = printable(answer.text)
    references = () if answer.status is Status.NO_ANSWER else answer.time_references
    shown, position = Text(), 0
    dates = date_marks(text, references, answer.coverage.missing)
    lines = line_marks(text, () if answer.status is Status.NO_ANSWER else answer.claims, dates)
    for mark in sorted([*dates, *lines], key=lambda mark: (mark.start, mark.end)):
        if mark.support in _SUPPORT:
            shown.append(text[position : mark.start])
            stated = text[mark.start : mark.end]
            shown.append(stated + SUPPORT_MARKS[mark.support], style=_SUPPORT[mark.support])
            position = mark.end
    loose = [(mark.support, text[: mark.start].rpartition("\n")[2]) for mark in lines]
    return shown.append(text[position:]), loose


def show_search(result: "SearchResult") -> None:
    """The hits with their scores and best sentences, and their coverage of the asked time."""
    for rank, hit in enumerate(result.hits, start=1):
        show(_evidence(f"{rank:>3}", hit))
        scores = [
            f"{name} {score:.2f}"
            for name, score in (
                ("final", hit.scores.final),
                ("semantic", hit.scores.semantic),
                ("keyword", hit.scores.keyword),
                ("temporal", hit.scores.temporal),
            )
            if score is not None
        ]
        show(Text(f"    {' · '.join(scores)} · {' → '.join(hit.passed)}", style="dim"))
        show(Text(f"    {printable_line(sentence_of(hit))[:300]}"))
    if not result.hits:
        say("nothing was found")
    if len(result.coverage.periods) > 1:
        _say_coverage(result.coverage)
    elif result.coverage.share is not None:
        gaps = ", ".join(phrase(gap) for gap in result.coverage.gaps)
        text = f"covers {result.coverage.share:.0%} of the asked time"
        say(text + (f"; nothing for {gaps}" if gaps else ""))
    note(result.notes)


def show_report(report: "IngestReport") -> None:
    """The result of an ingest, with its failures."""
    for failure in report.failures:
        say(f"{failure.path}: {failure.error} ({failure.hint})", "yellow")
    note(report.notes)
    if report.planned is not None:
        _show_changes(report.planned)
    parts = [
        f"{count} {name}"
        for count, name in (
            (report.added, "added"),
            (report.updated, "updated"),
            (report.unchanged, "unchanged"),
            (report.removed, "removed"),
            (report.failed, "failed"),
        )
        if count
    ]
    if report.planned is None:
        ended = (
            f"{counted(report.chunks, 'passage')}, {counted(report.events, 'dated event')}, "
            f"{report.seconds:.1f} s"
        )
    else:
        ended = "this is a dry run, nothing was changed"
    show(f"{report.corpus}: {', '.join(parts) or 'nothing to do'}; {ended}")


def _show_changes(planned: "Changes") -> None:
    """A line for each document that would change."""
    for mark, ids in (("add", planned.added), ("update", planned.updated), ("remove", planned.removed)):
        for document_id in ids:
            show(f"{mark:<7}{printable_line(document_id)}")


HISTOGRAM_WIDTH, _HISTOGRAM_HEIGHT = 78, 4
_LONGEST_SAID = 100
"""Maximum number of characters shown of a sentence."""


def show_corpora(corpora: Sequence[Mapping[str, Any]]) -> None:
    """One line for each corpus."""
    if not corpora:
        say("there is no corpus yet; make one: timelens ingest FOLDER --corpus NAME")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("corpus", "documents", "passages", "events", "from", "to", "health"):
        table.add_column(heading)
    for corpus in corpora:
        cells = (corpus[key] for key in ("name", "documents", "chunks", "events", "start", "last", "health"))
        table.add_row(*(Text(printable_line("" if cell is None else str(cell))) for cell in cells))
    show(table)


def show_histogram(histogram: "Histogram") -> None:
    """The events of a corpus as bars over time."""
    from timelens.tui.histogram import caption, draw

    if len(histogram.counts) < 2:  # a single day is shown in the line of the corpus
        return
    drawing = draw(histogram, HISTOGRAM_WIDTH, _HISTOGRAM_HEIGHT)
    show()
    for row in (*drawing.rows, drawing.axis):
        show(Text(row.rstrip(), no_wrap=True))
    show(Text(caption(histogram), style="dim"))


def show_outlying(outlying: Sequence[Mapping[str, Any]]) -> None:
    """The sentences of a corpus whose time is far from the rest."""
    if outlying:
        show(Text("far from the rest in time, and not counted in the span:"))
    for one in outlying:
        said = textwrap.shorten(one["text"], _LONGEST_SAID, placeholder=" …")
        show(Text(printable_line(f"  {one['start'] or one['end']}  {one['doc_id']}: {said}"), style="dim"))


def show_tables(tables: Sequence[Mapping[str, Any]], count: int) -> None:
    """The functional dependencies between columns of tables, and the first rows that break them."""
    for table in tables:
        show()
        show(Text(printable_line(f"{table['doc_id']}: {table['rows']:,} rows with dates")))
        if not table["dependencies"]:
            show(Text("  no column determines another", style="dim"))
        for each in table["dependencies"]:
            broken = each["broken_count"]
            rows = f"holds, except for {counted(broken, 'row')}" if broken else "holds"
            left = ", ".join(each["left"]) or "the day alone"
            declared = ", declared" if each["declared"] else ""
            line = printable_line(f"{left} → {', '.join(each['right'])}: {rows}{declared}")
            show(Text(f"  {line}", style="yellow" if broken else "default"))
            for row in each["broken"][:_MOST_BROKEN]:
                said = printable_line(f"{_row(row)}, beside {_row(row['contradicts'])}")
                show(Text(f"    {said}", style="dim"))
            if broken > _MOST_BROKEN:
                show(Text(f"    and {broken - _MOST_BROKEN:,} more", style="dim"))
        _show_left_out("dependencies", table["dependencies_count"] - len(table["dependencies"]))
    _show_left_out("tables", count - len(tables))


def _show_left_out(what: str, count: int) -> None:
    if count:
        show(Text(f"  and {count:,} more {what}", style="dim"))


def _row(row: Mapping[str, Any]) -> str:
    values = ", ".join(value for value in row["fields"].values() if value)
    return f"{textwrap.shorten(values, _LONGEST_SAID, placeholder=' …')} ({row['period']})"


def show_verification(verification: "Verification") -> None:
    """The damage, the repairs, and how to repair the rest."""
    found, repair = verification.found, verification.repair
    for fault in found.files:
        show(Text(printable_line(f"damaged file {fault.name}: {fault.fault}")))
    for one in found.damaged:
        came = f" (from {', '.join(one.uris)})" if one.uris else ""
        show(Text(printable_line(f"damaged document {one.id}: {one.fault}{came}")))
    note(_remarks(verification))
    for failure in repair.failures if repair else ():
        say(f"{failure.path}: {failure.error} ({failure.hint})", "yellow")
    looked = f"{counted(found.documents, 'document')}, {counted(found.chunks, 'passage')}"
    looked += f", {counted(found.checked, 'file')}"
    damage = f"damaged documents: {len(found.damaged)}, damaged files: {len(found.files)}"
    name = verification.corpus
    if found.is_fine:
        show(Text(printable_line(f"{name}: {looked}; nothing is damaged")))
    elif repair is None:
        show(Text(printable_line(f"{name}: {looked}; {damage}")))
        say(f"repair them: timelens corpora verify {name} --repair")
    else:
        done = f"{counted(len(repair.read_again), 'document')} read again"
        done += f", {len(repair.removed)} removed" if repair.removed else ""
        done += f", {len(repair.kept)} kept as they are, still damaged" if repair.kept else ""
        show(Text(printable_line(f"{name}: {looked}; {damage}; rewritten, {done}")))


def _remarks(verification: "Verification") -> list[str]:
    found, repair = verification.found, verification.repair
    remarks = []
    if not found.has_checksums:
        remarks.append("its documents have no checksums yet; the next ingest or corpora compact makes them")
    if found.interrupted:
        remarks.append("some files have no hash, as after an interrupted run; the next ingest makes them")
    if found.unfinished and repair is None:
        remarks.append(
            f"not written completely: {counted(len(found.unfinished), 'document')}; ingest again to "
            "complete them"
        )
    changed = ", ".join(repair.changed) if repair else ""
    return (
        [
            *remarks,
            f"these files have changed since they were stored; their new text is stored now: {changed}",
        ]
        if changed
        else remarks
    )


@contextmanager
def steps_progress(*, shown: bool) -> "Iterator[OnStep]":
    """A progress bar on standard error; yields the function that updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    hidden = not (shown and ERR.is_terminal)
    with Progress(*columns, TimeElapsedColumn(), console=ERR, disable=hidden, transient=True) as progress:
        task = progress.add_task("reading", total=None)
        yield lambda what, done, total: progress.update(task, total=total, completed=done, description=what)


def show_checks(checks: "Sequence[Check]") -> None:
    """The health of each part, with the remedy if it is broken."""
    for check in checks:
        mark, style = _HEALTH[check.health]
        line = Text(f"{mark} ", style=style)
        line.append(printable_line(f"{check.name}: {check.detail}"), style="default")
        show(line)
        if check.remedy:
            show(Text(printable_line(f"  → {check.remedy}"), style="dim"))


def show_models(models: "Sequence[Listed]") -> None:
    """The models of the catalogue and of this machine, one line each."""
    table = Table(box=None, pad_edge=False)
    for heading in ("model", "size", "licence", "here", "good for", "from"):
        table.add_column(heading)
    for listed in models:
        here = "in use" if listed.used else "yes" if listed.here else "in part" if listed.fetched else "no"
        known = listed.model
        licence, good_for, origin = (
            (known.licence, known.good_for, known.repository) if known else ("", "", "")
        )
        cells = (listed.name, listed.size_words, licence, here, good_for, origin)
        table.add_row(*(Text(printable_line(cell)) for cell in cells))
    show(table)
    say("get one: timelens model pull NAME; use it: timelens model use NAME")


def show_offer(source: "Source", offer: "Offer") -> None:
    """The size of a model and its licence and hash, before the download."""
    left = f", {offer.fetched / 1e6:,.1f} MB of it are here already" if offer.fetched else ""
    licence = f"; licence {source.model.licence}" if source.model else ""
    checked = f"sha256 {offer.sha256}" if offer.sha256 else "its SHA-256 is not known yet"
    say(f"{source.origin} to {source.target}: {offer.size / 1e6:,.1f} MB{left}{licence}; {checked}")


@contextmanager
def pull_progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar in bytes on standard error; yields the function that updates it."""
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, disable=not shown, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, size: progress.update(task, completed=done, total=size)


def show_description(model: "ModelDescription", record: "PullRecord | None" = None) -> None:
    """The metadata of a model file, and the record of its download."""
    rows = {
        "file": str(model.path),
        "name": model.name or "not stated",
        "architecture": model.architecture,
        "size": f"{model.size / 1e6:,.1f} MB",
        "parameters": f"{model.parameters:,}",
        "quantisation": model.quantisation or "unknown",
        "context": f"{model.context_length:,} tokens" if model.context_length else "not stated",
        "chat template": "yes" if model.has_chat_template else "no",
        "sha256": f"{record.sha256} (stated by {record.stated_by})" if record else "not recorded",
    }
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        table.add_row(Text(name, style="bold"), Text(printable_line(value)))
    show(table)


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
                files=f"{state.files_done}/{state.files}",
            )

        yield move


class _Lines:
    """Progress as one line every few seconds."""

    _SECONDS = 10

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()

    def move(self, state: "IngestProgress") -> None:
        """Print the progress, unless a line was printed recently."""
        now = time.monotonic()
        if now - self._said < self._SECONDS:
            return
        self._said = now
        rate = state.bytes_done / (now - self._began)
        done, size = decimal(state.bytes_done), decimal(state.bytes)
        left = f", about {_duration((state.bytes - state.bytes_done) / rate)} left" if rate else ""
        say(
            f"{state.files_done} of {state.files} files, {done} of {size}, {decimal(int(rate))}/s{left}: "
            f"{state.document_id}"
        )


def _duration(seconds: float) -> str:
    """A duration as 1:02:03."""
    return str(timedelta(seconds=round(seconds))).removeprefix("0:")


def _evidence(mark: str, hit: Hit) -> Text:
    line = Text(f"{mark} ", style="bold")
    line.append(f"{label(hit)}  ", style="cyan")
    line.append(printable_line(hit.chunk.title or hit.chunk.document_id), style="default")
    if hit.place:
        line.append(f", {printable_line(hit.place)}", style="default")
    line.append(f"  {printable_line(hit.chunk.document_id)}", style="dim")
    return line
