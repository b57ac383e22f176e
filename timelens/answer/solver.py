"""The temporal solver: a question's constraints applied exactly to the facts of a table. Pure."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from timelens.documents import Fact, Hit
from timelens.question.model import Constraint, Ordinal, ParsedQuestion, Role
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import day_interval, granule


@dataclass(frozen=True, slots=True)
class Solution:
    """What the facts of one kind say."""

    column: str | None
    """The column that answers; ``None`` when the question states all of them and asks for the time."""
    subject: str
    """What the facts are about, in the words of the table."""
    chosen: tuple[Hit, ...]
    """The facts that satisfy the question, in chronological order."""
    considered: tuple[Hit, ...]
    """All facts of the kind that were found."""


def solve(parsed: ParsedQuestion, hits: Sequence[Hit]) -> Solution | None:
    """Answer from facts, when the best evidence is one.

    The best matching fact shows which kind is meant: the answer column is one that the question does not
    state, all other columns must be as in that fact. On those facts the constraints are applied.
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    if not facts or hits[0].chunk.fact is None:
        return None
    words = _words(parsed.question)
    exemplar = max(facts, key=lambda hit: (_stated(_fact(hit), words), hit.scores.final or 0.0))
    table = [hit for hit in facts if hit.chunk.document_id == exemplar.chunk.document_id]
    column = _answer_column(_fact(exemplar), table, words)
    key = _key(_fact(exemplar), column)
    considered = [hit for hit in table if _key(_fact(hit), column) == key]
    chosen = [
        hit
        for hit in considered
        if all(
            _satisfies(_fact(hit), constraint, ordered=parsed.ordinal is not None)
            for constraint in parsed.constraints
        )
    ]
    chosen.sort(key=lambda hit: _fact(hit).validity.bounds)
    if parsed.ordinal is not None and not _holds_on_a_day(parsed):
        chosen = _nth(chosen, parsed.ordinal)
    return Solution(column, ", ".join(key.values()), tuple(chosen), tuple(considered))


def _satisfies(fact: Fact, constraint: Constraint, *, ordered: bool) -> bool:
    """Whether a fact meets one constraint, by the days on record."""
    window = constraint.interval
    if window is None:
        return True
    if constraint.relation is Relation.AS_OF and window.end is not None:
        return fact.validity.intersects(day_interval(window.end - 1))
    if constraint.role is Role.END:
        return fact.end is not None and window.intersects(day_interval(fact.end))
    by_start = constraint.role is Role.START or (ordered and constraint.relation in _FROM_A_POINT_ON)
    if by_start:
        return fact.start is not None and window.intersects(day_interval(fact.start))
    if constraint.relation is Relation.UNTIL and window.end is not None:
        date = granule(window.end - 1, window.granularity)
        reaches = fact.end is None or (date.start is not None and fact.end >= date.start)
        return fact.validity.intersects(window) and reaches
    return fact.validity.intersects(window)


# With "first" or "last" these speak of when a fact begins: "the first president after 1998".
_FROM_A_POINT_ON = frozenset({Relation.AFTER, Relation.SINCE, Relation.BEFORE, Relation.BY})


def _holds_on_a_day(parsed: ParsedQuestion) -> bool:
    """Whether a day alone selects: "as of" and "current" name no place in an order."""
    return any(c.relation is Relation.AS_OF and c.ordinal in (None, "last") for c in parsed.constraints)


def _nth(hits: Sequence[Hit], ordinal: Ordinal) -> list[Hit]:
    """The hits whose fact is the n-th to begin; facts that begin on one day share a place."""
    starts = sorted({_fact(hit).validity.bounds[0] for hit in hits})
    index = {"first": 0, "last": -1}[ordinal] if isinstance(ordinal, str) else ordinal - (ordinal > 0)
    if not -len(starts) <= index < len(starts):
        return []
    return [hit for hit in hits if _fact(hit).validity.bounds[0] == starts[index]]


def _answer_column(exemplar: Fact, table: Sequence[Hit], words: frozenset[str]) -> str | None:
    """The column that is asked for: not stated itself, named by the question or else the most varied."""
    open_columns = [name for name, value in exemplar.fields if value and not _words(value) <= words]
    if not open_columns:
        return None
    named = [name for name in open_columns if _words(name) <= words]
    if named:
        return named[0]
    variety: Callable[[str], int] = lambda name: len({dict(_fact(hit).fields).get(name) for hit in table})  # noqa: E731
    return max(open_columns, key=variety)


def _key(fact: Fact, column: str | None) -> dict[str, str]:
    return {name: value for name, value in fact.fields if name != column and value}


def _stated(fact: Fact, words: frozenset[str]) -> int:
    """How many of a fact's columns the question states."""
    return sum(_words(value) <= words for _, value in fact.fields if value)


def _fact(hit: Hit) -> Fact:
    if hit.chunk.fact is None:
        raise ValueError(f"{hit.chunk.id} is not a fact")
    return hit.chunk.fact


def _words(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return frozenset(re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c))))
