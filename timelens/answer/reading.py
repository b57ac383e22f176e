"""Reading without a model: which sentences of the evidence speak to the question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from timelens.answer.topic import Topic
from timelens.documents import Chunk, Hit
from timelens.question.intent import asks_for_length, asks_for_time
from timelens.question.model import ParsedQuestion
from timelens.question.names import names_in
from timelens.question.words import topic_words
from timelens.temporal.expressions import find_expressions
from timelens.temporal.rules.rule import Kind
from timelens.temporal.interval import Interval

# Parts that a sentence keeps of its score when it does not hold the kind of thing asked for, or lies outside
# the asked time although its document does not; and how much its own words count beside its document's score.
_OTHER_KIND, _OUTSIDE, _WORDS = 0.6, 0.5, 0.6
_SHORT_LENGTH = re.compile(r"\b(?:seconds?|minutes?|hours?)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those)\b")


class Expected(Enum):
    """The kind of thing that answers a question."""

    NAME = auto()
    TIME = auto()
    LENGTH = auto()
    NUMBER = auto()
    ANY = auto()


_KINDS = (
    (Expected.NAME, re.compile(r"\b(?:who|whom|whose|which)\b", re.IGNORECASE)),
    (Expected.NUMBER, re.compile(r"\bhow (?:many|much)\b|\b(?:rate|percent\w*|number|price)\b", re.IGNORECASE)),
)


def expected_of(question: str) -> Expected:
    """The kind of thing that a question asks for."""
    if asks_for_length(question):
        return Expected.LENGTH
    if asks_for_time(question):
        return Expected.TIME
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), Expected.ANY)


@dataclass(frozen=True, slots=True)
class Reading:
    """A piece of evidence by the sentence that speaks to the question."""

    hit: Hit
    score: float
    share: float
    """The share of the question's words that its passage has, 0..1."""


def read(parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit], expected: Expected) -> list[Reading]:
    """The evidence, each piece by its best sentence, best first; ``hits`` lie inside the asked time."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    readings = [_read(hit, (hit.scores.final or 0.0) / best, parsed, topic, expected) for hit in hits]
    return sorted(readings, key=lambda reading: (-reading.score, reading.hit.chunk.id))


def _read(hit: Hit, rank: float, parsed: ParsedQuestion, topic: Topic, expected: Expected) -> Reading:
    chunk = hit.chunk
    share = topic.share(topic_words(chunk.content))
    title = topic_words(chunk.title)
    scored = []
    for index in range(len(chunk.sentences)):
        own = topic.share(topic_words(chunk.sentence(index)) | title)
        score = (1 - _WORDS) + _WORDS * own
        score *= 1.0 if _holds(chunk, index, expected, topic) else _OTHER_KIND
        score *= 1.0 if _time_in(chunk, index, parsed.window) else _OUTSIDE
        scored.append((score, index == hit.sentence, -index))
    score, _, negative = max(scored)
    index = -negative
    if index != hit.sentence:
        time = _time_in(chunk, index, parsed.window) or hit.interval
        hit = replace(hit, sentence=index, interval=time)
    return Reading(hit, rank * score, share)


def _time_in(chunk: Chunk, sentence: int, window: Interval | None) -> Interval | None:
    """The time of a sentence, one that meets the window if there is a window."""
    times = [event.interval for event in chunk.events if event.sentence == sentence]
    return next((time for time in times if window is None or time.intersects(window)), None)


def _holds(chunk: Chunk, sentence: int, expected: Expected, topic: Topic) -> bool:
    """Whether a sentence holds a thing of the kind that is asked for."""
    text = chunk.sentence(sentence)
    match expected:
        case Expected.NAME:
            return has_new_name(chunk, sentence, topic)
        case Expected.TIME:
            return any(e.kind is not Kind.DURATION and e.interval is not None for e in find_expressions(text))
        case Expected.LENGTH:
            lengths = any(expression.kind is Kind.DURATION for expression in find_expressions(text))
            return lengths or _SHORT_LENGTH.search(text) is not None
        case Expected.NUMBER:
            return re.search(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|zero)\b", text) is not None
        case Expected.ANY:
            return True


def has_new_name(chunk: Chunk, sentence: int, topic: Topic) -> bool:
    """Whether a sentence holds a name that the question does not have."""
    text = chunk.sentence(sentence)
    elsewhere = chunk.text.replace(text, "")
    for name in names_in(text):
        if topic_words(name) <= topic.words:
            continue
        if " " in name or not text.startswith(name) or re.search(rf"[a-z,] {re.escape(name)}\b", elsewhere):
            return True
    return False


def sentence_of(hit: Hit) -> str:
    """The best sentence of a hit, on one line, with the one before it where it begins with a pronoun."""
    if hit.sentence is None:
        return " ".join(hit.chunk.text.split())
    first = hit.sentence
    if first > 0 and _POINTS_BACK.match(hit.chunk.sentence(first)):
        first -= 1
    return _joined(hit.chunk, range(first, hit.sentence + 1))


def quoted(hit: Hit, expected: Expected, topic: Topic) -> str:
    """The best sentence of a hit; where a name is asked for, with the nearest one before it that has one."""
    if expected is not Expected.NAME or hit.sentence is None or has_new_name(hit.chunk, hit.sentence, topic):
        return sentence_of(hit)
    naming = (i for i in range(hit.sentence - 1, -1, -1) if has_new_name(hit.chunk, i, topic))
    first = next(naming, None)
    return sentence_of(hit) if first is None else _joined(hit.chunk, (first, hit.sentence))


def _joined(chunk: Chunk, sentences: Sequence[int]) -> str:
    """Sentences of a chunk on one line, with a mark where some are left out between them."""
    text = chunk.sentence(sentences[0])
    for before, index in pairwise(sentences):
        text += (" " if index == before + 1 else " … ") + chunk.sentence(index)
    return " ".join(text.split())
