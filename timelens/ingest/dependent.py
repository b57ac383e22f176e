"""The tables of a corpus, each with its functional dependencies."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from timelens.errors import BadInputError
from timelens.ingest.dependencies import Dependency, columns_of, dependencies
from timelens.store.rows import StoredTable


@dataclass(frozen=True, slots=True)
class DependentTable:
    """A table with its functional dependencies."""

    table: StoredTable
    dependencies: tuple[Dependency, ...]


def with_dependencies(
    tables: Sequence[StoredTable], configured: Sequence[str], keys: Sequence[str], corpus: str
) -> list[DependentTable]:
    """Tables with their functional dependencies and the rows that break them.

    Args:
        tables: all tables of a corpus.
        configured: keys that some of the tables may have.
        keys: keys that at least one table must have.
        corpus: the name of the corpus.

    Raises:
        BadInputError: no table has the columns of one of ``keys``.
    """
    for key in keys:
        if not any(columns_of(key, table.columns) for table in tables):
            names = ", ".join(dict.fromkeys(name for table in tables for name in table.columns))
            known = f"its columns are {textwrap.shorten(names, 200, placeholder=' …')}"
            raise BadInputError(
                f"no table of {corpus} has the columns of the key {key!r}",
                known if tables else "it has no table with dates",
            )
    found = []
    for table in tables:
        named = [columns_of(key, table.columns) for key in (*configured, *keys)]
        found.append(DependentTable(table, tuple(dependencies(table.columns, table.facts, named))))
    return found
