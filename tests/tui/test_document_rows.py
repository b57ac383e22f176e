"""A stored document as rows: text, places, tables, and where evidence stands in it."""

from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.draft import Citation
from timelens.documents import Chunk, Fact, Hit, Scores
from timelens.store.rows import StoredDocument
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, day_interval
from timelens.tui.document_rows import (
    PageRow,
    RowKind,
    clean,
    columns,
    day_line,
    fields_of,
    is_table,
    lay_out,
    row_of,
    spots_of,
)


def _chunk(ordinal: int, sentences: Sequence[str], **changes: object) -> Chunk:
    spans, start = [], 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    text = " ".join(sentences)
    chunk = Chunk(f"d#{ordinal}", "d", ordinal, "/a/d.md", "Title", text, None, tuple(spans), ())
    return replace(chunk, **changes)  # type: ignore[arg-type]


def _document(*chunks: Chunk) -> StoredDocument:
    return StoredDocument("d", "/a/d.md", "Title", None, None, chunks)


def _cited(chunk: Chunk, sentence: int | None, number: int = 1) -> Citation:
    return Citation(number, Hit(chunk, Scores(), None, sentence))


def _texts(rows: Sequence[PageRow]) -> list[tuple[str, RowKind]]:
    return [(row.text, row.kind) for row in rows]


def test_chunks_follow_each_other_with_an_empty_row_between_them() -> None:
    rows = lay_out(_document(_chunk(0, ["One two three."]), _chunk(1, ["Four."])), 8)
    assert [row.text for row in rows] == ["One two", "three.", "", "Four."]
    assert row_of(rows, 0, 9) == 1
    assert row_of(rows, 1, 0) == 3


def test_a_page_is_a_rule_and_a_heading_of_the_text_is_set_off() -> None:
    first = _chunk(0, ["On page one.", "On page two."], places=((0, "page 1"), (1, "page 2")))
    second = _chunk(1, ["Still two."], places=((0, "page 2"),))
    third = replace(
        _chunk(2, []), text="## Results\n\nMuch.", sentences=((0, 10), (12, 17)), places=((0, "Results"),)
    )
    assert _texts(lay_out(_document(first, second, third), 40)) == [
        ("page 1", RowKind.PLACE),
        ("On page one.", RowKind.TEXT),
        ("page 2", RowKind.PLACE),
        ("On page two.", RowKind.TEXT),
        ("", RowKind.TEXT),
        ("Still two.", RowKind.TEXT),
        ("", RowKind.TEXT),
        ("## Results", RowKind.HEADING),
        ("", RowKind.TEXT),
        ("Much.", RowKind.TEXT),
    ]


def test_an_entry_is_named_by_a_rule() -> None:
    rows = lay_out(_document(_chunk(0, ["Before."]), _chunk(1, ["Then."], title="Title: 3 May 2015")), 40)
    assert _texts(rows)[2:] == [("Title: 3 May 2015", RowKind.PLACE), ("Then.", RowKind.TEXT)]


def test_evidence_is_found_by_its_chunk_and_sentence() -> None:
    chunk = _chunk(1, ["Ada led it.", "She left in 2010.", "Then it closed."])
    spots = spots_of(
        _document(_chunk(0, ["Ada led it."]), chunk), [_cited(chunk, 1, 4), _cited(chunk, None, 5)]
    )
    assert (spots[4].chunk, spots[4].sentence) == (1, 1)
    assert chunk.text[spots[4].start : spots[4].end] == "Ada led it. She left in 2010."
    assert (spots[5].start, spots[5].end) == (0, len(chunk.text))


def test_evidence_of_which_the_sentence_alone_was_kept_is_found_by_its_words() -> None:
    chunk = _chunk(1, ["**Ada** led it.", "She left in 2010.", "Then it closed."])
    document = _document(_chunk(0, ["Another.", "It closed."]), chunk)
    kept = replace(_chunk(0, ["Ada led it. She left in 2010."]), id="d")
    spot = spots_of(document, [_cited(kept, 0)])[1]
    assert (spot.chunk, spot.sentence) == (1, 1)
    assert chunk.text[spot.start : spot.end] == "**Ada** led it. She left in 2010."
    assert (
        spots_of(document, [_cited(replace(kept, text="It was never said.", sentences=((0, 18),)), 0)]) == {}
    )
    assert spots_of(document, [_cited(replace(kept, document_id="e"), 0)]) == {}


