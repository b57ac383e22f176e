"""Temporal functional dependencies: columns that determine other columns at any day. Pure.

``office → holder`` holds if no two rows with the same office and different holders have a day in common. Rows
are compared by their half-open validity, so a holder who takes over on the day that another leaves breaks
nothing. An empty cell breaks nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations
from math import inf

from timelens.documents import Fact

_FEWEST_TOLD = 4
_LEAST_TOLD = 0.25
"""Number of rows, and share of a table, that must be valid so close to other rows with the same left side
that a contradiction would show. Rows far apart in time are no evidence."""
_MOST_BROKEN = 0.05
"""Greatest share of those rows that may break a found dependency; with ten rows, one may."""
_MOST_COLUMNS = 2
"""Most columns on the left side of a found dependency."""


@dataclass(frozen=True, slots=True)
class Break:
    """A row that breaks a dependency, and a row that it contradicts, as indexes of facts."""

    row: int
    other: int


@dataclass(frozen=True, slots=True)
class Dependency:
    """Columns that determine other columns at any day, except for the rows in ``breaks``."""

    left: tuple[str, ...]
    """Empty if the whole table has one value at any day."""
    right: tuple[str, ...]
    """The determined columns; the same rows break all of them."""
    declared: bool
    breaks: tuple[Break, ...]
    """One for each row that breaks the dependency; without these rows it holds."""


@dataclass(frozen=True, slots=True)
class _Row:
    index: int
    values: tuple[str, ...]
    start: float
    end: float


_Known = list[tuple[set[int], int]]
"""Known dependencies: (columns on the left side, determined column)."""
_Groups = list[list[_Row]]
"""Groups of at least two rows with the same values in some columns, sorted by first day."""


def dependencies(
    columns: Sequence[str], facts: Sequence[Fact], keys: Iterable[Sequence[str]] = ()
) -> list[Dependency]:
    """The declared dependencies of a table, and the dependencies found in it.

    A declared key determines all other columns, however many rows break it. A dependency is found if it holds
    except for a few rows, with as few columns as possible on the left side (none, one or two) and with enough
    evidence.

    Args:
        columns: the columns of the table, without its dates.
        facts: its rows; each has all columns.
        keys: keys declared by the user; a key with a column that the table lacks is skipped.
    """
    rows = sorted(
        (
            _Row(index, tuple(value for _, value in fact.fields), *fact.validity.bounds)
            for index, fact in enumerate(facts)
        ),
        key=lambda row: row.start,
    )
    wanted = {
        tuple(sorted(columns.index(name) for name in key)) for key in keys if key and set(key) <= set(columns)
    }
    declared: list[Dependency] = []
    known: _Known = []
    for left in sorted(wanted):
        groups, rights = _groups(rows, left), set(range(len(columns))) - set(left)
        held = {right: _breaks(groups, right) or () for right in sorted(rights)}
        known += [(set(left), right) for right in held if len(held[right]) <= _MOST_BROKEN * len(rows)]
        declared += _merged(columns, left, held, declared=True)
    return [*declared, *_found(columns, rows, wanted, known)]


def columns_of(key: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a declared key, separated by commas in it; empty unless the table has all of them."""
    names = (key,) if key in columns else tuple(name.strip() for name in key.split(","))
    return names if set(names) <= set(columns) else ()


def _found(
    columns: Sequence[str], rows: Sequence[_Row], declared: set[tuple[int, ...]], known: _Known
) -> Iterator[Dependency]:
    """New dependencies that hold except for a few rows, with short left sides first."""
    doubtful = {right: _doubtful(rows, right) for right in range(len(columns))}
    varied = [right for right, rows_of in doubtful.items() if rows_of]
    for left in (left for size in range(_MOST_COLUMNS + 1) for left in combinations(varied, size)):
        rights = [
            right
            for right in varied
            if right not in left and not any(of == right and fewer <= set(left) for fewer, of in known)
        ]
        if left in declared:
            continue
        groups = _groups(rows, left) if rights else []
        told = _told(groups)
        if told < max(_FEWEST_TOLD, _LEAST_TOLD * len(rows)):
            continue
        most = max(int(told * _MOST_BROKEN), int(told >= 10))
        # with more breaks, the most common value is as good a guess
        held = {right: _breaks(groups, right, min(most, (doubtful[right] - 1) // 2)) for right in rights}
        kept = {right: breaks for right, breaks in held.items() if breaks is not None}
        known += [(set(left), right) for right in kept]
        yield from _merged(columns, left, kept, declared=False)


def _doubtful(rows: Sequence[_Row], column: int) -> int:
    """The number of rows without the most common value of a column; empty cells are not counted."""
    counts = Counter(value for row in rows if (value := row.values[column]))
    return counts.total() - max(counts.values(), default=0)


def _groups(rows: Sequence[_Row], left: tuple[int, ...]) -> _Groups:
    groups: dict[tuple[str, ...], list[_Row]] = {}
    for row in rows:
        values = tuple([row.values[column] for column in left])
        if all(values):
            groups.setdefault(values, []).append(row)
    return [group for group in groups.values() if len(group) > 1]


def _told(groups: _Groups) -> float:
    """The expected number of rows that overlap others of their group if placed at random in its days."""
    told = 0.0
    for group in groups:
        days = [day for row in group for day in (row.start, row.end) if abs(day) != inf]
        first, last = min(days, default=0), max(days, default=1)
        valid = sum(max(min(row.end, last) - max(row.start, first), 0) for row in group)
        told += len(group) * min(valid / max(last - first, 1), 1)
    return told


def _breaks(groups: _Groups, right: int, most: float = inf) -> tuple[Break, ...] | None:
    """The rows to leave out so that each group has one value at any day; ``None`` if more than ``most``.

    If two rows contradict each other, the one that ends later is left out, because it may contradict most
    other rows, unless several rows support it.
    """
    found: list[Break] = []
    for group in groups:
        valid: list[tuple[float, int, _Row]] = []  # rows valid on the first day of ``row``; they agree
        for row in group:
            value = row.values[right]
            if not value:
                continue
            while valid and valid[0][0] <= row.start:
                heappop(valid)
            if valid and valid[0][2].values[right] != value:
                other = valid[0][2]
                if len(valid) > 1 or other.end <= row.end:
                    found.append(Break(row.index, other.index))
                else:
                    found.append(Break(other.index, row.index))
                    valid = [(row.end, row.index, row)]
                if len(found) > most:
                    return None
            else:
                heappush(valid, (row.end, row.index, row))
    return tuple(found)


def _merged(
    columns: Sequence[str],
    left: tuple[int, ...],
    held: Mapping[int, tuple[Break, ...]],
    *,
    declared: bool,
) -> Iterator[Dependency]:
    """One dependency for all right columns that are broken by the same rows."""
    by_breaks: dict[tuple[Break, ...], list[str]] = {}
    for right, breaks in held.items():
        by_breaks.setdefault(breaks, []).append(columns[right])
    for breaks, rights in by_breaks.items():
        yield Dependency(tuple(columns[at] for at in left), tuple(rights), declared, breaks)
