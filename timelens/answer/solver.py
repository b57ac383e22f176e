"""The temporal solver: a question's constraints applied exactly to the facts of a table. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from pathlib import Path

from timelens.answer.topic import Topic
from timelens.documents import Fact, Hit
from timelens.question.intent import asked_noun
from timelens.question.model import Constraint, Intent, Ordinal, ParsedQuestion
from timelens.question.names import is_person
from timelens.question.roles import Role
from timelens.question.words import topic_words
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import day_interval, granule

_CLEARLY = 0.85
"""A value stands out when no other comes closer to the question than this part of its similarity."""

_MOSTLY = 0.5
"""The share of a value's words by which a question names it: "Merkel" for "Angela Merkel"."""

_OFFERS = re.compile(r"\bor\b")


class Match(IntEnum):
    """How well what a question asks for matches what the facts can tell."""

    NONE = 0
    """They are not about all that it names, or cannot hold what it asks for."""
    POSSIBLE = 1
    """Nothing speaks against it."""
    STATED = 2
    """What is asked for is in the words of the table, or is the time of a fact that the question names."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What the facts of one kind say."""

    column: str | None
    """The column that answers; ``None`` when the time is what is asked for."""
    subject: str
    """What the facts are about, in the words of the table."""
    chosen: tuple[Hit, ...]
    """The facts that satisfy the question, in chronological order."""
    considered: tuple[Hit, ...]
    """All facts of the kind that were found."""
    fit: float
    """The share of the question's words that the facts, their columns and their table account for, 0..1."""
    match: Match


def solve(parsed: ParsedQuestion, hits: Sequence[Hit]) -> Solution | None:
    """Answer from the facts among the evidence; ``None`` if there are none.

    The fact that has most of the question's words shows which kind is meant. The answer column is one that the
    question does not state. The facts of the kind agree with that one in every other column that the question
    states, or in which its value stands out ("King" for "Monarch"). To them the constraints are applied.
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    if not facts:
        return None
    topic = Topic(parsed.core, map(_words, facts))

    def nearness(hit: Hit) -> tuple[float, float, float]:
        stated = sum(_stated(value, topic.words)[0] for _, value in _fact(hit).fields)
        return topic.weight(_words(hit) | _heading(hit)), stated, hit.scores.semantic or 0.0

    exemplar = max(facts, key=nearness)
    table = [hit for hit in facts if hit.chunk.document_id == exemplar.chunk.document_id]
    offered = _alternatives(table, topic.words) if _OFFERS.search(parsed.question) else None
    column: str | None
    if offered is not None:
        column, table = offered
        exemplar = max(table, key=nearness)
    elif parsed.intent in _OF_TIME and _names(_fact(exemplar), _varied(table), topic.words):
        column = None
    else:
        column = _answer_column(_fact(exemplar), table, topic.words)
    key, considered = _kind(exemplar, table, column, topic.words)
    chosen = _satisfying(parsed, considered)
    chosen.sort(key=lambda hit: _fact(hit).validity.bounds)
    if parsed.ordinal is not None and not _holds_on_a_day(parsed):
        chosen = _nth(chosen, parsed.ordinal)
    described = topic_words(" ".join(key.values())) | _heading(exemplar)
    told = described.union(*map(_words, considered))
    match = Match.NONE if topic.missing(told) else _match(parsed, column, key, table, topic, told)
    if offered is not None:
        match = Match.STATED
    if parsed.intent is Intent.DURATION and not parsed.current and all(_fact(hit).end is None for hit in chosen):
        match = Match.NONE
    return Solution(column, ", ".join(key.values()), tuple(chosen), tuple(considered), topic.share(told), match)


def _match(
    parsed: ParsedQuestion,
    column: str | None,
    key: Mapping[str, str],
    table: Sequence[Hit],
    topic: Topic,
    told: AbstractSet[str],
) -> Match:
    """How well the answer column, or the time of the facts, matches what the question asks for.

    A person has no number for a name. What "which" asks for is a word of the table, and not one of a name in
    the question ("which American state"). And who or what is known already is not asked for by something
    coarser, such as its country.
    """
    if column is None:
        return Match.STATED if parsed.intent in _OF_TIME else Match.NONE
    named = column in _named(table, topic.words)
    if parsed.intent in _OF_TIME or not (named or (key and _varied(table) not in key)):
        return Match.NONE
    if _WHO.search(parsed.question):
        values = {dict(_fact(hit).fields).get(column, "") for hit in table}
        return Match.POSSIBLE if any(is_person(value) for value in values) else Match.NONE
    asked = asked_noun(parsed.question)
    plain = topic_words(" ".join(word for word in asked.split() if word.islower())) & topic.words
    if plain:
        return Match.STATED if topic.weight(plain & (told - topic.in_names)) >= _MOSTLY * topic.weight(plain) else Match.POSSIBLE
    return Match.STATED if asked else Match.POSSIBLE


_WHO = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)


def _named(table: Sequence[Hit], words: AbstractSet[str]) -> list[str]:
    """The columns whose names the question has."""
    return [name for name, _ in _fact(table[0]).fields if _stated(name, words)[0] == 1]


def _heading(hit: Hit) -> frozenset[str]:
    """The words of the table's name and of its columns."""
    return topic_words(" ".join([Path(hit.chunk.document_id).stem, *dict(_fact(hit).fields)]))


