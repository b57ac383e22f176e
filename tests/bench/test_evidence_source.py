"""Answers from the gold passages, and from none."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import QRELS, Bench, write_lines

from timelens.bench.evidence_source import NO_GOLD, answerable
from timelens.bench.suite_data import Dataset, Gold, Query
from timelens.errors import BadInputError

ORACLE = ("--answerer", "extractive", "--evidence-from", "oracle")


def test_the_gold_passages_answer_what_a_strategy_does_not_find(
    bench: Bench, beir: Path, tmp_path: Path
) -> None:
    asked: list[dict[str, Any]] = [
        {"_id": "q3", "text": "Who was the builder of the pier?", "answers": ["Sten Holm"]},
        {"_id": "q4", "text": "Who is the keeper?", "answers": ["Anna Berg"]},
        {"_id": "q5", "text": "Who was the king of Atlantis?", "unanswerable": True},
    ]
    write_lines(beir / "queries.jsonl", asked)
    # the other gold passage: answers must come from what is given, wherever the right one is
    rows = [("q3", "light"), *QRELS[4:]]
    text = "".join(f"{query}\t{name}\t1\n" for query, name in rows)
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + text)
    _, found = bench("beir", beir, tmp_path / "retrieved", "--answerer", "extractive")
    outcome, given = bench("beir", beir, tmp_path / "oracle", *ORACLE)
    assert outcome.code == 0, outcome.err
    assert (found["n"], found["metrics"]["A"]) == (3, 100)
    assert (given["n"], given["metrics"]["A"]) == (2, 50)
    assert given["excluded"] == {"no gold passages to answer from": 1}
    assert (found["evidence_from"], given["evidence_from"]) == ("retrieved", "oracle")
    assert json.loads((tmp_path / "oracle" / "config.json").read_text())["evidence_from"] == "oracle"
    assert given["metrics"]["RR"] < 100, "what is found is scored as ever"


def test_a_model_answers_without_evidence(bench: Bench, beir: Path, tmp_path: Path, tiny_model: Path) -> None:
    options = ("--answerer", "llama", "--model", tiny_model, "--reading", "direct", "--limit", "2")
    outcome, summary = bench("beir", beir, tmp_path / "run", *options, "--evidence-from", "none")
    assert outcome.code == 0, outcome.err
    assert (summary["n"], summary["evidence_from"]) == (2, "none")
    written = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert all(record["answer"] and "[1]" not in record["answer"] for record in written)
    assert "FalseRefusal" in summary["metrics"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--evidence-from", "oracle"), "needs an answer to be written"),
        ((*ORACLE, "--evidence", "3"), "--evidence does not go with"),
        (("--answerer", "extractive", "--evidence-from", "none"), "answers from evidence only"),
        (("--answerer", "extractive", "--evidence-from", "memory"), "cannot come from 'memory'"),
        (("--answerer", "llama", "--reading", "cot", "--evidence-from", "none"), "--reading cot does not go"),
    ],
)
def test_what_cannot_be_is_refused(
    bench: Bench, beir: Path, tmp_path: Path, tiny_model: Path, options: tuple[str, ...], message: str
) -> None:
    model = ("--model", tiny_model) if "llama" in options else ()
    outcome, _ = bench("beir", beir, tmp_path / "run", *options, *model)
    assert (outcome.code, message in outcome.err) == (2, True), outcome.err
    assert not (tmp_path / "run").exists()


def test_data_without_gold_passages_has_none_to_answer_from() -> None:
    data = Dataset((Query("q", "?"),), {"q": Gold({"a": 0})}, lambda *_: pytest.fail("no need"), "", "")
    with pytest.raises(BadInputError, match="names no gold passages"):
        answerable(data, "oracle")
    assert answerable(data, "retrieved") is answerable(data, "none") is data


@pytest.mark.parametrize(
    ("every", "limit", "left"), [(1, None, 3), (1, 1, 1), (1, 2, 1), (2, None, 3), (2, 2, 3), (1, 3, 3)]
)
def test_left_out_questions_are_counted_down_to_the_last_that_is_asked(
    every: int, limit: int | None, left: int
) -> None:
    gold = {name: Gold({"a": grade}) for name, grade in zip("pqrstu", (0, 1, 1, 0, 0, 1), strict=True)}
    data = Dataset(tuple(Query(name, "?") for name in gold), gold, lambda *_: pytest.fail("no need"), "", "")
    kept = answerable(data, "oracle", every=every, limit=limit)
    assert [query.id for query in kept.queries] == ["q", "r", "u"]
    assert kept.excluded == {NO_GOLD: left}


def test_negatives_that_are_not_there_are_noted(bench: Bench, beir: Path, tmp_path: Path) -> None:
    outcome, _ = bench("beir", beir, tmp_path / "run", "--without-negatives")
    assert outcome.code == 0
    assert "no question has negative_ids or excluded_ids" in outcome.err


def test_follow_ups_are_refused() -> None:
    gold = {"q": Gold({"a": 1})}
    data = Dataset((Query("q", "?", follows=("!",)),), gold, lambda *_: pytest.fail("no need"), "", "")
    with pytest.raises(BadInputError, match="follow-up"):
        answerable(data, "oracle")
