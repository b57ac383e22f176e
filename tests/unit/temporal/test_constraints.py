import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal.calendar import parse_day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import Granularity, Interval, month_interval, year_interval

one_date_relations = st.sampled_from([relation for relation in Relation if not relation.takes_two_dates])


@st.composite
def dates(draw: st.DrawFn) -> Interval:
    start = draw(st.integers(-10_000, 10_000))
    return Interval(start, start + draw(st.integers(1, 1000)), draw(st.sampled_from(list(Granularity))))


@pytest.mark.parametrize(
    ("relation", "start", "end"),
    [
        (Relation.AS_OF, None, "2021-01-01"),
        (Relation.BY, None, "2021-01-01"),
        (Relation.UNTIL, None, "2021-01-01"),
        (Relation.BEFORE, None, "2020-01-01"),
        (Relation.AFTER, "2021-01-01", None),
        (Relation.SINCE, "2020-01-01", None),
        (Relation.IN, "2020-01-01", "2021-01-01"),
        (Relation.ON, "2020-01-01", "2021-01-01"),
        (Relation.AROUND, "2019-01-01", "2022-01-01"),
    ],
)
def test_one_date(relation: Relation, start: str | None, end: str | None) -> None:
    window = admitted(relation, year_interval(2020))
    assert window.start == (None if start is None else parse_day(start))
    assert window.end == (None if end is None else parse_day(end))
    assert window.granularity is Granularity.YEAR


@pytest.mark.parametrize("relation", [Relation.BETWEEN, Relation.FROM_TO])
def test_two_dates(relation: Relation) -> None:
    window = admitted(relation, month_interval(2015, 5), month_interval(2016, 1))
    assert (window.start, window.end) == (parse_day("2015-05-01"), parse_day("2016-02-01"))
    assert relation.takes_two_dates


@pytest.mark.parametrize("relation", [Relation.BETWEEN, Relation.FROM_TO])
def test_a_second_date_is_needed_and_not_before_the_first(relation: Relation) -> None:
    with pytest.raises(ValueError, match="needs two dates"):
        admitted(relation, year_interval(2020))
    with pytest.raises(ValueError, match="ends after it starts"):
        admitted(relation, year_interval(2020), year_interval(2010))


@given(dates(), dates())
def test_before_and_after_leave_the_date_out_and_every_other_relation_lets_it_in(
    date: Interval, other: Interval
) -> None:
    for relation in Relation:
        last = other if relation.takes_two_dates else None
        if last is not None and last.bounds[1] < date.bounds[1]:
            continue
        excludes = relation in (Relation.BEFORE, Relation.AFTER)
        assert admitted(relation, date, last).intersects(date) is not excludes


@given(dates(), one_date_relations)
def test_which_side_a_relation_leaves_open(date: Interval, relation: Relation) -> None:
    window = admitted(relation, date)
    up_to = (Relation.AS_OF, Relation.BY, Relation.UNTIL, Relation.BEFORE)
    assert (window.start is None) == (relation in up_to)
    assert (window.end is None) == (relation in (Relation.AFTER, Relation.SINCE))
