import re
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from made_pdf import add_page, make_pdf, written
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject
from unit.ingest.conftest import read, read_one, refused

from timelens.documents import Mark
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import pdf
from timelens.ingest.annotate import annotate
from timelens.ingest.pipeline import ingest
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, month_interval, year_interval

TWO_PAGES = [["The board met.", "It raised the fee."], ["It closed the ferry."]]


def test_text_title_and_day_of_a_pdf(tmp_path: Path) -> None:
    stated = {"/Title": "Minutes  of May", "/CreationDate": "D:20150504103000+02'00'"}
    document = read_one(tmp_path / "a.pdf", make_pdf(TWO_PAGES, stated))
    assert document.text == "The board met.\nIt raised the fee.\n\nIt closed the ferry."
    assert (document.id, document.title) == ("a.pdf", "Minutes of May")
    assert document.published == day_interval(day_number(2015, 5, 4))
    assert document.published_source == "PDF creation date"
    assert document.places == (Mark(0, "page 1"), Mark(35, "page 2"))
    assert document.text[35:] == "It closed the ferry."


@pytest.mark.parametrize(
    ("created", "published"),
    [
        ("D:20150504", day_interval(day_number(2015, 5, 4))),
        ("20150504120000Z", day_interval(day_number(2015, 5, 4))),
        ("D:201505", month_interval(2015, 5)),
        ("D:2015", year_interval(2015)),
        ("4 May 2015", day_interval(day_number(2015, 5, 4))),
        ("Mon May 4, 2015 10:30", day_interval(day_number(2015, 5, 4))),
        ("", None),
    ],
)
def test_creation_dates(tmp_path: Path, created: str, published: Interval | None) -> None:
    document = read_one(tmp_path / "a.pdf", make_pdf(TWO_PAGES, {"/CreationDate": created}))
    assert document.published == published


@pytest.mark.parametrize(
    ("header", "footer"),
    [
        ("The Club - Rules", "Printed in May"),
        ("The Club", "Rules | {page}"),
        ("{page}  The Club", "Rules, page {page} of 4"),
    ],
)
def test_headers_and_footers_are_told_once(tmp_path: Path, header: str, footer: str) -> None:
    texts = ["It met in", "the hall.", "It rained.", "It ended."]
    pages = [
        [line.format(page=number) for line in (header, text, footer)]
        for number, text in enumerate(texts, start=1)
    ]
    document = read_one(tmp_path / "a.pdf", make_pdf(pages))
    first, last = header.format(page=1), footer.format(page=4)
    assert document.text == f"{first}\nIt met in\nthe hall.\n\nIt rained.\n\nIt ended.\n{last}"


def test_lines_that_name_a_week_or_a_day_are_kept(tmp_path: Path) -> None:
    pages = [[f"Week {number}", f"{number} May 2019", "Rain."] for number in range(1, 5)]
    document = read_one(tmp_path / "a.pdf", make_pdf(pages))
    assert all(f"Week {number}\n{number} May 2019" in document.text for number in range(1, 5))


@pytest.mark.parametrize("created", ["D:20151304", "D:20150231", "long ago"])
def test_an_impossible_creation_date_is_reported_and_the_text_kept(tmp_path: Path, created: str) -> None:
    (document,), (failure,) = read(tmp_path / "a.pdf", make_pdf(TWO_PAGES, {"/CreationDate": created}))
    assert document.published is None
    assert failure.partial
    assert "PDF creation date" in failure.error


def test_the_day_in_the_text_counts_before_the_day_the_file_was_made(
    tmp_path: Path, hashed: Embedder
) -> None:
    pages = [["Hall Street, 3 February 2016", "Dear Mr Lund, the fee is now 40 pounds."]]
    content = make_pdf(pages, {"/CreationDate": "D:20200101"})
    document = annotate(read_one(tmp_path / "letter.pdf", content), hashed).document
    assert document.published == day_interval(day_number(2016, 2, 3))


def test_the_day_in_the_name_counts_before_the_day_the_file_was_made(tmp_path: Path) -> None:
    content = make_pdf(TWO_PAGES, {"/CreationDate": "D:20200101"})
    document = read_one(tmp_path / "minutes-2008-12-16.pdf", content)
    assert document.published == day_interval(day_number(2008, 12, 16))
    assert document.published_source == "file name"


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("", "a"),
        (" \n", "a"),
        ("Microsoft Word - Minutes", "Minutes"),
        ("untitled", "a"),
        ("Untitled lands", "Untitled lands"),
    ],
)
def test_what_programs_write_as_a_title_is_none(tmp_path: Path, stated: str, title: str) -> None:
    assert read_one(tmp_path / "a.pdf", make_pdf(TWO_PAGES, {"/Title": stated})).title == title


