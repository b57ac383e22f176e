"""The bundled reader over the first hits of a strategy, where no cross-encoder is configured."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from evidence import hit

from timelens.agent.events import GatheredEvidence
from timelens.agent.gathering import gather
from timelens.documents import Document, Fact, Hit, Scores
from timelens.embedding import Embedder
from timelens.ingest.pipeline import ingest_documents
from timelens.question.parse import parse
from timelens.question.periods import at
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import AnswerSpan, Reader
from timelens.retrieval.request import Request
from timelens.retrieval.reranking import by_reader
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import STRATEGIES, strategy_named
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval

TODAY = day_number(2026, 11, 20)
TOLLS = {
    "The Harwick toll is a charge for carts, and carts pay the Harwick toll.": 2000,
    "The Harwick toll board met about the Harwick toll in May 2010.": 2010,
    "In 2005 the Harwick toll was raised to 4 crowns for each cart.": 2005,
    "In 2010 the Harwick toll was raised to 9 crowns for each cart.": 2010,
}
NEITHER, MEETING, OF_2005, OF_2010 = TOLLS


def asked(question: str, k: int = 10, *, in_order: bool = True) -> Request:
    parsed = parse(question, TODAY)
    window = parsed.window if len(parsed.periods) < 2 else None
    return Request(parsed, parsed.core, window, k, in_order=in_order)


def found(*texts: str) -> list[Hit]:
    """Texts in this order, the scores falling."""
    return [scored(hit(f"c{place}", [text], TOLLS[text]), 1 - place / 10) for place, text in enumerate(texts)]


def scored(one: Hit, score: float) -> Hit:
    return Hit(one.chunk, Scores(final=score), one.interval, one.sentence, one.passed)


def texts_of(hits: Sequence[Hit]) -> list[str]:
    return [one.chunk.text for one in hits]


@pytest.fixture
def searcher(tmp_path: Path, hashed: Embedder) -> Searcher:
    store = CorpusStore.create(tmp_path / "c", hashed.identity)
    texts = [*TOLLS, *(f"The Harwick toll road number {number} is long." for number in range(30))]
    ingest_documents(
        [Document(f"{n:02}", f"/{n}", "", text, str(n)) for n, text in enumerate(texts)], store, hashed
    )
    return Searcher(store, hashed)


@pytest.mark.parametrize(("year", "answer", "other"), [(2005, OF_2005, OF_2010), (2010, OF_2010, OF_2005)])
def test_what_answers_at_the_asked_time_moves_up(year: int, answer: str, other: str) -> None:
    hits = found(NEITHER, other, answer)
    ordered = by_reader(asked(f"What was the Harwick toll in {year}?"), hits)
    assert sorted(texts_of(ordered)) == sorted(texts_of(hits))
    assert texts_of(ordered).index(answer) < texts_of(ordered).index(other)
    assert [one.scores.final for one in ordered] == [one.scores.final for one in hits]
    assert all(one.passed[-1] == "rerank" for one in ordered)


@pytest.mark.parametrize(
    "question", ["What was the Harwick toll as of 2010?", "When was the first Harwick toll?"]
)
def test_dated_documents_keep_their_places_where_an_order_is_asked_for(question: str) -> None:
    dated = found(NEITHER, OF_2005, OF_2010)
    assert texts_of(by_reader(asked(question), dated)) == texts_of(dated)
    undated = [replace(one, chunk=replace(one.chunk, published=None)) for one in dated]
    assert texts_of(by_reader(asked(question), undated)) != texts_of(dated)


def test_each_of_several_periods_has_an_order_of_its_own_and_they_take_turns() -> None:
    hits = found(NEITHER, MEETING, OF_2005, OF_2010)
    both = asked("How did the Harwick toll in 2005 compare with 2010?")
    alone = [replace(both, parsed=at(both.parsed, period)) for period in both.parsed.periods]
    orders = [texts_of(by_reader(replace(one, window=one.parsed.window), hits)) for one in alone]
    assert orders[0] != orders[1]
    turns = dict.fromkeys(text for pair in zip(*orders, strict=True) for text in pair)
    assert texts_of(by_reader(both, hits)) == list(turns)


def test_rows_of_tables_keep_their_places() -> None:
    fact = Fact((("toll", "9 crowns"),), day_number(2010), None, Granularity.YEAR)
    first, *texts = found(NEITHER, OF_2005, OF_2010)
    row = scored(hit("row", ["toll: 9 crowns"], 2010, fact=fact), 0.95)
    request = asked("What was the Harwick toll in 2010?")
    ordered = by_reader(request, [first, row, *texts])
    assert ordered[1].chunk is row.chunk
    assert texts_of(ordered)[2:] == [OF_2010, OF_2005]
    rows = [row, scored(hit("other", ["toll: 4 crowns"], 2005, fact=fact), 0.5)]
    assert texts_of(by_reader(request, rows)) == texts_of(rows)
    assert by_reader(request, []) == []


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many passages each call of the reader read."""
    calls: list[int] = []
    real = Reader.read

    def spied(
        reader: Reader,
        question: str,
        window: Interval | None,
        given: Sequence[Passage],
        *,
        most: int = 3,
    ) -> list[AnswerSpan]:
        calls.append(len(given))
        return real(reader, question, window, given, most=most)

    monkeypatch.setattr(Reader, "read", spied)
    return calls


@pytest.mark.parametrize("name", STRATEGIES)
def test_any_strategy_is_reranked_by_one_reading(name: str, searcher: Searcher, read: list[int]) -> None:
    request = asked("What was the Harwick toll in 2010?", 30)
    plain = strategy_named(name).retrieve(request, searcher).hits
    ordered = strategy_named(f"{name}+rerank").retrieve(request, searcher).hits
    assert read == [min(20, len(plain))]
    assert {one.chunk.id for one in ordered} == {one.chunk.id for one in plain}
    assert ordered[20:] == plain[20:]
    assert [one.scores.final for one in ordered] == [one.scores.final for one in plain]


def test_more_can_be_read_and_fewer_be_kept(searcher: Searcher) -> None:
    request = asked("What was the Harwick toll in 2010?", 3)
    everything = strategy_named("naive").retrieve(asked("What was the Harwick toll in 2010?", 40), searcher)
    kept = strategy_named("naive+rerank12").retrieve(request, searcher).hits
    assert len(kept) == 3
    place = {one.chunk.id: number for number, one in enumerate(everything.hits)}
    assert all(place[one.chunk.id] < 36 for one in kept)
    first = strategy_named("naive+rerank1").retrieve(request, searcher).hits
    assert {one.chunk.id for one in first} == {one.chunk.id for one in everything.hits[:3]}


def test_what_is_only_looked_through_is_not_read(searcher: Searcher, read: list[int]) -> None:
    request = asked("What was the Harwick toll in 2010?", in_order=False)
    reranked = strategy_named("timelens+rerank")
    found = reranked.retrieve(request, searcher)
    assert found == strategy_named("timelens").retrieve(request, searcher)
    assert read == []
    question = request.parsed.question
    *_, last = gather(question, reference_day=TODAY, searcher=searcher, strategy=reranked, k=3)
    assert isinstance(last, GatheredEvidence)
    assert len(read) == 1
