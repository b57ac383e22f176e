"""What a model says is scored, and beside it what the user sees; every score comes again from the file."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pytest
from bench.conftest import Bench, ingested, records, write_beir, write_lines

from timelens.agent import Answerer
from timelens.answer.draft import Draft
from timelens.answer.rendering.timeline import Timeline
from timelens.bench import adqab, beir, runner, tdbench, tempo
from timelens.bench.job import Job
from timelens.bench.judge_rules import RulesJudge
from timelens.bench.judge_task import Judge
from timelens.bench.measures import Named, Unstated
from timelens.bench.predictions import Prediction
from timelens.bench.run_folder import Result, RunFolder
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Dataset
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import day_number

LEADERS = (
    "Country,Role,Name,Start,End\n"
    "Arcadia,President,Ada Alder,1990-03-01,1994-06-10\n"
    "Arcadia,President,Bob Birch,1994-06-10,1999-12-31\n"
    "Arcadia,President,Cay Cedar,1999-12-31,\n"
)
BIRCH = {"value": "Bob Birch", "start": "1994-06-10", "end": "1999-12-31"}
BEGAN = "Who began as President of Arcadia in 1994?"
NOBODY = "Who began as President of Arcadia in 1995?"
WHERE = "select Name, start, end from x where Country = 'Arcadia' and Role = 'President'"


class Says:
    """An answerer that gives the text it is told to for each question, in two pieces."""

    notes = ()

    def __init__(self, *texts: tuple[str, str]) -> None:
        self._texts = dict(texts)
        self.shown: list[int] = []
        """How many pieces of evidence it was given, by question."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str]:
        del draft
        self.shown.append(len(timeline.citations))
        text = next((text for question, text in self._texts.items() if question in parsed.question), "")
        yield from (text[:7], text[7:])

    def cancel(self) -> None:
        """Nothing is under way."""


@pytest.fixture
def leaders(tmp_path: Path) -> Path:
    folder = tmp_path / "tdbench"
    (folder / "csv").mkdir(parents=True)
    for name in tdbench.DATABASES:
        (folder / "csv" / f"{name}.csv").write_text(LEADERS if name == "leaders" else "Name,Start,End\n")
    known: dict[str, Any] = {
        "db": "leaders",
        "relation": "started-by",
        "open_end_filled_with": "2025-01-26",
        "sql": WHERE,
    }
    asked: list[dict[str, object]] = [
        {
            "id": "q1",
            "qtype": "basic_unique",
            "questions": [BEGAN],
            "answer_rows": [BIRCH],
            "sql": f"{WHERE} and Start between '1994-01-01 00:00:00' and '1994-12-31 00:00:00'",
        },
        {"id": "q2", "qtype": "basic_none", "questions": [NOBODY], "answer_rows": []},
    ]
    write_lines(folder / "questions.jsonl", [{**known, **record} for record in asked])
    return folder


class More(TypedDict, total=False):
    judge: Judge
    evidence_from: str


Ask = Callable[..., tuple[dict[str, Any], dict[str, Result]]]


@pytest.fixture
def ask(bench_home: Path, tmp_path: Path) -> Ask:
    """Runs a dataset with an answerer, and gives the summary and the results as they stand in the file."""

    def asked(
        dataset: Dataset, writer: Answerer | None, **more: Unpack[More]
    ) -> tuple[dict[str, Any], dict[str, Result]]:
        name = "extractive" if writer is None else "llama"
        job = Job("suite", "data", "timelens", name, (1, 5), day_number(2025), writer=writer, **more)
        folder = RunFolder(tmp_path / "run")
        summary, results = runner.run(job, dataset, ingested(dataset, bench_home), folder)
        kept = folder.results()
        assert kept == {result.id: result for result in results}
        scorer = Scorer(job.ks)
        for result in kept.values():
            assert scorer.score(result, dataset.gold[result.id]) == result.scores, result.id
        return summary, kept

    return asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bob Birch, since 10 June 1994 [1].", (1, 1, 1)),
        ("Bob Birch, since 4 May 1951 [1].", (1, 0, 0)),
        ("Bob Birch and Zoe Zelkova, since 4 May 1951 [1].", (0, 0, 0)),
        ("Cay Cedar and not Bob Birch, since 10 June 1994 [1].", (0, 1, 0)),
        ("It was Cay Cedar [1].", (0, 0, 0)),
        ("No answer in the evidence.", (0, 0, 0)),
    ],
)
def test_a_model_is_scored_by_what_it_wrote_and_the_user_sees_what_the_table_says(
    leaders: Path, ask: Ask, text: str, said: tuple[int, ...]
) -> None:
    _, found = ask(tdbench.load(leaders), Says((BEGAN, text)))
    result = found["q1.1"]
    assert tuple(result.scores[name] for name in ("A", "T", "AT")) == said
    assert tuple(result.scores[f"{name} shown"] for name in ("A", "T", "AT")) == (1, 1, 1)
    assert result.written == text
    assert result.prediction is not None
    assert result.prediction.refused is text.startswith("No answer")


def test_the_solver_is_scored_as_ever_and_nothing_stands_beside_it(leaders: Path, ask: Ask) -> None:
    summary, found = ask(tdbench.load(leaders), None)
    assert (found["q1.1"].scores["AT"], found["q2.1"].scores["A"]) == (1, 1)
    assert not [name for name in summary["metrics"] if "shown" in name]
    assert (found["q1.1"].written, found["q1.1"].shown) == (None, None)
    assert found["q1.1"].prediction == Prediction(
        "Bob Birch", values=(Named("Bob Birch", day_number(1994, 6, 10), day_number(1999, 12, 31)),)
    )


