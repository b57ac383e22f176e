"""The sentences that belong in an answer over time, with their probabilities.

The sentence reader gives the odds of each sentence.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from timelens.answer.draft import Statement
from timelens.answer.hit_times import time_of
from timelens.answer.relevance import said_by, topic_of
from timelens.answer.scorecard import Features, score_of
from timelens.answer.sentences import is_fragment
from timelens.answer.text.pick_features import features_of_place
from timelens.answer.text.picked_spans import MOST_PASSAGES, Pick, passages_of
from timelens.answer.text.sentence_match import is_question
from timelens.documents import Event, EventSource, Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.sentence_reader import bundled_sentence_reader
from timelens.temporal.interval import Interval

_SOURCES = tuple(EventSource)
"""The sources of a time, from strong to weak."""
_LIMIT = 8.0
"""Limit of the reader's log odds."""
_WEIGHTS: Mapping[str, float] = {  # by scripts/calibrate_courses.py
    "bias": -2.78,
    "found": 1.54,
    "read": 0.57,
    "said": 1.04,
    "semantic": 1.19,
    "share": 0.38,
    "valued": 0.54,
}


def course_sentences(parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]) -> list[Pick]:
    """The sentences of texts with the log odds that they belong in the answer, likeliest first.

    Args:
        parsed: the question; its time is not considered.
        hits: the texts, best first.
        values: the values that the reader found in them.
    """
    found = (
        replace(pick, score=score_of(features, _WEIGHTS))
        for pick, features in sentence_candidates(parsed, hits, values)
    )
    return sorted(found, key=lambda pick: (-pick.score, pick.hit.chunk.id, pick.first))


def sentence_candidates(
    parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]
) -> list[tuple[Pick, Features]]:
    """The sentences of texts with their features; fragments and questions are left out."""
    read = hits[:MOST_PASSAGES]
    _, passages = passages_of(read, MOST_PASSAGES)
    odds = bundled_sentence_reader().odds(parsed.core, passages, [hit.chunk.sentences for hit in read])
    found = []
    for hit, own in zip(read, odds, strict=True):
        for index, score in enumerate(own):
            text = hit.chunk.sentence(index)
            if not is_fragment(hit.chunk, index) and not is_question(text):
                read_at = max(-_LIMIT, min(_LIMIT, score))
                place = replace(hit, sentence=index, interval=None)
                found.append(Pick(text, place, read_at, index))
    stated: dict[tuple[str, int | None], float] = {}
    for one in values:
        at = one.hit.key
        stated[at] = max(stated.get(at, 0.0), one.probability)
    topic = topic_of(subject_of(parsed), hits)
    return [
        (
            pick,
            features
            | {
                "said": topic.share(said_by(pick.hit)),
                "valued": stated.get(pick.hit.key, 0.0),
            },
        )
        for pick, features in zip(found, features_of_place(found, topic, hits), strict=True)
    ]


def timed_in(pick: Pick, window: Interval | None) -> Pick | None:
    """The sentence with its time in a window; ``None`` if it has none there.

    Of several times, the one from the strongest source is taken, then one that the window contains, then the
    shortest. A sentence without a time of its own has that of the sentence it refers back to, or of its
    document.
    """
    chunk, index = pick.hit.chunk, pick.first
    own = [event for event in chunk.events if event.sentence == index]
    inside = [event for event in own if window is None or event.interval.intersects(window)]
    if not own:
        time = time_of(pick.hit)
        is_inside = window is None or (time is not None and time.intersects(window))
        return replace(pick, hit=replace(pick.hit, interval=time)) if is_inside else None
    if not inside:
        return None

    def fit(event: Event) -> tuple[int, bool, float]:
        is_within = window is None or window.contains(event.interval)
        return _SOURCES.index(event.source), not is_within, event.interval.days

    return replace(pick, hit=replace(pick.hit, interval=min(inside, key=fit).interval))


def spread_over_time(found: Sequence[Pick], most: int) -> list[Pick]:
    """At most ``most`` sentences, in their order: the first of each time before the second of any."""
    told = Counter[Interval | None]()
    places = []
    for number, pick in enumerate(found):
        places.append((told[pick.hit.interval], number))
        told[pick.hit.interval] += 1
    return [found[number] for number in sorted(number for _, number in sorted(places)[:most])]
