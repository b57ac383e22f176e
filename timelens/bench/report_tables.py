"""The tables of a report: measured and published figures, kept apart. Pure."""

from collections.abc import Iterator, Sequence

from timelens.bench.evidence_source import NONE
from timelens.bench.published_figures import Published
from timelens.bench.reading_suites import NO_STRATEGY
from timelens.bench.report import DEFAULT_SETTINGS, Chart, Section, Table
from timelens.bench.report_charts import charts
from timelens.bench.run_comparison import names_of
from timelens.bench.saved_run import KeptRun

_ANSWERED = ("A", "T", "AT", "EM", "F1", "Right", "Refusal", "FalseRefusal")
"""Measures of answers that depend on the evidence."""

_CUT_OFF = 10


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
        for name, usual in DEFAULT_SETTINGS.items()
        if len({run.summary.get(name, usual) for run in section.runs}) > 1
    ]
    kinds = () if reads else ("strategy", "answerer", *others)
    return Table(
        "Measured, in percent",
        ("run", *kinds, "n", *names),
        tuple(
            (
                run.name,
                *(str(run.summary.get(kind, DEFAULT_SETTINGS.get(kind))) for kind in kinds),
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
    return run.summary["answerer"], _model_of(run), run.summary.get("query", DEFAULT_SETTINGS["query"])


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


def _table_of(chart: Chart) -> Table:
    return Table(
        chart.title,
        (chart.along, *chart.series),
        tuple(
            (place if isinstance(place, str) else f"{place:g}", *map(figure, values))
            for place, *values in zip(chart.places, *chart.series.values(), strict=True)
        ),
    )
