"""Reranks hits by a cross-encoder, or by fusing their ranking with that of the bundled reader."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens.documents import Hit
from timelens.embedding import Reranker
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.periods import at
from timelens.reader.passages import passage_of, times_in
from timelens.reader.span_reader import bundled_reader
from timelens.retrieval.coverage import by_turns
from timelens.retrieval.request import Request
from timelens.retrieval.scoring import reciprocal_rank_fusion
from timelens.temporal.interval import Interval


def by_cross_encoder(reranker: Reranker, request: Request, hits: Sequence[Hit]) -> list[Hit]:
    """Hits ranked by a cross-encoder's scores of the query with title and text."""
    scores = reranker.relevances(request.query, [hit.chunk.content for hit in hits])
    scored = [_at(hit, score) for hit, score in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: (-(hit.scores.final or 0.0), hit.chunk.id))


def by_reader(request: Request, hits: Sequence[Hit]) -> list[Hit]:
    """Hits ranked by reciprocal-rank fusion of their order and the reader's.

    The reader ranks texts by how likely they contain the answer at the asked time. Several periods are ranked
    separately and interleaved. Scores stay with the places, not the hits, so that they keep the scale of the
    strategy.
    """
    ordered = by_turns([_ordered(parsed, window, hits) for parsed, window in _asked(request)])
    return [_at(hit, place.scores.final) for hit, place in zip(ordered, hits, strict=True)]


def _asked(request: Request) -> Iterator[tuple[ParsedQuestion, Interval | None]]:
    """The question about each of its periods, with the window of each."""
    parsed = request.parsed
    if len(parsed.periods) > 1:
        for period in parsed.periods:
            yield at(parsed, period), period.interval
    else:
        yield parsed, request.window


def _ordered(parsed: ParsedQuestion, window: Interval | None, hits: Sequence[Hit]) -> list[Hit]:
    """Hits reranked for one time; hits that are not read keep their places."""
    texts = [hit for hit in hits if _is_read(hit, parsed)]
    passages = [passage_of(hit.chunk, times_in(hit.chunk)) for hit in texts]
    readings = bundled_reader().read(parsed.core, window, passages, most=1)
    fused = reciprocal_rank_fusion([range(len(texts)), [reading.passage for reading in readings]])
    order = iter(sorted(fused, key=lambda text: (-fused[text], text)))
    return [texts[next(order)] if _is_read(hit, parsed) else hit for hit in hits]


def _is_read(hit: Hit, parsed: ParsedQuestion) -> bool:
    """Whether the reader reranks a hit: a text, but not a dated one if the question has an order."""
    chunk = hit.chunk
    return chunk.fact is None and (parsed.ordinal is None or chunk.published is None)


def _at(hit: Hit, score: float | None) -> Hit:
    return replace(hit, scores=replace(hit.scores, final=score), passed=(*hit.passed, "rerank"))
