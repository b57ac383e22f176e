"""The default strategy: filters by time, searches by vectors and words, ranks sentences by topic x time."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from timelens.documents import VALIDITY, Hit, Scores
from timelens.embedding import Vectors
from timelens.question.parsed_question import Ordinal, ParsedQuestion
from timelens.question.up_to_now import asks_for_newest, reaches_today
from timelens.retrieval.candidates import Candidates, weigh
from timelens.retrieval.coverage import clamp
from timelens.retrieval.request import Request, Retrieved
from timelens.retrieval.scoring import UNDATED, counts_from_end, order_factors, temporal_fits
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.validity import are_open, still_holds
from timelens.store.arrays import Floats
from timelens.store.rows import StoredChunk
from timelens.store.searches import ChunkView
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.phrasing import phrase

STAGES = ("filter", "keyword", "name", "sentence", "time", VALIDITY, "order", "coverage")
"""The stages that can be left out; the agent implements coverage when it combines the steps."""

_CANDIDATES = 100
_DOCUMENTS = 12
"""Documents that are searched without the filter, for states that began earlier."""
_CHUNKS_OF_DOCUMENTS = 200
# For an order, candidates are also searched in these fractions (1/n) of the window, at its asked end.
_SLICES = (4, 16, 64)
_LAST = (Relation.AS_OF, Relation.UNTIL, Relation.BEFORE, Relation.BY)
_HOLDS = 0.4
"""Temporal score above that of undated evidence for earlier evidence that certainly still holds."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The retrieval of a chunk."""

    passed: tuple[str, ...]
    """The stages that found it."""
    matched: float
    """Its BM25 score."""


