"""Selects dated sentences on topic, spread over a stretch of time. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from timelens.answer.draft import Statement
from timelens.answer.relevance import Topic, is_about, words_of
from timelens.answer.sentences import is_heading_text
from timelens.answer.text.sentence_match import AnswerType, holds, states_nothing
from timelens.documents import EventSource, Hit
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_WORDS = 0.5
"""Weight of the sentence's words in its score; the rest is the retrieval score of its passage."""
_AROUND = 0.4
"""Weight of a word that is elsewhere in the passage."""
_NAMELESS = 0.85
"""Score multiplier for each name of the question that a sentence and its title lack."""
_CLOSE, _CLOSE_WITH_VALUES = 0.4, 0.2
"""Minimum score as a share of the best, without and with values from the reader."""
_BEST, _NOT_BEST = 0.85, 0.9
"""Minimum word score of the best sentence of a passage; word score multiplier for its other sentences."""
_SHORTEST = 3
"""Minimum number of words of a sentence; anything shorter is a heading."""
_OTHER_KIND = 0.6
"""Score multiplier for a sentence without a candidate of the answer type."""
_BY_WORDS = 0.25
"""Score of the best sentence by words, on the scale of the probability that a sentence states a value."""
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


def dated_sentences(
    topic: Topic,
    hits: Sequence[Hit],
    window: Interval | None,
    expected: AnswerType,
    most: int,
    *,
    values: Sequence[Statement] = (),
) -> list[Hit]:
    """At most ``most`` sentences on topic whose own time intersects the window, best first.

    A topic without words admits all sentences of that time. Sentences that state ``values`` gain the
    probability that they do, whatever their words.

    The window is divided into ``most`` equal parts. Each sentence already chosen from the same part or the
    same document lowers the score of the remaining ones (maximal marginal relevance, over time).
    """
    found = _with_values(_candidates(topic, hits, window, expected), values, window)
    if not found:
        return []
    close = _CLOSE_WITH_VALUES if values else _CLOSE
    waiting = [one for one in found if one.score >= close * found[0].score]
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
        waiting = [one for one in waiting if one is not best]
    return [one.hit for one in chosen]


def _with_values(
    candidates: Iterable[_Dated], values: Sequence[Statement], window: Interval | None
) -> list[_Dated]:
    """The candidates with the probability of their values added, best first; each with its best time."""
    by_words: dict[tuple[str, int | None], _Dated] = {}
    for one in candidates:
        place = one.hit.chunk.id, one.hit.sentence
        if place not in by_words or by_words[place].score < one.score:
            by_words[place] = one
    best = max((one.score for one in by_words.values()), default=0.0) or 1.0
    stated: dict[tuple[str, int | None], list[tuple[float, Interval, Hit]]] = {}
    for said in values:
        if said.interval is not None and (window is None or said.interval.intersects(window)):
            place = said.hit.chunk.id, said.hit.sentence
            stated.setdefault(place, []).append((said.probability, said.interval, said.hit))
    found = {place: replace(one, score=_BY_WORDS * one.score / best) for place, one in by_words.items()}
    for place, each in stated.items():
        _, time, hit = max(each, key=lambda one: one[0])
        worth = 1 - prod(1 - probability for probability, _, _ in each)
        before = found[place].score if place in found else 0.0
        found[place] = _Dated(replace(hit, interval=time), before + worth, time.bounds[0])
    return sorted(found.values(), key=lambda one: (-one.score, one.hit.chunk.id, one.hit.sentence or 0))


def _candidates(
    topic: Topic, hits: Sequence[Hit], window: Interval | None, expected: AnswerType
) -> Iterator[_Dated]:
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    for hit in hits:
        if not is_about(topic, hit):
            continue
        chunk = hit.chunk
        title = topic_words(chunk.title)
        share = topic.share(words_of(hit))
        relevance = (hit.scores.final or 0.0) / best
        for event in chunk.events:
            sentence = chunk.sentence(event.sentence)
            outside = window is not None and not event.interval.intersects(window)
            is_best = event.sentence == hit.sentence
            words = topic_words(sentence)
            speaks = is_best or not topic.words or topic.share(words) > 0
            if outside or not speaks or states_nothing(sentence) or len(sentence.split()) < _SHORTEST:
                continue
            if is_heading_text(sentence):
                continue
            words |= title
            said = topic.share(words)
            score = relevance * _WEIGHTS[event.source] * _NAMELESS ** len(topic.missing(words))
            by_words = 1 - _WORDS + _WORDS * (said + _AROUND * (share - said))
            score *= max(_BEST, by_words) if is_best else _NOT_BEST * by_words
            score *= 1.0 if holds(chunk, event.sentence, expected, topic) else _OTHER_KIND
            yield _Dated(
                replace(hit, sentence=event.sentence, interval=event.interval),
                score,
                event.interval.bounds[0],
            )


def _part(start: float, window: Interval | None, found: Sequence[_Dated], parts: int) -> int:
    """The index of the part of the window that a time begins in; the window has ``parts`` equal parts."""
    starts = [one.start for one in found if abs(one.start) != float("inf")]
    first, last = (min(starts, default=0.0), max(starts, default=0.0) + 1)
    if window is not None:
        first, last = max(window.bounds[0], first), min(window.bounds[1], last)
    inside = min(max(start, first), last - 1)
    return int((inside - first) / max(last - first, 1) * parts)
