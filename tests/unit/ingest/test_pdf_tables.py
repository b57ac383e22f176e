"""Tables in PDF: those with dates are facts, the cells of others stand together in the text."""

from pathlib import Path

import pytest
from drawn_tables import pdf_of, table_at, text_at
from unit.ingest.conftest import read, read_one

from timelens.documents import Document
from timelens.ingest import pdf

OFFICERS = [
    ["Year", "Chair", "Notes"],
    ["2014", "Ann Pike", "founded in the\nold school"],
    ["2015", "Bo Lund", ""],
    ["2016", "Bo Lund", "fees were\nraised"],
]


def documents(path: Path, content: bytes) -> list[Document]:
    found, failures = read(path, content)
    assert failures == []
    return found


def rows(document: Document) -> list[tuple[str, ...]]:
    return [(fact.period, *(value for _, value in fact.fields)) for fact in document.facts]


def test_a_ruled_table_with_dates_is_a_document_of_facts_beside_its_text(tmp_path: Path) -> None:
    above = text_at(50, 780, "The club was founded in 2014.") + text_at(50, 760, "Officers")
    below = text_at(50, 600, "Printed in May.")
    table, text = documents(tmp_path / "club.pdf", pdf_of(above + table_at(740, OFFICERS) + below))
    assert (table.id, table.title) == ("club.pdf#table-1", "club: Officers")
    assert rows(table) == [
        ("in 2014", "Ann Pike", "founded in the old school"),
        ("in 2015", "Bo Lund", ""),
        ("in 2016", "Bo Lund", "fees were raised"),
    ]
    assert [mark.place for mark in table.places] == ["row 2", "row 3", "row 4"]
    assert text.text.split() == "The club was founded in 2014. Officers Printed in May.".split()
    assert [mark.place for mark in text.places] == ["page 1"]


def test_a_table_below_a_sentence_is_named_after_its_section(tmp_path: Path) -> None:
    section = "BT /F1 18 Tf 50 780 Td (Officers) Tj ET\n" + text_at(50, 760, "They are elected in May.")
    more = text_at(50, 600, "The table was made in 2017.") + text_at(50, 588, "It lists all of them.")
    content = pdf_of(text_at(50, 810, "The club.") + section + table_at(740, OFFICERS) + more)
    table, text = documents(tmp_path / "club.pdf", content)
    assert table.title == "club: Officers"
    assert [mark.label for mark in text.places] == ["page 1", "Officers, page 1"]


def test_a_text_below_a_table_is_on_the_page_of_the_table(tmp_path: Path) -> None:
    pages = text_at(50, 780, "It began."), table_at(740, OFFICERS) + text_at(50, 600, "It ended.")
    _, text = documents(tmp_path / "club.pdf", pdf_of(*pages))
    assert text.text == "It began.\n\nIt ended."
    assert [(mark.offset, mark.place) for mark in text.places] == [(0, "page 1"), (9, "page 2")]


def test_the_cells_of_a_table_without_dates_stand_in_one_line(tmp_path: Path) -> None:
    stock = [["Thing", "Room"], ["long\nladder", "cellar"], ["kettle", "kitchen"]]
    document = read_one(tmp_path / "stock.pdf", pdf_of(text_at(50, 780, "Stock") + table_at(740, stock)))
    assert document.text == "Stock\n\nThing | Room\nlong ladder | cellar\nkettle | kitchen"


def test_a_cell_that_covers_several_rows_counts_in_each(tmp_path: Path) -> None:
    charges = [
        ["Year", "Boat", "Charge"],
        ["2015", "barge", "12"],
        ["^", "punt", "5"],
        ["2016", "barge", "14"],
    ]
    (table,) = documents(tmp_path / "charges.pdf", pdf_of(table_at(740, charges)))
    assert rows(table) == [("in 2015", "barge", "12"), ("in 2015", "punt", "5"), ("in 2016", "barge", "14")]


def test_rows_without_rules_between_shaded_ones_have_their_cells(tmp_path: Path) -> None:
    header, *posts = [["Post", "Name", "From"], *([f"Post {n}", f"Ann {n}", f"May 201{n}"] for n in range(6))]
    plain = "".join(table_at(740 - 16 * (2 * n + 2), [posts[2 * n + 1]], ruled=False) for n in range(3))
    shaded = "".join(table_at(740 - 16 * (2 * n + 1), [posts[2 * n]]) for n in range(3))
    frame = "50 628 m 410 628 l S 50 740 m 50 628 l S 410 740 m 410 628 l S\n"
    (table,) = documents(tmp_path / "a.pdf", pdf_of(table_at(740, [header]) + shaded + plain + frame))
    assert rows(table) == [(f"in May 201{n}", f"Post {n}", f"Ann {n}") for n in range(6)]


def test_a_title_over_all_columns_is_part_of_the_name(tmp_path: Path) -> None:
    title = text_at(60, 744, "Officers of the club since 2014") + "50 740 m 50 756 l 410 756 l 410 740 l S\n"
    (table,) = documents(tmp_path / "club.pdf", pdf_of(title + table_at(740, OFFICERS)))
    assert (table.title, len(table.facts)) == ("club: Officers of the club since 2014", 3)


