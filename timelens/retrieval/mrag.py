"""MRAG: keyword, semantic and temporal ranking of passages and their sentences (Section 4, Appendix G)."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

import numpy as np

from timelens.documents import Chunk, Hit, Scores
from timelens.embedding import Vectors
from timelens.question.parsed_question import ParsedQuestion
from timelens.retrieval.keywords import keywords, overlap
from timelens.retrieval.request import Request, Retrieved
from timelens.retrieval.scoring import UNDATED
from timelens.retrieval.searcher import Searcher
from timelens.store.rows import StoredChunk
from timelens.temporal.constraints import Relation
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval
from timelens.words import topic_words

STAGES = ("passage_keywords", "passage_meaning", "summaries", "sentence_keywords", "time")
"""The stages that can be left out."""

# Published sizes: retrieved passages, and passages and sentences kept by each ranking.
_FOUND, _BY_KEYWORDS, _SUMMARISED, _SENTENCES, _SENTENCES_BY_KEYWORDS = 1000, 100, 5, 500, 200
_WITHOUT_MODEL = "mrag ranked without summaries of the best passages, which need a language model"
_INSIDE_AT_LEAST = 0.6
"""Temporal score at the far end of the window; it is 1.0 at the asked end, and 0.5 outside."""
_OPEN_WINDOW = 50 * 365.25
"""Length in days of a window without a start or an end."""


class Side(StrEnum):
    """The side of a question's date on which dates are admitted (MRAG's classes of temporal functions)."""

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
    """The temporal fit of the best date, 0.6..1.0; 0.5 without a date inside the window (MRAG, Appendix G).

    The score is linear over the window: for *last* it rises towards the end, for *first* it falls from the
    start. A window that is unbounded on a side is 50 years long. For a period, its day nearest to the asked
    end is used.
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
    """Passages ranked by their best sentence: semantic x temporal score.

    With a language model, summaries of the best passages (QFS) compete with the sentences; a summary with a
    time that its passage does not have is left out. Sentence vectors are those of the corpus, computed in the
    context of passage and title; a summary is embedded by itself. ``without`` names stages (:data:`STAGES`)
    to leave out.
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
    sentences: list[_Sentence] = []
    notes: tuple[str, ...] = ()
    if "summaries" not in without:
        sentences, notes = _summaries(passages[:_SUMMARISED], request, searcher)
    own = (
        _sentence(stored, index, searcher)
        for stored in passages
        for index in range(len(stored.chunk.sentences))
    )
    sentences += islice(own, _SENTENCES - len(sentences))
    if "sentence_keywords" not in without:
        sentences.sort(key=lambda sentence: -overlap(wanted, sentence.words))
        sentences = sentences[:_SENTENCES_BY_KEYWORDS]
    scored: dict[str, Hit] = {}
    for sentence in sentences:
        hit = _hit(sentence, query, parsed, side)
        known = scored.get(hit.chunk.id)
        if known is None:
            scored[hit.chunk.id] = hit
        elif (hit.scores.final or 0) > (known.scores.final or 0):
            scored[hit.chunk.id] = replace(
                hit, sentence=known.sentence if hit.sentence is None else hit.sentence
            )
        elif known.sentence is None:
            scored[hit.chunk.id] = replace(known, sentence=hit.sentence)
    ranked = sorted(scored.values(), key=lambda hit: (-(hit.scores.final or 0), hit.chunk.id))
    return Retrieved(tuple(ranked[: request.k]), notes)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage, or a summary of it."""

    stored: StoredChunk
    index: int | None
    """Its index in the passage; ``None`` for a summary."""
    words: frozenset[str]
    """Its topic words and those of the title."""
    vector: Vectors
    times: tuple[Interval, ...]


def _sentence(stored: StoredChunk, index: int, searcher: Searcher) -> _Sentence:
    words = searcher.words(stored.chunk)
    return _Sentence(
        stored,
        index,
        words.title | words.sentences[index],
        stored.sentence_vectors[index].astype(np.float32),
        tuple(event.interval for event in stored.chunk.events if event.sentence == index),
    )


def _summaries(
    passages: Sequence[StoredChunk], request: Request, searcher: Searcher
) -> tuple[list[_Sentence], tuple[str, ...]]:
    """The summaries whose times their passages support, and notes for the user."""
    if request.summariser is None:
        return [], (_WITHOUT_MODEL,)
    topic = request.parsed.core
    texts = request.summariser.summarise(topic, [stored.chunk.content for stored in passages])
    found = []
    misdated = 0
    for stored, text in zip(passages, texts, strict=True):
        if text is None:
            continue
        published = stored.chunk.published
        anchor = None if published is None else published.start
        times = tuple(e.interval for e in find_expressions(text, anchor) if e.interval is not None)
        if all(_holds(stored.chunk, time) for time in times):
            words = topic_words(text) | searcher.words(stored.chunk).title
            found.append(_Sentence(stored, None, words, searcher.vector(text), times))
        else:
            misdated += 1
    note = f"{misdated} of the model's summaries were left out: they state times that their passages do not"
    return found, (note,) if misdated else ()


def _holds(chunk: Chunk, time: Interval) -> bool:
    stated = [event.interval for event in chunk.events]
    return any(time.same_days(other) or time.contains(other) for other in stated)


def _shared(stored: StoredChunk, wanted: dict[str, float]) -> float:
    return overlap(wanted, topic_words(stored.chunk.content))


def _hit(
    sentence: _Sentence,
    query: Vectors,
    parsed: ParsedQuestion,
    side: Side | None,
) -> Hit:
    chunk = sentence.stored.chunk
    semantic = max(float(sentence.vector @ query), 0.0)
    temporal = 1.0
    if side is not None and parsed.window is not None:
        temporal = temporal_score(sentence.times, parsed.window, first=parsed.ordinal == "first")
    return Hit(
        chunk,
        Scores(semantic=semantic, temporal=temporal, final=semantic * temporal),
        sentence.times[0] if sentence.times else chunk.published,
        sentence.index,
        (
            "dense",
            "keyword",
            "summary" if sentence.index is None else "sentence",
            *(["interval"] if temporal > UNDATED and side else []),
        ),
    )
