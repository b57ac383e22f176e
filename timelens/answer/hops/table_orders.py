"""Orders in time of the rows of tables, and the neighbours of a name in them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from timelens.answer.hops.resolved_hop import ResolvedHop
from timelens.answer.relevance import ASKING, OFFICES
from timelens.answer.tables.columns import fact_of, is_vacant, value_of
from timelens.documents import Hit
from timelens.question.hops.hop import Hop
from timelens.words import topic_words

OVERLAP = 31
"""Days by which consecutive terms may overlap if there is one holder at a time."""
_YEAR = 366
"""Days within which a post that moves to another place is filled again."""
_MOSTLY = 0.8
"""Minimum share of terms that do not overlap if there is one holder at a time."""
_NEARLY_ALL = 0.9
"""The same share for a whole table, grouped by its other columns."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A candidate for a hop."""

    name: str
    hits: Sequence[Hit]
    """The facts of its term, in chronological order."""
    beside: Hit | None = None
    """The neighbouring fact."""


@dataclass(frozen=True, slots=True)
class Order:
    """Facts that form one order in time, at least one of them about ``named``."""

    column: str
    facts: tuple[Hit, ...]
    named: frozenset[str]
    """The chunk ids of the facts about the name."""
    told: int
    """How many words of the hop occur in the document name, columns and key of the order."""

    def neighbours(self, *, later: bool) -> Iterator[Outcome]:
        """The runs of facts with one value that directly follow (or precede) each run of the name.

        A vacancy is passed over.
        """
        ordered = sorted(self.facts, key=lambda hit: fact_of(hit).validity.bounds)
        grouped = groupby(ordered, key=lambda hit: value_of(hit, self.column))
        runs = [list(run) for value, run in grouped if not is_vacant(value)]
        for one, other in pairwise(runs):
            before, after = (one, other) if later else (other, one)
            if any(hit.chunk.id in self.named for hit in before):
                yield Outcome(value_of(after[0], self.column), after, before[-1] if later else before[0])


def orders_of(hop: Hop, named: str, known: ResolvedHop | None, facts: Sequence[Hit]) -> Iterator[Order]:
    """The orders that contain ``named``, one for each kind of facts."""
    asked = topic_words(f"{hop.head} {hop.about}") - ASKING - topic_words(named)
    head = topic_words(hop.head) - ASKING - topic_words(named)
    places = list(_places(named, known, facts))
    for document, column, value, key in dict.fromkeys(places):
        table = [hit for hit in facts if hit.chunk.document_id == document]
        same = [hit for hit in table if key == _key(hit, column)]
        own = topic_words(" ".join([table[0].chunk.title, column, *dict(key), *dict(key).values()]))
        narrow: list[Hit] = []
        if head - own and (head & OFFICES or not _one_at_a_time(same, column)):
            continue  # a head noun unknown to the table is accepted for a thing, not for an office
        if _is_keyed(table, column) and not _has_next(same, column, value, later=hop.later):
            same = _without_a_column(table, same, column, value, asked, later=hop.later) or [
                *same,
                *_abutting(table, same, column, value, head, later=hop.later),
            ]
        elif not _one_at_a_time(same, column):
            stated = [(name, words) for name, v in key if (words := topic_words(v) & asked)]
            rows = [
                hit for hit in table if all(words <= topic_words(value_of(hit, n)) for n, words in stated)
            ]
            order = [] if stated else _without_a_column(table, same, column, value, asked, later=hop.later)
            if not order and not stated:
                narrow = same
            same = order or rows
        ids = frozenset(hit.chunk.id for hit in same if value_of(hit, column) == value)
        if known is not None and known.hit.chunk.id in ids:
            ids = frozenset({known.hit.chunk.id})
        for facts_of_it in filter(None, (same, narrow)):
            yield Order(column, tuple(facts_of_it), ids, len(asked & own))


def _places(
    named: str, known: ResolvedHop | None, facts: Sequence[Hit]
) -> Iterator[tuple[str, str, str, tuple[tuple[str, str], ...]]]:
    """Document, column, value and key of each fact with ``named``; exact matches exclude partial ones."""
    words = topic_words(named)
    found = [
        (words == topic_words(value), hit.chunk.document_id, column, value, _key(hit, column))
        for hit in facts
        for column, value in fact_of(hit).fields
        if words and words <= topic_words(value)
    ]
    if known is not None and known.is_exact:
        own = [entry for entry in found if entry[3] == known.name and entry[1] == known.hit.chunk.document_id]
        found = [entry for entry in own if set(entry[4]) <= set(fact_of(known.hit).fields)] or found
    whole = any(entry[0] for entry in found)
    return (entry[1:] for entry in found if entry[0] or not whole)


