"""Comparison of runs, side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timelens.bench.run_folder import RunFolder
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
class RunComparison:
    """Metrics by runs."""

    summaries: tuple[dict[str, Any], ...]
    labels: tuple[str, ...]
    """Labels that distinguish the runs."""
    metrics: dict[str, list[float | None]]
    """The value of each metric in each run."""
    differences: tuple[dict[str, Difference], ...]
    """For each run except the first, by metric: its difference from the first, over questions in both."""
    notes: tuple[str, ...]
    """Reasons why the figures may not be comparable."""


def compare(paths: Sequence[Path]) -> RunComparison:
    """Read finished runs.

    Raises:
        MissingError: a run is missing or not finished.
        BadInputError: a run is broken.
    """
    folders = [RunFolder(path) for path in paths]
    summaries = [folder.summary() for folder in folders]
    first, *others = [folder.scores() for folder in folders]
    return RunComparison(
        tuple(summaries),
        labels(summaries, [path.name for path in paths]),
        {name: [summary["metrics"].get(name) for summary in summaries] for name in names_of(summaries)},
        tuple(differences(first, other) for other in others),
        not_comparable([folder.config() for folder in folders]),
    )


def not_comparable(configs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Reasons why the figures of runs may not be comparable."""
    return tuple(
        f"the runs cannot be compared: they have {words}"
        for key, words in _NOT_COMPARABLE
        if any(config.get(key) != configs[0].get(key) for config in configs)
    )


def names_of(summaries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The metrics that any of the runs has, in order of first occurrence."""
    return list(dict.fromkeys(name for summary in summaries for name in summary["metrics"]))


def labels(summaries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[str, ...]:
    """A label per run: its strategy, the other keys that differ, and its name if labels are still equal."""
    others = ("answerer", "suite", "data", "task", "query", "reading", "evidence_from", "negatives")
    keys = ["strategy", *(key for key in others if len({summary.get(key) for summary in summaries}) > 1)]
    found = [" ".join(str(summary.get(key, "–")) for key in keys) for summary in summaries]
    return tuple(
        f"{label} ({name})" if found.count(label) > 1 else label
        for label, name in zip(found, names, strict=True)
    )
