"""Picks the span of the evidence that answers a question, or none, from the reader's spans.

The reader reads each passage separately; a scorecard combines its spans, and what the values reader finds,
into one decision. It was fitted by ``scripts/calibrate_reader.py`` on documents that neither was trained on.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from timelens.answer.draft import Statement
from timelens.answer.operations import in_force
from timelens.answer.relevance import topic_of
from timelens.answer.scorecard import Features, Scorecard
from timelens.answer.text.pick_features import alike_by_words, features_alone, log_odds_of_any, log_sum
from timelens.answer.text.picked_spans import Pick, is_said, likeliest_first, passages_of, pick_of
from timelens.answer.text.sentence_match import is_question
from timelens.answer.text.value_dates import Stretch, begins_then, is_former
from timelens.answer.values_at import is_same_value, words_of_value
from timelens.documents import Hit
from timelens.question.intent import asks_for_state, subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.span_reader import bundled_reader
from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_SCORECARD = Scorecard(
    -4.75,
    {
        "against": (
            (-9.54, 0.23),
            (-7.7, 0.51),
            (-5.81, 0.62),
            (-4.66, 0.9),
            (-3.58, 1.3),
            (-3.27, 1.44),
            (-1.98, 1.77),
            (-1.65, 1.98),
            (-1.28, 2.12),
            (-0.61, 2.41),
            (-0.07, 2.78),
            (-0.02, 3.45),
        ),
        "found": ((0.51, 0.12), (0.79, 0.31), (1.0, 0.52)),
        "in_force": ((-0.43, 0.18), (0.43, 0.4)),
        "later": ((0.1, -0.13),),
        "read": ((-4.21, 0.12), (1.86, 0.24), (7.97, 0.34), (8.96, 0.46)),
        "semantic": ((0.63, -0.19),),
        "share": ((0.31, 0.12),),
        "time_long_after": ((1.0, -0.66),),
        "time_long_before": ((1.0, -0.11),),
        "valued": ((0.11, 0.15), (0.14, 0.51), (0.28, 0.71), (0.44, 1.05), (0.62, 1.21)),
    },
)
_LIKELY_VALUE = 0.25
"""Minimum probability of a value that may be in force."""
_SURE_VALUE = 0.5
"""Minimum probability of a value that follows another one."""
_OFFERS = re.compile(r"\bor\b", re.IGNORECASE)
"""A question that offers its possible answers."""


def picks(parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]) -> list[Pick]:
    """The spans that may answer, likeliest first.

    ``hits`` are texts, best first; ``values`` are all values that the values reader finds in them.
    """
    return likeliest_first(span_candidates(parsed, hits, values), _SCORECARD.score)


def span_candidates(
    parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]
) -> list[tuple[Pick, Features]]:
    """The reader's spans in each passage, with their features.

    Spans whose words are all in the question are dropped, unless the question offers alternatives. So are
    spans in sentences that are questions themselves, and values of a state that began after the asked time or
    ended before it.
    """
    times, passages = passages_of(hits)
    readings = bundled_reader().read(parsed.core, parsed.window, passages)
    asked = frozenset() if _OFFERS.search(parsed.question) else topic_words(parsed.question)
    picked = [
        pick_of(reading, hits[reading.passage], times[reading.passage], parsed.window) for reading in readings
    ]
    spans: dict[int, list[Stretch]] = {}
    for reading in readings:
        spans.setdefault(reading.passage, []).append((reading.start, reading.end))
    stated = [
        _Stated(pick, (reading.start, reading.end), spans[reading.passage])
        for pick, reading in zip(picked, readings, strict=True)
        if pick.text and not is_question(pick.hit.said) and not is_said(pick.text, asked)
    ]
    window = parsed.window if asks_for_state(parsed.core) else None
    if window is not None:
        followers = [one for one in stated if one.begins and _is_likely(one.pick, values)]
        stated = [one for one in stated if _may_hold(one, followers, values, window)]
    kept = [one.pick for one in stated]
    return list(zip(kept, _features(kept, parsed, hits, values), strict=True))


@dataclass(frozen=True, slots=True)
class _Stated:
    """A pick, with its characters in its passage and those of all picks there."""

    pick: Pick
    span: Stretch
    spans: Sequence[Stretch]

    @property
    def start(self) -> float:
        """The first day of its time; an unknown one is the earliest."""
        return _start(self.pick)

    @property
    def begins(self) -> bool:
        """Whether its sentence says that it begins to hold then."""
        return begins_then(self.pick.hit.chunk.text, self.span)


def _may_hold(
    one: _Stated, followers: Sequence[_Stated], values: Sequence[Statement], window: Interval
) -> bool:
    """Whether a value may hold in the asked time, by what its sentence, or a later one, says.

    It may not if it begins after that time ("£30 from January 2020", "Bo was elected"), ended before it
    ("from £240 to £275") or was followed by another value before it. ``followers`` are the likely values that
    are said to begin.
    """
    first, last = window.bounds
    own = [value for value in values if value.hit.key == one.pick.hit.key and _shares_words(one.pick, value)]
    from_then_on = [
        value.interval for value in own if value.interval is not None and value.interval.end is None
    ]
    if (one.start >= last and one.begins) or any(time.bounds[0] >= last for time in from_then_on):
        return False
    if one.start <= first and is_former(one.pick.hit.chunk.text, one.span, one.spans):
        return False
    return not any(
        one.start < other.start <= first and not is_same_value(one.pick.text, other.pick.text)
        for other in followers
    )


def _is_likely(pick: Pick, values: Sequence[Statement]) -> bool:
    """Whether a pick is a likely value, too."""
    own = (value for value in values if value.hit.key == pick.hit.key and _shares_words(pick, value))
    return any(value.probability >= _SURE_VALUE for value in own)


def _features(
    found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]
) -> Iterator[Features]:
    """All features of each pick: its own, its time relative to the asked one, competitors and agreement.

    Competitors are all other spans, "no answer", and different values with a later time. Agreement is that
    with the values reader: about the value at any time, and about the one in force at the asked time.
    """
    topic = topic_of(subject_of(parsed), hits)
    alike = alike_by_words(found)
    first: dict[str, float] = {}
    for pick in found:
        first[pick.hit.chunk.id] = max(first.get(pick.hit.chunk.id, pick.score), pick.score)
    everything = log_odds_of_any(found)
    likely = [one for one in values if one.probability >= _LIKELY_VALUE]
    held = None if parsed.window is None else in_force(likely, parsed.window)
    for pick, features in zip(found, features_alone(found, parsed, topic, hits), strict=True):
        mark = (
            TimeMark.UNDATED if pick.hit.interval is None else time_mark_of(pick.hit.interval, parsed.window)
        )
        yield features | {
            "unknown": float(bool(topic.unknown)),
            "later": _later(pick, found, parsed.window),
            "against": log_sum([one.score for one in alike[pick.plain]]) - everything,
            "first": float(pick.score == first[pick.hit.chunk.id]),
            "valued": max((one.probability for one in values if _shares_words(pick, one)), default=0.0),
            "in_force": _agrees(pick, held),
            f"time_{mark.name.lower()}": 1.0,
        }


def _shares_words(pick: Pick, value: Statement) -> bool:
    return bool(words_of_value(pick.text) & words_of_value(value.value))


def _agrees(pick: Pick, held: Statement | None) -> float:
    """The probability of the value in force, negated if the pick is another value; 0 without one."""
    if held is None:
        return 0.0
    return held.probability if _shares_words(pick, held) else -held.probability


def _later(pick: Pick, found: Sequence[Pick], window: Interval | None) -> float:
    """The highest probability, 0..1, of a different value after this one and before the end of the window."""
    start, end = _start(pick), float("inf") if window is None else window.bounds[1]
    others = (
        other.probability for other in found if start < _start(other) < end and other.plain != pick.plain
    )
    return max(others, default=0.0)


def _start(pick: Pick) -> float:
    return float("-inf") if pick.hit.interval is None else pick.hit.interval.bounds[0]
