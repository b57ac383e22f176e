"""Measures of answers over several periods: right, wrong, or refused. Pure."""

from collections.abc import Sequence
from enum import StrEnum

from timelens.bench.data import Fact, Gold
from timelens.bench.measures import Measure, Outcome
from timelens.bench.stated import stands_in


class Verdict(StrEnum):
    """What an answer comes to."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"


def verdict(outcome: Outcome, gold: Gold) -> Verdict | None:
    """What an answer comes to; ``None`` where none was asked for or :attr:`Gold.facts` is not known.

    Where there is an answer (some fact), it is right if it states every fact and nothing of
    :attr:`Gold.ruled_out`. Where there is none, only a refusal is right.
    """
    if outcome.answer is None or gold.facts is None:
        return None
    if outcome.refused:
        return Verdict.REFUSED if gold.facts else Verdict.RIGHT
    told = all(any(states_fact(line, fact) for line in outcome.lines) for fact in gold.facts)
    false = any(stands_in(phrase, line) for phrase in gold.ruled_out for line in outcome.lines)
    return Verdict.RIGHT if gold.facts and told and not false else Verdict.WRONG


def states_fact(line: str, fact: Fact) -> bool:
    """Whether a line states a fact: at least one spelling of each of its parts stands in it."""
    return all(any(stands_in(spelling, line) for spelling in part) for part in fact)


def answered(label: Verdict) -> Measure:
    """Right, Wrong, Refused: what the answer comes to (:func:`verdict`); the three add up to 1.

    Right: every fact stands in one line of the answer, and nothing that only a wrong answer says stands in
    it; where there is no answer, the question was refused. Refused: a refusal where there is an answer.
    Wrong: all else, so also an answer where there is none. Defined where facts are stated.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        found = verdict(outcome, gold)
        return None if found is None else float(found is label)

    return Measure(label.value.capitalize(), score)


OF_DIACHRONIC: Sequence[Measure] = tuple(map(answered, Verdict))
