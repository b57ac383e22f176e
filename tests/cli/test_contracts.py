"""What scripts read: every command's JSON obeys its schema, and equals what it was when last looked at.

``UPDATE_GOLDEN=1 make test ARGS=tests/cli/test_contracts.py`` writes the golden files anew.
"""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from cli.conftest import DOCUMENTS, Run

CONTRACTS = Path(__file__).parents[1] / "contracts"
GOLDEN = Path(__file__).parent / "golden"

# Scores depend a little on the processor that computes the embeddings.
SCORE_TOLERANCE = 0.03
VOLATILE = {"timings_ms", "seconds", "chunks_per_second", "uri"}

QUESTIONS = {
    "point": "What did the harbour council decide on the ferry fare in June 2015?",
    "last": "What was the last decision on the ferry fare before 2018?",
    "change": "How did the ferry fare change between 2014 and 2018?",
    "fact": "Who was the keeper of North Point on 1 March 2010?",
    "first_fact": "Who was the first keeper of North Point after 2010?",
    "several_facts": "Who were the engineers of North Point from 2010 to 2015?",
    "nothing": "What did the harbour council decide in 1950?",
    "periods": "Compare the ferry fare in 2014 with the fare in 2018.",
    "nearest": "Why was the harbour dredged in 1950 and in 1960?",
}
AS_OF = "2020-01-01"


