"""Which stretch of the evidence answers a question, or that none does. Pure.

A linear model over the features of each stretch, with "no answer" as one more choice beside them. Its weights
were fitted by ``scripts/fit_spans.py`` to dated questions over pages of an encyclopaedia: the part of TimeQA
(Chen et al. 2021) that is at hand for tuning.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.answer.features import Candidate, Features, candidates_of
from timelens.answer.topic import Topic
from timelens.answer.wanted import Wanted
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.temporal.interval import Interval

PASSAGES = 12
"""Pieces of evidence that are looked at."""
_NO_ANSWER = 5.85
"""What the best stretch must reach to be taken for an answer rather than none."""

_WEIGHTS: dict[str, float] = {
    "after_verb": 0.54,
    "best_after": -0.33,
    "best_distance": 0.74,
    "best_ends": 0.71,
    "best_inside": 0.18,
    "best_long_before": -0.73,
    "best_sentence_temporal": 0.42,
    "best_starts": 1.44,
    "body": 0.19,
    "body_body": 0.87,
    "body_for_head": -0.58,
    "chunk_lacks_name": 0.37,
    "cue": 0.91,
    "cue_place": 0.6,
    "event_after": -0.46,
    "event_at_end": -0.57,
    "event_long_after": -0.39,
    "event_long_before": -0.74,
    "event_starts": 1.14,
    "first": -0.38,
    "hit": 0.82,
    "holds_noun": 1.05,
    "inside_name": -1.36,
    "joins_and": -0.77,
    "lacks_name": -0.27,
    "latest": 0.34,
    "leaves": -0.53,
    "length": -0.27,
    "listed": -0.73,
    "long": -2.23,
    "name": 0.79,
    "name_for_head": -0.21,
    "name_for_owner": 0.59,
    "name_for_role": -0.4,
    "name_for_team": 0.45,
    "name_place": 0.25,
    "name_role": -0.3,
    "name_thing": 0.37,
    "near_after": -0.71,
    "near_before": -0.62,
    "near_covers": 0.44,
    "near_ends": 0.48,
    "near_inside": 0.1,
    "near_long_after": -0.37,
    "near_starts": 0.89,
    "near_verb": 0.46,
    "next_(": 0.55,
    "next_in": 0.42,
    "next_of": -0.55,
    "next_other": -0.81,
    "no_relation": 0.68,
    "nothing_told": -0.56,
    "one_word": -0.69,
    "one_word_body": 0.21,
    "one_word_for_employer": 0.28,
    "one_word_for_named": -0.93,
    "one_word_for_role": -0.42,
    "one_word_for_team": 1.35,
    "one_word_person": -0.56,
    "one_word_role": -0.43,
    "only_names": -0.25,
    "own_words": -0.49,
    "page_ends": -0.24,
    "page_leads": 0.95,
    "page_share": 0.84,
    "page_starts": 0.42,
    "page_starts_and_ends": 0.19,
    "page_title_tells": -0.63,
    "page_undated": 0.09,
    "person": -0.03,
    "person_person": 1.46,
    "prev_,_person": 0.56,
    "prev_a": 0.46,
    "prev_the_person": -0.58,
    "rank": 1.04,
    "repeated": 0.4,
    "role_body": -0.62,
    "role_role": 1.62,
    "semantic": 1.14,
    "stops": -0.52,
    "succeeded": -0.52,
    "tells": 0.22,
    "temporal": 0.73,
    "title_said": -0.43,
    "title_tells": 0.34,
    "untimed": -0.45,
    "whole": 1.45,
    "whole_for_named": 0.82,
    "whole_thing": 0.1,
    "words": 0.68,
}


@dataclass(frozen=True, slots=True)
class Pick:
    """A stretch of text that may answer."""

    text: str
    hit: Hit
    """The evidence, by the sentence that the stretch stands in and with the time that goes with it."""
    score: float
    first: int
    """Index of the sentence in the chunk, or of the first where a splitter cut it in two."""

    @property
    def is_sure(self) -> bool:
        """Whether it is likelier to answer than that there is no answer."""
        return self.score >= _NO_ANSWER

    def is_in(self, hit: Hit) -> bool:
        """Whether it stands in the sentence of a hit."""
        if hit.sentence is None or self.hit.sentence is None or hit.chunk.id != self.hit.chunk.id:
            return False
        return self.first <= hit.sentence <= self.hit.sentence


def picks(parsed: ParsedQuestion, wanted: Wanted, topic: Topic, hits: Sequence[Hit]) -> list[Pick]:
    """All stretches of the evidence that may answer, best first; ``hits`` are of text, best first."""
    found = [
        Pick(c.span.text, _evidence(c), score_of(c.features), c.unit.sentence)
        for c in candidates_of(parsed, wanted, topic, hits[:PASSAGES])
    ]
    return sorted(found, key=lambda pick: (-pick.score, pick.hit.chunk.id, pick.text))


def score_of(features: Features) -> float:
    """What speaks for a stretch, on a scale of log odds."""
    return sum(_WEIGHTS.get(name, 0.0) * value for name, value in features.items())


def _evidence(candidate: Candidate) -> Hit:
    """The hit, by the sentence of the stretch; its time is the event of the sentence that states it."""
    unit, time = candidate.unit, candidate.interval
    return replace(unit.hit, sentence=unit.last, interval=_event(unit.events, time))


def _event(events: Sequence[Interval], time: Interval | None) -> Interval | None:
    if time is None:
        return None
    return next((event for event in events if event.start == time.start), time)