def test_a_word_that_runs_over_a_rule_stays_whole(tmp_path: Path) -> None:
    meter = [["Day", "Reading"], ["Sunday 16 September 2018", " " * 9 + "104"], ["2 May 2021", "117"]]
    (table,) = documents(tmp_path / "meter.pdf", pdf_of(table_at(740, meter)))
    assert rows(table) == [("on 16 September 2018", "104"), ("on 2 May 2021", "117")]


def test_a_table_goes_on_from_page_to_page(tmp_path: Path) -> None:
    header, *entries = [
        ["Date", "Keeper", "Remark"],
        *([f"{day} May 2018", "Ann", "Fog"] for day in range(1, 7)),
    ]
    entries[2][2] = "Gate stuck"
    pages = (
        text_at(50, 800, "Duty log") + table_at(780, [header, *entries[:3]]) + text_at(50, 30, "Lock Trust"),
        text_at(50, 800, "Lock Trust") + table_at(780, [header, ["", "", "for hours"], entries[3]]),
        table_at(780, entries[4:]) + text_at(50, 700, "Signed by the clerk."),
    )
    table, text = documents(tmp_path / "log.pdf", pdf_of(*pages))
    assert [row[0] for row in rows(table)] == [f"on {day} May 2018" for day in range(1, 7)]
    assert rows(table)[2] == ("on 3 May 2018", "Ann", "Gate stuck for hours")
    assert text.text.split("\n") == ["Duty log", "", "Lock Trust", "Lock Trust", "Signed by the clerk."]


def test_tables_with_other_columns_are_apart(tmp_path: Path) -> None:
    fees = [["Year", "Fee"], ["2014", "12"], ["2015", "13"]]
    first, second = documents(tmp_path / "a.pdf", pdf_of(table_at(740, OFFICERS), table_at(740, fees)))
    assert (len(first.facts), len(second.facts)) == (3, 2)


def test_a_table_without_rules_is_found_by_its_columns(tmp_path: Path) -> None:
    hours = [["Date", "Warden", "Hours"], *([f"2019-01-{day:02}", "Ann Pike", "6"] for day in range(7, 11))]
    prose = text_at(
        50, 780, "The wardens write down their hours at the end of each day, in the book at the gate."
    )
    table, text = documents(tmp_path / "hours.pdf", pdf_of(prose + table_at(740, hours, ruled=False)))
    assert rows(table)[0] == ("on 7 January 2019", "Ann Pike", "6")
    assert len(table.facts) == 4
    assert text.text.startswith("The wardens")
    assert "2019" not in text.text


def test_texts_in_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"In {year} the band played in the hall of" for year in range(2001, 2009)]
    right = [f"the school, and in {year} it stayed away" for year in range(2011, 2019)]
    columns = ((50, left), (320, right))
    page = "".join(text_at(x, 780 - 14 * n, line) for x, lines in columns for n, line in enumerate(lines))
    assert read_one(tmp_path / "paper.pdf", pdf_of(page)).text == "\n".join([*left, *right])


@pytest.mark.parametrize(
    "drawing",
    [
        " ".join(f"{x} 10 m {x} 800 l S 10 {x} m 580 {x} l S" for x in range(10, 580, 4)),  # paper of a plot
        "50 50 400 400 re S 60 60 20 20 re S 90 60 20 20 re S 60 90 20 20 re S",  # boxes without texts
        "q 1 0 0 1 m Q [1 2] l re 1 re",  # broken operations
    ],
)
def test_other_drawings_are_no_tables(tmp_path: Path, drawing: str) -> None:
    page = text_at(50, 810, "It opened in 2015.") + drawing
    assert read_one(tmp_path / "a.pdf", pdf_of(page)).text == "It opened in 2015."


def test_what_is_not_searched_for_tables_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_MOST_SEARCHED", 1)
    content = pdf_of(*(table_at(740, OFFICERS) + text_at(50, 500, "End.") for _ in range(3)))
    found, (failure,) = read(tmp_path / "a.pdf", content)
    assert len(found) == 2
    assert failure.partial
    assert failure.error == "tables on 2 of its pages, from page 2, are read as text"


def test_a_page_that_the_search_cannot_read_stays_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pdfplumber

    def broken(*_: object, **__: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(pdfplumber.page.Page, "find_tables", broken)
    assert "Bo Lund" in read_one(tmp_path / "a.pdf", pdf_of(table_at(740, OFFICERS))).text


def test_a_protected_file_that_anybody_may_open_is_searched(tmp_path: Path) -> None:
    from io import BytesIO

    from made_pdf import written
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf_of(table_at(740, OFFICERS)))))
    writer.encrypt("", "secret", algorithm="AES-256")
    (table,) = documents(tmp_path / "a.pdf", written(writer))
    assert len(table.facts) == 3
