"""What the rows of the timeline show, at any size: nothing is too wide, and no evidence hides."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence
from timelens.answer.rendering.timeline import Timeline
from timelens.question.parsed_question import PeriodRole
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval
from timelens.tui.timeline.brush import Brush
from timelens.tui.timeline.cells import Cells, Look, Row, number_at
from timelens.tui.timeline.drawing import Drawing, Scene, draw
from timelens.tui.timeline.feet import counts
from timelens.tui.timeline.pieces import pieces_of
from timelens.tui.timeline.window import Window

TimelineMaker = Callable[..., Timeline]

DAYS = st.integers(-2_000_000, 1_500_000)
LENGTHS = st.one_of(st.integers(1, 40), st.integers(1, 400_000))
TIMES = st.one_of(
    st.builds(lambda start, length: Interval(start, start + length), DAYS, LENGTHS),
    st.builds(lambda start: Interval(start, None), DAYS),
    st.builds(lambda end: Interval(None, end), DAYS),
    st.just(Interval(None, None)),
)
EVIDENCE = st.lists(st.none() | TIMES, max_size=24)
PERIODS = st.lists(st.builds(AskedPeriod, TIMES, st.sampled_from(PeriodRole)), max_size=12)
SIZES = st.tuples(st.integers(0, 200), st.integers(0, 24))
TITLES = st.sampled_from(["plain", "wide 日本語の題名 " * 4, "\x1b[31m\u202e\n", "e\u0301 👩‍🚀 🇩🇪", ""])


def scene_of(
    timeline: Timeline,
    *asked: AskedPeriod,
    cited: frozenset[int] = frozenset(),
    gaps: tuple[Interval, ...] = (),
) -> Scene:
    return Scene(pieces_of(ShownEvidence(timeline, asked, cited)), asked, gaps)


def drawn(scene: Scene, width: int, height: int, window: Window | None = None) -> Drawing:
    return draw(scene, window or Window.over(scene.times), width, height)


def text_of(row: Row) -> str:
    """The text of a row, without its looks."""
    return "".join(run.text for run in row)


def rows_of(drawing: Drawing) -> list[str]:
    return [text_of(row) for row in (*drawing.head, *drawing.lanes, *drawing.foot)]


@given(EVIDENCE, PERIODS, SIZES, TITLES, st.none() | TIMES, st.integers(0, 199))
@example([None], [], (1, 1), "日本", None, 0)
@example([], [AskedPeriod(Interval(320, None))], (1, 3), "plain", None, 0)
def test_no_row_is_wider_than_asked_for(
    timeline_of: TimelineMaker,
    times: list[Interval | None],
    asked: list[AskedPeriod],
    size: tuple[int, int],
    title: str,
    shown: Interval | None,
    column: int,
) -> None:
    scene = scene_of(timeline_of(*times, title=title), *asked)
    window = Window.over([shown] if shown else scene.times)
    width, height = size
    brush = None
    if window is not None and width:
        axis = window.axis(width)
        brush = Brush.at(column % width, axis).to(0, axis)
    drawing = draw(scene, window, width, height, brush)
    for row in rows_of(drawing):
        assert cell_len(row) == width
        assert "\n" not in row
        assert "\x1b" not in row
        assert "\u202e" not in row
    assert not height or len(drawing.head) + len(drawing.foot) <= max(height, 1)


@given(EVIDENCE, PERIODS, st.integers(20, 200), st.integers(4, 24), st.none() | TIMES)
def test_every_piece_of_evidence_is_in_a_bar_or_counted(
    timeline_of: TimelineMaker,
    times: list[Interval | None],
    asked: list[AskedPeriod],
    width: int,
    height: int,
    shown: Interval | None,
) -> None:
    scene = scene_of(timeline_of(*times), *asked)
    window = Window.over([shown] if shown else scene.times)
    drawing = draw(scene, window, width, height)
    in_lanes = {run.number for row in drawing.lanes for run in row if run.number is not None}
    if window is None:
        assert in_lanes == {piece.number for piece in scene.pieces}
        return
    inside = {p.number for p in scene.pieces if p.time is None or p.time.intersects(window.interval)}
    assert in_lanes == inside == set(drawing.lane_of)
    assert drawing.before + drawing.after == len(scene.pieces) - len(inside)
    room = height - len(drawing.head) - len(drawing.foot)
    assert room >= min(1, len(inside))
    if len(drawing.lanes) > room and height - len(drawing.head) > 2:
        assert drawing.axis is not None
        density = text_of(drawing.foot[0])
        assert [letter != " " for letter in density] == [n > 0 for n in counts(scene.pieces, drawing.axis)]


@given(st.lists(TIMES, min_size=1, max_size=10), st.integers(20, 200))
def test_with_room_for_it_each_piece_has_a_lane_with_a_mark(
    timeline_of: TimelineMaker, times: list[Interval], width: int
) -> None:
    drawing = drawn(scene_of(timeline_of(*times)), width, len(times) + 2)
    assert len(drawing.lanes) == len(times)
    if drawing.axis is not None:
        assert all(set("━─●○◄►") & set(text_of(row)) for row in drawing.lanes)


@given(PERIODS.filter(bool), EVIDENCE, st.integers(30, 200), st.integers(3, 24))
def test_every_asked_period_is_marked_and_leaves_room_for_the_evidence(
    timeline_of: TimelineMaker,
    asked: list[AskedPeriod],
    times: list[Interval | None],
    width: int,
    height: int,
) -> None:
    scene = scene_of(timeline_of(*times), *asked)
    drawing = drawn(scene, width, height)
    if drawing.axis is None:
        return
    assert drawing.head
    assert height - len(drawing.head) - 1 >= min(len(times), (height - 1) // 2)
    marked = {
        column
        for row in drawing.head
        for column, letter in enumerate(_cells(text_of(row)))
        if letter in "▄◄►" or (letter != " " and len(drawing.head) < len(asked))
    }
    if len(drawing.head) == len(asked) and width > 60:
        for period in asked:
            assert marked & set(drawing.axis.columns(period.interval))


def _cells(text: str) -> str:
    return "".join(letter * cell_len(letter) for letter in text)


COMPARED = (
    AskedPeriod(year_interval(2004), PeriodRole.BASELINE),
    AskedPeriod(year_interval(2009), PeriodRole.COMPARISON),
    AskedPeriod(year_interval(2012), PeriodRole.EVENT),
)


def test_each_asked_period_has_a_lane_with_its_role(timeline_of: TimelineMaker) -> None:
    drawing = drawn(scene_of(timeline_of(*map(year_interval, range(2003, 2015))), *COMPARED), 90, 20)
    labels = [text_of(row).replace("▄", " ").strip() for row in drawing.head]
    assert labels == ["baseline 2004", "comparison 2009", "event 2012"]
    for row, period in zip(drawing.head, COMPARED, strict=True):
        assert drawing.axis is not None
        bar = [column for column, letter in enumerate(text_of(row)) if letter == "▄"]
        assert bar == list(drawing.axis.columns(period.interval))


def test_asked_periods_share_a_lane_where_evidence_would_be_hidden(timeline_of: TimelineMaker) -> None:
    evidence = timeline_of(*(year_interval(2003 + n % 3, 2010 + n % 4) for n in range(12)))
    drawing = drawn(scene_of(evidence, *COMPARED[:2]), 90, 8)
    [row] = drawing.head
    assert " ".join(text_of(row).replace("▄", "").split()) == "2004 (baseline) 2009 (comparison)"


def test_more_periods_than_fit_are_marked_and_counted(timeline_of: TimelineMaker) -> None:
    asked = [AskedPeriod(year_interval(year)) for year in range(1990, 2021)]
    drawing = drawn(scene_of(timeline_of(*map(year_interval, range(1990, 2021))), *asked), 62, 7)
    [row] = drawing.head
    assert text_of(row).replace("▄", "") == " 31 periods "


def test_a_period_off_the_window_is_named_at_its_side(timeline_of: TimelineMaker) -> None:
    window = Window.over([year_interval(2009)])
    drawing = drawn(scene_of(timeline_of(year_interval(2008, 2010)), *COMPARED), 90, 12, window)
    first, _, last = [text_of(row) for row in drawing.head]
    assert first.startswith("\u2039 baseline 2004")
    assert last.endswith("event 2012 \u203a")


def test_gaps_are_hatched_inside_their_period_alone(timeline_of: TimelineMaker) -> None:
    asked = AskedPeriod(year_interval(1990, 1999))
    scene = scene_of(timeline_of(year_interval(1980, 2009)), asked, gaps=(year_interval(1995, 2004),))
    drawing = drawn(scene, 90, 6)
    row = text_of(drawing.head[0])
    assert drawing.axis is not None
    hatched = [column for column, letter in enumerate(row) if letter == "\u2571"]
    assert hatched
    assert set(hatched) <= set(drawing.axis.columns(year_interval(1995, 1999)))
    assert {run.look for run in drawing.head[0] if "\u2571" in run.text} == {Look.GAP}
    assert "no evidence" not in row


def test_a_period_without_any_evidence_says_so(timeline_of: TimelineMaker) -> None:
    asked = AskedPeriod(year_interval(1990, 1999))
    drawing = drawn(scene_of(timeline_of(year_interval(1950)), asked, gaps=(asked.interval,)), 90, 6)
    assert "no evidence" in text_of(drawing.head[0])
    assert "▄" not in text_of(drawing.head[0])


def test_a_period_without_evidence_on_its_topic_does_not_deny_what_lies_in_it(
    timeline_of: TimelineMaker,
) -> None:
    asked = AskedPeriod(year_interval(2016))
    scene = scene_of(timeline_of(year_interval(2010, 2020)), asked, gaps=(year_interval(2016),))
    assert "asked 2016 · no matching evidence" in rows_of(drawn(scene, 80, 10))[0]


def test_the_ground_is_dotted_inside_the_asked_period_alone(timeline_of: TimelineMaker) -> None:
    drawing = drawn(
        scene_of(timeline_of(year_interval(1960, 1969)), AskedPeriod(year_interval(1990, 2009))), 100, 6
    )
    assert drawing.axis is not None
    period = drawing.axis.columns(year_interval(1990, 2009))
    ground = "".join(run.text for run in drawing.lanes[0] if run.look is Look.GROUND)
    assert ground == "·" * len(period)
    assert text_of(drawing.lanes[0]).endswith(ground)


def test_what_is_cited_differs_in_shape_from_what_is_not(timeline_of: TimelineMaker) -> None:
    times = (year_interval(1900, 1949), day_interval(day_number(1950)), year_interval(1951, 1999))
    drawing = drawn(
        scene_of(timeline_of(*times, day_interval(day_number(1960, 6))), cited=frozenset({1, 2})), 100, 8
    )
    marks = [next(letter for letter in text_of(row) if letter in "━─●○") for row in drawing.lanes]
    assert marks == ["━", "●", "─", "○"]


def test_open_ends_are_arrows(timeline_of: TimelineMaker) -> None:
    drawing = drawn(scene_of(timeline_of(Interval(None, 0), Interval(-9000, None))), 100, 6)
    first, last = (text_of(row) for row in drawing.lanes)
    assert first.startswith("◄ ")
    assert last.endswith("─►")


def test_undated_evidence_has_a_row_of_its_own(timeline_of: TimelineMaker) -> None:
    roomy = drawn(scene_of(timeline_of(year_interval(1990), None)), 80, 8)
    assert text_of(roomy.lanes[-1]).strip() == "[2] undated · A title 1"
    crowded = drawn(scene_of(timeline_of(*map(year_interval, range(1990, 2010)), None, None)), 80, 6)
    assert text_of(crowded.lanes[-1]).strip() == "undated: [21] [22]"
    nothing_else = drawn(scene_of(timeline_of(None)), 80, 8)
    assert [row.strip() for row in rows_of(nothing_else)] == ["[1] undated · A title 0"]


def test_short_bars_lie_side_by_side_where_they_are_many(timeline_of: TimelineMaker) -> None:
    months = [month_interval(1990 + number, 3) for number in range(20)]
    drawing = drawn(scene_of(timeline_of(*months)), 150, 8)
    assert len(drawing.lanes) <= 7
    numbers = [len({run.number for run in row if run.number}) for row in drawing.lanes]
    assert max(numbers) >= 3
    assert "▁" not in "".join(rows_of(drawing))


def test_the_density_row_stands_where_lanes_are_hidden(timeline_of: TimelineMaker) -> None:
    drawing = drawn(
        scene_of(timeline_of(*[year_interval(1990 + n % 5, 2000 + n % 7) for n in range(30)])), 60, 8
    )
    assert len(drawing.lanes) > 8 - len(drawing.foot)
    assert "█" in text_of(drawing.foot[0])


@pytest.mark.parametrize("height", [2, 3, 4, 5, 6])
def test_lanes_of_cited_evidence_come_first_where_lanes_are_hidden(
    timeline_of: TimelineMaker, height: int
) -> None:
    scene = scene_of(
        timeline_of(*[year_interval(1900 + number, 1990 + number) for number in range(10)]),
        cited=frozenset({4, 9}),
    )
    drawing = drawn(scene, 60, height)
    assert ["━" in text_of(row) for row in drawing.lanes] == [True, True, *[False] * 8]
    assert drawing.lane_of[4] == 0
    assert drawing.lane_of[9] == 1


def test_titles_use_the_width(timeline_of: TimelineMaker) -> None:
    title = "The Bank of England cuts after the vote to leave the European Union"
    drawing = drawn(scene_of(timeline_of(year_interval(1980), year_interval(2010), title=title)), 190, 8)
    for row in drawing.lanes:
        assert title in text_of(row)


def test_a_marked_span_is_shown_with_its_days_in_words(timeline_of: TimelineMaker) -> None:
    scene = scene_of(timeline_of(year_interval(1960, 1999)))
    window = Window.over(scene.times)
    assert window is not None
    axis = window.axis(120)
    brush = Brush.at(axis.column(day_number(1970, 6)), axis).to(axis.column(day_number(1974, 6)), axis)
    drawing = draw(scene, window, 120, 6, brush)
    dates = text_of(drawing.foot[-1])
    assert "1970 to 1974" in dates
    assert "├─" in dates
    brushed = "".join(run.text for run in drawing.lanes[0] if run.brushed)
    assert len(brushed) == len(axis.columns(year_interval(1970, 1974)))


@pytest.mark.parametrize("height", [2, 6])
@pytest.mark.parametrize("first", range(1960, 1998))
def test_a_marked_span_leaves_no_part_of_a_date(timeline_of: TimelineMaker, first: int, height: int) -> None:
    scene = scene_of(timeline_of(year_interval(1960, 1999)))
    window = Window.over(scene.times)
    assert window is not None
    axis = window.axis(60)
    brush = Brush.at(axis.column(day_number(first)), axis).to(axis.column(day_number(first + 2)), axis)
    words = re.findall(r"\w+", text_of(draw(scene, window, 60, height, brush).foot[-1]))
    assert all(word == "to" or (word.isdecimal() and len(word) == 4) for word in words)


def test_a_click_on_a_bar_or_its_label_finds_its_number(timeline_of: TimelineMaker) -> None:
    row = drawn(scene_of(timeline_of(year_interval(1960, 1969), year_interval(1990))), 100, 8).lanes[0]
    text = text_of(row)
    assert number_at(row, text.index("─")) == 1
    assert number_at(row, text.index("[1]")) == 1
    assert number_at(row, 99) is None
    assert number_at(row, 100) is None


@given(
    st.lists(st.tuples(st.integers(-5, 30), st.text("ab日本e\u0301👩‍🚀🇩🇪 ", max_size=12)), max_size=6),
    st.integers(0, 24),
)
def test_cells_keep_their_width_whatever_is_written(writes: list[tuple[int, str]], width: int) -> None:
    cells = Cells(width)
    for column, text in writes:
        cells.write(column, text, Look.LABEL)
    assert cell_len(text_of(cells.row())) == width


@pytest.mark.parametrize("title", ["A title", "日本語の題名"])
def test_selected_rows_know_their_lanes(timeline_of: TimelineMaker, title: str) -> None:
    drawing = drawn(scene_of(timeline_of(*map(year_interval, range(1990, 2000)), title=title)), 80, 30)
    for number, lane in drawing.lane_of.items():
        assert f"[{number}]" in text_of(drawing.lanes[lane])
