import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timelens.documents import Chunk, Document, EventSource, Fact, Mark
from timelens.embedding import Embedder
from timelens.ingest.annotate import AnnotatedDocument, annotate
from timelens.ingest.dating import date_document
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Granularity, Interval, day_interval, month_interval, year_interval

MAY_4 = day_interval(day_number(2020, 5, 4))
FILLER = "It was much as anyone had expected it to be at such a place. "


def document(text: str, published: Interval | None = None, title: str = "Title") -> Document:
    return Document("d", "/d", title, text, "hash", published, "record field" if published else None)


def times(chunk: Chunk, *sources: EventSource) -> list[tuple[str, Interval]]:
    return [(chunk.sentence(e.sentence), e.interval) for e in chunk.events if e.source in sources]


def only_chunk(annotated: AnnotatedDocument) -> Chunk:
    (chunk,) = annotated.chunks
    return chunk


def test_what_metadata_states_stands(hashed: Embedder) -> None:
    annotated = annotate(document("On 1 March 1999 it rained. More.", MAY_4), hashed)
    assert annotated.document.published == MAY_4
    assert annotated.document.published_source == "record field"
    assert only_chunk(annotated).published == MAY_4


@pytest.mark.parametrize(
    ("text", "published", "source"),
    [
        ("OSLO, 4 May 2020. Text. " + FILLER * 9 + "Signed on 9 June 2021.", MAY_4, "first sentences"),
        (FILLER * 9 + "Adopted in Paris on 4 May 2020.", MAY_4, "last sentences"),
        (FILLER * 9 + "On 4 May 2020 it rained. " + FILLER * 9, None, None),
        ("In May 2020 and since 2010 it rained.", None, None),
        ("Since 4 May 2020 it rained.", None, None),
        ("Ann Lee, born 4 May 2020, is a swimmer. She won in 2031 and 2033.", None, None),
        ("Signed on 4 May 2020. It ends in 2031.", MAY_4, "first sentences"),
        (
            "MEMO to all, 4 May 2020, from Ann\n\nThe van comes in *spring 2022*. Fees: 2021.",
            MAY_4,
            "first sentences",
        ),
        ("MEMO to all, 4 May 2020, from Ann\n\nThe van now comes on 3 April 2022.", MAY_4, "first sentences"),
    ],
)
def test_a_full_date_at_the_head_or_tail_dates_a_text(
    hashed: Embedder, text: str, published: Interval | None, source: str | None
) -> None:
    found = annotate(document(text), hashed).document
    assert (found.published, found.published_source) == (published, source)


def test_the_abstract_is_the_beginning(hashed: Embedder) -> None:
    assert annotate(document("One is here. Two is there. Three."), hashed).document.abstract == (
        "One is here. Two is there."
    )
    assert len(annotate(document("word " * 1000), hashed).document.abstract) <= 400


def test_a_sentence_states_its_times_and_has_the_day_of_the_document(hashed: Embedder) -> None:
    chunk = only_chunk(annotate(document("In 2018 they met. They parted.", MAY_4), hashed))
    assert times(chunk, EventSource.STATED) == [("In 2018 they met.", year_interval(2018))]
    assert times(chunk, EventSource.PUBLISHED) == [("In 2018 they met.", MAY_4), ("They parted.", MAY_4)]
    assert times(chunk, EventSource.ANCHORED) == []
    confidence = {(e.sentence, e.source): e.confidence for e in chunk.events}
    assert confidence[0, EventSource.PUBLISHED] < confidence[1, EventSource.PUBLISHED] == 1


def test_without_a_day_of_its_own_a_text_carries_its_last_date_on(hashed: Embedder) -> None:
    text = "Nothing yet. In 1648 they signed. All went home. In 1701 it broke. War came."
    chunk = only_chunk(annotate(document(text), hashed))
    assert times(chunk, EventSource.STATED) == [
        ("In 1648 they signed.", year_interval(1648)),
        ("In 1701 it broke.", year_interval(1701)),
    ]
    assert times(chunk, EventSource.ANCHORED) == [
        ("All went home.", year_interval(1648)),
        ("War came.", year_interval(1701)),
    ]


