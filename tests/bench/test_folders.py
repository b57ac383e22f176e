"""What is read from folders, and what is said of those that cannot be; runs side by side."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import Bench, records, write_beir, write_lines
from cli.conftest import Run

from timelens.bench import beir as suite
from timelens.bench import tempreason
from timelens.bench.suite_data import Query
from timelens.bench.suites import SUITES, read
from timelens.documents import EventSource
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest.annotate import annotate
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import day_interval, month_interval, year_interval


def test_a_beir_folder_is_read_as_documents_questions_and_gold(beir: Path) -> None:
    data = suite.load(beir)
    assert data.queries[1] == Query("q2", "What was the ferry fare as of May 2018?", day_number(2019, 1, 1))
    assert data.gold["q2"].relevant == {"fare-2018": 1, "fare-2015": 1}
    assert data.gold["q5"].unanswerable is True
    assert data.texts is not None
    assert data.texts["empty"] == "A title alone\nA title alone"


@pytest.mark.parametrize(("answer", "asked"), [("FC Bern", ["l2-1", "l1-1"]), ("FC Chur", ["l1-1"])])
def test_tempreason_asks_what_its_documents_tell(answer: str, asked: list[str], tmp_path: Path) -> None:
    fact = {"text": "Ada Lind plays for FC Bern from Jan, 2011 to Jan, 2013."}
    question = {"id": "l2-1", "doc_id": "lind", "level": "l2", "question": "Which team?", "answers": [answer]}
    for name, record in {
        "docs": {"doc_id": "lind", "title": "Ada Lind", "text": "A player.", "facts": [fact]},
        "questions": question,
        "date_arithmetic": {"id": "l1-1", "question": "1 year before May, 1900", "answers": ["May, 1899"]},
    }.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    data = tempreason.load(tmp_path)
    assert [query.id for query in data.queries] == asked
    assert data.gold["l1-1"].kind == "l1"
    assert len(data.notes) == 2 - len(asked)


def test_a_tempreason_question_needs_its_document(tmp_path: Path) -> None:
    for name in ("docs", "date_arithmetic"):
        (tmp_path / f"{name}.jsonl").write_text("")
    question = {"id": "l2-1", "doc_id": "gone", "question": "Which team?"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question))
    with pytest.raises(BadInputError, match="asks of gone"):
        tempreason.load(tmp_path)


@pytest.mark.parametrize(
    ("metadata", "published"),
    [
        ({"date": "2014-06-03", "published": "2020"}, day_interval(day_number(2014, 6, 3))),
        ({"published": "2018-01", "period_start": "2000"}, month_interval(2018, 1)),
        ({"period_start": "1902"}, year_interval(1902)),
        ({}, None),
        (None, None),
        ({"date": "some day"}, None),
    ],
)
def test_metadata_dates_a_document(metadata: object, published: object, beir: Path) -> None:
    record = {"_id": "x", "text": "A text.", "metadata": metadata}
    assert suite._document(record, beir / "corpus.jsonl").published == published


@pytest.mark.parametrize(
    ("periods", "read"),
    [
        ([["fare-2014"], ["fare-2015", "fare-2018"]], ({"fare-2014"}, {"fare-2015", "fare-2018"})),
        ([["fare-2014"], []], ({"fare-2014"}, set())),
        (None, ()),
    ],
)
def test_the_documents_of_each_period_are_read(
    periods: object, read: tuple[set[str], ...], beir: Path
) -> None:
    (beir / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "Fares?", "periods": periods}))
    assert suite.load(beir).gold["q1"].periods == read


def _changed(folder: Path, **fields: object) -> Path:
    """The folder with other fields in its first query."""
    first, *others = records(folder / "queries.jsonl")
    write_lines(folder / "queries.jsonl", [{**first, **fields}, *others])
    return folder


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answers": "4 crowns"}, "answers is not a list of texts"),
        ({"answers": [["4 crowns"]]}, "answers is not a list of texts"),
        ({"periods": "fare-2014"}, "periods is not a list of lists of texts"),
        ({"periods": [["fare-2014"], "fare-2015"]}, "periods is not a list of lists of texts"),
        ({"unanswerable": "no"}, "unanswerable is not true or false"),
        ({"kind": 3}, "kind is not a text"),
        ({"steps": ["one"]}, "steps is not a list of records"),
    ],
)
def test_a_field_of_the_wrong_form_is_refused(fields: dict[str, object], said: str, beir: Path) -> None:
    with pytest.raises(BadInputError) as told:
        suite.load(_changed(beir, **fields))
    assert told.value.message == f"{beir / 'queries.jsonl'} line 1: {said}"


def _misspelt(folder: Path) -> None:
    _changed(folder, answer=["4 crowns"])


def _unknown_period(folder: Path) -> None:
    _changed(folder, periods=[["fare-2014"], ["fare-2099"]])


def _unknown_judged(folder: Path) -> None:
    with (folder / "qrels" / "test.tsv").open("a") as stream:
        stream.write("q3\tquay\t1\nq77\tpier\t1\n")


def _header_only(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")


@pytest.mark.parametrize(
    ("harm", "notes"),
    [
        (_misspelt, ["keys of queries.jsonl that are not read: answer (1 record, first in line 1)"]),
        (
            _unknown_period,
            ["gold documents that are not among the documents: 1 (first: fare-2099 of q1)"],
        ),
        (
            _unknown_judged,
            [
                "queries in qrels/test.tsv that are not in queries.jsonl: 1 (first: q77)",
                "gold documents that are not among the documents: 1 (first: quay of q3)",
            ],
        ),
        (_header_only, ["qrels/test.tsv holds no judgement: rankings have no gold documents"]),
    ],
)
def test_what_changes_figures_is_noted(
    harm: Callable[[Path], None], notes: list[str], beir: Path, bench: Bench, tmp_path: Path
) -> None:
    harm(beir)
    outcome, _ = bench("beir", beir, tmp_path / "run")
    said = [
        "note: records of corpus.jsonl without text: 1 (first: empty)",
        *(f"note: {note}" for note in notes),
    ]
    assert (outcome.code, outcome.err.split("\n")[1:-1]) == (0, said)


def test_questions_that_nothing_scores_are_refused(tmp_path: Path, bench: Bench) -> None:
    folder = write_beir(tmp_path / "bare", labels=False)
    _header_only(folder)
    outcome, _ = bench("beir", folder, tmp_path / "run")
    assert (outcome.code, outcome.out) == (2, "")
    assert "has nothing to score its questions by" in outcome.err


def test_an_id_that_is_a_number_is_taken_as_its_digits(beir: Path) -> None:
    write_lines(beir / "corpus.jsonl", [{"_id": 7, "text": "The ferry fare was 3 crowns."}])
    write_lines(beir / "queries.jsonl", [{"_id": 1, "text": "What was the fare?", "periods": [[7], [8]]}])
    (beir / "qrels" / "test.tsv").write_text("1\t7\t1\n")
    data = read(SUITES["beir"], beir, None)  # type: ignore[arg-type]
    assert (data.queries[0].id, data.gold["1"].relevant) == ("1", {"7": 1})
    assert data.notes == ("gold documents that are not among the documents: 1 (first: 8 of 1)",)


def _corpus(folder: Path, *questions: dict[str, Any]) -> Path:
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "ferry.md").write_text("In 2014 the ferry fare was 3 crowns.")
    write_lines(folder / "questions.jsonl", questions)
    return folder


FARE: dict[str, Any] = {"question": "What was the ferry fare in 2014?", "answers": ["3 crowns"]}


def test_a_corpus_with_questions_is_checked_as_well(tmp_path: Path) -> None:
    gold = {"gold_documents": ["ferry.md", "ferry.md#2", "boat.md"], "why": "none"}
    unanswered = {"question": "Who rowed?"}
    folder = _corpus(tmp_path / "a", {**FARE, **gold}, {**FARE, "answers": []}, unanswered)
    data = read(SUITES["corpus"], folder, None)  # type: ignore[arg-type]
    assert data.notes == (
        "keys of questions.jsonl that are not read: why (1 record, first in line 1)",
        "gold documents that are not among the documents: 1 (first: boat.md of q001)",
    )
    assert [gold.unanswerable for gold in data.gold.values()] == [False, True, None]


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        ([{**FARE, "answers": "3 crowns"}], "line 1: answers is not a list of texts"),
        ([FARE, {**FARE, "gold_documents": "ferry.md"}], "line 2: gold_documents is not a list of texts"),
        ([{**FARE, "id": "a"}, {**FARE, "id": "a"}], "has the id a twice"),
        ([{"question": "Who rowed?"}], "has nothing to score its questions by"),
    ],
)
def test_questions_that_would_be_scored_wrongly_are_refused(
    questions: list[dict[str, Any]], said: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInputError) as told:
        read(SUITES["corpus"], _corpus(tmp_path / "a", *questions), None)  # type: ignore[arg-type]
    assert said in told.value.message


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    folder = _corpus(tmp_path / "a", FARE)
    (folder / "documents" / "ferry.md").unlink()
    with pytest.raises(BadInputError, match="holds no files"):
        read(SUITES["corpus"], folder, None)  # type: ignore[arg-type]


def test_a_date_that_is_none_is_told(beir: Path) -> None:
    with (beir / "corpus.jsonl").open("a") as stream:
        stream.write(json.dumps({"_id": "x", "text": "A text.", "metadata": {"date": "some day"}}) + "\n")
    assert "records whose date is not a date, taken without it: 1" in suite.load(beir).notes[0]


def test_equal_documents_have_an_equal_hash_whatever_is_asked(tmp_path: Path) -> None:
    one, two = suite.load(write_beir(tmp_path / "a")), suite.load(write_beir(tmp_path / "b", labels=False))
    assert one.documents_hash == two.documents_hash
    assert one.hash != two.hash


def _gone(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def _without_qrels(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").unlink()


def _broken_line(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": ')


def _no_text(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1"}\n')


def _not_utf8(folder: Path) -> None:
    (folder / "corpus.jsonl").write_bytes(b'{"_id": "\xff"}\n')


def _bad_qrels(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("q1 fare-2015 1\n")


def _bad_day(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "Who?", "as_of": "soon"}\n')


def _twice(folder: Path) -> None:
    corpus = folder / "corpus.jsonl"
    corpus.write_text(corpus.read_text() * 2)


def _nothing(folder: Path) -> None:
    (folder / "queries.jsonl").write_text("\n")


@pytest.mark.parametrize(
    ("harm", "code", "said"),
    [
        (_gone, 3, "there is no folder"),
        (_without_qrels, 3, "there is no qrels/test.tsv"),
        (_broken_line, 2, "line 1 is not JSON"),
        (_no_text, 2, "line 1 has no text"),
        (_not_utf8, 2, "not UTF-8"),
        (_bad_qrels, 2, "line 1 is not a judgement"),
        (_bad_day, 2, "as_of"),
        (_twice, 2, "has the _id fare-2014 twice"),
        (_nothing, 2, "holds no records"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named_with_a_remedy(
    harm: Callable[[Path], None], code: int, said: str, beir: Path, bench: Bench, tmp_path: Path
) -> None:
    harm(beir)
    outcome, _ = bench("beir", beir, tmp_path / "run")
    assert (outcome.code, outcome.out) == (code, "")
    message, remedy = outcome.err.splitlines()
    assert message.startswith("timelens: ")
    assert said in message
    assert remedy.startswith("  ")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "wrong",
    [
        ("--k", "ten"),
        ("--k", "0"),
        ("--strategy", "magic"),
        ("--answerer", "oracle"),
        ("--model", "x.gguf"),
        ("--resume",),
        ("--judge", "me"),
        ("--judge-model", "x.gguf"),
        ("--task", "steps"),
        ("--task", "query+all"),
        ("--split", "law"),
        ("--evidence", "5"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(run: Run, beir: Path, wrong: tuple[str, ...]) -> None:
    outcome = run("bench", "run", "beir", "--data", beir, *wrong)
    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == 2


def test_an_unknown_suite_and_the_list_of_suites(run: Run, beir: Path) -> None:
    outcome = run("bench", "run", "trec", "--data", beir)
    assert (outcome.code, "choose one of adqab, beir" in outcome.err) == (2, True)
    listed = json.loads(run("bench", "list", "--json").out)
    assert [entry["name"] for entry in listed["suites"]] == [
        "adqab",
        "beir",
        "corpus",
        "conversation",
        "diachronic",
        "expressions",
        "questions",
        "tdbench",
        "tempo",
        "tempreason",
        "temprageval",
    ]
    assert "beir" in run("bench", "list").out


def test_runs_side_by_side(run: Run, bench: Bench, beir: Path, tmp_path: Path) -> None:
    bench("beir", beir, tmp_path / "one")
    bench("beir", beir, tmp_path / "two", "--strategy", "timelens", "--limit", "3")
    outcome = run("bench", "compare", tmp_path / "one", tmp_path / "two")
    assert outcome.code == 0
    heading, *rows = outcome.out.splitlines()
    assert heading.split() == ["in", "percent", "bm25", "timelens"]
    assert any(row.split()[0] == "nDCG@10" for row in rows)
    assert "different questions" in outcome.err
    compared = json.loads(run("bench", "compare", tmp_path / "one", tmp_path / "two", "--json").out)
    assert [len(values) for values in compared["metrics"].values()] == [2] * len(compared["metrics"])


@pytest.mark.parametrize("summary", ["{", "[]", "{}", '{"metrics": {}, "groups": {}}'])
@pytest.mark.parametrize("command", ["compare", "report"])
def test_a_run_with_a_broken_summary_is_told(command: str, summary: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "summary.json").write_text(summary)
    outcome = run("bench", command, tmp_path)
    assert (outcome.code, "repeat the run" in outcome.err, outcome.out) == (2, True, "")


def test_a_run_that_is_not_there_cannot_be_compared(run: Run, tmp_path: Path) -> None:
    outcome = run("bench", "compare", tmp_path / "nowhere")
    assert (outcome.code, "there is no finished run" in outcome.err) == (3, True)


PAGE: list[dict[str, Any]] = [
    {"_id": "b#2", "title": "The bridge", "text": "It had three arches.", "metadata": {"position": 2}},
    {"_id": "b#1", "title": "The bridge", "text": "It was closed in June 1998.", "metadata": {"position": 1}},
    {
        "_id": "b#10",
        "title": "The bridge",
        "text": "Nobody came.",
        "metadata": {"position": 10, "section": "Later"},
    },
]


def test_passages_of_a_page_are_one_document_whose_parts_are_found_by_themselves(
    tmp_path: Path, embedder: Embedder
) -> None:
    records = [{**record, "metadata": {**record["metadata"], "part_of": "b"}} for record in PAGE]
    alone = {"_id": "c", "text": "In May 2001 a tunnel was dug."}
    [page, other] = suite.pages([*records, alone], tmp_path / "corpus.jsonl")
    assert (page.id, other.id, other.parts) == ("b", "c", ())
    chunks = annotate(page, embedder).chunks
    assert [chunk.source_id for chunk in chunks] == ["b#1", "b#2", "b#10"]
    assert [chunk.title for chunk in chunks] == ["The bridge", "The bridge", "The bridge: Later"]
    assert [chunk.text for chunk in chunks] == [
        "It was closed in June 1998.",
        "It had three arches.",
        "Nobody came.",
    ]
    closed = month_interval(1998, 6)
    assert [[(event.interval, event.source) for event in chunk.events] for chunk in chunks] == [
        [(closed, EventSource.STATED)],
        [(closed, EventSource.ANCHORED)],
        [(closed, EventSource.ANCHORED)],
    ]
    assert [chunk.source_id for chunk in annotate(other, embedder).chunks] == ["c"]
