"""What the names of columns tell of their values."""

import pytest

from timelens.answer.tables.columns import with_unit


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