def test_the_anchor_runs_from_chunk_to_chunk(hashed: Embedder) -> None:
    text = "The council met in March 2015. " + FILLER * 8 + "In June it voted. The following year it fell."
    annotated = annotate(document(text), hashed)
    assert len(annotated.chunks) > 1
    stated = [time for chunk in annotated.chunks for _, time in times(chunk, EventSource.STATED)]
    assert stated == [month_interval(2015, 3), month_interval(2015, 6), year_interval(2016)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The hedge was laid in 2011. Bonfires from 1 November, please.", "2020-11-01"),
        ("Mr Hay came in 2014. He was bought out at Christmas.", "2019-12-25"),
        pytest.param(
            "It was 80 in 1991. It is 100 from 9 April.",
            "2020-04-09",
            marks=pytest.mark.xfail(reason="the words tell a price to come", strict=True),
        ),
        ("She was born on 3 May 1991. On 2 March she was elected.", "2020-03-02"),
        ("It opens in 2030. They met on 9 April.", "2020-04-09"),
        ("In 2011 Mr Hay came, and on 2 March he left.", "2011-03-02"),
        ("He came in 2011 (St. Mary's). On 2 March he left.", "2020-03-02"),
        ("They met in 2011. The following year they wed.", "2012-01-01"),
        ("Tea on 20 May 2020. The show is on 5 September.", "2020-09-05"),
        ("The lease ends on 1 May 2021. The roof was mended on 2 March.", "2020-03-02"),
        ("The fair is on 20 June. The tents come next Friday.", "2020-05-08"),
        ("The fair is on 20 June. We will meet again next week.", "2020-05-11"),
        ("The fair is on 20 June. The next week we rest.", "2020-06-22"),
        ("The fair is on 20 June. The following Monday we sweep up.", "2020-06-22"),
        ("The fair is on 20 June. The next day we sweep up.", "2020-06-21"),
        ("It was built in 2012. In July of the same year it burnt.", "2012-07-01"),
        ("Noted 4 May 2020. The kiln was lit in the spring of 2012 and fell in the same year.", "2012-01-01"),
        ("Noted 4 May 2020. The 2012 fire destroyed it. It fell in the same year.", "2020-01-01"),
        ("The fair is on 20 June. We meet again on Friday of next week.", "2020-05-15"),
        ("The fair is on 20 June, and we sweep up next Monday.", "2020-06-22"),
        ("The fair was on 20 June 2019. Next week it rained.", "2019-06-24"),
        (
            "Built in 1911. Burnt in 1920. Sold in 1931. Lost in 1935. It fell in 1940. On 2 May it rose.",
            "1940-05-02",
        ),
    ],
)
def test_a_date_without_a_year_counts_from_the_day_of_its_document(text: str, expected: str) -> None:
    dated = date_document(document(text, MAY_4))
    stated = [time.interval for time in dated.times[-1] if time.source is EventSource.STATED]
    assert format_day(int(stated[-1].bounds[0])) == expected


def test_a_text_without_a_day_goes_on_from_its_last_date() -> None:
    dated = date_document(document("The hedge was laid in 2011. It was burnt on 1 November."))
    assert [time.interval for time in dated.times[-1]] == [day_interval(day_number(2011, 11, 1))]


@pytest.mark.parametrize(
    ("sentence", "published", "expected"),
    [
        ("He has led it since 2017.", MAY_4, Interval(day_number(2017), MAY_4.end, Granularity.YEAR)),
        ("He has led it since 2017.", None, year_interval(2017)),
        ("It will apply from 2030.", MAY_4, year_interval(2030)),
        ("He led it until 1945.", MAY_4, year_interval(1945)),
        ("He led it from 1940 to 1945.", MAY_4, year_interval(1940, 1945)),
        ("He had led it since 1940.", MAY_4, Interval(day_number(1940), MAY_4.end, Granularity.YEAR)),
    ],
)
def test_a_text_testifies_to_an_open_end_up_to_the_day_it_was_written(
    hashed: Embedder, sentence: str, published: Interval | None, expected: Interval
) -> None:
    chunk = only_chunk(annotate(document(sentence, published), hashed))
    assert times(chunk, EventSource.STATED) == [(sentence, expected)]


def test_what_had_lasted_is_told_up_to_the_next_time_of_the_sentence(hashed: Embedder) -> None:
    sentence = "He had led it since 1940 and stepped down in 1945."
    chunk = only_chunk(annotate(document(sentence, MAY_4), hashed))
    assert times(chunk, EventSource.STATED) == [
        (sentence, year_interval(1940, 1945)),
        (sentence, year_interval(1945)),
    ]


