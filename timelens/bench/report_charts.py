"""The charts of a report, as data. Pure."""

from collections.abc import Iterator, Sequence
from math import isfinite

from timelens.bench.coverage_tenths import PARTS
from timelens.bench.report import Chart, Section, whole_of


def charts(section: Section) -> list[Chart]:
    """The charts of a section: ablations, the measure by group, date shifts, coverage of the asked period."""
    return [*_ablations(section), *_by_group(section), *_shifts(section), *_coverage(section)]


def _ablations(section: Section) -> Iterator[Chart]:
    for whole in section.runs:
        parts = [run for run in section.runs if whole_of(run, section.runs) is whole]
        value = whole.metrics.get(section.metric)
        if not parts or value is None:
            continue
        intervals = [
            None if found is None else (value + found[1].low, value + found[1].high)
            for found in (section.differences.get(run.name) for run in parts)
        ]
        yield Chart(
            f"ablation-{whole.name}",
            f"{whole.name} and without each stage, {section.metric}",
            "run",
            tuple(run.name for run in (whole, *parts)),
            {section.metric: tuple(run.metrics.get(section.metric) for run in (whole, *parts))},
            (None, *intervals),
        )


def _by_group(section: Section) -> Iterator[Chart]:
    for group in dict.fromkeys(name for run in section.runs for name in run.summary["groups"]):
        found = {run.name: run.summary["groups"].get(group, {}) for run in section.runs}
        labels = list(dict.fromkeys(label for values in found.values() for label in values))
        scale = _scale(labels)
        if scale:
            labels.sort(key=scale.__getitem__)
        places = tuple(scale.get(label, label) for label in labels)
        series = {
            name: tuple(values.get(label, {}).get(section.metric) for label in labels)
            for name, values in found.items()
        }
        if any(value is not None for values in series.values() for value in values):
            title = f"{section.metric} by {group}"
            yield Chart(f"by-{group}", title, group, places, series)


def _shifts(section: Section) -> Iterator[Chart]:
    """The date-shift curve of each kind of question (MRAG, Appendix A)."""
    found = {run.name: run.summary["shift"] for run in section.runs if "shift" in run.summary}
    for kind in dict.fromkeys(kind for own in found.values() for kind in own):
        curves = {name: own[kind]["copies"] for name, own in found.items() if kind in own}
        moved = sorted({label for curve in curves.values() for label in curve}, key=float)
        counts = sorted({own[kind]["n"] for own in found.values() if kind in own})
        yield Chart(
            f"shift-{kind}",
            f"“{kind}”: how often a copy is among the R best ({' or '.join(map(str, counts))} questions)",
            "years that the copy is moved",
            tuple(map(float, moved)),
            {name: tuple(curve.get(label) for label in moved) for name, curve in curves.items()},
        )


def _coverage(section: Section) -> Iterator[Chart]:
    found = {run.name: run.summary["coverage"] for run in section.runs if "coverage" in run.summary}
    if found:
        counts = sorted({one["n"] for one in found.values()})
        yield Chart(
            "coverage",
            f"Days of the asked period with evidence ({' or '.join(map(str, counts))} questions)",
            "percent of the asked period",
            tuple(100 * (part + 0.5) / PARTS for part in range(PARTS)),
            {name: tuple(one["tenths"]) for name, one in found.items()},
        )


def _scale(labels: Sequence[str]) -> dict[str, float]:
    """The labels of a group as numbers, such as shifts in years; empty unless all are numbers."""
    try:
        numbers = {label: float(label.replace("−", "-")) for label in labels}
    except ValueError:
        return {}
    return numbers if len(numbers) > 1 and all(map(isfinite, numbers.values())) else {}
