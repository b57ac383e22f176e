import io
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_files import cell, made_xls, make_odf, make_xlsx, row, zipped
from unit.ingest.conftest import NO_COLUMNS, day, read, read_one, refused

from timelens.documents import Document, Mark
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest import parquet, sheets
from timelens.ingest.annotate import annotate
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import cell_text
from timelens.temporal.calendar import format_day

MAY, JUNE = 42128, 42159.5  # 4 May 2015, and 4 June 2015 at noon, as spreadsheets count days
STAFF = (
    row(1, cell("A1", "Name & post"), cell("B1", "Start"), cell("C1", "End"), cell("D1", "Pay"))
    + row(3, cell("A3", "Ann"), cell("B3", MAY, 1), cell("C3", JUNE, 2), cell("D3", 2015))
    + row(4, cell("B4", MAY + 366, 1), cell("D4", 1.5))
)


def facts(document: Document) -> list[tuple[tuple[tuple[str, str], ...], str, str | None]]:
    return [
        (fact.fields, format_day(fact.start or 0), None if fact.end is None else format_day(fact.end))
        for fact in document.facts
    ]


# Spreadsheets


def test_a_sheet_with_start_and_end_is_a_temporal_database(tmp_path: Path, hashed: Embedder) -> None:
    document = read_one(tmp_path / "our_staff.xlsx", make_xlsx({"Staff": STAFF}, merged=["A3:A4"]))
    assert (document.id, document.title) == ("our_staff.xlsx#Staff", "our staff")
    assert facts(document) == [
        ((("Name & post", "Ann"), ("Pay", "2015")), "2015-05-04", "2015-06-04"),
        ((("Name & post", "Ann"), ("Pay", "1.5")), "2016-05-04", None),
    ]
    first, second = annotate(document, hashed).chunks
    assert (first.place(0), second.place(0)) == ("sheet Staff, row 3", "sheet Staff, row 4")


def test_columns_are_named_as_for_csv(tmp_path: Path) -> None:
    rows = row(1, cell("A1", "who"), cell("B1", "in"), cell("C1", "out")) + row(
        2, cell("A2", "Ann"), cell("B2", MAY, 1), cell("C2", MAY + 1, 1)
    )
    (document,), _ = read(tmp_path / "a.xlsx", make_xlsx({"A": rows}), TableColumns("in", "out"))
    assert facts(document) == [((("who", "Ann"),), "2015-05-04", "2015-05-05")]
    documents, (failure,) = read(tmp_path / "a.xlsx", make_xlsx({"A": rows}), TableColumns("nope", "out"))
    assert documents == []
    assert (failure.path, failure.error) == ("a.xlsx sheet A", "it has no column 'nope'")


def test_sheets_are_documents_and_hidden_ones_are_listed(tmp_path: Path) -> None:
    notes = (
        row(1, cell("A1", "Notes on pay"))
        + row(4, cell("B4", "fee"), cell("C4", "room"))
        + row(5, cell("B5", 5), cell("C5", 2014))
    )
    book = make_xlsx({"Staff": STAFF, "Notes": notes, "Lists": notes, "Empty": ""}, hidden=["Lists"])
    (staff, other), (failure,) = read(tmp_path / "a.xlsx", book)
    assert len(staff.facts) == 2
    assert (other.id, other.title) == ("a.xlsx#Notes", "a: Notes. Notes on pay")
    assert (other.text, other.places) == ("fee: 5; room: 2014", (Mark(0, "sheet Notes, row 5"),))
    assert (failure.error, failure.partial) == ("hidden sheets are left out: Lists", True)


def test_a_sheet_without_names_of_columns_is_text(tmp_path: Path) -> None:
    rows = row(1, cell("A1", "x"), cell("B1", "x")) + row(2, cell("A2", MAY, 1), cell("B2", "y"))
    assert read_one(tmp_path / "a.xlsx", make_xlsx({"A": rows})).text == "x; x\n\n2015-05-04; y"