def test_rows_become_facts_in_time(hashed: Embedder) -> None:
    fields = (("Role", "Mayor"), ("Name", "Ada"))
    first = Fact(fields, day_number(2010), day_number(2010), Granularity.YEAR)
    open_end = Fact(fields, day_number(2012), None, Granularity.DAY)
    chunks = annotate(replace(document(""), facts=(first, open_end)), hashed).chunks
    assert [(c.ordinal, c.fact, c.sentences) for c in chunks] == [
        (0, first, ((0, len(chunks[0].text)),)),
        (1, open_end, ((0, len(chunks[1].text)),)),
    ]
    assert [c.envelope for c in chunks] == [year_interval(2010), Interval(day_number(2012), None)]
    assert "Mayor" in chunks[0].text


def test_sentences_and_rows_that_the_embedder_cannot_read_whole_are_counted(hashed: Embedder) -> None:
    text = "Short one. " + "word " * 100 + "end. " + "Short two."
    annotated = annotate(document(text), hashed)
    assert annotated.overlong_sentences == 1
    assert len(annotated.chunks) == 3
    row = Fact((("Note", "word " * 100),), 0, 1, Granularity.DAY)
    assert annotate(replace(document(""), facts=(row,)), hashed).overlong_sentences == 1
    assert annotate(document("Short one."), hashed).overlong_sentences == 0


def test_a_title_leaves_room_for_the_text(embedder: Embedder) -> None:
    for title in ("A long title with many words\n" * 50, "雪" * 400, "x" * 5000, "  two\n lines "):
        annotated = annotate(document("A sentence that must be read. " * 20, title=title), embedder)
        assert annotated.overlong_sentences == 0
        assert annotated.document.title
        assert "\n" not in annotated.document.title
        for chunk in annotated.chunks:
            assert embedder.count_tokens([chunk.content])[0] <= embedder.token_limit


anything = st.text(st.characters(codec="utf-8"), max_size=60)
dated = st.sampled_from(
    [
        "In March 2015",
        " in 44 BCE",
        "since 2017 ",
        "until 1945. ",
        "on the 14th",
        "Monday. ",
        "31 February 2020",
    ]
)


@given(st.lists(st.one_of(anything, dated, st.just(FILLER), st.just("\n\n")), max_size=30).map("".join))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_covered_by_chunks_that_the_embedder_can_read(embedder: Embedder, text: str) -> None:
    annotated = annotate(document(text, title="Title"), embedder)
    position = 0
    for ordinal, chunk in enumerate(annotated.chunks):
        assert (chunk.id, chunk.ordinal) == (f"d#{ordinal}", ordinal)
        start = text.index(chunk.text, position)
        assert not text[position:start].strip()
        position = start + len(chunk.text)
        assert (
            "".join(chunk.sentence(n) for n in range(len(chunk.sentences))).split()
            == "".join(chunk.text[a:b] for a, b in chunk.sentences).split()
        )
        head = chunk.text[: chunk.sentences[0][0]].strip()  # the line that dates an entry is no sentence
        assert "\n" not in head
        assert find_expressions(head) or not head
        assert chunk.sentences[-1][1] == len(chunk.text)
        assert all(0 <= event.sentence < len(chunk.sentences) for event in chunk.events)
        tokens = embedder.count_tokens([chunk.content])[0]
        assert tokens <= embedder.token_limit or len(chunk.sentences) == 1
    assert not text[position:].strip()
    json.dumps([chunk.text for chunk in annotated.chunks])


def test_sentences_know_the_place_they_stand_in(hashed: Embedder) -> None:
    text = "Before. One here runs on. Still there. Two there. None."
    marks = (Mark(8, "page 1"), Mark(20, "never begun"), Mark(39, "page 2"), Mark(50, ""))
    chunk = only_chunk(annotate(replace(document(text), places=marks), hashed))
    assert chunk.places == ((1, "page 1"), (2, "never begun"), (3, "page 2"), (4, ""))
    assert [chunk.place(index) for index in range(5)] == ["", "page 1", "never begun", "page 2", ""]


def test_each_chunk_knows_its_place(hashed: Embedder) -> None:
    text = FILLER * 40
    chunks = annotate(replace(document(text), places=(Mark(len(FILLER), "Findings"),)), hashed).chunks
    assert len(chunks) > 3
    assert chunks[0].places == ((1, "Findings"),)
    assert all(chunk.places == ((0, "Findings"),) for chunk in chunks[1:])


def test_a_document_that_is_one_sentence_shows_its_day_at_its_head_or_tail() -> None:
    rows = " ".join(f"row {number} of many" for number in range(2_000))
    day = day_interval(day_number(2019, 5, 3))
    assert date_document(document(f"Written 3 May 2019 {rows}")).document.published == day
    assert date_document(document(f"{rows} written on 3 May 2019")).document.published == day
    assert date_document(document(f"{rows} on 3 May 2019 {rows}")).document.published is None
