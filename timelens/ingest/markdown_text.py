"""The headings and the tables of Markdown, outside fenced code."""

import re
from collections.abc import Iterator

from timelens.documents import Mark
from timelens.ingest.text_tables import TextTable, lines_in

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_RULE = re.compile(r":?-+:?")
"""A cell of the line between the header of a table and its rows."""
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_AROUND_CELL = " \t*_`"


def headings(body: str) -> Iterator[Mark]:
    """The headings."""
    for offset, line in _text_lines(body):
        if heading := _heading_in(line):
            yield Mark(offset, heading)


def pipe_tables(body: str) -> Iterator[TextTable]:
    """The tables: lines of cells between bars, below a header and a line of hyphens."""
    lines = list(_text_lines(body))
    heading, at = "", 0
    while at + 2 < len(lines):
        header, rule = _cells(lines[at][1]), _cells(lines[at + 1][1])
        if not (1 < len(header) == len(rule) and all(map(_RULE.fullmatch, rule))):
            heading = _heading_in(lines[at][1]) or heading
            at += 1
            continue
        last = at + 2
        while last < len(lines) and "|" in lines[last][1]:
            last += 1
        cells = [header, *(_cells(line) for _, line in lines[at + 2 : last])]
        start, end = lines[at][0], lines[last - 1][0] + len(lines[last - 1][1])
        yield TextTable(heading, start, end, tuple(enumerate(cells, start=1)))
        at = last


def _text_lines(body: str) -> Iterator[tuple[int, str]]:
    """The lines outside fenced code, each with its offset."""
    fence = ""
    for offset, line in lines_in(body):
        fenced = _FENCE.match(line)
        if fenced and not fence:
            fence = fenced[1]
        elif fenced and fenced[1].startswith(fence):
            fence = ""
        elif not fence:
            yield offset, line


def _heading_in(line: str) -> str:
    """The heading that a line is; empty for any other line."""
    prefix = _HEADING.match(line)
    return _without_closing(line[prefix.end() :].strip()).strip("*_` ") if prefix else ""


def _cells(line: str) -> list[str]:
    """The cells of a line; empty if it has no bar."""
    if "|" not in line:
        return []
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip(_AROUND_CELL).replace("\\|", "|") for cell in _BETWEEN_CELLS.split(inner)]


def _without_closing(heading: str) -> str:
    """The heading without closing number signs."""
    bare = heading.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else heading