def test_a_changed_chunk_is_searched_by_the_words_of_the_sentence() -> None:
    before = _chunk(0, ["One.", "Ada left in 2010."])
    after = _chunk(0, ["New.", "One.", "Ada left in 2010."])
    assert spots_of(_document(after), [_cited(before, 1)])[1].sentence == 2


def test_hostile_text_is_cleaned_and_its_sentences_still_fit() -> None:
    raw = ["\x1b[31mRed\x1b[0m.", "Tab\there\u202e.", "[bold]No markup[/bold]."]
    chunk = _chunk(0, raw)
    shown = clean(_document(chunk)).chunks[0]
    assert [shown.sentence(index) for index in range(3)] == [
        "␛[31mRed␛[0m.",
        "Tab here�.",
        "[bold]No markup[/bold].",
    ]
    spot = spots_of(clean(_document(chunk)), [_cited(chunk, 1)])[1]
    assert shown.text[spot.start : spot.end] == "Tab here�."


def _row(ordinal: int, *fields: tuple[str, str]) -> Chunk:
    fact = Fact(fields, day_number(1990), day_number(1995, 3, 4), Granularity.DAY)
    return _chunk(ordinal, [", ".join(f"{name} {value}" for name, value in fields)], fact=fact)


def test_a_table_has_its_columns_and_a_row_for_each_fact() -> None:
    table = _document(
        _row(0, ("Name", "Ada"), ("Office", "Mayor")),
        _row(1, ("Name", "Bo\nBo"), ("Note", "long " * 20)),
    )
    assert is_table(table)
    assert columns(table) == ["Name", "Office", "Note", "when"]
    rows = lay_out(table, 60)
    assert [row.kind for row in rows] == [RowKind.FACT] * 2
    assert rows[0].text.split() == "Ada Mayor 1990-01-01 to 1995-03-04".split()
    assert rows[1].text.startswith("Bo Bo  ")
    assert "long long" in rows[1].text
    assert len(rows[0].text) <= 60
    assert lay_out(table, 200)[0].text.endswith("from 1 January 1990 to 4 March 1995")
    fact = table.chunks[0].fact
    assert fact is not None
    assert fields_of(fact, columns(table)) == [
        ("Name", "Ada"),
        ("Office", "Mayor"),
        ("Note", ""),
        ("when", "from 1 January 1990 to 4 March 1995"),
    ]


def test_the_dates_of_a_table_are_never_cut() -> None:
    fields = [(f"Column {number}", "a long value " * 3) for number in range(6)]
    day = day_number(1990, 5, 1)
    facts = [
        (Fact(tuple(fields), day, day, Granularity.DAY), "1990-05-01"),
        (Fact(tuple(fields), day, None, Granularity.MONTH), "since 1990-05"),
        (Fact(tuple(fields), None, day, Granularity.YEAR), "until 1990"),
        (Fact(tuple(fields), None, None, Granularity.YEAR), "at all times"),
        (Fact(tuple(fields), day, day_number(2001), Granularity.YEAR), "1990 to 2001"),
        (Fact(tuple(fields), day, day, Granularity.QUARTER), "1990-05-01 to 1990-06-30"),
    ]
    table = _document(*(replace(_row(n, *fields), fact=fact) for n, (fact, _) in enumerate(facts)))
    for width in (46, 80):
        rows = lay_out(table, width)
        assert all(len(row.text) <= width for row in rows)
        assert [row.text.rpartition("…")[2].strip() for row in rows] == [dates for _, dates in facts]


def test_the_day_of_a_document_is_told_with_where_it_comes_from() -> None:
    day, entry = day_interval(day_number(2015, 5, 3)), day_interval(day_number(2015, 5, 9))
    document = replace(_document(), published=day, published_source="file name")
    assert day_line(document) == "3 May 2015, from: file name"
    assert day_line(document, _chunk(0, ["x"], published=day)) == "3 May 2015, from: file name"
    told = day_line(document, _chunk(0, ["x"], published=entry))
    assert told == "9 May 2015, the day of this entry · 3 May 2015, from: file name"
    assert day_line(_document()) == "no day of its own"
