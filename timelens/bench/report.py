"""Finished runs grouped into the sections of a report, and the types of its tables and charts. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from timelens import BadInputError
from timelens.bench.published_figures import Published, published_for
from timelens.bench.run_comparison import names_of, not_comparable
from timelens.bench.saved_run import KeptRun
from timelens.bench.statistics import Difference, differences

_MAIN = ("A", "Right", "nDCG@10")
DEFAULT_SETTINGS = {
    "task": "documents",
    "query": "baseline",
    "reading": "direct",
    "evidence_from": "retrieved",
    "negatives": "ranked",
}
"""Settings of a run with their defaults; shown if the runs differ in them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text and figures, ready to show."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    """The number of leading text columns; the other columns are figures, aligned right."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a plot, in percent."""

    name: str
    title: str
    along: str
    """The label of the horizontal axis."""
    places: tuple[str | float, ...]
    """Positions on the horizontal axis: names are drawn as bars, numbers as curves."""
    series: Mapping[str, tuple[float | None, ...]]
    intervals: tuple[tuple[float, float] | None, ...] = ()
    """The 95 % interval at each place, if known; only with a single series."""


@dataclass(frozen=True, slots=True)
class Section:
    """The runs over one data set."""

    suite: str
    data: str
    metric: str
    """The measure shown in differences, groups and charts."""
    runs: tuple[KeptRun, ...]
    differences: Mapping[str, tuple[str, Difference]]
    """By run: the run that it is compared with, and the difference from it in the measure."""
    notes: tuple[str, ...]
    published: tuple[Published, ...]


def sections(runs: Sequence[KeptRun], metric: str | None = None) -> list[Section]:
    """Group runs by suite and data, sorted by name; within a section runs keep the given order.

    Args:
        runs: at least one, each with a unique name.
        metric: the measure for differences, groups and charts; ``None`` uses :func:`main_metric`.

    Raises:
        BadInputError: two runs have the same name, or no run has the measure.
    """
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInputError(
            f"two runs are named {twice}", "rename a folder: a report needs a different name for each run"
        )
    known = names_of([run.summary for run in runs])
    if metric is not None and metric not in known:
        raise BadInputError(f"no run has the measure {metric!r}", f"choose one of {', '.join(known)}")

    def place(run: KeptRun) -> tuple[str, str]:
        return run.summary["suite"], run.summary["data"]

    by_suite = [(key, tuple(group)) for key, group in groupby(sorted(runs, key=place), key=place)]
    last = {suite: data for (suite, data), _ in by_suite}
    return [
        _section(suite, data, own, metric or main_metric(own), with_published=last[suite] == data)
        for (suite, data), own in by_suite
    ]


def main_metric(runs: Sequence[KeptRun]) -> str:
    """The measure to compare runs by: the first of A, Right and nDCG@10 that all runs have, else another."""
    shared = [
        name
        for name in names_of([run.summary for run in runs])
        if all(run.metrics.get(name) is not None for run in runs)
    ]
    return next((name for name in (*_MAIN, *shared) if name in shared), "")


def _section(
    suite: str, data: str, runs: tuple[KeptRun, ...], metric: str, *, with_published: bool
) -> Section:
    return Section(
        suite,
        data,
        metric,
        runs,
        dict(_differences(runs, metric)),
        not_comparable([{**run.config, "questions": run.questions} for run in runs]),
        published_for(suite) if with_published else (),
    )


def _differences(runs: Sequence[KeptRun], metric: str) -> Iterator[tuple[str, tuple[str, Difference]]]:
    for run in runs[1:]:
        base = whole_of(run, runs) or runs[0]
        found = differences(_only(base, metric), _only(run, metric))
        if base is not run and found:
            yield run.name, (base.name, found[metric])


def whole_of(run: KeptRun, runs: Sequence[KeptRun]) -> KeptRun | None:
    """For a run of a strategy ``NAME-STAGE``, the run of ``NAME`` with the same settings, if any."""
    whole, dash, _ = run.summary["strategy"].partition("-")
    if not dash:
        return None
    wanted = [whole, *_asked(run)]
    return next((one for one in runs if [one.summary["strategy"], *_asked(one)] == wanted), None)


def _asked(run: KeptRun) -> list[object]:
    """The settings that must be equal for two strategies to differ only in a stage."""
    return [
        run.summary["answerer"],
        *(run.summary.get(name, usual) for name, usual in DEFAULT_SETTINGS.items()),
    ]


def _only(run: KeptRun, metric: str) -> dict[str, dict[str, float]]:
    return {name: {metric: scores[metric]} for name, scores in run.scores.items() if metric in scores}
