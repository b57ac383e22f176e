"""The default strategy: filter by time, find by meaning and words, rank sentences by topic x time."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np

from timelens.documents import EventSource, Hit, Scores
from timelens.embedding import Vectors
from timelens.question.model import Ordinal, ParsedQuestion
from timelens.retrieval.coverage import clamp
from timelens.retrieval.keywords import keywords, overlap
from timelens.retrieval.model import Request, Retrieved
from timelens.retrieval.scoring import UNDATED, counts_from_end, order_factors, temporal_fit
from timelens.retrieval.searcher import ChunkWords, Searcher
from timelens.retrieval.validity import is_open, still_holds
from timelens.store.rows import StoredChunk
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.phrasing import phrase

STAGES = ("filter", "keyword", "name", "sentence", "time", "validity", "order", "coverage")
"""What can be left out; coverage is the business of whoever puts the steps together."""

_CANDIDATES = 100
_DOCUMENTS = 8
"""Documents that are read beyond the filter, for what they say of earlier days."""
_CHUNKS_OF_DOCUMENTS = 200
# Parts of relevance: the meaning of the sentence and of its chunk, the words that the sentence shares with
# the question, how much of its document's name the question says, and the chunk's full-text score.
_SENTENCE, _CHUNK, _WORDS, _NAME, _MATCH = 0.28, 0.37, 0.07, 0.09, 0.19
# For "first" and "last" candidates are also looked for in these parts of the window, at its wanted end.
_SLICES = (4, 16, 64)
_LAST = (Relation.AS_OF, Relation.UNTIL, Relation.BEFORE, Relation.BY)
_HOLDS = 0.4
"""What evidence outside the window has above an undated one, if it surely still holds in it."""


@dataclass(slots=True)
class _Candidate:
    """A chunk with what is known of its topic, and the sentence that fits best."""

    stored: StoredChunk
    passed: tuple[str, ...]
    matched: float = 0.0
    """BM25 score in full-text search."""
    match: float = 0.0
    """What that adds to its relevance."""
    semantic: float = 0.0
    keyword: float = 0.0
    topics: list[float] = field(default_factory=list)
    """What the meaning and the words of each sentence add to its relevance."""
    relevances: list[float] = field(default_factory=list)
    """Of each sentence."""
    sentence: int = 0
    temporal: float = 1.0
    time: Interval | None = None

    @property
    def relevance(self) -> float:
        """Of the sentence that counts."""
        return self.relevances[self.sentence]

    @property
    def score(self) -> float:
        """Topic x time."""
        return (self.relevance + self.match) * self.temporal


def retrieve(request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()) -> Retrieved:
    """Evidence inside the asked window or still valid in it, ranked by topic and time.

    A window without evidence is widened and then dropped; the notes say so. ``without`` names stages
    (:data:`STAGES`) to leave out.
    """
    notes: list[str] = []
    found: dict[str, _Candidate] = {}
    asked = None if "filter" in without else request.window
    for window, note in _windows(asked, widen=request.widen):
        found = _search(request, searcher, window, without)
        if found:
            notes += [note] if note else []
            break
    query = searcher.vector(request.query)
    holding = request.window is not None and _states_may_hold(request.parsed) and "validity" not in without
    if holding:
        found = _with_their_documents(request, searcher, query, found, without)
    else:
        _weigh(list(found.values()), searcher, request.query, query, without)
    candidates = list(found.values())
    _match(candidates)
    if "time" not in without:
        _date(candidates, request, holding=holding)
    ordinal = None if "order" in without else request.parsed.ordinal
    if ordinal is not None:
        # as of a day, texts are ranked by what still holds on it already
        _order([c for c in candidates if c.stored.chunk.fact or not holding], ordinal, request.window)
    ranked = sorted(candidates, key=_rank)[: request.k]
    return Retrieved(tuple(_hit(candidate, request.window) for candidate in ranked), tuple(notes))


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


def _search(
    request: Request, searcher: Searcher, window: Interval | None, without: AbstractSet[str]
) -> dict[str, _Candidate]:
    """The chunks inside a window that are near in meaning or share words, by id."""
    limit = max(_CANDIDATES, 2 * request.k)
    parts = _slices(window, request.parsed.ordinal, searcher)
    searches = [[] if part is None else [part] for part in parts]
    found: dict[str, _Candidate] = {}
    for more in _find(request.query, searcher, searches, limit, without):
        found = _joined(found, more)
    return dict(sorted(found.items()))


def _find(
    text: str,
    searcher: Searcher,
    searches: Sequence[Sequence[Interval]],
    limit: int,
    without: AbstractSet[str],
) -> list[dict[str, _Candidate]]:
    """The nearest and the best matching chunks inside windows, by id, for each set of windows."""
    if "keyword" in without:
        found = [(searcher.dense(text, limit, windows), list[StoredChunk]()) for windows in searches]
    else:
        found = searcher.both(text, limit, searches)
    return [
        _candidates(dense, keyword, limit, filtered=bool(windows))
        for windows, (dense, keyword) in zip(searches, found, strict=True)
    ]


def _candidates(
    dense: Sequence[StoredChunk], keyword: Sequence[StoredChunk], limit: int, *, filtered: bool
) -> dict[str, _Candidate]:
    """What two searches found, by id."""
    # what is not among the best matches matches no better than the last of them
    least = keyword[-1].score if len(keyword) == limit else 0.0
    scores = {stored.chunk.id: stored.score for stored in keyword}
    similar = {stored.chunk.id for stored in dense}
    return {
        stored.chunk.id: _Candidate(
            stored,
            (
                *(["filter"] if filtered else []),
                *(["dense"] if stored.chunk.id in similar else []),
                *(["keyword"] if stored.chunk.id in scores else []),
            ),
            scores.get(stored.chunk.id, least),
        )
        for stored in (*dense, *keyword)
    }


def _joined(found: Mapping[str, _Candidate], more: Mapping[str, _Candidate]) -> dict[str, _Candidate]:
    """All of both; what is in both passed the stages of both."""
    joined = {**more, **found}
    for chunk_id in found.keys() & more.keys():
        joined[chunk_id].passed = tuple(dict.fromkeys((*found[chunk_id].passed, *more[chunk_id].passed)))
        joined[chunk_id].matched = max(found[chunk_id].matched, more[chunk_id].matched)
    return joined


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


def _states_may_hold(parsed: ParsedQuestion) -> bool:
    """Whether one state is asked for, which a text may tell of at its beginning, long before."""
    return parsed.is_point and all(constraint.ordinal is None for constraint in parsed.constraints)


def _with_their_documents(
    request: Request,
    searcher: Searcher,
    query: Vectors,
    found: Mapping[str, _Candidate],
    without: AbstractSet[str],
) -> dict[str, _Candidate]:
    """What was found, and what else the documents most on topic say, whatever time they say it of.

    These may be documents of which nothing lies inside the window. Tables are left alone: their facts state
    how long they hold.
    """
    (everywhere,) = _find(request.query, searcher, [[]], _CANDIDATES, without)
    near = {
        chunk_id: candidate
        for chunk_id, candidate in everywhere.items()
        if candidate.stored.chunk.fact is None
    }
    known = _joined(found, near)
    _weigh(list(known.values()), searcher, request.query, query, without)
    best: dict[str, float] = defaultdict(float)
    for candidate in known.values():
        if candidate.stored.chunk.fact is None:
            document = candidate.stored.chunk.document_id
            best[document] = max(best[document], *candidate.relevances)
    documents = sorted(best, key=lambda document: (-best[document], document))[:_DOCUMENTS]
    if not documents:
        return dict(found)
    least = min((candidate.matched for candidate in near.values()), default=0.0)
    for stored in searcher.store.dense(query, _CHUNKS_OF_DOCUMENTS, documents=documents):
        known.setdefault(stored.chunk.id, _Candidate(stored, ("document",), least))
    chosen = {
        chunk_id: candidate
        for chunk_id, candidate in known.items()
        if chunk_id in found or candidate.stored.chunk.document_id in documents
    }
    _weigh(list(chosen.values()), searcher, request.query, query, without)
    return chosen


def _weigh(
    candidates: Sequence[_Candidate],
    searcher: Searcher,
    text: str,
    query: Vectors,
    without: AbstractSet[str],
) -> None:
    """Set what each candidate has to do with the topic of the question, sentence by sentence."""
    wanted = keywords(text)
    names = _names(candidates, searcher)
    # a short name may be said by chance
    named = {
        document: 0.0 if "name" in without else sum(wanted.get(word, 0.0) for word in name) / (len(name) + 1)
        for document, name in names.items()
    }
    for candidate in candidates:
        if not candidate.topics:
            _read(candidate, searcher.words(candidate.stored.chunk), wanted, query, without)
        name = _NAME * named[candidate.stored.chunk.document_id]
        candidate.relevances = [topic + name for topic in candidate.topics]
        candidate.sentence = candidate.relevances.index(max(candidate.relevances))


def _read(
    candidate: _Candidate,
    words: ChunkWords,
    wanted: Mapping[str, float],
    query: Vectors,
    without: AbstractSet[str],
) -> None:
    """Set what the text of a candidate has to do with the topic, by meaning and words."""
    stored = candidate.stored
    whole = float(stored.vector @ query)
    similarities = (stored.sentence_vectors.astype(np.float32) @ query).tolist()
    candidate.semantic = whole
    candidate.keyword = overlap(wanted, words.all)
    candidate.topics = [
        _SENTENCE * max(whole if "sentence" in without else similarity, 0.0)
        + _CHUNK * max(whole, 0.0)
        + _WORDS * (0.0 if "keyword" in without else overlap(wanted, present))
        for similarity, present in zip(similarities, words.sentences, strict=True)
    ]


def _match(candidates: Sequence[_Candidate]) -> None:
    """Set how well each candidate matches the words of the question, beside the best of them."""
    best = max((candidate.matched for candidate in candidates), default=0.0) or 1.0
    for candidate in candidates:
        candidate.match = _MATCH * candidate.matched / best


def _names(candidates: Sequence[_Candidate], searcher: Searcher) -> dict[str, frozenset[str]]:
    """The words of each document's name: what the titles of its chunks have in common."""
    names: dict[str, frozenset[str]] = {}
    for candidate in candidates:
        chunk = candidate.stored.chunk
        words = searcher.words(chunk).title
        names[chunk.document_id] = names.get(chunk.document_id, words) & words
    return names


