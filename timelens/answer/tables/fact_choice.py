"""Chooses among the facts of a question: the highest, the longest, those above a limit, the last. Pure."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from timelens.answer.operations import amount_of, extremes, stretches
from timelens.answer.tables.columns import (
    fact_of,
    is_of_entries,
    is_of_every_year,
    is_periodic,
    is_total,
    number_columns,
    value_of,
)
from timelens.answer.tables.linking import FactKind
from timelens.answer.tables.time_constraints import is_range, names_course
from timelens.documents import Fact, Hit
from timelens.question.asked_numbers import (
    Extreme,
    asks_for_extreme,
    extreme_asked,
    length_extreme_asked,
    length_limit_asked,
    limit_asked,
)
from timelens.question.intent import asks_for_state, asks_whether, return_asked
from timelens.question.parsed_question import Intent, ParsedQuestion
from timelens.question.roles import Role
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, day_interval, granule
from timelens.words import topic_words

_A_MONTH = 31
"""Days within which somebody who changes posts has not left."""
_SERIES = 3
"""Minimum number of rows of a table that show whether rows repeat each other."""
_AT_A_TIME = frozenset({Relation.IN, Relation.ON, Relation.AS_OF})
_OF_LENGTH = topic_words("length distance duration hours hrs minutes mins")
"""Words in the names of columns whose numbers "longest" compares."""
_PLURAL = re.compile(r"[^\W\d_]{2,}[^\W\d_s]s\b", re.IGNORECASE)
"""A plural in the name of a column, which counts something, unlike the numbers under "Room"."""


def come_or_gone(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """Without the facts whose value goes on in another fact, if the question asks only who came or left.

    "Who left in 2017?" names nobody whose next post began within a month.
    """
    roles = {constraint.role for constraint in parsed.constraints}
    column = kind.column
    if kind.key or column is None or len(roles) != 1 or not roles <= {Role.START, Role.END}:
        return list(met)
    leaves = Role.END in roles

    def goes_on(hit: Hit) -> bool:
        fact = fact_of(hit)
        day = fact.end if leaves else fact.start
        if day is None:
            return False
        near = Interval(day - _A_MONTH, day + _A_MONTH + 1)
        others = (fact_of(other) for other in kind.table if value_of(other, column) == value_of(hit, column))
        return any(
            other is not fact
            and other.validity.intersects(near)
            and (_later(other, fact) if leaves else _later(fact, other))
            for other in others
        )

    return [hit for hit in met if not goes_on(hit)]


def starts_anew(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """The facts that begin a further stretch of time, if the question asks when something held again.

    All facts for other questions, and if they make up one stretch.
    """
    asks = parsed.intent is Intent.WHEN and kind.column is None and return_asked(parsed.question)
    if not asks or parsed.ordinal is not None or is_of_entries(kind.table):
        return list(met)
    _, *later = (start for start, _ in stretches(map(kind.held, kind.facts)))
    return [hit for hit in met if kind.held(hit).bounds[0] in later] or list(met)


def _later(one: Fact, other: Fact) -> bool:
    """Whether a fact starts and ends after another, or has no end."""
    return one.validity.bounds > other.validity.bounds and one.validity.bounds[1] > other.validity.bounds[1]


def last_before(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """The last facts before the asked time, for a state in a table whose rows tell when something changed.

    Such a table, a price list for example, has one date in each row, and no row repeats the one before. Empty
    if facts of the asked time were ``met``, and for other questions and tables. A row for every year tells
    what is so now, but not what was so in a later year.
    """
    day = _last_asked(parsed)
    is_state = asks_for_state(parsed.core) and not asks_whether(parsed.core)
    is_ordered = asks_for_order(parsed) or asks_for_extreme(parsed.question)
    if day is None or not is_state or is_ordered or not _tells_changes(kind):
        return []
    if not parsed.is_of_now and is_of_every_year(kind.table):
        return []
    if any(kind.held(hit).intersects(day_interval(day)) for hit in met) or (met and not parsed.present):
        return []
    return _last_begun(kind, day)


def held_at_start(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """The last facts before a range of time whose course or state is asked, in a table that tells changes.

    "From 2018 to 2024" begins with the price of 2017, unless a row of 2018 tells another one. Empty for other
    questions and tables; see :func:`_tells_changes`.
    """
    window = parsed.window if len(parsed.periods) == 1 else None
    if window is None or window.start is None or kind.column is None or not met:
        return []
    of_range = any(is_range(one) for one in parsed.constraints) and asks_for_state(parsed.core)
    is_ordered = asks_for_order(parsed) or asks_for_extreme(parsed.question)
    if not (names_course(parsed) or of_range) or is_ordered or not _tells_changes(kind):
        return []
    first = granule(window.start, window.granularity)
    starts = (start for hit in kind.facts if (start := fact_of(hit).start) is not None)
    if any(first.bounds[0] <= start < first.bounds[1] for start in starts):
        return []
    return _last_begun(kind, window.start - 1)


def _last_begun(kind: FactKind, day: Day) -> list[Hit]:
    """The facts with the latest start by a day."""
    starts = [
        (start, hit) for hit in kind.facts if (start := fact_of(hit).start) is not None and start <= day
    ]
    latest = max((start for start, _ in starts), default=None)
    return [hit for start, hit in starts if start == latest]


def asks_for_order(parsed: ParsedQuestion) -> bool:
    """Whether a question asks for the first, last or n-th of several; "now" does not."""
    return parsed.ordinal is not None and parsed.constraints[0].relation is not Relation.AS_OF


def _tells_changes(kind: FactKind) -> bool:
    """Whether each row has one date, and no row of the kind repeats the values of the row before it.

    Rows of one month or quarter after the other tell what happened in each.
    """
    units = {fact_of(hit).granularity for hit in kind.table}
    if is_periodic(kind.table) and Granularity.YEAR not in units:
        return False
    rows = sorted(kind.facts, key=lambda hit: fact_of(hit).validity.bounds)
    repeats = any(fact_of(one).fields == fact_of(other).fields for one, other in pairwise(rows))
    return is_of_entries(kind.table) and len(kind.table) >= _SERIES and len(rows) > 1 and not repeats


def _last_asked(parsed: ParsedQuestion) -> Day | None:
    """The last day of the one asked time, or today for a question in the present without an order."""
    if parsed.present:
        return parsed.reference_day if parsed.ordinal is None else None
    at_a_time = len(parsed.constraints) == 1 and parsed.constraints[0].relation in _AT_A_TIME
    end = parsed.window.end if at_a_time and parsed.window is not None else None
    return None if end is None else end - 1


def within_limit(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """The facts whose number compares with a stated one as a question that names things asks: "over £500".

    All facts without such a number; none if it is not clear which column is compared.
    """
    limit = None if asks_whether(parsed.core) else limit_asked(parsed.core)
    if limit is None:
        return list(met)
    of_currency = [name for name in number_columns(met) if limit.currency in value_of(met[0], name)]
    in_one = limit.currency and len(of_currency) == 1
    column = of_currency[0] if in_one else _compared_column(parsed, kind, met)
    if column is None:
        return []
    amounts = [(hit, amount_of(value_of(hit, column))) for hit in met]
    return [hit for hit, amount in amounts if amount is not None and limit.holds(amount.middle, limit.number)]


def within_length(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> list[Hit]:
    """The facts of the values that held, in all these facts together, as long as a question asks.

    "Who served more than ten years?" compares lengths up to now. All facts if a question asks for no length,
    or if the rows have a single date.
    """
    limit = length_limit_asked(parsed.core)
    if limit is None or not has_lengths(kind):
        return list(met)
    named = kind.column is None and bool(kind.key)  # "was Ann chair for over six years?"
    begun: dict[str, list[Hit]] = defaultdict(list)
    for hit in met:
        if fact_of(hit).start is not None:
            begun["" if named else _of_value(kind, hit)].append(hit)
    kept: list[Hit] = []
    for hits in begun.values():
        start = min(fact_of(hit).validity.bounds[0] for hit in hits)
        if limit.admits(int(start), sum(_days_held(parsed, kind, hit) for hit in hits)):
            kept += hits
    return [hit for hit in met if hit in kept]


def has_lengths(kind: FactKind) -> bool:
    """Whether the rows of a table have a start and an end, so that they tell how long something lasted."""
    return not is_of_entries(kind.table)


def _of_value(kind: FactKind, hit: Hit) -> str:
    """The value of a fact in the answer column; without such a column, the fact itself."""
    return value_of(hit, kind.column) if kind.column else hit.chunk.id


def _days_held(parsed: ParsedQuestion, kind: FactKind, hit: Hit) -> int:
    """How many days a fact held, up to now if it has no end; 0 without a start."""
    fact = fact_of(hit)
    end = parsed.reference_day + 1 if fact.end is None else kind.held(hit).end
    return 0 if fact.start is None or end is None else max(end - fact.start, 0)


@dataclass(frozen=True, slots=True)
class Outermost:
    """The facts with the highest or lowest number, or of the longest or shortest time."""

    facts: list[Hit]
    compared: int = 0
    """The number of facts or values among which they were chosen; 0 if none is asked for."""
    column: str | None = None
    """The column of the numbers; ``None`` for a time."""


def outermost(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit]) -> Outermost:
    """The outermost of the facts that were ``met``."""
    extreme = extreme_asked(parsed.question)
    column = _compared_column(parsed, kind, met) if extreme else None
    if extreme is None and (extreme := length_extreme_asked(parsed.question)):
        column = next((name for name in number_columns(met) if _has_lengths(parsed, kind, name)), None)
        if column is None:
            return _longest(parsed, kind, met, extreme)
    if extreme is None or column is None or len(met) < 2:
        return Outermost(list(met))
    numbers = [value_of(hit, column) for hit in met]
    return Outermost([met[index] for index in extremes(numbers, extreme)], len(numbers), column)


def _has_lengths(parsed: ParsedQuestion, kind: FactKind, column: str) -> bool:
    """Whether "longest" compares the numbers of a column: lengths, or what the question names ("queue")."""
    words = topic_words(column)
    return bool(words & _OF_LENGTH) or (column == kind.column and words <= topic_words(parsed.core))


def _longest(parsed: ParsedQuestion, kind: FactKind, met: Sequence[Hit], extreme: Extreme) -> Outermost:
    """The facts of the value that held longest, or shortest, in all its facts together."""
    if not has_lengths(kind) and not is_periodic(kind.table):
        return Outermost(list(met))
    names = [_of_value(kind, hit) for hit in met]
    days = dict.fromkeys(names, 0)
    for hit, name in zip(met, names, strict=True):
        days[name] += _days_held(parsed, kind, hit)
    chosen = (max if extreme == "highest" else min)(days.values(), default=0)
    kept = [hit for hit, name in zip(met, names, strict=True) if days[name] == chosen]
    return Outermost(kept, len(days))


def _columns_of_amounts(facts: Sequence[Hit]) -> list[str]:
    """The columns of numbers, and those whose filled cells are numbers of one unit: "120 visitors"."""
    numbers = number_columns(facts)

    def has_amounts(name: str) -> bool:
        amounts = [amount_of(value) for hit in facts if (value := value_of(hit, name))]
        measures = {amount.measure for amount in amounts if amount is not None} - {""}
        return None not in amounts and len(measures) == 1

    names = [name for name, _ in fact_of(facts[0]).fields] if facts else []
    return [name for name in names if name in numbers or has_amounts(name)]


def _compared_column(parsed: ParsedQuestion, kind: FactKind, facts: Sequence[Hit]) -> str | None:
    """The column of numbers that is compared; ``None`` if it is not clear which.

    It is the answer column, or else the one that the question names, in full or by a word, else the only one,
    else the only one whose name is a plural, else the total.
    """
    words = topic_words(parsed.core)
    columns = _columns_of_amounts(facts)
    answering = [name for name in columns if name == kind.column]
    named = [name for name in columns if topic_words(name) <= words]
    by_a_word = [name for name in columns if topic_words(name) & words]
    plural = [name for name in columns if _PLURAL.search(name)]
    total = [name for name in columns if is_total(name)]
    for found in (answering, named, by_a_word, columns, plural, total):
        if len(found) == 1:
            return found[0]
    return None
