"""Tells which rows of a table a question is about, and which column answers. It has its own upper layers.

It reads a question, without its time, beside one row at a time. Its first output, at the first token, says
whether the row meets all conditions of the question. The second compares the columns of the row as the answer
with none of them: a question about a time, or only whether there is such a row, has no answer column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from timelens.reader.derived_reader import DerivedReader
from timelens.reader.encoding import Passage, tokens_of
from timelens.reader.span_reader import bundled_reader

ROWS_SHA256 = "003bfa8cf7475de2f38b867703518e2c4b7ff0d6af8646aa5d9ba6ede84b4ac6"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table as a text."""

    passage: Passage
    places: Mapping[str, tuple[int, int]]
    """For each column with a value, the characters of its name and value in the text, end exclusive."""


@dataclass(frozen=True, slots=True)
class RowReading:
    """What was read of one row; all numbers are log odds."""

    meets: float
    """That the row meets the conditions of the question."""
    asked: Mapping[str, float] = field(default_factory=dict)
    """For each column, that it answers rather than none."""


def row_of(table: str, fields: Sequence[tuple[str, str]]) -> Row:
    """A row as a text, from the name of its table and its (column, value) pairs, without empty values."""
    text, places = "", {}
    for name, value in fields:
        if value:
            text += ", " if text else ""
            places[name] = len(text), len(text) + len(name) + 2 + len(value)
            text += f"{name}: {value}"
    return Row(Passage(table.replace("_", " "), text), places)


class RowReader(DerivedReader):
    """A reader of rows."""

    def tell(self, question: str, rows: Sequence[Row]) -> list[RowReading]:
        """What each row is to a question without its time. Only the first part of a very long row is read."""
        found: dict[int, RowReading] = {}
        for number, encoded, meets, asked in self.scored(question, None, [row.passage for row in rows]):
            if number not in found:
                inside = {name: tokens_of(encoded, *place) for name, place in rows[number].places.items()}
                columns = {name: float(asked[at].mean() - asked[0]) for name, at in inside.items() if at}
                found[number] = RowReading(float(meets[0]), columns)
        return [found[number] for number in range(len(rows))]


@cache
def bundled_row_reader() -> RowReader:
    """The bundled reader of rows."""
    return RowReader(bundled_reader(), Path(__file__).parent / "rows.safetensors", ROWS_SHA256)
