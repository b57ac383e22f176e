"""Temporal joins: questions whose time is given by another fact (TDBench, Section 3.3, Table 14).

Two hops: a fact gives a time, and the question asks for the value at that time. Three hops: the value at that
time gives the time of a third fact. If an event's row names an entity that another table is about (the
country of a city's games), the second fact is found by that entity. Tables are joined with each other and
with themselves.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from timelens.bench.make import made_folder, phrasings
from timelens.bench.make.queries import Answers, cardinality, question_record
from timelens.bench.make.temporal_database import Database, Databases, Row
from timelens.bench.make.temporal_dependencies import Group
from timelens.bench.suite_data import Record
from timelens.store.view import quoted
from timelens.temporal import Day, Interval, format_day

_MOST_ANSWERS = 4
_TRIES = 8
"""Chains tried for each one wanted."""


@dataclass(frozen=True, slots=True)
class Link:
    """The first fact of a chain: its row and its description."""

    database: Database
    row: Row
    named: Mapping[str, str]
    """The columns and values that distinguish the row from every other row."""
    clause: str
    """A clause in words for the time of the fact."""
    bridge: str | None = None
    """The column shared with the next group, if the next fact is found by it."""
    key: str = ""
    """The name of an event; empty for other facts."""


def questions(
    connection: sqlite3.Connection, databases: Databases, groups: Sequence[Group], seed: int, limit: int
) -> Iterator[Record]:
    """Chains of two and of three facts, at most ``limit`` of each, without duplicates."""
    if not groups:
        return
    events = [link for table in databases.tables for link in _events(table, groups)]
    for hops in (2, 3):
        chance = made_folder.chance(seed, "join", hops)
        tried: set[tuple[object, ...]] = set()
        made = 0
        for number in range(limit * _TRIES):
            first, fitting = _start(chance, groups, events if number % 2 else ())
            if not fitting:
                continue
            path = [chance.choice(fitting)]
            if hops == 3:
                used = [dict(first.named), path[0].where]
                others = [group for group in groups if group.where not in used]
                if not others:
                    continue
                path.append(chance.choice(others))
            chain = (first.database.name, *first.named.items(), first.bridge, *map(_named, path))
            if chain in tried:
                continue
            tried.add(chain)
            record = _chained(connection, databases, first, path)
            if record is not None:
                made += 1
                yield record
            if made >= limit:
                break


def _start(chance: Random, groups: Sequence[Group], events: Sequence[Link]) -> tuple[Link, list[Group]]:
    """A first fact (an event if there are any), and the groups that may come next."""
    if events:
        event = chance.choice(events)
        return event, [group for group in groups if _is_bridged(event, group)]
    start = chance.choice(groups)
    others = [group for group in groups if group.where != start.where]
    return _holder(start, chance.choice(start.rows)), others


def _named(group: Group) -> tuple[object, ...]:
    return group.dependency.database.name, group.dependency.asked, *group.where.items()


def _events(table: Database, groups: Sequence[Group]) -> Iterator[Link]:
    """The rows of a table with unique names and a column that a group of another table is about."""
    keys = [
        column
        for column in table.columns
        if all(values := [row.fields[column] for row in table.rows])
        and len(set(values)) == len(values)
        and not all(value.replace(".", "").isdigit() for value in values)
    ]
    shared = [
        column
        for column in table.columns
        if column not in keys
        and any(
            column in group.dependency.given and group.dependency.database is not table for group in groups
        )
    ]
    for column in shared:
        for key in keys[:1]:
            for row in table.rows:
                name = row.fields[key]
                yield Link(table, row, {key: name}, f"{name} took place", column, name)


def _is_bridged(first: Link, group: Group) -> bool:
    return (
        first.bridge is not None
        and group.dependency.database is not first.database
        and group.where.get(first.bridge) == first.row.fields[first.bridge]
    )


def _holder(group: Group, row: Row) -> Link:
    named = {**group.where, group.dependency.asked: group.answer(row)}
    return Link(group.dependency.database, row, named, phrasings.holding(group, group.answer(row)))


def _chained(
    connection: sqlite3.Connection, databases: Databases, first: Link, path: Sequence[Group]
) -> Record | None:
    """The question of a chain; ``None`` if its answer is ambiguous.

    The description of each fact except the last matches only that fact. Whether a fact shares a day with the
    fact before it must not depend on the precision of the dates, for any fact of a group.
    """
    same = [row for row in first.database.rows if all(row.fields[c] == v for c, v in first.named.items())]
    if len(same) != 1:
        return None
    row = first.row
    told = [_told(first)]
    for group in path:
        shared = _sharing(row, group.rows, databases.as_of)
        if not shared:
            return None
        if group is not path[-1]:
            if len(shared) > 1:
                return None
            row = shared[0]
            told.append([group.answer(row)])
    answers = _answers(connection, first, path)
    kind = cardinality(answers)
    if kind not in {"basic_unique", "basic_multiple"} or len(answers.rows) > _MOST_ANSWERS:
        return None
    asked = path[-1]
    record: dict[str, Any] = question_record(
        databases, asked, f"join_{len(path) + 1}hop", _worded(first, path), answers
    )
    chain: list[dict[str, Any]] = [{"db": first.database.name, "where": dict(first.named), "told": told[0]}]
    for number, group in enumerate(path, start=1):
        where = group.where
        bridge = first.bridge if group is path[0] else None
        if bridge is not None:
            del where[bridge]
        link = {"db": group.dependency.database.name, "where": where, **({"by": bridge} if bridge else {})}
        if number < len(path):
            link |= {"asked": group.dependency.asked, "told": told[number]}
        chain.append(link)
    made = {"chain": chain, "asked": asked.dependency.asked}
    return {**record, "relation": asked.dependency.asked, "made": made}


def _told(first: Link) -> list[str]:
    """What the first fact contributes to the next: the shared value, else the years of its dates."""
    if first.bridge is not None:
        return [first.row.fields[first.bridge]]
    days = (day for day in (first.row.start, first.row.end) if day is not None)
    return list(dict.fromkeys(format_day(day)[:4] for day in days))


def _sharing(row: Row, others: Sequence[Row], as_of: Day) -> list[Row] | None:
    """The facts that share time with a fact; ``None`` if this is undecided for any of them."""
    shared = []
    for other in others:
        first, last = _bounds(row, as_of)
        other_first, other_last = _bounds(other, as_of)
        surely = first.end <= other_last.start and other_first.end <= last.start  # type: ignore[operator]
        perhaps = first.start < other_last.end and other_first.start < last.end  # type: ignore[operator]
        if surely:
            shared.append(other)
        elif perhaps:
            return None
    return shared


def _bounds(row: Row, as_of: Day) -> tuple[Interval, Interval]:
    return row.start_granule, row.end_granule(as_of)


def _answers(connection: sqlite3.Connection, first: Link, path: Sequence[Group]) -> Answers:
    """Run the join; its tables are ``a``, ``b`` and ``c``."""
    last = "abc"[len(path)]
    tables = [f'"{first.database.name}" a']
    conditions = [f'a."{column}" = {quoted(value)}' for column, value in first.named.items()]
    for number, group in enumerate(path, start=1):
        here, before = "abc"[number], "abc"[number - 1]
        where = group.where
        together = [f"{here}.Start < {before}.End", f"{before}.Start < {here}.End"]
        if number == 1 and first.bridge is not None:
            del where[first.bridge]
            together.append(f'{here}."{first.bridge}" = {before}."{first.bridge}"')
        tables.append(f'join "{group.dependency.database.name}" {here} on {" and ".join(together)}')
        conditions += [f'{here}."{column}" = {quoted(value)}' for column, value in where.items()]
    asked = path[-1].dependency.asked
    source = f"from {' '.join(tables)} where {' and '.join(conditions)}"
    sql = f'select {last}."{asked}", {last}.Start, {last}.End {source}'
    columns = f'{last}.rowid, {last}."{asked}", date({last}.Start), date({last}.End)'
    rows = connection.execute(f"select {columns} {source} order by {last}.Start, {last}.rowid").fetchall()
    return Answers(sql, tuple(row[0] for row in rows), tuple(tuple(row[1:]) for row in rows))


def _worded(first: Link, path: Sequence[Group]) -> list[str]:
    asked = phrasings.subject_of(path[-1])
    if first.bridge is None:
        middle = phrasings.subject_of(path[0]) if len(path) > 1 else None
        return phrasings.chain_questions(first.clause, middle, asked)
    thing = phrasings.label(first.bridge)
    found = path[0]
    full, short = (
        phrasings.subject(found.dependency, {**found.where, first.bridge: text})
        for text in (f"the {thing} of {first.key}", f"its {thing}")
    )
    if len(path) > 1:
        return phrasings.chain_questions(first.clause, full, asked)
    return phrasings.bridge_questions(first.key, full, short)
