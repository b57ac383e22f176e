"""Which stretch of the evidence answers a question, or that none does. Pure.

A linear model over the features of each stretch, with "no answer" as one more choice beside them. Its weights
were fitted by ``scripts/fit_spans.py`` to dated questions over pages of an encyclopaedia: the part of TimeQA
(Chen et al. 2021) that is at hand for tuning.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.answer.features import Candidate, candidates_of
from timelens.answer.time_fit import Features
from timelens.answer.topic import Topic
from timelens.answer.wanted import Wanted
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.temporal.interval import Interval

PASSAGES = 12
"""Pieces of evidence that are looked at."""
_NO_ANSWER = 7.44
"""What all stretches together must reach, in log odds, for the best to be taken for an answer."""

_WEIGHTS: dict[str, float] = {
    "after_verb": 0.55,
    "best_after": -0.33,
    "best_distance": 0.8,
    "best_inside": 0.17,
    "best_long_before": 0.38,
    "best_sentence_temporal": 0.45,
    "best_starts": 0.74,
    "body": 0.15,
    "body_body": 0.46,
    "chunk_lacks_name": 0.35,
    "cue": 0.93,
    "cue_place": 0.52,
    "dated_of_sort": 0.8,
    "event_after": -0.36,
    "event_at_end": -0.45,
    "event_before": 0.39,
    "event_long_after": -0.37,
    "event_starts": 0.51,
    "first": -0.29,
    "held_on": -0.6,
    "hit": 0.56,
    "holds_noun": 0.96,
    "in_time_page_share": 0.61,
    "inside_name": -1.15,
    "joins_and": -0.65,
    "lacks_name": -0.2,
    "latest": 0.32,
    "latest_told": 0.88,
    "length": -0.26,
    "listed": -0.57,
    "long": -1.71,
    "name": 0.76,
    "name_for_head": -0.24,
    "name_for_role": -0.36,
    "name_for_team": 0.42,
    "name_person": 0.1,
    "name_place": 0.07,
    "name_role": -0.3,
    "name_thing": 0.34,
    "near_after": -0.63,
    "near_before": -0.5,
    "near_covers": 0.44,
    "near_inside": 0.11,
    "near_long_after": -0.36,
    "near_starts": 0.96,
    "near_verb": 0.5,
    "next_(": 0.51,
    "next_in": 0.4,
    "next_of": -0.47,
    "next_other": -0.81,
    "no_relation": 0.53,
    "nothing_told": -0.53,
    "one_word": -0.65,
    "one_word_body": 0.36,
    "one_word_for_named": -0.73,
    "one_word_for_role": -0.4,
    "one_word_for_team": 1.03,
    "one_word_person": -0.44,
    "one_word_role": -0.4,
    "only_names": -0.3,
    "over_for": -0.54,
    "own_words": -0.38,
    "page_ends": -0.13,
    "page_leads": 0.53,
    "page_named_most": 1.33,
    "page_share": 0.3,
    "page_starts": 0.35,
    "page_title_tells": -0.55,
    "person_person": 1.04,
    "prev_,_person": 0.54,
    "prev_a": 0.39,
    "prev_the_person": -0.47,
    "rank": 0.99,
    "repeated": 0.41,
    "role_body": -0.45,
    "role_role": 1.07,
    "semantic": 0.77,
    "starts_and_ends": 1.13,
    "stops": -0.45,
    "succeeded": -0.24,
    "tells": 0.18,
    "temporal": 0.5,
    "title_said": -0.46,
    "untimed": -0.48,
    "whole": 1.39,
    "whole_for_named": 0.65,
    "whole_place": 0.22,
    "whole_thing": 0.2,
    "words": 0.48,
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


def is_sure(found: Sequence[Pick]) -> bool:
    """Whether one of the stretches is likelier to answer than that there is no answer."""
    if not found:
        return False
    best = max(pick.score for pick in found)
    return best + math.log(sum(math.exp(pick.score - best) for pick in found)) >= _NO_ANSWER


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
