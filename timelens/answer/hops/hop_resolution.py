"""Resolves the descriptions of a question (hops) from the evidence: to one certain name, or none. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence

from timelens.answer.hops.resolved_hop import SILENT, UNDATED, ResolvedHop, UnresolvedHop
from timelens.answer.hops.successors import Successor, successors
from timelens.answer.hops.table_orders import OVERLAP, Outcome, orders_of, side_of
from timelens.answer.relevance import ASKING
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    fact_of,
    heading_of,
    value_of,
    words_for_columns,
    words_of_row,
)
from timelens.answer.tables.linking import Match
from timelens.answer.tables.solver import solve
from timelens.answer.text.event_dates import DatedEvent, date_event
from timelens.answer.text.held_states import date_state
from timelens.answer.text.picked_spans import is_sure
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
_OF_A_TERM = topic_words(
    "office power charge position post role term took take hold held serve led ran govern rule"
)
"""Words that any term covers."""


def neighbour(
    hop: Hop, named: str, known: ResolvedHop | None, hits: Sequence[Hit], words: str
) -> ResolvedHop | UnresolvedHop:
    """Resolves a hop to the predecessor or successor of ``named`` (by ``hop.later``).

    ``known`` is the result of the earlier hop that gave ``named``, if any. Facts of the same kind are ordered
    by their starts; without such facts, texts that state who succeeded whom are used.
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    orders = list(orders_of(hop, named, known, facts))
    if orders:
        best = max(one.told for one in orders)
        found = [pair for one in orders if one.told == best for pair in one.neighbours(later=hop.later)]
        return _one(hop, words, found)
    return _by_text(hop, named, hits, words)


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
    return side_of(last, later=False) >= side_of(first, later=True) - OVERLAP


def _one(
    hop: Hop, words: str, found: Sequence[Outcome], rests_on: Sequence[Hit] = ()
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
        values = [Outcome(value_of(hit, column), [hit]) for hit in solution.chosen]
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
    if dated is None or dated.hit.chunk.fact is None:
        dated = date_state(event, hits) or dated
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
    named = [found.hit.chunk.title, found.hop.head]
    known = topic_words(" ".join([*named, *dict(fact.fields), *dict(fact.fields).values()]))
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
