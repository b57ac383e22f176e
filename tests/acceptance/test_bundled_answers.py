"""The questions that come with the bundled corpora, answered without a model."""

import json
from pathlib import Path

import pytest
from made_corpora import corpus_of_all

from timelens.answer.draft import Status
from timelens.bench.measures import states
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

CORPORA = Path(__file__).parents[2] / "corpora"
TODAY = "2026-11-20"

# Shares that were measured in November 2026, of all questions and of every third, less what one or two
# questions make up. What is named as nearest counts as told, and cites nothing. Two questions of leaders name
# an office by the house that comes with it, which no rule knows.
RIGHT = {
    1: {"leaders": 97, "policy-rates": 87, "privacy-law": 88, "spaceflight": 90},
    3: {"leaders": 93, "policy-rates": 83, "privacy-law": 88, "spaceflight": 82},
}
CITED_FIRST = {
    1: {"leaders": 97, "policy-rates": 72, "privacy-law": 72, "spaceflight": 72},
    3: {"leaders": 93, "policy-rates": 70, "privacy-law": 70, "spaceflight": 68},
}
RIGHT_IN_TALK = {
    1: {"leaders": 83, "policy-rates": 85, "privacy-law": 74, "spaceflight": 71},
    3: {"leaders": 63, "policy-rates": 80, "privacy-law": 63, "spaceflight": 90},
}
CITED_FIRST_IN_TALK = {
    1: {"leaders": 84, "policy-rates": 53, "privacy-law": 62, "spaceflight": 46},
    3: {"leaders": 62, "policy-rates": 57, "privacy-law": 55, "spaceflight": 77},
}

ALL_OR_A_THIRD = pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.long), 3])


@pytest.fixture
def bundled(name: str, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The bundled corpus called ``name``."""
    return corpus_of_all(tmp_path_factory, name, CORPORA / name / "documents")


@ALL_OR_A_THIRD
@pytest.mark.parametrize("name", sorted(RIGHT[1]))
def test_the_questions_of_a_bundled_corpus_are_answered(name: str, every: int, bundled: Corpus) -> None:
    right, cited = asked(bundled, CORPORA / name / "questions.jsonl", every)
    least = RIGHT[every][name], CITED_FIRST[every][name]
    assert (right >= least[0], cited >= least[1]) == (True, True), (right, cited)


@ALL_OR_A_THIRD
@pytest.mark.parametrize("name", sorted(RIGHT_IN_TALK[1]))
def test_questions_the_way_people_talk_are_answered(name: str, every: int, bundled: Corpus) -> None:
    right, cited = asked(bundled, CORPORA / name / "conversational.jsonl", every)
    least = RIGHT_IN_TALK[every][name], CITED_FIRST_IN_TALK[every][name]
    assert (right >= least[0], cited >= least[1]) == (True, True), (right, cited)


def asked(corpus: Corpus, questions: Path, every: int) -> tuple[float, float]:
    """The shares, in percent, that are answered right, and that cite the right evidence first.

    Of ``every`` n questions, the first is asked.
    """
    outcomes, cited = [], []
    for question in map(json.loads, questions.read_text(encoding="utf-8").splitlines()[::every]):
        day = parse_day(question.get("as_of") or TODAY)
        turn = None
        for text in [*question.get("follows", []), question["question"]]:
            answer = corpus.ask(text, as_of=day, after=turn)
            turn = answer.turn
        said = " ".join([answer.text, *(value.text for value in answer.values)])
        if question["answers"]:
            outcomes.append(any(states(said, gold) for gold in question["answers"]))
            first = answer.citations[0].hit.chunk.document_id if answer.citations else None
            cited.append(first in question["gold_documents"])
        else:
            outcomes.append(answer.status is Status.NO_ANSWER)
    return 100 * sum(outcomes) / len(outcomes), 100 * sum(cited) / len(cited)