def _varied(table: Sequence[Hit]) -> str:
    """The column with most different values: what the facts are facts of."""
    values: dict[str, set[str]] = {}
    for hit in table:
        for name, value in _fact(hit).fields:
            values.setdefault(name, set()).add(value)
    return max(values, key=lambda name: len(values[name]))


_OF_TIME = frozenset({Intent.WHEN, Intent.DURATION})
"""What asks for the time of a fact that it names."""


def _kind(
    exemplar: Hit, table: Sequence[Hit], column: str | None, words: frozenset[str]
) -> tuple[dict[str, str], list[Hit]]:
    """What the facts of the exemplar's kind have in common, and those facts.

    The columns of which the question states most come first: they decide what the others are compared among.
    """
    key: dict[str, str] = {}
    considered = list(table)
    fields = sorted(_fact(exemplar).fields, key=lambda field: _stated(field[1], words), reverse=True)
    for name, value in fields:
        if name != column and value and _is_meant(considered, name, value, words):
            key[name] = value
            considered = [hit for hit in considered if dict(_fact(hit).fields).get(name) == value]
    return {name: key[name] for name, _ in _fact(exemplar).fields if name in key}, considered


def _is_meant(facts: Sequence[Hit], name: str, value: str, words: frozenset[str]) -> bool:
    """Whether a question means this value of a column rather than any other.

    It states more of it than of any other; or it states none, and the facts with it are clearly nearer.
    """
    stated: dict[str, tuple[float, int]] = {}
    nearest: dict[str, float] = {}
    for hit in facts:
        of = dict(_fact(hit).fields).get(name, "")
        stated[of] = _stated(of, words)
        nearest[of] = max(nearest.get(of, 0.0), hit.scores.semantic or 0.0)
    share, similarity = stated.pop(value), nearest.pop(value)
    most = max(stated.values(), default=(0.0, 0))
    if share[0] > 0 or most[0] > 0:
        return share > most
    return max(nearest.values(), default=0.0) <= _CLEARLY * similarity


def _names(exemplar: Fact, column: str, words: frozenset[str]) -> bool:
    """Whether the question names a fact: it states at least half of its value in a column."""
    return _stated(dict(exemplar.fields).get(column, ""), words)[0] >= _MOSTLY


