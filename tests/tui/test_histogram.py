from hypothesis import given
from hypothesis import strategies as st

from timelens.store.histogram import Histogram
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.tui.histogram import caption, columns_within, draw


def yearly(first: int, *counts: int, before: int = 0, after: int = 0) -> Histogram:
    edges = tuple(day_number(first + number) for number in range(len(counts) + 1))
    return Histogram(edges, counts, Granularity.YEAR, 1, before, after)


def test_bars_are_as_high_as_counts_and_stand_over_their_years() -> None:
    drawing = draw(yearly(2000, 1, 0, 8, 16), 12, 2)
    assert drawing.rows == ("         ███", "▁▁▁   ██████")
    assert len(drawing.axis) == 12
    assert drawing.axis.startswith("╵2000")


def test_what_is_counted_once_beside_thousands_is_seen() -> None:
    assert draw(yearly(2000, 1, 9_000), 2, 1).rows == ("▁█",)


def test_the_bars_of_a_window_are_known() -> None:
    histogram = yearly(2000, 1, 0, 8, 16)
    drawing = draw(histogram, 12, 2)
    assert columns_within(histogram, drawing, year_interval(2001, 2002)) == range(3, 9)
    assert columns_within(histogram, drawing, Interval(day_number(2003, 5), None)) == range(9, 12)
    assert not columns_within(histogram, drawing, year_interval(1990))


def test_the_caption_says_what_a_bar_is_and_what_is_left_out() -> None:
    said = caption(yearly(2000, 1, 0, 1_600, before=2, after=1))
    assert said == "each bar a year · at most 1,600 events, 2002 · 2 far before · 1 far after"
    two = Histogram((day_number(2000), day_number(2002)), (1,), Granularity.YEAR, 2)
    assert caption(two) == "each bar 2 years · at most 1 event, 2000 to 2001"
    assert caption(Histogram()) == "it contains no dates"


@given(
    counts=st.lists(st.integers(0, 5_000), min_size=1, max_size=60),
    width=st.integers(1, 200),
    height=st.integers(1, 10),
)
def test_every_row_fills_the_width(counts: list[int], width: int, height: int) -> None:
    histogram = yearly(1900, *counts)
    drawing = draw(histogram, width, height)
    assert [len(row) for row in (*drawing.rows, drawing.axis)] == [width] * (height + 1)
    for column, stretch in enumerate(drawing.stretches):
        assert (drawing.rows[-1][column] != " ") == (counts[stretch] > 0)
    if width >= len(counts):
        assert set(drawing.stretches) == set(range(len(counts)))


def test_without_dates_or_room_nothing_is_drawn() -> None:
    assert draw(Histogram(), 10, 2).rows == ()
    assert draw(yearly(2000, 1), 0, 2).rows == ()