def test_page_numbers_divided_words_and_sentences_over_two_pages(tmp_path: Path) -> None:
    pages = [
        ["Annual report", "The exam-", "ple cost 12-", "14 (about) crowns and was", "Page 1 of 3"],
        ["2", "paid in 2015", "2016"],
        ["– 3 –"],
        ["It ended there."],
    ]
    document = read_one(tmp_path / "a.pdf", make_pdf(pages))
    assert document.text == (
        "Annual report\nThe example cost 12-\n14 (about) crowns and was\npaid in 2015\n2016\nIt ended there."
    )
    assert [(mark.place, document.text[mark.offset :][:6]) for mark in document.places] == [
        ("page 1", "Annual"),
        ("page 2", "paid i"),
        ("page 4", "It end"),
    ]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_anybody_may_open_is_read(tmp_path: Path, algorithm: str) -> None:
    content = make_pdf(TWO_PAGES, password="", owner_password="secret", algorithm=algorithm)
    assert read_one(tmp_path / "a.pdf", content).text.startswith("The board met.")


def test_a_pdf_with_a_password_is_refused_with_the_remedy(tmp_path: Path) -> None:
    error = refused(tmp_path / "a.pdf", make_pdf(TWO_PAGES, password="secret"))
    assert error.message == "it is protected by a password"
    assert "qpdf --decrypt --password=" in error.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"no PDF", "not a readable PDF"),
        (b"%PDF-1.7\n%%EOF", "not a readable PDF"),
        (b"%PDF-1.7\n" + b"\xff\x00" * 5000, "not a readable PDF"),
        (written(PdfWriter()), "no pages"),
        (make_pdf([[]]), "its page holds no text"),
        (make_pdf([[], ["2"]]), "its 2 pages hold no text"),
    ],
)
def test_what_holds_no_text_is_refused(
    tmp_path: Path, content: bytes, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(tmp_path / "a.pdf", content).message
    assert capfd.readouterr() == ("", "")


def test_a_scan_is_told_how_to_become_readable(tmp_path: Path) -> None:
    assert "ocrmypdf" in refused(tmp_path / "a.pdf", make_pdf([[]])).hint


def test_what_the_library_says_does_not_reach_the_terminal() -> None:
    code = (
        "from timelens.errors import BadInputError\n"
        "from timelens.ingest.pdf import read_pdf_text\n"
        "try: read_pdf_text(b'%PDF-1.7 broken')\n"
        "except BadInputError: print('refused')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("refused\n", "")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_a_truncated_pdf_is_read_in_part_or_refused_in_silence(
    tmp_path: Path, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = make_pdf([[f"This is page {n}."] for n in range(1, 20)])
    try:
        documents, _ = read(tmp_path / "a.pdf", whole[: int(len(whole) * share)])
    except BadInputError:
        documents = []
    assert all("This is page" in document.text for document in documents)
    assert capfd.readouterr() == ("", "")


def test_damage_anywhere_stops_nothing(tmp_path: Path) -> None:
    whole = make_pdf(TWO_PAGES, {"/Title": "T", "/CreationDate": "D:2015"})
    for place in range(0, len(whole), 23):
        with suppress(BadInputError):
            read(tmp_path / "a.pdf", whole[:place] + b"\xff<</[(" + whole[place + 6 :])


def test_a_broken_page_is_reported_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pypdf import PageObject

    extract = PageObject.extract_text

    def broken(self: PageObject, **options: object) -> str:
        if self.page_number == 0:
            raise RecursionError
        return extract(self, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(PageObject, "extract_text", broken)
    (document,), (failure,) = read(tmp_path / "a.pdf", make_pdf(TWO_PAGES))
    assert document.text == "It closed the ferry."
    assert document.places == (Mark(0, "page 2"),)
    assert failure.error == "1 of its pages cannot be read: 1"
    assert failure.partial
    assert "none of its pages can be read" in refused(tmp_path / "a.pdf", make_pdf(TWO_PAGES[:1])).message


def test_the_size_of_hostile_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make_pdf(TWO_PAGES)
    for bound, said in (
        ("_LARGEST", "larger than"),
        ("_MOST_PAGES", "more than 1 pages"),
        ("_MOST_CONTENT", "unpacks to more than"),
        ("_MOST_OPERATIONS", "too complex"),
        ("_MOST_TEXT", "more than 1 characters"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(pdf, bound, 1)
            assert said in refused(tmp_path / "a.pdf", content).message
    assert read_one(tmp_path / "a.pdf", content).text


def test_a_page_that_unfolds_without_end_is_left_out(tmp_path: Path) -> None:
    writer = PdfWriter()
    add_page(writer, b" " * (40 * 2**20))
    add_page(writer, b"BT /F1 12 Tf 50 800 Td (Fine.) Tj ET")
    content = written(writer)
    assert len(content) < 2**20
    (document,), (failure,) = read(tmp_path / "a.pdf", content)
    assert document.text == "Fine."
    assert "1 of its pages cannot be read: 1" in failure.error


def test_forms_that_draw_each_other_without_end_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "_MOST_OPERATIONS", 100_000)
    levels = 8
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    resources = "/Resources<</XObject<</X {} 0 R>>/Font<</F 4 0 R>>>>"
    drawn = "/X Do " * 10
    objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R{resources.format(6)}>>")
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    text = f"BT /F 9 Tf (x) Tj ET {drawn}"
    objects.append(f"<</Length {len(text)}>>stream\n{text}\nendstream")
    for level in range(levels):
        form = f"/Type/XObject/Subtype/Form/BBox[0 0 9 9]{resources.format(7 + level)}"
        objects.append(f"<<{form}/Length {len(text)}>>stream\n{text}\nendstream")
    objects.append("<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 0>>stream\n\nendstream")
    body = "".join(f"{number} 0 obj{item}endobj\n" for number, item in enumerate(objects, 1))
    content = f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\nstartxref\n0\n%%EOF".encode()
    assert "too complex" in refused(tmp_path / "a.pdf", content).message


def test_a_form_counts_each_time_it_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_MOST_CONTENT", 2**23)
    writer = PdfWriter()
    add_page(writer, b"/X Do " * 100)
    form = StreamObject()
    form.set_data(b" " * 2**18)
    form = form.flate_encode()
    resources = writer.pages[0]["/Resources"]
    assert isinstance(resources, DictionaryObject)
    form.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/Resources"): DictionaryObject(resources),
        }
    )
    named = DictionaryObject({NameObject("/X"): writer._add_object(form)})
    resources[NameObject("/XObject")] = named
    assert "unpacks to more than 8 MB" in refused(tmp_path / "a.pdf", written(writer)).message


def test_a_form_is_read_where_it_is_drawn(tmp_path: Path) -> None:
    writer = PdfWriter()
    add_page(writer, b"BT /F1 12 Tf 50 800 Td (Before.) Tj ET /X Do")
    form = StreamObject()
    form.set_data(b"BT /F1 12 Tf 50 700 Td (In the form.) Tj ET")
    resources = writer.pages[0]["/Resources"]
    assert isinstance(resources, DictionaryObject)
    form.update(
        {NameObject("/Subtype"): NameObject("/Form"), NameObject("/Resources"): resources.clone(writer)}
    )
    resources[NameObject("/XObject")] = DictionaryObject({NameObject("/X"): writer._add_object(form)})
    assert read_one(tmp_path / "a.pdf", written(writer)).text == "Before.\nIn the form."


def test_pages_that_lead_back_to_themselves_come_to_an_end(tmp_path: Path) -> None:
    content = make_pdf(TWO_PAGES)
    looped = re.sub(rb"/Kids \[ \d+ 0 R \d+ 0 R \]", b"/Kids [ 1 0 R 1 0 R ]", content)
    assert looped != content
    assert refused(tmp_path / "a.pdf", looped).message


def test_a_broken_pdf_never_stops_the_rest(tmp_path: Path, hashed: Embedder) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "b.pdf").write_bytes(make_pdf(TWO_PAGES, password="secret"))
    (folder / "c.PDF").write_bytes(
        make_pdf([["Page one says this in 2010."], ["Page two says that in 2011."]])
    )
    (folder / "d.pdf").write_bytes(zlib.compress(make_pdf(TWO_PAGES)))
    store = CorpusStore.create(tmp_path / "corpus", hashed.identity)
    report = ingest([folder], store, hashed)
    assert (report.added, report.failed) == (1, 3)
    assert [failure.path for failure in report.failures] == ["a.pdf", "b.pdf", "d.pdf"]
    (found,) = store.dense(hashed.encode_queries(["x"])[0], 5)
    assert found.chunk.places == ((0, "page 1"), (1, "page 2"))
    assert [found.chunk.place(index) for index in (0, 1)] == ["page 1", "page 2"]
    assert ingest([folder], store, hashed).unchanged == 1
