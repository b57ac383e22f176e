"""A tiny folder in the BEIR layout, and runs on it through the command line."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from cli.conftest import Outcome, run
from pyarrow import parquet

from timelens.bench import runner
from timelens.bench.suite_data import Dataset
from timelens.config import Settings
from timelens.corpus import Corpus

__all__ = ["run"]  # the fixture

PASSAGES = [
    (
        "fare-2014",
        "Ferry fare",
        "The harbour council set the ferry fare at 3 crowns.",
        {"date": "2014-06-03"},
    ),
    (
        "fare-2015",
        "Ferry fare",
        "The harbour council raised the ferry fare to 4 crowns.",
        {"date": "2015-06-09"},
    ),
    (
        "fare-2018",
        "Ferry fare",
        "The harbour council cut the ferry fare to 2 crowns.",
        {"published": "2018-01"},
    ),
    ("pier", "The pier", "The pier was built of oak. Sten Holm was its builder.", {"period_start": "1902"}),
    ("light", "", "The lighthouse at North Point burns oil. Its keeper is Anna Berg.", {}),
    ("empty", "A title alone", "", {}),
]
QUERIES: list[dict[str, Any]] = [
    {"_id": "q1", "text": "What did the council do to the ferry fare in June 2015?", "kind": "in_month"},
    {"_id": "q2", "text": "What was the ferry fare as of May 2018?", "kind": "as_of", "as_of": "2019-01-01"},
    {"_id": "q3", "text": "Who was the builder of the pier?", "kind": "plain"},
    {"_id": "q4", "text": "Who is the keeper of the lighthouse?", "kind": "plain"},
    {"_id": "q5", "text": "Who was king of the harbour?", "unanswerable": True},
]
ANSWERS = {"q1": ["4 crowns"], "q2": ["2 crowns", "two crowns"], "q3": ["Sten Holm"], "q4": ["Anna Berg"]}
QRELS = [("q1", "fare-2015"), ("q2", "fare-2018"), ("q2", "fare-2015"), ("q3", "pier"), ("q4", "light")]


def write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_parquet(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(records), path)


def write_beir(folder: Path, *, labels: bool = True) -> Path:
    """The folder; without ``labels`` the queries have nothing but what they are asked with."""
    (folder / "qrels").mkdir(parents=True)
    passages = ({"_id": i, "title": t, "text": x, "metadata": m} for i, t, x, m in PASSAGES)
    write_lines(folder / "corpus.jsonl", passages)
    asked = {"_id", "text", "as_of"}
    queries: list[dict[str, Any]] = [
        {"answers": ANSWERS.get(query["_id"], []), "unanswerable": False, **query}
        if labels
        else {name: value for name, value in query.items() if name in asked}
        for query in QUERIES
    ]
    write_lines(folder / "queries.jsonl", queries)
    rows = "".join(f"{query}\t{document}\t1\n" for query, document in QRELS)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows, encoding="utf-8")
    return folder


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    return write_beir(tmp_path / "beir")


@pytest.fixture(scope="session")
def bench_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all runs of these tests, so that the documents are ingested once."""
    return tmp_path_factory.mktemp("bench-home")


def ingested(dataset: Dataset, home: Path) -> Corpus:
    """The corpus of a dataset below a home, its documents brought in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        corpus = runner.corpus_of(dataset, Settings.load())
    runner.ingest(dataset, corpus)
    return corpus


Bench = Callable[..., tuple[Outcome, dict[str, Any]]]


@pytest.fixture
def bench(run: Callable[..., Outcome], bench_home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Runs ``timelens bench run …`` on a fixed day and gives what it printed, also read as JSON."""
    monkeypatch.setenv("TIMELENS_HOME", str(bench_home))

    def bench_run(suite: str, data: Path, out: Path, *options: object) -> tuple[Outcome, dict[str, Any]]:
        fixed = ("--as-of", "2024-06-01", "--out", out, "--json")
        outcome = run("bench", "run", suite, "--data", data, "--strategy", "bm25", *fixed, *options)
        return outcome, json.loads(outcome.out) if outcome.out else {}

    return bench_run
