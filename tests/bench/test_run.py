"""A run from its folder to its summary, through the command line."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

import ir_measures
import jsonschema
import pytest
from bench.conftest import Bench, records, write_beir, write_lines
from cli.conftest import Run
from holding import held

from timelens.asking import SearchResult
from timelens.bench.run_folder import CONFIG, RESULTS, SUMMARY, TREC, Result
from timelens.bench.suite_data import Query
from timelens.bench.workers import Ask
from timelens.corpus import Corpus
from timelens.errors import BadInputError, StoreError

CONTRACTS = Path(__file__).parents[1] / "contracts"
KEPT = (CONFIG, RESULTS, SUMMARY, TREC)
"""The files of a run that are the same however often it was interrupted."""


class Options(TypedDict):
    as_of: int
    strategy: str
    k: int


@pytest.mark.parametrize("answerer", ["none", "extractive"])
def test_a_run_obeys_the_contract_and_says_what_it_was(
    bench: Bench, beir: Path, tmp_path: Path, answerer: str
) -> None:
    out = tmp_path / "run"
    outcome, summary = bench("beir", beir, out, "--answerer", answerer)
    assert outcome.code == 0, outcome.err
    schema = json.loads((CONTRACTS / "bench.schema.json").read_text())
    for document in (json.loads((CONTRACTS / "bench.sample.json").read_text()), summary):
        jsonschema.Draft202012Validator(schema).validate(document)
    assert {**json.loads((out / "summary.json").read_text()), "seconds": summary["seconds"]} == summary
    assert (summary["suite"], summary["strategy"], summary["answerer"]) == ("beir", "bm25", answerer)
    assert set(summary["groups"]["kind"]) == {"in_month", "as_of", "plain"}
    config = json.loads((out / "config.json").read_text())
    assert config["questions"] == ["q1", "q2", "q3", "q4", "q5"]
    assert config["as_of"] == "2024-06-01"
    assert {"version", "git", "dataset", "embedder", "k"} <= config.keys()
    if answerer == "none":
        assert (summary["n"], summary["excluded"]) == (4, {"nothing known to score by": 1})
        assert not {"EM", "F1", "A", "Refusal"} & summary["metrics"].keys()
    else:
        assert (summary["n"], summary["excluded"]) == (5, {})
        assert {"EM", "F1", "A", "Refusal", "FalseRefusal"} <= summary["metrics"].keys()


def test_the_summary_is_what_ir_measures_makes_of_the_run_file(
    bench: Bench, beir: Path, tmp_path: Path
) -> None:
    _, summary = bench("beir", beir, tmp_path / "run")
    run = list(ir_measures.read_trec_run(str(tmp_path / "run" / "run.trec")))
    rows = (beir / "qrels" / "test.tsv").read_text().splitlines()[1:]
    qrels = [
        ir_measures.Qrel(query, name, int(grade)) for query, name, grade in (r.split("\t") for r in rows)
    ]
    wanted = [ir_measures.nDCG @ 10, ir_measures.R @ 10, ir_measures.AP @ 5, ir_measures.RR]
    for measure, value in ir_measures.calc_aggregate(wanted, qrels, run).items():
        assert summary["metrics"][str(measure)] == pytest.approx(100 * value, abs=0.001)
    assert summary["metrics"]["nDCG@10"] > 50
    assert len({(row.query_id, row.doc_id) for row in run}) == len(run), "each document once"


def test_the_command_line_of_ir_measures_says_the_same(bench: Bench, beir: Path, tmp_path: Path) -> None:
    _, summary = bench("beir", beir, tmp_path / "run", "--strategy", "hybrid")
    qrels = tmp_path / "qrels.txt"
    rows = (row.split("\t") for row in (beir / "qrels" / "test.tsv").read_text().splitlines()[1:])
    qrels.write_text("".join(f"{query} 0 {name} {grade}\n" for query, name, grade in rows))
    names = "nDCG@10 R@10 AP@10 P@5 RR"
    command = [sys.executable, "-m", "ir_measures", "--places", "9"]
    command += [str(qrels), str(tmp_path / "run" / "run.trec"), names]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    theirs = {name: float(value) for name, value in map(str.split, said.splitlines())}
    assert set(theirs) == set(names.split())
    for name, value in theirs.items():
        assert summary["metrics"][name] / 100 == pytest.approx(value, abs=1e-6), name


def test_two_runs_are_the_same_and_share_a_corpus(
    bench: Bench, beir: Path, tmp_path: Path, bench_home: Path
) -> None:
    _, one = bench("beir", beir, tmp_path / "one")
    made = set((bench_home / "bench" / "corpora").iterdir())
    _, two = bench("beir", beir, tmp_path / "two")
    assert set((bench_home / "bench" / "corpora").iterdir()) == made
    assert (one["metrics"], one["groups"]) == (two["metrics"], two["groups"])
    assert (tmp_path / "one" / "run.trec").read_bytes() == (tmp_path / "two" / "run.trec").read_bytes()
    assert (tmp_path / "one" / RESULTS).read_bytes() == (tmp_path / "two" / RESULTS).read_bytes()


def test_several_processes_find_what_one_finds(bench: Bench, beir: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    _, alone = bench("beir", beir, one, "--answerer", "extractive")
    bench("beir", beir, two, "--answerer", "extractive", "--limit", "1")
    outcome, together = bench("beir", beir, two, "--answerer", "extractive", "--resume", "--jobs", "2")
    assert outcome.code == 0, outcome.err
    assert (one / RESULTS).read_bytes() == (two / RESULTS).read_bytes()
    assert (one / "run.trec").read_bytes() == (two / "run.trec").read_bytes()
    assert {**together, "seconds": 0, "run": ""} == {**alone, "seconds": 0, "run": ""}


def test_what_ends_a_run_in_another_process_ends_it_here(
    bench: Bench, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from timelens.bench import runner

    monkeypatch.setattr(runner, "_asker", damaged)
    outcome, _ = bench("beir", beir, tmp_path / "run", "--jobs", "2")
    assert (outcome.code, "the corpus is damaged" in outcome.err) == (4, True)
    monkeypatch.setattr(runner, "_asker", killed)
    outcome, _ = bench("beir", beir, tmp_path / "run", "--jobs", "2", "--resume")
    assert (outcome.code, "--resume and fewer --jobs" in outcome.err) == (4, True)


def test_several_processes_do_not_share_a_model(
    bench: Bench, beir: Path, tmp_path: Path, tiny_model: Path
) -> None:
    options = ("--answerer", "llama", "--model", tiny_model, "--jobs", "2")
    outcome, _ = bench("beir", beir, tmp_path / "run", *options)
    assert (outcome.code, "--jobs does not go with a model" in outcome.err) == (2, True)
    assert not (tmp_path / "run").exists()


def test_a_run_says_how_evidence_reaches_over_a_period(bench: Bench, beir: Path, tmp_path: Path) -> None:
    queries = [
        {"_id": "q1", "text": "How did the ferry fare change from 2014 to 2015?"},
        {"_id": "q2", "text": "Who was the builder of the pier?"},
    ]
    write_lines(beir / "queries.jsonl", queries)
    _, summary = bench("beir", beir, tmp_path / "run", "--limit", "2", "--strategy", "timelens")
    assert summary["coverage"]["n"] == 1
    assert summary["coverage"]["tenths"][0] == summary["coverage"]["tenths"][-1] == 100.0
    assert [len(record["coverage"]) for record in records(tmp_path / "run" / "results.jsonl")] == [10, 0]


def damaged(*_: object) -> Ask:
    return partial(_raise, StoreError("the corpus is damaged", "make it again"))


def killed(*_: object) -> Ask:
    return _kill


def _raise(error: Exception, _query: Query) -> Result:
    raise error


def _kill(_query: Query) -> Result:
    os._exit(9)


def test_labels_do_not_reach_retrieval(bench: Bench, tmp_path: Path) -> None:
    bench("beir", write_beir(tmp_path / "labelled"), tmp_path / "one")
    bench("beir", write_beir(tmp_path / "blind", labels=False), tmp_path / "two")
    assert (tmp_path / "one" / "run.trec").read_bytes() == (tmp_path / "two" / "run.trec").read_bytes()


def test_an_interrupted_run_goes_on_where_it_stopped(
    bench: Bench, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    _, whole = bench("beir", beir, out)
    before = {name: (out / name).read_bytes() for name in KEPT}
    results = (out / "results.jsonl").read_text().splitlines(keepends=True)
    (out / "results.jsonl").write_text("".join(results[:2]) + results[2][:20])
    (out / "summary.json").unlink()
    asked: list[str] = []
    search = Corpus.search

    def spied(self: Corpus, question: str, **options: Unpack[Options]) -> SearchResult:
        asked.append(question)
        return search(self, question, **options)

    monkeypatch.setattr(Corpus, "search", spied)
    outcome, again = bench("beir", beir, out, "--resume")
    assert outcome.code == 0, outcome.err
    assert len(asked) == 3
    assert {name: (out / name).read_bytes() for name in KEPT} == before
    assert again["metrics"] == whole["metrics"]


@pytest.mark.parametrize(
    ("options", "said"),
    [([], "there is a run in"), (["--resume"], "was made with a different dataset")],
)
def test_a_folder_with_a_run_over_other_documents_is_refused_before_they_are_ingested(
    options: list[str], said: str, bench: Bench, beir: Path, bench_home: Path, tmp_path: Path
) -> None:
    bench("beir", beir, tmp_path / "run")
    other = write_beir(tmp_path / "other")
    with (other / "corpus.jsonl").open("a") as stream:
        stream.write('{"_id": "quay", "text": "The quay was mended in 2019."}\n')
    before = set((bench_home / "bench" / "corpora").iterdir())
    outcome, _ = bench("beir", other, tmp_path / "run", *options)
    assert (outcome.code, said in outcome.err) == (2, True)
    assert set((bench_home / "bench" / "corpora").iterdir()) == before


@pytest.mark.parametrize("options", [[], ["--resume"]])
@pytest.mark.parametrize("runs", [1, 2])
def test_a_folder_that_another_run_is_written_into_is_left_alone(
    bench: Bench, beir: Path, tmp_path: Path, runs: int, options: list[str]
) -> None:
    out = tmp_path / "run"
    folder = out / "run-1" if runs > 1 else out
    folder.mkdir(parents=True)
    asking = partial(bench, "beir", beir, out, "--limit", "1", "--runs", runs)
    with held(folder / "run.lock"):
        outcome, _ = asking(*options)
        assert [path.name for path in folder.iterdir()] == ["run.lock"]
    assert (outcome.code, outcome.out) == (4, "")
    assert f"another process is writing to the run in {folder}" in outcome.err.splitlines()[-2]
    outcome, _ = asking()
    assert outcome.code == 0


def test_a_run_is_neither_overwritten_nor_mixed_with_another(
    bench: Bench, beir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    bench("beir", beir, out, "--limit", "1")
    outcome, _ = bench("beir", beir, out)
    assert (outcome.code, "--resume" in outcome.err) == (2, True)
    outcome, _ = bench("beir", beir, out, "--resume", "--k", "1,2")
    assert (outcome.code, "a different k" in outcome.err) == (2, True)
    outcome, summary = bench("beir", beir, out, "--resume")
    assert (outcome.code, summary["n"]) == (0, 4), "more questions of the same run"


def test_each_second_question_is_asked_and_the_others_when_the_run_goes_on(
    bench: Bench, run: Run, beir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"

    def asked() -> list[str]:
        return [record["id"] for record in records(out / RESULTS)]

    bench("beir", beir, out, "--every", "2")
    assert asked() == ["q1", "q3", "q5"]
    bench("beir", beir, out, "--every", "2", "--limit", "2", "--resume")
    assert asked() == ["q1", "q3"]
    bench("beir", beir, out, "--resume")
    assert asked() == ["q1", "q2", "q3", "q4", "q5"]
    outcome = run("bench", "run", "questions", "--data", beir, "--every", "2")
    assert (outcome.code, "--every" in outcome.err) == (2, True)


def test_a_failure_is_left_out_and_listed_and_asked_again(
    bench: Bench, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Corpus.search

    def fails(self: Corpus, question: str, **options: Unpack[Options]) -> SearchResult:
        if "builder" in question:
            raise BadInputError("no luck", "try again")
        return search(self, question, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Corpus, "search", fails)
        outcome, summary = bench("beir", beir, tmp_path / "run")
    assert outcome.code == 1
    assert "q3: retrieval failed: no luck" in outcome.err
    assert (summary["n"], summary["excluded"]["retrieval failed"]) == (3, 1)
    outcome, summary = bench("beir", beir, tmp_path / "run", "--resume")
    assert (outcome.code, summary["n"]) == (0, 4)


def test_an_interruption_says_how_to_go_on(
    bench: Bench, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> SearchResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(Corpus, "search", interrupted)
    outcome, _ = bench("beir", beir, tmp_path / "run")
    assert outcome.code == 130
    assert f"--resume --out {tmp_path / 'run'}" in outcome.err


def test_the_form_of_the_bundled_corpora(bench: Bench, tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "keepers.csv").write_text(
        "Place,Name,Start,End\nNorth Point,Anna Berg,2001-01-01,2010-01-01\nNorth Point,Sten Holm,2010-01-01,"
    )
    gold = {"gold_documents": ["keepers.csv"], "kind": "point"}
    questions = [
        {"question": "Who was the keeper of North Point on 1 March 2005?", "answers": ["Anna Berg"], **gold},
        {
            "question": "Who was the keeper of North Point on 1 March 1950?",
            "answers": [],
            "kind": "no_answer",
        },
    ]
    write_lines(folder / "questions.jsonl", questions)
    outcome, summary = bench(
        "corpus", folder, tmp_path / "run", "--answerer", "extractive", "--strategy", "timelens"
    )
    assert outcome.code == 0, outcome.err
    assert {name: summary["metrics"][name] for name in ("R@1", "EM", "A", "Refusal", "FalseRefusal")} == {
        "R@1": 100.0,
        "EM": 100.0,
        "A": 100.0,
        "Refusal": 100.0,
        "FalseRefusal": 0.0,
    }
