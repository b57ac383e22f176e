"""Real documents in, questions out: statements that differ by little but their date, a table of leaders."""

import json
from pathlib import Path

import pytest
from made_corpora import corpus_of_all

from timelens.agent import Answer
from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import format_day, parse_day

DATA = Path(__file__).parents[3] / "shared" / "data"
TODAY = parse_day("2026-11-20")

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"the benchmark data is not at {DATA}")


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("statements")
    records = [json.loads(line) for line in (DATA / "fomc" / "docs.jsonl").read_text().splitlines()]
    for record in records:
        front = f"---\ntitle: {record['title']}\ndate: {record['date']}\n---\n\n"
        (folder / f"{record['doc_id']}.md").write_text(front + record["text"])
    corpus = corpus_of_all(tmp_path_factory, "statements", folder)
    assert corpus.summary().documents == len(records)
    return corpus


@pytest.fixture(scope="module")
def leaders(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of_all(tmp_path_factory, "table-of-leaders", DATA / "tdbench" / "csv" / "leaders.csv")


def cited(answer: Answer) -> list[str]:
    return [citation.hit.chunk.document_id.removesuffix(".md") for citation in answer.citations]


def test_a_point_in_time_cites_the_statement_of_that_day_first(statements: Corpus) -> None:
    question = "What did the FOMC do with the federal funds rate in December 2008?"
    answer = statements.ask(question, as_of=TODAY)
    assert cited(answer)[0] == "fomc-20081216"
    assert "0 to 1/4 percent" in answer.text
    assert {reference.support for reference in answer.time_references} == {Support.SUPPORTED}


def test_a_change_draws_on_several_months_in_order(statements: Corpus) -> None:
    answer = statements.ask("How did the target change between January 2001 and December 2001?", as_of=TODAY)
    days = sorted(name.removeprefix("fomc-") for name in cited(answer))
    assert {day[:4] for day in days} == {"2001"}
    assert len({day[4:6] for day in days}) >= 8
    assert (days[0][4:6], days[-1][4:6]) == ("01", "12")
    numbers: dict[str, str] = {}
    for name, citation in zip(cited(answer), answer.citations, strict=True):
        numbers.setdefault(name, f"[{citation.number}]")  # a second passage may state a summary
    places = [answer.text.index(numbers[f"fomc-{day}"]) for day in days]
    assert places == sorted(places)


def test_as_of_finds_the_last_decision_before(statements: Corpus) -> None:
    answer = statements.ask("What was the federal funds rate target as of 15 March 2003?", as_of=TODAY)
    assert cited(answer) == ["fomc-20030129"]


def test_a_year_without_evidence_has_no_answer(statements: Corpus) -> None:
    answer = statements.ask("What did the FOMC decide in 2050?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert (answer.values, answer.citations) == ((), ())
    assert "2050" in answer.text


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.long), 16])
def test_the_right_statement_is_among_the_first_five_citations(every: int, statements: Corpus) -> None:
    questions = [json.loads(line) for line in (DATA / "fomc" / "questions.jsonl").read_text().splitlines()]
    with_gold = [question for question in questions if question["gold_doc_ids"]][::every]
    right = sum(
        bool(
            set(cited(statements.ask(question["question"], as_of=TODAY))[:5]) & set(question["gold_doc_ids"])
        )
        for question in with_gold
    )
    assert right >= 0.95 * len(with_gold)  # measured: 99.0 %


@pytest.mark.parametrize(
    ("question", "as_of", "name", "start", "end"),
    [
        (
            "Who was Prime Minister of Italy on 1 March 2015?",
            "2026-11-20",
            "Matteo Renzi",
            "2014-02-22",
            "2016-12-12",
        ),
        (
            "Who was the first President of Italy after 1998?",
            "2026-11-20",
            "Carlo Azeglio Ciampi",
            "1999-05-18",
            "2006-05-15",
        ),
        ("Who is the current King of Spain?", "2024-06-01", "Felipe VI", "2014-06-19", None),
    ],
)
def test_leaders_are_answered_from_the_rows(
    leaders: Corpus, question: str, as_of: str, name: str, start: str, end: str | None
) -> None:
    answer = leaders.ask(question, as_of=parse_day(as_of))
    (value,) = answer.values
    assert value.text == name
    assert value.start is not None
    assert format_day(value.start) == start
    assert (None if value.end is None else format_day(value.end)) == end
    assert {reference.support for reference in answer.time_references} == {Support.SUPPORTED}
