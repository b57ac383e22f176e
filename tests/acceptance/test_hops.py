"""Questions that take two or three hops, over all bundled corpora in one, with events in texts and tables.

Each names an event in the place of a time, or tells a thing apart by one; ``event`` is when it was.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from made_corpora import corpus_of_all

from timelens.answer.draft import Status
from timelens.bench.measures import states
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

CORPORA = Path(__file__).parents[2] / "corpora"
QUESTIONS = [
    json.loads(line) for line in Path(__file__).with_name("hops.jsonl").read_text("utf-8").splitlines()
]
TODAY = parse_day("2026-11-20")

# Those that were right in November 2026, of all and of every third, less one where more than half are.
RIGHT = {
    1: {"text to text": 6, "text to table": 13, "table to text": 3, "by hop": 5, "refused": 8},
    3: {"text to text": 2, "text to table": 4, "table to text": 1, "by hop": 1, "refused": 2},
}


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of_all(tmp_path_factory, "together", *sorted(CORPORA.glob("*/documents")))


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.long), 3])
def test_questions_of_several_hops_are_answered(every: int, together: Corpus) -> None:
    right = Counter[str]()
    for question in QUESTIONS[::every]:
        answer = together.ask(question["question"], as_of=TODAY)
        if question["answers"]:
            value = answer.values[0].text if len(answer.values) == 1 else ""
            is_right = any(states(value, gold) for gold in question["answers"])
        else:
            is_right = answer.status is Status.NO_ANSWER
        right[question["kind"]] += is_right
    least = RIGHT[every]
    assert {kind: right[kind] >= count for kind, count in least.items()} == dict.fromkeys(least, True), right
