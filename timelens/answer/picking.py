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
_NO_ANSWER = 5.1
"""What the best stretch must reach to be taken for an answer rather than none."""

_WEIGHTS: dict[str, float] = {
    "after_verb": 0.58,
    "best_distance": 0.65,
    "best_ends": 1.1,
    "best_inside": 0.2,
    "best_long_before": -0.63,
    "best_sentence_temporal": 0.5,
    "best_starts": 1.48,
    "body": 0.2,
    "body_body": 0.82,
    "body_for_head": -0.58,
    "chunk_lacks_name": 0.35,
    "cue": 1.1,
    "cue_place": 0.56,
    "event_after": -0.44,
    "event_long_after": -0.43,
    "event_long_before": -0.87,
    "event_starts": 1.07,
    "first": -0.35,
    "hit": 1.14,
    "holds_noun": 0.98,
    "inside_name": -1.37,
    "joins_and": -0.79,
    "lacks_name": -0.28,
    "latest": 0.36,
    "length": -0.28,
    "listed": -0.68,
    "long": -2.16,
    "name": 0.82,
    "name_for_head": -0.36,
    "name_for_owner": 0.56,
    "name_for_role": -0.53,
    "name_person": 0.09,
    "name_place": 0.24,
    "name_role": -0.35,
    "name_thing": 0.46,
    "near_after": -0.68,
    "near_before": -0.44,
    "near_covers": 0.56,
    "near_inside": 0.2,
    "near_long_after": -0.44,
    "near_starts": 1.01,
    "near_verb": 0.56,
    "next_(": 0.6,
    "next_in": 0.45,
    "next_of": -0.53,
    "next_other": -0.77,
    "one_word": -0.71,
    "one_word_body": 0.34,
    "one_word_for_named": -0.9,
    "one_word_for_role": -0.4,
    "one_word_for_team": 1.3,
    "one_word_person": -0.58,
    "one_word_role": -0.42,
    "own_words": -0.55,
    "person_person": 1.49,
    "prev_,_person": 0.64,
    "prev_the_person": -0.57,
    "rank": 1.12,
    "repeated": 0.41,
    "role_body": -0.62,
    "role_role": 1.6,
    "succeeded": -0.48,
    "tells": 0.35,
    "temporal": 0.5,
    "title_said": -0.7,
    "titled": 0.88,
    "whole": 1.42,
    "whole_thing": 0.35,
    "words": 0.92,
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
