"""Runs side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timelens.bench.runs import RunFolder
from timelens.bench.statistics import Difference, differences

_NOT_COMPARABLE = (
    ("dataset", "different data"),
    ("questions", "different questions"),
    ("k", "different cut-offs"),
    ("as_of", "different days that count as today"),
    ("embedder", "different embedders"),
    ("judge", "different judges"),
    ("code", "different code"),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Metrics by runs."""

    summaries: tuple[dict[str, Any], ...]
    labels: tuple[str, ...]
    """What tells the runs apart."""
    metrics: dict[str, list[float | None]]
    """Of each metric, its value in each run."""
    differences: tuple[dict[str, Difference], ...]
    """Of each run but the first, by metric: by how much it is above the first, where both have questions."""
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
    first, *others = [folder.scores() for folder in folders]
    return Comparison(
        tuple(summaries),
        labels(summaries, [path.name for path in paths]),
        {name: [summary["metrics"].get(name) for summary in summaries] for name in names_of(summaries)},
        tuple(differences(first, other) for other in others),
        not_comparable([folder.config() for folder in folders]),
    )


def not_comparable(configs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Why the figures of runs may not be comparable."""
    return tuple(
        f"the runs cannot be compared: they have {words}"
        for key, words in _NOT_COMPARABLE
        if any(config.get(key) != configs[0].get(key) for config in configs)
    )


def names_of(summaries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The metrics that any of the runs has, in their order."""
    return list(dict.fromkeys(name for summary in summaries for name in summary["metrics"]))


def labels(summaries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[str, ...]:
    """The strategy, what else differs, and the name of the run where that is not enough."""
    others = ("answerer", "suite", "data", "task", "query", "reading", "evidence_from", "negatives")
    keys = ["strategy", *(key for key in others if len({summary.get(key) for summary in summaries}) > 1)]
    found = [" ".join(str(summary.get(key, "–")) for key in keys) for summary in summaries]
    return tuple(
        f"{label} ({name})" if found.count(label) > 1 else label
        for label, name in zip(found, names, strict=True)
    )