def validate(document: object, command: str) -> None:
    schema = json.loads((CONTRACTS / f"{command}.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)


Json = dict[str, "Json"] | list["Json"] | str | float | bool | None


def stable(value: Json) -> Json:
    """The document without what differs from run to run and machine to machine."""
    if isinstance(value, dict):
        return {key: stable(inner) for key, inner in value.items() if key not in VOLATILE}
    return [stable(inner) for inner in value] if isinstance(value, list) else value


def assert_close(got: Json, wanted: Json, where: str = "$") -> None:
    if isinstance(wanted, dict):
        assert isinstance(got, dict), where
        assert got.keys() == wanted.keys(), where
        for key, value in wanted.items():
            assert_close(got[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(got, list), where
        assert len(got) == len(wanted), where
        for index, value in enumerate(wanted):
            assert_close(got[index], value, f"{where}[{index}]")
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, abs=SCORE_TOLERANCE), where
    else:
        assert got == wanted, where


def check_golden(name: str, document: Json) -> None:
    path = GOLDEN / f"{name}.json"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(json.dumps(stable(document), ensure_ascii=False, indent=1) + "\n")
    assert_close(stable(document), json.loads(path.read_text()))


@pytest.mark.parametrize("command", ["ask", "ingest", "parse", "search", "tag", "verify"])
def test_the_samples_obey_their_schemas(command: str) -> None:
    validate(json.loads((CONTRACTS / f"{command}.sample.json").read_text()), command)


@pytest.mark.parametrize("name", QUESTIONS)
def test_ask(name: str, run: Run, harbour: str) -> None:
    outcome = run("ask", QUESTIONS[name], "--corpus", harbour, "--as-of", AS_OF, "--json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    validate(document, "ask")
    check_golden(f"ask-{name}", document)


@pytest.mark.parametrize("strategy", ["bm25", "naive", "hybrid", "timelens"])
def test_search(strategy: str, run: Run, harbour: str) -> None:
    outcome = run(
        "search", QUESTIONS["point"], "--corpus", harbour, "-s", strategy, "-k", 3, "--as-of", AS_OF, "--json"
    )
    assert outcome.code == 0
    document = json.loads(outcome.out)
    validate(document, "search")
    check_golden(f"search-{strategy}", document)


def test_search_of_several_periods(run: Run, harbour: str) -> None:
    outcome = run("search", QUESTIONS["periods"], "-c", harbour, "-k", 3, "--as-of", AS_OF, "--json")
    document = json.loads(outcome.out)
    validate(document, "search")
    check_golden("search-periods", document)
    asked = [(period["start"], period["end"]) for period in document["periods"]]
    assert asked == [("2014-01-01", "2015-01-01"), ("2018-01-01", "2019-01-01")]
    assert [(one["start"], one["end"]) for one in document["coverage"]["periods"]] == asked
    assert document["coverage"]["asked"] == ["2014-01-01", "2019-01-01"]


def test_what_answers_nothing_has_its_nearest_passages_by_period(run: Run, harbour: str) -> None:
    document = json.loads(run("ask", QUESTIONS["nearest"], "-c", harbour, "--as-of", AS_OF, "--json").out)
    assert (document["status"], document["values"], document["citations"]) == ("no_answer", [], [])
    assert {near["period"]["start"] for near in document["nearest"]} == {"1950-01-01", "1960-01-01"}
    assert all(f"[{near['n']}]" in document["answer"] for near in document["nearest"])


@pytest.mark.parametrize("name", QUESTIONS)
def test_parse(name: str, run: Run) -> None:
    document = json.loads(run("parse", QUESTIONS[name], "--as-of", AS_OF, "--json").out)
    validate(document, "parse")
    check_golden(f"parse-{name}", document)


def test_tag(run: Run) -> None:
    text = (
        "Built from 1902 to 1904, closed since March 2011; a year later, on 31 February 2012, it fell. A day!"
    )
    outcome = run("tag", "-", "--anchor", "2020-01-01", "--json", stdin=text)
    expressions = [json.loads(line) for line in outcome.out.splitlines()]
    for expression in expressions:
        validate(expression, "tag")
        assert text[expression["char_start"] : expression["char_end"]] == expression["text"]
    check_golden("tag", expressions)


def test_ingest(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "in"
    folder.mkdir()
    for source in DOCUMENTS.rglob("*.*"):
        (folder / source.name).write_bytes(source.read_bytes())
    (folder / "broken.md").write_bytes(b"\xff\xfe\x00")
    first = run("ingest", folder, "--corpus", "harbour", "--json")
    assert first.code == 1  # one file could not be read
    validate(json.loads(first.out), "ingest")
    check_golden("ingest", json.loads(first.out))
    (folder / "broken.md").unlink()
    again = run("ingest", folder, "--corpus", "harbour", "-q", "--json")
    assert again.code == 0
    assert json.loads(again.out)["documents"]["unchanged"] == 5


def test_lines_in_lines_out(run: Run, harbour: str) -> None:
    lines = [
        {"id": "a", "text": QUESTIONS["fact"]},
        {"id": 2, "text": "Who is the keeper of North Point now?", "as_of": "2012-05-06"},
        {"id": "c", "text": QUESTIONS["point"], "choices": ["2.40 crowns", "2.80 crowns", "3.10 crowns"]},
    ]
    stdin = "\n".join(json.dumps(line) for line in lines)
    outcome = run("ask", "-", "--jsonl", "--corpus", harbour, "--as-of", AS_OF, "--json", stdin=stdin)
    answers = [json.loads(line) for line in outcome.out.splitlines()]
    for answer in answers:
        validate(answer, "ask")
    assert [answer["id"] for answer in answers] == ["a", 2, "c"]
    assert [value["text"] for value in answers[1]["values"]] == ["Jonas Berg"]
    assert answers[2]["choice"] == "2.80 crowns"


def test_lines_of_parse_and_tag(run: Run) -> None:
    parsed = run(
        "parse", "-", "--jsonl", "--json", stdin='{"id": "q", "text": "before 2010?", "as_of": "2020-01-01"}'
    )
    validate(json.loads(parsed.out), "parse")
    assert json.loads(parsed.out)["id"] == "q"
    tagged = run("tag", "-", "--jsonl", "--json", stdin='{"id": "t", "text": "in May 2015"}')
    (expression,) = json.loads(tagged.out)["expressions"]
    validate(expression, "tag")


def test_corpora_and_doctor(run: Run, harbour: str) -> None:
    listed = json.loads(run("corpora", "list", "--json").out)["corpora"]
    assert [corpus["name"] for corpus in listed] == [harbour]
    shown = json.loads(run("corpora", "show", harbour, "--json").out)
    assert (shown["documents"], shown["chunks"], shown["health"]) == (5, 11, "fine")
    check_golden(
        "corpora-show",
        {key: shown[key] for key in ("name", "documents", "chunks", "events", "start", "last")},
    )
    doctor = run("doctor", "--json")
    checks = {check["name"]: check["health"] for check in json.loads(doctor.out)["checks"]}
    assert checks["embedder"] == checks["llama.cpp"] == f"{checks['corpus harbour']}" == "fine"
    assert doctor.code == 0
