"""Picks the span of the evidence that answers a question, or none, from the reader's spans.

The reader reads each passage separately; a logistic regression combines its spans into one decision. Its
weights were fitted by ``scripts/calibrate_reader.py`` on documents that the reader was not trained on.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from timelens.answer.operations import amount_of
from timelens.answer.relevance import Topic, topic_of, words_of
from timelens.answer.rendering.timeline import stated_in
from timelens.answer.text.sentence_match import AnswerType, answer_type_of, is_question
from timelens.config import RISK
from timelens.documents import EventSource, Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.encoding import Passage
from timelens.reader.passages import passage_of, times_in
from timelens.reader.span_reader import AnswerSpan, bundled_reader
from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval
from timelens.words import topic_words

Features = dict[str, float]

_PASSAGES = 12
"""Maximum number of passages that are read."""
_WEIGHTS: Mapping[str, float] = {
    "against": 0.22,
    "bias": -2.19,
    "elsewhere": 0.44,
    "first": 0.31,
    "found": 1.51,
    "kind": 0.07,
    "later": -0.57,
    "read": 0.12,
    "semantic": -0.58,
    "share": 0.27,
    "time_after": -0.03,
    "time_before": -0.06,
    "time_begins": -0.44,
    "time_covers": 0.01,
    "time_dated": 0.03,
    "time_ends": -0.36,
    "time_inside": -0.45,
    "time_long_after": -0.76,
    "time_long_before": -0.1,
    "time_starts": -0.24,
    "time_undated": 0.21,
    "unknown": -0.37,
    "words": -0.05,
}
_NOT_HERE = 0.0
"""The log odds of "no answer in this passage", the reference of the reader's log odds."""
_DATED = 0.6
"""Minimum share of a span's characters that belong to dates, if the span is a date."""
_CUT_SHORT = re.compile(
    r"(?:\b[A-Z]|\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|No|Inc|Ltd|Co|Corp|Gen|Col|Lt|Capt|Prof|Rev|vs)) ?\.$"
)
"""End of a sentence that was split at an initial or an abbreviation."""
_FURTHEST = 50.0
"""Limit of the log odds, to avoid an overflow."""
_EDGES = " \t\r\n,;:.!?–—-*•\"“”'‘’"
"""Characters at the edges of a span that are not part of the answer."""
_MINUS = "-−–"
_OFFERS = re.compile(r"\bor\b", re.IGNORECASE)
"""A question that offers its possible answers."""


@dataclass(frozen=True)
class Pick:
    """A span of text that may answer."""

    text: str
    hit: Hit
    """The evidence, with the (last) sentence of the span and its time."""
    score: float
    """The log odds that it answers."""
    first: int
    """Index in the chunk of the first sentence of the span; ``hit.sentence`` is the last."""
    days: Interval | None = None
    """Its interval if the span is a date."""
    yes: float = 0.5
    """For a yes-or-no question, the probability, 0..1, that it says yes if it answers."""

    @property
    def probability(self) -> float:
        """The probability that it answers, 0..1."""
        return probability_of(self.score)

    @cached_property
    def plain(self) -> str:
        """Its normalised words; picks with the same normalised words state the same value."""
        return " ".join(sorted(topic_words(self.text))) or self.text.casefold()

    def stands_in(self, hit: Hit) -> bool:
        """Whether the best sentence of a hit is among the sentences of the span."""
        best, last = hit.sentence, self.hit.sentence
        if best is None or last is None or hit.chunk.id != self.hit.chunk.id:
            return False
        return self.first <= best <= last


