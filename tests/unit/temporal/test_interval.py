import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from timelens.temporal.calendar import day_number, format_day, parse_day
from timelens.temporal.interval import (
    Granularity,
    Interval,
    day_interval,
    granule,
    hull,
    month_interval,
    year_interval,
)

day_numbers = st.integers(-1_000_000, 1_000_000)
bounded_grains = st.sampled_from([grain for grain in Granularity if grain is not Granularity.ERA])


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    start = draw(st.none() | day_numbers)
    end = draw(st.none() | day_numbers)
    assume(start is None or end is None or start < end)
    return Interval(start, end, draw(st.sampled_from(list(Granularity))))


def same(first: Interval | None, second: Interval | None) -> bool:
    if first is None or second is None:
        return first is second
    return first.same_days(second)


@given(day_numbers, st.integers(0, 1000))
def test_an_empty_interval_is_refused(start: int, back: int) -> None:
    with pytest.raises(ValueError, match="ends after it starts"):
        Interval(start, start - back)


@given(intervals(), intervals())
def test_intersection_holds_the_common_days(first: Interval, second: Interval) -> None:
    common = first.intersection(second)
    assert (common is not None) == first.intersects(second) == second.intersects(first)
    assert same(common, second.intersection(first))
    if common is not None:
        assert first.contains(common)
        assert second.contains(common)
        assert common.granularity is first.granularity


@given(intervals(), intervals(), intervals())
def test_intersection_is_associative(first: Interval, second: Interval, third: Interval) -> None:
    left, right = first.intersection(second), second.intersection(third)
    assert same(left and left.intersection(third), right and first.intersection(right))


@given(intervals(), day_numbers)
def test_a_day_is_inside_or_not(interval: Interval, day: int) -> None:
    inside = interval.bounds[0] <= day < interval.bounds[1]
    assert interval.contains(day_interval(day)) == interval.intersects(day_interval(day)) == inside


@given(st.lists(intervals(), max_size=5))
def test_the_hull_is_the_shortest_that_holds_all(members: list[Interval]) -> None:
    whole = hull(members)
    if not members:
        assert whole is None
        return
    assert whole is not None
    assert all(whole.contains(member) for member in members)
    assert whole.bounds[0] in {member.bounds[0] for member in members}
    assert whole.bounds[1] in {member.bounds[1] for member in members}
    assert whole.granularity.days == max(member.granularity.days for member in members)


@given(day_numbers, bounded_grains)
def test_granules_tile_the_calendar(day: int, grain: Granularity) -> None:
    unit = granule(day, grain)
    assert unit.start is not None
    assert unit.end is not None
    assert unit.start <= day < unit.end
    assert unit.days <= grain.days
    assert granule(unit.start, grain) == granule(unit.end - 1, grain) == unit
    assert granule(unit.end, grain).start == unit.end


@pytest.mark.parametrize(
    ("grain", "start", "end"),
    [
        (Granularity.WEEK, "2021-06-14", "2021-06-21"),
        (Granularity.QUARTER, "2021-04-01", "2021-07-01"),
        (Granularity.SEASON, "2021-06-01", "2021-09-01"),
        (Granularity.HALF, "2021-01-01", "2021-07-01"),
        (Granularity.DECADE, "2020-01-01", "2030-01-01"),
        (Granularity.CENTURY, "2001-01-01", "2101-01-01"),
        (Granularity.MILLENNIUM, "2001-01-01", "3001-01-01"),
    ],
)
def test_granules_of_a_day_in_june_2021(grain: Granularity, start: str, end: str) -> None:
    unit = granule(parse_day("2021-06-15"), grain)
    assert (unit.start, unit.end) == (parse_day(start), parse_day(end))


def test_winter_runs_over_the_new_year() -> None:
    winter = granule(parse_day("2021-01-15"), Granularity.SEASON)
    assert winter.start is not None
    assert format_day(winter.start) == "2020-12-01"


def test_an_era_has_no_granule() -> None:
    with pytest.raises(ValueError, match="no fixed extent"):
        granule(0, Granularity.ERA)


@given(st.integers(-5000, 5000), st.integers(1, 12))
def test_a_month_is_a_granule_of_its_year(year: int, month: int) -> None:
    interval = month_interval(year, month)
    assert interval == granule(day_number(year, month, 15), Granularity.MONTH)
    assert year_interval(year).contains(interval)


def test_statements_differ_where_days_do_not() -> None:
    stated_by_days = Interval(day_number(2018), day_number(2019))
    assert year_interval(2018).same_days(stated_by_days)
    assert year_interval(2018) != stated_by_days
    assert year_interval(2014, 2016).same_days(Interval(day_number(2014), day_number(2017)))
