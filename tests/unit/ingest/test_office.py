import re
from pathlib import Path

import pytest
from made_files import make_docx, make_epub, make_odf, make_odt, make_pptx, make_rtf, word_paragraph, zipped
from unit.ingest.conftest import day, read, read_one, refused

from timelens.documents import Document, Mark
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import rtf, zip_packages
from timelens.ingest.annotate import annotate
from timelens.temporal.interval import Interval, year_interval

CREATED, MODIFIED = "2015-05-04T10:00:00Z", "2019-01-02T10:00:00Z"
HEADED = [
    ("Heading1", "Fees & rents"),
    ("", "It paid <5> in 2014."),
    ("Heading2", "Ferry"),
    ("", "It closed."),
]
TEXT = "Fees & rents\n\nIt paid <5> in 2014.\n\nFerry\n\nIt closed."
PLACES = (Mark(0, "Fees & rents"), Mark(36, "Ferry"))


# Word


def test_a_word_document(tmp_path: Path) -> None:
    document = read_one(tmp_path / "a.docx", make_docx(HEADED, title="Minutes", created=CREATED))
    assert (document.id, document.title, document.text) == ("a.docx", "Minutes", TEXT)
    assert (document.published, document.published_source) == (day(2015, 5, 4), "document created")
    assert document.places == PLACES


