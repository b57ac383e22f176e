"""TEMPO: small files of the official form and of the BEIR layout, read and run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from bench.conftest import Bench, ingested, write_lines, write_parquet
from cli.conftest import Run

from timelens.bench import runner, tempo
from timelens.bench.job import Job
from timelens.bench.judge_task import Need
from timelens.bench.measures import Judgement
from timelens.bench.retrieval_steps import as_task
from timelens.bench.run_folder import RunFolder
from timelens.errors import BadInputError, MissingError
from timelens.temporal.calendar import day_number

DOCUMENTS = [
    ("toll/2014.txt", "The bridge toll was three crowns in 2014. Cars paid at the north gate."),
    ("toll/2019.txt", "In 2019 the bridge toll rose to five crowns."),
    ("toll/why.txt", "The bridge toll pays for paint and for bolts."),
    ("negative.txt", "The bridge toll of another bridge changed in 2014 and in 2019."),
]
EXAMPLES: list[dict[str, Any]] = [
    {
        "id": "1",
        "query": "How has the bridge toll changed since 2014?",
        "gold_ids": ["toll/2014.txt", "toll/2019.txt"],
        "negative_ids": ["negative.txt"],
        "periods": [["toll/2014.txt"], ["toll/2019.txt"]],
    },
    {"id": "2", "query": "What is a toll?", "gold_ids": ["toll/why.txt"], "negative_ids": []},
]
GUIDANCE = {
    "is_temporal_query": True,
    "temporal_reasoning_class_primary": "trends_changes_and_cross_period",
    "key_time_anchors": ["2014", "2019"],
}
STEPS: list[dict[str, Any]] = [
    {"q_id": "1", "step_id": "1", "step": "The bridge toll in 2014", "gold_ids": ["toll/2014.txt"]},
    {"q_id": "1", "step_id": "2", "step": "The bridge toll in 2019", "gold_ids": ["toll/2019.txt"]},
    {"q_id": "1", "step_id": "3", "step": "What the bridge is made of", "gold_ids": []},
]


@pytest.fixture
def official(tmp_path: Path) -> Path:
    folder = tmp_path / "tempo"
    documents = [{"id": name, "content": text} for name, text in DOCUMENTS]
    write_parquet(folder / "documents" / "travel.parquet", documents)
    write_parquet(folder / "examples" / "travel.parquet", EXAMPLES)
    steps = [{**step, "excluded_ids": [], "query_guidance": GUIDANCE} for step in STEPS]
    write_parquet(folder / "steps" / "travel.parquet", steps)
    return folder


@pytest.fixture
def beir_tempo(tmp_path: Path) -> Path:
    """The same in the BEIR layout."""
    folder = tmp_path / "beir-tempo"
    (folder / "qrels").mkdir(parents=True)
    write_lines(folder / "corpus.jsonl", ({"_id": name, "text": text} for name, text in DOCUMENTS))
    queries = []
    for example in EXAMPLES:
        steps = [step for step in STEPS if step["q_id"] == example["id"]]
        guidance = GUIDANCE if steps else {}
        extra = {"steps": steps, "query_guidance": guidance, "domain": "travel"}
        queries.append({"_id": example["id"], "text": example["query"], **example, **extra})
    write_lines(folder / "queries.jsonl", queries)
    rows = [f"{each['id']}\t{name}\t1\n" for each in EXAMPLES for name in each["gold_ids"]]
    (folder / "qrels" / "test.tsv").write_text("".join(rows))
    return folder


@pytest.mark.parametrize("layout", ["official", "beir_tempo"])
def test_tempo_reads_the_same_from_both_layouts(layout: str, request: pytest.FixtureRequest) -> None:
    dataset = tempo.load(request.getfixturevalue(layout))
    assert [(query.id, query.text) for query in dataset.queries] == [
        (example["id"], example["query"]) for example in EXAMPLES
    ]
    gold = dataset.gold["1"]
    assert gold.relevant == {"toll/2014.txt": 1, "toll/2019.txt": 1}
    assert gold.barred == {"negative.txt"}
    assert list(map(set, gold.periods)) == [{"toll/2014.txt"}, {"toll/2019.txt"}]
    assert gold.guidance.anchors == ("2014", "2019")
    assert gold.groups == {"domain": "travel", "reasoning class": "trends_changes_and_cross_period"}
    assert [(step.id, dict(step.relevant)) for step in gold.steps] == [
        ("1#1", {"toll/2014.txt": 1}),
        ("1#2", {"toll/2019.txt": 1}),
        ("1#3", {}),
    ]
    assert (dataset.gold["2"].steps, dataset.gold["2"].barred) == ((), frozenset())


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        ("step-only", ["The bridge toll in 2014", "The bridge toll in 2019"]),
        ("query+step", [f"{EXAMPLES[0]['query']}\n{STEPS[n]['step']}" for n in (0, 1)]),
        ("query+all", ["\n".join([EXAMPLES[0]["query"], *(step["step"] for step in STEPS)])] * 2),
    ],
)
def test_steps_become_questions(official: Path, task: str, asked: list[str]) -> None:
    dataset = as_task(tempo.load(official), task)
    assert [query.text for query in dataset.queries] == asked
    assert [query.id for query in dataset.queries] == ["1#1", "1#2"]
    assert {dataset.gold[query.id].part_of for query in dataset.queries} == {"1"}
    assert {dataset.gold[query.id].periods for query in dataset.queries} == {()}
    assert dataset.excluded == {"no steps": 1, "steps without gold documents": 1}


def test_the_task_of_whole_questions_changes_nothing_and_a_strange_one_is_named(official: Path) -> None:
    dataset = tempo.load(official)
    assert as_task(dataset, "documents") is dataset
    with pytest.raises(BadInputError, match="no task"):
        as_task(dataset, "steps")
    (official / "steps" / "travel.parquet").unlink()
    with pytest.raises(BadInputError, match="no steps"):
        as_task(tempo.load(official), "query+all")


def test_tempo_in_several_splits_wants_one_named(official: Path) -> None:
    write_parquet(official / "examples" / "law.parquet", EXAMPLES)
    with pytest.raises(BadInputError, match="several splits") as several:
        tempo.load(official)
    assert several.value.hint == "add --split: law, travel"
    assert len(tempo.load(official, "travel").queries) == 2
    with pytest.raises(MissingError, match=r"no documents/law\.parquet"):
        tempo.load(official, "law")


def test_tempo_from_the_folder_to_the_summary(official: Path, bench: Bench, tmp_path: Path, run: Run) -> None:
    outcome, summary = bench("tempo", official, tmp_path / "run", "--k", "1,2")
    assert outcome.code == 0, outcome.err
    assert summary["judge"] == {
        "name": "rules",
        "questions": 1,
        "documents": 2,
        "failed": 0,
        "answers_failed": 0,
    }
    metrics = summary["metrics"]
    assert {"nDCG@2", "TP@2", "TR@2", "TR/returned@2", "TC@2", "PR@2", "AllP@2"} <= metrics.keys()
    assert summary["defined"]["TC@2"] == summary["defined"]["TP@2"] == summary["defined"]["PR@2"] == 1
    assert summary["n"] == 2
    assert set(summary["groups"]) == {"domain", "reasoning class"}
    assert summary["groups"]["domain"]["travel"]["n"] == 2
    [judged] = [
        record["judged"]
        for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()
        if (record := json.loads(line))["judged"]
    ]
    assert all(len(verdict) == 3 for verdict in judged["rules"])
    shown = run("bench", "run", "tempo", "--data", official, "--strategy", "bm25", "--out", tmp_path / "b")
    assert "TC@10 (of 1)" in shown.out
    assert "judge rules:" in shown.err


def test_a_model_judges_and_its_agreement_with_the_rules_is_said(
    official: Path, bench: Bench, tmp_path: Path, tiny_model: Path
) -> None:
    judging = ("--judge", "llm", "--judge-model", tiny_model, "--k", "1", "--limit", "1")
    outcome, summary = bench("tempo", official, tmp_path / "run", *judging)
    assert outcome.code == 0, outcome.err
    judge = summary["judge"]
    assert (judge["name"], judge["questions"], judge["documents"]) == ("llm", 1, 1)
    assert judge["agreement_with_rules"]["relevant"]["judged"] == 1 - judge["failed"]
    assert ("TP@1" in summary["metrics"]) is (judge["failed"] == 0)
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["judge"]["model"]["path"] == str(tiny_model)
    other, _ = bench("tempo", official, tmp_path / "run", "--k", "1", "--limit", "1", "--resume")
    assert (other.code, "made with a different judge" in other.err) == (2, True)


def test_reformulations_of_tempo_are_read_by_split(official: Path, bench: Bench, tmp_path: Path) -> None:
    reformulated = [{"id": "1", "query": "crowns north gate"}, {"id": "2", "query": "paint bolts"}]
    write_parquet(official / "gpt4o_reason" / "travel.parquet", reformulated)
    options = ("--split", "travel", "--query", "gpt4o_reason", "--k", "1")
    outcome, summary = bench("tempo", official, tmp_path / "run", *options)
    assert outcome.code == 0, outcome.err
    found = [line.split()[:4] for line in (tmp_path / "run" / "run.trec").read_text().splitlines()]
    best = {query: name for query, _, name, rank in found if rank == "1"}
    assert best == {"1": "toll/2014.txt", "2": "toll/why.txt"}
    assert summary["n"] == 2
    _, steps = bench("tempo", official, tmp_path / "s", "--query", "gpt4o_reason", "--task", "query+step")
    assert (steps["n"], steps["query"]) == (1, "gpt4o_reason")


class Half:
    """A judge that finds half of every reference in the first answer, and then fails."""

    name = "llm"

    def __init__(self) -> None:
        self.graded: list[tuple[str, str]] = []

    def judge(self, need: Need, documents: Sequence[str]) -> list[Judgement | None]:
        return [Judgement(relevant=True, covered=(True,) * len(need.periods)) for _ in documents]

    def grade(self, question: str, answer: str, reference: str) -> float | None:
        del question
        self.graded.append((answer, reference))
        return 0.5 if len(self.graded) == 1 else None


def test_answers_are_graded_against_a_reference_and_failures_are_counted(
    official: Path, bench_home: Path, tmp_path: Path
) -> None:
    answers = [["From three to five crowns.", "More"], ["A fee."]]
    rows = [{**example, "gold_answers": own} for example, own in zip(EXAMPLES, answers, strict=True)]
    rows[1]["query"] = "How much was the bridge toll in 2019?"
    write_parquet(official / "examples" / "travel.parquet", rows)
    dataset = tempo.load(official)
    corpus = ingested(dataset, bench_home)
    judge = Half()
    job = Job("tempo", "data", "bm25", "extractive", (2,), day_number(2024), judge=judge)
    summary, results = runner.run(job, dataset, corpus, RunFolder(tmp_path / "run"))
    assert [reference for _, reference in judge.graded] == ["From three to five crowns.", "A fee."]
    assert not any("[1]" in answer for answer, _ in judge.graded)
    assert [result.scores.get("Grade") for result in results] == [0.5, None]
    assert (summary["metrics"]["Grade"], summary["defined"]["Grade"]) == (50, 1)
    assert summary["judge"]["answers_failed"] == 1


def test_negatives_are_taken_out_of_the_ranking_only_where_asked(
    official: Path, bench: Bench, tmp_path: Path, run: Run
) -> None:
    _, kept = bench("tempo", official, tmp_path / "kept", "--judge", "none")
    _, without = bench("tempo", official, tmp_path / "out", "--judge", "none", "--without-negatives")
    assert "1 Q0 negative.txt" in (tmp_path / "kept" / "run.trec").read_text()
    assert "1 Q0 negative.txt" not in (tmp_path / "out" / "run.trec").read_text()
    assert "2 Q0 negative.txt" in (tmp_path / "out" / "run.trec").read_text(), (
        "it is barred from one question"
    )
    assert (kept["negatives"], without["negatives"]) == ("ranked", "taken out")
    assert without["metrics"]["nDCG@10"] > kept["metrics"]["nDCG@10"]
    assert not {"TP@10", "TC@10"} & kept["metrics"].keys()
    compared = run("bench", "compare", tmp_path / "kept", tmp_path / "out").out
    assert "taken out" in compared.splitlines()[0]


def test_steps_are_averaged_within_their_question_and_one_ranking_serves_all(
    official: Path, bench: Bench, tmp_path: Path
) -> None:
    extra = [
        {"q_id": "2", "step_id": "9", "step": "What tolls pay for", "gold_ids": ["toll/why.txt"]},
    ]
    steps = [{**step, "excluded_ids": [], "query_guidance": GUIDANCE} for step in [*STEPS, *extra]]
    write_parquet(official / "steps" / "travel.parquet", steps)
    out = tmp_path / "run"
    _, summary = bench("tempo", official, out, "--task", "query+all", "--judge", "none")
    assert (summary["task"], summary["n"]) == ("query+all", 2)
    rankings: dict[str, list[str]] = {}
    for row in ir_measures.read_trec_run(str(out / "run.trec")):
        rankings.setdefault(row.query_id, []).append(row.doc_id)
    assert rankings["1#1"] == rankings["1#2"]
    qrels = [
        ir_measures.Qrel(f"{step['q_id']}#{step['step_id']}", name, 1)
        for step in steps
        for name in step["gold_ids"]
    ]
    run_file = list(ir_measures.read_trec_run(str(out / "run.trec")))
    found = {
        metric.query_id: metric.value
        for metric in ir_measures.iter_calc([ir_measures.nDCG @ 10], qrels, run_file)
    }
    wanted = ((found["1#1"] + found["1#2"]) / 2 + found["2#9"]) / 2
    assert summary["metrics"]["nDCG@10"] == pytest.approx(100 * wanted, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("examples/travel.parquet", b"no parquet", "is not a Parquet file"),
        ("documents/travel.parquet", b"", "is not a Parquet file"),
    ],
)
def test_a_broken_file_is_named(official: Path, name: str, content: bytes, said: str) -> None:
    (official / name).write_bytes(content)
    with pytest.raises(BadInputError, match=said):
        tempo.load(official)


def test_a_record_without_its_field_is_named(official: Path) -> None:
    write_parquet(official / "examples" / "travel.parquet", [{"id": "1", "query": ""}])
    with pytest.raises(BadInputError, match="record 1 has no query"):
        tempo.load(official)
