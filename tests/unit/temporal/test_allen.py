from hypothesis import assume, given
from hypothesis import strategies as st

from timelens.temporal.allen import Allen, allen
from timelens.temporal.interval import Interval

ends = st.none() | st.integers(-6, 6)


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


def test_half_lines_meet_at_their_infinities() -> None:
    assert allen(Interval(None, 5), Interval(None, 7)) is Allen.START
    assert allen(Interval(5, None), Interval(None, 5)) is Allen.MET_BY
    assert allen(Interval(None, None), Interval(3, None)) is Allen.FINISHED_BY