def picks(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The spans that may answer, likeliest first; ``hits`` are texts, best first."""
    return likeliest_first(span_candidates(parsed, hits), _WEIGHTS)


def span_candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Pick, Features]]:
    """The reader's spans in each passage, with their features.

    Spans whose words are all in the question are dropped, unless the question offers alternatives. So are
    spans in sentences that are questions themselves.
    """
    times, passages = passages_of(hits)
    readings = bundled_reader().read(parsed.core, parsed.window, passages)
    asked = frozenset() if _OFFERS.search(parsed.question) else topic_words(parsed.question)
    picked = [
        pick_of(reading, hits[reading.passage], times[reading.passage], parsed.window) for reading in readings
    ]
    stated = [pick for pick in picked if pick.text and not is_question(pick.hit.said)]
    kept = [pick for pick in stated if not is_said(pick.text, asked)]
    return list(zip(kept, _features(kept, parsed, hits), strict=True))


def passages_of(hits: Sequence[Hit], most: int = _PASSAGES) -> tuple[list[list[Expression]], list[Passage]]:
    """The time expressions of the first ``most`` hits, and the passages for the reader."""
    read = [hit.chunk for hit in hits[:most]]
    times = [times_in(chunk) for chunk in read]
    return times, [passage_of(chunk, stated) for chunk, stated in zip(read, times, strict=True)]


def is_said(text: str, asked: frozenset[str]) -> bool:
    """Whether all topic words of a text are in ``asked``, the topic words of the question."""
    words = topic_words(text)
    return bool(words) and words <= asked


def likeliest_first(found: Iterable[tuple[Pick, Features]], weights: Mapping[str, float]) -> list[Pick]:
    """Picks with their scores computed from their features, likeliest first."""
    scored = [replace(pick, score=score_of(features, weights)) for pick, features in found]
    return sorted(scored, key=lambda pick: (-pick.score, pick.hit.chunk.id, pick.text))


def score_of(features: Features, weights: Mapping[str, float]) -> float:
    """Weighted sum of a span's features, in log odds."""
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def probability_of(score: float) -> float:
    """The probability, 0..1, for log odds."""
    return 1 / (1 + math.exp(-max(-_FURTHEST, min(_FURTHEST, score))))


def is_sure(found: Sequence[Pick], risk: float = RISK) -> bool:
    """Whether the first (likeliest) pick has a probability of at least 1 - ``risk``."""
    return bool(found) and found[0].probability >= 1 - risk


def _features(found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit]) -> Iterator[Features]:
    """All features of each pick: its own, its time relative to the asked one, and its competitors.

    Competitors are all other spans, "no answer", and different values with a later time.
    """
    topic = topic_of(subject_of(parsed), hits)
    alike = _by_words(found)
    first: dict[str, float] = {}
    for pick in found:
        first[pick.hit.chunk.id] = max(first.get(pick.hit.chunk.id, pick.score), pick.score)
    everything = log_odds_of_any(found)
    for pick, features in zip(found, features_alone(found, parsed, topic, hits), strict=True):
        mark = (
            TimeMark.UNDATED if pick.hit.interval is None else time_mark_of(pick.hit.interval, parsed.window)
        )
        yield features | {
            "unknown": float(bool(topic.unknown)),
            "later": _later(pick, found, parsed.window),
            "against": _log_sum([one.score for one in alike[pick.plain]]) - everything,
            "first": float(pick.score == first[pick.hit.chunk.id]),
            f"time_{mark.name.lower()}": 1.0,
        }


def features_alone(
    found: Sequence[Pick], parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit]
) -> Iterator[Features]:
    """Features that do not depend on the asked time: of the passage, answer type, repetition and length.

    ``topic`` is that of the question over ``hits``.
    """
    expected, alike = answer_type_of(parsed.question), _by_words(found)
    for pick, features in zip(found, features_of_place(found, topic, hits), strict=True):
        yield features | {
            "kind": _fits(pick, expected),
            "elsewhere": math.log1p(len({one.hit.chunk.id for one in alike[pick.plain]}) - 1),
            "words": math.log1p(len(pick.text.split())),
        }


