"""Measures of answers over several periods: right, wrong, or refused. Pure."""

from collections.abc import Sequence
from enum import StrEnum

from timelens.bench.measures import Measure, Outcome
from timelens.bench.phrase_match import stands_in
from timelens.bench.suite_data import Fact, Gold


class Verdict(StrEnum):
    """The outcome of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"


def verdict(outcome: Outcome, gold: Gold) -> Verdict | None:
    """The verdict on an answer; ``None`` if no answer was asked for or :attr:`Gold.facts` is unknown.

    If the gold data has facts, the answer is right if it states every fact and nothing of
    :attr:`Gold.ruled_out`. If it has none, only a refusal is right.
    """
    if outcome.answer is None or gold.facts is None:
        return None
    if outcome.refused:
        return Verdict.REFUSED if gold.facts else Verdict.RIGHT
    told = all(any(states_fact(line, fact) for line in outcome.lines) for fact in gold.facts)
    lines = outcome.lines
    false = any(stands_in(phrase, line, with_currency=True) for phrase in gold.ruled_out for line in lines)
    return Verdict.RIGHT if gold.facts and told and not false else Verdict.WRONG


def states_fact(line: str, fact: Fact) -> bool:
    """Whether a line states a fact: it contains at least one spelling of each part."""
    return all(any(stands_in(spelling, line) for spelling in part) for part in fact)


def answered(label: Verdict) -> Measure:
    """Right, Wrong, Refused: the verdict on the answer (:func:`verdict`); the three add up to 1.

    Right: the answer states every fact, each in one line, and no phrase that is ruled out; or there is no
    answer and the question was refused. Refused: a refusal although there is an answer. Wrong: everything
    else, including any answer to a question that has none. Defined if the facts of the question are known.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        found = verdict(outcome, gold)
        return None if found is None else float(found is label)

    return Measure(label.value.capitalize(), score)


OF_DIACHRONIC: Sequence[Measure] = tuple(map(answered, Verdict))
