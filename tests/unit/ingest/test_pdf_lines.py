"""Paragraphs of PDF: the space between lines and their fonts tell them."""

from pathlib import Path

from drawn_tables import pdf_of, text_at
from hypothesis import given
from hypothesis import strategies as st
from unit.ingest.conftest import read_one

from timelens.ingest.entries import entries
from timelens.ingest.pdf_lines import Heading, Line, Piece, lines_of, parts_of
from timelens.temporal.conventions import USUAL
from timelens.temporal.phrasing import phrase

BODY, BOLD, LARGE = ("Serif", 10.0), ("Serif-Bold", 10.0), ("Serif-Bold", 18.0)
DAYS = ["4 November 2013", "14 March 2017", "18 June 2019"]


def lines(*placed: tuple[float, str, set[tuple[str, float]]]) -> list[Line]:
    return [Line(text, height, fonts) for height, text, fonts in placed]


def paragraphs(*placed: tuple[float, str, set[tuple[str, float]]]) -> list[str]:
    parts = parts_of(lines(*placed))
    return "\n\n".join(part if isinstance(part, str) else part.text for part in parts).split("\n\n")


def test_lines_further_apart_than_usual_are_of_two_paragraphs() -> None:
    heights = (700, 688, 676, 658, 646)
    found = paragraphs(*((height, f"line {height}", {BODY}) for height in heights))
    assert found == ["line 700\nline 688\nline 676", "line 658\nline 646"]


def test_equal_space_everywhere_tells_no_paragraph() -> None:
    assert len(paragraphs(*((700 - 24 * n, f"line {n}", {BODY}) for n in range(6)))) == 1


def test_few_lines_do_not_show_what_is_usual() -> None:
    assert len(paragraphs((700, "one", {BODY}), (688, "two", {BODY}), (600, "three", {BODY}))) == 1


def test_a_line_in_another_font_is_a_heading() -> None:
    assert paragraphs((700, "Fees", {BOLD}), (688, "They rose.", {BODY})) == ["Fees", "They rose."]


def test_headings_are_larger_or_bolder_than_the_text() -> None:
    body = [(700 - 12 * n, f"line {n}", {BODY}) for n in range(4)]
    found = parts_of(lines((760, "The club", {LARGE}), (720, "Fees", {BOLD}), *body))
    assert found == [Heading("The club"), Heading("Fees"), "line 0\nline 1\nline 2\nline 3"]


def test_small_print_is_no_heading() -> None:
    body = [(700 - 12 * n, f"line {n}", {BODY}) for n in range(4)]
    assert len(parts_of(lines(*body, (640, "printed in May", {("Serif-Bold", 7.0)})))) == 1


def test_a_word_in_bold_begins_no_paragraph() -> None:
    body = (700, "They rose in", {BODY}), (688, "May again.", {BODY, BOLD}), (676, "Nobody left.", {BODY})
    assert len(paragraphs(*body)) == 1


def test_the_lines_of_a_large_heading_stay_together() -> None:
    heading = (760, "Fifty years of", {LARGE}), (738, "the club", {LARGE})
    body = ((700 - 12 * n, f"line {n}", {BODY}) for n in range(4))
    assert paragraphs(*heading, *body)[0] == "Fifty years of the club"


def test_the_top_of_a_column_begins_no_paragraph() -> None:
    left = [(700 - 12 * n, f"left {n}", {BODY}) for n in range(4)]
    assert len(paragraphs(*left, (700, "right", {BODY}))) == 1


def test_pieces_of_a_line_stand_in_one_line() -> None:
    pieces = [Piece("The ", 700, "Serif", 10), Piece("club", 700, "Serif-Bold", 10), Piece("\n", 0, "", 12)]
    first, last = lines_of([*pieces, Piece("met.", 688, "Serif", 10)])
    assert first == Line("The club", 700, {BODY, BOLD})
    assert last == Line("met.", 688, {BODY})


@given(
    st.lists(
        st.tuples(st.floats(0, 800), st.text(st.characters(exclude_categories=("C", "Z")), min_size=1)),
        max_size=20,
    )
)
def test_no_line_is_lost(placed: list[tuple[float, str]]) -> None:
    text = "\n".join(map(str, parts_of([Line(line, height, {BODY}) for height, line in placed])))
    assert [line for line in text.split("\n") if line] == [line for _, line in placed]


def test_the_dates_above_the_letters_of_a_pdf_date_them(tmp_path: Path) -> None:
    drawn, height = "", 800.0
    for day, dose in zip(DAYS, (5, 10, 50), strict=True):
        drawn += text_at(50, height, f"Thorn Surgery, {day}")
        letter = "Dear Mr Lund,", "thank you for your readings.", f"You take {dose} mg from today.", "J. Pike"
        for line in letter:
            height -= 12 if line != letter[0] else 18
            drawn += text_at(50, height, line)
        height -= 26
    document = read_one(tmp_path / "letters.pdf", pdf_of(drawn))
    told = [part.split("\n")[0] for part in document.text.split("\n\n")]
    assert told == [text for day in DAYS for text in (f"Thorn Surgery, {day}", "Dear Mr Lund,")]
    assert [phrase(entry.time) for entry in entries(document, USUAL)] == DAYS
