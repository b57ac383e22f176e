"""ADQAB: small files of the official form, read and run, and the choices that answers make."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.conftest import Bench, ingested, records, write_lines
from cli.conftest import Run

from timelens.answer.draft import Draft
from timelens.answer.rendering.timeline import Timeline
from timelens.bench import adqab, runner
from timelens.bench.job import Job
from timelens.bench.multiple_choice import Choosing, chosen, with_choices
from timelens.bench.run_folder import Result, RunFolder
from timelens.errors import BadInputError
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import day_number

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
    assert {**json.loads((out / "summary.json").read_text()), "seconds": summary["seconds"]} == summary
    single = json.loads((out / "run-1" / "summary.json").read_text())
    assert single["metrics"]["A"] == summary["metrics"]["A"]
    _, again = bench("adqab", folder, out, *options, "--resume")
    assert again["metrics"] == summary["metrics"]
    assert "±" in run("bench", "run", "adqab", "--data", folder, *options, "--out", tmp_path / "shown").out


def test_adqab_sampled_over_several_runs(tmp_path: Path, bench: Bench, run: Run, tiny_model: Path) -> None:
    folder, out = write_adqab(tmp_path / "adqab"), tmp_path / "run"
    options = ("--answerer", "llama", "--model", tiny_model, "--runs", "2", "--temperature", "1.2")
    outcome, summary = bench("adqab", folder, out, *options)
    assert outcome.code == 0, outcome.err
    assert summary["sampling"] == {"temperature": 1.2, "seeds": [0, 1]}
    assert {"A", "A shown"} <= summary["deviation"].keys()
    models = [json.loads((out / f"run-{n}" / "config.json").read_text())["model"] for n in (1, 2)]
    assert [(model["temperature"], model["seed"]) for model in models] == [("1.2", "0"), ("1.2", "1")]
    written = [[r["written"] for r in records(out / f"run-{n}" / "results.jsonl")] for n in (1, 2)]
    assert written[0] != written[1]
    kept = (out / "run-2" / "results.jsonl").read_bytes()
    (out / "run-2" / "results.jsonl").write_bytes(kept[: kept.index(b"\n") + 1])
    _, again = bench("adqab", folder, out, *options, "--resume")
    assert (out / "run-2" / "results.jsonl").read_bytes() == kept
    assert again["metrics"] == summary["metrics"]
    said = run("bench", "run", "adqab", "--data", folder, *options)
    assert "sampled at 1.2 with the seeds 0, 1" in said.err
    reported = run("bench", "report", out)
    assert (reported.code, "±" in reported.out) == (0, True), reported.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--answerer", "extractive", "--temperature", "1"), "--temperature does not go with"),
        (("--answerer", "llama", "--temperature", "3"), "out of range"),
        (("--answerer", "llama", "--temperature", "nan"), "out of range"),
        (("--answerer", "llama", "--temperature", "1", "--judge", "llm"), "a judge does not sample"),
    ],
)
def test_what_cannot_be_sampled_is_refused(
    tmp_path: Path, bench: Bench, tiny_model: Path, options: tuple[str, ...], message: str
) -> None:
    model = ("--model", tiny_model) if "llama" in options else ()
    outcome, _ = bench("adqab", write_adqab(tmp_path / "adqab"), tmp_path / "run", *options, *model)
    assert (outcome.code, message in outcome.err) == (2, True), outcome.err


def test_a_question_of_several_runs_has_the_mean_of_its_scores(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    for n, score in ((1, 1.0), (2, 0.0), (10, 0.0)):
        part = RunFolder(folder.path / f"run-{n}")
        part.begin({"made": n}, resume=False)
        part.add(Result("q", None, scores={"A": score, "B": 1.0} if n == 1 else {"A": score}, seconds=n))
    assert [part.path.name for part in folder.parts] == ["run-1", "run-2", "run-10"]
    assert folder.scores() == {"q": {"A": pytest.approx(1 / 3)}}
    assert folder.config() == {"made": 1}


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
    corpus = ingested(dataset, bench_home)
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
    shown = with_choices("How did it move?", ["Up", "Down"])
    assert shown.startswith("How did it move? ")
    assert "(A) Up (B) Down" in shown
