"""Resolves the descriptions of a question (hops) from the evidence: to one certain name, or none. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

from timelens.answer.hops.successors import Successor, successors
from timelens.answer.relevance import ASKING, OFFICES
from timelens.answer.tables.columns import fact_of, heading_of, value_of, words_for_columns, words_of_row
from timelens.answer.tables.linking import OF_ANY_FACT, Match
from timelens.answer.tables.solver import solve
from timelens.answer.text.answer_selection import is_sure
from timelens.answer.text.event_dates import DatedEvent, date_event
from timelens.answer.text.registers import answering_lines, as_evidence, register_lines
from timelens.answer.text.sentence_match import AnswerType, answer_type_of
from timelens.answer.text.value_statements import agreed_picks
from timelens.documents import Hit
from timelens.question.hops.hop import Hop, filled
from timelens.question.names import is_person
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.roles import END_VERBS, START_VERBS, Role, role_of
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_TOLD = 0.6
"""Minimum share of a question's words covered by facts that resolve it with certainty."""
_OVERLAP = 31
"""Days by which consecutive terms may overlap if there is one holder at a time."""
_YEAR = 366
"""Days within which a post that moves to another place is filled again."""
_MOSTLY = 0.8
"""Minimum share of terms that do not overlap if there is one holder at a time."""
_NEARLY_ALL = 0.9
"""The same share for a whole table, grouped by its other columns."""
_OF_A_TERM = topic_words(
    "office power charge position post role term took take hold held serve led ran govern rule"
)
"""Words that any term covers."""


@dataclass(frozen=True, slots=True)
class ResolvedHop:
    """A resolved description."""

    hop: Hop
    words: str
    """The description, with names in place of references to earlier hops."""
    name: str
    interval: Interval | None
    """The days of its term, if known; from a text, only the start (open end)."""
    hit: Hit
    rests_on: tuple[Hit, ...] = ()
    """Further evidence it rests on: the row of its neighbour, the events of its question."""

    @property
    def is_exact(self) -> bool:
        """Whether a table records it."""
        return self.hit.chunk.fact is not None


@dataclass(frozen=True, slots=True)
class UnresolvedHop:
    """A description that cannot be resolved with certainty."""

    words: str
    why: str

    @property
    def text(self) -> str:
        """The message for the user."""
        return f"“{self.words}”: {self.why}."


SILENT = "the corpus does not say who or what that is"
"""The reason if the evidence does not resolve a description."""


UNDATED = "the corpus does not say when that was"
"""The reason if the evidence does not date an event."""


def neighbour(
    hop: Hop, named: str, known: ResolvedHop | None, hits: Sequence[Hit], words: str
) -> ResolvedHop | UnresolvedHop:
    """Resolves a hop to the predecessor or successor of ``named`` (by ``hop.later``).

    ``known`` is the result of the earlier hop that gave ``named``, if any. Facts of the same kind are ordered
    by their starts; without such facts, texts that state who succeeded whom are used.
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    series = list(_series(hop, named, known, facts))
    if series:
        best = max(one.told for one in series)
        found = [pair for one in series if one.told == best for pair in one.neighbours(later=hop.later)]
        return _one(hop, words, found)
    return _by_text(hop, named, hits, words)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A candidate for a hop."""

    name: str
    hits: Sequence[Hit]
    """The facts of its term, in chronological order."""
    beside: Hit | None = None
    """The neighbouring fact."""


@dataclass(frozen=True, slots=True)
class _Series:
    """Facts that form one order in time, at least one of them about ``named``."""

    column: str
    facts: tuple[Hit, ...]
    named: frozenset[str]
    """The chunk ids of the facts about the name."""
    told: int
    """How many words of the hop occur in the document name, columns and key of the series."""

    def neighbours(self, *, later: bool) -> Iterator["_Outcome"]:
        """The runs of facts with one value that directly follow (or precede) each run of the name."""
        ordered = sorted(self.facts, key=lambda hit: fact_of(hit).validity.bounds)
        runs = [list(run) for _, run in groupby(ordered, key=lambda hit: value_of(hit, self.column))]
        for one, other in pairwise(runs):
            before, after = (one, other) if later else (other, one)
            if any(hit.chunk.id in self.named for hit in before):
                yield _Outcome(value_of(after[0], self.column), after, before[-1] if later else before[0])