def _date(candidates: Sequence[_Candidate], request: Request, *, holding: bool) -> None:
    """Choose the sentence of each candidate that fits best in topic and time together."""
    if request.window is None:
        return
    target = _target(request) if holding else request.window
    sure = _sure_of(candidates, request, target) if holding else {}
    for candidate in candidates:
        chunk = candidate.stored.chunk
        asked = request.window if chunk.fact is not None else target
        scored: list[tuple[float, Interval | None]] = [(UNDATED, None)] * len(chunk.sentences)
        for number, event in enumerate(chunk.events):
            fit = temporal_fit(event.interval, asked)
            held = UNDATED + _HOLDS * sure.get((chunk.id, number), 0.0)
            score = UNDATED + (max(fit, held) - UNDATED) * event.confidence
            if scored[event.sentence][1] is None or score > scored[event.sentence][0]:
                scored[event.sentence] = score, event.interval
        candidate.sentence = max(
            range(len(scored)),
            key=lambda index: (candidate.relevances[index] + candidate.match) * scored[index][0],
        )
        candidate.temporal, candidate.time = scored[candidate.sentence]


def _target(request: Request) -> Interval:
    """The time at which the answer holds: the window, or its last unit where it is open to the past.

    Without an order the last state before a date is meant (MRAG, Appendix G).
    """
    window = request.window
    if window is None:
        raise ValueError("without a window there is no target")
    if window.start is None and window.end is not None and window.granularity is not Granularity.ERA:
        for constraint in request.parsed.constraints:
            if constraint.relation in _LAST:
                return granule(window.end - 1, window.granularity)
    return window