def test_a_sheet_whose_first_row_is_data_loses_no_row(tmp_path: Path) -> None:
    rows = "".join(row(n, cell(f"A{n}", "Ann"), cell(f"B{n}", MAY, 1)) for n in (1, 2))
    (document,), (failure,) = read(tmp_path / "a.xlsx", make_xlsx({"A": rows}))
    assert document.text == "Ann; 2015-05-04.\nAnn; 2015-05-04"
    assert failure.error == "its first row does not name its columns"


def test_an_open_document_sheet(tmp_path: Path) -> None:
    def text(said: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{said}</text:p></table:table-cell>'

    may = '<table:table-cell office:value-type="date" office:date-value="2015-05-04"/>'
    blank = '<table:table-cell table:number-columns-repeated="1024"/>'
    padding = f'<table:table-row table:number-rows-repeated="1048570">{blank}</table:table-row>'
    rows = "".join(
        f"<table:table-row>{said}</table:table-row>"
        for said in (text("Name") + text("Start") + text("End"), text("Ann") + may + text(""))
    )
    book = make_odf(f'<table:table table:name="A">{rows}{padding}</table:table>', kind="spreadsheet")
    assert facts(read_one(tmp_path / "a.ods", book)) == [((("Name", "Ann"),), "2015-05-04", None)]


def test_a_workbook_of_excel_97(tmp_path: Path, hashed: Embedder) -> None:
    (offices, joined), (hidden,) = read(tmp_path / "old.xls", made_xls())
    assert facts(offices) == [
        ((("office", "Mayor"), ("holder", "Ada Lind")), "1990-01-01", "1996-05-01"),
        ((("office", "Mayor"), ("holder", "Bo Falk")), "1996-05-01", "2003-01-01"),
    ]
    assert annotate(offices, hashed).chunks[1].place(0) == "sheet Offices, row 3"
    assert joined.text.count("North") == 2
    assert (hidden.partial, "Hidden" in hidden.error) == (True, True)


def test_a_workbook_that_only_has_the_name_of_an_old_one_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.xls"
    assert facts(read_one(path, make_xlsx({"Staff": STAFF})))
    far = make_xlsx({"A": row(1, cell("A1", "x")) + row(1048576, cell("XFD1048576", "y"))})
    assert "reaches over more than" in refused(path, far).message


def test_cells_of_an_old_workbook_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "_MOST_CELLS", 3)
    assert "more than 3 cells" in refused(tmp_path / "a.xls", made_xls()).message


@pytest.mark.parametrize("suffix", [".xlsx", ".ods", ".xls"])
def test_what_is_no_spreadsheet_is_refused(
    tmp_path: Path, suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"a{suffix}"
    for content, said in (
        (b"", "empty"),
        (b"x", "it is no"),
        (zipped({"a": "b"}), "it is no"),
        (make_xlsx({"A": ""}), "its sheets are empty"),
    ):
        assert said in refused(path, content).message
    whole = made_xls() if suffix == ".xls" else make_xlsx({"Staff": STAFF})
    for place in range(0, len(whole), len(whole) // 60):
        for broken in (whole[:place] + b"\xff<<{" + whole[place + 4 :], whole[:place]):
            try:
                read(path, broken)
            except BadInputError as error:
                assert error.hint  # noqa: PT017 -- either is right
    if suffix != ".xls":  # a panic of the library prints, which the process that reads files hides
        assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("quote", ['"', "'"])
def test_two_cells_far_apart_do_not_end_the_process(tmp_path: Path, quote: str) -> None:
    rows = row(1, cell("A1", "x")) + row(1048576, cell("XFD1048576", "y"))
    content = make_xlsx({"A": rows.replace('"', quote)})
    assert "reaches over more than" in refused(tmp_path / "a.xlsx", content).message


def test_rows_that_repeat_without_end_are_refused(tmp_path: Path) -> None:
    filled = (
        '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    )
    rows = f'<table:table-row table:number-rows-repeated="1048576">{filled}</table:table-row>'
    refused(
        tmp_path / "a.ods", make_odf(f'<table:table table:name="A">{rows}</table:table>', kind="spreadsheet")
    )


def test_cells_of_a_sheet_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "_MOST_CELLS", 3)
    assert "more than 3 cells" in refused(tmp_path / "a.xlsx", make_xlsx({"A": STAFF})).message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (2015.0, "2015"),
        (1e300, "1e+300"),
        (date(2015, 5, 4), "2015-05-04"),
        (datetime(2015, 5, 4, tzinfo=UTC), "2015-05-04 00:00+00:00"),
        (datetime(2015, 5, 4), "2015-05-04"),  # noqa: DTZ001 -- as sheets have them
        (datetime(2015, 5, 4, 10, 30), "2015-05-04 10:30"),  # noqa: DTZ001
        (True, "True"),
    ],
)
def test_cells_as_text(value: object, text: str) -> None:
    assert cell_text(value) == text


