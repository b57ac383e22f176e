"""Perturbed questions: every relation and condition, and the answer that stays."""

import json
import re
import shutil
from itertools import product
from pathlib import Path

import pytest
from bench.conftest import records
from bench.make.conftest import bytes_of, write_tables

from timelens.bench import beir
from timelens.bench.make.check import check
from timelens.bench.make.made_folder import WrongError
from timelens.bench.make.temporal_dependencies import Options
from timelens.bench.make.temprageval import CONDITIONS, make
from timelens.errors import BadInputError
from timelens.temporal.constraints import Relation


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("temprageval")
    make(Options([write_tables(folder)], limit=165), folder / "out")
    return folder / "out"


def test_every_relation_goes_with_every_condition(made: Path) -> None:
    asked = [record for record in records(made / "queries.jsonl") if record["time_relation"]]
    pairs = {(record["kind"], record["implicit_condition"]) for record in asked}
    assert pairs == {(relation.value, condition) for relation, condition in product(Relation, CONDITIONS)}
    for record in asked:
        words = record["text"].lower()
        first = record["time_relation"].split()[0]
        assert first in words
        assert record["implicit_condition"] in {"none", *words.split()}


def test_a_perturbed_question_keeps_the_answer_of_its_original(made: Path) -> None:
    asked = {record["_id"]: record for record in records(made / "queries.jsonl")}
    perturbed = [record for record in asked.values() if record["time_relation"]]
    assert all(asked[record["base_id"]]["answers"] == record["answers"] for record in perturbed)
    assert all(asked[record["base_id"]]["time_relation"] == "" for record in perturbed)


def test_dates_of_the_fact_itself_are_avoided(made: Path) -> None:
    asked = [record for record in records(made / "queries.jsonl") if record["time_relation"]]
    plain = [record for record in asked if record["kind"] in {"before", "after", "as_of", "since", "by"}]
    for record in plain:
        assert record["exact"] == 0
        years = set(re.findall(r"\d{4}", record["text"]))
        assert years
        assert not years & set(re.findall(r"\d{4}", record["gold_evidences"][0]))


def test_it_is_a_beir_folder_and_has_the_official_fields(made: Path) -> None:
    data = beir.load(made)
    for query in data.queries:
        (document,) = data.gold[query.id].relevant
        assert data.gold[query.id].answers[0] in (data.texts or {})[document]
    names = {"id", "question", "answers", "gold_evidences", "time_relation", "exact", "source"}
    assert all(set(record) == names for record in records(made / "temprageval.jsonl"))


def test_one_seed_one_folder(tables: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make(Options([tables], seed=seed, limit=55), tmp_path / name)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert bytes_of(tmp_path / "a")["queries.jsonl"] != bytes_of(tmp_path / "c")["queries.jsonl"]


@pytest.mark.parametrize("relation", [relation.value for relation in Relation])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_checker_sees_a_fact_that_comes_between(
    relation: str, condition: str, made: Path, tmp_path: Path
) -> None:
    """Where another ruler of the same post is put beside the right one, the answer is no longer alone."""
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    facts = {record["fact_id"]: record for record in records(made / "facts.jsonl")}
    query = next(
        record
        for record in records(made / "queries.jsonl")
        if (record["kind"], record["implicit_condition"]) == (relation, condition)
    )
    rival = {**facts[query["gold_document"]], "fact_id": "rival", "value": "Rival"}
    (made / "facts.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in [*facts.values(), rival])
    )
    with pytest.raises(WrongError, match="its facts are"):
        check(made)


def test_the_checker_sees_another_answer(made: Path, tmp_path: Path) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    asked = records(made / "queries.jsonl")
    asked[-1]["answers"] = ["Nobody"]
    (made / "queries.jsonl").write_text("".join(json.dumps(record) + "\n" for record in asked))
    with pytest.raises(WrongError, match="its answer is"):
        check(made)


def test_facts_that_never_change_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("Country,Role,Name,Start,End\nArcadia,King,Ivo,1990,1995\n")
    with pytest.raises(BadInputError, match="keeps its answer"):
        make(Options([tmp_path / "x.csv"], dependencies=["Country -> Name"]), tmp_path / "out")
