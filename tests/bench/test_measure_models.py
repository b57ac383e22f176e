"""The script that makes one table of what answerers are worth from saved runs and graded answers."""

import json
import runpy
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from bench.conftest import Bench, records, write_lines

from timelens.bench.predictions import Prediction
from timelens.bench.run_folder import Result, RunFolder

SCRIPT = Path(__file__).parents[2] / "scripts" / "measure_models.py"
FIGURES = "n right wrong refused EM F1 cited seconds".split()

Table = Callable[..., dict[tuple[str, ...], dict[str, str]]]


@pytest.fixture
def table(capfd: pytest.CaptureFixture[str]) -> Table:
    """What the script prints: figures by suite, answerer and reading mode."""

    def made(*arguments: object) -> dict[tuple[str, ...], dict[str, str]]:
        capfd.readouterr()
        runpy.run_path(str(SCRIPT))["main"]([str(argument) for argument in arguments])
        head, rule, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in _lines(capfd))
        assert head == ["suite", "answerer", "reading", *FIGURES]
        assert len(rule) == len(head)
        return {tuple(row[:3]): dict(zip(FIGURES, row[3:], strict=True)) for row in rows}

    return made


def _lines(capfd: pytest.CaptureFixture[str]) -> list[str]:
    return capfd.readouterr().out.splitlines()


def run_of_model(path: Path, results: Iterable[Result], planned: int, **model: str) -> Path:
    """A run as ``bench run`` leaves it when it is interrupted: without a summary."""
    config: Mapping[str, object] = {
        "suite": "beir",
        "data": "/data/timeqa",
        "answerer": "llama",
        "model": {"path": "/models/small.gguf", "reading": "cot", **model},
        "questions": [f"q{number}" for number in range(planned)],
    }
    folder = RunFolder(path)
    folder.begin(config, resume=False)
    for result in results:
        folder.add(result)
    return path


def result(name: str, text: str, *, refused: bool = False, right: float, seconds: float) -> Result:
    """One whose reply the model worded otherwise: EM and A are of that, and differ from what is shown."""
    shown = {"A shown": right, "EM shown": right / 2, "F1 shown": right / 4}
    return Result(
        name,
        None,
        answer=text,
        written="I wrote this",
        prediction=Prediction("I wrote this"),
        shown=Prediction("", refused=refused),
        scores={"A": 1 - right, "EM": 1.0, "F1": 1.0, **shown},
        seconds=seconds,
    )


def test_a_row_is_of_what_the_user_sees_of_the_questions_that_were_asked(
    tmp_path: Path, table: Table
) -> None:
    asked = [
        result("q0", "Ann [1].", right=1, seconds=2.0),
        result("q1", "Bob.", right=0, seconds=9.0),
        result("q2", "No answer", refused=True, right=0, seconds=1.0),
        result("q3", "No answer", refused=True, right=1, seconds=4.0),
    ]
    run = run_of_model(tmp_path / "run", asked, planned=6)
    assert table(run) == {
        ("beir timeqa", "small.gguf", "cot"): {
            "n": "4 of 6",
            "right": "50.0",
            "wrong": "25.0",
            "refused": "25.0",
            "EM": "25.0",
            "F1": "12.5",
            "cited": "50.0",
            "seconds": "3.0",
        }
    }


def test_a_question_that_nothing_scores_is_not_counted(tmp_path: Path, table: Table) -> None:
    asked = [result("q0", "Ann [1].", right=1, seconds=2.0), Result("q1", None, answer="Bob", seconds=1.0)]
    (row,) = table(run_of_model(tmp_path / "run", asked, planned=2)).values()
    assert (row["n"], row["right"], row["seconds"]) == ("1", "100.0", "2.0")


def test_graded_answers_have_rows_beside_runs(tmp_path: Path, table: Table) -> None:
    graded = tmp_path / "graded.jsonl"
    lines = [
        {"grade": "right", "status": "answered", "answer": "Ann [2]."},
        {"grade": "wrong", "status": "answered", "answer": "Bob."},
        {"grade": "shown", "status": "no_answer", "answer": "Nearest: [1]"},
        {"grade": "right", "status": "no_answer", "answer": "Nothing"},
    ]
    write_lines(graded, lines)
    run = run_of_model(tmp_path / "run", [result("q0", "A [1]", right=1, seconds=2)], planned=1)
    found = table(run, "--graded", "own", "extractive", "-", graded)
    assert list(found) == [("beir timeqa", "small.gguf", "cot"), ("own", "extractive", "-")]
    row = found["own", "extractive", "-"]
    assert list(row.values()) == ["4", "50.0", "25.0", "25.0", "–", "–", "50.0", "–"]
    write_lines(graded, [{**line, "seconds": number} for number, line in enumerate(lines)])
    assert table("--graded", "own", "x", "-", graded)["own", "x", "-"]["seconds"] == "1.5"


def test_the_figures_are_those_of_the_runs_summary(
    bench: Bench, beir: Path, tmp_path: Path, table: Table
) -> None:
    _, summary = bench("beir", beir, tmp_path / "run", "--answerer", "extractive")
    row = table(tmp_path / "run")["beir", "extractive", "-"]
    assert row["n"] == str(summary["n"])
    for shown, metric in (("right", "A"), ("EM", "EM"), ("F1", "F1")):
        assert row[shown] == f"{summary['metrics'][metric]:.1f}"
    answers = [one["answer"] for one in records(tmp_path / "run" / "results.jsonl")]
    assert sum("[1]" in answer for answer in answers) > 0
    assert float(row["cited"]) > 0


def test_runs_without_answers_and_what_is_no_run_are_refused_in_a_line(
    bench: Bench, beir: Path, tmp_path: Path, table: Table
) -> None:
    bench("beir", beir, tmp_path / "run")
    with pytest.raises(SystemExit, match=r"has no answers\n  make it with --answerer"):
        table(tmp_path / "run")
    with pytest.raises(SystemExit, match="no finished run"):
        table(tmp_path / "nowhere")
    (tmp_path / "graded.jsonl").write_text(json.dumps({"grade": "right"}) + "\n")
    with pytest.raises(SystemExit, match="line 1 has no status"):
        table("--graded", "own", "x", "-", tmp_path / "graded.jsonl")
