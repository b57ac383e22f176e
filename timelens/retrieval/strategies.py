"""Retrieval strategies, each a function behind a name."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from timelens.documents import Scores
from timelens.errors import BadInputError
from timelens.retrieval import mrag, tarag, timelens
from timelens.retrieval.model import Request, Retrieved, whole_chunk
from timelens.retrieval.scoring import reciprocal_rank_fusion
from timelens.retrieval.searcher import Searcher
from timelens.store.rows import StoredChunk


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to find evidence."""

    retrieve: Callable[[Request, Searcher], Retrieved]
    follows_plan: bool = False
    """Whether it looks at the steps of a plan and their days; the others see the whole question once."""
    covers: bool = False
    """Whether its evidence is spread over the asked time, and gaps in it are looked into again."""


class Staged(Protocol):
    """Retrieval whose stages can be left out."""

    def __call__(
        self, request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()
    ) -> Retrieved:
        """Evidence, found without the stages named."""


_CANDIDATES = 100


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
    """Reciprocal-rank fusion of the two."""
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
    "tarag": Strategy(tarag.retrieve),
    "mrag": Strategy(mrag.retrieve),
    "timelens": Strategy(timelens.retrieve, follows_plan=True, covers=True),
}

_STAGED: dict[str, tuple[Staged, tuple[str, ...]]] = {
    "tarag": (tarag.retrieve, tarag.STAGES),
    "mrag": (mrag.retrieve, mrag.STAGES),
    "timelens": (timelens.retrieve, timelens.STAGES),
}


def strategy_named(name: str) -> Strategy:
    """The strategy of a name; ``NAME-STAGE`` leaves a stage out, ``NAME-STAGE-STAGE`` two.

    Raises:
        BadInputError: there is no such strategy, or it has no such stage.
    """
    base, *left_out = name.split("-")
    if base not in STRATEGIES:
        raise BadInputError(f"there is no strategy {base!r}", f"choose one of {', '.join(STRATEGIES)}")
    strategy = STRATEGIES[base]
    if not left_out:
        return strategy
    retrieve, stages = _STAGED.get(base, (None, ()))
    unknown = [stage for stage in left_out if stage not in stages]
    if retrieve is None or unknown:
        known = f"its stages are {', '.join(stages)}" if stages else "it has none to leave out"
        raise BadInputError(f"the strategy {base} has no stage {(unknown or left_out)[0]!r}", known)
    return replace(
        strategy,
        retrieve=partial(retrieve, without=frozenset(left_out)),
        covers=strategy.covers and "coverage" not in left_out,
    )


def _ids(found: Sequence[StoredChunk]) -> list[str]:
    return [stored.chunk.id for stored in found]
