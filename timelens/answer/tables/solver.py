"""The temporal solver: applies a question's constraints exactly to the facts of a table.

The row reader is asked which facts are meant (:mod:`timelens.answer.tables.linking`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.answer.sentences import sentence_of
from timelens.answer.tables.columns import (
    fact_of,
    heading_of,
    holds_numbers,
    is_mentioned,
    is_of_entries,
    is_periodic,
    subject_column,
    value_of,
)
from timelens.answer.tables.date_names import HAS_ENDED, with_named_roles
from timelens.answer.tables.fact_choice import (
    asks_for_order,
    come_or_gone,
    held_at_start,
    last_before,
    outermost,
    starts_anew,
    within_length,
    within_limit,
)
from timelens.answer.tables.linking import FactKind, Match, find_kind, widened
from timelens.answer.tables.time_constraints import satisfying
from timelens.documents import Hit
from timelens.question.asked_numbers import asks_for_extreme
from timelens.question.intent import asked_noun, asks_whether
from timelens.question.parsed_question import Intent, Ordinal, ParsedQuestion, index_of
from timelens.question.roles import Role
from timelens.temporal.constraints import Relation
from timelens.words import stems, topic_words


@dataclass(frozen=True, slots=True)
class Solution:
    """The facts of one kind that satisfy a question."""

    kind: FactKind
    chosen: tuple[Hit, ...]
    """The facts that satisfy the question, in chronological order."""
    compared: int = 0
    """The number of facts among which the one with the highest or the lowest number was chosen."""
    compared_in: str | None = None
    """The column of these numbers."""
    is_latest: bool = False
    """Whether no fact lies in the asked time, and the chosen ones are the last before it."""
    asks_for_end: bool = False
    """Whether the question names the end of rows without a time: "Which trees were felled?"."""

    @property
    def lacks_end(self) -> bool:
        """Whether the question names the end of certain rows, but none has one: "When was the van sold?"."""
        return (
            self.asks_for_end
            and bool(self.kind.key)
            and all(fact_of(hit).end is None for hit in self.kind.facts)
        )

    @property
    def subject(self) -> str:
        """The values that the facts share, as the name of their subject."""
        return ", ".join(value for _, value in self.kind.key)

    @property
    def is_of_numbers(self) -> bool:
        """Whether all chosen facts have a number in the answer column."""
        return _is_of_numbers(self.kind, self.chosen)

    @property
    def named_by(self) -> frozenset[str]:
        """The words that name the facts: of the table, its columns, and the shared values."""
        return heading_of(self.kind.table[0]) | topic_words(self.subject)

    @property
    def is_of_entries(self) -> bool:
        """Whether each row of the table has a single date."""
        return is_of_entries(self.kind.table)

    @property
    def is_periodic(self) -> bool:
        """Whether each row of the table is about one month, quarter or year."""
        return is_periodic(self.kind.table)

    @property
    def match(self) -> Match:
        """How well the facts match the question."""
        return self.kind.match


def solve(parsed: ParsedQuestion, hits: Sequence[Hit], events: Sequence[Hit] = ()) -> Solution | None:
    """Apply the question's constraints to the facts that it is about; ``None`` if no evidence is a fact.

    ``events`` is the evidence that dates events of the question. If such an event is a fact of another table,
    the facts must agree with it in the shared columns whose value the question does not state. This is a
    temporal join: the host country's leader is one of the country of the games (TDBench, Section 3).
    """
    joined: list[Hit] = []
    for event in events:
        if agreeing := _agreeing(parsed, hits, event):
            hits = agreeing
            joined.append(event)
    kind = find_kind(parsed, hits, joined=bool(joined))
    if kind is None:
        return None
    if joined:
        kind = _with_shared(kind, joined)
    parsed = with_named_roles(parsed, kind.table)
    if kind.column is None and not kind.key and parsed.intent is Intent.WHEN and asks_for_order(parsed):
        kind = replace(kind, column=_naming_column(parsed, kind))  # "when was the first one bought?"
    met = _meeting(parsed, kind)
    if not met:
        kind = widened(kind, parsed.core)
        met = _meeting(parsed, kind)
    latest = last_before(parsed, kind, met)
    met = [*held_at_start(parsed, kind, met), *met]
    met = starts_anew(parsed, kind, come_or_gone(parsed, kind, latest or met))
    met = within_length(parsed, kind, within_limit(parsed, kind, met))
    chosen = outermost(parsed, kind, _filled(parsed, kind, met))
    placed = tuple(_placed(parsed, chosen.facts))
    asks_for_end = parsed.constraints == (HAS_ENDED,)
    return Solution(
        kind, placed, chosen.compared, chosen.column, is_latest=bool(latest), asks_for_end=asks_for_end
    )


def _meeting(parsed: ParsedQuestion, kind: FactKind) -> list[Hit]:
    """The facts of a kind that meet all constraints of a question.

    One number of now cannot be compared: "what is the highest rent?" then asks about all times.
    """
    numbers = _is_of_numbers(kind, kind.facts)
    met = satisfying(parsed, kind.facts, inclusive=kind.inclusive, numbers=numbers)
    if not (numbers and parsed.present and len(met) == 1 and asks_for_extreme(parsed.question)):
        return met
    anytime = replace(parsed, present=False)
    return satisfying(anytime, kind.facts, inclusive=kind.inclusive, numbers=numbers)


def _naming_column(parsed: ParsedQuestion, kind: FactKind) -> str:
    """The column that names the rows: the one that the question mentions, else that of the subjects."""
    words = topic_words(parsed.core)
    mentioned = (name for name, _ in fact_of(kind.table[0]).fields if is_mentioned(name, words))
    return next(mentioned, subject_column(kind.table))


def _filled(parsed: ParsedQuestion, kind: FactKind, facts: Sequence[Hit]) -> list[Hit]:
    """The facts with a value in the answer column; all for yes or no."""
    column = kind.column
    return [hit for hit in facts if column is None or asks_whether(parsed.core) or value_of(hit, column)]


def _is_of_numbers(kind: FactKind, facts: Sequence[Hit]) -> bool:
    """Whether all facts have a number in the answer column of the kind."""
    return kind.column is not None and holds_numbers(facts, kind.column)


def select(parsed: ParsedQuestion, facts: Sequence[Hit], *, inclusive: bool) -> list[Hit]:
    """The facts that satisfy a question's constraints and order, in chronological order.

    ``inclusive``: the recorded end of a fact is its last day, month or year.
    """
    return _placed(parsed, satisfying(parsed, facts, inclusive=inclusive))


def _agreeing(parsed: ParsedQuestion, hits: Sequence[Hit], event: Hit) -> list[Hit]:
    """The hits that agree with an event's fact in shared columns; none, if no fact of another table does.

    Values that the question itself states are not compared. For an event from a text, see :func:`_named_by`.
    """
    if event.chunk.fact is None:
        return _named_by(parsed, hits, event)
    shared = dict(event.chunk.fact.fields)
    words = topic_words(parsed.core)

    def agrees(hit: Hit) -> bool:
        if hit.chunk.fact is None or hit.chunk.document_id == event.chunk.document_id:
            return True
        pairs = ((value, shared[name]) for name, value in hit.chunk.fact.fields if name in shared)
        return all(value == other or topic_words(value) <= words for value, other in pairs)

    kept = [hit for hit in hits if agrees(hit)]
    others = (hit.chunk.fact for hit in kept if hit.chunk.document_id != event.chunk.document_id)
    is_joined = any(fact is not None and shared.keys() & dict(fact.fields) for fact in others)
    return kept if is_joined else []


def _with_shared(kind: FactKind, events: Sequence[Hit]) -> FactKind:
    """The kind, with the values that its facts share with events in the same columns in its key."""
    shared = {field for event in events if event.chunk.fact is not None for field in event.chunk.fact.fields}
    key = set(kind.key).union(
        (name, value)
        for name, value in shared
        if name != kind.column and all(value_of(hit, name) == value for hit in kind.facts)
    )
    return replace(kind, key=tuple(field for field in fact_of(kind.facts[0]).fields if field in key))


def _named_by(parsed: ParsedQuestion, hits: Sequence[Hit], event: Hit) -> list[Hit]:
    """Facts with a value that an event's sentence or title contains; none, if there are no such facts.

    Only columns are compared that the question names ("country" in "the host country") without stating their
    value or asking for it.
    """
    words = topic_words(parsed.core)
    fields = [field for hit in hits if hit.chunk.fact is not None for field in hit.chunk.fact.fields]
    settled = {name for name, value in fields if topic_words(value) <= words}
    named = words - topic_words(asked_noun(parsed.question))
    columns = {name for name, _ in fields if topic_words(name) <= named} - settled
    told = f" {stems(f'{event.chunk.title} {sentence_of(event)}')} "

    def is_named(hit: Hit) -> bool:
        fields = [] if hit.chunk.fact is None else hit.chunk.fact.fields
        return any(name in columns and f" {stems(value)} " in told for name, value in fields)

    return [hit for hit in hits if columns and is_named(hit)]


def _placed(parsed: ParsedQuestion, met: Sequence[Hit]) -> list[Hit]:
    """Facts in chronological order; if the question has an order, only those at the asked place."""
    chosen = sorted(met, key=lambda hit: fact_of(hit).validity.bounds)
    if parsed.ordinal is not None and not _holds_on_a_day(parsed):
        by_end = all(constraint.role is Role.END for constraint in parsed.constraints)
        chosen = _nth(chosen, parsed.ordinal, parsed.count, by_end=by_end)
    return chosen


def _holds_on_a_day(parsed: ParsedQuestion) -> bool:
    """Whether a day alone selects the facts: "as of" and "current" are not a place in an order."""
    if parsed.count > 1:
        return False
    return any(c.relation is Relation.AS_OF and c.ordinal in (None, "last") for c in parsed.constraints)


def _nth(hits: Sequence[Hit], ordinal: Ordinal, count: int, *, by_end: bool) -> list[Hit]:
    """The hits whose fact is the n-th to start, or to end; facts with the same start or end share a place.

    With a ``count`` above 1, the first or last ``count`` facts, and any that start with the outermost.
    """
    starts = [fact_of(hit).end or 0 if by_end else fact_of(hit).validity.bounds[0] for hit in hits]
    places = sorted(set(starts)) if count == 1 else sorted(starts)
    index = index_of(ordinal)
    if count > 1 and places:
        index = min(count, len(places)) - 1 if index == 0 else max(-count, -len(places))
    if not -len(places) <= index < len(places):
        return []
    outermost = places[index]
    if count == 1:
        return [hit for hit, start in zip(hits, starts, strict=True) if start == outermost]
    first = ordinal == "first"
    return [
        hit
        for hit, start in zip(hits, starts, strict=True)
        if (start <= outermost if first else start >= outermost)
    ]