def test_word_writes_more_than_runs_of_text(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>1990</w:t><w:noBreakHyphen/><w:t>1995</w:t><w:tab/><w:t>Chair</w:t><w:br/>"
        "<w:t>x</w:t></w:r>"
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t> added</w:t></w:r></w:ins></w:p>"
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a field.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        '<w:p><w:fldSimple w:instr="DATE"><w:r><w:t>4 May 2015</w:t></w:r></w:fldSimple>'
        '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Ann</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc>"
        "<w:tc><w:p><w:r><w:t>2011</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        '<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr><w:r><w:t>Based on a heading</w:t></w:r></w:p>'
        '<w:p><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></mc:Choice>"
        "<mc:Fallback><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></mc:Fallback>"
        "</mc:AlternateContent></w:p>"
    )
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    notes = (
        f'<w:footnotes xmlns:w="{space}"><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    document = read_one(tmp_path / "a.docx", make_docx([], body=body, parts={"word/footnotes.xml": notes}))
    assert document.text.split("\n\n") == [
        "1990-1995\tChair\nx added",
        "In a field.",
        "4 May 2015",
        "A note.",
        "Ann | 2011",
        "Based on a heading",
        "In a box.",
    ]
    assert [mark.place for mark in document.places] == ["Based on a heading"]


def test_a_word_document_of_the_strict_form(tmp_path: Path) -> None:
    content = make_docx([("Heading1", "Head"), ("", "Text.")])
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {
            name: re.sub(
                r"http://schemas\.openxmlformats\.org/(\w+)/2006/(main|relationships)",
                r"http://purl.oclc.org/ooxml/\1/\2",
                archive.read(name).decode(),
            )
            for name in archive.namelist()
        }
    assert read_one(tmp_path / "a.docx", zipped(members)).text == "Head\n\nText."


# The day of a file


@pytest.mark.parametrize(
    ("created", "modified", "published", "source"),
    [
        (CREATED, MODIFIED, day(2015, 5, 4), "document created"),
        ("", MODIFIED, day(2019, 1, 2), "document modified"),
        ("2013-12-23T23:15:00Z", MODIFIED, day(2019, 1, 2), "document modified"),
        ("2013-12-23T23:15:00Z", "2013-12-23T23:15:00Z", None, None),
        ("", "", None, None),
    ],
)
def test_the_day_a_file_was_made_counts_and_that_of_a_template_does_not(
    tmp_path: Path, created: str, modified: str, published: Interval | None, source: str | None
) -> None:
    content = make_docx(HEADED, created=created, modified=modified)
    document = read_one(tmp_path / "a.docx", content)
    assert (document.published, document.published_source) == (published, source)


def test_the_day_in_the_name_counts_before_the_day_the_file_was_made(tmp_path: Path) -> None:
    document = read_one(tmp_path / "minutes-2008-12-16.docx", make_docx(HEADED, created=CREATED))
    assert (document.published, document.published_source) == (day(2008, 12, 16), "file name")


@pytest.mark.parametrize(
    ("lines", "published", "source"),
    [
        (["Minutes of 6 October 2021.", "The fee is 5."], day(2021, 10, 6), "first sentences"),
        (["The fee is 5.", "It was 4 in 2012."], day(2015, 5, 4), "document created"),
        (["4 May 2020: up.", "5 May 2020: down.", "6 May 2020: up again."], None, None),
    ],
)
def test_a_day_that_the_text_states_counts_before_the_day_the_file_was_made(
    tmp_path: Path, embedder: Embedder, lines: list[str], published: Interval | None, source: str | None
) -> None:
    content = make_docx([("", line) for line in lines], created=CREATED)
    document = annotate(read_one(tmp_path / "a.docx", content), embedder).document
    assert (document.published, document.published_source) == (published, source)


def test_a_day_that_is_none_is_reported_and_the_text_kept(tmp_path: Path) -> None:
    (document,), (failure,) = read(tmp_path / "a.docx", make_docx(HEADED, created="2015-02-31T00:00:00Z"))
    assert document.text == TEXT
    assert failure.partial
    assert "document created" in failure.error


# PowerPoint and OpenDocument


def test_the_slides_of_a_presentation_are_places(tmp_path: Path) -> None:
    content = make_pptx([("R&D", ["We spent 5."]), ("Plans", ["Close it in 2014."])], created=CREATED)
    document = read_one(tmp_path / "a.pptx", content)
    assert document.text == "R&D\n\nWe spent 5.\n\nPlans\n\nClose it in 2014."
    assert document.places == (Mark(0, "slide 1"), Mark(18, "slide 2"))
    assert document.published == day(2015, 5, 4)


def test_an_open_document_text(tmp_path: Path) -> None:
    document = read_one(tmp_path / "a.odt", make_odt(HEADED, title="Minutes", created=CREATED[:-1]))
    assert (document.title, document.text, document.places) == ("Minutes", TEXT, PLACES)
    assert (document.published, document.published_source) == (day(2015, 5, 4), "document created")


def test_open_document_writes_more_than_paragraphs(tmp_path: Path) -> None:
    body = (
        "<text:p>A<text:tab/>B<text:s/>C <text:span>D</text:span><text:line-break/>E<text:note>"
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>Note.</text:p></text:note-body>"
        "</text:note> tail</text:p><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>"
        "<table:table-cell><text:p>2011</text:p></table:table-cell></table:table-row></table:table>"
    )
    document = read_one(tmp_path / "a.odt", make_odf(body))
    assert document.text.split("\n\n") == ["A\tB C D\nE tail", "Note.", "item", "Ann | 2011"]
    slides = "".join(
        f"<draw:page><draw:text-box><text:p>Slide {n}.</text:p></draw:text-box></draw:page>" for n in (1, 2)
    )
    shown = read_one(tmp_path / "a.odp", make_odf(slides, kind="presentation"))
    assert shown.places == (Mark(0, "slide 1"), Mark(10, "slide 2"))


# E-books


def test_an_e_book(tmp_path: Path) -> None:
    chapters = [
        "<p>By A. &amp; B.</p>",
        "<h1>One</h1><p>Begun in <b>2001</b>.</p>",
        "<h2>Two</h2><p>End.</p>",
    ]
    dates = '<dc:date opf:event="modification">2020</dc:date>'
    dates += '<dc:date opf:event="publication">2015-05-04</dc:date>'
    document = read_one(tmp_path / "a.epub", make_epub(chapters, title="A book", dates=dates))
    assert document.text == "By A. & B.\n\nOne\n\nBegun in 2001.\n\nTwo\n\nEnd."
    assert document.places == (Mark(0, "section 1"), Mark(12, "One"), Mark(33, "Two"))
    assert (document.title, document.published, document.published_source) == (
        "A book",
        day(2015, 5, 4),
        "EPUB date",
    )
    assert read_one(tmp_path / "b.epub", make_epub(chapters, dates="<dc:date>1998</dc:date>")).published == (
        year_interval(1998)
    )


def test_an_encrypted_e_book_is_refused(tmp_path: Path) -> None:
    encrypted = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData><CipherData>'
        '<CipherReference URI="OEBPS/text/c%200.xhtml"/></CipherData></EncryptedData></encryption>'
    )
    content = make_epub(["<p>x</p>"], parts={"META-INF/encryption.xml": encrypted})
    assert "encrypted" in refused(tmp_path / "a.epub", content).message


