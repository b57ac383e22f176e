"""The steps of the calendar, the axis with its ticks, the window and the brush of the timeline."""

from fractions import Fraction
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal.axis_steps import AxisStep, snapping_step, steps
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, month_interval, year_interval
from timelens.tui.timeline.axis import Axis, short_phrase
from timelens.tui.timeline.brush import Brush
from timelens.tui.timeline.window import Window

DAYS = st.integers(-2_000_000, 1_500_000)
LENGTHS = st.one_of(st.integers(1, 40), st.integers(1, 400_000))
STEPS = st.sampled_from(list(islice(steps(), 20)))
TIMES = st.one_of(
    st.builds(lambda start, length: Interval(start, start + length), DAYS, LENGTHS),
    st.builds(lambda start: Interval(start, None), DAYS),
    st.builds(lambda end: Interval(None, end), DAYS),
    st.just(Interval(None, None)),
)
AXES = st.builds(
    lambda start, length, width: Axis(start, start + length, width), DAYS, LENGTHS, st.integers(1, 200)
)


@given(STEPS, DAYS)
def test_a_step_holds_its_day_and_ends_where_the_next_begins(step: AxisStep, day: int) -> None:
    start, end = step.floor(day), step.after(day)
    assert start <= day < end
    assert step.floor(end) == end
    assert step.floor(end - 1) == start
    assert step.after(start) == end
    assert end - start >= step.shortest - 400  # AD 1 to 99 are a year short of a century, in each unit


@given(STEPS, STEPS, DAYS)
def test_a_step_that_divides_another_begins_where_that_begins(
    fine: AxisStep, coarse: AxisStep, day: int
) -> None:
    if fine.divides(coarse):
        assert fine.floor(coarse.floor(day)) == coarse.floor(day)


def test_years_before_the_era_are_round_as_they_are_said() -> None:
    centuries = AxisStep(Granularity.YEAR, 100)
    starts = list(centuries.starts(day_number(-250), day_number(250)))
    assert starts == [day_number(year) for year in (-199, -99, 1, 100, 200)]  # 200 BCE, 100 BCE, AD 1 …


@given(AXES, DAYS)
def test_every_day_has_a_column_on_the_axis(axis: Axis, day: int) -> None:
    assert 0 <= axis.column(day) < axis.width


@given(AXES, TIMES)
def test_every_time_has_columns_on_the_axis(axis: Axis, time: Interval) -> None:
    columns = axis.columns(time)
    assert columns
    assert 0 <= columns.start < columns.stop <= axis.width


@given(AXES, st.data())
def test_the_days_of_a_column_fall_into_it(axis: Axis, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, axis.width - 1))
    start, end = axis.days(range(column, column + 1))
    assert axis.start <= start < end <= axis.end
    assert column in axis.columns(Interval(start, end))


@given(AXES)
def test_labels_stand_at_their_days_and_do_not_touch(axis: Axis) -> None:
    row = axis.labels()
    assert len(row) == axis.width
    labelled = [tick for tick in axis.ticks() if tick.label]
    for tick, following in pairwise(labelled):
        assert tick.column + 1 + len(tick.label) < following.column  # a space at least
    for tick in labelled:
        assert row[tick.column : tick.column + 1 + len(tick.label)] == f"╵{tick.label}"


@given(st.integers(1900, 1990), st.integers(20, 100), st.integers(50, 200))
def test_an_axis_of_some_width_has_several_labels(year: int, years: int, width: int) -> None:
    axis = Axis(day_number(year), day_number(year + years), width)
    assert sum(bool(tick.label) for tick in axis.ticks()) >= width // 25


@given(AXES)
def test_small_ticks_hold_all_large_ones(axis: Axis) -> None:
    small = axis.between()
    assert not small or {tick.column for tick in axis.ticks()} <= set(small)


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (year_interval(1960, 1999), "╵1960     ╵1970     ╵1980     ╵1990"),
        (year_interval(1001, 2000), "╵1200   ╵1400   ╵1600   ╵1800"),
        (year_interval(-299, -100), "╵300 BCE  ╵250 BCE  ╵200 BCE  ╵150 BCE"),
        (Interval(day_number(1969, 1), day_number(1969, 7)), "╵1969 ╵Feb   ╵Mar  ╵Apr   ╵May   ╵Jun"),
        (Interval(day_number(1969, 11), day_number(1970, 3)), "╵Nov 1969 ╵Dec      ╵1970     ╵Feb"),
        (Interval(day_number(1969, 7, 16), day_number(1969, 7, 20)), "╵16 Jul 1969        ╵18 Jul   ╵19 Jul"),
    ],
)
def test_ticks_stand_at_round_places(time: Interval, expected: str) -> None:
    axis = Axis.over([time], 40)
    assert axis is not None
    assert axis.labels().strip() == expected


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (day_interval(day_number(1961, 4, 12)), "12 Apr 1961"),
        (month_interval(1961, 9), "Sep 1961"),
        (Interval(day_number(1971, 4, 19), day_number(1971, 10, 11)), "Apr to Oct 1971"),
        (Interval(day_number(1971, 4, 19), day_number(1979, 10, 11)), "1971 to 1979"),
        (Interval(day_number(1971, 4, 19), day_number(1971, 4, 22)), "19 to 21 Apr 1971"),
        (Interval(day_number(2017), None), "since 2017"),
        (year_interval(-43), "44 BCE"),
    ],
)
def test_times_are_said_shortly(time: Interval, expected: str) -> None:
    assert short_phrase(time) == expected