def test_where_no_model_was_asked_there_is_what_the_user_sees_alone(leaders: Path, ask: Ask) -> None:
    summary, found = ask(tdbench.load(leaders), Says((BEGAN, "Bob Birch, since 10 June 1994 [1].")))
    assert found["q2.1"].written is None, "an empty table is exact, and no question for a model"
    assert "A" not in found["q2.1"].scores
    assert found["q2.1"].scores["A shown"] == 1
    assert (summary["metrics"]["A"], summary["metrics"]["A shown"]) == (100, 100)
    assert summary["defined"]["A"] == 1


def test_a_model_that_writes_nothing_says_nothing_and_the_user_sees_the_rules(
    leaders: Path, ask: Ask
) -> None:
    _, found = ask(tdbench.load(leaders), Says((BEGAN, "")))
    scores = found["q1.1"].scores
    assert (scores["A"], scores["FalseRefusal"]) == (0, 0)
    assert (scores["A shown"], scores["AT shown"]) == (1, 1)


def test_a_closed_book_is_scored_by_names_and_days_too(leaders: Path, ask: Ask) -> None:
    writer = Says((BEGAN, "Bob Birch, since June 1994."), (NOBODY, "No answer in the evidence"))
    summary, found = ask(tdbench.load(leaders), writer, evidence_from="none")
    assert writer.shown == [0, 0]
    assert (found["q1.1"].scores["AT"], found["q2.1"].scores["A"]) == (1, 1)
    assert summary["groups"]["span"] == {"1990–1994": {**summary["groups"]["kind"]["unique"]}}


def test_short_answers_and_refusals_of_other_suites_are_the_models_too(ask: Ask, tmp_path: Path) -> None:
    writer = Says(
        ("ferry fare in June 2015", "4 crowns [1]"),
        ("builder of the pier", "No answer in the evidence."),
        ("keeper of the lighthouse", "The keeper is Anna Berg [1]."),
    )
    _, found = ask(beir.load(write_beir(tmp_path / "beir")), writer)
    assert found["q1"].prediction == Prediction("4 crowns")
    assert (found["q1"].scores["EM"], found["q1"].scores["A"]) == (1, 1)
    assert (found["q3"].scores["A"], found["q3"].scores["FalseRefusal"]) == (0, 1)
    assert (found["q4"].scores["EM"], found["q4"].scores["A"]) == (0, 1)
    assert found["q4"].scores["F1"] == pytest.approx(2 / 3)
    assert {"EM shown", "F1 shown", "A shown", "FalseRefusal shown"} <= found["q1"].scores.keys()


@pytest.mark.parametrize("model", [False, True])
def test_every_score_comes_again_from_the_file(ask: Ask, tmp_path: Path, model: bool) -> None:
    writer = Says(("keeper", "Anna Berg [1]."), ("fare", "It was 3 crowns in 2014.")) if model else None
    dataset = tempo.load(write_beir(tmp_path / "beir"), None)
    summary, found = ask(dataset, writer, judge=RulesJudge())
    assert any(result.judged and result.stating for result in found.values())
    assert {"AR@5", "nDCG@5", "TP@5", "EM", "A"} <= summary["metrics"].keys()


def test_a_choice_is_the_models(ask: Ask, tmp_path: Path) -> None:
    choices = {"A": "It fell", "B": "It rose"}
    article = {"id": "d", "text": "Oak Corp shares fell in 2016."}
    record = {
        "id": 1,
        "question": "How did Oak Corp move in 2016?",
        "choices": choices,
        "correct_answer_key": "A",
    }
    write_lines(tmp_path / "C_final.jsonl", [article])
    (tmp_path / "dqabench_MCQA.json").write_text(json.dumps([record]))
    _, found = ask(adqab.load(tmp_path), Says(("Oak Corp", "(B), it rose.")))
    assert found["1"].prediction == Prediction("It rose")
    assert found["1"].scores["A"] == 0


def test_a_prediction_is_read_as_it_was_written() -> None:
    days = (day_number(-43, 3, 15), None, Unstated.UNSTATED)
    values = tuple(Named(f"n{n}", day, end) for n, day in enumerate(days) for end in days)
    for said in (Prediction("x", values=values, grade=0.5), Prediction("", refused=True)):
        result = Result("q", "kind", prediction=said, shown=said, written="raw", scores={"A": 1.0})
        assert Result.from_json(result.line()) == result
    assert Result.from_json('{"id": "q", "kind": null, "prediction": {"short": "x"}}') is None


def test_results_hold_no_time_and_timings_no_more_than_it(bench: Bench, tmp_path: Path) -> None:
    _, summary = bench("beir", write_beir(tmp_path / "beir"), tmp_path / "run", "--answerer", "extractive")
    results, timings = (records(tmp_path / "run" / f"{name}.jsonl") for name in ("results", "timings"))
    assert not any("seconds" in record for record in results)
    assert [record.keys() for record in timings] == [{"id", "seconds"}] * 5
    assert summary["seconds"] == pytest.approx(sum(record["seconds"] for record in timings), abs=0.001)
