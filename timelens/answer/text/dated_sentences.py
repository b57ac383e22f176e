"""Selects dated sentences of a time, whatever they are about, spread over it. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.answer.sentences import is_fragment
from timelens.answer.text.sentence_match import states_nothing
from timelens.documents import EventSource, Hit
from timelens.temporal.interval import Interval

_NOT_BEST = 0.5
"""Score multiplier for a sentence that is not the best one of its passage."""
_CLOSE = 0.4
"""Minimum score as a share of the best."""
_SHORTEST = 3
"""Minimum number of words of a sentence; anything shorter is a heading."""
_SAME_PART, _SAME_DOCUMENT = 0.7, 0.85
"""Score multipliers for each sentence already chosen from the same part of the window, the same document."""
_WEIGHTS = {EventSource.STATED: 1.0, EventSource.ANCHORED: 0.8, EventSource.PUBLISHED: 0.7}
"""Score multiplier by the source of a sentence's date."""


@dataclass(frozen=True, slots=True)
class _Dated:
    hit: Hit
    """The hit with this sentence and its time."""
    score: float
    start: float


def dated_sentences(hits: Sequence[Hit], window: Interval, most: int) -> list[Hit]:
    """At most ``most`` sentences whose own time intersects the window, best first.

    The window is divided into ``most`` equal parts. Each sentence already chosen from the same part or the
    same document lowers the score of the remaining ones (maximal marginal relevance, over time).
    """
    found = sorted(
        _candidates(hits, window), key=lambda one: (-one.score, one.hit.chunk.id, one.hit.sentence or 0)
    )
    waiting = [one for one in found if one.score >= _CLOSE * found[0].score]
    chosen: list[_Dated] = []
    served, told = Counter[int](), Counter[str]()

    def worth(one: _Dated) -> float:
        again = served[_part(one.start, window, found, most)], told[one.hit.chunk.document_id]
        return one.score * _SAME_PART ** again[0] * _SAME_DOCUMENT ** again[1]

    while waiting and len(chosen) < most:
        best = max(waiting, key=worth)
        chosen.append(best)
        served[_part(best.start, window, found, most)] += 1
        told[best.hit.chunk.document_id] += 1
        place = best.hit.key
        waiting = [one for one in waiting if one.hit.key != place]
    return [one.hit for one in chosen]


def _candidates(hits: Sequence[Hit], window: Interval) -> Iterator[_Dated]:
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    for hit in hits:
        relevance = (hit.scores.final or 0.0) / best
        for event in hit.chunk.events:
            sentence = hit.chunk.sentence(event.sentence)
            states = len(sentence.split()) >= _SHORTEST and not states_nothing(sentence)
            if not states or is_fragment(hit.chunk, event.sentence) or not event.interval.intersects(window):
                continue
            score = relevance * _WEIGHTS[event.source]
            yield _Dated(
                replace(hit, sentence=event.sentence, interval=event.interval),
                score if event.sentence == hit.sentence else score * _NOT_BEST,
                event.interval.bounds[0],
            )


def _part(start: float, window: Interval, found: Sequence[_Dated], parts: int) -> int:
    """The index of the part of the window that a time begins in; the window has ``parts`` equal parts."""
    starts = [one.start for one in found if abs(one.start) != float("inf")]
    first = max(window.bounds[0], min(starts, default=0.0))
    last = min(window.bounds[1], max(starts, default=0.0) + 1)
    inside = min(max(start, first), last - 1)
    return int((inside - first) / max(last - first, 1) * parts)
