"""Questions for several dated statements or for one, by two people whose questions were only scored.

Neither knew the rules or the sentences that the network learned from. The first figures stand in
docs/answers.md.
"""

import json
from pathlib import Path

import pytest

from timelens.question.parse import parse
from timelens.temporal.calendar import parse_day

SETS = Path(__file__).parent / "question_classes"
NOW = parse_day("2026-11-28")

# Shares that were measured on 28 November 2026, less what two or three questions make up.
LEAST = {"records": (0.9, 0.885), "people": (0.865, 0.925)}


@pytest.mark.parametrize("name", LEAST)
def test_most_questions_are_told_apart(name: str) -> None:
    asked = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text().splitlines()]
    several, one = (
        [parse(row["question"], NOW).is_point for row in asked if row["class"] == kind]
        for kind in ("several", "one")
    )
    assert len(several) == len(one) >= 100
    assert 1 - sum(several) / len(several) >= LEAST[name][0]
    assert sum(one) / len(one) >= LEAST[name][1]
