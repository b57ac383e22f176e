"""TempRAGEval: small files of every form it comes in, read and run."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import Bench, write_lines, write_parquet

from timelens.bench import temprageval
from timelens.bench.record_files import list_of
from timelens.bench.suite_data import Dataset
from timelens.errors import MissingError

PASSAGES = [
    {"id": "0", "title": "Oak Pier", "section": "", "text": "Oak Pier was built by Sten Holm in 1902."},
    {"id": "1", "title": "Oak Pier", "section": "Owners", "text": "From 1950 it was owned by Ada Lund."},
    {
        "id": "2",
        "title": "Lamps",
        "section": "",
        "text": "Lamps burn oil. From 1950, it was owned by Ada Lund!",
    },
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "question": "Who owned Oak Pier as of 1960?",
        "answers": ["Ada Lund", "Lund"],
        "gold_evidences": ["From 1950 it was owned by Ada Lund.", "A sentence that no passage has."],
        "time_relation": "as of",
        "exact": 0,
        "source": "timeqa",
    },
    {
        "question": "Who built Oak Pier in 1902?",
        "answers": ["Sten Holm"],
        "gold_evidences": ["Oak Pier was built by Sten Holm in 1902."],
        "time_relation": "in",
        "exact": 1,
        "source": "situatedqa",
    },
    {
        "question": "Who built Oak Pier?",
        "answers": ["Sten Holm"],
        "gold_evidences": [],
        "time_relation": "",
        "exact": 0,
        "source": "timeqa",
    },
]


def as_csv(folder: Path) -> None:
    with (folder / "test.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(QUESTIONS[0]))
        writer.writeheader()
        writer.writerows(QUESTIONS)


def as_parquet(folder: Path) -> None:
    write_parquet(folder / "test.parquet", QUESTIONS)


def as_json(folder: Path) -> None:
    (folder / "test.json").write_text(json.dumps(QUESTIONS))


def as_beir(folder: Path) -> None:
    (folder / "qrels").mkdir()
    write_lines(folder / "corpus.jsonl", ({**passage, "_id": passage["id"]} for passage in PASSAGES))
    names = [f"q{n:04}" for n in range(1, 4)]
    queries = ({"_id": name, "text": q["question"], **q} for name, q in zip(names, QUESTIONS, strict=True))
    write_lines(folder / "queries.jsonl", queries)
    (folder / "qrels" / "test.tsv").write_text("q0001\t1\t1\nq0001\t2\t1\nq0002\t0\t1\n")


def temprageval_in(folder: Path, write: Callable[[Path], None]) -> Dataset:
    folder.mkdir()
    write_lines(folder / "text-list-100-sec.jsonl", PASSAGES)
    write(folder)
    return temprageval.load(folder)


@pytest.mark.parametrize("write", [as_csv, as_parquet, as_json, as_beir])
def test_temprageval(tmp_path: Path, write: Callable[[Path], None]) -> None:
    dataset = temprageval_in(tmp_path / "data", write)
    assert [query.text for query in dataset.queries] == [q["question"] for q in QUESTIONS[:2]]
    perturbed, original = (dataset.gold[query.id] for query in dataset.queries)
    assert set(perturbed.relevant) == {"1", "2"}, "a passage that holds one of the sentences is gold"
    assert set(original.relevant) == {"0"}
    assert perturbed.answers == ("Ada Lund", "Lund")
    assert (perturbed.kind, original.kind) == ("timeqa perturbed", "situatedqa original")
    assert perturbed.groups["time relation"] == "as of"
    assert dataset.excluded == {"no time relation": 1}
    if write is not as_beir:
        assert dataset.notes == ("1 gold sentences are in no passage",)


def test_temprageval_from_the_folder_to_the_summary(tmp_path: Path, bench: Bench) -> None:
    temprageval_in(tmp_path / "data", as_csv)
    outcome, summary = bench("temprageval", tmp_path / "data", tmp_path / "run", "--answerer", "extractive")
    assert outcome.code == 0, outcome.err
    assert summary["excluded"] == {"no time relation": 1}
    assert set(summary["groups"]["kind"]) == {"timeqa perturbed", "situatedqa original"}
    assert {"AR@1", "ER@1", "EM", "F1"} <= summary["metrics"].keys()
    assert summary["metrics"]["ER@5"] == 100
    assert "1 gold sentences are in no passage" in outcome.err


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (["a", "b"], ("a", "b")),
        ("['a', 'b']", ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("a", ("a",)),
        ("['a' 'b']", ("a", "b")),
        ("['a'\n \"b's, 'c'\"]", ("a", "b's, 'c'")),
        (r"['it\'s']", ("it's",)),
        ("[]", ()),
        ("[sic]", ("[sic]",)),
        ("['a', ''", ("['a', ''",)),
        (["", None, "a"], ("a",)),
        ("", ()),
        (None, ()),
        (float("nan"), ()),
        ("[" * 90_000 + "]" * 9, ("[" * 90_000 + "]" * 9,)),
    ],
)
def test_lists_as_files_hold_them(value: object, items: tuple[str, ...]) -> None:
    assert list_of(value) == items


def test_passages_that_are_missing_are_named_with_their_option(tmp_path: Path) -> None:
    as_csv(tmp_path)
    with pytest.raises(MissingError) as missing:
        temprageval.load(tmp_path)
    assert "--corpus" in missing.value.hint
