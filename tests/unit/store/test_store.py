import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from threading import Event as Signal

import lancedb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timelens.documents import Chunk, Document, Event, EventSource, Fact
from timelens.embedding import Embedder, EmbedderIdentity, EncodedDocuments
from timelens.errors import ExitCode, MissingError, StoreError
from timelens.store import columns, view
from timelens.store.corpus import CorpusStore
from timelens.store.rows import EmbeddedDocument, StoredChunk
from timelens.store.schema import (
    CHUNKS,
    SCALAR_INDEXES,
    SCHEMA_VERSION,
    TEXT_INDEX,
    StoreMetadata,
    chunks_schema,
)
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.words import topic_words, word_id

Write = Callable[..., None]


def chunk(
    document: str, ordinal: int, text: str, times: Sequence[Interval] = (), fact: Fact | None = None
) -> Chunk:
    """A chunk of one sentence with an event for each time."""
    events = tuple(Event(time, 0, EventSource.STATED, 0.5) for time in times)
    return Chunk(
        id=f"{document}#{ordinal}",
        document_id=document,
        ordinal=ordinal,
        uri=f"/{document}",
        title="",
        text=text,
        published=None,
        sentences=((0, len(text)),),
        events=events,
        fact=fact,
    )


def embedded(embedder: Embedder, document_id: str, chunks: Sequence[Chunk]) -> EmbeddedDocument:
    document = Document(document_id, f"/{document_id}", "", "", repr([c.text for c in chunks]))
    return EmbeddedDocument(document, tuple(chunks), encode(embedder, chunks))


def encode(embedder: Embedder, chunks: Sequence[Chunk]) -> EncodedDocuments:
    return embedder.encode_documents([c.content for c in chunks], [c.sentences for c in chunks])


def document(embedder: Embedder, document_id: str, *texts: str) -> EmbeddedDocument:
    return embedded(embedder, document_id, [chunk(document_id, n, text) for n, text in enumerate(texts)])


def texts(found: Sequence[StoredChunk]) -> list[str]:
    return [hit.chunk.text for hit in found]


def everything(store: CorpusStore, embedder: Embedder) -> dict[str, str]:
    """Text by chunk id, of all chunks."""
    found = store.dense(embedder.encode_queries(["x"])[0], 10_000)
    assert len({hit.chunk.id for hit in found}) == len(found)
    return {hit.chunk.id: hit.chunk.text for hit in found}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


@pytest.fixture
def store(path: Path, hashed: Embedder) -> CorpusStore:
    return CorpusStore.create(path, hashed.identity)


def test_the_chunks_of_documents_come_in_the_order_asked(store: CorpusStore, hashed: Embedder) -> None:
    parts = [replace(chunk("page", n, f"part {n}"), id=f"it's#{n}#0") for n in (1, 2)]
    store.write(
        [
            document(hashed, "a", *(f"a{n}" for n in range(12))),
            document(hashed, "a#b", "another"),
            document(hashed, "a$", "not this"),
            embedded(hashed, "page", parts),
        ]
    )
    found = [one.text for one in store.chunks_from(["it's#2", "a", "gone"])]
    assert found == ["part 2", *(f"a{n}" for n in range(12))]
    assert [one.text for one in store.chunks_from(["a#b"])] == ["another"]
    assert store.chunks_from([]) == []


def test_what_was_written_comes_back_as_it_was(store: CorpusStore, path: Path, hashed: Embedder) -> None:
    published = Interval(-800_000, -799_000, Granularity.YEAR)
    whole = Chunk(
        id="a#0",
        document_id="a",
        ordinal=0,
        uri="/home/someone/a.md",
        title="Ein Titel – “quoted”",
        text="First 雪 sentence. Second one.",
        published=published,
        sentences=((0, 17), (18, 29)),
        events=(
            Event(Interval(None, 5, Granularity.CENTURY), 0, EventSource.STATED, 0.5),
            Event(Interval(-3, None), 1, EventSource.ANCHORED, 0.25),
            Event(published, 1, EventSource.PUBLISHED, 1.0),
        ),
        fact=Fact((("Name", "Ada"), ("Note", "")), 10, None, Granularity.MONTH),
        places=((0, "page 3"), (1, "Findings")),
    )
    plain = chunk("a", 1, "Undated, without a fact.")
    vectors = encode(hashed, [whole, plain])
    item = EmbeddedDocument(Document("a", "/a", "t", "x", "h", published=published), (whole, plain), vectors)
    store.write([item])
    found = CorpusStore(path).dense(vectors.vectors[0], 2)
    assert [hit.chunk for hit in found] == [whole, plain]
    assert found[0].score == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(found[0].vector, vectors.vectors[0], atol=1e-6)
    np.testing.assert_allclose(found[0].sentence_vectors, vectors.spans[0], atol=1e-3)
    assert found[1].sentence_vectors.shape == (1, hashed.identity.dimension)


