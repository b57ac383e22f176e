"""``bench make temprageval``: questions over facts with perturbed times and unchanged answers (MRAG 3, C).

A perturbation combines one of 11 relations with one of 5 implicit conditions (none, first, earliest, last,
latest) and new dates. It is kept only if the facts prove the same answer for every day that a recorded date
may stand for, and whether or not a fact holds on its end day. If possible, the dates avoid the years in which
the fact itself begins and ends, so that no retriever finds it by the date alone.
"""

import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from timelens import BadInputError
from timelens.bench.make import made_folder, phrasings
from timelens.bench.make.check_temprageval import check
from timelens.bench.make.sampling import evenly
from timelens.bench.make.temporal_database import Databases, Row, read_databases, stated
from timelens.bench.make.temporal_dependencies import Group, Options, choose_groups, provenance
from timelens.bench.suite_data import Record
from timelens.temporal import (
    Day,
    Granularity,
    Interval,
    Relation,
    admitted,
    civil,
    day_number,
    format_day,
    granule,
    phrase_granule,
    phrase_recorded,
)

CONDITIONS = ("none", "first", "earliest", "last", "latest")
_TRIES = 12
"""Number of dates tried for each fact, relation and condition."""
_UNITS = {
    Relation.ON: (Granularity.DAY,),
    Relation.IN: (Granularity.MONTH, Granularity.YEAR),
}
_ANY_UNIT = (Granularity.DAY, Granularity.MONTH, Granularity.YEAR, Granularity.YEAR)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The time that a question asks about."""

    relation: Relation
    condition: str
    first: Interval
    last: Interval | None


def make(options: Options, out: Path) -> made_folder.Made:
    """Write a BEIR folder with the facts as its corpus, and the questions with TempRAGEval's own fields.

    Raises:
        MissingError: a path does not exist.
        BadInputError: there is no table, no dependency or no question, or the folder cannot be written.
    """
    made_folder.refuse_full(out)
    databases = read_databases(options.data, options.columns, options.as_of)
    groups, notes = choose_groups(databases, options.dependencies)
    groups = [group for group in groups if len(group.rows) > 1]
    perturbed = _sampled(_perturbations(databases, groups, options.seed), options.seed, options.limit)
    if not perturbed:
        raise BadInputError(
            "no question about these facts keeps its answer in another wording",
            "use tables in which the same thing has several values one after another",
        )
    used = {record["base_id"] for record in perturbed}
    originals = [record for record in _originals(databases, groups) if record["_id"] in used]
    known = {record["_id"] for record in originals}
    queries = [*originals, *perturbed]
    corpus = [_passage(group, row) for group in groups for row in group.rows]
    facts = [_fact(group, row) for group in groups for row in group.rows]
    pairs = [(query["_id"], query["gold_document"]) for query in queries]
    files = made_folder.beir(corpus, queries, pairs)
    files["facts.jsonl"] = made_folder.lines(facts)
    files["temprageval.jsonl"] = made_folder.lines(_official(query) for query in queries)
    if len(known) < len(used):
        notes.append(
            f"{len(used) - len(known)} facts have no original question: another fact begins on the same date"
        )
    combinations = len({(record["time_relation"], record["implicit_condition"]) for record in perturbed})
    notes.append(
        f"{combinations} of {len(Relation) * len(CONDITIONS)} combinations of relation and condition"
    )
    made_folder.write(out, files, "temprageval", provenance(options, databases, groups), check)
    counts = Counter(record["implicit_condition"] for record in perturbed)
    return made_folder.Made(
        out, {"original": len(originals), **dict(sorted(counts.items()))}, (*databases.notes, *notes)
    )


def _perturbations(databases: Databases, groups: Sequence[Group], seed: int) -> Iterator[Record]:
    for group in groups:
        for row in group.rows:
            chance = made_folder.chance(seed, group.dependency, group.values, row.number)
            for wanted in product(Relation, CONDITIONS):
                asked = _found(chance, databases, group, row, wanted)
                if asked is not None:
                    yield _perturbed(databases, group, row, asked)


def _found(
    chance: Random, databases: Databases, group: Group, row: Row, wanted: tuple[Relation, str]
) -> _Asked | None:
    """Dates for which the answer is this fact, preferably in years that its own text does not name."""
    fallback = None
    for _ in range(_TRIES):
        asked = _sample(chance, databases, group, row, wanted)
        if asked is None or not _proves(databases, group, row, asked):
            continue
        if not _is_exact(asked, row):
            return asked
        fallback = fallback or asked
    return fallback


def _sample(
    chance: Random, databases: Databases, group: Group, row: Row, wanted: tuple[Relation, str]
) -> _Asked | None:
    relation, condition = wanted
    units = [unit for unit in _UNITS.get(relation, _ANY_UNIT) if unit.days >= row.unit.days]
    if not units:
        return None
    unit = chance.choice(units)
    end = databases.as_of if row.end is None else row.end
    if relation is Relation.ON and condition != "none":
        day = row.start
    elif chance.random() < 0.5:
        day = row.start + int(chance.random() * max(1, end - row.start))
    else:
        day = chance.randint(group.rows[0].start - 5_000, min(databases.as_of, end + 5_000))
    first = _unit_at(day, unit, databases.as_of)
    if first is None or not relation.takes_two_dates:
        return None if first is None else _Asked(relation, condition, first, None)
    last = _unit_at(day + int(chance.random() * max(365, end - day)), unit, databases.as_of)
    if last is None or (last.start or 0) <= (first.start or 0):
        return None
    return _Asked(relation, condition, first, last)


def _unit_at(day: Day, unit: Granularity, as_of: Day) -> Interval | None:
    """The unit that contains a day, if it is over by now and inside the calendar."""
    if not day_number(1) <= day <= day_number(9998):
        return None
    found = granule(day, unit)
    return found if (found.end or 0) <= as_of + 1 else None


def _proves(databases: Databases, group: Group, row: Row, asked: _Asked) -> bool:
    """Whether the facts allow only this answer.

    Without a condition, it must be the only fact that may hold at some time in the asked days. With a
    condition, it must be the first or the last fact to begin in those days; for the last, no fact that begins
    later may hold in them.
    """
    days = _days(asked)
    if asked.condition == "none":
        return [other for other in group.rows if _meets(days, _perhaps(other))] == [row] and _meets(
            days, _surely(row, databases.as_of)
        )
    beginning = [other for other in group.rows if _meets(days, other.start_granule)]
    if row not in beginning or not all(days.contains(other.start_granule) for other in beginning):
        return False
    others = [other for other in beginning if other is not row]
    if asked.condition in {"first", "earliest"}:
        return all((row.start_granule.end or 0) <= (other.start_granule.start or 0) for other in others)
    holding = [other for other in group.rows if _meets(days, _perhaps(other)) and other is not row]
    return all(
        (other.start_granule.end or 0) <= (row.start_granule.start or 0) for other in [*others, *holding]
    )


def _days(asked: _Asked) -> Interval:
    """The asked days; for "as of" without a condition, the date itself."""
    if asked.relation is Relation.AS_OF and asked.condition == "none":
        return asked.first
    return admitted(asked.relation, asked.first, asked.last)


def _perhaps(row: Row) -> Interval:
    """The days on which a fact may hold, its end day included."""
    end = None if row.end is None else granule(row.end, row.unit).end
    return Interval(row.start, end)


def _surely(row: Row, as_of: Day) -> Interval | None:
    """The days on which a fact holds for every reading of its dates; ``None`` if there are none."""
    start = (row.start_granule.end or 0) - 1
    end = as_of if row.end is None else row.end
    return Interval(start, end) if start < end else None


def _meets(days: Interval, other: Interval | None) -> bool:
    return other is not None and days.intersects(other)


def _is_exact(asked: _Asked, row: Row) -> bool:
    """Whether a date of the question names a year in which the fact begins or ends."""
    own = {civil(day)[0] for day in (row.start, row.end) if day is not None}
    named = (unit.start for unit in (asked.first, asked.last) if unit is not None)
    return any(civil(day)[0] in own for day in named if day is not None)


def _perturbed(databases: Databases, group: Group, row: Row, asked: _Asked) -> Record:
    relation = asked.relation.value
    return {
        **_query(databases, group, row, _worded(group, asked), exact=_is_exact(asked, row)),
        "_id": f"{_name(group, row)}~{relation}~{asked.condition}",
        "base_id": _name(group, row),
        "kind": relation,
        "time_relation": relation.replace("_", " "),
        "implicit_condition": asked.condition,
        "made": {
            "group": list(group.values),
            "first": _written(asked.first),
            "last": None if asked.last is None else _written(asked.last),
        },
    }


def _originals(databases: Databases, groups: Sequence[Group]) -> Iterator[Record]:
    """For each fact, a question that names its start date, as the fact's own text does."""
    for group in groups:
        for row in group.rows:
            alike = [other for other in group.rows if other.start_granule.intersects(row.start_granule)]
            if len(alike) > 1:
                continue
            date = phrase_granule(row.start, row.unit)
            on = "on" if row.unit is Granularity.DAY else "in"
            of = phrasings.subject_of(group)
            became = f"Who became {of.noun}" if of.is_post else f"Which {of.noun} began"
            yield {
                **_query(databases, group, row, f"{became} {on} {date}?", exact=True),
                "_id": _name(group, row),
                "kind": "original",
                "time_relation": "",
                "implicit_condition": "",
                "made": {"group": list(group.values), "first": _written(row.start_granule), "last": None},
            }


