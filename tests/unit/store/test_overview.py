"""What documents speak of over time, in real tables of LanceDB."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.store.conftest import chunk, document, embedded

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.store.corpus import CorpusStore
from timelens.store.histogram import edges_over
from timelens.store.overview import DocumentOverview
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.calendar import civil, day_number, weekday
from timelens.temporal.interval import Granularity, Interval, day_interval, year_interval


def titled(item: EmbeddedDocument, title: str, uri: str, published: Interval | None) -> EmbeddedDocument:
    return replace(item, document=replace(item.document, title=title, uri=uri, published=published))


@pytest.fixture
def filled(store: CorpusStore, hashed: Embedder) -> CorpusStore:
    """Two dated documents, one of them with a chunk from a far time, and one without any time."""
    early = [
        chunk("early", 0, "Founded, and rebuilt.", [year_interval(1950), year_interval(1955)]),
        chunk("early", 1, "Nothing of time."),
        *(chunk("early", n, f"In {n}.", [year_interval(1960)]) for n in range(2, 60)),
        chunk("early", 60, "Of Rome.", [year_interval(-43)]),
    ]
    late = [chunk("late", 0, "Since then.", [Interval(day_number(1990), None)])]
    store.write(
        [
            titled(
                embedded(hashed, "early", early), "b", "/x/early.MD", day_interval(day_number(1961, 2, 3))
            ),
            titled(embedded(hashed, "late", late), "A", "/x/late.csv#2", None),
            titled(document(hashed, "none", "Without a date."), "c", "", None),
        ]
    )
    return store


def test_each_document_is_told_with_its_time(filled: CorpusStore) -> None:
    late, early, none = filled.documents()
    assert early == DocumentOverview(
        "early",
        "/x/early.MD",
        "b",
        day_interval(day_number(1961, 2, 3)),
        chunks=61,
        dated=60,
        events=61,
        span=Interval(day_number(1950), day_number(1961)),
    )
    assert (early.kind, late.kind, none.kind) == ("md", "csv", "")
    assert (late.dated, late.span) == (1, Interval(day_number(1990), day_number(1990) + 1))
    assert (none.chunks, none.dated, none.events, none.span) == (1, 0, 0, None)


def test_documents_are_found_by_a_day_that_they_speak_of(filled: CorpusStore) -> None:
    def within(first: int, last: int) -> list[str]:
        return [one.id for one in filled.documents(year_interval(first, last))]

    assert within(1955, 1955) == ["early"]
    assert within(1956, 1959) == []  # between two of its events
    assert within(2020, 2020) == ["late"]  # open towards the end
    assert within(-43, -43) == ["early"]
    assert within(1900, 2000) == ["late", "early"]


def test_events_are_counted_in_each_stretch_that_they_reach(filled: CorpusStore) -> None:
    found = filled.histogram(50)
    assert (found.unit, found.units) == (Granularity.YEAR, 1)
    years = [civil(day)[0] for day in found.edges[:-1]]
    assert {year: n for year, n in zip(years, found.counts, strict=True) if n} == {
        1950: 1,
        1955: 1,
        1960: 58,
        1990: 1,
    }
    assert (found.before, found.after) == (1, 0)
    coarse = filled.histogram(5)
    assert [civil(day)[0] for day in coarse.edges] == [1950, 1960, 1970, 1980, 1990, 2000]
    assert coarse.counts == (2, 58, 0, 0, 1)


def test_what_another_process_writes_is_counted(filled: CorpusStore, path: Path, hashed: Embedder) -> None:
    assert len(filled.documents()) == 3
    more = embedded(hashed, "more", [chunk("more", 0, "In 1980.", [year_interval(1980)])])
    CorpusStore(path).write([more])
    assert len(filled.documents()) == 4
    assert filled.histogram(5).counts == (2, 58, 0, 1, 1)
    CorpusStore(path).remove(["early", "late", "more"])
    assert [one.id for one in filled.documents()] == ["none"]
    assert filled.histogram(5).counts == ()


def test_a_document_whose_times_all_lie_far_away_keeps_them(filled: CorpusStore, hashed: Embedder) -> None:
    filled.write([embedded(hashed, "rome", [chunk("rome", 0, "Once.", [year_interval(-50)])])])
    rome = next(one for one in filled.documents() if one.id == "rome")
    assert rome.span == Interval(day_number(-50), day_number(-49))


def test_an_empty_corpus_has_no_histogram(store: CorpusStore) -> None:
    assert store.documents() == []
    assert store.histogram(10).edges == ()
    assert store.histogram(10).stretches == ()


def test_a_document_that_was_not_written_whole_is_listed(store: CorpusStore, hashed: Embedder) -> None:
    item = EmbeddedDocument(Document("a", "/a", "", "", "h"), (), document(hashed, "a").vectors)
    store.write([item])
    (found,) = store.documents()
    assert (found.id, found.chunks, found.span) == ("a", 0, None)
    assert store.documents(year_interval(1900, 2100)) == []


days = st.integers(day_number(-3000), day_number(3000))


@given(first=days, length=st.integers(1, 2_000_000), bins=st.integers(2, 200))
def test_stretches_hold_the_span_and_begin_where_the_calendar_does(
    first: int, length: int, bins: int
) -> None:
    unit, units, edges = edges_over(Interval(first, first + length), bins)
    assert len(edges) - 1 <= bins
    assert edges[0] <= first < edges[1]
    assert edges[-2] < first + length <= edges[-1]
    assert all(start < end for start, end in pairwise(edges))
    for edge in edges:
        year, month, day = civil(edge)
        begins = {
            Granularity.DAY: True,
            Granularity.WEEK: weekday(edge) == 0,
            Granularity.MONTH: day == 1 and (month - 1) % units == 0,
            Granularity.YEAR: (month, day) == (1, 1) and year % units == 0,
        }
        assert begins[unit]


def test_one_stretch_cannot_hold_any_span() -> None:
    with pytest.raises(ValueError, match="1 parts"):
        edges_over(year_interval(2000), 1)
    with pytest.raises(ValueError, match="without an end"):
        edges_over(Interval(0, None), 5)