_FoundRows = Mapping[int, _Found]
"""Found chunks by row id."""


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for one topic in one version of a corpus."""

    text: str
    query: Vectors
    view: ChunkView
    without: AbstractSet[str]

    def find(self, windows: Sequence[Interval], limit: int) -> dict[int, _Found]:
        """The chunks inside the windows with the most similar vectors or the best full-text scores."""
        near = {row for row, _ in self.view.nearest(self.query, limit, windows)}
        keyword = [] if "keyword" in self.without else self.view.matching(self.text, limit, windows)
        # a chunk outside a full list of matches scores at most as high as the last match
        least = keyword[-1][1] if len(keyword) == limit else 0.0
        scores = dict(keyword)
        return {
            row: _Found(
                (
                    *(["filter"] if windows else []),
                    *(["dense"] if row in near else []),
                    *(["keyword"] if row in scores else []),
                ),
                scores.get(row, least),
            )
            for row in sorted(near | scores.keys())
        }

    def find_texts(self, limit: int) -> dict[int, _Found]:
        """The text chunks with the best full-text scores, at any time; dense search only without a match.

        Dense search without a filter compares all vectors, which is slow in a large corpus.
        """
        keyword = [] if "keyword" in self.without else self.view.matching(self.text, limit, of_tables=False)
        if keyword:
            return {row: _Found(("keyword",), score) for row, score in sorted(keyword)}
        near = sorted(row for row, _ in self.view.nearest(self.query, limit))
        facts = self.view.arrays(near).facts
        return {row: _Found(("dense",), 0.0) for row, fact in zip(near, facts, strict=True) if not fact}

    def weigh(self, found: _FoundRows) -> Candidates:
        """Score found chunks by their relevance to the topic."""
        matched = [one.matched for one in found.values()]
        return weigh(self.view.arrays(list(found)), matched, self.text, self.query, self.without)


def retrieve(request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()) -> Retrieved:
    """Evidence inside the asked window or still valid in it, ranked by topic x time.

    A window without evidence is widened and then dropped, with a note. ``without`` names stages
    (:data:`STAGES`) to leave out.
    """
    query = searcher.vector(request.query)
    with searcher.store.searching() as view:
        return _retrieve(request, _Search(request.query, query, view, without))


def _retrieve(request: Request, search: _Search) -> Retrieved:
    notes: list[str] = []
    found: _FoundRows = {}
    asked = None if "filter" in search.without else request.window
    for window, note in _windows(asked, widen=request.widen):
        found = _inside(window, request, search)
        if found:
            notes += [note] if note else []
            break
    holding = (
        request.window is not None and _states_may_hold(request.parsed) and VALIDITY not in search.without
    )
    if holding:
        found = _with_their_documents(found, search)
    candidates = search.weigh(found)
    if "time" not in search.without:
        _date(candidates, request, holding=holding)
    ordinal = None if "order" in search.without else request.parsed.ordinal
    if ordinal is not None:
        if asks_for_newest(request.parsed):
            candidates.place_by_day()
        # for a state, texts are already ranked by whether they still hold
        placed = [chunk for chunk in range(len(found)) if candidates.chunks.facts[chunk] or not holding]
        _order(candidates, placed, ordinal, request)
    scores = candidates.scores
    ids = candidates.chunks.ids
    ranked = sorted(range(len(found)), key=lambda chunk: (-scores[chunk], ids[chunk]))[: request.k]
    rows = list(found)
    stored = search.view.stored([(rows[chunk], scores[chunk]) for chunk in ranked])
    hits = [
        _hit(candidates, chunk, one, found[rows[chunk]].passed, request.window)
        for chunk, one in zip(ranked, stored, strict=True)
    ]
    return Retrieved(tuple(hits), tuple(notes))


def _windows(window: Interval | None, *, widen: bool) -> Iterator[tuple[Interval | None, str | None]]:
    """The window, then a wider one, then none; each with a note, if its use needs one."""
    yield window, None
    if window is None or not widen:
        return
    margin = round(min(max(window.days, window.granularity.days), 100 * 366))
    wider = Interval(
        None if window.start is None else window.start - margin,
        None if window.end is None else window.end + margin,
        window.granularity,
    )
    yield wider, f"{phrase(window)}: nothing was found, the search was widened ({phrase(wider)})"
    yield None, f"{phrase(window)}: nothing was found, the search was widened (all times)"


def _inside(window: Interval | None, request: Request, search: _Search) -> _FoundRows:
    """The chunks found inside a window, by row id."""
    limit = max(_CANDIDATES, 2 * request.k)
    found: _FoundRows = {}
    for part in _slices(window, request.parsed, search.view):
        found = _joined(found, search.find([] if part is None else [part], limit))
    return dict(sorted(found.items()))


def _joined(found: _FoundRows, more: _FoundRows) -> dict[int, _Found]:
    """The union of found chunks; the stages of chunks in both are joined."""
    joined = {**found, **more}
    for row in found.keys() & more.keys():
        one, other = found[row], more[row]
        joined[row] = _Found(
            tuple(dict.fromkeys((*one.passed, *other.passed))), max(one.matched, other.matched)
        )
    return joined


def _slices(window: Interval | None, parsed: ParsedQuestion, view: ChunkView) -> list[Interval | None]:
    """The windows to search: the asked one, and for an order also parts at its asked end."""
    ordinal = parsed.ordinal
    if ordinal is None:
        return [window]
    span, asked = view.span, window
    if asked is None and reaches_today(parsed):
        asked = Interval(None, parsed.reference_day + 1)
    bounded = span if asked is None else clamp(asked, span)
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
    """Whether the question asks for a single state, whose beginning may be stated long before the window."""
    return parsed.is_point and all(constraint.ordinal is None for constraint in parsed.constraints)


def _with_their_documents(found: _FoundRows, search: _Search) -> _FoundRows:
    """The found chunks, and further chunks at any time of the documents with the highest relevance.

    These documents may have no chunk inside the window. Tables are not extended, because their facts state
    how long they hold.
    """
    near = search.find_texts(_CANDIDATES)
    known = _joined(found, near)
    candidates = search.weigh(known)
    chunks = candidates.chunks
    best: dict[str, float] = defaultdict(float)
    for document, fact, relevance in zip(chunks.documents, chunks.facts, candidates.relevance, strict=True):
        if not fact:
            best[document] = max(best[document], relevance)
    documents = sorted(best, key=lambda document: (-best[document], document))[:_DOCUMENTS]
    if not documents:
        return found
    chosen = {
        row: one
        for (row, one), document in zip(known.items(), chunks.documents, strict=True)
        if row in found or document in documents
    }
    least = min((one.matched for one in near.values()), default=0.0)
    for row, _ in search.view.nearest(search.query, _CHUNKS_OF_DOCUMENTS, documents=documents):
        chosen.setdefault(row, _Found(("document",), least))
    return chosen


def _date(candidates: Candidates, request: Request, *, holding: bool) -> None:
    """Set the best sentence of each candidate by topic x time."""
    window = request.window
    if window is None:
        return
    events = candidates.chunks.events
    fits = temporal_fits(events, window)
    if holding:
        target = _target(request)
        facts = candidates.chunks.facts[candidates.chunks.event_owners]
        held = UNDATED + _HOLDS * _sure_of(candidates, target, as_of=target is not window)
        fits = np.maximum(np.where(facts, fits, temporal_fits(events, target)), held)
    candidates.set_times(UNDATED + (fits - UNDATED) * events.confidences)


def _target(request: Request) -> Interval:
    """The time at which the answer holds: the window, or its last granule if its start is unbounded.

    Without an order, "before" a date means the last state before it (MRAG, Appendix G).
    """
    window = request.window
    if window is None:
        raise ValueError("without a window there is no target")
    if window.start is None and window.end is not None and window.granularity is not Granularity.ERA:
        for constraint in request.parsed.constraints:
            if constraint.relation in _LAST:
                return granule(window.end - 1, window.granularity)
    return window


def _sure_of(candidates: Candidates, target: Interval, *, as_of: bool) -> Floats:
    """(e,) The probability that each event that begins before the end of the target holds in it; else 0.

    Stated events succeed each other within a document. Events dated by publication succeed each other across
    documents, and are used only if the question asks for the state ``as_of`` a day.
    """
    chunks, events = candidates.chunks, candidates.chunks.events
    start, end = target.bounds
    owners = chunks.event_owners
    relevances = candidates.relevances[chunks.sentence_edges[owners] + events.sentences]
    counts = (events.starts < end) & are_open(events) & ~chunks.facts[owners]
    published = events.published
    if not as_of:
        counts &= ~published
    best: dict[str | None, float] = defaultdict(float)
    for document, relevance in zip(chunks.documents, candidates.relevance.tolist(), strict=True):
        best[document] = max(best[document], relevance)
    groups: dict[str | None, list[int]] = defaultdict(list)
    for event in np.flatnonzero(counts).tolist():
        group = None if published[event] else chunks.documents[owners[event]]
        groups[group].append(event)
    sure = np.zeros(len(counts))
    for group, members in groups.items():
        of_group = relevances[members].tolist()
        greatest = max(of_group) if group is None else best[group]
        sure[members] = still_holds(events.starts[members].tolist(), of_group, greatest, start)
    return sure


def _order(candidates: Candidates, placed: Sequence[int], ordinal: Ordinal, request: Request) -> None:
    """Lower the temporal score of candidates that are not at the asked place in time."""
    window = request.window
    times = [candidates.time(chunk) for chunk in placed]
    if reaches_today(request.parsed):
        today = request.parsed.reference_day
        times = [None if time is None or time.bounds[0] > today else time for time in times]
    for chunk, time in zip(placed, times, strict=True):
        lasts = candidates.chunks.facts[chunk] or (time is not None and time.exceeds_unit)
        if lasts and _is_inside(time, window):
            candidates.temporal[chunk] = 1.0  # a state in the window counts in full
    relevances = (candidates.relevance * candidates.temporal)[placed].tolist() if placed else []
    candidates.temporal[placed] *= order_factors(times, relevances, ordinal, window, request.parsed.count)


def _hit(
    candidates: Candidates, chunk: int, stored: StoredChunk, passed: Sequence[str], window: Interval | None
) -> Hit:
    """The hit for a candidate."""
    time, temporal = candidates.time(chunk), float(candidates.temporal[chunk])
    return Hit(
        stored.chunk,
        Scores(
            semantic=float(candidates.semantic[chunk]),
            keyword=float(candidates.keyword[chunk]),
            temporal=temporal,
            final=stored.score,
        ),
        time,
        int(candidates.sentences[chunk] - candidates.chunks.sentence_edges[chunk]),
        (*passed, "sentence", *_in_time(time, temporal, window)),
    )


def _in_time(time: Interval | None, temporal: float, window: Interval | None) -> tuple[str, ...]:
    if _is_inside(time, window):
        return ("interval",)
    return (VALIDITY,) if window is not None and temporal > UNDATED else ()


def _is_inside(time: Interval | None, window: Interval | None) -> bool:
    return time is not None and window is not None and time.intersects(window)
