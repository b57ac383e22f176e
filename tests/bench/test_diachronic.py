"""The suite ``diachronic``: how it is read, asked, and its answers scored."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import Bench
from bench.made_diachronic import QUESTIONS, write_corpus
from cli.conftest import Run
from hypothesis import given
from hypothesis import strategies as st

from timelens.bench import diachronic
from timelens.bench.diachronic_measures import OF_DIACHRONIC, verdict
from timelens.bench.measures import Outcome
from timelens.bench.suite_data import Fact, Gold, Query
from timelens.bench.suite_fields import sound
from timelens.errors import BadInputError, MissingError
from timelens.temporal.calendar import day_number

Facts = tuple[Fact, ...]

CORPORA = Path(__file__).parents[2] / "corpora"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "bridge")


def test_the_folder_is_read_as_questions_and_gold(corpus: Path) -> None:
    data = diachronic.load(corpus)
    assert [query.id for query in data.queries] == ["c1", "p1", "n1", "r1"]
    assert data.queries[0] == Query("c1", str(QUESTIONS[0]["question"]))
    assert data.queries[1].as_of == day_number(2013, 1, 1)
    assert data.gold["c1"] == Gold(
        relevant={"toll-2004.md": 1, "toll-2011.md": 1},
        kind="comparison",
        periods=(frozenset({"toll-2004.md"}), frozenset({"toll-2011.md"})),
        facts=((("0.5", "0.50"), ("2004",)), (("1.5", "1.50"), ("2011",))),
        ruled_out=("ferry",),
        groups={"part": "look"},
    )
    assert (data.gold["r1"].facts, data.gold["r1"].relevant) == ((), {})
    assert data.notes == ()


def test_the_questions_do_not_change_the_corpus_that_is_made_of_the_documents(tmp_path: Path) -> None:
    whole, one = (
        diachronic.load(write_corpus(tmp_path / name, asked))
        for name, asked in (("a", QUESTIONS), ("b", QUESTIONS[:1]))
    )
    assert whole.documents_hash == one.documents_hash
    assert whole.hash != one.hash


def changed(**fields: object) -> list[dict[str, Any]]:
    return [{**QUESTIONS[0], **fields}]


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        ([], "holds no question"),
        ([*QUESTIONS, QUESTIONS[0]], "has the id c1 twice"),
        (changed(question=" "), "line 1 has no question"),
        (changed(id=[7]), "line 1 has no id"),
        (changed(kind="opinion"), "there is no kind 'opinion'"),
        (changed(part="both"), "there is no part 'both'"),
        (changed(facts=[]), "the kind comparison has no facts"),
        (changed(kind="refusal"), "the kind refusal has facts"),
        (changed(facts="0.5"), "facts is not a list"),
        (changed(facts=["0.5"]), "facts is not a list"),
        (changed(facts=[["0.5"]]), "facts is not a list"),
        (changed(facts=[[]]), "states nothing"),
        (changed(facts=[[["0.5"], []]]), "states nothing"),
        (changed(facts=[[[0.5]]]), "not text"),
        (changed(wrong="ferry"), "wrong is not a list"),
        (changed(wrong=[""]), "not text"),
        (changed(as_of="soon"), "as_of"),
        (changed(periods={}), "periods is not a list"),
        (changed(periods=["2004"]), "a period is not a record"),
        (changed(periods=[{"start": "2004-13-01"}]), "periods"),
        (changed(periods=[{"start": "2004-01-01", "end": "2004-01-01"}]), "ends before it starts"),
        (changed(periods=[{"gold_documents": "toll-2004.md"}]), "gold_documents is not a list"),
    ],
)
def test_a_question_that_cannot_be_scored_is_named(
    questions: list[dict[str, Any]], said: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInputError) as told:
        diachronic.load(write_corpus(tmp_path / "bad", questions))
    assert said in told.value.message
    assert told.value.hint


def test_what_is_missing_is_named_and_gold_that_is_no_file_is_told(corpus: Path, tmp_path: Path) -> None:
    gone = write_corpus(tmp_path / "g", changed(periods=[{"gold_documents": ["ferry.md", "gone.md"]}]))
    noted = sound(diachronic.load(gone), gone).notes
    assert noted == ("gold documents that are not among the documents: 1 (first: gone.md of c1)",)
    (corpus / "diachronic.jsonl").unlink()
    with pytest.raises(MissingError, match=r"no diachronic\.jsonl"):
        diachronic.load(corpus)


def test_the_questions_of_bundled_corpora_are_sound() -> None:
    notes = {
        path.parent.name: sound(diachronic.load(path.parent), path.parent).notes
        for path in CORPORA.glob("*/diachronic.jsonl")
    }
    assert not any(notes.values()), notes


TOLLS = ((("0.5", "0.50"), ("2004",)), (("1.5",), ("2011",)))


@pytest.mark.parametrize(
    ("lines", "facts", "ruled_out", "found"),
    [
        # every fact, each in one line
        (["In 2004: 0.5 crowns.", "In 2011: 1.5 crowns."], TOLLS, (), "right"),
        (["0.50 in 2004, 1.5 in 2011"], TOLLS, (), "right"),
        (["Tolls:", "", "1.5 (2011)", "0.5 (2004)", "That is 1.0 more."], TOLLS, (), "right"),
        # a fact is missing, or its parts stand in different lines
        (["In 2004: 0.5 crowns."], TOLLS, (), "wrong"),
        (["In 2004:", "0.5 crowns.", "In 2011: 1.5 crowns."], TOLLS, (), "wrong"),
        (["In 2004: 10.5 crowns.", "In 2011: 1.5 crowns."], TOLLS, (), "wrong"),
        (["In 2004: -0.5 crowns.", "In 2011: 1.5 crowns."], TOLLS, (), "wrong"),
        ([], TOLLS, (), "wrong"),
        # something that stands in no right answer
        (["In 2004: 0.5", "In 2011: 1.5, by ferry"], TOLLS, ("ferry",), "wrong"),
        (["In 2004: 0.5", "In 2011: 1.5, by ferryman"], TOLLS, ("ferry",), "right"),
        (["In 2004: 0.5", "In 2011: 1.5"], TOLLS, ("ferry", "2.5"), "right"),
        # an answer where there is none
        (["Tulips rose."], (), (), "wrong"),
        ([], (), (), "wrong"),
        # a refusal
        (None, TOLLS, (), "refused"),
        (None, TOLLS, ("ferry",), "refused"),
        (None, (), (), "right"),
        # nothing to score by
        (["Tulips rose."], None, (), None),
        (None, None, (), None),
    ],
)
def test_what_an_answer_comes_to(
    lines: list[str] | None, facts: Facts | None, ruled_out: tuple[str, ...], found: str | None
) -> None:
    gold = Gold({}, facts=facts, ruled_out=ruled_out)
    outcome = Outcome((), (), "", lines=tuple(lines or ()), refused=lines is None)
    assert verdict(outcome, gold) == found
    scores = {measure.name: measure.score(outcome, gold) for measure in OF_DIACHRONIC}
    names = ("Right", "Wrong", "Refused")
    assert scores == {name: None if found is None else float(name.lower() == found) for name in names}


def test_without_an_answerer_there_is_nothing_to_score() -> None:
    assert verdict(Outcome(("toll-2004.md",), ()), Gold({}, facts=TOLLS)) is None


def test_what_a_refusal_names_as_nearest_does_not_count() -> None:
    outcome = Outcome((), (), "", lines=("In 2004: 0.5", "In 2011: 1.5"), refused=True)
    assert verdict(outcome, Gold({}, facts=TOLLS)) == "refused"


words = st.lists(st.sampled_from(["toll", "0.5", "2004", "-0.5", "10.5", "ferry"]), max_size=6).map(" ".join)
facts = st.lists(
    st.lists(st.lists(words.filter(bool), min_size=1, max_size=2).map(tuple), min_size=1, max_size=2).map(
        tuple
    ),
    max_size=2,
).map(tuple)


@given(st.lists(words, max_size=3), facts, st.booleans(), st.lists(words, max_size=1))
def test_right_wrong_and_refused_add_up(
    lines: list[str], stated: Facts, refused: bool, ruled_out: list[str]
) -> None:
    outcome = Outcome((), (), "", lines=tuple(lines), refused=refused)
    gold = Gold({}, facts=stated, ruled_out=tuple(ruled_out))
    assert sum(measure.score(outcome, gold) or 0 for measure in OF_DIACHRONIC) == 1


def test_a_run_scores_what_was_found_and_answered(
    corpus: Path, bench: Bench, tmp_path: Path, run: Run
) -> None:
    outcome, summary = bench("diachronic", corpus, tmp_path / "run", "--answerer", "extractive", "--k", "1,3")
    assert outcome.code == 0, outcome.err
    metrics, groups = summary["metrics"], summary["groups"]
    assert metrics["Right"] + metrics["Wrong"] + metrics["Refused"] == pytest.approx(100)
    assert (metrics["PR@1"], metrics["PR@3"]) == (50, 100)
    assert (metrics["AllP@1"], metrics["AllP@3"]) == (0, 100)
    assert (summary["defined"]["PR@3"], summary["defined"]["nDCG@3"]) == (2, 3)
    assert "A" not in metrics
    assert {name: group["n"] for name, group in groups["part"].items()} == {"look": 2, "score": 2}
    assert set(groups["kind"]) == {"comparison", "nested", "periods", "refusal"}
    assert groups["kind"]["refusal"]["Refused"] == 0
    shown = run("bench", "report", tmp_path / "run")
    assert "Right by part" in shown.out
    heading = next(line for line in shown.out.splitlines() if line.startswith("run "))
    assert {"PR@3", "AllP@3", "Right", "Wrong", "Refused"} <= set(heading.split())


def test_no_more_than_the_text_and_the_day_reach_the_search(
    corpus: Path, bench: Bench, tmp_path: Path
) -> None:
    asked = {"id", "question", "kind", "as_of", "facts"}
    bare = [{name: question[name] for name in question.keys() & asked} for question in QUESTIONS]
    without = write_corpus(tmp_path / "bare", bare)
    for folder, out in ((corpus, "whole"), (without, "without")):
        bench("diachronic", folder, tmp_path / out, "--answerer", "extractive", "--k", "3")
    found = [
        [
            (record["id"], record["ranking"], record["answer"])
            for record in map(json.loads, (tmp_path / out / "results.jsonl").read_text().splitlines())
        ]
        for out in ("whole", "without")
    ]
    assert found[0] == found[1]
    assert len(found[0]) == len(QUESTIONS)
