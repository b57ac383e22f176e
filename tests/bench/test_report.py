"""``bench report`` and ``bench compare`` on finished runs that the tests write themselves."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run
from lxml import etree

from timelens.bench.plots import draw
from timelens.bench.published_figures import PUBLISHED, Published
from timelens.bench.report import Chart, sections
from timelens.bench.report_charts import charts
from timelens.bench.report_files import as_markdown
from timelens.bench.report_tables import headline, tables
from timelens.bench.run_folder import Result, RunFolder
from timelens.bench.saved_run import portable, portable_command, read_run

ROOT = Path(__file__).parents[2]
RIGHT = {"timelens": "11111110", "timelens-time": "11110000", "hybrid": "10101010"}
"""Whether each question is answered right, by strategy."""

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a finished run of a strategy and gives its folder."""

    def make_run(
        name: str,
        strategy: str = "timelens",
        *,
        suite: str = "corpus",
        groups: Mapping[str, Any] | None = None,
        right: str | None = None,
        **more: object,
    ) -> Path:
        folder = RunFolder(tmp_path / "runs" / name)
        hits = right or RIGHT[strategy]
        results = [
            Result(f"q{number}", "point", scores={"A": float(hit), "nDCG@10": 0.5})
            for number, hit in enumerate(hits)
        ]
        data = "/home/someone/data/leaders"
        command = ["bench", "run", suite, "--data", data, "--out", f"/tmp/{name}", "--strategy", strategy]
        config = {
            "version": "1.2.3",
            "git": {"revision": "0123456789abcdef", "dirty": False},
            "dataset": "feed" * 16,
            "as_of": "2026-01-01",
            "k": [1, 10],
            "model": None,
            "questions": [result.id for result in results],
            "command": command,
        }
        summary = {
            "suite": suite,
            "data": data,
            "strategy": strategy,
            "answerer": "extractive",
            "n": len(hits),
            "excluded": {"answer failed": 2},
            "metrics": {"A": 100 * hits.count("1") / len(hits), "nDCG@1": 40.0, "nDCG@10": 50.0},
            "groups": groups or {},
            "seconds": 1.0,
            "run": str(folder.path),
            **more,
        }
        folder.begin(config, resume=False)
        folder.finish(results, summary)
        return folder.path

    return make_run


def test_compare_says_by_how_much_runs_differ(run: Run, make: Make) -> None:
    paths = [make(name, name) for name in RIGHT]
    compared = json.loads(run("bench", "compare", *paths, "--json").out)
    found = {one["run"]: one["metrics"] for one in compared["differences"]}
    assert found["hybrid"]["A"]["n"] == 8
    assert {name: one["A"]["mean"] for name, one in found.items()} == {
        "timelens-time": -37.5,
        "hybrid": -37.5,
    }
    assert found["hybrid"]["A"]["low"] <= -37.5 <= found["hybrid"]["A"]["high"]
    assert found["hybrid"]["nDCG@10"] == {"mean": 0.0, "low": 0.0, "high": 0.0, "p": 1.0, "n": 8}
    shown = run("bench", "compare", *paths)
    assert "hybrid less timelens" in shown.out
    assert "-37.5" in shown.out


def test_a_comparison_of_runs_without_a_common_question_says_so(run: Run, make: Make) -> None:
    path = make("one")
    other = make("two", right="1")
    results = other / "results.jsonl"
    results.write_text(results.read_text().replace('"q0"', '"elsewhere"'))
    assert "no question has a score in both runs" in run("bench", "compare", path, other).out


