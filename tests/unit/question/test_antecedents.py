"""Descriptions that stand in a sentence of their own, or behind the verb of the question."""

import pytest

from timelens.question.hops.hop import HopKind
from timelens.question.hops.hop_detection import hops_of


@pytest.mark.parametrize(
    ("question", "kinds", "left"),
    [
        (
            "Whom had the mayor of Elmton replaced who was in office when Ada Lind was elected?",
            [HopKind.HOLDER, HopKind.NEIGHBOUR],
            "Who was ⟦B⟧?",
        ),
        (
            "Take whoever was mayor when Ada resigned. Who followed that person in the job, and when?",
            [HopKind.HOLDER, HopKind.NEIGHBOUR],
            "Who was ⟦B⟧?",
        ),
        (
            "The scheme brought down by Ada's first case was replaced. How long did its replacement last?",
            [HopKind.TOLD, HopKind.NEIGHBOUR],
            "How long did ⟦B⟧ last?",
        ),
        (
            "Open Harbour fell and another scheme came. On what day was its replacement annulled?",
            [HopKind.NEIGHBOUR],
            "On what day was ⟦A⟧ annulled?",
        ),
    ],
)
def test_what_points_back_stands_for_what_was_introduced(
    question: str, kinds: list[HopKind], left: str
) -> None:
    hops = hops_of(question)
    assert [hop.kind for hop in hops.hops] == kinds
    assert hops.question == left


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("Whom had the mayor of Elmton replaced who was in office when Ada Lind was elected?", False),
        ("By whom was the mayor of Elmton succeeded who was in office when Ada Lind was elected?", True),
    ],
)
def test_the_verb_tells_on_which_side_the_neighbour_is(question: str, later: bool) -> None:
    assert hops_of(question).hops[-1].later is later


def test_a_name_of_which_no_kin_is_asked_is_left_as_it_is() -> None:
    question = "Open Harbour fell in 2015. When was its treaty signed?"
    assert hops_of(question).question == question