def features_of_place(found: Sequence[Pick], topic: Topic, hits: Sequence[Hit]) -> Iterator[Features]:
    """Features of the span's passage: reader score, retrieval scores, and share of the question's words."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    for pick in found:
        yield {
            "bias": 1.0,
            "read": pick.score,
            "found": (pick.hit.scores.final or 0.0) / best,
            "semantic": pick.hit.scores.semantic or 0.0,
            "share": topic.share(words_of(pick.hit)),
        }


def _by_words(found: Sequence[Pick]) -> dict[str, list[Pick]]:
    """The picks grouped by their normalised words."""
    alike: dict[str, list[Pick]] = {}
    for pick in found:
        alike.setdefault(pick.plain, []).append(pick)
    return alike


def log_odds_of_any(found: Sequence[Pick]) -> float:
    """The log of the summed odds of all picks and of "no answer"."""
    return _log_sum([_NOT_HERE, *(pick.score for pick in found)])


def _log_sum(scores: Sequence[float]) -> float:
    """The log of the sum of exponentials."""
    most = max(scores)
    return most + math.log(sum(math.exp(score - most) for score in scores))


def _fits(pick: Pick, expected: AnswerType) -> float:
    """Whether a span matches the answer type: 1 if it does, -1 if not, 0 if the type cannot be checked."""
    match expected:
        case AnswerType.PERSON:
            fits = pick.text[:1].isupper() and not any(map(str.isdigit, pick.text))
        case AnswerType.NUMBER:
            fits = pick.days is None and amount_of(pick.text) is not None
        case AnswerType.TIME:
            fits = pick.days is not None
        case _:
            return 0.0
    return 1.0 if fits else -1.0


def _later(pick: Pick, found: Sequence[Pick], window: Interval | None) -> float:
    """The highest probability, 0..1, of a different value after this one and before the end of the window."""
    start, end = _start(pick), float("inf") if window is None else window.bounds[1]
    others = (
        other.probability for other in found if start < _start(other) < end and other.plain != pick.plain
    )
    return max(others, default=0.0)


def _start(pick: Pick) -> float:
    return float("-inf") if pick.hit.interval is None else pick.hit.interval.bounds[0]


def pick_of(reading: AnswerSpan, hit: Hit, times: Sequence[Expression], window: Interval | None) -> Pick:
    """The pick for a span of the reader: trimmed text, sentence and time."""
    chunk = hit.chunk
    text = chunk.text[reading.start : reading.end]
    first, last = _sentences(hit, reading)
    overlapping = [one for one in times if one.char_start < reading.end and reading.start < one.char_end]
    return Pick(
        " ".join(_trimmed(text).split()),
        replace(hit, sentence=last, interval=_time_of(hit, first, last, window)),
        reading.score,
        first,
        _days_of(text, overlapping),
    )


def _trimmed(text: str) -> str:
    """A span without the characters at its edges; the sign of a number is kept."""
    start = len(text) - len(text.lstrip(_EDGES))
    signed = start > 0 and text[start - 1] in _MINUS and text[start : start + 1].isdigit()
    return text[start - signed :].rstrip(_EDGES)


def _days_of(text: str, stated: Sequence[Expression]) -> Interval | None:
    """The interval of a span that consists of a date; ``stated`` are the passage's times that overlap it."""
    alone = find_expressions(text)
    if not stated or sum(one.char_end - one.char_start for one in alone) < _DATED * len(text):
        return None
    dates = [days for one in stated for days in one.dates]
    own = next((one.interval for one in alone if one.interval is not None), None)
    if len(dates) == 1 or own is None:
        return dates[0] if dates else None
    return next((days for days in dates if days.same_days(own)), dates[0])


def _sentences(hit: Hit, reading: AnswerSpan) -> tuple[int, int]:
    """The first and the last sentence of a span; sentences split at an initial are joined.

    A span before the first sentence, in the heading line of an entry, belongs to the best sentence.
    """
    chunk = hit.chunk
    inside = [
        index
        for index, (start, end) in enumerate(chunk.sentences)
        if start < reading.end and reading.start < end
    ]
    first, last = (inside[0], inside[-1]) if inside else (hit.sentence or 0, hit.sentence or 0)
    while first and _CUT_SHORT.search(chunk.sentence(first - 1)):
        first -= 1
    while last + 1 < len(chunk.sentences) and _CUT_SHORT.search(chunk.sentence(last)):
        last += 1
    return first, last


def _time_of(hit: Hit, first: int, last: int, window: Interval | None) -> Interval | None:
    """The time of sentences: a stated one, else an anchored one, else the document's.

    Sentences whose pronouns refer back have the time stated before them. If there are several times, the
    first that intersects the window is used, else the first.
    """
    events = [event for event in hit.chunk.events if first <= event.sentence <= last]
    for source in EventSource:
        times = [event.interval for event in events if event.source is source]
        if source is EventSource.PUBLISHED and (stated := stated_in(hit.chunk, first, last)):
            return stated
        if times:
            return next((time for time in times if window is None or time.intersects(window)), times[0])
    return hit.chunk.published