def test_creating_again_opens_what_is_there(store: CorpusStore, path: Path, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "one")])
    again = CorpusStore.create(path, hashed.identity)
    assert everything(again, hashed) == {"a#0": "one"}


def test_a_corpus_is_private_to_the_user(store: CorpusStore) -> None:
    assert store.path.stat().st_mode & 0o077 == 0


def test_a_corpus_that_is_not_there_is_missing_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no corpus at") as caught:
        CorpusStore(tmp_path / "none")
    assert "timelens ingest" in caught.value.hint
    assert caught.value.exit_code is ExitCode.MISSING
    assert not (tmp_path / "none").exists()


def test_an_empty_corpus_answers_with_nothing(store: CorpusStore, hashed: Embedder) -> None:
    assert store.dense(hashed.encode_queries(["x"])[0], 5) == []
    assert store.keyword("x", 5, [year_interval(2000)]) == []
    assert store.content_hashes() == {}
    assert store.span() is None
    summary = store.summary()
    assert (summary.documents, summary.chunks, summary.events, summary.span) == (0, 0, 0, None)


def test_a_replaced_document_leaves_none_of_its_old_chunks(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, "a", "one", "two", "three"), document(hashed, "b", "other", "more")])
    before = store.content_hashes()
    store.write([document(hashed, "a", "uno", "dos")])
    assert everything(store, hashed) == {"a#0": "uno", "a#1": "dos", "b#0": "other", "b#1": "more"}
    after = store.content_hashes()
    assert after["a"] != before["a"]
    assert after["b"] == before["b"]
    assert store.keyword("three", 5) == []
    store.settle()
    assert everything(store, hashed) == {"a#0": "uno", "a#1": "dos", "b#0": "other", "b#1": "more"}


def test_removing_takes_a_document_and_its_chunks_and_no_other(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, name, f"{name} one", f"{name} two") for name in ("a", "a2", "b")])
    store.remove(["a", "never there"])
    assert set(everything(store, hashed)) == {"a2#0", "a2#1", "b#0", "b#1"}
    assert set(store.content_hashes()) == {"a2", "b"}
    store.remove([])
    assert store.summary().documents == 2


AWKWARD_IDS = [
    "it's.txt",
    "''",
    "' OR '1'='1",
    'a"b.txt',
    "back\\slash",
    "percent%_",
    "雪/ünï.md",
    "🙂",
    "line\nbreak",
    "-- comment",
    "semi; DROP TABLE chunks",
    "x" * 2000,
]


def test_an_id_is_only_ever_an_id_whatever_it_holds(store: CorpusStore, hashed: Embedder) -> None:
    store.write([document(hashed, name, "old", "old two") for name in [*AWKWARD_IDS, "plain"]])
    for name in AWKWARD_IDS:
        store.write([document(hashed, name, "new")])
    left = everything(store, hashed)
    assert left == {**{f"{name}#0": "new" for name in AWKWARD_IDS}, "plain#0": "old", "plain#1": "old two"}
    for name in AWKWARD_IDS:
        store.remove([name])
    assert set(store.content_hashes()) == {"plain"}
    assert everything(store, hashed) == {"plain#0": "old", "plain#1": "old two"}


def test_thousands_of_documents_are_removed_at_once(store: CorpusStore, hashed: Embedder) -> None:
    names = [f"document {n}" for n in range(3000)]
    vectors = encode(hashed, [chunk("d", 0, "same")])
    documents = [Document(name, "", "", "", "hash") for name in names]
    store.write([EmbeddedDocument(d, (chunk(d.id, 0, "same"),), vectors) for d in documents])
    store.remove(names[1:])
    assert everything(store, hashed) == {f"{names[0]}#0": "same"}


# Filters by time


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