# Rich text


def test_rich_text(tmp_path: Path) -> None:
    text = (
        r"{\pard\b Minutes\b0\par}The board\~met 1990\_1995 soft\-ly.\par{\header Head}It raised \'e9\u8364? "
        r"\ldblquote q\rdblquote  \endash  x.{\footnote A note.}\par "
        r"{\f1 \'cf\'f0} \u-10179?\u-8704?\line z\par "
        r"{\field{\*\fldinst HYPERLINK x}{\fldrslt linked}}{\*\generator G;}{\pict 0102}"
        r"\par\trowd\cellx1\intbl A\cell B\cell\row \{x\}"
    )
    info = r"{\title Minutes of May}{\creatim\yr2015\mo5\dy4\hr10}{\revtim\yr2019\mo1\dy2}"
    document = read_one(tmp_path / "a.rtf", make_rtf(text, info=info))
    assert document.text.split("\n\n") == [
        "Minutes",
        "The board met 1990-1995 softly.",
        "It raised é€ “q” – x.",
        "Пр 😀\nz",
        "linked",
        "A | B",
        "{x}",
        "A note.",
    ]
    assert (document.title, document.published) == ("Minutes of May", day(2015, 5, 4))
    assert document.published_source == "document created"


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        r"{\fonttbl" + r"{\f0 " * 100_000,
        r"\u8364?" * 100_000,
        r"\'e9" * 300_000,
        "\\" * 99_999,
    ],
)
def test_odd_rich_text_takes_no_time(tmp_path: Path, text: str) -> None:
    try:
        read(tmp_path / "a.rtf", make_rtf(text))
    except BadInputError as error:
        assert error.hint  # noqa: PT017 -- either is right


def test_binary_data_in_rich_text_is_not_read(tmp_path: Path) -> None:
    assert read_one(tmp_path / "a.rtf", make_rtf("Before {\\bin5 }}}}}after.")).text == "Before after."


# What is no such file


SUFFIXES = {
    ".docx": make_docx(HEADED),
    ".pptx": make_pptx([("A", ["b"])]),
    ".odt": make_odt(HEADED),
    ".epub": make_epub(["<p>x</p>"]),
    ".rtf": make_rtf("x"),
}


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_what_is_empty_or_broken_is_refused_in_one_line(
    tmp_path: Path, suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"a{suffix}"
    assert "empty" in refused(path, b"").message
    assert "it is no" in refused(path, b"no such file").message
    assert "it is no" in refused(path, zipped({"a": "b"})).message
    whole = SUFFIXES[suffix]
    for place in range(0, len(whole), max(len(whole) // 60, 1)):
        try:
            read(path, whole[:place] + b"\xff<<{" + whole[place + 4 :])
            read(path, whole[:place])
        except BadInputError as error:
            assert error.hint  # noqa: PT017 -- either is right
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".odt", ".epub", ".xlsx", ".ods"])
def test_what_office_encrypts_is_told(tmp_path: Path, suffix: str) -> None:
    message = refused(tmp_path / f"a{suffix}", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600).message
    assert "encrypted" in message


def test_an_encrypted_open_document_is_told(tmp_path: Path) -> None:
    manifest = '<m:manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    content = zipped({"content.xml": b"\x01\x02", "META-INF/manifest.xml": manifest})
    assert refused(tmp_path / "a.odt", content).message == "it is encrypted"


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".odt"])
def test_entities_are_not_unfolded_and_no_file_is_opened(tmp_path: Path, suffix: str) -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    main = {".docx": "word/document.xml", ".pptx": "ppt/presentation.xml", ".odt": "content.xml"}[suffix]
    bomb = zipped({main: f'<!DOCTYPE x [<!ENTITY l0 "ha">{levels}]><x><body>&l11;</body></x>'})
    refused(tmp_path / f"a{suffix}", bomb)
    (tmp_path / "secret.txt").write_text("secret")
    head = f'<!DOCTYPE x [<!ENTITY s SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    said = word_paragraph("", "A").replace(">A<", ">A &s;<")
    document = zipped(
        {"word/document.xml": f"{head}<w:document xmlns:w='{space}'><w:body>{said}</w:body></w:document>"}
    )
    assert "secret" not in read_one(tmp_path / "b.docx", document).text


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".odt", ".epub", ".xlsx"])
def test_a_bomb_of_zeros_is_refused(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_packages, "_LARGEST_PART", 2**20)
    names = (
        "word/document.xml",
        "ppt/presentation.xml",
        "content.xml",
        "META-INF/container.xml",
        "xl/workbook.xml",
    )
    bomb = zipped(dict.fromkeys(names, b"\0" * 10 * 2**20))
    assert len(bomb) < 2**17
    assert "unpacks to more than" in refused(tmp_path / f"a{suffix}", bomb).message


