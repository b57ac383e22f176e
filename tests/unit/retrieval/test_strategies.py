"""Every strategy over one small corpus, and the pure parts of each."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from evidence import event_arrays
from hypothesis import given
from hypothesis import strategies as st

from timelens.documents import Chunk, Document, Part
from timelens.embedding import Embedder
from timelens.errors import BadInputError
from timelens.ingest.pipeline import ingest_documents
from timelens.question.parse import parse
from timelens.retrieval.mrag import Side, side_of, temporal_score
from timelens.retrieval.request import Request, Retrieved
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import STRATEGIES, strategy_named
from timelens.retrieval.tarag import anchors
from timelens.retrieval.validity import are_open, still_holds
from timelens.store import columns, vector_index, view
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, granule, month_interval, year_interval

TODAY = day_number(2026, 11, 20)
CAREER = (
    "Ada Bell worked as an engineer at Orion in 1991.",
    "Ada Bell worked as an engineer at Vega in 1998.",
    "Ada Bell worked as an engineer at Lyra in 2005.",
)
OTHER = "The port of Lund was dredged in 2001 and in 2002."


@pytest.fixture
def searcher(tmp_path: Path, hashed: Embedder) -> Searcher:
    text = "\n\n".join(CAREER)
    offsets = [text.index(sentence) for sentence in CAREER]
    parts = tuple(Part(f"ada{number}", offset) for number, offset in enumerate(offsets))
    store = CorpusStore.create(tmp_path / "c", hashed.identity)
    documents = [
        Document("ada", "/ada", "Ada Bell", text, "1", parts=parts),
        Document("lund", "/lund", "Port of Lund", OTHER, "2"),
    ]
    ingest_documents(documents, store, hashed)
    return Searcher(store, hashed)


def ranking(searcher: Searcher, strategy: str, question: str) -> list[Chunk]:
    parsed = parse(question, TODAY)
    found = strategy_named(strategy).retrieve(Request(parsed, parsed.core, parsed.window, 10), searcher)
    return [hit.chunk for hit in found.hits]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_finds_evidence_and_says_how(searcher: Searcher, name: str) -> None:
    parsed = parse("Where did Ada Bell work in 1998?", TODAY)
    found = strategy_named(name).retrieve(Request(parsed, parsed.core, parsed.window, 2), searcher)
    assert found.hits
    assert "ada1" in [hit.chunk.source_id for hit in found.hits]
    assert all(hit.passed for hit in found.hits)
    finals = [hit.scores.final for hit in found.hits]
    assert all(score is not None and 0 <= score <= 1.0001 for score in finals)
    assert finals == sorted(finals, key=lambda score: -(score or 0))


@pytest.mark.parametrize(
    "question",
    [
        "Where did Ada Bell work in 2001?",
        "Where did Ada Bell work between March 2000 and May 2003?",
        "Where did Ada Bell work as of June 2002?",
    ],
)
def test_a_fact_holds_until_the_next_of_its_kind(searcher: Searcher, question: str) -> None:
    assert ranking(searcher, "timelens", question)[0].source_id == "ada1"


@pytest.mark.parametrize(
    ("strategy", "question"),
    [
        ("timelens", "Who toiled with Bellatrix in 2001?"),
        ("timelens-keyword", "Where did Ada Bell work in 2001?"),
    ],
)
def test_without_a_word_in_common_what_still_holds_is_found_by_meaning(
    searcher: Searcher, strategy: str, question: str
) -> None:
    assert "ada1" in [chunk.source_id for chunk in ranking(searcher, strategy, question)]


def test_evidence_that_still_holds_says_so(searcher: Searcher) -> None:
    parsed = parse("Where did Ada Bell work in 2001?", TODAY)
    best = (
        strategy_named("timelens").retrieve(Request(parsed, parsed.core, parsed.window, 5), searcher).hits[0]
    )
    assert best.passed[-1] == "validity"
    assert best.interval == year_interval(1998)


def test_of_terms_the_last_to_begin_comes_first(searcher: Searcher, hashed: Embedder) -> None:
    terms = ("1 March 1990 to 1 May 1996", "1 May 1996 to 7 July 2004", "7 July 2004 to 3 June 2012")
    texts = [f"{name} was mayor of Lund from {term}." for name, term in zip("ABC", terms, strict=True)]
    documents = [Document(name, name, "", text, text) for name, text in zip("ABC", texts, strict=True)]
    assert isinstance(searcher.store, CorpusStore)
    ingest_documents(documents, searcher.store, hashed)
    found = ranking(searcher, "timelens", "Who was the last to become mayor of Lund before 1998?")
    assert [chunk.document_id for chunk in found][:2] == ["B", "A"]


def test_without_validity_the_filter_keeps_earlier_facts_out(searcher: Searcher) -> None:
    found = ranking(searcher, "timelens-validity", "Where did Ada Bell work in 2001?")
    assert {chunk.document_id for chunk in found} == {"lund"}


def test_the_filter_of_tarag_can_be_left_out(searcher: Searcher) -> None:
    question = "Where did Ada Bell work in 2001?"
    assert {chunk.document_id for chunk in ranking(searcher, "tarag", question)} == {"lund"}
    assert "ada" in {chunk.document_id for chunk in ranking(searcher, "tarag-filter", question)}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("best", "there is no strategy 'best'"),
        ("bm25-filter", "the strategy bm25 has no stage 'filter'"),
        ("timelens-anchors", "the strategy timelens has no stage 'anchors'"),
    ],
)
def test_an_unknown_strategy_or_stage_is_named(name: str, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        strategy_named(name)


@pytest.mark.parametrize("indexed", [1000, 0])
@pytest.mark.parametrize("rows_kept", [2048, 1])
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "question",
    [
        "Where did Ada Bell work in 2001?",
        "Where did Ada Bell work first?",
        "What was dredged as of 2003?",
        "How did the work of Ada Bell change from 1990 to 2006?",
    ],
)
def test_a_corpus_too_large_for_memory_is_ranked_the_same(
    searcher: Searcher,
    hashed: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    question: str,
    rows_kept: int,
    indexed: int,
) -> None:
    parsed = parse(question, TODAY)
    request = Request(parsed, parsed.core, parsed.window, 10)
    in_memory = strategy_named(name).retrieve(request, searcher)
    monkeypatch.setattr(view, "IN_MEMORY", 0)
    monkeypatch.setattr(vector_index, "INDEXED", indexed)
    monkeypatch.setattr(columns, "_ROWS_KEPT", rows_kept)
    assert isinstance(searcher.store, CorpusStore)
    elsewhere = Searcher(CorpusStore(searcher.store.path), hashed)
    in_database = strategy_named(name).retrieve(request, elsewhere)
    assert [hit.chunk for hit in in_database.hits] == [hit.chunk for hit in in_memory.hits]
    for one, other in zip(in_memory.hits, in_database.hits, strict=True):
        assert (one.passed, one.sentence, one.interval) == (other.passed, other.sentence, other.interval)
        assert one.scores.final == pytest.approx(other.scores.final, abs=1e-5)


# Validity

starts = st.lists(st.integers(-5000, 0), min_size=1, max_size=12)


@given(starts)
def test_of_facts_of_a_kind_the_last_is_the_surest(days: list[int]) -> None:
    sure = still_holds(days, [1.0] * len(days), 1.0, 0)
    assert all(0 < value <= 1 for value in sure)
    ordered = [value for _, value in sorted(zip(days, sure, strict=True))]
    assert ordered == sorted(ordered)


@given(starts, st.integers(-6000, -5001))
def test_what_begins_earlier_succeeds_nothing(days: list[int], earlier: int) -> None:
    alone = still_holds(days, [1.0] * len(days), 1.0, 0)
    assert still_holds([*days, earlier], [1.0] * (len(days) + 1), 1.0, 0)[:-1] == pytest.approx(alone)


def test_what_is_off_topic_hardly_succeeds() -> None:
    kin = still_holds([-100, -50], [1.0, 1.0], 1.0, 0)[0]
    stranger = still_holds([-100, -50], [1.0, 0.3], 1.0, 0)[0]
    assert kin < 0.75
    assert stranger > 0.9
    assert still_holds([], [], 0.0, 0) == []
    assert still_holds([-1], [0.0], 0.0, 0)[0] > 0.9


@pytest.mark.parametrize(
    ("time", "is_open"),
    [
        (year_interval(1998), True),
        (month_interval(1998, 2), True),
        (year_interval(1998, 2003), False),
        (Interval(None, 5), False),
        (Interval(5, None), False),
    ],
)
def test_a_single_date_may_begin_something_and_a_period_does_not(time: Interval, is_open: bool) -> None:
    assert are_open(event_arrays([time])).tolist() == [is_open]


# TA-RAG


@given(
    st.builds(
        lambda start, length: Interval(start, start + length),
        st.integers(-900_000, 900_000),
        st.integers(1, 60_000),
    )
)
def test_anchors_are_bounded_in_number_and_spread_over_the_window(window: Interval) -> None:
    points = anchors(window)
    assert 1 <= len(points) <= 24
    assert len({point.granularity for point in points}) == 1
    assert all(point.intersects(window) for point in points)


@pytest.mark.parametrize(
    ("window", "unit", "number"),
    [
        (year_interval(1990, 2009), Granularity.YEAR, 20),
        (year_interval(2015), Granularity.MONTH, 12),
        (year_interval(2012, 2016), Granularity.MONTH, 24),
        (month_interval(2015, 3), Granularity.DAY, 24),
        (granule(0, Granularity.DAY), Granularity.DAY, 1),
    ],
)
def test_anchors_are_one_step_finer_than_the_window(window: Interval, unit: Granularity, number: int) -> None:
    points = anchors(window)
    assert (points[0].granularity, len(points)) == (unit, number)


def test_an_unbounded_window_has_no_anchors() -> None:
    with pytest.raises(ValueError, match="bounded"):
        anchors(Interval(0, None))


# MRAG


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("Who led it as of 1981?", Side.BEFORE),
        ("Who led it before 1981?", Side.BEFORE),
        ("Who led it by 1981?", Side.BEFORE),
        ("Who led it since 1981?", Side.AFTER),
        ("Who led it after 1981?", Side.AFTER),
        ("Who led it between 1981 and 1985?", Side.BETWEEN),
        ("Who led it in 1981?", None),
        ("Who led it?", None),
    ],
)
def test_questions_fall_into_the_classes_of_the_paper(question: str, side: Side | None) -> None:
    assert side_of(parse(question, TODAY)) is side


def test_the_temporal_score_of_the_paper() -> None:
    before = Interval(None, day_number(1981), Granularity.YEAR)
    assert temporal_score([year_interval(1970)], before, first=False) == pytest.approx(0.92, abs=0.01)
    assert temporal_score([year_interval(1970)], before, first=True) == pytest.approx(0.69, abs=0.01)
    assert temporal_score([year_interval(1990)], before, first=False) == 0.5
    assert temporal_score([], before, first=False) == 0.5
    both = [year_interval(1940), year_interval(1980)]
    assert temporal_score(both, before, first=False) == temporal_score(both[1:], before, first=False)


@given(st.integers(-9000, 9000), st.integers(1, 4000), st.integers(-9000, 9000), st.integers(1, 4000))
def test_the_temporal_score_lies_in_its_bounds(start: int, length: int, day: int, days: int) -> None:
    window, time = Interval(start, start + length), Interval(day, day + days)
    for first in (True, False):
        score = temporal_score([time], window, first=first)
        assert 0.6 - 1e-9 <= score <= 1 + 1e-9 if time.intersects(window) else score == 0.5


class Shortened:
    """A model that summarises as it is told to."""

    def __init__(self, **sentences: str) -> None:
        self.sentences = sentences
        self.asked: list[tuple[str, int]] = []

    def summarise(self, question: str, passages: Sequence[str]) -> list[str | None]:
        self.asked.append((question, len(passages)))
        return [
            next((said for word, said in self.sentences.items() if word in passage), None)
            for passage in passages
        ]


def found_by_mrag(searcher: Searcher, model: Shortened | None, strategy: str = "mrag") -> Retrieved:
    parsed = parse("Where did Ada Bell work between 1997 and 1999?", TODAY)
    request = Request(parsed, parsed.core, parsed.window, 10, summariser=model)
    return strategy_named(strategy).retrieve(request, searcher)


def test_summaries_compete_with_the_sentences_of_the_best_passages(searcher: Searcher) -> None:
    model = Shortened(Vega="Where did Ada Bell work? Vega in 1998.")
    found = found_by_mrag(searcher, model)
    assert model.asked == [("Where did Ada Bell work?", 4)]
    best = found.hits[0]
    assert (best.chunk.source_id, best.passed[2], best.sentence) == ("ada1", "summary", 0)
    assert best.interval == year_interval(1998)
    alone = found_by_mrag(searcher, None).hits[0]
    assert alone.passed[2] == "sentence"
    assert (best.scores.final or 0) > (alone.scores.final or 0)
    assert found.notes == ()


def test_a_summary_with_a_time_that_its_passage_does_not_hold_is_left_out(searcher: Searcher) -> None:
    found = found_by_mrag(searcher, Shortened(Orion="Where did Ada Bell work? Orion in 1998."))
    assert all("summary" not in hit.passed for hit in found.hits)
    assert found.notes == (
        "1 of the model's summaries were left out: they state times that their passages do not",
    )


@pytest.mark.parametrize(("strategy", "said"), [("mrag", True), ("mrag-summaries", False), ("hybrid", False)])
def test_that_there_are_no_summaries_is_said_where_there_could_be(
    searcher: Searcher, strategy: str, said: bool
) -> None:
    found = found_by_mrag(searcher, None, strategy)
    assert any("without summaries" in note for note in found.notes) == said
