from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from timelens.answer.timeline import Timeline
from timelens.question.model import PeriodRole
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval
from timelens.tui.axis import Axis, short_phrase
from timelens.tui.bars import Asked, Row, RowKind, draw

TimelineMaker = Callable[..., Timeline]

DAYS = st.integers(-2_000_000, 1_500_000)
LENGTHS = st.one_of(st.integers(1, 40), st.integers(1, 400_000))
TIMES = st.one_of(
    st.builds(lambda start, length: Interval(start, start + length), DAYS, LENGTHS),
    st.builds(lambda start: Interval(start, None), DAYS),
    st.builds(lambda end: Interval(None, end), DAYS),
    st.just(Interval(None, None)),
)
WIDTHS = st.integers(0, 200)
PERIODS = st.builds(Asked, TIMES, st.sampled_from(PeriodRole))


def bars(rows: tuple[Row, ...]) -> list[Row]:
    return [row for row in rows if row.kind is RowKind.BAR]


@given(
    st.lists(st.none() | TIMES, max_size=12),
    st.lists(PERIODS, max_size=12),
    st.tuples(WIDTHS, st.none() | st.integers(0, 16)),
    st.sampled_from(["plain", "wide 日本語の題名 " * 4, "\x1b[31m\u202e\n"]),
)
def test_no_row_is_wider_than_the_screen(
    timeline_of: TimelineMaker,
    times: list[Interval | None],
    asked: list[Asked],
    space: tuple[int, int | None],
    title: str,
) -> None:
    width, height = space
    for row in draw(timeline_of(*times, title=title), asked, width, height):
        assert cell_len(row.text) <= width
        assert "\n" not in row.text
        assert "\x1b" not in row.text


