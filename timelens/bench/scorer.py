"""All measures of a question, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens.bench.diachronic_measures import OF_DIACHRONIC
from timelens.bench.judgements import judged_in
from timelens.bench.measures import (
    ANSWER_MEASURES,
    Outcome,
    Scores,
    answer_recall,
    evidence_recall,
    ground_truth_recall,
    relevant_of,
)
from timelens.bench.period_measures import all_periods, period_recall
from timelens.bench.predictions import outcome_of
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Gold
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
_OF_ANSWERS = (*ANSWER_MEASURES, *OF_DIACHRONIC, *OF_TDBENCH)


def shown_name(name: str) -> str:
    """The name of a measure of the shown answer; the plain name is for a model's own text."""
    return f"{name} shown"


class Scorer:
    """All measures at the given cut-offs."""

    def __init__(self, ks: Sequence[int]) -> None:
        import ir_measures

        self._ks = tuple(ks)
        self._own = [*(measure(k) for measure in _AT_CUT_OFFS for k in ks), *_OF_ANSWERS]
        self._ir = [ir_measures.RR]
        for measure in (ir_measures.nDCG, ir_measures.R, ir_measures.AP, ir_measures.P):
            self._ir += [measure @ k for k in ks]
        own = [measure.name for measure in self._own]
        shown = (shown_name(measure.name) for measure in _OF_ANSWERS)
        self.names = (*map(str, self._ir), *own, *shown, *(f"nDCG|FC@{k}" for k in ks))

    def score(self, result: Result, gold: Gold) -> Scores:
        """The scores of one question by name, only from its line in a run's results and its gold data.

        If a model answers, the measures of answers are computed for the model's own text, and again for the
        answer shown to the user. If the model was not asked because there was no evidence, only the second
        exist.
        """
        text = result.answer if result.shown is None else result.written
        outcome = outcome_of(result.ranking, result.stating, text, result.prediction, gold)
        scores = self.scores_of(replace(outcome, judged=judged_in(result)), gold)
        shown = outcome_of((), (), result.answer, result.shown, gold)
        beside = ((measure.name, measure.score(shown, gold)) for measure in _OF_ANSWERS)
        return scores | {shown_name(name): value for name, value in beside if value is not None}

    def scores_of(self, outcome: Outcome, gold: Gold) -> Scores:
        """The scores that are defined for an outcome, by name."""
        own = ((measure.name, measure.score(outcome, gold)) for measure in self._own)
        scores = {**dict(self._of_ranking(outcome, gold)), **{name: v for name, v in own if v is not None}}
        for k in self._ks:
            scores |= at_full_coverage(scores, k)
        return scores

    def _of_ranking(self, outcome: Outcome, gold: Gold) -> Iterator[tuple[str, float]]:
        """The measures of ir_measures, which uses trec_eval.

        Their mean over questions equals the aggregate that ir_measures computes.
        """
        import ir_measures

        if not relevant_of(gold):
            return
        qrels = {"q": dict(gold.relevant)}
        run = {"q": {name: float(-rank) for rank, name in enumerate(outcome.ranking)}}
        for metric in ir_measures.iter_calc(self._ir, qrels, run):
            yield str(metric.measure), float(metric.value)