def queries_for_order(named: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Queries that retrieve the complete order containing ``named``."""
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    keys = [" ".join(value for _, value in key) for _, _, _, key in _places(named, None, facts)]
    return tuple(dict.fromkeys(filter(None, keys)))


def _one_at_a_time(facts: Sequence[Hit], column: str) -> bool:
    """Whether the values of a column follow each other, as the holders of an office do."""
    apart = _apart(facts)
    return len({value_of(hit, column) for hit in facts}) > 1 and sum(apart) >= _MOSTLY * len(apart)


def _is_keyed(table: Sequence[Hit], column: str) -> bool:
    """Whether the other columns are a key: for each of their values, the column has one value at a time."""
    groups: dict[tuple[tuple[str, str], ...], list[Hit]] = {}
    for hit in table:
        groups.setdefault(_key(hit, column), []).append(hit)
    apart = [one for group in groups.values() for one in _apart(group)]
    return bool(apart) and sum(apart) >= _NEARLY_ALL * len(apart)


def _apart(facts: Sequence[Hit]) -> list[bool]:
    """For each pair of consecutive facts, whether the first ends by the start of the second."""
    ordered = sorted((fact_of(hit) for hit in facts), key=lambda fact: fact.validity.bounds)
    pairs = [(one.end, other.start) for one, other in pairwise(ordered)]
    return [end is not None and start is not None and end - start <= OVERLAP for end, start in pairs]


def _has_next(facts: Sequence[Hit], column: str, value: str, *, later: bool) -> bool:
    """Whether another value starts after (or ends before) a value, depending on ``later``."""
    ends = [side_of(hit, later=not later) for hit in facts if value_of(hit, column) == value]
    others = [side_of(hit, later=not later) for hit in facts if value_of(hit, column) != value]
    return any(other > end if later else other < end for end in ends for other in others)


def side_of(hit: Hit, *, later: bool) -> float:
    """The end of a fact if ``later``, else its start, in days; infinite if unknown."""
    return fact_of(hit).validity.bounds[later]


def _without_a_column(
    table: Sequence[Hit],
    same: Sequence[Hit],
    column: str,
    value: str,
    asked: frozenset[str],
    *,
    later: bool,
) -> list[Hit]:
    """The order of the value that goes on in another place: the same post, now held in another town.

    It lacks one key column, of which the question states no value; its values follow each other, and the
    neighbour begins within a year. The list is empty if there is none, or more than one.
    """
    own = next(hit for hit in same if value_of(hit, column) == value)
    orders: dict[tuple[str, ...], list[Hit]] = {}
    for left_out, part in _key(own, column):
        key = {field for field in _key(own, column) if field[0] != left_out}
        if key and not topic_words(part) & asked:
            order = [hit for hit in table if key <= set(fact_of(hit).fields)]
            if _one_at_a_time(order, column) and _is_near(order, column, value, later=later):
                orders[tuple(hit.chunk.id for hit in order)] = order
    return orders.popitem()[1] if len(orders) == 1 else []


def _is_near(order: Sequence[Hit], column: str, value: str, *, later: bool) -> bool:
    """Whether another value starts within a year after a value, or ends within a year before it."""
    sides = [side_of(hit, later=later) for hit in order if value_of(hit, column) == value]
    others = [side_of(hit, later=not later) for hit in order if value_of(hit, column) != value]
    gaps = [(other - side) if later else (side - other) for side in sides for other in others]
    return any(-OVERLAP <= gap <= _YEAR for gap in gaps)


def _abutting(
    table: Sequence[Hit], same: Sequence[Hit], column: str, value: str, head: frozenset[str], *, later: bool
) -> list[Hit]:
    """The single fact of a related order that adjoins the value to the day: a king after a queen.

    It differs in exactly one of several key columns. The list is empty if no fact or more than one qualifies.
    """
    own = [hit for hit in same if value_of(hit, column) == value]
    found = []
    for hit in table:
        differing = [
            one != other for one, other in zip(_key(hit, column), _key(own[0], column), strict=False)
        ]
        to_the_day = any(abs(side_of(hit, later=not later) - side_of(one, later=later)) <= 1 for one in own)
        told = topic_words(" ".join(name for pair in _key(hit, column) for name in pair))
        if sum(differing) == 1 < len(differing) and to_the_day and head <= told:
            found.append(hit)
    return found if len(found) == 1 else []


def _key(hit: Hit, column: str) -> tuple[tuple[str, str], ...]:
    return tuple(field for field in fact_of(hit).fields if field[0] != column)
