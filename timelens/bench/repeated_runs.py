"""Several runs of one job combined: means and standard deviations (TA-RAG, Section 6.1: five runs). Pure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from timelens.bench.aggregates import Spread, spreads

_OF_ONE_RUN = {"judge", "verifier"}
"""Parts of a summary that have no mean over runs."""


def together(summaries: Sequence[Mapping[str, Any]], path: Path) -> dict[str, Any]:
    """One summary of several: each metric is its mean, and ``deviation`` has its standard deviation.

    The deviation is the sample deviation (n - 1) over the runs, of the metric in percent. A metric that is
    missing in some run is omitted. Counts of excluded questions are added up.

    Raises:
        ValueError: there are fewer than two summaries.
    """
    if len(summaries) < 2:
        raise ValueError("a deviation needs at least two runs")
    first = summaries[0]
    metrics = spreads([summary["metrics"] for summary in summaries])
    reasons = dict.fromkeys(reason for summary in summaries for reason in summary["excluded"])
    groups = {
        grouping: {
            label: spreads([summary["groups"][grouping][label] for summary in summaries])
            for label in labels
            if all(label in summary["groups"].get(grouping, {}) for summary in summaries)
        }
        for grouping, labels in first["groups"].items()
    }
    seeds = [seed for summary in summaries for seed in summary.get("sampling", {}).get("seeds", ())]
    return {
        **{name: value for name, value in first.items() if name not in _OF_ONE_RUN},
        **({"sampling": {**first["sampling"], "seeds": seeds}} if seeds else {}),
        "runs": len(summaries),
        "n": first["n"],
        "excluded": {
            reason: sum(summary["excluded"].get(reason, 0) for summary in summaries) for reason in reasons
        },
        "metrics": _means(metrics),
        "deviation": _deviations(metrics),
        "groups": {
            grouping: {label: _means(each) for label, each in own.items()} for grouping, own in groups.items()
        },
        "group_deviation": {
            grouping: {
                label: _deviations({name: of for name, of in each.items() if name != "n"})
                for label, each in own.items()
            }
            for grouping, own in groups.items()
        },
        "seconds": round(sum(summary["seconds"] for summary in summaries), 3),
        "run": str(path),
    }


def _means(spread: Mapping[str, Spread]) -> dict[str, float]:
    return {name: round(of.mean, 6) for name, of in spread.items()}


def _deviations(spread: Mapping[str, Spread]) -> dict[str, float]:
    return {name: round(of.deviation or 0.0, 6) for name, of in spread.items()}
