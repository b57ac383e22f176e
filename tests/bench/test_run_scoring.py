"""Rankings of other retrievers, scored through the command line."""

import json
from pathlib import Path

import jsonschema
import pytest
from bench.conftest import Bench, write_lines
from bench.made_diachronic import write_corpus
from cli.conftest import Run

CONTRACT = Path(__file__).parents[1] / "contracts" / "bench.schema.json"


def test_the_file_of_a_run_gets_the_scores_of_the_run(
    bench: Bench, run: Run, beir: Path, tmp_path: Path
) -> None:
    _, made = bench("beir", beir, tmp_path / "run", "--k", "1,3")
    outcome = run("bench", "score", tmp_path / "run" / "run.trec", "--data", beir, "--k", "3,1", "--json")
    assert outcome.code == 0, outcome.err
    scored = json.loads(outcome.out)
    jsonschema.Draft202012Validator(json.loads(CONTRACT.read_text())).validate(scored)
    assert scored["metrics"] == made["metrics"]
    assert scored["groups"] == made["groups"]
    assert (scored["n"], scored["excluded"]) == (made["n"], made["excluded"])
    shown = run("bench", "score", tmp_path / "run" / "run.trec", "--data", beir)
    assert "nDCG@10" in shown.out
    assert f"scored {tmp_path / 'run' / 'run.trec'}" in shown.err


def test_the_periods_of_a_corpus_are_scored_too(run: Run, tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "bridge")
    file = tmp_path / "own.trec"
    file.write_text("c1 Q0 toll-2004.md 1 2 own\nc1 Q0 toll-2011.md 2 1 own\np1 Q0 toll-2011.md 1 1 own\n")
    outcome = run("bench", "score", file, "--data", data, "--suite", "diachronic", "--k", "2", "--json")
    scored = json.loads(outcome.out)
    assert (scored["strategy"], scored["metrics"]["PR@2"], scored["defined"]["PR@2"]) == ("own", 75, 2)
    assert "questions that the run does not rank: 2 (first: n1)" in outcome.err
    assert not any(name.startswith("AR@") for name in scored["metrics"])


def test_the_score_decides_the_order_and_ids_are_percent_encoded(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    texts = {"a b": "The fare was 3 crowns.", "c%20d": "The pier is old."}
    write_lines(tmp_path / "corpus.jsonl", [{"_id": name, "text": text} for name, text in texts.items()])
    asked = {"_id": "q 1", "text": "What was the fare?", "answers": ["3 crowns"]}
    write_lines(tmp_path / "queries.jsonl", [asked])
    (tmp_path / "qrels" / "test.tsv").write_text("q 1\ta b\t1\n")
    file = tmp_path / "own.trec"
    file.write_text("q%201 Q0 c%20d 1 0.5 own\nq%201 Q0 a%20b 2 0.7 own\nq9 Q0 gone 1 1 own\n")
    outcome = run("bench", "score", file, "--data", tmp_path, "--k", "1", "--json")
    assert {json.loads(outcome.out)["metrics"][name] for name in ("nDCG@1", "AR@1", "RR")} == {100}
    assert "queries of the run that are not in the data: 1 (first: q9)" in outcome.err
    assert "ranked documents that are not in the data: 1 (first: gone)" in outcome.err


@pytest.mark.parametrize(
    ("text", "options", "code", "said"),
    [
        (None, (), 3, "there is no run file"),
        ("", (), 2, "holds no ranking"),
        ("q1 fare-2015 1\n", (), 2, "line 1 is not a line of a TREC run"),
        ("q1 Q0 pier first 1 own\n", (), 2, "line 1 is not a line of a TREC run"),
        ("q1 Q0 pier 1 nan own\n", (), 2, "line 1: the score is not a number"),
        ("q1 Q0 pier 1 2 own\n\nq1 Q0 pier 2 1 own\n", (), 2, "line 3 ranks pier twice for q1"),
        ("zz Q0 pier 1 2 own\n", (), 2, "ranks no question of"),
        ("q1 Q0 pier 1 2 own\n", ("--suite", "questions"), 2, "the suite questions retrieves nothing"),
        ("q1 Q0 pier 1 2 own\n", ("--k", "0"), 2, "--k"),
    ],
)
def test_a_run_that_cannot_be_scored_is_named(
    text: str | None, options: tuple[str, ...], code: int, said: str, run: Run, beir: Path, tmp_path: Path
) -> None:
    file = tmp_path / "own.trec"
    if text is not None:
        file.write_text(text)
    outcome = run("bench", "score", file, "--data", beir, *options)
    assert (outcome.code, outcome.out, said in outcome.err) == (code, "", True), outcome.err
    assert len(outcome.err.splitlines()) == 2
