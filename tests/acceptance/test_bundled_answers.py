"""The questions that come with the bundled corpora, answered without a model."""

import json
from pathlib import Path

import pytest

from timelens.answer.model import Status
from timelens.api import open_corpus
from timelens.bench.measures import states
from timelens.temporal.calendar import parse_day

CORPORA = Path(__file__).parents[2] / "corpora"
TODAY = "2026-11-20"

# Shares that were measured on 20 November 2026, less what one or two questions make up.
RIGHT = {"leaders": 97, "policy-rates": 80, "privacy-law": 83, "spaceflight": 87}
CITED_FIRST = {"leaders": 97, "policy-rates": 80, "privacy-law": 76, "spaceflight": 80}


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_the_questions_of_a_bundled_corpus_are_answered(name: str, tmp_path: Path) -> None:
    corpus = open_corpus(str(tmp_path / name))
    corpus.ingest([CORPORA / name / "documents"])
    lines = (CORPORA / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    wrong, cited, with_evidence = [], 0, 0
    for question in questions:
        answer = corpus.ask(question["question"], as_of=parse_day(question.get("as_of") or TODAY))
        said = " ".join([answer.text, *(value.text for value in answer.values)])
        if question["answers"]:
            right = any(states(said, gold) for gold in question["answers"])
            with_evidence += 1
            first = answer.citations[0].hit.chunk.document_id if answer.citations else None
            cited += first in question["gold_documents"]
        else:
            right = answer.status is Status.NO_ANSWER
        if not right:
            wrong.append(question["question"])
    assert 100 * (1 - len(wrong) / len(questions)) >= RIGHT[name], wrong
    assert 100 * cited / with_evidence >= CITED_FIRST[name]
