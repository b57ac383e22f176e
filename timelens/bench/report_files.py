"""A report as Markdown, JSON and plots."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from timelens import MissingError
from timelens.bench.plots import draw
from timelens.bench.report import Section, Table
from timelens.bench.report_charts import charts
from timelens.bench.report_tables import published_tables, tables
from timelens.bench.saved_run import write
from timelens.printable import markdown_line, markdown_within

_ABOUT = """\
Written by `timelens bench report` from finished runs; to change a figure, repeat its run. Figures are in
percent. A measure with cut-offs is shown at 10, or at the largest cut-off; the runs have all of them.
Differences are paired by question, with a 95 % interval (bootstrap) and the p of a randomisation test, 10,000
samples each, not corrected for the number of comparisons. Figures from papers are in separate tables, marked
as published: others measured them, mostly with other models and larger corpora, and none is mixed with what
was measured here."""


def write_report(found: Sequence[Section], out: Path) -> tuple[list[Path], list[str]]:
    """Write a report, and return its files and notes on what could not be written.

    Args:
        found: the sections.
        out: a folder for the document, the figures and the plots, or a ``.md`` file for the document alone.

    Raises:
        BadInputError: a file cannot be written.
    """
    if out.suffix == ".md":
        write(out, as_markdown(found))
        return [out], []
    files = [out / "report.md", out / "report.json"]
    write(files[0], as_markdown(found))
    write(files[1], json.dumps(as_json(found), indent=1, ensure_ascii=False) + "\n")
    try:
        for section in found:
            for chart in charts(section):
                files += draw(chart, out / _file_name(section.suite, section.data, chart.name))
    except MissingError as error:
        return files, [f"no plots: {error.message} ({error.hint})"]
    return files, []


def as_json(found: Sequence[Section]) -> dict[str, Any]:
    """The whole report as JSON; published figures are under a separate key."""
    return {"sections": [_section_json(section) for section in found]}


def _section_json(section: Section) -> dict[str, Any]:
    runs = [
        {
            "name": run.name,
            "command": run.command,
            "config": dict(run.config),
            "questions": run.questions,
            "summary": dict(run.summary),
        }
        for run in section.runs
    ]
    return {
        "suite": section.suite,
        "data": section.data,
        "metric": section.metric,
        "runs": runs,
        "differences": [
            {"run": name, "from": base, **asdict(one)} for name, (base, one) in section.differences.items()
        ],
        "charts": [asdict(chart) for chart in charts(section)],
        "notes": list(section.notes),
        "published": [asdict(table) for table in section.published],
    }


def as_markdown(found: Sequence[Section]) -> str:
    """The whole report as one Markdown document."""
    return "\n".join(["# Benchmarks", "", _ABOUT, *_lines(found)]) + "\n"


def _lines(found: Sequence[Section]) -> Iterator[str]:
    for section in found:
        yield from ("", f"## {markdown_line(section.suite)}: {markdown_line(section.data)}")
        for table in tables(section):
            yield from _table_lines(table)
        for note in section.notes:
            yield from ("", f"Note: {markdown_line(note)}.")
        for table in published_tables(section):
            yield from _table_lines(table)


def _table_lines(table: Table) -> Iterator[str]:
    yield from ("", f"**{markdown_line(table.title)}**", "")
    yield _row(table.columns)
    yield _row(
        ["---" if place < table.words else "---:" for place in range(len(table.columns))], escaped=False
    )
    for row in table.rows:
        yield _row(row)


def _row(cells: Sequence[str], *, escaped: bool = True) -> str:
    return f"| {' | '.join(map(markdown_within, cells) if escaped else cells)} |"


def _file_name(*parts: str) -> str:
    return "-".join(re.sub(r"[^\w.+]+", "_", part).strip("_.") for part in parts)
