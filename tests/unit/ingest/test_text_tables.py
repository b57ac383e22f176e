"""Tables with dates in web pages and office files: facts, each table a document beside the text around it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_files import make_docx, make_epub, make_odf, make_pptx
from unit.ingest.conftest import NO_COLUMNS, read, read_one

from timelens.documents import Document, Mark
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_tables import Cell, MixedText, TextTable, grid, separated

SOURCE = SourceFile(Path("a.html"), "a.html")
NAMES, MUIR, PETRIE = ("Name", "From", "To"), ("A. Muir", "1978", "1991"), ("J. Petrie", "1992", "present")


def of_html(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def of_word(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def of_odf(*rows: tuple[str, ...]) -> str:
    cells = (
        "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        for row in rows
    )
    lines = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    return f"<table:table>{lines}</table:table>"


def of_slides(*rows: tuple[str, ...]) -> str:
    cells = ("".join(slide_cell(cell) for cell in row) for row in rows)
    return f"<a:tbl>{''.join(f'<a:tr>{row}</a:tr>' for row in cells)}</a:tbl>"


def slide_cell(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"


def word_line(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


FILES: dict[str, str | bytes] = {
    "a.html": (
        "<title>The kirk</title><h1>The kirk</h1><p>Copied.</p><h2>Ministers</h2>"
        f"{of_html(NAMES, MUIR, PETRIE)}<h2>Roof</h2><p>It leaks.</p>"
    ),
    "a.docx": make_docx(
        [],
        title="The kirk",
        body=word_line("The kirk", "Heading1")
        + word_line("Copied.")
        + word_line("Ministers", "Heading2")
        + of_word(NAMES, MUIR, PETRIE)
        + word_line("Roof", "Heading2")
        + word_line("It leaks."),
    ),
    "a.odt": make_odf(
        "<text:h>The kirk</text:h><text:p>Copied.</text:p><text:h>Ministers</text:h>"
        f"{of_odf(NAMES, MUIR, PETRIE)}<text:h>Roof</text:h><text:p>It leaks.</text:p>",
        title="The kirk",
    ),
    "a.epub": make_epub(
        [
            "<h1>The kirk</h1><p>Copied.</p>",
            f"<h2>Ministers</h2>{of_html(NAMES, MUIR, PETRIE)}<h2>Roof</h2><p>It leaks.</p>",
        ],
        title="The kirk",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_table_with_dates_is_a_document_of_facts_beside_its_text(tmp_path: Path, name: str) -> None:
    (table, text), failures = read(tmp_path / name, FILES[name])
    assert failures == []
    assert (table.id, table.title, table.text) == (f"{name}#table-1", "The kirk: Ministers", "")
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Name", "A. Muir"),), "from 1978 to 1991"),
        ((("Name", "J. Petrie"),), "since 1992"),
    ]
    assert [mark.place for mark in table.places] == ["row 2", "row 3"]
    assert (text.id, text.facts) == (name, ())
    assert text.text == "The kirk\n\nCopied.\n\nRoof\n\nIt leaks."
    assert [(mark.place, text.text[mark.offset :].split("\n")[0]) for mark in text.places] == [
        ("", "The kirk"),
        ("Roof", "Roof"),
    ]


ONLY_TABLES: dict[str, str | bytes] = {
    "a.html": f"<h1>Ministers</h1>{of_html(NAMES, MUIR, PETRIE)}",
    "a.docx": make_docx([("Heading1", "Ministers")], body=of_word(NAMES, MUIR, PETRIE)),
    "a.odt": make_odf(f"<text:h>Ministers</text:h>{of_odf(NAMES, MUIR, PETRIE)}"),
}


@pytest.mark.parametrize("name", ONLY_TABLES)
def test_a_file_that_is_only_a_table_is_one_document(tmp_path: Path, name: str) -> None:
    table = read_one(tmp_path / name, ONLY_TABLES[name])
    assert (table.id, len(table.facts)) == (f"{name}#table-1", 2)


OPEN_SLIDE = "<draw:frame presentation:class='title'><text:p>Ministers</text:p></draw:frame>{}"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.pptx",
            make_pptx([("Ministers", [])], title="The kirk", drawn=of_slides(NAMES, MUIR, PETRIE)),
        ),
        (
            "a.odp",
            make_odf(
                f"<draw:page>{OPEN_SLIDE.format(of_odf(NAMES, MUIR, PETRIE))}</draw:page>",
                kind="presentation",
                title="The kirk",
            ),
        ),
    ],
)
def test_the_table_of_a_slide_has_the_title_of_the_slide(tmp_path: Path, name: str, content: bytes) -> None:
    (table, text), failures = read(tmp_path / name, content)
    assert failures == []
    assert (table.id, table.title, len(table.facts)) == (f"{name}#table-1", "The kirk: Ministers", 2)
    assert (text.text.strip(), [mark.place for mark in text.places]) == ("Ministers", ["slide 1"])


def test_slides_merge_cells(tmp_path: Path) -> None:
    rows = (
        slide_cell("Year") + slide_cell("Post") + slide_cell("Name"),
        slide_cell("2001", 'rowSpan="2"') + slide_cell("Chair") + slide_cell("Ada"),
        slide_cell("", 'vMerge="1"') + slide_cell("Vacant", 'gridSpan="2"') + slide_cell("", 'hMerge="1"'),
    )
    drawn = f"<a:tbl>{''.join(f'<a:tr>{row}</a:tr>' for row in rows)}</a:tbl>"
    table = read_one(tmp_path / "a.pptx", make_pptx([("", [])], drawn=drawn))
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Post", "Chair"), ("Name", "Ada")), "in 2001"),
        ((("Post", "Vacant"), ("Name", "Vacant")), "in 2001"),
    ]


WITHOUT_DATES = (("Name", "Colour"), ("Ada", "red"), ("Bob", "blue"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", of_html(*WITHOUT_DATES)),
        ("a.docx", make_docx([], body=of_word(*WITHOUT_DATES))),
        ("a.odt", make_odf(of_odf(*WITHOUT_DATES))),
        ("a.epub", make_epub([of_html(*WITHOUT_DATES)])),
        ("a.pptx", make_pptx([("Colours", [])], drawn=of_slides(*WITHOUT_DATES))),
        ("b.html", of_html(MUIR, PETRIE)),
    ],
)
def test_a_table_without_dates_or_without_names_stays_text(
    tmp_path: Path, name: str, content: str | bytes
) -> None:
    document = read_one(tmp_path / name, content)
    assert document.facts == ()
    assert " | " in document.text


def test_rows_that_cannot_be_read_are_listed(tmp_path: Path) -> None:
    late = ("K. Rae", "spring", "1999")
    (table,), (failure,) = read(tmp_path / "a.html", of_html(NAMES, MUIR, PETRIE, late))
    assert len(table.facts) == 2
    assert (failure.path, failure.partial) == ("a.html table 1 row 4", True)


def test_a_cell_over_several_rows_counts_in_each(tmp_path: Path) -> None:
    page = (
        "<table><tr><th>Year<th>Post<th>Name<tr><td rowspan=2>2001<td>Chair<td>Ada"
        "<tr><td>Clerk<td>Bob<tr><td>2002<td>Chair<td>Cid</table>"
    )
    table = read_one(tmp_path / "a.html", page)
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Post", "Chair"), ("Name", "Ada")), "in 2001"),
        ((("Post", "Clerk"), ("Name", "Bob")), "in 2001"),
        ((("Post", "Chair"), ("Name", "Cid")), "in 2002"),
    ]


def test_word_merges_cells(tmp_path: Path) -> None:
    def cell(text: str, *properties: str) -> str:
        return f"<w:tc><w:tcPr>{''.join(properties)}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"

    rows = (
        cell("Year") + cell("Post") + cell("Name"),
        cell("2001", '<w:vMerge w:val="restart"/>') + cell("Chair") + cell("Ada"),
        cell("", "<w:vMerge/>") + cell("Vacant", '<w:gridSpan w:val="2"/>'),
    )
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    table = read_one(tmp_path / "a.docx", make_docx([], body=body))
    assert [(fact.fields, fact.period) for fact in table.facts] == [
        ((("Post", "Chair"), ("Name", "Ada")), "in 2001"),
        ((("Post", "Vacant"), ("Name", "Vacant")), "in 2001"),
    ]


@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "x", ""])
def test_an_absurd_number_of_covered_cells_is_one(tmp_path: Path, number: str) -> None:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="{number}"/></w:tcPr>'
    word = make_docx([], body=of_word(NAMES, MUIR, PETRIE).replace("<w:tc>", cell))
    spanned = f'<table:table-cell table:number-columns-spanned="{number}">'
    odf = make_odf(of_odf(NAMES, MUIR, PETRIE).replace("<table:table-cell>", spanned))
    for name, content in (("a.docx", word), ("a.odt", odf)):
        assert len(read_one(tmp_path / name, content).facts) == 2


def test_the_notes_of_a_table_stay_in_the_text(tmp_path: Path) -> None:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    notes = (
        f'<w:footnotes xmlns:w="{space}"><w:footnote w:id="2"><w:p><w:r><w:t>Resigned.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    body = of_word(NAMES, MUIR, PETRIE).replace(
        "<w:t>A. Muir</w:t>", '<w:t>A. Muir</w:t><w:footnoteReference w:id="2"/>'
    )
    word, _ = read(tmp_path / "a.docx", make_docx([], body=body, parts={"word/footnotes.xml": notes}))
    noted = "<text:note><text:note-body><text:p>Resigned.</text:p></text:note-body></text:note>"
    body = of_odf(NAMES, MUIR, PETRIE).replace("A. Muir", f"A. Muir{noted}")
    odf, _ = read(tmp_path / "a.odt", make_odf(body))
    for documents in (word, odf):
        assert [document.text for document in documents] == ["", "Resigned."]
        assert len(documents[0].facts) == 2


def test_a_table_around_others_is_their_layout(tmp_path: Path) -> None:
    inner = of_html(NAMES, MUIR, PETRIE)
    around = f"<table><tr><td>Year<td>Text</tr><tr><td>2001<td>Ministers: {inner}</tr></table>"
    page = f"{around}<div hidden>{inner}</div>"
    table, text = read(tmp_path / "a.html", page)[0]
    assert len(table.facts) == 2
    assert "2001 | Ministers:" in text.text


def test_a_table_in_a_cell_of_an_open_document_is_read_once(tmp_path: Path) -> None:
    inner = f"</text:p>{of_odf(('inner', 'y'))}<text:p>"
    document = read_one(tmp_path / "a.odt", make_odf(of_odf(("x", inner))))
    assert document.text == "x | inner y"


@pytest.mark.parametrize(
    ("cells", "laid"),
    [
        ([[Cell("a"), Cell("b")], [Cell("c"), Cell("d")]], [["a", "b"], ["c", "d"]]),
        ([[Cell("a", 2), Cell("b")], [Cell("c")]], [["a", "a", "b"], ["c"]]),
        ([[Cell("a", down=3), Cell("b")], [Cell("c")], [Cell("d")]], [["a", "b"], ["a", "c"], ["a", "d"]]),
        ([[Cell("b"), Cell("a", down=2)], [Cell("c")], [Cell("d")]], [["b", "a"], ["c", "a"], ["d"]]),
        ([[Cell("a", 0, 0)], [Cell("b")]], [["a"], ["b"]]),
    ],
)
def test_cells_are_laid_in_a_grid(cells: list[list[Cell]], laid: list[list[str]]) -> None:
    assert [row for _, row in grid(cells)] == laid


def test_a_cell_over_very_many_columns_takes_no_memory() -> None:
    assert len(grid([[Cell("a", 10**9)]])[0][1]) == 1_000


@given(st.data())
def test_what_is_left_out_is_the_tables_alone(data: st.DataObject) -> None:
    """Texts of headings, tables and paragraphs: the rest keeps its text, and each heading its place.

    A heading with nothing but a table below it goes with the table.
    """
    kinds = data.draw(st.lists(st.sampled_from(["heading", "table", "text"]), max_size=8))
    text, marks, tables = "", list[Mark](), list[TextTable]()
    rows = ((1, NAMES), (2, MUIR), (3, PETRIE))
    for at, kind in enumerate(kinds):
        block = f"{kind} {at}\n\n"
        if kind == "heading":
            marks.append(Mark(len(text), block.strip()))
        elif kind == "table":
            tables.append(TextTable("", len(text), len(text) + len(block), rows))
        text += block
    cut = {
        at
        for at, kind in enumerate(kinds)
        if kind == "heading"
        and kinds[at + 1 : at + 2] == ["table"]
        and kinds[at + 2 : at + 3] in ([], ["heading"])
    }
    left = [(at, kind) for at, kind in enumerate(kinds) if kind != "table" and at not in cut]
    parted = separated(SOURCE, MixedText(text, tuple(marks), tuple(tables)), "Title", NO_COLUMNS)
    assert parted.text == "".join(f"{kind} {at}\n\n" for at, kind in left)
    places = {mark.place: mark.offset for mark in reversed(parted.marks) if mark.place}
    assert list(places) == [f"heading {at}" for at, kind in reversed(left) if kind == "heading"]
    assert all(parted.text[offset:].startswith(place) for place, offset in places.items())
    assert len([one for one in parted.tables if isinstance(one, Document)]) == kinds.count("table")
    assert parted.is_only_tables == ("table" in kinds and "text" not in kinds)
