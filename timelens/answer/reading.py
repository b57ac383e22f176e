"""Reading without a model: which sentences of the evidence speak to the question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from timelens.answer.sentences import joined, sentence_of
from timelens.answer.topic import Topic, words_of
from timelens.documents import Chunk, EventSource, Hit
from timelens.lexicon import CARDINALS, TENS, TITLES, one_of
from timelens.question.intent import asks_for_length, asks_for_time
from timelens.question.model import ParsedQuestion
from timelens.question.names import is_person, names_in
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval
from timelens.temporal.rules.rule import Kind
from timelens.words import topic_words

# How much of a passage's score, by which it was found, hangs on the words of its best sentence.
_WORDS = 0.5
# What it keeps for each name of the question that it lacks, and if it has not the kind of thing asked for.
_NAMELESS, _OTHER_KIND = 0.8, 0.6
# The same for a name that stands elsewhere in its passage, and what words count that do.
_NAMED_ELSEWHERE, _ELSEWHERE = 0.92, 0.25
_DENIES = re.compile(r"\b(?:no one|nobody|none of|not a single|never)\b", re.IGNORECASE)
_LENGTH = re.compile(r"\b(?:seconds?|minutes?|hours?|\d+\s+(?:days|weeks|months|years))\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\d|\b(?:{one_of([*CARDINALS, *TENS, 'half', 'dozen', 'hundred'])})\b", re.IGNORECASE)
_HEADING = re.compile(r"\s*#{1,6}\s")
_TITLED = re.compile(rf"\b(?:{'|'.join(TITLES)})\.?\s+$", re.IGNORECASE)


class Expected(Enum):
    """The kind of thing that answers a question."""

    PERSON = auto()
    NAME = auto()
    TIME = auto()
    LENGTH = auto()
    NUMBER = auto()
    REASON = auto()
    ANY = auto()


_REASON = re.compile(
    r"\b(?:because|reasons?|due to|owing to|thanks to|driven by|in response to|caused?|in order to"
    r"|led to|as a result|since the|so that)\b",
    re.IGNORECASE,
)
_KINDS = (
    (Expected.REASON, re.compile(r"^\s*why\b|\bthe (?:cause|reason)s?\b", re.IGNORECASE)),
    (Expected.PERSON, re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)),
    (Expected.NAME, re.compile(r"\bwhich\b", re.IGNORECASE)),
    (
        Expected.NUMBER,
        re.compile(r"\bhow (?:many|much)\b|\b(?:rate|percent\w*|number|price)\b", re.IGNORECASE),
    ),
)


def expected_of(question: str) -> Expected:
    """The kind of thing that a question asks for."""
    if asks_for_length(question):
        return Expected.LENGTH
    if asks_for_time(question):
        return Expected.TIME
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), Expected.ANY)


def denies(sentence: str) -> bool:
    """Whether a sentence says of something that it was not so."""
    return _DENIES.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class Reading:
    """A piece of evidence by the sentence that speaks to the question."""

    hit: Hit
    score: float
    share: float
    """The share of the question's words that its passage has, 0..1."""
    said: float
    """The share that the sentence and the title have."""