def _satisfying(parsed: ParsedQuestion, facts: Sequence[Hit]) -> list[Hit]:
    """The facts that meet all constraints; of times that no one fact can share, those that meet any."""

    def meets(hit: Hit, constraint: Constraint) -> bool:
        return _satisfies(_fact(hit), constraint, ordered=parsed.ordinal is not None)

    chosen = [hit for hit in facts if all(meets(hit, constraint) for constraint in parsed.constraints)]
    if not chosen:  # tables that record the last day of each fact leave a gap of a day before the next
        chosen = [hit for hit in facts if all(_ends_on(_fact(hit), c) for c in parsed.constraints)]
    if not chosen and _are_apart(parsed.constraints):
        chosen = [hit for hit in facts if any(meets(hit, constraint) for constraint in parsed.constraints)]
    if parsed.present:
        now = day_interval(parsed.reference_day)
        chosen = [hit for hit in chosen if _fact(hit).validity.intersects(now)] or chosen
    return chosen


def _ends_on(fact: Fact, constraint: Constraint) -> bool:
    """Whether a day that is asked for is the last day on record of a fact."""
    window = constraint.interval
    if window is None or window.end is None or fact.end is None or constraint.role is not Role.HELD:
        return False
    day = day_interval(window.end - 1)
    asked = constraint.relation is Relation.AS_OF or window.same_days(day)
    return asked and day.start == fact.end


def _are_apart(constraints: Sequence[Constraint]) -> bool:
    """Whether they name separate times of the same thing: "in 1995 and in 2005"."""
    windows = [c.interval for c in constraints if c.interval is not None and c.role is Role.HELD]
    pairs = combinations(windows, 2)
    return len(windows) == len(constraints) > 1 and not any(a.intersects(b) for a, b in pairs)


def _satisfies(fact: Fact, constraint: Constraint, *, ordered: bool) -> bool:
    """Whether a fact meets one constraint, by the days on record."""
    window = constraint.interval
    if window is None:
        return True
    if constraint.relation is Relation.AS_OF and window.end is not None:
        return fact.validity.intersects(day_interval(window.end - 1))
    if constraint.role is Role.END:
        return fact.end is not None and window.intersects(day_interval(fact.end))
    if constraint.role is Role.START or (ordered and constraint.relation in _FROM_A_POINT_ON):
        return fact.start is not None and window.intersects(day_interval(fact.start))
    if constraint.relation is Relation.UNTIL and window.end is not None:
        limit = granule(window.end - 1, window.granularity)
        return fact.validity.bounds[0] < window.end and (fact.end is None or limit.bounds[0] <= fact.end)
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


def _alternatives(table: Sequence[Hit], words: frozenset[str]) -> tuple[str, list[Hit]] | None:
    """The column of which the question names several values to choose from, and the facts with these."""
    for name, _ in _fact(table[0]).fields:
        offered = [hit for hit in table if _stated(dict(_fact(hit).fields).get(name, ""), words)[0] == 1]
        if len({topic_words(dict(_fact(hit).fields)[name]) for hit in offered}) > 1:
            return name, offered
    return None


def _answer_column(exemplar: Fact, table: Sequence[Hit], words: frozenset[str]) -> str | None:
    """The column that is asked for: not stated itself, named by the question or else the most varied.

    Words that name a stated value ("Bank Rate") do not name a column ("Bank").
    """
    open_columns = [name for name, value in exemplar.fields if value and _stated(value, words)[0] < 1]
    if not open_columns:
        return None
    stated = [topic_words(value) for _, value in exemplar.fields if value and _stated(value, words)[0] == 1]
    free = words.difference(*stated)
    named = [name for name in open_columns if _stated(name, free)[0] == 1]
    if named:
        return named[0]
    variety: Callable[[str], int] = lambda name: len({dict(_fact(hit).fields).get(name) for hit in table})  # noqa: E731
    return max(open_columns, key=variety)


def _words(hit: Hit) -> frozenset[str]:
    return topic_words(" ".join(value for _, value in _fact(hit).fields))


def _stated(value: str, words: AbstractSet[str]) -> tuple[float, int]:
    """The part of a value's words that the question has, and their number."""
    of_value = topic_words(value)
    return (len(of_value & words) / len(of_value), len(of_value & words)) if of_value else (0.0, 0)


def _fact(hit: Hit) -> Fact:
    if hit.chunk.fact is None:
        raise ValueError(f"{hit.chunk.id} is not a fact")
    return hit.chunk.fact
