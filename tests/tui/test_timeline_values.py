"""What tables and answers from texts say over time: columns, series, curves and their captions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Citation, Value
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.temporal.calendar import day_number, format_day, parse_day
from timelens.temporal.interval import Granularity, Interval
from timelens.tui.timeline.axis import Axis
from timelens.tui.timeline.cells import VALUES
from timelens.tui.timeline.curve import Corner, Scale, captions, levels, scale_width, stretches
from timelens.tui.timeline.values import Held, Series, Values, state_rows, values_of

Row = tuple[dict[str, str], int | None, int | None]


def evidence_of(*rows: Row, cited: frozenset[int] = frozenset()) -> ShownEvidence:
    hits = []
    for number, (fields, start, end) in enumerate(rows):
        days = [None if year is None else day_number(year) for year in (start, end)]
        fact = Fact(tuple(fields.items()), days[0], days[1], Granularity.DAY)
        chunk = Chunk(f"r{number}", "t", number, "", "t", "x", None, ((0, 1),), (), fact)
        hits.append(Hit(chunk, Scores(), fact.validity, 0))
    return ShownEvidence(make_timeline(hits), cited=cited)


def rate(bank: str, percent: str, start: int, end: int | None) -> Row:
    return {"Bank": bank, "Rate": "Bank Rate", "Percent": percent}, start, end


def test_the_values_are_those_of_the_column_of_numbers() -> None:
    values = values_of(evidence_of(rate("Bank", "4.5", 2000, 2003), rate("Bank", "0.00 to 0.50", 2003, None)))
    assert values is not None
    assert values.numeric
    assert values.name == "Percent: Bank, Bank Rate"
    [series] = values.series
    assert [(held.value, held.amount) for held in series.held] == [("4.5", 4.5), ("0.00 to 0.50", 0.25)]
    assert len(values.numbers) == 2


def test_the_values_are_those_of_the_last_column_where_none_has_numbers_alone() -> None:
    terms: list[Row] = [
        ({"Country": "X", "Born": "1950", "Name": "Ada [b]Lind[/b]\x1b"}, 2000, 2004),
        ({"Country": "X", "Born": "unknown", "Name": "Bo Ek"}, 2004, None),
    ]
    values = values_of(evidence_of(*terms))
    assert values is not None
    assert not values.numeric
    assert values.column == "Name"
    assert [held.value for series in values.series for held in series.held] == ["Ada [b]Lind[/b]␛", "Bo Ek"]


def test_the_curve_is_of_the_column_that_the_answer_states() -> None:
    prices: list[Row] = [
        ({"Tea (£)": tea, "Coffee (£)": coffee, "Sandwich (£)": sandwich}, year, year + 1)
        for tea, coffee, sandwich, year in [("0.80", "1.20", "2.50", 2012), ("0.90", "1.40", "2.75", 2013)]
    ]
    stated = (value("£1.20", "2012-01-01", "2013-01-01"), value("£1.40", "2013-01-01", "2014-01-01", 2))
    values = values_of(replace(evidence_of(*prices), series=stated))
    assert values is not None
    assert values.name == "Coffee (£)"
    [series] = values.series
    assert [held.amount for held in series.held] == [1.2, 1.4]


def test_numbers_of_one_time_name_their_series() -> None:
    rents: list[Row] = [
        ({"Flat": flat, "Rent": rent}, 2012, 2013) for flat, rent in [("1", "400"), ("2", "450")]
    ]
    values = values_of(evidence_of(*rents))
    assert values is not None
    assert [series.name for series in values.series] == ["1", "2"]


def test_curves_are_of_cited_series_alone_and_cited_tables_come_first() -> None:
    rows = [
        rate("Bank", "4", 2000, 2001),
        rate("Fed", "3", 2000, 2001),
        ({"Name": "Ada"}, 2000, 2001),
        ({"Name": "Bo"}, 2001, 2002),
        ({"Name": "Cy"}, 2002, 2003),
    ]
    values = values_of(evidence_of(*rows, cited=frozenset({2})))
    assert values is not None
    assert [series.name for series in values.series] == ["Fed, Bank Rate"]
    of_most = values_of(evidence_of(*rows))
    assert of_most is not None
    assert of_most.column == "Name"


def of_texts(*values: Value, rows: tuple[Row, ...] = ()) -> ShownEvidence:
    """Evidence of texts, numbered after rows of a table, with an answer that states values of them."""
    found = evidence_of(*rows)
    chunks = (Chunk(f"c{n}", "d", n, "", "d", "x", None, ((0, 1),), ()) for n in range(5))
    texts = [Citation(len(rows) + n, Hit(chunk, Scores(), None, 0)) for n, chunk in enumerate(chunks, 1)]
    return ShownEvidence(Timeline((*found.timeline.citations, *texts)), series=values)


def value(text: str, start: str, end: str | None, number: int = 1) -> Value:
    return Value(text, parse_day(start), None if end is None else parse_day(end), (number,))


def test_numbers_in_an_answer_from_texts_are_one_curve() -> None:
    values = values_of(
        of_texts(
            value("£40", "2011-04-01", None),  # since April 2011
            value("£48", "2014-01-01", "2015-01-01", 2),  # in 2014
            value("£55", "2018-03-01", "2020-06-01", 3),  # from March 2018 to May 2020
            value("£1,050", "2022-03-14", "2022-03-15", 4),
        )
    )
    assert values is not None
    assert values.numeric
    assert len(values.numbers) == 4
    [series] = values.series
    assert [held.amount for held in series.held] == [40.0, 48.0, 55.0, 1050.0]
    assert [held.until and format_day(held.until) for held in series.held] == [None, "2018-03-01", None, None]
    days = [
        [None if day is None else format_day(day) for day in (h.time.start, h.time.end)] for h in series.held
    ]
    assert days == [
        ["2011-04-01", "2014-01-01"],
        ["2014-01-01", "2015-01-01"],
        ["2018-03-01", "2020-06-01"],
        ["2022-03-14", "2022-03-15"],
    ]
    assert all(held.cited for held in series.held)


@pytest.mark.parametrize("texts", [("£40", "48 crowns"), ("£40", "Ada Lind"), ("Bo Ek", "Ada Lind")])
def test_values_of_several_kinds_are_states(texts: tuple[str, str]) -> None:
    first, second = texts
    values = values_of(
        of_texts(value(first, "2011-01-01", "2012-01-01"), value(second, "2014-01-01", "2015-01-01", 2))
    )
    assert values is not None
    assert not values.numeric
    [row] = state_rows(values)
    assert [(item.name, item.words) for item in row] == [("[1]", first), ("[2]", second)]
    assert row[0].ink.bar != row[1].ink.bar


def test_an_answer_from_rows_alone_shows_its_table() -> None:
    rows = (rate("Bank", "4.5", 2000, 2003), rate("Bank", "4", 2003, 2005))
    values = values_of(of_texts(value("4.5", "2000-01-01", "2003-01-01"), rows=rows))
    assert values is not None
    assert values.column == "Percent"
    both = values_of(of_texts(value("4.5", "2000-01-01", None), value("5", "2006-01-01", None, 3), rows=rows))
    assert both is not None
    assert [held.value for held in both.series[0].held] == ["4.5", "5"]


@pytest.mark.parametrize(
    "evidence", [ShownEvidence(Timeline(())), evidence_of(({"": "Riga, Vega"}, 2000, 2001))]
)
def test_without_rows_that_have_columns_there_are_no_values(evidence: ShownEvidence) -> None:
    assert values_of(evidence) is None


def test_each_state_has_a_colour_of_its_own() -> None:
    terms: list[Row] = [({"Name": name}, 2000 + n, 2001 + n) for n, name in enumerate(["A", "B", "A", "C"])]
    values = values_of(evidence_of(*terms, cited=frozenset({1})))
    assert values is not None
    [row] = state_rows(values)
    looks = [item.ink.bar for item in row]
    assert looks[0] == looks[2]
    assert len(set(looks)) == 3
    assert set(looks) <= set(VALUES)
    assert [item.ink.body for item in row] == ["█", "▒", "▒", "▒"]


HELD = st.builds(
    lambda start, length, amount, number, cited: Held(
        f"{amount}", Interval(start, start + length), number, cited, amount
    ),
    st.integers(-3000, 3000),
    st.integers(1, 2000),
    st.floats(-1e6, 1e6).map(lambda amount: round(amount, 2)),
    st.integers(1, 40),
    st.booleans(),
)
VALUES_OF_SERIES = st.lists(st.lists(HELD, min_size=1, max_size=8), min_size=1, max_size=3).map(
    lambda many: Values(
        "Percent",
        tuple(
            Series(f"Series {n}", tuple(sorted(held, key=lambda h: h.time.bounds)))
            for n, held in enumerate(many)
        ),
        numeric=True,
    )
)
SCALES = st.tuples(st.integers(10, 190), st.integers(2, 40))


@given(VALUES_OF_SERIES, SCALES)
def test_curves_and_their_captions_stay_on_the_canvas_and_apart(
    values: Values, size: tuple[int, int]
) -> None:
    width, rows = size
    scale = Scale.of(values, Axis(-1000, 1000, width), rows)
    for series in values.series:
        for stretch in stretches(series, scale.axis):
            for corner in stretch:
                column, row = scale.cell(corner)
                assert 0 <= column < width
                assert 0 <= row < rows
    taken: set[tuple[int, int]] = set()
    for caption in captions(values, scale, 1):
        row = scale.cell(Corner(0, caption.amount))[1]
        cells = {(column, row) for column in range(caption.column, caption.column + len(caption.words))}
        assert not cells & taken
        taken |= cells
        assert caption.column + len(caption.words) <= width


@given(VALUES_OF_SERIES, st.integers(1, 40))
def test_the_scale_names_the_outermost_values_and_has_room_for_them(values: Values, rows: int) -> None:
    amounts = [held.amount for series in values.series for held in series.held if held.amount is not None]
    named = levels(values, rows)
    assert named[0][0] == min(amounts)
    assert named[-1][0] == max(amounts)
    assert len(named) <= max(rows, 2)
    assert all(len(name) < scale_width(values) for _, name in named)


def test_a_curve_breaks_where_no_value_held() -> None:
    held = (
        Held("4", Interval(0, 10), 1, True, 4.0),
        Held("3", Interval(11, 20), 2, True, 3.0),  # a day between: the table has last days
        Held("2", Interval(30, None), 3, True, 2.0),
    )
    first, second = stretches(Series("", held), Axis(0, 100, 50))
    assert [(corner.day, corner.amount) for corner in first] == [(0, 4.0), (10, 4.0), (11, 3.0), (20, 3.0)]
    assert [(corner.day, corner.amount) for corner in second] == [(30, 2.0), (100, 2.0)]


def test_what_is_chosen_is_named_before_what_is_cited() -> None:
    held = tuple(Held("1", Interval(n, n + 1), n, n != 3, 1.0) for n in range(1, 5))
    [first, *_] = captions(
        Values("x", (Series("", held),), numeric=True), Scale(Axis(0, 100, 200), 0, 2, 10), 3
    )
    assert first.words == "▸[3]"