def read(parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit], expected: Expected) -> list[Reading]:
    """The evidence inside the asked time, each piece by its best sentence, best first."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    found = (_read(hit, (hit.scores.final or 0.0) / best, parsed.window, topic, expected) for hit in hits)
    return sorted(filter(None, found), key=lambda reading: (-reading.score, reading.hit.chunk.id))


def _read(
    hit: Hit, relevance: float, window: Interval | None, topic: Topic, expected: Expected
) -> Reading | None:
    """The hit by its best sentence inside the window; ``None`` if all lie outside or deny what is asked."""
    chunk = hit.chunk
    title = topic_words(chunk.title)
    around = words_of(hit)
    share = topic.share(around)
    nameless = topic.missing(around)
    scored = []
    for index in range(len(chunk.sentences)):
        time = _time_in(chunk, index, window)
        if index == hit.sentence and "validity" in hit.passed:
            time = hit.interval
        if (window is not None and time is None) or denies(chunk.sentence(index)):
            continue
        words = topic_words(chunk.sentence(index)) | title
        said = topic.share(words)
        known = said + _ELSEWHERE * (share - said)
        score = relevance * (1 - _WORDS + _WORDS * known)
        for name in topic.missing(words):
            score *= _NAMELESS if name in nameless else _NAMED_ELSEWHERE
        score *= 1.0 if holds(chunk, index, expected, topic) else _OTHER_KIND
        scored.append((score, index == hit.sentence, -index, time, said))
    if not scored:
        return None
    score, is_same, negative, time, said = max(scored, key=lambda entry: entry[:3])
    if not is_same:
        hit = replace(hit, sentence=-negative, interval=time or hit.interval)
    return Reading(hit, score, share, said)


def _time_in(chunk: Chunk, sentence: int, window: Interval | None) -> Interval | None:
    """The time of a sentence, one that meets the window if there is a window."""
    times = [event.interval for event in chunk.events if event.sentence == sentence]
    return next((time for time in times if window is None or time.intersects(window)), None)


def holds(chunk: Chunk, sentence: int, expected: Expected, topic: Topic) -> bool:
    """Whether a sentence holds a thing of the kind that is asked for."""
    text = chunk.sentence(sentence)
    match expected:
        case Expected.PERSON | Expected.NAME:
            return has_new_name(chunk, sentence, topic, expected)
        case Expected.TIME:
            return any(
                event.sentence == sentence and event.source is EventSource.STATED for event in chunk.events
            )
        case Expected.LENGTH:
            lengths = any(expression.kind is Kind.DURATION for expression in find_expressions(text))
            return lengths or _LENGTH.search(text) is not None
        case Expected.NUMBER:
            return _NUMBER.search(undated(text)) is not None
        case Expected.REASON:
            return _REASON.search(text) is not None
        case Expected.ANY:
            return True


def undated(text: str) -> str:
    """A text with the times in it blanked out."""
    for expression in find_expressions(text):
        text = text[: expression.char_start] + " " * len(expression.text) + text[expression.char_end :]
    return text


def has_new_name(chunk: Chunk, sentence: int, topic: Topic, expected: Expected) -> bool:
    """Whether a sentence holds a name, or a person's name, that the question does not have."""
    text = chunk.sentence(sentence)
    elsewhere = chunk.text.replace(text, "")
    for name in names_in(text):
        if topic_words(name) <= topic.words:
            continue
        if expected is Expected.PERSON:
            if is_person(name) or _TITLED.search(text[: text.find(name)]):
                return True
        elif " " in name or not text.startswith(name) or re.search(rf"[a-z,] {re.escape(name)}\b", elsewhere):
            return True
    return False


def quoted(hit: Hit, expected: Expected, topic: Topic) -> str:
    """The best sentence of a hit with what it takes to understand it.

    Where a name is asked for and it has none, that is the nearest sentence before it that has one; and the
    title, where that has a name of the question which the sentences lack.
    """
    text = sentence_of(hit)
    chunk, index = hit.chunk, hit.sentence
    if index is not None and expected in (Expected.PERSON, Expected.NAME):
        naming = (i for i in range(index, -1, -1) if has_new_name(chunk, i, topic, expected))
        first = next(naming, index)
        if first < index:
            text = joined(chunk, (first, index))
    lacking = topic.missing(topic_words(text))
    if lacking and len(topic.missing(topic_words(f"{chunk.title} {text}"))) < len(lacking):
        return f"{chunk.title}: {text}"
    return text


def is_heading(hit: Hit) -> bool:
    """Whether the best sentence of a hit is a heading, which says nothing by itself."""
    return hit.sentence is not None and is_heading_text(hit.chunk.sentence(hit.sentence))


def is_heading_text(sentence: str) -> bool:
    """Whether every line of a sentence, as it stands in Markdown, is a heading."""
    lines = sentence.strip().splitlines()
    return all(_HEADING.match(line) for line in lines if line.strip())
