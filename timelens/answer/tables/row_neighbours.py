"""What came before or after a row of a table in its place: the next row that shares a value with it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from timelens.answer.tables.columns import by_table, fact_of, holds_numbers, holds_prose, same_value, value_of
from timelens.documents import Hit
from timelens.words import topic_words


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two rows of a table that follow each other in one place."""

    column: str
    """The column of the thing that the question names."""
    named: Hit
    """The last row of that thing."""
    found: Hit
    """The row before or after it."""
    table: tuple[Hit, ...]
    """All rows of their table."""
    key: tuple[tuple[str, str], ...]
    """The columns in which both have the same value, with that value."""


def row_beside(name: str, hits: Sequence[Hit], *, later: bool) -> RowPair | None:
    """The row before or after the one that a name stands for, among the rows in the same place.

    A vehicle takes the place of the one that had its callsign before, a contract that of the same service.
    ``None`` unless all rows that have the name have it in one value of one table.
    """
    words = topic_words(name)
    pairs: list[RowPair] = []
    for table in by_table(hit for hit in hits if hit.chunk.fact is not None).values():
        for column, _ in fact_of(table[0]).fields:
            values = {value_of(hit, column) for hit in table}
            named = [value for value in values if words and words <= topic_words(value)]
            if named and (holds_numbers(table, column) or holds_prose(table, column) or len(named) > 1):
                return None  # it may be a thing that others have, too
            pairs += _pairs(table, column, named[0], later=later) if named else []
    return pairs[0] if len(pairs) == 1 else None


def _pairs(table: Sequence[Hit], column: str, value: str, *, later: bool) -> list[RowPair]:
    """The pair of rows for a value of a column; empty if no other row is in its place."""
    rows = sorted(table, key=lambda hit: fact_of(hit).validity.bounds)
    own = [hit for hit in rows if value_of(hit, column) == value]
    named = own[-1] if later else own[0]
    start = fact_of(named).validity.bounds[0]
    others = [hit for hit in rows if value_of(hit, column) not in {"", value}]
    columns = [name for name, _ in fact_of(named).fields if name != column and not holds_numbers(table, name)]
    best: tuple[int, RowPair] | None = None
    for hit in others if later else reversed(others):
        begins = fact_of(hit).validity.bounds[0]
        if not (begins > start if later else begins < start):
            continue
        key = tuple((name, value_of(hit, name)) for name in columns if _is_shared(name, hit, named))
        if key and (best is None or len(key) > best[0]):
            best = len(key), RowPair(column, named, hit, tuple(table), key)
    return [] if best is None else [best[1]]


def _is_shared(column: str, one: Hit, other: Hit) -> bool:
    value = value_of(one, column)
    return bool(value) and same_value(value, value_of(other, column))
