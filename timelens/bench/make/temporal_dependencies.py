"""Temporal functional dependencies: columns that determine another column at any time (TDBench, Section 2).

``X -> Y`` holds over time if no two facts with the same values of X and different values of Y are valid on
a common day. Such a pair makes a question: X is named in it, Y is the answer.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from timelens import BadInputError, TableColumns
from timelens.bench.make.temporal_database import Database, Databases, Row
from timelens.temporal import Day, format_day

_MOST_COLUMNS = 3
"""Maximum number of columns of X; one less for a table with many columns."""
_MANY_COLUMNS = 8
_LEAST_CHANGING = 0.5
"""Minimum share of the facts that are in groups whose answer changes."""
_MOST_CONTRADICTED = 0.05
"""Maximum share of the facts that contradict an earlier fact."""
_LEAST_COVERED = 0.5
"""Minimum share of the changing groups' time that facts cover: sparse facts cannot show a dependency."""
_MOST_FOUND = 3
"""Maximum number of dependencies found in one table."""
_PERSONS = re.compile(
    r"name|person|holder|incumbent|leader|player|officer|official|minister|president|head", re.IGNORECASE
)
_ROLES = re.compile(r"role|position|office|post|title|job|rank", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dependency:
    """``X -> Y`` over the time of one table."""

    database: Database
    given: tuple[str, ...]
    """X."""
    asked: str
    """Y."""

    def __str__(self) -> str:
        return f"{self.database.name}: {', '.join(self.given)} -> {self.asked}"


@dataclass(frozen=True, slots=True)
class Group:
    """The facts with the same values of X, ordered by start."""

    dependency: Dependency
    values: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def where(self) -> dict[str, str]:
        """The values of X by column."""
        return dict(zip(self.dependency.given, self.values, strict=True))

    def answer(self, row: Row) -> str:
        """The value of Y."""
        return row.fields[self.dependency.asked]

    @property
    def changes(self) -> bool:
        """Whether Y takes more than one value."""
        return len({self.answer(row) for row in self.rows}) > 1

    @property
    def contradictions(self) -> int:
        """The number of facts that begin while a fact with another answer is valid."""
        ends: dict[str, Day | None] = {}
        count = 0
        for row in self.rows:
            answer = self.answer(row)
            count += any(other != answer and (end is None or row.start < end) for other, end in ends.items())
            known = ends.get(answer, row.start)
            ends[answer] = None if known is None or row.end is None else max(known, row.end)
        return count


def groups_of(dependency: Dependency) -> list[Group]:
    """The groups of a table in the order of their first rows, without groups that lack a value of X or Y."""
    rows: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in dependency.database.rows:
        values = tuple(row.fields[column] for column in dependency.given)
        rows[values].append(row)
    return [
        Group(dependency, values, tuple(sorted(members, key=lambda row: (row.start, row.number))))
        for values, members in rows.items()
        if all(values) and all(row.fields[dependency.asked] for row in members)
    ]


def discover_dependencies(database: Database) -> list[Dependency]:
    """The dependencies that nearly all facts satisfy and whose answers change with time, best first.

    X is minimal; a role column that X determines is added to it for the wording. A dependency is found if at
    most 5 % of the facts contradict an earlier fact, at least half of the facts are in groups whose answer
    changes (an answer that never changes is no question about time), and facts cover at least half of the
    time of those groups (facts that never overlap would satisfy any dependency).
    """
    found: list[tuple[float, Dependency]] = []
    for asked in database.columns:
        others = [column for column in database.columns if column != asked]
        holding: list[frozenset[str]] = []
        for size in range(1, _MOST_COLUMNS + (len(others) < _MANY_COLUMNS)):
            for given in combinations(others, size):
                if any(smaller <= set(given) for smaller in holding):
                    continue
                dependency = Dependency(database, given, asked)
                groups = groups_of(dependency)
                contradictions = sum(group.contradictions for group in groups)
                if contradictions > _MOST_CONTRADICTED * len(database.rows):
                    continue
                holding.append(frozenset(given))
                changing = [group for group in groups if group.changes]
                share = sum(len(group.rows) for group in changing) / len(database.rows)
                if share >= _LEAST_CHANGING and _covered(changing, database) >= _LEAST_COVERED:
                    found.append((share, _with_role(dependency)))
    found.sort(key=lambda item: -item[0])
    return [dependency for _, dependency in found[:_MOST_FOUND]]


def _covered(groups: Iterable[Group], database: Database) -> float:
    """Total length of the facts divided by that of their groups, from the first start to the last end."""
    now = max(day for row in database.rows for day in (row.start, row.end) if day is not None)
    held = total = 0
    for group in groups:
        ends = [now if row.end is None else row.end for row in group.rows]
        total += max(ends) - group.rows[0].start
        held += sum(end - row.start for end, row in zip(ends, group.rows, strict=True))
    return held / total if total else 0.0


def _with_role(dependency: Dependency) -> Dependency:
    """The dependency with the role column added to X, if X determines it."""
    role = role_column(dependency.asked, dependency.database.columns)
    if role is None or role in (*dependency.given, dependency.asked):
        return dependency
    if any(len({row.fields[role] for row in group.rows}) > 1 for group in groups_of(dependency)):
        return dependency
    return Dependency(dependency.database, (*dependency.given, role), dependency.asked)


def role_column(asked: str, columns: Sequence[str]) -> str | None:
    """The column with a person's role, if the asked column names persons."""
    if not _PERSONS.search(asked):
        return None
    return next((column for column in columns if _ROLES.search(column)), None)


def declared(text: str, databases: Sequence[Database]) -> Dependency:
    """Parse a dependency such as ``leaders: Country, Role -> Name``; the table may be left out.

    Raises:
        BadInputError: the text is malformed, or names an unknown table or column.
    """
    name, colon, rest = text.rpartition(":")
    left, arrow, asked = (part.strip() for part in rest.partition("->"))
    given = tuple(column.strip() for column in left.split(",") if column.strip())
    if not arrow or not given or not asked or asked in given:
        raise BadInputError(
            f"--dependency {text!r} is not a dependency", 'write it as "leaders: Country, Role -> Name"'
        )
    named = [table for table in databases if table.name == name.strip() or not colon]
    if not named:
        raise BadInputError(
            f"--dependency: there is no table {name.strip()!r}",
            f"the tables are {', '.join(table.name for table in databases)}",
        )
    table = next((table for table in named if {*given, asked} <= set(table.columns)), None)
    if table is None:
        absent = next(column for column in (*given, asked) if column not in named[0].columns)
        raise BadInputError(
            f"--dependency: {named[0].name} has no column {absent!r}",
            f"its columns are {', '.join(named[0].columns)}",
        )
    return Dependency(table, given, asked)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the generators over tables."""

    data: Sequence[Path]
    columns: TableColumns = TableColumns()  # noqa: RUF009 -- frozen
    dependencies: Sequence[str] = ()
    as_of: Day | None = None
    seed: int = 0
    limit: int = 500
    """Maximum number of questions; the originals of perturbed questions are not counted."""


def provenance(options: Options, databases: Databases, groups: Iterable[Group]) -> dict[str, Any]:
    """The options that determine the output, recorded beside it."""
    return {
        "seed": options.seed,
        "limit": options.limit,
        "as_of": format_day(databases.as_of),
        "dependencies": sorted({str(group.dependency) for group in groups}),
    }


def choose_groups(databases: Databases, texts: Sequence[str]) -> tuple[list[Group], list[str]]:
    """The groups to ask about, and notes on how they were chosen.

    Declared dependencies keep all their groups. Of dependencies that were found, groups that contradict the
    dependency are excluded.

    Raises:
        BadInputError: no dependency is declared and none is found.
    """
    if texts:
        chosen = [declared(text, databases.tables) for text in texts]
    else:
        chosen = [found for table in databases.tables for found in discover_dependencies(table)]
    notes: list[str] = []
    groups: list[Group] = []
    for dependency in chosen:
        every = groups_of(dependency)
        sound = [group for group in every if not group.contradictions]
        groups += every if texts else sound
        bad = len(every) - len(sound)
        fate = "kept, because it was declared" if texts else "left out"
        of = f"{dependency} ({'declared' if texts else 'found'}): {len(every)} groups"
        notes.append(f"{of}; {bad} of them contradict it on some day and were {fate}" if bad else of)
    if not texts:
        without = [table.name for table in databases.tables if all(of.database is not table for of in chosen)]
        notes += [f"{name}: no dependency found; declare one with --dependency" for name in without]
    if not groups:
        tables: Mapping[str, tuple[str, ...]] = {table.name: table.columns for table in databases.tables}
        name, columns = next(iter(tables.items()))
        example = f'"{name}: {", ".join(columns[:-1]) or "COLUMN"} -> {columns[-1] if columns else "COLUMN"}"'
        raise BadInputError(
            f"no dependency over time was found in {', '.join(tables)}",
            f"declare one with --dependency {example}",
        )
    return groups, notes
