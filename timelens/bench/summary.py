"""The summary of a run: metrics over its questions and by group, and counts of excluded questions. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

from timelens.bench import date_shift, tdbench_measures
from timelens.bench.coverage_tenths import summed
from timelens.bench.job import Job
from timelens.bench.judgements import judge_summary
from timelens.bench.measures import Scores, means
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Dataset, Gold


def summarised(
    job: Job, names: Sequence[str], results: Sequence[Result], dataset: Dataset, path: Path
) -> dict[str, Any]:
    """The summary as the contract defines it. Questions that cannot be scored and failures are counted.

    Steps are averaged within their question first, so that ``n`` counts questions. ``defined`` has the number
    of questions for which a metric is defined, if that is not all of them.
    """
    scored = [result for result in results if result.scores]
    excluded = Counter(dataset.excluded)
    excluded.update(result.failed for result in results if result.failed is not None)
    unknown = sum(not result.scores and result.failed is None for result in results)
    if unknown:
        excluded["nothing known to score by"] = unknown
    whole = by_question(scored, dataset.gold)
    metrics = means(names, whole)
    defined = [name for name in names if metrics[name] is not None]
    counts = {name: sum(name in scores for scores in whole) for name in defined}
    summary = {
        "suite": job.suite,
        "data": job.data,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "task": job.task,
        "query": job.query,
        "evidence_from": job.evidence_from,
        "negatives": job.negatives,
        "n": len(whole),
        "excluded": dict(excluded),
        "metrics": {name: metrics[name] for name in defined},
        "defined": {name: count for name, count in counts.items() if count < len(whole)},
        "groups": _groups(defined, scored, dataset.gold),
        **summed(results),
        **date_shift.summed(results, dataset.gold),
        **tdbench_measures.summed(chain.from_iterable(result.times for result in results)),
        "seconds": round(sum(result.seconds for result in results), 3),
        "run": str(path),
    }
    model = job.model or {}
    if "reading" in model:
        summary["reading"] = model["reading"]
    if float(model.get("temperature", 0)) > 0:
        summary["sampling"] = {"temperature": float(model["temperature"]), "seeds": [int(model["seed"])]}
    if job.judge is not None:
        summary["judge"] = judge_summary(job.judge.name, results)
    return summary


def by_question(results: Sequence[Result], gold: Mapping[str, Gold]) -> list[Scores]:
    """The scores of each question; steps are averaged within their question, measure by measure."""
    parts: dict[str, list[Mapping[str, float]]] = {}
    for result in results:
        parts.setdefault(gold[result.id].part_of or result.id, []).append(result.scores)
    return [
        {name: fmean(each[name] for each in steps if name in each) for name in dict.fromkeys(chain(*steps))}
        for steps in parts.values()
    ]


def _groups(
    names: Sequence[str], results: Sequence[Result], gold: Mapping[str, Gold]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """The metrics by label of each grouping: the kind of question, and every grouping in the gold data."""
    labels = {result.id: {"kind": result.kind, **gold[result.id].groups} for result in results}
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for grouping in dict.fromkeys(chain.from_iterable(labels.values())):
        own = {name: each.get(grouping) for name, each in labels.items()}
        found[grouping] = _grouped(names, results, own, gold)
    return {grouping: groups for grouping, groups in found.items() if groups}


def _grouped(
    names: Sequence[str],
    results: Sequence[Result],
    labels: Mapping[str, str | None],
    gold: Mapping[str, Gold],
) -> dict[str, dict[str, float | None]]:
    """The number of questions under each label, as ``n``, and their metrics."""
    groups: dict[str, dict[str, float | None]] = {}
    for label in sorted({label for label in labels.values() if label is not None}):
        scores = by_question([result for result in results if labels[result.id] == label], gold)
        groups[label] = {"n": len(scores), **means(names, scores)}
    return groups
