"""The temporal solver: applies a question's constraints exactly to the facts of a table.

The row reader is asked which facts are meant (:mod:`timelens.answer.tables.linking`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from timelens.answer.sentences import sentence_of
from timelens.answer.tables.columns import (
    fact_of,
    heading_of,
    holds_numbers,
    is_of_entries,
    is_periodic,
    value_of,
)
from timelens.answer.tables.fact_choice import (
    come_or_gone,
    last_before,
    outermost,
    starts_anew,
    within_limit,
)
from timelens.answer.tables.linking import FactKind, Match, find_kind, widened
from timelens.documents import Fact, Hit
from timelens.question.asked_numbers import asks_for_extreme
from timelens.question.intent import asked_noun, asks_whether, is_change, tells_course
from timelens.question.parsed_question import Constraint, Ordinal, ParsedQuestion, PeriodRole, index_of
from timelens.question.roles import Role
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import Interval, day_interval, granule, year_interval
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
    met = _meeting(parsed, kind)
    if not met:
        kind = widened(kind, parsed.core)
        met = _meeting(parsed, kind)
    latest = last_before(parsed, kind, met)
    met = starts_anew(parsed, kind, come_or_gone(parsed, kind, latest or met))
    met = within_limit(parsed, kind, met)
    chosen = outermost(parsed, kind, _filled(parsed, kind, met))
    placed = tuple(_placed(parsed, chosen.facts))
    return Solution(kind, placed, chosen.compared, chosen.column, is_latest=bool(latest))


def _meeting(parsed: ParsedQuestion, kind: FactKind) -> list[Hit]:
    """The facts of a kind that meet all constraints of a question.

    One number of now cannot be compared: "what is the highest rent?" then asks about all times.
    """
    numbers = _is_of_numbers(kind, kind.facts)
    met = _satisfying(parsed, kind.facts, inclusive=kind.inclusive, numbers=numbers)
    if not (numbers and parsed.present and len(met) == 1 and asks_for_extreme(parsed.question)):
        return met
    anytime = replace(parsed, present=False)
    return _satisfying(anytime, kind.facts, inclusive=kind.inclusive, numbers=numbers)


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
    return _placed(parsed, _satisfying(parsed, facts, inclusive=inclusive))


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
        chosen = _nth(chosen, parsed.ordinal, parsed.count)
    return chosen


def _satisfying(
    parsed: ParsedQuestion, facts: Sequence[Hit], *, inclusive: bool, numbers: bool = False
) -> list[Hit]:
    """The facts that meet all constraints; if the constraints are disjoint times, those that meet any.

    A constraint on neither start nor end has a narrow reading (see :func:`_narrowly`), which is used if any
    fact meets it, and a wide one: the fact held at some time in the admitted days. ``numbers``: the answer
    column holds numbers.
    """
    constraints = [_as_recorded(constraint, facts) for constraint in parsed.constraints]
    alone = len(constraints) == 1
    compared = any(period.role in _COMPARED for period in parsed.periods)
    ordered = parsed.ordinal is not None
    today = parsed.reference_day
    later = Interval(today + 1, None)

    def widely(hit: Hit, constraint: Constraint) -> bool:
        fact = fact_of(hit)
        if fact.end is None and constraint.role is Role.END and not alone:
            # "began before 2014 and ended after 2019": a fact without an end ends after today
            return constraint.interval is None or constraint.interval.contains(later)
        if alone and fact.end is None and constraint.role is Role.HELD and _is_ahead(constraint, today):
            return False  # a fact without an end is not known to hold in the future
        days = fact.held(inclusive=inclusive)
        return _satisfies(fact, days, constraint, ordered=ordered, several=parsed.count > 1)

    def narrowly(hit: Hit, constraint: Constraint) -> bool:
        meets = _narrowly(fact_of(hit), constraint, alone=alone and not compared, numbers=numbers)
        return widely(hit, constraint) if meets is None else meets

    chosen: list[Hit] = []
    begins = all(constraint.role is Role.START for constraint in constraints)
    if not ordered and (begins or not _names_course(parsed)):
        chosen = [hit for hit in facts if all(narrowly(hit, constraint) for constraint in constraints)]
    if not chosen:
        chosen = [hit for hit in facts if all(widely(hit, constraint) for constraint in constraints)]
    if not chosen and _are_apart(constraints):
        chosen = [hit for hit in facts if any(widely(hit, constraint) for constraint in constraints)]
    if parsed.present:
        now = day_interval(parsed.reference_day)
        chosen = [hit for hit in chosen if fact_of(hit).validity.intersects(now)] or chosen
    return chosen


def _as_recorded(constraint: Constraint, facts: Sequence[Hit]) -> Constraint:
    """The constraint, with the days that the rows record for the years that it names, such as "2018/19".

    Its own days if the rows have no such years among their values.
    """
    relation, named = constraint.relation, _ONE_YEAR.findall(constraint.text)
    if not named or constraint.interval is None or not isinstance(relation, Relation):
        return constraint
    recorded = {
        _plain_year(value): fact_of(hit).validity
        for hit in facts
        for _, value in fact_of(hit).fields
        if _ONE_YEAR.fullmatch(value)
    }
    days = [recorded.get(_plain_year(each)) for each in named]
    first, last = days[0], days[-1]
    if first is None or last is None or not first.bounds[0] <= last.bounds[0]:
        return constraint
    if relation.takes_two_dates and len(days) == 1:
        return replace(constraint, interval=_with_end(constraint.interval, named[0], first))
    return replace(constraint, interval=admitted(relation, first, last))


def _with_end(window: Interval, named: str, recorded: Interval) -> Interval:
    """The window with the recorded days of a year such as "2018/19" in place of its calendar years.

    The year is all of the window, its beginning ("from 2018/19 until now") or its end.
    """
    first, last = int(named[:4]), int(f"{named[:2]}{named[-2:]}")
    start, end = year_interval(first, last).bounds
    begins, ends = window.bounds[0] == start, window.bounds[1] == end
    if begins == ends:
        return recorded
    if begins:
        return replace(window, start=recorded.start)
    return replace(window, end=recorded.end)


def _plain_year(stated: str) -> str:
    """A year such as "2018/19" without the sign between its parts, and with two figures for the second."""
    return f"{stated[:4]}{stated[-2:]}"


def _names_course(parsed: ParsedQuestion) -> bool:
    """Whether the words of a question ask for a change or a course; then all facts of its time are meant."""
    relations = (one.relation for one in parsed.constraints)
    of_range = any(isinstance(one, Relation) and one.takes_two_dates for one in relations)
    return is_change(parsed.question) or (of_range and tells_course(parsed.question))


def _is_ahead(constraint: Constraint, today: Day) -> bool:
    """Whether all days of a constraint are later than ``today``."""
    window = constraint.interval
    if window is None:
        return False
    asked = _last_date(window) if constraint.relation is Relation.AS_OF else window
    return asked.start is not None and asked.start > today


def _narrowly(fact: Fact, constraint: Constraint, *, alone: bool, numbers: bool) -> bool | None:
    """Whether a fact meets the narrow reading of a constraint; ``None`` if it has no narrow reading.

    *After* or *since* a day: the fact started then. *From* one date *to* another, or *between* them: it
    started in the first and ended in the second (Allen's *equal*). *Until* a date: it ended in that date.
    With other constraints or a compared time (not ``alone``), "after 1998" and "from 1998 to 2003" have no
    narrow reading; neither has the latter for ``numbers``, because all values of a rate are asked for.
    """
    window = constraint.interval
    if window is None or constraint.role is not Role.HELD:
        return None
    match constraint.relation:
        case Relation.AFTER | Relation.SINCE if alone:
            return _is_in(fact.start, window)
        case Relation.FROM_TO | Relation.BETWEEN if alone and (
            not numbers or _ONE_YEAR.search(constraint.text)
        ):
            return _is_in(fact.start, _first_date(window)) and _is_in(fact.end, _last_date(window))
        case Relation.UNTIL if not _AT_LEAST.search(constraint.text):
            return _is_in(fact.end, _last_date(window))
        case _:
            return None


def _is_in(day: Day | None, window: Interval) -> bool:
    return day is not None and window.intersects(day_interval(day))


def _first_date(window: Interval) -> Interval:
    """The first granule of a window: its first day, month or year."""
    return window if window.start is None else granule(window.start, window.granularity)


def _last_date(window: Interval) -> Interval:
    """The last granule of a window."""
    return window if window.end is None else granule(window.end - 1, window.granularity)


def _are_apart(constraints: Sequence[Constraint]) -> bool:
    """Whether constraints are disjoint times with the same role: "in 1995 and in 2005"."""
    if len({constraint.role for constraint in constraints}) > 1:
        return False
    windows = [c.interval for c in constraints if c.interval is not None and c.relation in _AT_A_TIME]
    pairs = combinations(windows, 2)
    return len(windows) == len(constraints) > 1 and not any(a.intersects(b) for a, b in pairs)


def _satisfies(
    fact: Fact, validity: Interval, constraint: Constraint, *, ordered: bool, several: bool
) -> bool:
    """Whether the recorded days of a fact meet one constraint.

    ``several``: the question asks for several facts in order ("the last three as of 2010"), so they need not
    hold on the same day. ``ordered``: it asks for a place in an order.
    """
    window = constraint.interval
    if window is None:
        return True
    if constraint.relation is Relation.AS_OF and window.end is not None and not several:
        return validity.intersects(day_interval(window.end - 1))
    if constraint.role is Role.END:
        return _is_in(fact.end, window)
    if constraint.role is Role.START or (ordered and constraint.relation in _FROM_A_POINT_ON):
        return _is_in(fact.start, window)
    if constraint.relation is Relation.UNTIL and window.end is not None:
        limit = _last_date(window)
        return validity.bounds[0] < window.end and (fact.end is None or limit.bounds[0] <= fact.end)
    return validity.intersects(window)


_ONE_YEAR = re.compile(r"\b\d{4} ?[/–-] ?(?:\d{2}){1,2}\b")
"""A year that spans two calendar years: "2018/19"."""
_AT_LEAST = re.compile(r"\bat least\b", re.IGNORECASE)
_COMPARED = frozenset({PeriodRole.BASELINE, PeriodRole.COMPARISON})

_AT_A_TIME = frozenset({Relation.IN, Relation.ON, Relation.AS_OF, Relation.AROUND})

# With "first" or "last", these relations constrain the start of a fact: "the first president after 1998".
_FROM_A_POINT_ON = frozenset({Relation.AFTER, Relation.SINCE, Relation.BEFORE, Relation.BY})


def _holds_on_a_day(parsed: ParsedQuestion) -> bool:
    """Whether a day alone selects the facts: "as of" and "current" are not a place in an order."""
    if parsed.count > 1:
        return False
    return any(c.relation is Relation.AS_OF and c.ordinal in (None, "last") for c in parsed.constraints)


def _nth(hits: Sequence[Hit], ordinal: Ordinal, count: int) -> list[Hit]:
    """The hits whose fact is the n-th to start; facts with the same start share a place.

    With a ``count`` above 1, the first or last ``count`` facts, and any that start with the outermost.
    """
    starts = [fact_of(hit).validity.bounds[0] for hit in hits]
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