WINDOWS = st.builds(
    lambda start, length: Window(Fraction(start), Fraction(length)), DAYS, st.integers(1, 3_000_000)
)
HALF, TWICE = Fraction(1, 2), Fraction(2)


@given(WINDOWS, st.integers(1, 25), st.none() | DAYS)
def test_zooming_in_and_out_again_leads_back(window: Window, times: int, around: int | None) -> None:
    fixed = None if around is None else Fraction(around)
    there = [window]
    for _ in range(times):
        there.append(there[-1].zoomed(HALF, fixed))
    back = there[-1]
    for earlier, later in reversed(list(pairwise(there))):
        back = back.zoomed(TWICE, fixed) if earlier != later else back
    assert back == window


@given(WINDOWS, st.sampled_from([HALF, TWICE]), st.fractions(0, 1))
def test_the_day_that_is_zoomed_around_stays_where_it_is(
    window: Window, times: Fraction, share: Fraction
) -> None:
    day = window.start + window.length * share
    zoomed = window.zoomed(times, day)
    assert (day - zoomed.start) / zoomed.length == share


@given(WINDOWS, st.lists(st.sampled_from([HALF, TWICE]), max_size=60))
def test_zooming_ends_between_days_and_millennia(window: Window, times: list[Fraction]) -> None:
    for one in times:
        window = window.zoomed(one)
    assert 1 <= window.length <= 4_000_000
    assert window.axis(100).width == 100


@given(WINDOWS, WINDOWS, st.fractions(-5, 5))
def test_panning_keeps_the_middle_within_what_there_is(
    window: Window, all_of: Window, share: Fraction
) -> None:
    moved = window.moved(share, all_of)
    assert moved.length == window.length
    assert all_of.start <= moved.middle <= all_of.start + all_of.length


@given(WINDOWS, TIMES)
def test_a_time_is_in_the_window_that_shows_it(window: Window, time: Interval) -> None:
    assert window.showing(time).interval.intersects(time)
    if time.intersects(window.interval):
        assert window.showing(time) == window


@given(AXES, st.data())
def test_a_marked_span_holds_the_marked_columns(axis: Axis, data: st.DataObject) -> None:
    column = st.integers(0, axis.width - 1)
    begun, reached = data.draw(column), data.draw(column)
    span = Brush.at(begun, axis).to(reached, axis).interval(axis)
    start, end = axis.days(range(min(begun, reached), max(begun, reached) + 1))
    assert span.contains(Interval(start, end))
    step = snapping_step(axis.days_per_column)
    assert span.start is not None
    assert span.end is not None
    assert step.floor(span.start) == span.start
    assert step.floor(span.end) == span.end


@given(AXES, st.data())
def test_each_step_makes_a_marked_span_longer_until_the_axis_ends(axis: Axis, data: st.DataObject) -> None:
    brush = Brush.at(data.draw(st.integers(0, axis.width - 1)), axis)
    direction = data.draw(st.sampled_from([-1, 1]))
    for _ in range(3):
        before, brush = brush, brush.stepped(direction, axis)
        assert brush.interval(axis).contains(before.interval(axis))
        assert brush == before or brush.interval(axis).days > before.interval(axis).days


@pytest.mark.parametrize(
    ("years", "columns", "expected"),
    [
        (1000, (1, 8), year_interval(1510, 1589)),
        (100, (26, 33), year_interval(1526, 1534)),  # years differ in length, columns do not
        (5, (11, 18), Interval(day_number(1500, 7), day_number(1501, 1), Granularity.MONTH)),
    ],
)
def test_a_span_is_snapped_to_what_the_axis_shows(
    years: int, columns: tuple[int, int], expected: Interval
) -> None:
    axis = Axis(day_number(1500), day_number(1500 + years), 100)
    span = Brush.at(columns[0], axis).to(columns[1], axis).interval(axis)
    assert span.same_days(expected)


def test_a_span_of_days_is_marked_to_the_day() -> None:
    axis = Axis(day_number(1969, 7, 16), day_number(1969, 7, 26), 100)
    span = Brush.at(40, axis).to(49, axis).interval(axis)
    assert span == day_interval(day_number(1969, 7, 20))
