"""Descriptions in a question that stand for somebody or something."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelens.question.hops.hop import HopKind, filled, mark, marks_in
from timelens.question.hops.hop_detection import hops_of


@pytest.mark.parametrize(
    ("question", "of", "later", "left"),
    [
        ("Who was Pope when the successor of Bo Falk took office?", "Bo Falk", True, "when ⟦A⟧ took office?"),
        ("Who led Elmton while Bo Falk's predecessor was King?", "Bo Falk", False, "while ⟦A⟧ was King?"),
        (
            "What was so while the man who came right before Bo Falk ruled?",
            "Bo Falk",
            False,
            "while ⟦A⟧ ruled?",
        ),
        ("What was so when the mayor who took office after Bo Falk died?", "Bo Falk", True, "when ⟦A⟧ died?"),
        ("What was so when the Queen who was succeeded by Bo Falk died?", "Bo Falk", False, "when ⟦A⟧ died?"),
        ("When did the station that followed Orion 3 fall?", "Orion 3", True, "When did ⟦A⟧ fall?"),
        ("Who was King when the last mayor before Bo Falk left?", "Bo Falk", False, "when ⟦A⟧ left?"),
        ("Who was King when the pope before Bo Falk left?", "Bo Falk", False, "when ⟦A⟧ left?"),
        (
            "Who was Pope during the reign of the king who succeeded Bo Falk?",
            "Bo Falk",
            True,
            "while ⟦A⟧ held office?",
        ),
    ],
)
def test_what_comes_next_to_something_is_a_hop(question: str, of: str, later: bool, left: str) -> None:
    found = hops_of(question)
    (hop,) = found.hops
    assert (hop.kind, hop.of, hop.later) == (HopKind.NEIGHBOUR, of, later)
    assert found.question.endswith(left)


@pytest.mark.parametrize(
    ("question", "asks", "left"),
    [
        (
            "Take whoever was Mayor of Elmton while Bo Falk was King: who was Pope during that term?",
            "Who was Mayor of Elmton while Bo Falk was King?",
            "Who was Pope while ⟦A⟧ was Mayor of Elmton?",
        ),
        (
            "Who was Pope in the term of the Mayor of Elmton of the days when Bo Falk was King?",
            "Who was Mayor of Elmton when Bo Falk was King?",
            "Who was Pope while ⟦A⟧ was Mayor of Elmton?",
        ),
        (
            "While Bo Falk was King, somebody was Mayor of Elmton; who was Pope in that person's term?",
            "Who was Mayor of Elmton while Bo Falk was King?",
            "Who was Pope while ⟦A⟧ was Mayor of Elmton?",
        ),
        (
            "While Bo Falk was King, there was one team of Ada Lind; who was Pope as long as that lasted?",
            "Who was the team of Ada Lind while Bo Falk was King?",
            "Who was Pope while ⟦A⟧ was the team of Ada Lind?",
        ),
        (
            "Consider the Mayor of Elmton when J. R. Falk became King. Who was Pope when she took office?",
            "Who was Mayor of Elmton when J. R. Falk became King?",
            "Who was Pope when ⟦A⟧ took office?",
        ),
    ],
)
def test_who_held_something_at_the_time_of_a_clause_is_a_hop(question: str, asks: str, left: str) -> None:
    found = hops_of(question)
    assert [hop.kind for hop in found.hops] == [HopKind.HOLDER]
    assert found.hops[0].asks[0] == asks
    assert found.question == left


def test_descriptions_inside_each_other_come_innermost_first() -> None:
    found = hops_of("Who was King while the predecessor of the predecessor of Bo Falk was Mayor?")
    assert [hop.of for hop in found.hops] == ["Bo Falk", mark(1)]
    assert [hop.needs for hop in found.hops] == [(), (1,)]
    assert found.question == f"Who was King while {mark(2)} was Mayor?"


def test_what_is_asked_next_to_a_description_is_the_last_hop() -> None:
    found = hops_of("Someone was Mayor of Elmton when Bo Falk died; who followed that person as Mayor?")
    assert [hop.kind for hop in found.hops] == [HopKind.HOLDER, HopKind.NEIGHBOUR]
    assert found.asks_for_last


@pytest.mark.parametrize(
    "question",
    [
        "Who was the successor of Bo Falk?",  # asked for itself
        "Who was Mayor of Elmton while Bo Falk was King?",
        "In the time when Bo Falk was King, who was Mayor of Elmton?",
        "Who was the first mayor of Elmton after 1998?",
        "Who was the chair of the Law of the Sea after Bo Falk?",
        "Who was mayor when the president who took office after January 2009 died?",
        "What did they do in the year after Bo Falk?",
        "After the previous mayor stepped down who replaced them?",
        "Who was Pope in the term of ⟦B⟧ when the successor of Bo Falk left?",  # no marks of ours
        "",
    ],
)
def test_a_question_that_names_everything_has_no_hop(question: str) -> None:
    assert hops_of(question).hops == ()
    assert hops_of(question).question == question


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_any_text_is_read_and_hops_hang_only_on_earlier_ones(text: str) -> None:
    found = hops_of(f"Who was King when the successor of Bo Falk {text}")
    for hop in found.hops:
        assert all(number < hop.number for number in hop.needs)
    names = {hop.number: "Ada Lind" for hop in found.hops}
    assert set(marks_in(filled(found.question, names))) <= set(marks_in(text))