def _query(databases: Databases, group: Group, row: Row, text: str, *, exact: bool) -> Record:
    return {
        "_id": "",
        "text": text,
        "as_of": format_day(databases.as_of),
        "answers": [group.answer(row)],
        "unanswerable": False,
        "exact": int(exact),
        "gold_document": _name(group, row),
        "gold_evidences": [_sentence(group, row)],
        "source": group.dependency.database.name,
    }


def _official(query: Record) -> Record:
    """The question in the fields of TempRAGEval."""
    names = ("answers", "gold_evidences", "time_relation", "exact", "source")
    return {"id": query["_id"], "question": query["text"], **{name: query[name] for name in names}}


def _worded(group: Group, asked: _Asked) -> str:
    of = phrasings.subject_of(group)
    dates = [phrasings.named(unit) for unit in (asked.first, asked.last) if unit is not None]
    match asked.relation:
        case Relation.FROM_TO:
            time = f"from {dates[0]} to {dates[1]}"
        case Relation.BETWEEN:
            time = f"between {dates[0]} and {dates[1]}"
        case _:
            time = f"{asked.relation.value.replace('_', ' ')} {dates[0]}"
    if asked.condition == "none":
        return f"{'Who' if of.is_post else 'What'} was {of.article} {time}?"
    if of.is_post:
        who = "person " if asked.condition in {"earliest", "latest"} else ""
        return f"Who was the {asked.condition} {who}to become {of.noun} {time}?"
    return f"What was the {asked.condition} {of.noun} to begin {time}?"


