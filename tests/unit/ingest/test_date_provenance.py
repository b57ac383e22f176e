"""Which words of a chunk were read as which days."""

from dataclasses import replace

from timelens.documents import Chunk, Document, Event, EventSource, Fact
from timelens.embedding import Embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.date_provenance import dates_read
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, year_interval
from timelens.temporal.phrasing import phrase

TEXT = (
    "The plant opened on 3 May 2015. It closed two days later. It was rebuilt between 2016 and 2018, and "
    "nobody came.\n\nSince March 2019 it has run again."
)


def _read(chunk: Chunk) -> list[tuple[str, str]]:
    return [(chunk.text[one.start : one.end], phrase(one.interval)) for one in dates_read(chunk)]


def test_expressions_have_the_days_that_are_stored(embedder: Embedder) -> None:
    published = day_interval(day_number(2020, 6, 1))
    (chunk,) = annotate(Document("a", "/a", "A", TEXT, "h", published=published), embedder).chunks
    assert _read(chunk) == [
        ("3 May 2015", "3 May 2015"),
        ("two days later", "5 May 2015"),
        ("between 2016 and 2018", "2016 to 2018"),
        ("Since March 2019", "1 March 2019 to 1 June 2020"),
    ]


def test_the_stored_days_count_where_reading_anew_would_give_others(embedder: Embedder) -> None:
    (chunk,) = annotate(Document("a", "/a", "A", TEXT, "h"), embedder).chunks
    moved = tuple(
        replace(event, interval=year_interval(1900)) if event.source is EventSource.STATED else event
        for event in chunk.events
    )
    assert {days for _, days in _read(replace(chunk, events=moved))} == {"1900"}


def test_where_the_numbers_differ_the_same_days_decide() -> None:
    text = "It was built in 2016 and sold in 2018."
    events = (Event(year_interval(2018), 0, EventSource.STATED, 1.0),)
    chunk = Chunk("a#0", "a", 0, "/a", "A", text, None, ((0, len(text)),), events)
    assert _read(chunk) == [("2018", "2018")]
    carried = replace(chunk, events=(Event(year_interval(2018), 0, EventSource.ANCHORED, 0.5),))
    assert dates_read(carried) == ()


def test_a_row_of_a_table_has_no_expressions() -> None:
    fact = Fact((("Name", "May 2015"),), 0, 5, Granularity.DAY)
    events = (Event(Interval(0, 5), 0, EventSource.STATED, 1.0),)
    assert dates_read(Chunk("a#0", "a", 0, "/a", "A", "May 2015", None, ((0, 8),), events, fact)) == ()
