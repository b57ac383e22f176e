"""The script that makes a folder in TEMPO's layout from comparisons, and a run on it."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import Bench, records
from bench.made_diachronic import QUESTIONS, TEXTS, write_corpus

from timelens.bench import tempo
from timelens.temporal.calendar import day_number

SCRIPT = Path(__file__).parents[2] / "scripts" / "comparisons.py"


def made(*arguments: object) -> None:
    runpy.run_path(str(SCRIPT))["main"]([str(argument) for argument in arguments])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "bridge")


def test_comparisons_become_queries_their_periods_steps_and_files_documents(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made"
    made(corpus, "--out", out)
    compared, three = records(out / "examples" / "comparisons.jsonl")
    assert compared == {
        "id": "bridge/c1",
        "query": QUESTIONS[0]["question"],
        "gold_ids": ["bridge/toll-2004.md", "bridge/toll-2011.md"],
        "periods": [["bridge/toll-2004.md"], ["bridge/toll-2011.md"]],
    }
    assert (three["id"], three["as_of"]) == ("bridge/p1", "2013-01-01")
    steps = records(out / "steps" / "comparisons.jsonl")
    assert [(step["q_id"], step["step_id"], step["gold_ids"]) for step in steps] == [
        ("bridge/c1", "1", ["bridge/toll-2004.md"]),
        ("bridge/c1", "2", ["bridge/toll-2011.md"]),
        ("bridge/p1", "1", ["bridge/toll-2004.md"]),
        ("bridge/p1", "2", ["bridge/toll-2011.md"]),
        ("bridge/p1", "3", []),
    ]
    times = ["from 2004-01-01, before 2005-01-01", "before 2005-01-01", "since 2013-01-01"]
    asked = [QUESTIONS[0]["question"], QUESTIONS[1]["question"], QUESTIONS[1]["question"]]
    assert [steps[n]["step"] for n in (0, 2, 4)] == [
        f"{text} ({time})" for text, time in zip(asked, times, strict=True)
    ]
    documents = {record["id"]: record["content"] for record in records(out / "documents/comparisons.jsonl")}
    assert documents.keys() == {f"bridge/{name}" for name in TEXTS}
    path = corpus / "documents" / "toll-2004.md"
    assert documents["bridge/toll-2004.md"] == path.read_text("utf-8")
    said = json.loads(capsys.readouterr().out)
    assert said == {"examples": 2, "documents": 3, "steps": 5, "left out": {}}


def test_it_is_read_as_tempo_is(corpus: Path, tmp_path: Path) -> None:
    made(corpus, "--out", tmp_path / "made")
    data = tempo.load(tmp_path / "made")
    assert [(query.id, query.as_of) for query in data.queries] == [
        ("bridge/c1", None),
        ("bridge/p1", day_number(2013, 1, 1)),
    ]
    periods = data.gold["bridge/c1"].periods
    assert list(map(set, periods)) == [{"bridge/toll-2004.md"}, {"bridge/toll-2011.md"}]
    assert [len(data.gold[query.id].steps) for query in data.queries] == [2, 3]
    assert data.notes == ()


def test_a_part_of_several_corpora_and_what_is_left_out(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare: list[dict[str, Any]] = [
        {**QUESTIONS[0], "periods": []},
        {**QUESTIONS[0], "id": "c2"},
    ]
    other = write_corpus(tmp_path / "other", bare)
    made(corpus, other, "--part", "look", "--out", tmp_path / "made")
    said = json.loads(capsys.readouterr().out)
    assert (said["examples"], said["documents"]) == (2, 6)
    assert said["left out"] == {"of the other part": 1, "no gold documents": 1}
    ids = [record["id"] for record in records(tmp_path / "made/examples/comparisons.jsonl")]
    assert ids == ["bridge/c1", "other/c2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bridge", "--out", "bridge"], "is not empty"),
        (["bridge", "bridge", "--out", "made"], "the same name"),
        (["nowhere", "--out", "made"], "there is no folder"),
        (["without", "--out", "made"], "there is no comparison"),
    ],
)
def test_what_cannot_be_made_is_told(
    arguments: list[str], said: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(tmp_path / "without", QUESTIONS[2:])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=said):
        made(*arguments)
    assert not (tmp_path / "made").exists()
    assert (corpus / "diachronic.jsonl").exists()


def test_a_run_gives_ndcg_and_the_periods_that_were_reached(
    corpus: Path, bench: Bench, tmp_path: Path
) -> None:
    made(corpus, "--out", tmp_path / "made")
    outcome, summary = bench(
        "tempo", tmp_path / "made", tmp_path / "run", "--answerer", "none", "--k", "1,10"
    )
    assert outcome.code == 0, outcome.err
    assert summary["n"] == 2
    assert summary["metrics"]["PR@1"] == 50
    assert summary["metrics"]["AllP@10"] == 100
    assert summary["metrics"]["nDCG@10"] > 60
