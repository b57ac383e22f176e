"""Whether a time lies before or after the day of writing, by the words of its sentence."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal import ahead_model
from timelens.temporal.ahead_model import features, log_odds
from timelens.temporal.calendar import parse_day
from timelens.temporal.expressions import find_expressions

WRITTEN = Path(__file__).parents[3] / "scripts" / "ahead"


def rows(name: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, (WRITTEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())


def test_most_dates_without_a_year_by_another_writer_get_the_right_one() -> None:
    right = [
        any(
            found.interval is not None
            and parse_day(row["first"]) in (found.interval.start, found.interval.end)
            for found in find_expressions(row["text"], parse_day(row["written"]))
        )
        for row in rows("dates_scored")
    ]
    assert sum(right) >= 0.79 * len(right), sum(right)


@pytest.mark.parametrize(
    ("name", "kind", "least"),
    [
        ("others_scored", "W", 0.89),
        ("others_scored", "N", 0.82),
        ("short_scored", "W", 0.9),
        ("short_scored", "N", 0.75),
    ],
)
def test_most_weekdays_and_lengths_are_told(name: str, kind: str, least: float) -> None:
    of_kind = {"W": ahead_model.WEEKDAY, "N": ahead_model.LENGTH}[kind]
    right = []
    for row in rows(name):
        if row.get("kind") == kind:
            start = row["text"].index(row["words"])
            odds = log_odds(row["text"], start, start + len(row["words"]), of_kind)
            right.append((odds > 0) == row["ahead"])
    assert sum(right) >= least * len(right), sum(right)


@pytest.mark.parametrize(
    ("behind", "ahead"),
    [
        ("She left us in March.", "She will leave us in March."),
        ("It was shut at Christmas.", "It will be shut at Christmas."),
        ("The price rose on 1 May.", "The price rises on 1 May."),
    ],
)
def test_the_verb_decides(behind: str, ahead: str) -> None:
    def start(text: str) -> int:
        (found,) = find_expressions(text, parse_day("2015-10-01"))
        assert found.interval is not None
        return int(found.interval.bounds[0])

    assert start(behind) <= parse_day("2015-10-01") < start(ahead)


@pytest.mark.parametrize(
    "text",
    ["It is the biggest crowd in seven years.", "This is the third secretary in four years."],
)
def test_what_a_superlative_compares_lies_behind(text: str) -> None:
    (found,) = find_expressions(text, parse_day("2015-10-01"))
    assert found.interval is None


@given(st.floats(0, 366), st.floats(0, 366))
def test_the_nearer_one_is_likelier(behind: float, ahead: float) -> None:
    odds = ahead_model.distance_odds(behind, ahead)
    assert odds == pytest.approx(-ahead_model.distance_odds(ahead, behind))
    assert (odds > 0) == (ahead < behind) or odds == pytest.approx(0)


@given(st.text(max_size=40))
def test_only_the_sentence_counts(before: str) -> None:
    text = f"{before}. We met on Friday."
    start = text.rindex("Friday")
    assert features(text, start, start + 6) == features("We met on Friday.", 10, 16)


def test_the_weights_are_few() -> None:
    file = Path(ahead_model.__file__).with_name("ahead_model.json")
    assert file.stat().st_size < 80_000
    assert json.loads(file.read_text(encoding="utf-8"))["b will"] > 0
