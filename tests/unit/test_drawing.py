"""Timelines as SVG."""

from xml.etree.ElementTree import Element, fromstring, tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.drawing import WIDTH, Piece, Span, draw_timeline
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval

DAYS = st.integers(-3_000_000, 3_000_000)


def drawn(*times: Interval | None, spans: tuple[Span, ...] = (), gaps: tuple[Interval, ...] = ()) -> Element:
    pieces = [
        Piece(number, time, "then", f"Title {number}", cited=number == 1, href=f"#e{number}")
        for number, time in enumerate(times, start=1)
    ]
    svg = draw_timeline(pieces, spans, gaps, name="q1")
    assert svg is not None
    return svg


def edges(path: str) -> tuple[float, float]:
    points = [float(part.lstrip("ML").split(",")[0]) for part in path.split() if "," in part]
    return min(points), max(points)


def test_a_row_for_each_period_and_piece_with_its_words_and_its_link() -> None:
    svg = drawn(
        year_interval(1990, 1994),
        None,
        day_interval(day_number(1999, 5, 1)),
        spans=(Span(year_interval(1992), "asked"),),
    )
    [period] = svg.findall("g[@class='period']")
    cited, undated, day = svg.findall("a")
    assert [text.text for text in period.findall("text")] == ["asked", "1992"]
    assert [a.get("class") for a in (cited, undated, day)] == ["cited", "quiet", "quiet"]
    assert [a.get("href") for a in (cited, undated, day)] == ["#e1", "#e2", "#e3"]
    assert cited.findtext("title") == "[1] then: Title 1 (cited)"
    assert undated.find("path") is None
    left, right = edges(day.find("path").get("d", ""))  # type: ignore[union-attr]
    assert right - left == pytest.approx(7)
    assert right <= 540
    assert len(svg.findall("rect[@class='ground']")) == 1


def test_a_gap_is_hatched_and_says_what_it_is() -> None:
    svg = drawn(year_interval(1990), year_interval(1999), gaps=(year_interval(1993, 1995),))
    [area] = svg.findall("rect[@class='gap']")
    [pattern] = svg.findall("pattern")
    assert area.get("fill") == f"url(#{pattern.get('id')})"
    assert area.findtext("title") == "no evidence for 1993 to 1995"


def test_an_open_end_is_a_point() -> None:
    svg = drawn(Interval(day_number(1990), None), Interval(None, day_number(1980)), year_interval(1985))
    since, before, closed = (a.find("path").get("d", "") for a in svg.findall("a"))  # type: ignore[union-attr]
    assert (since.count("L"), before.count("L"), closed.count("L")) == (4, 4, 3)
    assert edges(since)[1] == 540
    assert edges(before)[0] == 96


@pytest.mark.parametrize(
    ("time", "labels"),
    [
        (
            Interval(day_number(-3000), day_number(2000)),
            ["3000 BCE", "2000 BCE", "1000 BCE", "AD 1", "1000"],
        ),
        (year_interval(1990, 1999), [str(year) for year in range(1990, 2000)]),
        (Interval(day_number(2020, 1, 10), day_number(2020, 4, 2)), ["Feb 2020", "Mar 2020", "Apr 2020"]),
        (
            Interval(day_number(2020, 1, 10), day_number(2020, 1, 13)),
            ["10 Jan 2020", "11 Jan 2020", "12 Jan 2020"],
        ),
    ],
)
def test_the_axis_has_round_places_of_a_unit_that_fits(time: Interval, labels: list[str]) -> None:
    shown = [text.text for text in drawn(time).findall("g[@class='axis']/text")]
    assert shown == labels


def test_nothing_is_drawn_where_no_time_has_an_end() -> None:
    assert draw_timeline([Piece(1, None, "undated", "x")], name="q") is None
    assert draw_timeline([Piece(1, Interval(None, None), "any", "x")], name="q") is None


def test_no_text_becomes_markup_and_long_ones_are_cut() -> None:
    hostile = '<script>alert("x")</script>&amp;\x1b[2J\u202e\ufffe' + "ab" * 200
    svg = draw_timeline([Piece(1, year_interval(1990), hostile, hostile)], name="q")
    assert svg is not None
    again = fromstring(tostring(svg, encoding="unicode"))
    assert not [element for element in again.iter() if "script" in element.tag]
    note = again.findall(".//{*}text")[-1].text or ""
    assert note.endswith("…")
    assert len(note) <= 51
    assert "\u202e" not in tostring(svg, encoding="unicode")


@given(st.lists(st.tuples(DAYS, DAYS, st.integers(0, 3)), min_size=1, max_size=20))
def test_every_bar_and_every_label_lies_on_the_picture(raw: list[tuple[int, int, int]]) -> None:
    times = [
        Interval(None if flags & 1 else min(a, b), None if flags & 2 else max(a, b) + 1)
        for a, b, flags in raw
    ]
    svg = draw_timeline([Piece(n, time, "x", "y") for n, time in enumerate(times)], name="q")
    if svg is None:
        assert all(flags == 3 for _, _, flags in raw)
        return
    for path in svg.iter("path"):
        left, right = edges(path.get("d", ""))
        assert 95.9 <= left < right <= 540.1
    places = sorted(float(text.get("x", "")) for text in svg.findall("g[@class='axis']/text"))
    assert all(96 <= x <= WIDTH for x in places)
