"""TEMPO, TempRAGEval and ADQAB: small files of the official form and of the BEIR layout, read and run."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pyarrow as pa
import pytest
from bench.conftest import Bench, write_lines
from cli.conftest import Run
from pyarrow import parquet

from timelens.answer.model import Draft
from timelens.answer.timeline import Timeline
from timelens.bench import adqab, runner, tempo, temprageval
from timelens.bench.choices import Choosing, asked_with, chosen
from timelens.bench.data import Dataset
from timelens.bench.job import Job
from timelens.bench.judging import Need
from timelens.bench.measures import Judgement
from timelens.bench.records import list_of
from timelens.bench.runs import RunFolder
from timelens.bench.steps import as_task
from timelens.config import Settings
from timelens.errors import BadInputError, MissingError
from timelens.question.model import ParsedQuestion
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


def write_parquet(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(records), path)


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
    assert {"nDCG@2", "TP@2", "TR@2", "TR/returned@2", "TC@2"} <= metrics.keys()
    assert summary["defined"]["TC@2"] == summary["defined"]["TP@2"] == 1
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
    assert (other.code, "made with another judge" in other.err) == (2, True)


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
    write_parquet(official / "examples" / "travel.parquet", rows)
    dataset = tempo.load(official)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(bench_home))
        corpus = runner.corpus_of(dataset, Settings.load())
    runner.ingest(dataset, corpus)
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


# ---------------------------------------------------------------------------------------------- TempRAGEval

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
        assert dataset.notes == ("1 gold sentences stand in no passage",)


def test_temprageval_from_the_folder_to_the_summary(tmp_path: Path, bench: Bench) -> None:
    temprageval_in(tmp_path / "data", as_csv)
    outcome, summary = bench("temprageval", tmp_path / "data", tmp_path / "run", "--answerer", "extractive")
    assert outcome.code == 0, outcome.err
    assert summary["excluded"] == {"no time relation": 1}
    assert set(summary["groups"]["kind"]) == {"timeqa perturbed", "situatedqa original"}
    assert {"AR@1", "ER@1", "EM", "F1"} <= summary["metrics"].keys()
    assert summary["metrics"]["ER@5"] == 100
    assert "1 gold sentences stand in no passage" in outcome.err


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


# --------------------------------------------------------------------------------------------------- ADQAB

ARTICLES = [
    {
        "id": "doc_1",
        "text": "Title:Oak falls\nOak Corp shares fell sharply in March 2015.",
        "source_type": "real",
    },
    {"id": "doc_2", "text": "Oak Corp shares rose all through 2016.", "source_type": "synth"},
]
CHOICES = {
    "A": "It fell sharply",
    "B": "It rose steadily",
    "C": "It rose, then fell sharply",
    "D": "It stood still",
}
MCQA = [
    {
        "id": 7,
        "question": "How did the share price of Oak Corp move in 2016?",
        "choices": CHOICES,
        "correct_answer_key": "B",
        "query_type_info": {"id": "specific_year"},
    },
    {
        "id": 8,
        "question": "How did the share price of Oak Corp move in March 2015?",
        "choices": CHOICES,
        "correct_answer_key": "A",
        "query_type_info": {"id": "after_month"},
    },
]


def write_adqab(folder: Path, *, nested: bool = True) -> Path:
    root = folder / "DQABench" if nested else folder
    root.mkdir(parents=True)
    write_lines(root / "C_final.jsonl", ARTICLES)
    (root / "dqabench_MCQA.json").write_text(json.dumps(MCQA))
    return folder


@pytest.mark.parametrize("nested", [True, False])
def test_adqab(tmp_path: Path, nested: bool) -> None:
    dataset = adqab.load(write_adqab(tmp_path / "adqab", nested=nested))
    assert [query.id for query in dataset.queries] == ["7", "8"]
    gold = dataset.gold["7"]
    assert (gold.choices, gold.answers) == (tuple(CHOICES.values()), ("It rose steadily",))
    assert gold.kind == "specific_year"
    assert dataset.texts == {
        "doc_1": "Oak falls\nOak Corp shares fell sharply in March 2015.",
        "doc_2": "\nOak Corp shares rose all through 2016.",
    }


def test_adqab_refuses_a_key_that_is_no_choice(tmp_path: Path) -> None:
    folder = write_adqab(tmp_path / "adqab", nested=False)
    (folder / "dqabench_MCQA.json").write_text(json.dumps([{**MCQA[0], "correct_answer_key": "E"}]))
    with pytest.raises(BadInputError, match="question 7: its key 'E'"):
        adqab.load(folder)


def test_adqab_over_several_runs(tmp_path: Path, bench: Bench, run: Run) -> None:
    folder, out = write_adqab(tmp_path / "adqab"), tmp_path / "run"
    options = ("--answerer", "extractive", "--evidence", "5", "--runs", "2")
    outcome, summary = bench("adqab", folder, out, *options)
    assert outcome.code == 0, outcome.err
    assert (summary["runs"], summary["n"]) == (2, 2)
    assert summary["deviation"]["A"] == 0
    assert set(summary["group_deviation"]["kind"]) == {"specific_year", "after_month"}
    assert json.loads((out / "summary.json").read_text()) == summary
    single = json.loads((out / "run-1" / "summary.json").read_text())
    assert single["metrics"]["A"] == summary["metrics"]["A"]
    _, again = bench("adqab", folder, out, *options, "--resume")
    assert again["metrics"] == summary["metrics"]
    assert "±" in run("bench", "run", "adqab", "--data", folder, *options, "--out", tmp_path / "shown").out


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("It rose steadily", "B"),
        ("I would say that it rose, then fell sharply.", "C"),
        ("(B) because of the chips", "B"),
        ("B", "B"),
        ("b) it is", None),
        ("The answer is D.", "D"),
        ("Answer: C", "C"),
        ("A cut in prices", None),
        ("The price rose steadily through the year", "B"),
        ("Nothing of the kind", None),
        ("", None),
    ],
)
def test_the_choice_that_an_answer_makes(answer: str, choice: str | None) -> None:
    assert chosen(answer, list(CHOICES.values())) == (None if choice is None else CHOICES[choice])


class Overheard:
    """An answerer that writes down what it is asked, and always says the same."""

    notes = ("a note",)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str]:
        del timeline, draft
        self.asked.append(parsed.question)
        yield "(B)"

    def cancel(self) -> None:
        self.asked.append("cancelled")


def test_choices_reach_the_answerer_and_not_the_search(tmp_path: Path, bench_home: Path) -> None:
    dataset = adqab.load(write_adqab(tmp_path / "adqab"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(bench_home))
        corpus = runner.corpus_of(dataset, Settings.load())
    runner.ingest(dataset, corpus)
    writer = Overheard()
    job = Job("adqab", "data", "bm25", "llama", (1,), day_number(2024), writer=writer)
    summary, results = runner.run(job, dataset, corpus, RunFolder(tmp_path / "run"))
    assert all("(A) It fell sharply (B) It rose steadily" in question for question in writer.asked)
    assert [question.split(" Which one")[0] for question in writer.asked] == [q.text for q in dataset.queries]
    assert {result.id: result.scores["A"] for result in results} == {"7": 1, "8": 0}
    assert summary["metrics"]["A"] == 50
    choosing = Choosing(writer, ["x"])
    choosing.cancel()
    assert (writer.asked[-1], choosing.notes) == ("cancelled", ("a note",))


def test_choices_are_shown_with_letters() -> None:
    shown = asked_with("How did it move?", ["Up", "Down"])
    assert shown.startswith("How did it move? ")
    assert "(A) Up (B) Down" in shown


# --------------------------------------------------------------------------------------------- missing data


@pytest.mark.parametrize(
    ("suite", "said", "command"),
    [
        ("tempo", "there is no examples/", "timelens bench fetch tempo --split NAME --out {folder}"),
        ("temprageval", "there is no test.csv", "timelens bench fetch temprageval --out {folder}"),
        ("adqab", "there is no C_final.jsonl", "timelens bench fetch adqab --out {folder}"),
    ],
)
def test_missing_data_is_said_with_the_command_that_fetches_it(
    suite: str, said: str, command: str, bench: Bench, tmp_path: Path, run: Run
) -> None:
    outcome, _ = bench(suite, tmp_path / "nothing here", tmp_path / "run")
    message, remedy = outcome.err.splitlines()
    assert (outcome.code, outcome.out) == (3, "")
    assert message.startswith(f"timelens: {said}")
    assert remedy == "  fetch it once: " + command.format(folder=f"'{tmp_path / 'nothing here'}'")
    unnamed = run("bench", "run", suite)
    assert unnamed.code == 3
    assert f"timelens bench fetch {suite}" in unnamed.err


def test_passages_that_are_missing_are_named_with_their_option(tmp_path: Path) -> None:
    as_csv(tmp_path)
    with pytest.raises(MissingError) as missing:
        temprageval.load(tmp_path)
    assert "--corpus" in missing.value.hint


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("examples/travel.parquet", b"no parquet", "is no Parquet file"),
        ("documents/travel.parquet", b"", "is no Parquet file"),
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
