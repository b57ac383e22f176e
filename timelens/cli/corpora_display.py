"""What the commands about corpora print."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from timelens.cli.console import note, say, show
from timelens.printable import counted, printable_line

if TYPE_CHECKING:
    from timelens import (
        Histogram,
        Verification,
    )


_MOST_BROKEN = 5
"""Maximum number of rows shown that break a dependency; all are counted."""

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
