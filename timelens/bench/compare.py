"""Runs side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timelens.bench.runs import RunFolder


@dataclass(frozen=True, slots=True)
class Comparison:
    """Metrics by runs."""

    summaries: tuple[dict[str, Any], ...]
    labels: tuple[str, ...]
    """What tells the runs apart."""
    metrics: dict[str, list[float | None]]
    """Of each metric, its value in each run."""
    notes: tuple[str, ...]
    """Why the figures may not be comparable."""


def compare(paths: Sequence[Path]) -> Comparison:
    """Read finished runs.

    Raises:
        MissingError: one is not there or not finished.
        BadInputError: one is broken.
    """
    folders = [RunFolder(path) for path in paths]
    summaries = [folder.summary() for folder in folders]
    configs = [folder.config() for folder in folders]
    names = dict.fromkeys(name for summary in summaries for name in summary["metrics"])
    differing = [
        (key, words)
        for key, words in (
            ("dataset", "different data"),
            ("questions", "different questions"),
            ("k", "different cut-offs"),
            ("as_of", "different days that count as now"),
            ("embedder", "different embedders"),
            ("judge", "different judges"),
            ("code", "different code"),
        )
        if any(config.get(key) != configs[0].get(key) for config in configs)
    ]
    return Comparison(
        tuple(summaries),
        _labels(summaries, paths),
        {name: [summary["metrics"].get(name) for summary in summaries] for name in names},
        tuple(f"the runs have {words}" for _, words in differing),
    )


def _labels(summaries: Sequence[dict[str, Any]], paths: Sequence[Path]) -> tuple[str, ...]:
    """The strategy, what else differs, and the folder where that is not enough."""
    others = ("answerer", "suite", "data", "task", "negatives")
    keys = ["strategy", *(key for key in others if len({summary.get(key) for summary in summaries}) > 1)]
    labels = [" ".join(str(summary.get(key, "–")) for key in keys) for summary in summaries]
    return tuple(
        f"{label} ({path.name})" if labels.count(label) > 1 else label
        for label, path in zip(labels, paths, strict=True)
    )
