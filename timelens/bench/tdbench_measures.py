"""Measures of TDBench beyond A, T and AT: hops, alignment with the present, and the verifier. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from timelens import Support, TimeReference
from timelens.bench.aggregates import Alignment, alignment, correctness, hop_hallucination
from timelens.bench.measures import ACCURACY, Measure, Outcome, states
from timelens.bench.suite_data import Gold, TimedAnswer
from timelens.temporal import Day, Interval, granule

JOIN = "join"
"""The kind of questions whose time is given by another fact."""

RIGHT, WRONG = "right", "wrong"


def hop(number: int) -> Measure:
    """H<number>: 1 if this hop is right but the next is wrong, 0 if both are right; lower is better.

    Defined if this hop is right, so that the mean is H_i. A hop is right if the answer states its value
    (:attr:`Gold.hops`); the last hop is right if the whole answer is right (A). Source: TDBench, Section 4.3.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        right = ACCURACY.score(outcome, gold)
        if right is None or not gold.hops:
            return None
        told = [any(states(outcome.said, value) for value in values) for values in gold.hops]
        rates = hop_hallucination([[*told, right == 1]])
        return rates[number - 1] if number <= len(rates) else None

    return Measure(f"H{number}", score)


def aligned(label: Alignment) -> Measure:
    """Correct, Outdated, Incorrect: how an answer about now agrees with the facts; the three add up to 1.

    An answer that states a current value is correct, one that states only an earlier value is outdated, and
    any other, including a refusal, is incorrect. Defined if earlier values are known (:attr:`Gold.past`).
    Source: TDBench, Appendix D.2.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        if outcome.answer is None or gold.past is None or gold.timed is None:
            return None
        current = [answer.text for answer in gold.timed]
        return float(alignment(outcome.said, current, gold.past) is label)

    return Measure(label.value.capitalize(), score)


OF_TDBENCH = (hop(1), hop(2), *map(aligned, Alignment))


def checked_times(
    references: Sequence[TimeReference], question: str, gold: Gold
) -> tuple[tuple[str, str], ...]:
    """For each time that an answer states: the verifier's label, and the right label.

    The verifier's label is :data:`RIGHT` if it found the time supported. The right label is :data:`RIGHT` if
    the time gives the recorded days of one right answer, at the precision of the stated time; for a time that
    is open on one side the other side must agree, for a single date either day. Times in the question's own
    words do not count, nor do joins, whose answers also state times of other facts.
    """
    if gold.timed is None or gold.kind == JOIN:
        return ()
    return tuple(
        (
            RIGHT if reference.support is Support.SUPPORTED else WRONG,
            RIGHT if any(_gives(reference.interval, fact) for fact in gold.timed) else WRONG,
        )
        for reference in references
        if reference.interval is not None and reference.text.casefold() not in question.casefold()
    )


def _gives(stated: Interval, fact: TimedAnswer) -> bool:
    """Whether a stated time agrees with that of a fact."""

    def unit(day: Day | None) -> tuple[Day | None, Day | None]:
        known = None if day is None else granule(day, stated.granularity)
        return (None, None) if known is None else (known.start, known.end)

    start, end = unit(fact.start), unit(fact.end)
    first, last = stated.start is not None, stated.end is not None
    if first and last:
        return (stated.start, stated.end) in {(start[0], end[1]), start, end}
    return (first and stated.start == start[0]) or (last and stated.end == end[1])


def summed(checked: Iterator[tuple[str, str]]) -> dict[str, Any]:
    """The verifier's part of a summary: precision, recall and F1 of each label, in percent.

    ``support`` is the number of times a label is the right one. Empty if no time was checked. Source:
    TDBench, Section 4.4.
    """
    pairs = list(checked)
    if not pairs:
        return {}
    found = correctness([given for given, _ in pairs], [right for _, right in pairs])
    labels = {
        label: {
            "precision": _percent(of.precision),
            "recall": _percent(of.recall),
            "f1": _percent(of.f1),
            "support": of.support,
        }
        for label, of in found.items()
    }
    return {"verifier": {"times": len(pairs), "labels": labels}}


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 3)
