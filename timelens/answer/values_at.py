"""The value of something on a day, from uncertain statements of its values: forward filtering. Pure."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from timelens.answer.draft import Statement
from timelens.temporal.calendar import Day
from timelens.words import topic_words

_MOSTLY = 0.6
"""Minimum probability of a later statement of a value, relative to the one before, that replaces it."""

_REPLACED = 0.5
"""Factor on the probability of the value held so far in a sentence that states another one, too: often it
tells the end of the first ("from today Tomas keeps the key, Hana is too far away")."""


def values_at(statements: Sequence[Statement], day: Day) -> list[Statement]:
    """The values that may hold on a day, likeliest first.

    Each is its latest likely statement, with the probability, 0..1, that the value holds. The rest to 1 is
    the probability that no statement tells the value.

    Statements are taken in chronological order; each replaces the value before it with its probability
    (the forward algorithm: Rabiner 1989, "A tutorial on hidden Markov models", III.A).
    Of values with the same start, one holds, in proportion to their odds. A stretch of more than one unit of
    time ends its value. Statements without a time are the earliest; those that start after the day do not
    count.
    """
    held: list[Statement] = []
    for (_, is_end), turn in groupby(_turns(statements, day), key=lambda turn: turn[:2]):
        told = [one for _, _, one in turn]
        held = [_ended(value, told) for value in held] if is_end else _told(held, told)
    return sorted(held, key=lambda value: -value.probability)


def first_values(statements: Sequence[Statement], day: Day) -> list[Statement]:
    """The values that may be the first of all up to a day, likeliest first.

    Each is its earliest likely statement, with the probability, 0..1, that it is the first: the filter of
    :func:`values_at` runs backwards in time. Statements without a time do not count.
    """
    begun = [turn for turn in _turns(statements, day) if not turn[1] and turn[0] > -math.inf]
    held: list[Statement] = []
    for _, turn in groupby(reversed(begun), key=lambda turn: turn[0]):
        held = _told(held, [one for _, _, one in turn])
    return sorted(held, key=lambda value: -value.probability)


def _turns(statements: Sequence[Statement], day: Day) -> list[tuple[float, bool, Statement]]:
    """The starts and the ends up to a day, in order: (day, whether it is an end, statement)."""
    turns: list[tuple[float, bool, Statement]] = []
    for one in statements:
        start, end = (-math.inf, math.inf) if one.interval is None else one.interval.bounds
        if start > day:
            continue
        turns.append((start, False, one))
        if one.interval is not None and one.interval.exceeds_unit and end <= day:
            turns.append((end, True, one))
    return sorted(turns, key=lambda turn: turn[:2])


def _ended(value: Statement, told: Sequence[Statement]) -> Statement:
    goes_on = math.prod(1 - one.probability for one in told if is_same_value(one.value, value.value))
    return replace(value, probability=value.probability * goes_on)


def _told(held: Sequence[Statement], told: Sequence[Statement]) -> list[Statement]:
    """The values after statements that start on the same day."""
    likely = [one.probability * (_REPLACED if _is_replaced(one, held, told) else 1.0) for one in told]
    unchanged = math.prod(1 - probability for probability in likely)
    odds = [probability / max(1 - probability, 1e-6) for probability in likely]
    after = [replace(value, probability=value.probability * unchanged) for value in held]
    for one, own in zip(told, odds, strict=True):
        share = (1 - unchanged) * own / (sum(odds) or 1.0)
        index = next((i for i, value in enumerate(after) if is_same_value(one.value, value.value)), None)
        if index is None:
            after.append(replace(one, probability=share))
            continue
        both = after[index].probability + share
        latest = one if one.probability >= _MOSTLY * after[index].probability else after[index]
        after[index] = replace(latest, probability=both)
    return after


def _is_replaced(one: Statement, held: Sequence[Statement], told: Sequence[Statement]) -> bool:
    """Whether a statement repeats the likeliest value so far, and its sentence states another one, too."""
    so_far = max(held, key=lambda value: value.probability, default=None)
    if so_far is None or not is_same_value(one.value, so_far.value):
        return False
    place = one.hit.key
    beside = (other for other in told if other.hit.key == place)
    return any(not is_same_value(one.value, other.value) for other in beside)


def is_same_value(one: str, other: str) -> bool:
    """Whether two texts may state the same value: one has all words of the other ("Ada Lind" and "Lind")."""
    words, others = words_of_value(one), words_of_value(other)
    return words <= others or others <= words


def words_of_value(text: str) -> frozenset[str]:
    """The topic words of a value, or the whole text if it has none."""
    return topic_words(text) or frozenset({text.casefold()})
