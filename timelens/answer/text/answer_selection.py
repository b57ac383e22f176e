"""Picks the span of the evidence that answers a question, or none, from the reader's spans.

The reader reads each passage separately; a scorecard combines its spans, and what the values reader finds,
into one decision. It was fitted by ``scripts/calibrate_reader.py`` on documents that neither was trained on.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from timelens.answer.draft import Statement
from timelens.answer.operations import amount_of, in_force
from timelens.answer.relevance import Topic, topic_of, words_of
from timelens.answer.rendering.timeline import stated_in
from timelens.answer.scorecard import Features, Scorecard, probability_of
from timelens.answer.text.sentence_match import AnswerType, answer_type_of, is_question
from timelens.answer.text.value_dates import Stretch, begins_then, is_former
from timelens.answer.values_at import is_same_value, words_of_value
from timelens.config import RISK
from timelens.documents import EventSource, Hit
from timelens.lexicon import TITLES
from timelens.question.intent import asks_for_state, subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.encoding import Passage
from timelens.reader.passages import passage_of, times_in
from timelens.reader.span_reader import AnswerSpan, bundled_reader
from timelens.reader.time_marks import TimeMark, time_mark_of
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval
from timelens.words import topic_words

PASSAGES = 12
"""Maximum number of passages that are read for one answer."""
MOST_PASSAGES = 24
"""Maximum number of passages that are read for values, moments and sentences of a course."""
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
_NOT_HERE = 0.0
"""The log odds of "no answer in this passage", the reference of the reader's log odds."""
_DATED = 0.6
"""Minimum share of a span's characters that belong to dates, if the span is a date."""
_CUT_SHORT = re.compile(
    r"(?:\b[A-Z]|\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|No|Inc|Ltd|Co|Corp|Gen|Col|Lt|Capt|Prof|Rev|vs)) ?\.$"
)
"""End of a sentence that was split at an initial or an abbreviation."""
_LIKELY_VALUE = 0.25
"""Minimum probability of a value that may be in force."""
_TITLES = topic_words(" ".join(TITLES))
_SURE_VALUE = 0.5
"""Minimum probability of a value that follows another one."""
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


def _features(
    found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit], values: Sequence[Statement]
) -> Iterator[Features]:
    """All features of each pick: its own, its time relative to the asked one, competitors and agreement.

    Competitors are all other spans, "no answer", and different values with a later time. Agreement is that
    with the values reader: about the value at any time, and about the one in force at the asked time.
    """
    topic = topic_of(subject_of(parsed), hits)
    alike = _by_words(found)
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
    """The picks of the same value by the normalised words of each; "Mr Wendt" is "Otto Wendt"."""
    by_words: dict[str, list[Pick]] = {}
    for pick in found:
        by_words.setdefault(pick.plain, []).append(pick)
    names = {
        plain: set(plain.split()) - _TITLES
        for plain, [first, *_] in by_words.items()
        if first.text[:1].isupper()
    }
    return {
        plain: own
        + [
            pick
            for other, words in names.items()
            if other != plain and plain in names and _is_form(words, names[plain])
            for pick in by_words[other]
        ]
        for plain, own in by_words.items()
    }


def _is_form(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Whether one of two names, as words, is a short form of the other, or they are the same."""
    return bool(one and other) and (one <= other or other <= one)


def log_odds_of_any(found: Sequence[Pick]) -> float:
    """The log of the summed odds of all picks and of "no answer"."""
    return log_sum([_NOT_HERE, *(pick.score for pick in found)])


def log_sum(scores: Sequence[float]) -> float:
    """The log of the sum of exponentials; there is at least one."""
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
