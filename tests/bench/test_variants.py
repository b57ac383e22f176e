"""Questions in other words: variants by their time, and reformulations from a folder."""

import json
from pathlib import Path

import pytest
from bench.conftest import Bench, write_beir, write_lines

from timelens.bench import beir
from timelens.bench.date_shift import summed
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Gold
from timelens.bench.variants import in_words_of
from timelens.errors import BadInputError, MissingError


@pytest.mark.parametrize(
    ("name", "texts", "left_out"),
    [
        ("baseline", {"q1": "What did the council do to the ferry fare in June 2015?"}, {}),
        ("strip", {"q1": "What did the council do to the ferry fare?"}, {}),
        ("temporal-only", {"q1": "in June 2015", "q2": "as of May 2018"}, {"states no time": 3}),
        (
            "normalised",
            {"q1": "What did the council do to the ferry fare in June 2015? [ANCHORS=[June 2015]]"},
            {},
        ),
    ],
)
def test_a_variant_changes_the_words_alone(
    tmp_path: Path, name: str, texts: dict[str, str], left_out: dict[str, int]
) -> None:
    data = beir.load(write_beir(tmp_path / "in"))
    found = in_words_of(data, name, tmp_path / "in", None, 0)
    asked = {query.id: query.text for query in found.queries}
    assert asked | texts == asked
    assert (found.excluded, len(asked)) == (left_out, 5 - sum(left_out.values()))
    assert [query.as_of for query in found.queries] == [q.as_of for q in data.queries if q.id in asked]
    assert (found.gold, found.documents_hash) == (data.gold, data.documents_hash)
    assert (found.hash == data.hash) == (name == "baseline")


@pytest.mark.parametrize(
    ("limit", "asked", "left_out"), [(1, ["q1"], 0), (2, ["q1", "q2"], 0), (3, ["q1", "q2"], 3)]
)
def test_a_limit_counts_the_questions_that_a_variant_leaves(
    tmp_path: Path, limit: int, asked: list[str], left_out: int
) -> None:
    data = beir.load(write_beir(tmp_path / "in"))
    found = in_words_of(data, "temporal-only", tmp_path / "in", None, 0, limit=limit)
    assert [query.id for query in found.queries][:limit] == asked
    assert sum(found.excluded.values()) == left_out


def test_a_run_says_in_what_words_it_asked(bench: Bench, beir: Path, tmp_path: Path) -> None:
    outcome, summary = bench("beir", beir, tmp_path / "run", "--query", "temporal-only")
    assert outcome.code == 0, outcome.err
    assert (summary["query"], summary["excluded"]["states no time"]) == ("temporal-only", 3)
    assert json.loads((tmp_path / "run" / "config.json").read_text())["query"] == "temporal-only"
    refused, _ = bench("beir", beir, tmp_path / "run", "--query", "strip", "--resume")
    assert (refused.code, "was made with a different" in refused.err) == (2, True)


def test_reformulations_come_from_a_folder_of_their_name(bench: Bench, beir: Path, tmp_path: Path) -> None:
    (beir / "gpt4o_reason").mkdir()
    write_lines(beir / "gpt4o_reason" / "queries.jsonl", [{"id": "q3", "query": "Sten Holm, pier, oak"}])
    outcome, summary = bench("beir", beir, tmp_path / "run", "--query", "gpt4o_reason", "--k", "1")
    assert outcome.code == 0, outcome.err
    assert (summary["n"], summary["metrics"]["nDCG@1"]) == (1, 100)
    assert summary["excluded"] == {"no reformulation gpt4o_reason": 4}


def test_judges_see_the_question_as_it_was(bench: Bench, beir: Path, tmp_path: Path) -> None:
    asked = [{"_id": "q1", "text": "How has the ferry fare changed since 2014?"}]
    write_lines(beir / "queries.jsonl", asked)
    (beir / "plain").mkdir()
    write_lines(beir / "plain" / "queries.jsonl", [{"id": "q1", "query": "ferry fare"}])
    judged = ("--judge", "rules", "--k", "3")
    _, as_it_is = bench("beir", beir, tmp_path / "one", *judged)
    _, worded = bench("beir", beir, tmp_path / "two", *judged, "--query", "plain")
    assert "TC@3" in as_it_is["metrics"]
    assert as_it_is["judge"]["questions"] == worded["judge"]["questions"] == 1
    assert "TC@3" in worded["metrics"]


@pytest.mark.parametrize("name", ["strips", "../in", ".", ""])
def test_what_is_neither_is_refused(tmp_path: Path, name: str) -> None:
    folder = write_beir(tmp_path / "in")
    with pytest.raises(MissingError, match="no query variant"):
        in_words_of(beir.load(folder), name, folder, None, 0)


def test_a_reformulation_without_words_or_for_no_question_is_refused(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "in")
    (folder / "other").mkdir()
    path = folder / "other" / "queries.jsonl"
    for line, message in (({"id": "q1"}, "no id or no query"), ({"id": "x", "query": "?"}, "no question")):
        write_lines(path, [line])
        with pytest.raises(BadInputError, match=message):
            in_words_of(beir.load(folder), "other", folder, None, 0)


def test_steps_have_no_variants(bench: Bench, beir: Path, tmp_path: Path) -> None:
    refused, _ = bench("beir", beir, tmp_path / "run", "--query", "strip", "--task", "step-only")
    assert (refused.code, "step-only" in refused.err) == (2, True)


def test_copies_are_counted_among_as_many_as_are_admitted() -> None:
    copies = {"a-1": -1.0, "a+0": 0.0, "a+1": 1.0}
    gold = {
        "one": Gold({"a-1": 1, "other": 1}, kind="before", copies=copies),
        "two": Gold({"a-1": 1}, kind="before", copies=copies),
        "none": Gold({"x": 1}, kind="before"),
        "every": Gold(dict.fromkeys(copies, 1), kind="plain", copies=copies),
    }
    results = [
        Result("one", "before", ranking=("other", "a-1", "a+0")),
        Result("two", "before", ranking=("a+1", "a-1")),
        Result("none", "before", ranking=("x",)),
        Result("every", "plain", ranking=("a-1",)),
    ]
    assert summed(results, gold) == {
        "shift": {"before": {"n": 2, "copies": {"-1": 50.0, "0": 0.0, "1": 50.0}}}
    }
    assert summed(results[2:], gold) == {}
