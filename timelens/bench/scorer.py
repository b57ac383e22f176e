"""All measures of a question, by name."""

from collections.abc import Iterator, Sequence

from timelens.bench.data import Gold
from timelens.bench.diachronic_measures import OF_DIACHRONIC
from timelens.bench.measures import (
    OF_ANSWERS,
    Outcome,
    Scores,
    answer_recall,
    evidence_recall,
    ground_truth_recall,
    relevant_of,
)
from timelens.bench.period_measures import all_periods, period_recall
from timelens.bench.tdbench_measures import OF_TDBENCH
from timelens.bench.temporal_measures import (
    at_full_coverage,
    temporal_coverage,
    temporal_precision,
    temporal_relevance,
    temporal_relevance_of_returned,
)

_AT_CUT_OFFS = (
    evidence_recall,
    answer_recall,
    ground_truth_recall,
    period_recall,
    all_periods,
    temporal_precision,
    temporal_relevance,
    temporal_relevance_of_returned,
    temporal_coverage,
)
_OF_ANSWERS = (*OF_ANSWERS, *OF_DIACHRONIC, *OF_TDBENCH)


class Scorer:
    """All measures at some cut-offs."""

    def __init__(self, ks: Sequence[int]) -> None:
        import ir_measures

        self._ks = tuple(ks)
        self._own = [*(measure(k) for measure in _AT_CUT_OFFS for k in ks), *_OF_ANSWERS]
        self._ir = [ir_measures.RR]
        for measure in (ir_measures.nDCG, ir_measures.R, ir_measures.AP, ir_measures.P):
            self._ir += [measure @ k for k in ks]
        own = [measure.name for measure in self._own]
        self.names = (*map(str, self._ir), *own, *(f"nDCG|FC@{k}" for k in ks))

    def score(self, outcome: Outcome, gold: Gold) -> Scores:
        """The scores of one question, those that it defines, by name."""
        own = ((measure.name, measure.score(outcome, gold)) for measure in self._own)
        scores = {**dict(self._of_ranking(outcome, gold)), **{name: v for name, v in own if v is not None}}
        for k in self._ks:
            scores |= at_full_coverage(scores, k)
        return scores

    def _of_ranking(self, outcome: Outcome, gold: Gold) -> Iterator[tuple[str, float]]:
        """The measures of ir_measures, by trec_eval underneath.

        The mean over questions of what they give for each is what they give for all.
        """
        import ir_measures

        if not relevant_of(gold):
            return
        qrels = {"q": dict(gold.relevant)}
        run = {"q": {name: float(-rank) for rank, name in enumerate(outcome.ranking)}}
        for metric in ir_measures.iter_calc(self._ir, qrels, run):
            yield str(metric.measure), float(metric.value)
