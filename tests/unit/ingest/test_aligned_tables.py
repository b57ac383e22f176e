"""Tables without rules: in plain text, by columns of spaces or tabs."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_time import assert_linear
from unit.ingest.conftest import read, read_one

from timelens.ingest.aligned_tables import AlignedTable, Word, aligned_tables
from timelens.ingest.plain_tables import plain_tables

OFFICERS = """\
Officers of the club
--------------------

Year   Chair        Treasurer    Fee   Notes
----   -----        ---------    ---   -----
2014   Ann Pike     Bo Lund      £12   founded in the
                                       old school
2015   Ann Pike     Cy Marsh     £12
2016   Dee Frost    Cy Marsh     £14   fees raised

We meet on Mondays.  Bring your own cup.
It is in the hall.   Come early.
"""


def tables(text: str) -> list[AlignedTable]:
    return list(aligned_tables([words(line) for line in text.split("\n")]))


def words(line: str) -> list[Word]:
    return [Word(word.start(), word.end(), word[0]) for word in re.finditer(r"\S+", line)]


def test_columns_of_spaces_are_a_table() -> None:
    (table,) = tables(OFFICERS)
    assert table.rows == (
        ("Year", "Chair", "Treasurer", "Fee", "Notes"),
        ("2014", "Ann Pike", "Bo Lund", "£12", "founded in the old school"),
        ("2015", "Ann Pike", "Cy Marsh", "£12", ""),
        ("2016", "Dee Frost", "Cy Marsh", "£14", "fees raised"),
    )
    assert table.has_dates


def test_periods_without_names_of_columns_lose_no_row(tmp_path: Path) -> None:
    text = "Chairs of the club\n\n1998-2003  Ida Moss\n2003-2007  Rolf Tree\n2007-2015  Sue Bark\n"
    document = read_one(tmp_path / "chairs.txt", text)
    assert (document.facts, document.text) == ((), text)


def test_spaces_within_cells_separate_no_columns() -> None:
    (table,) = tables(
        "Year  Tenant                 Rent\n"
        "2014  Ann Pike                610\n"
        "2015  Cy Marsh and Bo Lund    625\n"
        "2016  Dee Frost               650\n"
    )
    assert table.rows[2] == ("2015", "Cy Marsh and Bo Lund", "625")
    assert {len(row) for row in table.rows} == {3}


def test_numbers_may_stand_to_the_right_of_their_name() -> None:
    (table,) = tables("Year  Fee      Paid\n2014         5   12\n2015        15    9\n")
    assert table.rows == (("Year", "Fee", "Paid"), ("2014", "5", "12"), ("2015", "15", "9"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "One line.  Another sentence.",
        "He came.  She went.\nIt rained all day long, and they stayed.\nThey left.  It was over by then.\n",
        "Year   Fee\n2014   12\n",
        "---  ---\n---  ---\n---  ---\n---  ---\n",
    ],
)
def test_texts_are_no_tables(text: str) -> None:
    assert not [table for table in tables(text) if table.has_dates]


def test_a_text_file_with_a_table_is_facts_and_text(tmp_path: Path) -> None:
    (table, text), failures = read(tmp_path / "club.txt", OFFICERS)
    assert failures == []
    assert (table.title, len(table.facts)) == ("club: Officers of the club", 3)
    assert table.facts[0].period == "in 2014"
    assert text.text.split("\n")[-3:] == [
        "We meet on Mondays.  Bring your own cup.",
        "It is in the hall.   Come early.",
        "",
    ]
    assert "Treasurer" not in text.text


def test_a_table_below_a_paragraph_is_named_after_the_first_line(tmp_path: Path) -> None:
    table = "Year  Fee\n2014  12\n2015  13\n2016  14\n"
    found, _ = read(tmp_path / "a.txt", f"Fees of the club\n\nThey are paid in May.\n\n{table}")
    assert found[0].title == "a: Fees of the club"
    found, _ = read(tmp_path / "b.txt", f"They are paid in May.\n\n{table}")
    assert found[0].title == "b"


def test_tabs_begin_columns() -> None:
    (table,) = plain_tables(
        "Date\tWho\tKey\tNote\n"
        "1 May 2019\tAnn\tcellar\t\n"
        "3 June 2019\tBo\t\tlost on the way home\n"
        "4 June 2019\tCy\n"
    )
    assert [row for _, row in table.rows] == [
        ("Date", "Who", "Key", "Note"),
        ("1 May 2019", "Ann", "cellar", ""),
        ("3 June 2019", "Bo", "", "lost on the way home"),
        ("4 June 2019", "Cy", "", ""),
    ]


def test_tabs_that_only_align_are_spaces() -> None:
    (table,) = plain_tables(
        "Year\t\tChair\t\tFee\n2014\t\tAnn\t\t12\n2015\t\tBartholomew\t14\n2016\t\tAnn\t\t15"
    )
    assert [row for _, row in table.rows][2] == ("2015", "Bartholomew", "14")


def test_a_diary_with_wide_spaces_stays_text(tmp_path: Path) -> None:
    diary = "2019-03-04  Rain all day.\n2019-03-05  Sun, and lambs.\n2019-03-06  Frost.\n2019-03-07  Fog.\n"
    assert read_one(tmp_path / "diary.txt", diary).text == diary


@given(st.lists(st.lists(st.sampled_from(["a", "2014", "  ", "   ", " ", "bcd", "-", "\n"])), max_size=12))
def test_each_word_of_a_table_is_in_one_cell(lines: list[list[str]]) -> None:
    placed = [words("".join(line)) for line in lines]
    end = 0
    for table in aligned_tables(placed):
        assert end <= table.first < table.end <= len(placed)
        end = table.end
        assert isinstance(table.has_dates, bool)
        assert len({len(row) for row in table.rows}) == 1
        inside = [[word.text for word in line] for line in placed[table.first : table.end]]
        held = [word for line in inside if any(word.strip("-") for word in line) for word in line]
        told = "".join(cell for row in table.rows for cell in row).replace(" ", "")
        assert sorted(told) == sorted("".join(held))  # a word may go on behind a hyphen


@pytest.mark.parametrize("line", ["2014   Ann   12\n", "a  b\n  c\n", "x\n", "\ta\tb\n"])
def test_the_time_is_linear(line: str) -> None:
    assert_linear(lambda lines: list(plain_tables(line * lines)), 500, 5_000)


def test_the_time_is_linear_in_the_columns() -> None:
    assert_linear(lambda columns: list(plain_tables(("2014  " * columns + "\n") * 5)), 1_000, 10_000)
