"""Every key and every move of the mouse on the timeline, on an app of its own."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.events import MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.message import Message
from textual.widgets import Input

from timelens.answer.draft import Value
from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.tui.timeline.panel import TimelinePanel
from timelens.tui.timeline.view import TimelineView

TimelineMaker = Callable[..., Timeline]
DECADES = tuple(year_interval(1900 + 10 * number, 1904 + 10 * number) for number in range(10))
HOSTILE = "[red]alarm[/red] \x1b[2J\u202etxt.exe"


class Host(App[None]):
    """The timeline, something else to focus, and what the timeline tells."""

    CSS = "TimelinePanel { height: 1fr; }"

    def __init__(self, evidence: ShownEvidence) -> None:
        super().__init__()
        self.evidence = evidence
        self.told: list[Message] = []

    def compose(self) -> ComposeResult:
        yield TimelinePanel()
        yield Input()

    def on_mount(self) -> None:
        self.panel.show(self.evidence)
        self.panel.focus()

    @property
    def panel(self) -> TimelinePanel:
        return self.query_one(TimelinePanel)

    @property
    def view(self) -> TimelineView:
        return self.query_one(TimelineView)

    @property
    def shown(self) -> Interval:
        assert self.view.drawing.axis is not None
        return self.view.drawing.axis.interval

    @property
    def rows(self) -> list[str]:
        """The timeline with its frame."""
        region = self.panel.region
        strips = self.screen._compositor.render_strips()[region.y : region.bottom]
        return [strip.text[region.x : region.right] for strip in strips]

    def on_timeline_panel_selected(self, event: TimelinePanel.Selected) -> None:
        self.told.append(event)

    def on_timeline_panel_opened(self, event: TimelinePanel.Opened) -> None:
        self.told.append(event)

    def on_timeline_panel_brushed(self, event: TimelinePanel.Brushed) -> None:
        self.told.append(event)


def evidence_of(
    timeline: Timeline, *asked: Interval, cited: frozenset[int] = frozenset({1})
) -> ShownEvidence:
    return ShownEvidence(timeline, tuple(map(AskedPeriod, asked)), cited)


@pytest.fixture
def host(timeline_of: TimelineMaker) -> Host:
    return Host(evidence_of(timeline_of(*DECADES), year_interval(1930, 1949)))


SIZE = (100, 24)


def column_of(host: Host, day: int) -> int:
    """The column of the screen on which a day stands."""
    assert host.view.drawing.axis is not None
    return host.view.content_region.x + host.view.drawing.axis.column(day)


def selected(host: Host) -> list[int | None]:
    return [event.number for event in host.told if isinstance(event, TimelinePanel.Selected)]


@pytest.mark.parametrize(
    ("keys", "numbers"),
    [
        ("down", [1]),
        ("down down j", [1, 2, 3]),
        ("down down up", [1, 2, 1]),
        ("down k", [1, 1]),
        ("up", [10]),
        ("end down", [10, 10]),
        ("end home", [10, 1]),
    ],
)
async def test_keys_choose_evidence_and_tell_it(host: Host, keys: str, numbers: list[int]) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        assert selected(host) == numbers
        assert host.panel.selected == numbers[-1]
        assert f"[{numbers[-1]}] {1890 + 10 * numbers[-1]} to" in host.rows[-1]  # the frame names it


async def test_the_chosen_bar_is_set_off_without_colours_too(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        host.panel.select(4)
        await pilot.pause()
        lane = host.view.drawing.lane_of[4] + len(host.view.drawing.head)
        reversed_text = "".join(s.text for s in host.view.render_line(lane) if s.style and s.style.reverse)
        assert "[4]" in reversed_text
        assert "─" in reversed_text
        others = [y for y in range(host.view.size.height) if y != lane]
        assert not any(s.style and s.style.reverse for y in others for s in host.view.render_line(y))


async def test_choosing_from_outside_tells_nothing_and_an_unknown_number_is_none(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        seen = []
        for number in (3, 99):
            host.panel.select(number)
            seen.append(host.panel.selected)
        assert seen == [3, None]
        await pilot.pause()
        assert host.told == []


async def test_enter_opens_what_is_chosen(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        assert host.told == []
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(host.told[-1], TimelinePanel.Opened)
        assert host.told[-1].number == 1


async def test_keys_zoom_in_and_out_and_back_to_everything(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        everything = host.shown
        await pilot.press("+")
        assert abs(host.shown.days - everything.days / 2) < 2
        assert everything.contains(host.shown)
        assert "before" in host.rows[0]
        await pilot.press("-")
        assert host.shown == everything
        await pilot.press(*("plus",) * 30)
        assert 7 <= host.shown.days < 14
        assert "╵" in host.rows[-2] or "┼" in host.rows[-3]
        await pilot.press("0")
        assert host.shown == everything
        await pilot.press(*("-",) * 30)
        assert host.shown.days > 1_000_000


async def test_zooming_keeps_the_chosen_evidence_in_view(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        host.panel.select(2)
        for _ in range(10):
            await pilot.press("+")
            assert DECADES[1].intersects(host.shown)


@pytest.mark.parametrize(("earlier", "later"), [("left", "right"), ("h", "l")])
async def test_keys_pan(host: Host, earlier: str, later: str) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("+", "+")
        before = host.shown
        await pilot.press(later)
        assert host.shown.bounds > before.bounds
        assert host.shown.days == before.days
        await pilot.press(earlier)
        assert host.shown == before
        await pilot.press(*(earlier,) * 40)
        assert host.shown.intersects(DECADES[0])  # not away from all there is


async def test_p_shows_the_asked_periods(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        assert host.shown.contains(year_interval(1930, 1949))
        assert host.shown.days < year_interval(1920, 1960).days


async def test_choosing_from_outside_brings_the_bar_into_view(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press(*("+",) * 5)
        assert not host.shown.intersects(DECADES[9])
        host.panel.select(10)
        await pilot.pause()
        assert host.shown.intersects(DECADES[9])
        assert "[10]" in "\n".join(host.rows[1:-1])


async def test_lanes_that_have_no_room_are_scrolled_to(timeline_of: TimelineMaker) -> None:
    times = [Interval(number, 30_000 + number) for number in range(40)]
    host = Host(evidence_of(timeline_of(*times)))
    async with host.run_test(size=(60, 14)) as pilot:
        assert "[40]" not in "\n".join(host.rows)
        assert "█" in "\n".join(host.rows)  # how much there is
        host.panel.select(40)
        await pilot.pause()
        assert "[40]" in "\n".join(host.rows[1:-1])
        await pilot.press("pageup", "pageup", "pageup", "pageup")
        await pilot.pause()
        assert "[40]" not in "\n".join(host.rows[1:-1])
        assert "[1]" in "\n".join(host.rows[1:-1])
        await pilot.press("pagedown")
        await pilot.pause()
        assert "[1]" not in "\n".join(host.rows[1:-1])


async def test_a_span_is_marked_by_keys_and_asked_about(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("b", "right", "right")
        await pilot.pause()
        assert "Enter asks about it" in host.rows[-1]
        assert "├" in host.rows[-2]
        await pilot.press("enter")
        await pilot.pause()
        [told] = host.told
        assert isinstance(told, TimelinePanel.Brushed)
        assert told.interval.granularity is Granularity.YEAR
        assert told.interval.days == pytest.approx(3 * 365.25, abs=400)
        assert "Enter asks" not in host.rows[-1]


@pytest.mark.parametrize(("key", "sign"), [("shift+right", 1), ("shift+left", -1)])
async def test_shift_and_an_arrow_mark_from_the_chosen_evidence_on(host: Host, key: str, sign: int) -> None:
    async with host.run_test(size=SIZE) as pilot:
        host.panel.select(5)
        before = host.shown
        await pilot.press(key, key, key)
        assert host.shown == before
        await pilot.press("enter")
        await pilot.pause()
        told = host.told[-1]
        assert isinstance(told, TimelinePanel.Brushed)
        edge = told.interval.start if sign > 0 else told.interval.end
        assert edge == day_number(1940 if sign > 0 else 1941)


async def test_escape_drops_a_marked_span_and_else_belongs_to_others(host: Host) -> None:
    escaped: list[bool] = []

    class Outer(Host):
        BINDINGS = [("escape", "leave", "Leave")]  # noqa: RUF012

        def action_leave(self) -> None:
            escaped.append(True)

    outer = Outer(host.evidence)
    async with outer.run_test(size=SIZE) as pilot:
        await pilot.press("b", "right", "escape")
        await pilot.pause()
        assert "Enter asks" not in outer.rows[-1]
        assert not escaped
        await pilot.press("enter", "escape")
        assert outer.told == []
        assert escaped


async def test_the_mouse_chooses_opens_and_lets_go(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        y = host.view.region.y + len(host.view.drawing.head) + host.view.drawing.lane_of[3]
        x = column_of(host, day_number(1922))
        await pilot.click(offset=(x, y))
        await pilot.pause(0.6)
        assert selected(host) == [3]
        await pilot.click(offset=(x, y), times=2)
        await pilot.pause()
        assert isinstance(host.told[-1], TimelinePanel.Opened)
        assert host.told[-1].number == 3
        await pilot.click(offset=(host.view.region.x, y))
        await pilot.pause()
        assert selected(host)[-1] is None


async def test_the_mouse_marks_a_span(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        begun, reached = (column_of(host, day_number(year, 6)) - host.view.region.x for year in (1950, 1930))
        await pilot._post_mouse_events([MouseDown], host.view, (begun, 3), button=1)
        for column in (begun - 1, reached):
            await pilot._post_mouse_events([MouseMove], host.view, (column, 5), button=1)
        await pilot.pause()
        assert "Enter asks about it" in host.rows[-1]
        await pilot._post_mouse_events([MouseUp], host.view, (reached, 5), button=1)
        await pilot._post_mouse_events([MouseMove], host.view, (reached + 30, 5))
        await pilot.press("enter")
        await pilot.pause()
        [told] = host.told
        assert isinstance(told, TimelinePanel.Brushed)
        assert told.interval.contains(Interval(day_number(1930, 6), day_number(1950, 6)))
        assert year_interval(1929, 1951).contains(told.interval)


async def test_the_wheel_zooms_with_ctrl_around_the_day_under_it(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        before, day = host.shown, day_number(1925)
        x = column_of(host, day) - host.view.region.x
        await pilot._post_mouse_events([MouseScrollUp], host.view, (x, 4), control=True)
        await pilot.pause()
        assert host.shown.days < before.days
        assert abs(column_of(host, day) - host.view.region.x - x) <= 1
        await pilot._post_mouse_events([MouseScrollDown], host.view, (x, 4), control=True)
        await pilot.pause()
        assert host.shown == before


async def test_the_wheel_pans_with_shift(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("+", "+")
        before = host.shown
        await pilot._post_mouse_events([MouseScrollDown], host.view, (10, 4), shift=True)
        await pilot.pause()
        assert host.shown.bounds > before.bounds
        await pilot._post_mouse_events([MouseScrollUp], host.view, (10, 4), shift=True)
        await pilot.pause()
        assert host.shown == before


async def test_m_gives_it_the_whole_screen(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        await pilot.pause()
        assert host.panel.region.height == SIZE[1]
        await pilot.press("m")
        await pilot.pause()
        assert host.panel.region.height < SIZE[1]


async def test_typed_periods_are_previewed_and_gone_again(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        before = host.rows
        host.panel.preview((AskedPeriod(year_interval(2010, 2019)),))
        await pilot.pause()
        assert "2010 to 2019" in "\n".join(host.rows)
        assert "1930 to 1949" not in "\n".join(host.rows)
        assert host.shown.contains(year_interval(2010, 2019))
        host.panel.preview(())
        await pilot.pause()
        assert host.rows == before


async def test_what_the_answer_cites_comes_later_and_moves_nothing(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("+", "down")
        before = host.shown
        host.panel.show(ShownEvidence(host.evidence.timeline, host.evidence.asked, frozenset({2})))
        await pilot.pause()
        assert host.shown == before
        assert host.panel.selected == 1


async def test_other_evidence_begins_anew(host: Host, timeline_of: TimelineMaker) -> None:
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("+", "down", "b")
        host.panel.show(evidence_of(timeline_of(year_interval(2000), year_interval(2001))))
        await pilot.pause()
        assert host.panel.selected is None
        assert host.shown == year_interval(2000, 2001).__class__(day_number(2000), day_number(2002))
        assert "2 pieces of evidence, 1 cited" in host.rows[-1]


async def test_no_evidence_says_so(timeline_of: TimelineMaker) -> None:
    host = Host(evidence_of(timeline_of(), cited=frozenset()))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press(*"+ - left right down up b enter escape 0 p v home end shift+left".split())
        await pilot.pause()
        assert host.told == []
        assert "no evidence" in host.rows[-1]


async def test_undated_evidence_can_be_chosen(timeline_of: TimelineMaker) -> None:
    host = Host(evidence_of(timeline_of(None, year_interval(1990), None)))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert host.panel.selected == 3
        assert "2 undated" in host.rows[0]
        assert "[3] undated" in host.rows[-1]


async def test_hostile_titles_are_no_markup(timeline_of: TimelineMaker) -> None:
    host = Host(evidence_of(timeline_of(year_interval(1990), title=HOSTILE)))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await pilot.pause()
        screen = "\n".join(host.rows)
        assert screen.count("[red]alarm[/red]") == 2
        assert "\x1b" not in screen
        assert "\u202e" not in screen


def table(*rows: tuple[str, int, int | None], column: str = "Percent", bank: str = "Bank") -> list[Hit]:
    """Rows of a table with one value each, from one year to another."""
    hits = []
    for number, (value, start, end) in enumerate(rows):
        last = None if end is None else day_number(end)
        fact = Fact((("Bank", bank), (column, value)), day_number(start), last, Granularity.DAY)
        chunk = Chunk(f"{bank}{number}", "t", number, "", "t", value, None, ((0, len(value)),), (), fact)
        hits.append(Hit(chunk, Scores(), fact.validity, 0))
    return hits


RATES = table(("4.5", 2000, 2003), ("0.5", 2003, 2009), ("5.25", 2009, None))
NAMES = table(("Ada Lind", 2000, 2003), ("Bo Ek", 2003, 2009), ("Ada Lind", 2009, None), column="Name")


async def test_v_shows_numbers_as_a_curve_over_the_same_axis_and_back() -> None:
    host = Host(evidence_of(make_timeline(RATES), year_interval(2002, 2004), cited=frozenset({1, 3})))
    async with host.run_test(size=SIZE) as pilot:
        before = host.rows
        await pilot.press("v")
        await pilot.pause(0.2)
        rows = host.rows
        assert "Percent: Bank" in rows[0]
        text = "\n".join(rows)
        assert all(f"{level}┤" in text for level in ("4.5", "0.5", "5.25"))
        first, last = (next(row for row in rows if mark in row) for mark in ("●[1]", "●[3]"))
        assert first.index("●") == column_of_row(host, day_number(2000))
        assert last.index("●") == column_of_row(host, day_number(2009))
        assert "asked" in text
        assert "╵" in text or "┼" in text
        await pilot.press("+", "down")
        await pilot.pause(0.2)
        assert "▸[1]" in "\n".join(host.rows) or not host.shown.intersects(year_interval(2000, 2002))
        await pilot.press("0", "v")
        host.panel.select(None)
        await pilot.pause(0.2)
        assert host.rows == before


async def test_values_stay_for_an_answer_that_cites_them(timeline_of: TimelineMaker) -> None:
    rows, (text,) = make_timeline(RATES).citations, timeline_of(year_interval(1999)).citations
    evidence = evidence_of(Timeline((replace(text, number=9), *rows)), cited=frozenset())
    host = Host(evidence)
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("v")
        for cited, has_values in (({2}, True), ({2, 9}, True), ({9}, False)):
            host.panel.show(replace(evidence, cited=frozenset(cited)))
            await pilot.pause(0.2)
            assert ("Percent: Bank" in host.rows[0]) == has_values


async def test_v_shows_the_values_of_an_answer_from_texts(timeline_of: TimelineMaker) -> None:
    timeline = timeline_of(year_interval(2011), year_interval(2018), title="Minutes")
    series = tuple(
        Value(text, day_number(when), day_number(when + 1), (number,))
        for number, (text, when) in enumerate((("£40", 2011), ("£1,055", 2018)), start=1)
    )
    evidence = replace(evidence_of(timeline, cited=frozenset({1, 2})), series=series)
    host = Host(evidence)
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("v")
        await pilot.pause(0.2)
        rows = host.rows
        assert "values in the answer" in rows[0]
        low, high = (next(row for row in rows if mark in row) for mark in ("●[1]", "●[2]"))
        assert "40┤" in low
        assert "1,055┤" in high
        # what is stated of 2011 is a line, what follows until 2018 is dotted
        line, dots = column_of_row(host, day_number(2011, 9)), column_of_row(host, day_number(2015))
        assert low[line] not in {" ", "·"}
        assert low[dots] == "·"
        assert low[column_of_row(host, day_number(2018, 9))] == " "


def column_of_row(host: Host, day: int) -> int:
    """The column of a row of the timeline on which a day stands."""
    axis = host.view.drawing.axis
    assert axis is not None
    inset = host.view.scrollable_content_region.width - axis.width
    return host.view.region.x - host.panel.region.x + inset + axis.column(day)


async def test_v_shows_states_as_lanes_with_a_colour_for_each_value() -> None:
    host = Host(evidence_of(make_timeline(NAMES), cited=frozenset({1, 2})))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("v")
        await pilot.pause(0.2)
        text = "\n".join(host.rows)
        assert "Name" in host.rows[0]
        assert "[2] Bo Ek" in text
        drawing = host.view.drawing
        bars = [run for row in drawing.lanes for run in row if set(run.text) & set("█▒▐")]
        looks = {run.number: run.look for run in bars}
        assert looks[1] == looks[3] != looks[2]
        shapes = {
            number: {letter for run in bars if run.number == number for letter in run.text}
            for number in looks
        }
        assert "▒" in shapes[3] - shapes[1] - shapes[2]  # what is not cited differs in shape
        assert "█" in shapes[1] & shapes[2] - shapes[3]


async def test_v_is_not_offered_without_rows_of_tables(host: Host) -> None:
    async with host.run_test(size=SIZE) as pilot:
        before = host.rows
        await pilot.press("v")
        await pilot.pause()
        assert host.rows == before
        assert host.panel.check_action("values", ()) is False


def test_plotext_is_imported_for_a_curve_alone() -> None:
    code = "import sys, timelens.tui.timeline.panel; print([m for m in sys.modules if 'plotext' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