def _sure_of(
    candidates: Sequence[_Candidate], request: Request, target: Interval
) -> dict[tuple[str, int], float]:
    """How sure each event that begins before the end of the target is to hold in it, by chunk and number.

    What a document states is followed by what the same document states. Of documents that speak of their own
    day, the last one counts where the state as of a day is asked for.
    """
    as_of = target is not request.window
    start, end = target.bounds
    groups: dict[str | None, list[tuple[tuple[str, int], float, float]]] = defaultdict(list)
    best: dict[str | None, float] = defaultdict(float)
    for candidate in candidates:
        chunk = candidate.stored.chunk
        if chunk.fact is not None:
            continue
        best[chunk.document_id] = max(best[chunk.document_id], *candidate.relevances)
        for number, event in enumerate(chunk.events):
            published = event.source is EventSource.PUBLISHED
            first = event.interval.bounds[0]
            if first < end and is_open(event.interval) and (as_of or not published):
                group = None if published else chunk.document_id
                relevance = candidate.relevances[event.sentence]
                best[group] = max(best[group], relevance)
                groups[group].append(((chunk.id, number), first, relevance))
    sure: dict[tuple[str, int], float] = {}
    for group, members in groups.items():
        keys, starts, relevances = zip(*members, strict=True)
        sure |= dict(zip(keys, still_holds(starts, relevances, best[group], start), strict=True))
    return sure


def _order(candidates: Sequence[_Candidate], ordinal: Ordinal, window: Interval | None) -> None:
    """Lower the temporal score of what does not stand at the place in time that is asked for."""
    for candidate in candidates:
        if candidate.stored.chunk.fact is not None and _is_inside(candidate.time, window):
            candidate.temporal = 1.0  # held at some time of the window, it counts whole for its place
    relevances = [candidate.relevance * candidate.temporal for candidate in candidates]
    factors = order_factors([candidate.time for candidate in candidates], relevances, ordinal, window)
    for candidate, factor in zip(candidates, factors, strict=True):
        candidate.temporal *= factor


def _hit(candidate: _Candidate, window: Interval | None) -> Hit:
    return Hit(
        candidate.stored.chunk,
        Scores(
            semantic=candidate.semantic,
            keyword=candidate.keyword,
            temporal=candidate.temporal,
            final=candidate.score,
        ),
        candidate.time,
        candidate.sentence,
        (*candidate.passed, "sentence", *_in_time(candidate, window)),
    )


def _rank(candidate: _Candidate) -> tuple[float, str]:
    return -candidate.score, candidate.stored.chunk.id


def _in_time(candidate: _Candidate, window: Interval | None) -> tuple[str, ...]:
    if _is_inside(candidate.time, window):
        return ("interval",)
    return ("validity",) if window is not None and candidate.temporal > UNDATED else ()


def _is_inside(time: Interval | None, window: Interval | None) -> bool:
    return time is not None and window is not None and time.intersects(window)
