"""What the names of columns tell of their values."""

import pytest
from evidence import hit

from timelens.answer.tables.column_choice import Wants, candidate_columns
from timelens.answer.tables.columns import holds_prose, is_periodic, with_unit
from timelens.documents import Fact, Hit
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("Potatoes (kg)", "55", "55 kg"),
        ("Bramley kg", "410", "410 kg"),
        ("Rainfall [mm]", "12.5", "12.5 mm"),
        ("Length in m", "3", "3 m"),
        ("Plot rent (£)", "48", "£48"),
        ("Bill £", "£268.90", "£268.90"),
        ("Rate %", "5%", "5%"),
        ("Charge (CHF)", "520", "520 CHF"),
        ("Courgettes (no.)", "58", "58"),
        ("Points (out of 10)", "7", "7"),
        ("Age (years)", "5", "5"),
        ("Team A", "3", "3"),
        ("Helpers", "6", "6"),
        ("Notes (kg)", "none left", "none left"),
    ],
)
def test_a_number_has_the_unit_of_its_column(column: str, value: str, told: str) -> None:
    assert with_unit(column, value) == told


def row(start: int, end: int, **fields: str) -> Hit:
    fact = Fact(tuple(fields.items()), day_number(start), day_number(end), Granularity.YEAR)
    return hit(f"{start}", ["It was so."], start, fact=fact)


def test_remarks_are_no_names() -> None:
    rows = [
        row(2001, 2001, event="Owners' meeting", about="Torgeir gives up being spokesman, and Ida takes it."),
        row(2002, 2002, event="Painting week", about="Was to be in May, but the paint came too late."),
    ]
    assert [holds_prose(rows, name) for name in ("event", "about")] == [False, True]
    assert candidate_columns(rows, Wants.NAME) == {"event"}
    assert candidate_columns(rows, Wants.COLUMN) == {"event", "about"}


def test_several_rows_may_be_about_one_year() -> None:
    years = [(2001, 2002), (2002, 2003), (2003, 2004)]
    posts = [row(*year, post=post) for year in years for post in ("chair", "clerk")]
    assert is_periodic(posts)
    assert not is_periodic([*posts, row(2001, 2009, post="chair")])