def test_a_report_has_every_run_with_what_made_it(run: Run, make: Make, tmp_path: Path) -> None:
    paths = [make(name, name) for name in RIGHT]
    outcome = run("bench", "report", *paths, "--out", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    document = (tmp_path / "out" / "report.md").read_text()
    for text in (outcome.out, document.replace("\\", "")):
        assert "2 (answer failed)" in text
        assert "timelens bench run corpus --data leaders --strategy hybrid" in text
        assert "someone" not in text
        for name in RIGHT:
            assert name in text
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    [section] = report["sections"]
    assert [one["name"] for one in section["runs"]] == list(RIGHT)
    assert [(one["run"], one["from"], one["mean"]) for one in section["differences"]] == [
        ("timelens-time", "timelens", -37.5),
        ("hybrid", "timelens", -37.5),
    ]
    assert json.loads(run("bench", "report", *paths, "--json").out) == report
    plots = sorted(path.name for path in (tmp_path / "out").glob("*.png"))
    assert plots == ["corpus-leaders-ablation_timelens.png"]


def test_a_closed_book_stands_beside_the_same_model_with_evidence(make: Make) -> None:
    kinds = {"closed": {"now": 10.0, "unique": 20.0, "gone": 5.0}, "open": {"now": 60.0, "unique": 15.0}}
    runs = [
        read_run(
            make(
                name,
                groups={"kind": {kind: {"n": 4, "A": value} for kind, value in own.items()}},
                evidence_from=source,
                answerer=answerer,
            )
        )
        for name, own, source, answerer in (
            ("closed", kinds["closed"], "none", "llama"),
            ("open", kinds["open"], "retrieved", "llama"),
            ("solver", kinds["open"], "retrieved", "extractive"),
        )
    ]
    [section] = sections(runs)
    [table] = [table for table in tables(section) if "closed book" in table.title]
    assert "open (with evidence), by kind" in table.title
    assert [row for row in table.rows if row[0] != "all"] == [
        ("now", "A", "10.0", "60.0", "+50.0"),
        ("unique", "A", "20.0", "15.0", "-5.0"),
    ]
    assert not [table for table in tables(sections(runs[1:])[0]) if "closed book" in table.title]


def test_an_ablation_stands_beside_its_whole_with_an_interval(make: Make) -> None:
    found = sections([read_run(make(name, name)) for name in ("hybrid", "timelens-time", "timelens")])
    [chart] = charts(found[0])
    assert (chart.places, chart.series) == (("timelens", "timelens-time"), {"A": (87.5, 50.0)})
    base, interval = chart.intervals
    assert base is None
    assert interval is not None
    assert interval[0] <= 50 <= interval[1]


@pytest.mark.parametrize(
    ("labels", "places"),
    [
        (("change", "point"), ("change", "point")),
        (("30", "-30", "0"), (-30.0, 0.0, 30.0)),
        (("+1.5", "−1.5"), (-1.5, 1.5)),
        (("2020",), ("2020",)),
        (("1", "nan"), ("1", "nan")),
        (("1", "later"), ("1", "later")),
    ],
)
def test_a_group_of_numbers_is_a_curve(
    make: Make, labels: tuple[str, ...], places: tuple[object, ...]
) -> None:
    group = {label: {"n": 1, "A": float(number)} for number, label in enumerate(labels)}
    [chart] = charts(sections([read_run(make("one", groups={"shift": group}))])[0])
    assert chart.places == places
    scale = {label: float(label.replace("−", "-")) for label in labels if isinstance(places[0], float)}
    wanted = sorted(labels, key=scale.__getitem__) if scale else labels
    assert chart.series["one"] == tuple(float(labels.index(label)) for label in wanted)


def test_coverage_is_a_curve_over_the_asked_period(make: Make) -> None:
    tenths = [100.0] * 9 + [25.0]
    [chart] = charts(sections([read_run(make("one", coverage={"n": 7, "tenths": tenths}))])[0])
    assert (chart.name, chart.places[0], chart.places[-1]) == ("coverage", 5.0, 95.0)
    assert chart.series == {"one": tuple(tenths)}


def test_published_figures_stand_apart_and_only_beside_their_suite(run: Run, make: Make) -> None:
    measured, other = make("one", suite="tdbench"), make("two")
    report = json.loads(run("bench", "report", measured, other, "--json").out)
    published = {one["suite"]: one["published"] for one in report["sections"]}
    assert published["corpus"] == []
    assert [one["source"] for one in published["tdbench"]] == [
        "TDBench, Table 4",
        "TDBench, Table 5",
        "TDBench, Table 27",
    ]
    shown = run("bench", "report", measured).out
    before, mark, after = shown.partition("Published, not measured here: TDBench, Table 4")
    assert mark
    assert ("GPT-4o" in before, "GPT-4o" in after) == (False, True)
    assert "GPT-4o" not in json.dumps([one["runs"] for one in report["sections"]])


@pytest.mark.parametrize("table", PUBLISHED, ids=lambda table: f"{table.source} {table.columns[0]}")
def test_a_published_table_is_whole(table: Published) -> None:
    for figures in (table.rows, table.deviations):
        assert all(len(values) == len(table.columns) for values in figures.values())
        assert all(value is None or 0 <= value <= 100 for values in figures.values() for value in values)
    assert not table.deviations or table.deviations.keys() == table.rows.keys()
    if table.columns == ("A", "AT", "Δ"):
        rows = [[value or 0.0 for value in row] for row in table.rows.values()]
        assert all(a - at == pytest.approx(delta, abs=0.11) for a, at, delta in rows)


def test_kept_runs_make_the_report_that_their_folders_make(run: Run, make: Make, tmp_path: Path) -> None:
    paths = [make(name, name, groups={"kind": {"a|b": {"A": 1.0}}}) for name in RIGHT]
    assert run("bench", "report", *paths, "--out", tmp_path / "one.md", "--keep", tmp_path / "kept").code == 0
    files = [tmp_path / "kept" / f"{name}.json" for name in RIGHT]
    assert not any("someone" in file.read_text() for file in files)
    assert run("bench", "report", *files, "--out", tmp_path / "two.md").code == 0
    assert (tmp_path / "one.md").read_text() == (tmp_path / "two.md").read_text()
    assert "| a\\|b |" in (tmp_path / "one.md").read_text()


def test_a_report_without_matplotlib_lacks_the_plots_and_says_so(
    run: Run, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [make(name, name) for name in RIGHT]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = run("bench", "report", *paths, "--out", tmp_path / "out")
    assert outcome.code == 0
    assert "no plots" in outcome.err
    assert "timelens[plots]" in outcome.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.json", "report.md"]


@pytest.mark.parametrize(
    "chart",
    [
        Chart("bars", "Cost in $ and $", "kind", ("a_b", "$c$"), {"one": (1.0, None), "two": (3.0, 4.0)}),
        Chart("bars", "t", "run", ("a", "b"), {"A": (50.0, 40.0)}, (None, (35.0, 45.0))),
        Chart("curve", "t", "shift", (-1.0, 0.0, 2.5), {"one\x1b[31m": (1.0, None, 3.0)}),
    ],
    ids=["bars", "intervals", "curve"],
)
def test_a_chart_is_drawn_the_same_each_time(chart: Chart, tmp_path: Path) -> None:
    first, second = draw(chart, tmp_path / "one"), draw(chart, tmp_path / "two")
    assert [path.suffix for path in first] == [".png", ".svg"]
    assert first[0].read_bytes().startswith(b"\x89PNG")
    assert etree.parse(first[1]).getroot().tag.endswith("svg")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["RR", "nDCG@1", "nDCG@10", "nDCG@20"], ["RR", "nDCG@10"]),
        (["R@1", "R@5", "A"], ["R@5", "A"]),
        (["P@20", "P@10"], ["P@10"]),
        (["spurious/1000"], ["spurious/1000"]),
        ([], []),
    ],
)
def test_of_measures_with_cut_offs_one_is_shown(names: list[str], shown: list[str]) -> None:
    assert headline(names) == shown


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["bench", "run", "beir", "--data", "/data/timeqa"], "timelens bench run beir --data timeqa"),
        (["bench", "run", "corpus", "--data=../a/b", "-q", "--json"], "timelens bench run corpus --data=b"),
        (["run", "--out", "/x", "--k", "1,5", "--out=/y", "--jobs", "4", "--resume"], "timelens run --k 1,5"),
        (["run", "--data", "corpora/leaders"], "timelens run --data corpora/leaders"),
        (["run", "--data", "~/my files"], "timelens run --data 'my files'"),
        ([], ""),
    ],
)
def test_a_command_is_told_without_paths_of_the_machine(arguments: list[str], command: str) -> None:
    assert portable_command(arguments) == command


