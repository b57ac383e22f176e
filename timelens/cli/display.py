"""Results for people: rich tables and text. All text from outside is made printable first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from timelens import Coverage, Hit, Nearest, Status, Support
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.cli.console import note, say, show
from timelens.printable import counted, printable, printable_line
from timelens.temporal import phrase

if TYPE_CHECKING:
    from timelens import (
        Answer,
        Changes,
        IngestReport,
        SearchResult,
    )
    from timelens.answer.models.catalogue import PullRecord, Source
    from timelens.answer.models.gguf_header import ModelDescription
    from timelens.answer.models.incoming_file import Offer
    from timelens.answer.models.inventory import Listed
    from timelens.doctor import Check

_HEALTH = {"fine": ("✓", "green"), "missing": ("–", "yellow"), "broken": ("✗", "red")}
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
        f"{count:,} {name}"
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


def _evidence(mark: str, hit: Hit) -> Text:
    line = Text(f"{mark} ", style="bold")
    line.append(f"{label(hit)}  ", style="cyan")
    title = printable_line(hit.chunk.title or hit.chunk.document_id)
    named = ["" if title == label(hit) else title, printable_line(hit.place)]
    line.append(", ".join(filter(None, named)), style="default")
    line.append(f"  {printable_line(hit.chunk.document_id)}", style="dim")
    return line