@pytest.fixture(params=["in memory", "in the database"])
def searched(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches a corpus as one of a few chunks, and as one of too many for memory."""
    if request.param == "in the database":
        monkeypatch.setattr(view, "IN_MEMORY", 0)


@pytest.mark.usefixtures("searched")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


# Interruptions, damage, other versions and embedders


def break_on(store: CorpusStore, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """The process ends before the next merge into a table."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(getattr(store, table), "merge_insert", killed)


def test_chunks_that_an_interrupted_write_left_behind_are_swept(
    store: CorpusStore, path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    with monkeypatch.context() as patched:
        break_on(store, patched, "_documents")
        with pytest.raises(KeyboardInterrupt):
            store.write([document(hashed, "b", "half there")])
    again = CorpusStore(path)
    assert set(again.content_hashes()) == {"a"}
    again.settle()
    assert everything(again, hashed) == {"a#0": "one", "a#1": "two"}


def test_a_document_of_which_only_the_chunks_were_replaced_does_not_pass_for_stored(
    store: CorpusStore, path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = document(hashed, "a", "old", "old two")
    store.write([old])
    with monkeypatch.context() as patched:
        break_on(store, patched, "_documents")
        with pytest.raises(KeyboardInterrupt):
            store.write([document(hashed, "a", "new"), document(hashed, "b", "half there")])
    again = CorpusStore(path)
    again.settle()
    assert again.content_hashes().keys() == {"a"}
    assert again.content_hashes()["a"] != old.document.content_hash
    assert everything(again, hashed) == {"a#0": "new"}


def test_an_index_that_an_interruption_left_unmade_is_made_later(
    path: Path, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("timelens.store.corpus._create_indexes", killed)
        with pytest.raises(KeyboardInterrupt):
            CorpusStore.create(path, hashed.identity)
    store = CorpusStore(path)
    store.settle()
    indexed = {column for index in store._chunks.list_indices() for column in index.columns}
    assert indexed == {*SCALAR_INDEXES, TEXT_INDEX}


def test_an_interruption_between_the_tables_leaves_no_broken_corpus(path: Path, hashed: Embedder) -> None:
    (path / f"{CHUNKS}.lance" / "_versions").mkdir(parents=True)  # as LanceDB begins a table
    with pytest.raises(MissingError):
        CorpusStore(path)
    store = CorpusStore.create(path, hashed.identity)
    store.write([document(hashed, "a", "one")])
    assert everything(CorpusStore(path), hashed) == {"a#0": "one"}


def make_corpus(path: str, start: Barrier) -> str:
    start.wait()
    try:
        CorpusStore.create(Path(path), EmbedderIdentity("same", 4, "hash"))
    except StoreError as error:
        return error.message
    return ""


def test_two_that_make_a_corpus_at_once_both_get_it(path: Path) -> None:
    start = Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make_corpus, [str(path)] * 4, [start] * 4)) == [""] * 4


def test_a_corpus_of_another_format_is_refused(path: Path, hashed: Embedder) -> None:
    CorpusStore.create(path, hashed.identity)
    schema = chunks_schema(StoreMetadata(SCHEMA_VERSION + 1, hashed.identity))
    lancedb.connect(path).create_table(CHUNKS, schema=schema, mode="overwrite")
    for again in (CorpusStore, lambda at: CorpusStore.create(at, hashed.identity)):
        with pytest.raises(StoreError, match=rf"has format {SCHEMA_VERSION + 1}") as caught:
            again(path)
        assert caught.value.exit_code is ExitCode.STORE
        assert "new corpus" in caught.value.hint


def test_a_later_format_is_told_apart_even_if_it_says_more_of_its_embedder(
    path: Path, hashed: Embedder
) -> None:
    CorpusStore.create(path, hashed.identity)
    schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, hashed.identity))
    later = {"schema_version": SCHEMA_VERSION + 1, "embedder": {"family": "unheard of"}}
    schema = schema.with_metadata({b"timelens": json.dumps(later).encode()})
    lancedb.connect(path).create_table(CHUNKS, schema=schema, mode="overwrite")
    with pytest.raises(StoreError, match="has format"):
        CorpusStore(path)


@pytest.mark.parametrize("metadata", [None, {b"timelens": b"[]"}, {b"timelens": b"{"}, {b"timelens": b"{}"}])
def test_tables_of_someone_else_are_no_corpus(path: Path, metadata: dict[bytes, bytes] | None) -> None:
    database = lancedb.connect(path)
    for name in ("documents", CHUNKS):
        database.create_table(name, schema=pa.schema([pa.field("id", pa.string())], metadata=metadata))
    with pytest.raises(StoreError, match="cannot be read"):
        CorpusStore(path)


def use(path: Path, embedder: Embedder) -> None:
    store = CorpusStore(path)
    store.content_hashes()
    everything(store, embedder)


def files(path: Path, pattern: str) -> list[Path]:
    found = [file for file in path.glob(pattern) if file.is_file()]
    assert found
    return found


