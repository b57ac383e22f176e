"""``bench make`` on the command line: JSON, notes, exit codes, one line for what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.conftest import Bench, write_beir
from bench.make.conftest import write_series
from cli.conftest import Outcome

Run = Callable[..., Outcome]


def test_a_folder_is_made_checked_and_told_of(run: Run, tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = run("bench", "make", "tdbench", "--data", tables, "--out", out, "--limit", 30, "--json")
    assert (made.code, sum(json.loads(made.out)["questions"].values())) == (0, 30)
    assert "Country, Role -> Name (found)" in made.err
    assert "games: no dependency found; declare one with --dependency" in made.err
    checked = run("bench", "make", "check", out, "--json")
    assert json.loads(checked.out) == {"folder": str(out), "kind": "tdbench", "questions": 30}
    again = run("bench", "make", "tdbench", "--data", tables, "--out", out)
    assert (again.code, again.err.splitlines()[0]) == (2, f"timelens: {out} is not empty")


@pytest.mark.parametrize("command", ["temprageval", "adqab"])
def test_the_other_generators(run: Run, command: str, tables: Path, tmp_path: Path) -> None:
    data = write_series(tmp_path) if command == "adqab" else tables
    few = ("--per-type", 2) if command == "adqab" else ("--limit", 11)
    made = run("bench", "make", command, "--data", data, "--out", tmp_path / "out", *few)
    assert made.code == 0, made.err
    assert made.out.splitlines()[-1] == f"written to {tmp_path / 'out'}; every answer was checked"
    assert run("bench", "make", "check", tmp_path / "out").code == 0


def test_a_shifted_folder_runs_as_a_suite_and_is_drawn(bench: Bench, run: Run, tmp_path: Path) -> None:
    data = write_beir(tmp_path / "in")
    passage = {"_id": "mill", "title": "The mill", "text": "In 1931 Ada Alm became keeper of the mill."}
    with (data / "corpus.jsonl").open("a") as stream:
        stream.write(json.dumps(passage) + "\n")
    with (data / "queries.jsonl").open("a") as stream:
        stream.write(json.dumps({"_id": "q9", "text": "Who became keeper of the mill in 1931?"}) + "\n")
    with (data / "qrels" / "test.tsv").open("a") as stream:
        stream.write("q9\tmill\t1\n")
    out = tmp_path / "out"
    made = run("bench", "make", "shift", "--data", data, "--out", out, "--years", 2)
    assert made.code == 0, made.err
    assert "3 of 6 queries left out" in made.err
    for strategy in ("timelens", "bm25"):
        outcome, summary = bench("beir", out / "shift", tmp_path / strategy, "--strategy", strategy)
        assert outcome.code == 0, outcome.err
        assert set(summary["shift"]) == {"after", "as_of", "before", "in"}
        if strategy == "timelens":
            curves = {kind: list(one["copies"].values()) for kind, one in summary["shift"].items()}
            assert list(summary["shift"]["in"]["copies"]) == ["-2", "-1", "0", "1", "2"]
            assert curves["in"] == [0, 0, 100, 0, 0]
            assert curves["before"] == [100, 100, 0, 0, 0]
            assert curves["after"] == [0, 0, 0, 100, 100]
    runs = [tmp_path / "timelens", tmp_path / "bm25"]
    reported = run("bench", "report", *runs, "--out", tmp_path / "report")
    assert reported.code == 0, reported.err
    assert {path.name for path in (tmp_path / "report").rglob("*shift_before*")} == {
        "beir-shift-shift_before.png",
        "beir-shift-shift_before.svg",
    }
    assert "years that the copy is moved" in (tmp_path / "report" / "report.md").read_text()
    _, variants = bench("beir", out / "variants", tmp_path / "variants")
    assert set(variants["groups"]["variant"]) == {"baseline", "strip", "temporal-only", "normalised"}


def test_what_is_wrong_has_one_line_and_a_code(run: Run, tables: Path, tmp_path: Path) -> None:
    absent = run("bench", "make", "adqab", "--data", tmp_path / "none", "--out", tmp_path / "out")
    assert (absent.code, len(absent.err.splitlines())) == (3, 2)
    unmade = run("bench", "make", "check", tables)
    assert (unmade.code, "made.json" in unmade.err) == (3, True)
    out = tmp_path / "out"
    assert run("bench", "make", "tdbench", "--data", tables, "--out", out, "--limit", 10).code == 0
    (out / "questions.jsonl").write_text('{"id": "x", "db": "leaders", "qtype": "now"}\n')
    broken = run("bench", "make", "check", out)
    assert (broken.code, "differs from what was made" in broken.err) == (2, True)
