import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.store.conftest import chunk, document, embedded, encode, texts

from timelens.documents import Fact
from timelens.embedding import Embedder
from timelens.store import columns, vector_index, view
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.words import topic_words, word_id


def bounded(start: int, days: int) -> Interval:
    return Interval(start, start + days)


intervals = st.one_of(
    st.builds(bounded, st.integers(-60, 60), st.integers(1, 40)),
    st.builds(Interval, st.integers(-60, 60), st.none()),
    st.builds(Interval, st.none(), st.integers(-60, 60)),
    st.just(Interval(None, None)),
)
event_sets = st.lists(st.lists(intervals, max_size=3), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def random_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Path]]:
    """A fresh folder for every example of a property."""
    counter = iter(range(10_000))
    root = tmp_path_factory.mktemp("random")
    yield lambda: root / str(next(counter))
    shutil.rmtree(root)


@pytest.fixture(params=["in memory", "indexed in memory", "in the database"])
def searched(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches a corpus as one of a few chunks, of many, and of too many for memory."""
    if request.param != "in memory":
        monkeypatch.setattr(view, "IN_MEMORY", 0)
    if request.param == "in the database":
        monkeypatch.setattr(vector_index, "INDEXED", 0)


@pytest.mark.usefixtures("searched")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(event_sets, st.lists(intervals, min_size=1, max_size=3), st.integers(1, 6))
def test_a_search_by_time_finds_what_brute_force_finds(
    random_store: Callable[[], Path],
    hashed: Embedder,
    times: list[list[Interval]],
    windows: list[Interval],
    k: int,
) -> None:
    store = CorpusStore.create(random_store(), hashed.identity)
    chunks = [chunk("d", n, f"common word{n}", events) for n, events in enumerate(times)]
    store.write([embedded(hashed, "d", chunks)])
    query = hashed.encode_queries(["common word3"])[0]
    similarity = encode(hashed, chunks).vectors @ query
    right = [c for c in chunks if any(e.interval.intersects(w) for e in c.events for w in windows)]
    right.sort(key=lambda c: -similarity[c.ordinal])

    dense = store.dense(query, k, windows)
    assert [hit.chunk.id for hit in dense] == [c.id for c in right[:k]]
    assert [hit.score for hit in dense] == pytest.approx([similarity[c.ordinal] for c in right[:k]], abs=1e-5)
    keyword = store.keyword("common", k, windows)
    assert len(keyword) == min(k, len(right))
    assert {hit.chunk.id for hit in keyword} <= {c.id for c in right}
    assert len(store.keyword("common", 50)) == len(chunks)


def crowd(embedder: Embedder, early: int, late: int) -> list[EmbeddedDocument]:
    """Many early chunks that say just what is asked, and a few late ones that say it among other things."""
    close = [chunk("early", n, "treaty signed", [year_interval(1990)]) for n in range(early)]
    far = [chunk("late", n, f"treaty and {n} other things", [year_interval(2020)]) for n in range(late)]
    return [embedded(embedder, "early", close), embedded(embedder, "late", far)]


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("settled", [False, True])
def test_time_is_filtered_before_the_nearest_are_taken(
    store: CorpusStore, hashed: Embedder, settled: bool
) -> None:
    store.write(crowd(hashed, 300, 3))
    if settled:
        store.settle()
    query = hashed.encode_queries(["treaty signed"])[0]
    assert {hit.chunk.document_id for hit in store.dense(query, 3)} == {"early"}
    assert {hit.chunk.document_id for hit in store.keyword("treaty signed", 3)} == {"early"}
    windows = [year_interval(2020)]
    for found in (store.dense(query, 3, windows), store.keyword("treaty signed", 3, windows)):
        assert sorted(hit.chunk.id for hit in found) == ["late#0", "late#1", "late#2"]


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("right", [0, 2, 5])
def test_search_goes_on_past_envelopes_that_hold_the_window_and_events_that_do_not(
    store: CorpusStore, hashed: Embedder, right: int
) -> None:
    around = [year_interval(1990), year_interval(2020)]  # their envelope holds 2005, neither event does
    wrong = [chunk("wrong", n, "treaty signed", around) for n in range(200)]
    good = [chunk("good", n, f"treaty and {n} other things", [year_interval(2005)]) for n in range(right)]
    store.write([embedded(hashed, "wrong", wrong), *([embedded(hashed, "good", good)] if good else [])])
    windows = [year_interval(2005)]
    query = hashed.encode_queries(["treaty signed"])[0]
    for found in (store.dense(query, 3, windows), store.keyword("treaty signed", 3, windows)):
        assert len(found) == min(3, right)
        assert {hit.chunk.document_id for hit in found} <= {"good"}


@pytest.mark.usefixtures("searched")
def test_rows_come_as_arrays_in_the_order_asked_for(store: CorpusStore, hashed: Embedder) -> None:
    times = [[year_interval(1990), Interval(None, 5)], [], [Interval(3, None, Granularity.MONTH)]]
    chunks = [chunk("d", n, f"The treaty number {n}, signed", events) for n, events in enumerate(times)]
    two = replace(chunks[1], sentences=((0, 10), (11, len(chunks[1].text))))
    chunks[1] = replace(two, fact=Fact((("Name", "Ada"),), 10, None, Granularity.MONTH))
    store.write([embedded(hashed, "d", chunks)])
    vectors = encode(hashed, chunks)
    with store.searching() as searches:
        found = dict(
            zip((0, 1, 2), sorted(row for row, _ in searches.nearest(vectors.vectors[0], 3)), strict=True)
        )
        for order in ([2, 0, 1], [1], [0, 2], []):
            arrays = searches.arrays([found[n] for n in order])
            assert arrays.ids == [chunks[n].id for n in order]
            assert arrays.facts.tolist() == [n == 1 for n in order]
            np.testing.assert_allclose(arrays.vectors, vectors.vectors[order], atol=1e-6)
            np.testing.assert_allclose(
                arrays.sentence_vectors,
                np.vstack([vectors.spans[0][:0], *(vectors.spans[n] for n in order)]),
                atol=1e-3,
            )
            owners = [chunks[n].id for n in order for _ in chunks[n].events]
            assert [arrays.ids[owner] for owner in arrays.event_owners] == owners
            intervals = [event.interval for n in order for event in chunks[n].events]
            assert [arrays.events.interval(index) for index in range(len(intervals))] == intervals
            spoken = [c.sentence(i) for c in (chunks[n] for n in order) for i in range(len(c.sentences))]
            edges = arrays.word_edges.tolist()
            assert [set(arrays.words[a:b].tolist()) for a, b in pairwise(edges)] == [
                {word_id(word) for word in topic_words(sentence)} for sentence in spoken
            ]


@pytest.mark.usefixtures("searched")
def test_chunks_can_be_searched_among_some_documents(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, name, "treaty signed") for name in ("a", "b", "it's")])
    query = hashed.encode_queries(["treaty signed"])[0]
    with store.searching() as searches:
        found = searches.stored(searches.nearest(query, 5, documents=["b", "it's", "missing"]))
    assert sorted(hit.chunk.id for hit in found) == ["b#0", "it's#0"]


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("limit", [1, 3, 7, 8, 20])
def test_of_equal_matches_the_first_rows_are_found(store: CorpusStore, hashed: Embedder, limit: int) -> None:
    store.write([document(hashed, "a", *["treaty signed"] * 8)])
    with store.searching() as searches:
        rows = [row for row, _ in searches.matching("treaty", limit)]
        everything = sorted(row for row, _ in searches.matching("treaty", 100))
    assert rows == everything[:limit]


def test_more_chunks_than_are_kept_are_found_all_the_same(
    store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "_CHUNKS_KEPT", 2)
    store.write(crowd(hashed, 5, 5))
    query = hashed.encode_queries(["treaty signed"])[0]
    for _ in range(2):
        assert len({hit.chunk.id for hit in store.dense(query, 10)}) == 10
        assert len({hit.chunk.id for hit in store.dense(query, 3)}) == 3


@pytest.mark.usefixtures("searched")
def test_a_search_sees_what_another_handle_wrote(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "old words")])
    query = hashed.encode_queries(["words"])[0]
    assert texts(store.dense(query, 5)) == texts(store.keyword("words", 5)) == ["old words"]
    CorpusStore(store.path).write([document(hashed, "a", "new words")])
    assert texts(store.dense(query, 5)) == texts(store.keyword("words", 5)) == ["new words"]
    CorpusStore(store.path).remove(["a"])
    assert store.dense(query, 5) == store.keyword("words", 5) == []


@pytest.mark.parametrize(("word", "there"), [("treaty", True), ("treaties", True), ("ferry", False)])
def test_a_word_is_there_where_a_search_for_it_finds_something(
    store: CorpusStore, hashed: Embedder, word: str, *, there: bool
) -> None:
    store.write([document(hashed, "a", *["treaty signed"] * 3)])
    assert store.has_word(word) is bool(store.keyword(word, 1)) is there


@pytest.mark.usefixtures("searched")
def test_rows_of_tables_take_no_places_of_texts(store: CorpusStore, hashed: Embedder) -> None:
    row = Fact((("Name", "treaty"),), 10, None, Granularity.MONTH)
    rows = [chunk("t", n, "treaty", (), row) for n in range(8)]
    store.write(
        [embedded(hashed, "t", rows), document(hashed, "a", *["a treaty was signed in the harbour"] * 3)]
    )
    with store.searching() as view:
        found = view.stored(view.matching("treaty", 2, of_tables=False))
        assert [one.chunk.id for one in found] == ["a#0", "a#1"]
        assert len(view.matching("treaty", 20, of_tables=False)) == 3
        assert len(view.matching("treaty", 20)) == 11


def test_words_are_words_and_no_query_language(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "plain words here")])
    for query in ('"plain" AND (words OR', "plain*", "title:plain^3", "plain ~ + - !", "plain 'words' \\"):
        assert texts(store.keyword(query, 3)) == ["plain words here"]
    for query in ("", "   ", "the of and", "?!", "雪"):
        assert store.keyword(query, 3) == []


def test_the_span_runs_from_the_first_day_to_the_last(store: CorpusStore, hashed: Embedder) -> None:
    times = [[bounded(100, 10), bounded(-50, 5)], [], [Interval(20, 30)]]
    store.write([embedded(hashed, "a", [chunk("a", n, "x", events) for n, events in enumerate(times)])])
    span = store.span()
    assert span is not None
    assert (span.start, span.end) == (-50, 110)
    assert store.summary().span == span
    assert store.summary().events == 3


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([bounded(0, 10), Interval(10, None)], (0, 11)),
        ([Interval(7, None)], (7, 8)),
        ([Interval(None, 7)], (6, 7)),
        ([Interval(None, 7), bounded(7, 3)], (6, 10)),
        ([Interval(None, None)], None),
    ],
)
def test_the_day_on_which_an_open_fact_begins_or_ends_belongs_to_the_span(
    store: CorpusStore, hashed: Embedder, times: list[Interval], expected: tuple[int, int] | None
) -> None:
    store.write([embedded(hashed, "a", [chunk("a", n, "x", [time]) for n, time in enumerate(times)])])
    span = store.span()
    assert (span and (span.start, span.end)) == expected


def test_a_few_times_far_from_the_rest_are_told_apart(store: CorpusStore, hashed: Embedder) -> None:
    years = [[bounded(18_000 + 100 * n, 10)] for n in range(20)]
    lot = bounded(-3_400_000, 1)
    chunks = [chunk("a", n, "x", times) for n, times in enumerate([*years, [years[0][0], lot]])]
    store.write([embedded(hashed, "a", chunks)])
    summary = store.summary()
    assert summary.span is not None
    assert (summary.span.start, summary.span.end) == (18_000, 19_910)
    assert [(one.document_id, one.time) for one in summary.outlying] == [("a", lot)]


def test_what_a_good_part_of_the_corpus_is_about_is_not_told_apart(
    store: CorpusStore, hashed: Embedder
) -> None:
    times = [*([bounded(18_000 + n, 1)] for n in range(20)), *([bounded(-900_000 + n, 1)] for n in range(3))]
    store.write([embedded(hashed, "a", [chunk("a", n, "x", some) for n, some in enumerate(times)])])
    summary = store.summary()
    assert summary.span is not None
    assert (summary.span.start, summary.outlying) == (-900_000, ())
