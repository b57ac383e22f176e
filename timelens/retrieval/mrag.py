"""MRAG: keyword, semantic and temporal ranking of passages and their sentences (Section 4, Appendix G)."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

import numpy as np

from timelens.documents import Hit, Scores
from timelens.question.model import ParsedQuestion
from timelens.retrieval.keywords import keywords, overlap
from timelens.retrieval.model import Request, Retrieved
from timelens.retrieval.scoring import UNDATED
from timelens.retrieval.searcher import Searcher
from timelens.store.rows import StoredChunk
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval
from timelens.words import topic_words

STAGES = ("passage_keywords", "passage_meaning", "sentence_keywords", "time")
"""What can be left out."""

# Published sizes: passages found, passages and sentences kept by each ranking.
_FOUND, _BY_KEYWORDS, _SENTENCES, _SENTENCES_BY_KEYWORDS = 1000, 100, 500, 200
_INSIDE_AT_LEAST = 0.6
"""Temporal score at the far end of the window; 1.0 at the end that is asked for, 0.5 outside."""
_OPEN_WINDOW = 50 * 365.25
"""Days that a window without a start or an end spans."""


class Side(StrEnum):
    """Which dates a question admits, in the six classes of its temporal functions."""

    BEFORE = "before"
    AFTER = "after"
    BETWEEN = "between"


_SIDES = {
    Relation.FROM_TO: Side.BETWEEN,
    Relation.BETWEEN: Side.BETWEEN,
    Relation.BEFORE: Side.BEFORE,
    Relation.AS_OF: Side.BEFORE,
    Relation.BY: Side.BEFORE,
    Relation.UNTIL: Side.BEFORE,
    Relation.AFTER: Side.AFTER,
    Relation.SINCE: Side.AFTER,
}


def side_of(parsed: ParsedQuestion) -> Side | None:
    """The class of a question's first date; ``None`` without one and for *in*, *on* and *around*."""
    for constraint in parsed.constraints:
        if isinstance(constraint.relation, Relation):
            return _SIDES.get(constraint.relation)
    return None


def temporal_score(times: Iterable[Interval], window: Interval, *, first: bool) -> float:
    """How well dates fit a window, 0.5 or 0.6..1.0; the best of several counts (MRAG, Appendix G).

    Linear over the window: *last* rises toward its end, *first* falls from its start. Open sides span 50
    years. Of a period the day counts that lies nearest the wanted end. Without a date, or outside, 0.5.
    """
    start, end = window.bounds
    if start == float("-inf"):
        start = end - _OPEN_WINDOW
    if end == float("inf"):
        end = start + _OPEN_WINDOW
    best = UNDATED
    for time in times:
        low, high = time.bounds
        if low < end and start < high:
            place = (max(low, start) - start) if first else (min(high, end) - start)
            share = 1 - place / (end - start) if first else place / (end - start)
            best = max(best, _INSIDE_AT_LEAST + (1 - _INSIDE_AT_LEAST) * share)
    return best


def retrieve(request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()) -> Retrieved:
    """Passages in the order of their best sentence by meaning x time.

    The summary of the best passages in one sentence each (QFS) needs a language model and is left out.
    Sentence vectors are those of the corpus, each in the context of its passage and title. ``without``
    names stages (:data:`STAGES`) to leave out.
    """
    parsed = request.parsed
    side = None if "time" in without else side_of(parsed)
    topic = parsed.question if side is None else parsed.core
    query = searcher.vector(topic)
    wanted = keywords(parsed.core)
    passages = searcher.store.dense(query, _FOUND)
    if "passage_keywords" not in without:
        passages = sorted(passages, key=lambda stored: -_shared(stored, wanted))
    passages = passages[:_BY_KEYWORDS]
    if "passage_meaning" not in without:
        passages = sorted(passages, key=lambda stored: (-float(stored.vector @ query), stored.chunk.id))
    sentences = [(stored, index) for stored in passages for index in range(len(stored.chunk.sentences))][
        :_SENTENCES
    ]
    if "sentence_keywords" not in without:
        sentences = _by_keywords(sentences, wanted, searcher)[:_SENTENCES_BY_KEYWORDS]
    scored: dict[str, Hit] = {}
    for stored, index in sentences:
        hit = _hit(stored, index, query, parsed, side)
        known = scored.get(stored.chunk.id)
        if known is None or (hit.scores.final or 0) > (known.scores.final or 0):
            scored[stored.chunk.id] = hit
    ranked = sorted(scored.values(), key=lambda hit: (-(hit.scores.final or 0), hit.chunk.id))
    return Retrieved(tuple(ranked[: request.k]))


def _shared(stored: StoredChunk, wanted: dict[str, float]) -> float:
    return overlap(wanted, topic_words(stored.chunk.content))


def _by_keywords(
    sentences: Sequence[tuple[StoredChunk, int]], wanted: dict[str, float], searcher: Searcher
) -> list[tuple[StoredChunk, int]]:
    """Sentences by the keywords that they, with their title, share with the question."""

    def shared(item: tuple[StoredChunk, int]) -> float:
        stored, index = item
        words = searcher.words(stored.chunk)
        return overlap(wanted, words.title | words.sentences[index])

    return sorted(sentences, key=shared, reverse=True)


def _hit(
    stored: StoredChunk,
    index: int,
    query: np.typing.NDArray[np.float32],
    parsed: ParsedQuestion,
    side: Side | None,
) -> Hit:
    chunk = stored.chunk
    semantic = max(float(stored.sentence_vectors[index].astype(np.float32) @ query), 0.0)
    times = [event.interval for event in chunk.events if event.sentence == index]
    temporal = 1.0
    if side is not None and parsed.window is not None:
        temporal = temporal_score(times, parsed.window, first=parsed.ordinal == "first")
    return Hit(
        chunk,
        Scores(semantic=semantic, temporal=temporal, final=semantic * temporal),
        times[0] if times else chunk.published,
        index,
        ("dense", "keyword", "sentence", *(["interval"] if temporal > UNDATED and side else [])),
    )