@pytest.mark.parametrize("damage", ["delete", "truncate", "overwrite"])
@pytest.mark.parametrize(
    "where", ["chunks.lance/data/*", "documents.lance/data/*", "chunks.lance/_versions/*"]
)
def test_damage_is_reported_as_such_with_a_remedy(
    store: CorpusStore, path: Path, hashed: Embedder, where: str, damage: str
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    for file in files(path, where):
        content = file.read_bytes()
        if damage == "delete":
            file.unlink()
        else:
            file.write_bytes(content[: len(content) // 2] if damage == "truncate" else b"\0" * len(content))
    with pytest.raises(StoreError, match="cannot be read") as caught:
        use(path, hashed)
    assert str(path) in caught.value.message
    assert "\n" not in caught.value.message
    assert "ingest again" in caught.value.hint


def test_damage_is_not_taken_for_an_unfinished_start(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    store.write([document(hashed, "a", "one", "two")])
    for file in files(path, "chunks.lance/_versions/*"):
        file.unlink()
    with pytest.raises(StoreError):
        CorpusStore.create(path, hashed.identity)


@pytest.mark.usefixtures("store")
def test_a_missing_table_is_damage(path: Path) -> None:
    shutil.rmtree(path / "documents.lance")
    with pytest.raises(StoreError, match="cannot be read"):
        CorpusStore(path)


def test_another_embedder_is_refused_with_the_remedy(
    store: CorpusStore, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.require_embedder(hashed.identity)
    for change in (
        {"name": "x"},
        {"dimension": 3},
        {"weights_sha256": "0"},
        {"document_prefix": "passage: "},
    ):
        with pytest.raises(StoreError):
            store.require_embedder(replace(hashed.identity, **change))
    with pytest.raises(StoreError, match="made with the embedder hashed, not other") as caught:
        store.require_embedder(other_hashed.identity)
    assert "--reembed --corpus corpus" in caught.value.hint
    assert caught.value.exit_code is ExitCode.STORE


def test_an_open_reader_sees_what_another_handle_writes(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    reader = CorpusStore(path)
    store.write([document(hashed, "a", "one")])
    assert everything(reader, hashed) == {"a#0": "one"}
    store.write([document(hashed, "a", "uno"), document(hashed, "b", "two")])
    store.settle()
    assert everything(reader, hashed) == {"a#0": "uno", "b#0": "two"}
    store.remove(["a"])
    assert texts(reader.keyword("uno two", 5)) == ["two"]


def test_a_reader_meets_only_whole_documents_while_they_are_replaced(
    store: CorpusStore, path: Path, hashed: Embedder
) -> None:
    store.write([document(hashed, "a", *["before"] * 5)])
    reader = CorpusStore(path)
    query = hashed.encode_queries(["x"])[0]
    seen: list[list[str]] = []
    done = Signal()

    def read() -> None:
        while not done.is_set():
            seen.append(texts(reader.dense(query, 50)))

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        try:
            for turn in range(8):
                store.write([document(hashed, "a", *[f"turn {turn}"] * (turn % 3 + 1))])
            store.settle()
        finally:
            done.set()
        reading.result()
    assert len(seen) > 1
    whole = [["before"] * 5, *([f"turn {turn}"] * (turn % 3 + 1) for turn in range(8))]
    assert all(state in whole for state in seen)


# Another embedder


def test_reembedding_keeps_all_but_the_vectors(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    times = [year_interval(2000), Interval(None, 5)]
    chunks = [chunk("d", n, f"word{n} common", times[: n % 3]) for n in range(600)]
    store.write([embedded(hashed, "d", chunks)])
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    for again in (store, CorpusStore(path)):
        again.require_embedder(other_hashed.identity)
        query = other_hashed.encode_queries(["word7 common"])[0]
        found = again.dense(query, 1000)
        assert sorted((hit.chunk for hit in found), key=lambda c: c.ordinal) == chunks
        assert found[0].chunk.id == "d#7"
        assert found[0].vector.shape == (other_hashed.identity.dimension,)
        assert texts(again.keyword("word9", 3)) == ["word9 common"]
        assert len(again.dense(query, 1000, [year_interval(2000)])) == 400
    assert list(store.content_hashes()) == ["d"]


def test_reembedding_an_empty_corpus_only_changes_its_embedder(
    store: CorpusStore, path: Path, other_hashed: Embedder
) -> None:
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    CorpusStore(path).require_embedder(other_hashed.identity)


def test_reembedding_that_fails_leaves_the_corpus_as_it_was(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.write([embedded(hashed, "d", [chunk("d", n, f"word{n}") for n in range(600)])])
    batches = iter(range(10))

    def encode_once(batch: Sequence[Chunk]) -> EncodedDocuments:
        if next(batches):
            raise RuntimeError("out of memory")
        return encode(other_hashed, batch)

    with pytest.raises(StoreError):
        store.reembed(other_hashed.identity, encode_once)
    for again in (store, CorpusStore(path)):
        again.require_embedder(hashed.identity)
        assert len(everything(again, hashed)) == 600
        assert texts(again.keyword("word9", 3)) == ["word9"]


def test_a_reader_learns_that_the_corpus_was_embedded_again(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    store.write([document(hashed, "a", "one")])
    reader = CorpusStore(path)
    store.reembed(other_hashed.identity, lambda batch: encode(other_hashed, batch))
    with pytest.raises(StoreError, match="made with the embedder other"):
        reader.require_embedder(hashed.identity)
