"""Judgements of a run: made per question, stored in its results, aggregated in its summary."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from timelens.bench.aggregates import agreement
from timelens.bench.judge_rules import RulesJudge
from timelens.bench.judge_task import Judge, judged_by, need_of
from timelens.bench.measures import Judged, Judgement
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Gold
from timelens.temporal import Day

_RULES = RulesJudge()
Kept = dict[str, list[list[bool] | None]]
"""Verdicts by judge name, the judge of the run first; see :attr:`timelens.bench.run_folder.Result.judged`."""


def judge_ranking(
    judge: Judge, question: str, gold: Gold, now: Day, texts: Sequence[str]
) -> tuple[Kept | None, int]:
    """A judge's stored verdicts on a ranking, and the number of periods; neither without temporal intent.

    If the judge is not the rules, the verdicts of the rules are stored too, so that the two can be compared.
    """
    need = need_of(question, gold.guidance, now)
    if need is None:
        return None, 0
    kept = {judge.name: _kept(judged_by(judge, need, texts))}
    if judge.name != _RULES.name:
        kept[_RULES.name] = _kept(judged_by(_RULES, need, texts))
    return kept, len(need.periods)


def judged_in(result: Result) -> Judged | None:
    """The verdicts of the run's judge, restored from a result."""
    if result.judged is None:
        return None
    verdicts = next(iter(result.judged.values()))
    return Judged(
        tuple(None if each is None else Judgement(each[0], tuple(each[1:])) for each in verdicts),
        result.periods,
    )


def judge_summary(judge: str, results: Sequence[Result]) -> dict[str, Any]:
    """The judge's part of a summary: counts of judgements and failures, and the agreement with the rules."""
    kept = [result.judged for result in results if result.judged is not None]
    verdicts = [verdict for each in kept for verdict in each[judge]]
    summary: dict[str, Any] = {
        "name": judge,
        "questions": len(kept),
        "documents": len(verdicts),
        "failed": sum(verdict is None for verdict in verdicts),
        "answers_failed": sum(result.ungraded for result in results),
    }
    if judge != _RULES.name:
        others = [verdict for each in kept for verdict in each[_RULES.name]]
        both = [(mine, theirs) for mine, theirs in zip(verdicts, others, strict=True) if mine and theirs]
        relevant = agreement(*([_flag(each, 0) for each in side] for side in (verdicts, others)))
        covers = agreement(
            [flag for mine, _ in both for flag in mine[1:]],
            [flag for _, theirs in both for flag in theirs[1:]],
        )
        summary["agreement_with_rules"] = {"relevant": asdict(relevant), "covers": asdict(covers)}
    return summary


def _kept(judged: Judged) -> list[list[bool] | None]:
    """Each judgement as a list: whether it is relevant, then whether it covers each period."""
    return [None if each is None else _flags(each) for each in judged.verdicts]


def _flags(judgement: Judgement) -> list[bool]:
    return [judgement.relevant, *judgement.covered]


def _flag(kept: Sequence[bool] | None, place: int) -> bool | None:
    return None if kept is None else kept[place]