def _series(hop: Hop, named: str, known: ResolvedHop | None, facts: Sequence[Hit]) -> Iterator[_Series]:
    """The series that contain ``named``, one for each kind of facts."""
    asked = topic_words(f"{hop.head} {hop.about}") - ASKING - topic_words(named)
    head = topic_words(hop.head) - ASKING - topic_words(named)
    places = list(_places(named, known, facts))
    for document, column, value, key in dict.fromkeys(places):
        table = [hit for hit in facts if hit.chunk.document_id == document]
        same = [hit for hit in table if key == _key(hit, column)]
        own = topic_words(" ".join([Path(document).stem, column, *dict(key), *dict(key).values()]))
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
            yield _Series(column, tuple(facts_of_it), ids, len(asked & own))


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


def is_about(hit: Hit, words: str) -> bool:
    """Whether a row, with its table and columns, has all informative words of a description."""
    own = heading_of(hit) | words_of_row(hit) | words_for_columns(hit)
    return topic_words(words) - ASKING - _OF_A_TERM <= own


def is_adjoining(found: ResolvedHop) -> bool:
    """Whether a neighbouring row begins when the row beside it ends, or later, and not while it lasts."""
    beside = next((hit for hit in found.rests_on if hit.chunk.fact is not None), None)
    if beside is None:
        return True
    first, last = (beside, found.hit) if found.hop.later else (found.hit, beside)
    return _side(last, later=False) >= _side(first, later=True) - _OVERLAP


