"""Measures of temporal evidence, from a judge's verdict on each document (TEMPO, Section 4, Appendix C.1).

All are undefined if the question has no temporal intent, or if the judge failed on a document that the figure
depends on: a failure never counts as 0.
"""

from collections.abc import Sequence

from timelens.bench.measures import Judged, Judgement, Measure, Outcome, Scores
from timelens.bench.suite_data import Gold


def temporal_precision(k: int) -> Measure:
    """TP@k: how early the temporally relevant documents are among the k best.

    The mean, over the ranks r <= k of relevant documents, of the share of relevant documents down to r; 0 if
    there are none. Documents that were not found do not count, so one relevant document at rank 1 gives 1.
    Source: TEMPO, Equation 1.
    """

    def score(outcome: Outcome, _gold: Gold) -> float | None:
        found = _relevant(outcome.judged, k)
        if found is None:
            return None
        ranks = [rank for rank, relevant in enumerate(found, start=1) if relevant]
        return sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0

    return Measure(f"TP@{k}", score)


def temporal_relevance(k: int) -> Measure:
    """TR@k: the share of temporally relevant documents among the k best.

    With fewer than k documents it is still a share of k. Source: TEMPO, Equation 2.
    """

    def score(outcome: Outcome, _gold: Gold) -> float | None:
        found = _relevant(outcome.judged, k)
        return None if found is None else sum(found) / k

    return Measure(f"TR@{k}", score)


def temporal_relevance_of_returned(k: int) -> Measure:
    """TR/returned@k: TR@k as the published code computes it, over the returned documents if fewer than k.

    0 if nothing was returned. Source: the evaluation code of TEMPO.
    """

    def score(outcome: Outcome, _gold: Gold) -> float | None:
        found = _relevant(outcome.judged, k)
        if found is None:
            return None
        return sum(found) / len(found) if found else 0.0

    return Measure(f"TR/returned@{k}", score)


def temporal_coverage(k: int) -> Measure:
    """TC@k: the share of the required periods of which one of the k best documents has evidence.

    Defined if the question needs evidence from several periods. Source: TEMPO, Equations 3 and 4.
    """

    def score(outcome: Outcome, _gold: Gold) -> float | None:
        judged = outcome.judged
        if judged is None or not judged.periods:
            return None
        best = judged.verdicts[:k]
        reached = [
            any(verdict is not None and verdict.covered[period] for verdict in best)
            for period in range(judged.periods)
        ]
        if None in best and not all(reached):
            return None
        return sum(reached) / judged.periods

    return Measure(f"TC@{k}", score)


def at_full_coverage(scores: Scores, k: int) -> Scores:
    """nDCG|FC@k: nDCG@k if TC@k is 1, else undefined. Source: TEMPO, Equation 5."""
    if scores.get(f"TC@{k}") == 1 and f"nDCG@{k}" in scores:
        return {f"nDCG|FC@{k}": scores[f"nDCG@{k}"]}
    return {}


def _relevant(judged: Judged | None, k: int) -> list[bool] | None:
    best: Sequence[Judgement | None] = () if judged is None else judged.verdicts[:k]
    found = [verdict.relevant for verdict in best if verdict is not None]
    return None if judged is None or len(found) < len(best) else found
