"""Dated statements of what the reader reads, and what operations over them tell. Pure."""

from collections import Counter
from collections.abc import Sequence

from timelens.answer.model import Statement
from timelens.answer.operations import Amount, after, amount_of, before, in_order
from timelens.answer.picking import Pick
from timelens.answer.timeline import time_of
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval
from timelens.words import stems, topic_words

_LEAST = 2
"""Different values that a course has."""


def statements_of(found: Sequence[Pick], window: Interval | None, least: float) -> list[Statement]:
    """What was read with a score of ``least``, at times that meet the window, from early to late.

    Of one sentence the likeliest counts.
    """
    told: dict[tuple[str, int], Pick] = {}
    for pick in found:
        time = time_of(pick.hit)
        inside = time is not None and (window is None or time.intersects(window))
        if pick.score >= least and inside:
            told.setdefault((pick.hit.chunk.id, pick.first), pick)
    return in_order([_statement(pick) for pick in told.values()])


def values_over_time(statements: Sequence[Statement]) -> list[Statement]:
    """Those of one kind, from early to late; none where they have fewer than two different values.

    Where most are numbers, only those of the usual unit count.
    """
    kept = _of_one_kind(statements)
    different = {stems(one.value) or one.value for one in kept}
    return kept if len(different) >= _LEAST else []


def neighbours(
    statements: Sequence[Statement], name: str, relation: Relation
) -> tuple[Statement, Statement] | None:
    """What another value came before or after that which a name stands for, and the statement of the name.

    ``None`` where none has the name, none stands beside it, or the relation is another.
    """
    words = topic_words(name)
    named = [one for one in statements if words and words <= topic_words(one.value)]
    parts = frozenset[str]().union(*(topic_words(one.value) for one in named))
    others = [one for one in statements if not parts & topic_words(one.value)]  # "Lind" is "Ada Lind"
    if not named:
        return None
    if relation is Relation.BEFORE:
        found, beside = before(others, named[0])[-1:], named[0]
    elif relation is Relation.AFTER:
        found, beside = after(others, named[-1])[:1], named[-1]
    else:
        return None
    return (found[0], beside) if found else None


def _statement(pick: Pick) -> Statement:
    return Statement(pick.hit.chunk.title, "", pick.text, time_of(pick.hit), pick.hit, pick.probability)


def _of_one_kind(statements: Sequence[Statement]) -> list[Statement]:
    """Those whose value is a number with the usual unit, where that is what most are; else all others."""
    amounts = [(one, amount_of(one.value)) for one in statements]
    numbers = [(one, _unit(amount)) for one, amount in amounts if amount is not None]
    if 2 * len(numbers) < len(statements):
        return [one for one, amount in amounts if amount is None]
    usual = Counter(unit for _, unit in numbers).most_common(1)
    return [one for one, unit in numbers if unit == usual[0][0]]


def _unit(amount: Amount) -> str:
    return amount.currency or stems(amount.unit)