def _sentence(group: Group, row: Row) -> str:
    """A fact as a sentence."""
    of = phrasings.subject_of(group)
    period = phrase_recorded(row.start, row.end, row.unit)
    if of.is_post:
        return f"{group.answer(row)} was {of.noun} {period}."
    return f"The {of.noun} was {group.answer(row)} {period}."


def _name(group: Group, row: Row) -> str:
    """The id of a fact under one dependency: ``leaders-3-Country-Role-Name``."""
    of = group.dependency
    return "-".join((of.database.fact_id(row), *of.given, of.asked))


def _passage(group: Group, row: Row) -> Record:
    return {"_id": _name(group, row), "title": "", "text": _sentence(group, row), "metadata": {}}


def _fact(group: Group, row: Row) -> Record:
    return {
        "fact_id": _name(group, row),
        "dependency": str(group.dependency),
        "group": list(group.values),
        "value": group.answer(row),
        "start": stated(row.start, row.unit),
        "end": None if row.end is None else stated(row.end, row.unit),
    }


def _written(unit: Interval) -> str:
    return stated(unit.start or 0, unit.granularity)


def _sampled(records: Iterator[Record], seed: int, limit: int) -> list[Record]:
    """A balanced sample; questions whose dates avoid the fact's own years come first."""
    kind = operator.itemgetter("kind", "implicit_condition")
    taken = evenly(records, kind, seed, limit, rank=operator.itemgetter("exact"))
    return sorted(taken, key=operator.itemgetter("_id"))
