from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from timelens.temporal.allen import Allen, allen, compose, inverse
from timelens.temporal.interval import Interval

ends = st.none() | st.integers(-6, 6)
relations = st.sampled_from(list(Allen))


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    start, end = draw(ends), draw(ends)
    assume(start is None or end is None or start < end)
    return Interval(start, end)


def definition(relation: Allen, a: Interval, b: Interval) -> bool:
    """Allen's own definitions on the four endpoints, written out (CACM 26(11), figure 2)."""
    (a1, a2), (b1, b2) = a.bounds, b.bounds
    return {
        Allen.BEFORE: a2 < b1,
        Allen.MEET: a2 == b1,
        Allen.OVERLAP: a1 < b1 < a2 < b2,
        Allen.START: a1 == b1 and a2 < b2,
        Allen.DURING: b1 < a1 and a2 < b2,
        Allen.FINISH: b1 < a1 and a2 == b2,
        Allen.EQUAL: a1 == b1 and a2 == b2,
        Allen.FINISHED_BY: a1 < b1 and a2 == b2,
        Allen.CONTAIN: a1 < b1 and b2 < a2,
        Allen.STARTED_BY: a1 == b1 and b2 < a2,
        Allen.OVERLAPPED_BY: b1 < a1 < b2 < a2,
        Allen.MET_BY: b2 == a1,
        Allen.AFTER: b2 < a1,
    }[relation]


@given(intervals(), intervals())
def test_exactly_one_relation_holds(a: Interval, b: Interval) -> None:
    assert [relation for relation in Allen if definition(relation, a, b)] == [allen(a, b)]


@given(intervals(), intervals())
def test_the_inverse_holds_the_other_way_round(a: Interval, b: Interval) -> None:
    assert allen(b, a) is inverse(allen(a, b))


@given(relations)
def test_the_inverse_is_an_involution_and_only_equal_is_its_own(relation: Allen) -> None:
    assert inverse(inverse(relation)) is relation
    assert (inverse(relation) is relation) == (relation is Allen.EQUAL)


@given(intervals(), intervals(), intervals())
def test_composition_is_sound(a: Interval, b: Interval, c: Interval) -> None:
    assert allen(a, c) in compose(allen(a, b), allen(b, c))


@given(relations, relations)
def test_composition_has_a_converse(first: Allen, second: Allen) -> None:
    assert {inverse(relation) for relation in compose(first, second)} == compose(
        inverse(second), inverse(first)
    )


@given(relations)
def test_equal_is_neutral(relation: Allen) -> None:
    assert compose(Allen.EQUAL, relation) == compose(relation, Allen.EQUAL) == {relation}


def test_the_table_is_allens() -> None:
    cells = [compose(first, second) for first, second in product(Allen, repeat=2)]
    assert len(cells) == 169
    assert sum(map(len, cells)) == 409  # the known number of entries of the full table
    assert sum(len(cell) == 1 for cell in cells) == 97
    assert {len(cell) for cell in cells} == {1, 3, 5, 9, 13}
    assert compose(Allen.BEFORE, Allen.AFTER) == compose(Allen.DURING, Allen.CONTAIN) == set(Allen)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Allen.BEFORE, Allen.BEFORE, Allen.BEFORE),
        (Allen.MEET, Allen.MEET, Allen.BEFORE),
        (Allen.BEFORE, Allen.MEET, Allen.BEFORE),
        (Allen.DURING, Allen.BEFORE, Allen.BEFORE),
        (Allen.START, Allen.DURING, Allen.DURING),
        (Allen.FINISH, Allen.START, Allen.DURING),
        (Allen.CONTAIN, Allen.STARTED_BY, Allen.CONTAIN),
        (Allen.MET_BY, Allen.FINISH, Allen.MET_BY),
    ],
)
def test_cells_with_one_relation(first: Allen, second: Allen, expected: Allen) -> None:
    assert compose(first, second) == {expected}


def test_half_lines_meet_at_their_infinities() -> None:
    assert allen(Interval(None, 5), Interval(None, 7)) is Allen.START
    assert allen(Interval(5, None), Interval(None, 5)) is Allen.MET_BY
    assert allen(Interval(None, None), Interval(3, None)) is Allen.FINISHED_BY
