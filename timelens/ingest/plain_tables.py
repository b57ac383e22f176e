"""Tables in plain text: lines in columns that are made of spaces or tabs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from timelens.ingest.aligned_tables import Line, Word, aligned_tables
from timelens.ingest.text_tables import TextTable, heading_above, lines_in

_WORD = re.compile(r"\S+")
_TAB_STOPS = 8  # letters
_LONGEST_CELL = 100_000  # letters


def plain_tables(text: str) -> Iterator[TextTable]:
    """The tables with dates in a text."""
    offsets, lines = zip(*lines_in(text), strict=True)
    for table in aligned_tables(list(_placed(lines))):
        if table.has_dates:
            start, end = offsets[table.first], offsets[table.end - 1] + len(lines[table.end - 1])
            yield TextTable(heading_above(text, start), start, end, tuple(enumerate(table.rows, start=1)))


def _placed(lines: Sequence[str]) -> Iterator[Line]:
    """The words of the lines and where they stand.

    Lines with tabs that follow each other have a column for each tab if the first has no two tabs together;
    other tabs are spaces.
    """
    for has_tabs, below in groupby(lines, key=lambda line: "\t" in line.strip()):
        block = list(below)
        place = _by_tab if has_tabs and "\t\t" not in block[0].strip() else _by_letter
        yield from map(place, block)


def _by_letter(line: str) -> Line:
    return [Word(word.start(), word.end(), word[0]) for word in _WORD.finditer(line.expandtabs(_TAB_STOPS))]


def _by_tab(line: str) -> Line:
    return [
        Word(column * _LONGEST_CELL + word.start(), column * _LONGEST_CELL + word.end(), word[0])
        for column, cell in enumerate(line.split("\t"))
        for word in _WORD.finditer(cell[:_LONGEST_CELL])
    ]