def series_of(named: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Queries that retrieve the complete series containing ``named``."""
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
    return [end is not None and start is not None and end - start <= _OVERLAP for end, start in pairs]


def _has_next(facts: Sequence[Hit], column: str, value: str, *, later: bool) -> bool:
    """Whether another value starts after (or ends before) a value, depending on ``later``."""
    ends = [_side(hit, later=not later) for hit in facts if value_of(hit, column) == value]
    others = [_side(hit, later=not later) for hit in facts if value_of(hit, column) != value]
    return any(other > end if later else other < end for end in ends for other in others)


def _side(hit: Hit, *, later: bool) -> float:
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
    sides = [_side(hit, later=later) for hit in order if value_of(hit, column) == value]
    others = [_side(hit, later=not later) for hit in order if value_of(hit, column) != value]
    gaps = [(other - side) if later else (side - other) for side in sides for other in others]
    return any(-_OVERLAP <= gap <= _YEAR for gap in gaps)


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
        to_the_day = any(abs(_side(hit, later=not later) - _side(one, later=later)) <= 1 for one in own)
        told = topic_words(" ".join(name for pair in _key(hit, column) for name in pair))
        if sum(differing) == 1 < len(differing) and to_the_day and head <= told:
            found.append(hit)
    return found if len(found) == 1 else []


def _key(hit: Hit, column: str) -> tuple[tuple[str, str], ...]:
    return tuple(field for field in fact_of(hit).fields if field[0] != column)


def _one(
    hop: Hop, words: str, found: Sequence[_Outcome], rests_on: Sequence[Hit] = ()
) -> ResolvedHop | UnresolvedHop:
    """The only name among the outcomes; with its days if it has a single term."""
    names = list(dict.fromkeys(one.name for one in found))
    if not names:
        return UnresolvedHop(words, SILENT)
    if len(names) > 1:
        return UnresolvedHop(words, f"more than one is possible ({', '.join(names)})")
    terms = {tuple(hit.chunk.id for hit in one.hits): one for one in found}
    outcome = next(iter(terms.values()))
    first, last = fact_of(outcome.hits[0]), fact_of(outcome.hits[-1])
    days = Interval(first.start, last.validity.end, first.granularity) if len(terms) == 1 else None
    beside = (*rests_on, *filter(None, [outcome.beside]))
    return ResolvedHop(hop, words, names[0], days, outcome.hits[0], beside)


def _by_text(hop: Hop, named: str, hits: Sequence[Hit], words: str) -> ResolvedHop | UnresolvedHop:
    told = list(successors(named, [hit for hit in hits if hit.chunk.fact is None], later=hop.later))
    people = {person.name.split()[-1].casefold(): person for person in reversed(told)}
    if len(people) != 1:
        several = ", ".join(sorted(person.name for person in people.values()))
        return UnresolvedHop(words, f"more than one is possible ({several})" if people else SILENT)
    person = told[0]
    return ResolvedHop(hop, words, person.name, _began(person), person.hit)


def _began(person: Successor) -> Interval | None:
    if person.day is None or person.day.start is None:
        return None
    return Interval(person.day.start, None, person.day.granularity)


def held(
    hop: Hop, parsed: ParsedQuestion, hits: Sequence[Hit], events: Sequence[DatedEvent], words: str
) -> ResolvedHop | UnresolvedHop:
    """Resolves a hop that is a question by itself, from table rows, register lines or a sure pick."""
    if parsed.implicit:
        return UnresolvedHop(parsed.implicit[0].text, UNDATED)
    rests_on = tuple(event.hit for event in events)
    solution = solve(parsed, hits, [event.hit for event in events])
    column = solution.kind.column if solution is not None else None
    if solution is not None and column and solution.match is not Match.NONE and solution.kind.fit >= _TOLD:
        values = [_Outcome(value_of(hit, column), [hit]) for hit in solution.chosen]
        wants_person = answer_type_of(parsed.question) is AnswerType.PERSON
        if not wants_person or any(_may_be_called(value.name) for value in values):
            return _one(hop, words, values, rests_on)
    texts = [hit for hit in hits if hit.chunk.fact is None]
    stated = answering_lines(parsed, register_lines(parsed, texts, events), events)
    if stated and len({record.value for record in stated}) == 1:
        record = stated[0]
        return ResolvedHop(hop, words, record.value, record.interval, as_evidence(record), rests_on)
    found = agreed_picks(parsed, texts)
    if is_sure(found):
        return ResolvedHop(hop, words, found[0].text, None, found[0].hit, rests_on)
    return UnresolvedHop(words, SILENT)


def _may_be_called(value: str) -> bool:
    return is_person(value) or re.match(r"[^\W\d_a-z][^\W\d_]+(?:\s|$)", value) is not None


def property_of(noun: str, of: str, hits: Sequence[Hit]) -> str | None:
    """The value of the column ``noun`` in the rows with the value ``of``; ``None`` unless it is unique."""
    thing, wanted = topic_words(of), topic_words(noun)
    found = {
        value
        for hit in hits
        if hit.chunk.fact is not None and any(topic_words(v) == thing for _, v in hit.chunk.fact.fields)
        for column, value in hit.chunk.fact.fields
        if value and topic_words(column) and topic_words(column) <= wanted
    }
    return found.pop() if len(found) == 1 else None


def terms(parsed: ParsedQuestion, found: Sequence[ResolvedHop]) -> Iterator[DatedEvent]:
    """The question's events that are terms of resolved descriptions, with their days."""
    for implicit in parsed.implicit:
        for one in reversed(found):
            is_open = parsed.ordinal == "first"  # "first" may be searched from the start of a term on
            if (
                one.name in implicit.text
                and one.interval is not None
                and _is_term(one, implicit.text, is_open=is_open)
            ):
                yield DatedEvent(implicit.text, one.interval, one.hit)
                break


def date_told(event: ParsedQuestion, hits: Sequence[Hit], found: Sequence[ResolvedHop]) -> DatedEvent | None:
    """The event with its days, or ``None`` if the evidence does not state them."""
    dated = date_event(event, hits)
    return dated if dated is not None and _is_told(dated, found) else None


def _is_told(event: DatedEvent, found: Sequence[ResolvedHop]) -> bool:
    """Whether the evidence is about the event: the row of a term dates only its beginning and end."""
    about = [one for one in found if one.name in event.text and one.hit.chunk.id == event.hit.chunk.id]
    return event.hit.chunk.fact is None or all(_is_term(one, event.text) for one in about)


def _is_term(found: ResolvedHop, clause: str, *, is_open: bool = False) -> bool:
    """Whether a clause says only that the term held, began or ended, in words that its fact covers.

    For a term from a text, only the start is known; with ``is_open``, clauses that it held are accepted too.
    """
    if not found.is_exact:
        roles = {Role.START, Role.HELD} if is_open else {Role.START}
        return role_of(clause) in roles and not _further(clause, found, topic_words("office president"))
    fact = fact_of(found.hit)
    stem = Path(found.hit.chunk.document_id).stem
    known = topic_words(" ".join([stem, found.hop.head, *dict(fact.fields), *dict(fact.fields).values()]))
    return not _further(clause, found, known)


def _further(clause: str, found: ResolvedHop, known: frozenset[str]) -> frozenset[str]:
    """The words of a clause beyond those for holding, beginning or ending and the ``known`` ones."""
    rest = clause.replace(found.name, " ")
    being = topic_words(found.hop.being)
    for verbs in (START_VERBS, END_VERBS):
        rest = verbs.sub(" ", rest)
    rest = re.sub(r"\bin\s+[A-Z]\w+", " ", rest)
    return topic_words(rest) - known - being - OF_ANY_FACT - _OF_A_TERM - ASKING


def names(found: Sequence[ResolvedHop]) -> Mapping[int, str]:
    """The resolved name of each hop, by its number."""
    return {one.hop.number: one.name for one in found}


def words_of(hop: Hop, found: Sequence[ResolvedHop]) -> str:
    """The description of a hop, with names in place of references to earlier hops."""
    return filled(hop.text, names(found))
