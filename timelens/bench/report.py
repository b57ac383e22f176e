"""Finished runs as tables and charts; measured and published figures are kept apart. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite

from timelens import BadInputError
from timelens.bench.coverage_tenths import PARTS
from timelens.bench.evidence_source import NONE
from timelens.bench.published_figures import Published, published_for
from timelens.bench.reading_suites import NO_STRATEGY
from timelens.bench.run_comparison import names_of, not_comparable
from timelens.bench.saved_run import KeptRun
from timelens.bench.statistics import Difference, differences

_MAIN = ("A", "Right", "nDCG@10")
_ANSWERED = ("A", "T", "AT", "EM", "F1", "Right", "Refusal", "FalseRefusal")
"""Measures of answers that depend on the evidence."""
_CUT_OFF = 10
_OPTIONAL = {
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
    return [run.summary["answerer"], *(run.summary.get(name, usual) for name, usual in _OPTIONAL.items())]


def _only(run: KeptRun, metric: str) -> dict[str, dict[str, float]]:
    return {name: {metric: scores[metric]} for name, scores in run.scores.items() if metric in scores}


# -------------------------------------------------------------------------------- tables


def tables(section: Section) -> list[Table]:
    """The measured figures of a section; published figures are in :func:`published_tables`."""
    found = [_metrics(section), _made(section)]
    if section.differences:
        found.insert(1, _differing(section))
    found += _verifiers(section)
    found += _closed_book(section)
    found += [_table_of(chart) for chart in charts(section) if not chart.intervals]
    return found


def headline(names: Sequence[str]) -> list[str]:
    """The measures to show; of those with cut-offs, only the one at 10, or else at the largest cut-off."""
    largest: dict[str, int] = {}
    for name in names:
        family, at, cut = name.partition("@")
        if at:
            cuts = (largest.get(family, 0), int(cut))
            largest[family] = _CUT_OFF if _CUT_OFF in cuts else max(cuts)
    return [
        name for name in names if "@" not in name or int(name.partition("@")[2]) == largest[_family(name)]
    ]


def _family(name: str) -> str:
    return name.partition("@")[0]


def _metrics(section: Section) -> Table:
    names = headline(names_of([run.summary for run in section.runs]))
    printed = {name for table in section.published for name in table.columns}
    names += [
        name
        for name in names_of([run.summary for run in section.runs])
        if name in printed and name not in names
    ]
    reads = all(run.summary["strategy"] == NO_STRATEGY for run in section.runs)
    others = [
        name
        for name, usual in _OPTIONAL.items()
        if len({run.summary.get(name, usual) for run in section.runs}) > 1
    ]
    kinds = () if reads else ("strategy", "answerer", *others)
    return Table(
        "Measured, in percent",
        ("run", *kinds, "n", *names),
        tuple(
            (
                run.name,
                *(str(run.summary.get(kind, _OPTIONAL.get(kind))) for kind in kinds),
                str(run.summary["n"]),
                *(_with_deviation(run, name) for name in names),
            )
            for run in section.runs
        ),
        words=1 + len(kinds),
    )


def _with_deviation(run: KeptRun, name: str) -> str:
    deviation = run.summary.get("deviation", {}).get(name)
    return figure(run.metrics.get(name)) + ("" if deviation is None else f" ± {deviation:.1f}")


def _differing(section: Section) -> Table:
    return Table(
        f"Differences in {section.metric}, on the questions that have a score in both runs",
        ("run", "against", "points", "95 % interval", "p", "questions"),
        tuple(
            (name, base, f"{one.mean:+.1f}", f"{one.low:+.1f} to {one.high:+.1f}", f"{one.p:.4f}", str(one.n))
            for name, (base, one) in section.differences.items()
        ),
        words=2,
    )


def _verifiers(section: Section) -> Iterator[Table]:
    """How well the verifier separates right from wrong times, for answers whose times the gold data knows."""
    columns = ("precision", "recall", "f1")
    rows = [
        (run.name, label, str(of["support"]), *(figure(of[name]) for name in columns))
        for run in section.runs
        for label, of in run.summary.get("verifier", {}).get("labels", {}).items()
    ]
    if rows:
        title = "Verifier: stated times that it accepts, compared with the recorded days, in percent"
        yield Table(title, ("run", "times", "n", *columns), tuple(rows), words=2)


def _closed_book(section: Section) -> Iterator[Table]:
    """For a model that answered with and without evidence: the gain of each measure from evidence."""
    for closed in section.runs:
        if closed.summary.get("evidence_from") != NONE:
            continue
        for run in section.runs:
            if run.summary.get("evidence_from") != NONE and _writer_of(run) == _writer_of(closed):
                yield from _raised(closed, run)


def _writer_of(run: KeptRun) -> tuple[object, ...]:
    return run.summary["answerer"], _model_of(run), run.summary.get("query", _OPTIONAL["query"])


def _raised(closed: KeptRun, run: KeptRun) -> Iterator[Table]:
    """A table for each grouping that both runs have, with a row for each group and measure."""
    for grouping in [name for name in closed.summary["groups"] if name in run.summary["groups"]]:
        both = [closed.summary["groups"][grouping], run.summary["groups"][grouping]]
        rows = {"all": [closed.metrics, run.metrics]}
        rows |= {label: [groups[label] for groups in both] for label in both[0] if label in both[1]}
        shown = [
            (label, name, *figures)
            for label, sides in rows.items()
            for name in _ANSWERED
            if (figures := _side_by_side([side.get(name) for side in sides])) is not None
        ]
        if shown:
            title = f"{closed.name} (closed book) and {run.name} (with evidence), by {grouping}, in percent"
            yield Table(
                title, (grouping, "measure", "closed book", "with evidence", "gained"), tuple(shown), words=2
            )


def _side_by_side(values: Sequence[float | None]) -> tuple[str, str, str] | None:
    """Two figures and their difference; ``None`` if one is undefined."""
    one, other = values
    return None if one is None or other is None else (figure(one), figure(other), f"{other - one:+.1f}")


def _made(section: Section) -> Table:
    columns = (
        "run",
        "version",
        "revision",
        "data (SHA-256)",
        "today",
        "model",
        "asked",
        "left out",
        "command",
    )
    rows = tuple(
        (
            run.name,
            str(run.config.get("version", "–")),
            _revision(run),
            str(run.config.get("dataset", "–"))[:12],
            str(run.config.get("as_of", "–")),
            _model_of(run),
            str(run.questions),
            _left_out(run),
            run.command or "–",
        )
        for run in section.runs
    )
    return Table("How each was made", columns, rows, words=len(columns))


def _model_of(run: KeptRun) -> str:
    """The file of the model that answered, or its name on a server."""
    model = run.config.get("model") or {}
    return str(model.get("path") or model.get("model") or "–")


def _left_out(run: KeptRun) -> str:
    counts = run.summary["excluded"].items()
    return ", ".join(f"{count} ({reason})" for reason, count in counts) or "none"


def _revision(run: KeptRun) -> str:
    state = run.config.get("git") or {}
    revision = state.get("revision")
    return "–" if revision is None else f"{revision[:9]}{' with changes' if state.get('dirty') else ''}"


def published_tables(section: Section) -> list[Table]:
    """Published figures for the suite, marked as published."""
    return [
        Table(
            f"Published, not measured here: {table.source} ({table.caption})",
            ("system", *table.columns),
            tuple((name, *_printed(table, name)) for name in table.rows),
        )
        for table in section.published
    ]


def _printed(table: Published, name: str) -> Iterator[str]:
    deviations = table.deviations.get(name) or (None,) * len(table.columns)
    for value, deviation in zip(table.rows[name], deviations, strict=True):
        if value is None:
            yield "–"
        else:
            yield f"{value:.1f}" if deviation is None else f"{value:.2f} ± {deviation:.2f}"


def figure(value: float | None) -> str:
    """A figure in percent with one decimal."""
    return "–" if value is None else f"{value:.1f}"


# -------------------------------------------------------------------------------- charts


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


def _table_of(chart: Chart) -> Table:
    return Table(
        chart.title,
        (chart.along, *chart.series),
        tuple(
            (place if isinstance(place, str) else f"{place:g}", *map(figure, values))
            for place, *values in zip(chart.places, *chart.series.values(), strict=True)
        ),
    )
