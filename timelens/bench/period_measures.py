"""Measures of evidence by the periods of a question, if the gold data names the documents of each. Pure.

Both are defined if at least two periods have a gold document (:attr:`Gold.periods`); a period without gold
documents cannot be covered and does not count.
"""

from timelens.bench.measures import Measure, Outcome
from timelens.bench.suite_data import Gold


def period_recall(k: int) -> Measure:
    """PR@k: the share of a question's periods that have a gold document among the k best.

    One document may cover several periods. Unlike TC@k this needs no judge.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        reached = _reached(outcome, gold, k)
        return None if reached is None else sum(reached) / len(reached)

    return Measure(f"PR@{k}", score)


def all_periods(k: int) -> Measure:
    """AllP@k: 1 if every period of a question has a gold document among the k best (PR@k is 1), else 0."""

    def score(outcome: Outcome, gold: Gold) -> float | None:
        reached = _reached(outcome, gold, k)
        return None if reached is None else float(all(reached))

    return Measure(f"AllP@{k}", score)


def _reached(outcome: Outcome, gold: Gold, k: int) -> list[bool] | None:
    """For each period with gold documents, whether one is among the k best; ``None`` for fewer than two."""
    periods = [documents for documents in gold.periods if documents]
    best = outcome.ranking[:k]
    return [not documents.isdisjoint(best) for documents in periods] if len(periods) > 1 else None
