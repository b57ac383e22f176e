"""Log odds of candidates from their features."""

import pytest

from timelens.answer.scorecard import Scorecard, probability_of, score_of

CARD = Scorecard(-1.0, {"read": ((0.0, 0.5), (2.0, 1.5)), "far": ((1.0, -0.7),)})


@pytest.mark.parametrize(
    ("features", "score"),
    [
        ({}, -0.5),  # a missing feature is 0, which reaches the first step of "read"
        ({"read": -0.01}, -1.0),
        ({"read": 1.99}, -0.5),
        ({"read": 2.0, "far": 1.0}, -0.2),
        ({"read": 99.0, "unknown": 5.0}, 0.5),
    ],
)
def test_a_feature_adds_the_weight_of_the_highest_step_that_it_reaches(
    features: dict[str, float], score: float
) -> None:
    assert CARD.score(features) == pytest.approx(score)


def test_weights_add_up_and_unknown_features_add_nothing() -> None:
    assert score_of({"a": 2.0, "b": 1.0}, {"a": 0.5}) == pytest.approx(1.0)


def test_even_log_odds_are_a_half() -> None:
    assert probability_of(0.0) == pytest.approx(0.5)
