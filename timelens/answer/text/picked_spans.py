"""Spans of the evidence as picks: each with its words, its sentences and its time.

Readers find the spans; their scores are computed by the modules that ask the readers.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from timelens.answer.hit_times import stated_in
from timelens.answer.scorecard import Features, probability_of
from timelens.config import RISK
from timelens.documents import EventSource, Hit
from timelens.reader.encoding import Passage
from timelens.reader.passages import passage_of, times_in
from timelens.reader.span_reader import AnswerSpan
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval
from timelens.words import topic_words

PASSAGES = 12
"""Maximum number of passages that are read for one answer."""
MOST_PASSAGES = 24
"""Maximum number of passages that are read for values, moments and sentences of a course."""
_DATED = 0.6
"""Minimum share of a span's characters that belong to dates, if the span is a date."""
_CUT_SHORT = re.compile(
    r"(?:\b[A-Z]|\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|No|Inc|Ltd|Co|Corp|Gen|Col|Lt|Capt|Prof|Rev|vs)) ?\.$"
)
"""End of a sentence that was split at an initial or an abbreviation."""
_EDGES = " \t\r\n,;:.!?–—-*•\"“”'‘’"
"""Characters at the edges of a span that are not part of the answer."""
_MINUS = "-−–"


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


def passages_of(
    hits: Sequence[Hit], most: int = PASSAGES
) -> tuple[list[Sequence[Expression]], list[Passage]]:
    """The time expressions of the first ``most`` hits, and the passages for the reader."""
    read = [hit.chunk for hit in hits[:most]]
    times: list[Sequence[Expression]] = [times_in(chunk) for chunk in read]
    return times, [passage_of(chunk, stated) for chunk, stated in zip(read, times, strict=True)]


def is_said(text: str, asked: frozenset[str]) -> bool:
    """Whether all topic words of a text are in ``asked``, the topic words of the question."""
    words = topic_words(text)
    return bool(words) and words <= asked


def likeliest_first(found: Iterable[tuple[Pick, Features]], score: Callable[[Features], float]) -> list[Pick]:
    """Picks with their scores computed from their features, likeliest first.

    Of picks with equal scores, the one that the reader scored higher comes first.
    """
    by_reader = sorted(found, key=lambda each: (-each[0].score, each[0].hit.chunk.id, each[0].text))
    scored = [replace(pick, score=score(features)) for pick, features in by_reader]
    return sorted(scored, key=lambda pick: -pick.score)


def is_sure(found: Sequence[Pick], risk: float = RISK) -> bool:
    """Whether the first (likeliest) pick has a probability of at least 1 - ``risk``."""
    return bool(found) and found[0].probability >= 1 - risk


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