# Parquet


def parquet_of(table: pa.Table, **options: object) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def test_a_parquet_table_is_a_temporal_database(tmp_path: Path, hashed: Embedder) -> None:
    table = pa.table(
        {
            "name": ["Ann", "Bob"],
            "start": pa.array([date(2015, 5, 4), date(2016, 1, 1)]),
            "end": pa.array([datetime(2015, 6, 4, 12, tzinfo=UTC), None], pa.timestamp("us", "UTC")),
            "raw": [b"x", b"y"],
        }
    )
    (document,), (failure,) = read(tmp_path / "a_b.parquet", parquet_of(table))
    assert document.title == "a b"
    assert facts(document) == [
        ((("name", "Ann"),), "2015-05-04", "2015-06-04"),
        ((("name", "Bob"),), "2016-01-01", None),
    ]
    assert "columns of bytes are left out: raw" in failure.error
    assert [chunk.place(0) for chunk in annotate(document, hashed).chunks] == ["row 1", "row 2"]


def test_a_parquet_file_of_texts_is_records(tmp_path: Path) -> None:
    table = pa.table(
        {"id": [7, 8, 9], "text": ["One.", "Two.", None], "date": pa.array([date(2015, 5, 4), None, None])}
    )
    documents, (failure,) = read(tmp_path / "a.parquet", parquet_of(table))
    assert [(d.id, d.text, d.published, d.published_source) for d in documents] == [
        ("7", "One.", day(2015, 5, 4), "record field"),
        ("8", "Two.", None, None),
    ]
    assert documents[1].places == (Mark(0, "row 2"),)
    assert (failure.path, failure.error) == ("a.parquet row 3", "no text")


def test_rows_of_parquet_are_read_some_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(
        parquet_of(pa.table({"text": [f"Text {n}." for n in range(5_000)]}), row_group_size=1_000)
    )
    items = READERS[".parquet"](SourceFile(path, "a.parquet"), NO_COLUMNS)
    first = next(items)
    assert isinstance(first, Document)
    assert first.text == "Text 0."
    assert len(list(items)) == 4_999


def test_what_is_no_parquet_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.parquet"
    whole = parquet_of(pa.table({"text": ["One."], "date": [date(2015, 5, 4)]}))
    for content, said in (
        (b"", "empty"),
        (b"x", "not a readable Parquet file"),
        (whole[:-9], "not a readable Parquet file"),
        (parquet_of(pa.table({"text": pa.array([], pa.string())})), "no rows"),
        (b"PARE" + b"\0" * 20 + b"PARE", "it is"),
    ):
        assert said in refused(path, content).message
    for place in range(0, len(whole), 7):
        try:
            read(path, whole[:place] + b"\xff\x8f" + whole[place + 2 :])
        except BadInputError as error:
            assert error.hint  # noqa: PT017 -- either is right
    assert capfd.readouterr() == ("", "")


def test_parquet_that_unfolds_without_end_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array(["x" * 50_000]))
    bomb = parquet_of(pa.table({"name": column}))
    assert len(bomb) < 2**17
    monkeypatch.setattr(parquet, "_MOST_TEXT", 2**27)
    assert "unpack to more than" in refused(tmp_path / "a.parquet", bomb).message
    monkeypatch.setattr(parquet, "_MOST_ROWS", 3)
    assert "more than 3 rows" in refused(tmp_path / "a.parquet", bomb).message
