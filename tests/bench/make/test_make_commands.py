"""``bench make`` on the command line: JSON, notes, exit codes, one line for what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
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
    assert (again.code, again.err.splitlines()[0]) == (2, f"timelens: there is something in {out} already")


@pytest.mark.parametrize("command", ["temprageval", "adqab"])
def test_the_other_generators(run: Run, command: str, tables: Path, tmp_path: Path) -> None:
    data = write_series(tmp_path) if command == "adqab" else tables
    few = ("--per-type", 2) if command == "adqab" else ("--limit", 11)
    made = run("bench", "make", command, "--data", data, "--out", tmp_path / "out", *few)
    assert made.code == 0, made.err
    assert made.out.splitlines()[-1] == f"written to {tmp_path / 'out'}, every answer checked"
    assert run("bench", "make", "check", tmp_path / "out").code == 0


def test_a_shifted_folder_runs_as_a_suite(run: Run, tmp_path: Path) -> None:
    from bench.conftest import write_beir

    made = run("bench", "make", "shift", "--data", write_beir(tmp_path / "in"), "--out", tmp_path / "out")
    assert made.code == 0, made.err
    assert "3 of 5 queries left out" in made.err


def test_what_is_wrong_has_one_line_and_a_code(run: Run, tables: Path, tmp_path: Path) -> None:
    absent = run("bench", "make", "adqab", "--data", tmp_path / "none", "--out", tmp_path / "out")
    assert (absent.code, len(absent.err.splitlines())) == (3, 2)
    unmade = run("bench", "make", "check", tables)
    assert (unmade.code, "made.json" in unmade.err) == (3, True)
    out = tmp_path / "out"
    assert run("bench", "make", "tdbench", "--data", tables, "--out", out, "--limit", 10).code == 0
    (out / "questions.jsonl").write_text('{"id": "x", "db": "leaders", "qtype": "now"}\n')
    broken = run("bench", "make", "check", out)
    assert (broken.code, "is not as it was made" in broken.err) == (2, True)