def test_the_size_of_hostile_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make_docx(HEADED)
    for bound, said in (
        ("_LARGEST", "larger than"),
        ("_MOST_PARTS", "more than 1 parts"),
        ("_MOST_UNPACKED", "unpacks to more than"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(zip_packages, bound, 1)
            assert said in refused(tmp_path / "a.docx", content).message
    monkeypatch.setattr(rtf, "_LARGEST", 1)
    assert "larger than" in refused(tmp_path / "a.rtf", make_rtf("x")).message


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".odt"])
def test_elements_without_end_in_each_other_are_refused(tmp_path: Path, suffix: str) -> None:
    main = {".docx": "word/document.xml", ".pptx": "ppt/presentation.xml", ".odt": "content.xml"}[suffix]
    assert refused(tmp_path / f"a{suffix}", zipped({main: "<a>" * 100_000})).message


# Pages of Word

RENDERED = "<w:lastRenderedPageBreak/>"
BREAK = '<w:br w:type="page"/>'


def said(*runs: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return "<w:p>" + styled + "".join(f"<w:r>{run}</w:r>" for run in runs) + "</w:p>"


def text_of(words: str) -> str:
    return f"<w:t>{words}</w:t>"


def labels(document: Document) -> list[tuple[str, str]]:
    return [(document.text[mark.offset :].split("\n")[0], mark.label) for mark in document.places]


def test_pages_are_those_that_word_wrote_down(tmp_path: Path) -> None:
    cells = "".join(f"<w:tc>{said(text_of('one'), RENDERED + text_of('two'))}</w:tc>" for _ in range(2))
    body = (
        said(text_of("Opening words."))
        + said(text_of("Aims"), style="Heading1")
        + said(text_of("First aim."), RENDERED + text_of("It goes on."))
        + said(text_of("Second aim."))
        + said(BREAK)
        + said(RENDERED + text_of("Means"), style="Heading1")
        + said(text_of("By hand."))
        + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        + said(text_of("The end."))
    )
    document = read_one(tmp_path / "a.docx", make_docx([], body=body))
    assert labels(document) == [
        ("Opening words.", "page 1"),
        ("Aims", "Aims, page 1"),
        ("Second aim.", "Aims, page 2"),
        ("Means", "Means, page 3"),
        ("The end.", "Means, page 4"),
    ]


def test_where_no_page_is_told_none_is_counted(tmp_path: Path) -> None:
    body = said(text_of("One.")) + said(BREAK) + said(text_of("Two."))
    document = read_one(tmp_path / "a.docx", make_docx([("Heading1", "Aims")], body=body))
    assert labels(document) == [("Aims", "Aims")]


def test_an_entry_of_a_document_with_pages_says_its_page_and_its_heading_once(
    tmp_path: Path, hashed: Embedder
) -> None:
    body = said(text_of("It was kept at the mill, as every year.")) + "".join(
        said((RENDERED if number else "") + text_of(f"{number + 3} October 2011"), style="Heading2")
        + said(text_of("Rain all day."))
        for number in range(3)
    )
    document = read_one(tmp_path / "diary.docx", make_docx([], body=body))
    chunks = annotate(document, hashed).chunks
    assert [(chunk.title, chunk.place(0)) for chunk in chunks[1:]] == [
        (f"diary: {number + 3} October 2011", f"page {number + 1}") for number in range(3)
    ]