def _twice(path: Path) -> list[object]:
    return [path, path]


def _unknown_metric(path: Path) -> list[object]:
    return [path, "--metric", "BLEU"]


def _not_kept(path: Path) -> list[object]:
    file = path / "other.json"
    file.write_text('{"name": "x", "summary": {}}')
    return [file]


def _not_json(path: Path) -> list[object]:
    file = path / "other.json"
    file.write_text("{")
    return [file]


def _gone(path: Path) -> list[object]:
    return [path / "gone.json"]


def _no_run(path: Path) -> list[object]:
    return [path / "gone"]


def _in_the_way(path: Path) -> list[object]:
    return [path, "--out", path / "config.json"]


@pytest.mark.parametrize(
    ("ask", "code", "said"),
    [
        (_twice, 2, "two runs are named one"),
        (_unknown_metric, 2, "no run has the measure 'BLEU'"),
        (_not_kept, 2, "is not a kept run"),
        (_not_json, 2, "is not a kept run"),
        (_gone, 3, "there is no file"),
        (_no_run, 3, "there is no finished run"),
        (_in_the_way, 2, "cannot be written"),
    ],
)
def test_what_cannot_be_reported_is_named_with_a_remedy(
    run: Run, make: Make, ask: Callable[[Path], list[object]], code: int, said: str
) -> None:
    outcome = run("bench", "report", *ask(make("one")))
    assert (outcome.code, said in outcome.err) == (code, True), outcome.err
    assert len(outcome.err.splitlines()) == 2


def test_the_document_is_what_the_committed_runs_make() -> None:
    files = sorted((ROOT / "benchmarks" / "runs").glob("*.json"))
    assert files
    written = as_markdown(sections([read_run(file) for file in files]))
    assert written == (ROOT / "docs" / "benchmarks.md").read_text(), (
        "timelens bench report benchmarks/runs/*.json --out docs/benchmarks.md"
    )
    for file in files:
        record = json.loads(file.read_text())
        assert portable(record) == record, "no path of a machine is committed"
        assert record["config"]["git"]["dirty"] is False
