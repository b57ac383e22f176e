"""The default strategy: filter by time, find by meaning and words, rank sentences by topic x time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from timelens.documents import Chunk, Hit, Scores
from timelens.question.model import Ordinal
from timelens.question.words import topic_words
from timelens.retrieval.coverage import clamp
from timelens.retrieval.keywords import keywords, overlap
from timelens.retrieval.model import Request, Retrieved
from timelens.retrieval.scoring import best_event, counts_from_end, order_factors
from timelens.retrieval.searcher import Searcher
from timelens.store.rows import StoredChunk
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

_CANDIDATES = 100
# Parts of a sentence's relevance: its own meaning, its chunk's, and the words shared with the question.
_SENTENCE, _CHUNK, _WORDS = 0.5, 0.3, 0.2
# For "first" and "last" candidates are also looked for in these parts of the window, at its wanted end.
_SLICES = (4, 16, 64)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A chunk with what is known of its topic, and the sentence that fits best."""

    stored: StoredChunk
    semantic: float
    keyword: float
    relevance: float
    temporal: float
    sentence: int
    time: Interval | None
    passed: tuple[str, ...]


def retrieve(request: Request, searcher: Searcher) -> Retrieved:
    """Evidence inside the asked window, ranked by topic and time.

    A window without evidence is widened and then dropped; the notes say so.
    """
    notes: list[str] = []
    candidates: list[_Candidate] = []
    for window, note in _windows(request.window, widen=request.widen):
        candidates = _candidates(request, searcher, window)
        if candidates:
            notes += [note] if note else []
            break
    ranked = _ranked(candidates, request.parsed.ordinal, request.window)
    return Retrieved(tuple(ranked[: request.k]), tuple(notes))


def _windows(window: Interval | None, *, widen: bool) -> Iterator[tuple[Interval | None, str | None]]:
    """The window, then a wider one, then none; each with the note that its use calls for."""
    yield window, None
    if window is None or not widen:
        return
    margin = round(min(max(window.days, window.granularity.days), 100 * 366))
    wider = Interval(
        None if window.start is None else window.start - margin,
        None if window.end is None else window.end + margin,
        window.granularity,
    )
    yield wider, f"nothing was found for {phrase(window)}: the time filter was widened to {phrase(wider)}"
    yield None, f"nothing was found for {phrase(window)}, nor near it: the time filter was dropped"


def _candidates(request: Request, searcher: Searcher, window: Interval | None) -> list[_Candidate]:
    found: dict[str, StoredChunk] = {}
    similar: set[str] = set()
    matching: set[str] = set()
    limit = max(_CANDIDATES, 2 * request.k)
    for part in _slices(window, request.parsed.ordinal, searcher):
        windows = [] if part is None else [part]
        for stored in searcher.dense(request.query, limit, windows):
            found[stored.chunk.id] = stored
            similar.add(stored.chunk.id)
        for stored in searcher.keyword(request.query, limit, windows):
            found.setdefault(stored.chunk.id, stored)
            matching.add(stored.chunk.id)
    query = searcher.vector(request.query)
    wanted = keywords(request.query)
    return [
        _scored(
            stored,
            query,
            wanted,
            request.window,
            (
                *(["filter"] if window is not None else []),
                *(["dense"] if chunk_id in similar else []),
                *(["keyword"] if chunk_id in matching else []),
            ),
        )
        for chunk_id, stored in sorted(found.items())
    ]


def _slices(window: Interval | None, ordinal: Ordinal | None, searcher: Searcher) -> list[Interval | None]:
    """Where to look for candidates: the window, and for an order also its wanted end."""
    if ordinal is None:
        return [window]
    span = searcher.store.span()
    bounded = span if window is None else clamp(window, span)
    if bounded is None or bounded.start is None or bounded.end is None:
        return [window]
    slices: list[Interval | None] = [window]
    for divisor in _SLICES:
        length = max(1, round(bounded.days / divisor))
        if counts_from_end(ordinal):
            slices.append(Interval(bounded.end - length, bounded.end))
        else:
            slices.append(Interval(bounded.start, bounded.start + length))
    return slices


def _scored(
    stored: StoredChunk,
    query: np.typing.NDArray[np.float32],
    wanted: Mapping[str, float],
    window: Interval | None,
    passed: tuple[str, ...],
) -> _Candidate:
    """The chunk by its best sentence: relevance in topic times fit in time."""
    chunk: Chunk = stored.chunk
    whole = float(stored.vector @ query)
    sentences = stored.sentence_vectors.astype(np.float32) @ query
    words_of = [topic_words(chunk.sentence(index)) for index in range(len(chunk.sentences))]
    keyword = overlap(wanted, topic_words(chunk.title).union(*words_of))
    best: _Candidate | None = None
    for index, similarity in enumerate(sentences):
        words = (keyword + overlap(wanted, words_of[index])) / 2
        relevance = _SENTENCE * max(float(similarity), 0) + _CHUNK * max(whole, 0) + _WORDS * words
        temporal, time = best_event(chunk, index, window)
        if best is None or relevance * temporal > best.relevance * best.temporal:
            best = _Candidate(stored, whole, keyword, relevance, temporal, index, time, passed)
    if best is None:
        raise AssertionError(f"chunk {chunk.id} has no sentence")
    return best


def _ranked(candidates: list[_Candidate], ordinal: Ordinal | None, window: Interval | None) -> list[Hit]:
    factors = [1.0] * len(candidates)
    if ordinal is not None:
        # A fact that held at some time of the window counts whole for its place in order.
        candidates = [
            replace(candidate, temporal=1.0)
            if candidate.stored.chunk.fact is not None and _is_inside(candidate.time, window)
            else candidate
            for candidate in candidates
        ]
        relevances = [candidate.relevance * candidate.temporal for candidate in candidates]
        factors = order_factors([candidate.time for candidate in candidates], relevances, ordinal, window)
    hits = [
        Hit(
            candidate.stored.chunk,
            Scores(
                semantic=candidate.semantic,
                keyword=candidate.keyword,
                temporal=candidate.temporal * factor,
                final=candidate.relevance * candidate.temporal * factor,
            ),
            candidate.time,
            candidate.sentence,
            (*candidate.passed, "sentence", *(["interval"] if _is_inside(candidate.time, window) else [])),
        )
        for candidate, factor in zip(candidates, factors, strict=True)
    ]
    return sorted(hits, key=lambda hit: (-(hit.scores.final or 0), hit.chunk.id))


def _is_inside(time: Interval | None, window: Interval | None) -> bool:
    return time is not None and window is not None and time.intersects(window)