@given(
    st.lists(st.none() | TIMES, max_size=12),
    st.lists(PERIODS, min_size=1, max_size=12),
    WIDTHS.filter(bool),
    st.integers(3, 16),
)
def test_every_asked_period_is_marked_and_leaves_room_for_the_evidence(
    timeline_of: TimelineMaker, times: list[Interval | None], asked: list[Asked], width: int, height: int
) -> None:
    rows = draw(timeline_of(*times), asked, width, height)
    assert len(rows) <= height
    assert len(bars(rows)) >= min(len(times), (height - 1) // 2)
    periods = [row for row in rows if row.kind is RowKind.ASKED]
    if not periods:  # no day is known to draw an axis from
        return
    axis = Axis.over(
        [*(period.interval for period in asked), *shown_times(rows, times)], len(rows[0].drawing)
    )
    assert axis is not None
    marked = {column for row in periods for column, mark in enumerate(row.drawing) if mark in "▄◄►"}
    assert marked == {column for period in asked for column in axis.columns(period.interval)}


def shown_times(rows: tuple[Row, ...], times: list[Interval | None]) -> list[Interval]:
    return [time for row in bars(rows) if row.number is not None and (time := times[row.number - 1])]


@pytest.mark.parametrize(("width", "height"), [(76, 7), (68, 40), (76, None)])
def test_asked_periods_are_named_by_their_role(
    timeline_of: TimelineMaker, width: int, height: int | None
) -> None:
    asked = [
        Asked(year_interval(2004), PeriodRole.BASELINE),
        Asked(year_interval(2009), PeriodRole.COMPARISON),
        Asked(year_interval(2012), PeriodRole.EVENT),
    ]
    rows = draw(timeline_of(*map(year_interval, range(2003, 2015))), asked, width, height)
    assert [(row.label.strip(), row.note.strip()) for row in rows[:3]] == [
        ("baseline", "2004"),
        ("comparison", "2009"),
        ("event", "2012"),
    ]
    assert len({row.drawing for row in rows[:3]}) == 3
    assert len(bars(rows)) >= 3


def test_periods_beyond_the_rows_share_the_last_and_are_counted(timeline_of: TimelineMaker) -> None:
    asked = [Asked(year_interval(year)) for year in range(1990, 2021)]
    rows = draw(timeline_of(*map(year_interval, range(1990, 2021))), asked, 100, 7)
    assert [row.note.strip() for row in rows if row.kind is RowKind.ASKED] == ["1990", "1991", "and 29 more"]
    assert len(bars(rows)) == 3
    lonely = draw(timeline_of(year_interval(1990)), asked, 100, 3)
    assert [row.note.strip() for row in lonely if row.kind is RowKind.ASKED] == ["31 periods"]


@given(st.lists(TIMES, min_size=1, max_size=6), st.integers(1, 200))
def test_every_dated_piece_has_a_mark(timeline_of: TimelineMaker, times: list[Interval], width: int) -> None:
    rows = bars(draw(timeline_of(*times), [], width))
    assert len(rows) == len(times)
    if any(time.start is not None or time.end is not None for time in times):
        assert all(set("━●◄►") & set(row.drawing) for row in rows)


def test_bars_stand_in_order_of_time_with_their_numbers(timeline_of: TimelineMaker) -> None:
    rows = bars(draw(timeline_of(year_interval(1980), year_interval(1961), None), [], 100))
    assert [row.label.strip() for row in rows] == ["[2]", "[1]", "[3]"]
    assert rows[0].drawing.index("━") < rows[1].drawing.index("━")
    assert rows[2].drawing.strip() == ""
    assert "undated" in rows[2].note


def test_the_ground_is_dotted_inside_the_asked_period_alone(timeline_of: TimelineMaker) -> None:
    asked_row, bar, _axis = draw(
        timeline_of(year_interval(1960, 1999)), [Asked(year_interval(1990, 2009))], 100
    )
    marked = {column for column, mark in enumerate(asked_row.drawing) if mark == "▄"}
    dotted = {column for column, mark in enumerate(bar.drawing) if mark == "·"}
    assert dotted
    assert dotted <= marked
    assert bar.drawing.startswith("━")


def test_a_time_shorter_than_a_column_is_a_point(timeline_of: TimelineMaker) -> None:
    long, day = bars(draw(timeline_of(year_interval(1000, 1999), day_interval(day_number(1500))), [], 100))
    assert long.drawing.count("━") > 40
    assert day.drawing.strip() == "●"


def test_open_sides_end_in_arrows(timeline_of: TimelineMaker) -> None:
    rows = bars(draw(timeline_of(Interval(None, 0), Interval(-9000, None)), [], 100))
    assert rows[0].drawing.startswith("◄━")
    assert rows[1].drawing.endswith("━►")


def test_one_day_fills_the_axis_and_is_named(timeline_of: TimelineMaker) -> None:
    bar, axis = draw(timeline_of(day_interval(day_number(1961, 4, 12))), [], 100)
    assert set(bar.drawing) == {"━"}
    assert "12 Apr 1961" in axis.drawing


def test_nothing_to_draw_is_no_rows(timeline_of: TimelineMaker) -> None:
    assert draw(timeline_of(), [], 80) == ()


def test_undated_evidence_has_rows_without_an_axis(timeline_of: TimelineMaker) -> None:
    rows = draw(timeline_of(None, None), [], 80)
    assert [row.kind for row in rows] == [RowKind.BAR, RowKind.BAR]


def test_where_not_all_fits_the_best_support_is_kept(timeline_of: TimelineMaker) -> None:
    evidence = timeline_of(year_interval(1990), year_interval(1970), year_interval(1980), year_interval(1960))
    rows = draw(evidence, [], 100, height=3)
    assert [row.number for row in bars(rows)] == [2, 1]
    assert "2 more" in rows[-1].note
    rows = draw(evidence, [], 100, height=3, cited={4})
    assert [row.number for row in bars(rows)] == [4, 1]


def test_what_is_scrolled_to_stands_on_the_axis_of_all(timeline_of: TimelineMaker) -> None:
    evidence = timeline_of(*(year_interval(1900 + 10 * number) for number in range(10)))
    everything = draw(evidence, [], 100)
    seen = []
    for top in range(8):
        rows = draw(evidence, [], 100, height=4, top=top)
        seen.append([row.number for row in bars(rows)])
        assert [row.drawing for row in bars(rows)] == [row.drawing for row in bars(everything)[top : top + 3]]
        assert rows[-1].drawing == everything[-1].drawing
        assert rows[-1].note == f" {top} above, {7 - top} below"
    assert seen == [[top + 1, top + 2, top + 3] for top in range(8)]


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (year_interval(1960, 1999), ["1960", "1970", "1980", "1990"]),
        (year_interval(1001, 2000), ["1200", "1400", "1600", "1800"]),
        (year_interval(-299, -100), ["250 BCE", "200 BCE", "150 BCE"]),
        (Interval(day_number(1969, 1), day_number(1969, 7)), ["Jan 1969", "Apr 1969"]),
        (Interval(day_number(1969, 7, 16), day_number(1969, 7, 18)), ["16 Jul 1969", "17 Jul 1969"]),
    ],
)
def test_ticks_stand_at_round_places(time: Interval, expected: list[str]) -> None:
    axis = Axis.over([time], 40)
    assert axis is not None
    for label in expected:
        assert f"╵{label}" in axis.labels()


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
