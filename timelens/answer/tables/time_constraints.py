"""Which rows of a table meet the times of a question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from timelens.answer.tables.columns import fact_of
from timelens.documents import Fact, Hit
from timelens.question.intent import is_change, tells_course
from timelens.question.parsed_question import Constraint, ParsedQuestion, PeriodRole
from timelens.question.roles import Role
from timelens.question.up_to_now import is_ahead, reaches_today
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import Interval, day_interval, granule, year_interval

_ONE_YEAR = re.compile(r"\b\d{4} ?[/–-] ?(?:\d{2}){1,2}\b")
"""A year that spans two calendar years: "2018/19"."""
_AT_LEAST = re.compile(r"\bat least\b", re.IGNORECASE)
_COMPARED = frozenset({PeriodRole.BASELINE, PeriodRole.COMPARISON})
_AT_A_TIME = frozenset({Relation.IN, Relation.ON, Relation.AS_OF, Relation.AROUND})
# With "first" or "last", these relations constrain the start of a fact: "the first president after 1998".
_FROM_A_POINT_ON = frozenset({Relation.AFTER, Relation.SINCE, Relation.BEFORE, Relation.BY})


def satisfying(
    parsed: ParsedQuestion, facts: Sequence[Hit], *, inclusive: bool, numbers: bool = False
) -> list[Hit]:
    """The facts that meet all constraints; if the constraints are disjoint times, those that meet any.

    A constraint on neither start nor end has a narrow reading (see :func:`_narrowly`), which is used if any
    fact meets it, and a wide one: the fact held at some time in the admitted days. ``numbers``: the answer
    column holds numbers.
    """
    facts = _begun(parsed, facts)
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
        if alone and fact.end is None and constraint.role is Role.HELD and is_ahead(constraint, today):
            return False  # a fact without an end is not known to hold in the future
        days = fact.held(inclusive=inclusive)
        return _satisfies(fact, days, constraint, ordered=ordered, several=parsed.count > 1)

    def narrowly(hit: Hit, constraint: Constraint) -> bool:
        is_whole = alone and not compared and not parsed.left_out  # "outside 1990-2010" bounds no beginning
        meets = _narrowly(fact_of(hit), constraint, alone=is_whole, numbers=numbers)
        return widely(hit, constraint) if meets is None else meets

    chosen: list[Hit] = []
    begins = all(constraint.role is Role.START for constraint in constraints)
    if not ordered and (begins or not names_course(parsed)):
        chosen = [hit for hit in facts if all(narrowly(hit, constraint) for constraint in constraints)]
    if not chosen:
        chosen = [hit for hit in facts if all(widely(hit, constraint) for constraint in constraints)]
    if not chosen and _are_apart(constraints):
        chosen = [hit for hit in facts if any(widely(hit, constraint) for constraint in constraints)]
    if parsed.present:
        now = day_interval(parsed.reference_day)
        chosen = [hit for hit in chosen if fact_of(hit).validity.intersects(now)] or chosen
    return chosen


def _begun(parsed: ParsedQuestion, facts: Sequence[Hit]) -> Sequence[Hit]:
    """The facts that have begun by today, if a question asks for a time up to now, or for an order of all."""
    if not reaches_today(parsed):
        return facts
    today = parsed.reference_day
    return [hit for hit in facts if (start := fact_of(hit).start) is None or start <= today]


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


def names_course(parsed: ParsedQuestion) -> bool:
    """Whether the words of a question ask for a change or a course; then all facts of its time are meant."""
    of_range = any(map(is_range, parsed.constraints))
    return is_change(parsed.question) or (of_range and tells_course(parsed.question))


def is_range(constraint: Constraint) -> bool:
    """Whether a constraint names both ends of a time."""
    return isinstance(constraint.relation, Relation) and constraint.relation.takes_two_dates


def _narrowly(fact: Fact, constraint: Constraint, *, alone: bool, numbers: bool) -> bool | None:
    """Whether a fact meets the narrow reading of a constraint; ``None`` if it has no narrow reading.

    *After* or *since* a day: the fact started then. *From* one date *to* another, or *between* them: it
    started in the first and ended in the second (Allen's *equal*). *Until* a date: it ended in that date.
    With other constraints or a compared time (not ``alone``), "after 1998" and "from 1998 to 2003" have no
    narrow reading; neither have "since 1998" and the latter for ``numbers``, because all values of a rate are
    asked for.
    """
    window = constraint.interval
    if window is None or constraint.role is not Role.HELD:
        return None
    match constraint.relation:
        case Relation.SINCE if numbers:
            return None
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
        return constraint.role is not Role.END or fact.end is not None
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
