"""The retrieval strategies by name."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from timelens.documents import Scores
from timelens.errors import BadInputError
from timelens.retrieval import mrag, tarag, timelens
from timelens.retrieval.request import Request, Retrieved, whole_chunk
from timelens.retrieval.reranking import by_cross_encoder, by_reader
from timelens.retrieval.scoring import reciprocal_rank_fusion
from timelens.retrieval.searcher import Searcher
from timelens.store.rows import StoredChunk


@dataclass(frozen=True, slots=True)
class Strategy:
    """A retrieval function and its properties."""

    retrieve: Callable[[Request, Searcher], Retrieved]
    knows_time: bool = False
    """Whether it searches each period of a question separately, instead of the whole question once."""
    follows_plan: bool = False
    """Whether it uses the steps of a plan and their windows, instead of the question's words alone."""
    covers: bool = False
    """Whether its evidence is spread over the asked time, and gaps are searched again."""


class Staged(Protocol):
    """A retrieval function whose stages can be left out."""

    def __call__(
        self, request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()
    ) -> Retrieved:
        """Retrieve evidence without the named stages."""


_CANDIDATES = 100
_RERANKED = 200
"""Hits that a cross-encoder reranks, at least the ``k`` kept, unless a factor is given."""
_READ = 20
"""Hits that the reader reranks, at most the ``k`` kept, unless a factor is given."""
_RERANK = re.compile(r"rerank([1-9]\d?)?", re.ASCII)


def bm25(request: Request, searcher: Searcher) -> Retrieved:
    """Full-text search over the whole question."""
    found = searcher.keyword(request.parsed.question, request.k)
    best = max((stored.score for stored in found), default=1.0)
    return Retrieved(
        tuple(
            whole_chunk(
                stored.chunk, Scores(keyword=stored.score / best, final=stored.score / best), "keyword"
            )
            for stored in found
        )
    )


def naive(request: Request, searcher: Searcher) -> Retrieved:
    """Dense similarity of the whole question."""
    found = searcher.dense(request.parsed.question, request.k)
    return Retrieved(
        tuple(
            whole_chunk(stored.chunk, Scores(semantic=stored.score, final=stored.score), "dense")
            for stored in found
        )
    )


def hybrid(request: Request, searcher: Searcher) -> Retrieved:
    """Reciprocal-rank fusion of full-text search and dense similarity."""
    question = request.parsed.question
    dense = searcher.dense(question, max(_CANDIDATES, request.k))
    keyword = searcher.keyword(question, max(_CANDIDATES, request.k))
    fused = reciprocal_rank_fusion([_ids(dense), _ids(keyword)])
    semantic = {stored.chunk.id: stored.score for stored in dense}
    best = max((stored.score for stored in keyword), default=1.0)
    matched = {stored.chunk.id: stored.score / best for stored in keyword}
    chunks = {stored.chunk.id: stored.chunk for stored in (*dense, *keyword)}
    ranked = sorted(fused, key=lambda chunk_id: (-fused[chunk_id], chunk_id))[: request.k]
    top = max(fused.values(), default=1.0)
    return Retrieved(
        tuple(
            whole_chunk(
                chunks[chunk_id],
                Scores(semantic.get(chunk_id), matched.get(chunk_id), None, fused[chunk_id] / top),
                *(["dense"] if chunk_id in semantic else []),
                *(["keyword"] if chunk_id in matched else []),
            )
            for chunk_id in ranked
        )
    )


STRATEGIES: dict[str, Strategy] = {
    "bm25": Strategy(bm25),
    "naive": Strategy(naive),
    "hybrid": Strategy(hybrid),
    "tarag": Strategy(tarag.retrieve, knows_time=True),
    "mrag": Strategy(mrag.retrieve, knows_time=True),
    "timelens": Strategy(timelens.retrieve, knows_time=True, follows_plan=True, covers=True),
}

_STAGED: dict[str, tuple[Staged, tuple[str, ...]]] = {
    "tarag": (tarag.retrieve, tarag.STAGES),
    "mrag": (mrag.retrieve, mrag.STAGES),
    "timelens": (timelens.retrieve, timelens.STAGES),
}


def strategy_named(name: str) -> Strategy:
    """The strategy with a name; ``NAME-STAGE`` leaves out a stage, ``NAME-STAGE-STAGE`` two.

    ``NAME+rerank`` reranks the best hits with the configured cross-encoder, else with the bundled reader;
    ``NAME+rerank20`` reranks 20 times as many hits as are kept (TA-RAG, Section 6.1).

    Raises:
        BadInputError: there is no such strategy, or it has no such stage.
    """
    name, plus, added = name.partition("+")
    base, *left_out = name.split("-")
    if base not in STRATEGIES:
        raise BadInputError(f"there is no strategy {base!r}", f"choose one of {', '.join(STRATEGIES)}")
    strategy = _without(base, frozenset(left_out)) if left_out else STRATEGIES[base]
    if not plus:
        return strategy
    wanted = _RERANK.fullmatch(added)
    if wanted is None:
        raise BadInputError(f"the strategy {base} cannot take +{added}", "write NAME+rerank or NAME+rerank20")
    times = int(wanted[1]) if wanted[1] else None
    return replace(strategy, retrieve=partial(_reranked, strategy.retrieve, times=times))


def _without(base: str, left_out: AbstractSet[str]) -> Strategy:
    strategy = STRATEGIES[base]
    retrieve, stages = _STAGED.get(base, (None, ()))
    unknown = sorted(left_out - set(stages))
    if retrieve is None or unknown:
        known = f"its stages are {', '.join(stages)}" if stages else "it has no stages to leave out"
        raise BadInputError(f"the strategy {base} has no stage {(unknown or sorted(left_out))[0]!r}", known)
    return replace(
        strategy,
        retrieve=partial(retrieve, without=left_out),
        covers=strategy.covers and "coverage" not in left_out,
    )


def _reranked(
    retrieve: Callable[[Request, Searcher], Retrieved],
    request: Request,
    searcher: Searcher,
    *,
    times: int | None,
) -> Retrieved:
    """Retrieve, and rerank the first ``times`` * ``request.k`` hits.

    If ``times`` is ``None``, the reader reranks at most :data:`_READ` hits, a configured cross-encoder at
    least :data:`_RERANKED`. TA-RAG found that reranking blind to time, over 20 times as many candidates as
    are kept, makes retrieval worse (Table 6). Requests whose order does not matter are not reranked.
    """
    if not request.in_order:
        return retrieve(request, searcher)
    reranker = searcher.reranker
    first = min(request.k, _READ) if reranker is None else max(request.k, _RERANKED)
    if times is not None:
        first = request.k * times
    found = retrieve(replace(request, k=max(request.k, first)), searcher)
    hits, rest = found.hits[:first], found.hits[first:]
    ordered = by_reader(request, hits) if reranker is None else by_cross_encoder(reranker, request, hits)
    return replace(found, hits=(*ordered, *rest)[: request.k])


def _ids(found: Sequence[StoredChunk]) -> list[str]:
    return [stored.chunk.id for stored in found]
