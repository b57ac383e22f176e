"""Scores the sentences of the evidence by the question's words, names and answer type. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from timelens.answer.relevance import Topic, words_of
from timelens.answer.sentences import joined, sentence_of
from timelens.documents import Chunk, EventSource, Hit
from timelens.lexicon import CARDINALS, TENS, TITLES, one_of
from timelens.question.intent import asks_for_length, asks_for_time
from timelens.question.names import is_person, names_in
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval
from timelens.temporal.rules.rule import ExpressionKind
from timelens.words import topic_words

# Weight of the best sentence's words in its score; the rest is the retrieval score of its passage.
_WORDS = 0.5
# Score multipliers for each missing name of the question, and for a missing candidate of the answer type.
_NAMELESS, _OTHER_KIND = 0.8, 0.6
# Score multiplier for a name that is elsewhere in the passage, and weight of words elsewhere in the passage.
_NAMED_ELSEWHERE, _ELSEWHERE = 0.92, 0.25
_DENIES = re.compile(r"\b(?:no one|nobody|none of|not a single|never)\b", re.IGNORECASE)
_QUESTION_END = re.compile(r"\?[\s!?.\"'”’»)\]*_]*$")
_ASKS_WHETHER = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|enquired|inquired)\b[^.;:]*\b(?:whether|if)\b", re.IGNORECASE
)
_REPLIES = re.compile(
    r"\b(?:agree[ds]?|refuse[ds]?|reject(?:ed|s)?|approve[ds]?|decline[ds]?|grant(?:ed|s)?|decide[ds]?|told|said"
    r"|answer(?:ed|s)?|repl(?:y|ied|ies)|voted|yes|no)\b",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\b(?:seconds?|minutes?|hours?|\d+\s+(?:days|weeks|months|years))\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\d|\b(?:{one_of([*CARDINALS, *TENS, 'half', 'dozen', 'hundred'])})\b", re.IGNORECASE)
_TITLED = re.compile(rf"\b(?:{'|'.join(TITLES)})\.?\s+$", re.IGNORECASE)


class AnswerType(Enum):
    """The answer type of a question."""

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
    (
        AnswerType.REASON,
        re.compile(
            r"^\s*why\b|\bthe (?:cause|reason)s?\b|^\W*what (?:made|caused|prompted|drove|led)\b",
            re.IGNORECASE,
        ),
    ),
    (AnswerType.PERSON, re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)),
    (AnswerType.NAME, re.compile(r"\bwhich\b", re.IGNORECASE)),
    (
        AnswerType.NUMBER,
        re.compile(r"\bhow (?:many|much)\b|\b(?:rate|percent\w*|number|price)\b", re.IGNORECASE),
    ),
)


def answer_type_of(question: str) -> AnswerType:
    """The answer type of a question."""
    if asks_for_length(question):
        return AnswerType.LENGTH
    if asks_for_time(question):
        return AnswerType.TIME
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), AnswerType.ANY)


def denies(sentence: str) -> bool:
    """Whether a sentence denies something."""
    return _DENIES.search(sentence) is not None


def states_nothing(sentence: str) -> bool:
    """Whether a sentence cannot answer: it denies something, or it is itself a question."""
    return denies(sentence) or is_question(sentence)


def is_question(sentence: str) -> bool:
    """Whether a sentence ends with a question mark, or only reports a question ("they asked whether …")."""
    if _QUESTION_END.search(sentence) is not None:
        return True
    return _ASKS_WHETHER.search(sentence) is not None and _REPLIES.search(sentence) is None


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A piece of evidence with its best sentence for the question."""

    hit: Hit
    score: float
    share: float
    """The weighted share of the question's words in its passage, 0..1."""
    said: float
    """The weighted share in the sentence and the title, 0..1."""


def matched_sentences(
    parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit], expected: AnswerType
) -> list[SentenceMatch]:
    """The evidence inside the asked time, each piece with its best sentence, best first."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    found = (_read(hit, (hit.scores.final or 0.0) / best, parsed.window, topic, expected) for hit in hits)
    return sorted(filter(None, found), key=lambda reading: (-reading.score, reading.hit.chunk.id))


def _read(
    hit: Hit, relevance: float, window: Interval | None, topic: Topic, expected: AnswerType
) -> SentenceMatch | None:
    """The hit with its best sentence inside the window; ``None`` if all are outside or state nothing."""
    chunk = hit.chunk
    title = topic_words(chunk.title)
    around = words_of(hit)
    share = topic.share(around)
    nameless = topic.missing(around)
    scored = []
    for index in range(len(chunk.sentences)):
        time = _time_in(chunk, index, window)
        if index == hit.sentence and hit.is_older:
            time = hit.interval
        if (window is not None and time is None) or states_nothing(chunk.sentence(index)):
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
    return SentenceMatch(hit, score, share, said)


def _time_in(chunk: Chunk, sentence: int, window: Interval | None) -> Interval | None:
    """The first time of a sentence that intersects the window, or the first if there is no window."""
    times = [event.interval for event in chunk.events if event.sentence == sentence]
    return next((time for time in times if window is None or time.intersects(window)), None)


def holds(chunk: Chunk, sentence: int, expected: AnswerType, topic: Topic) -> bool:
    """Whether a sentence contains a candidate of the answer type."""
    text = chunk.sentence(sentence)
    match expected:
        case AnswerType.PERSON | AnswerType.NAME:
            return has_new_name(chunk, sentence, topic, expected)
        case AnswerType.TIME:
            return any(
                event.sentence == sentence and event.source is EventSource.STATED for event in chunk.events
            )
        case AnswerType.LENGTH:
            return has_length(text)
        case AnswerType.NUMBER:
            return has_number(undated(text))
        case AnswerType.REASON:
            return _REASON.search(text) is not None
        case AnswerType.ANY:
            return True


def is_of_others(sentence: str, title: str, topic: Topic) -> bool:
    """Whether a sentence contains names, but none of the topic's, although it has some.

    ``title`` is that of its document, whose names do not count.
    """
    if topic_words(sentence) & topic.in_names or not topic.in_names:
        return False
    others = (name for name in names_in(sentence) if not find_expressions(name))
    return any(topic_words(name).isdisjoint(topic_words(title)) for name in others)


def has_length(text: str) -> bool:
    """Whether a text has a length of time."""
    lengths = any(expression.kind is ExpressionKind.DURATION for expression in find_expressions(text))
    return lengths or _LENGTH.search(text) is not None


def has_number(text: str) -> bool:
    """Whether a text has a number, in figures or in words."""
    return _NUMBER.search(text) is not None


def undated(text: str) -> str:
    """A text with its time expressions blanked."""
    for expression in find_expressions(text):
        text = text[: expression.char_start] + " " * len(expression.text) + text[expression.char_end :]
    return text


def has_new_name(chunk: Chunk, sentence: int, topic: Topic, expected: AnswerType) -> bool:
    """Whether a sentence contains a name (of a person, if expected) that is not in the question."""
    text = chunk.sentence(sentence)
    elsewhere = chunk.text.replace(text, "")
    for name in names_in(text):
        if topic_words(name) <= topic.words:
            continue
        if expected is AnswerType.PERSON:
            if is_person(name) or _TITLED.search(text[: text.find(name)]):
                return True
        elif " " in name or not text.startswith(name) or re.search(rf"[a-z,] {re.escape(name)}\b", elsewhere):
            return True
    return False


def quoted(hit: Hit, expected: AnswerType, topic: Topic) -> str:
    """The best sentence of a hit with its necessary context.

    If the question asks for a name and the sentence has none, the nearest earlier sentence with a name is
    added; if the title has a name of the question that the text lacks, the title is added.
    """
    text = sentence_of(hit)
    chunk, index = hit.chunk, hit.sentence
    if index is not None and expected in (AnswerType.PERSON, AnswerType.NAME):
        naming = (i for i in range(index, -1, -1) if has_new_name(chunk, i, topic, expected))
        first = next(naming, index)
        if first < index:
            text = joined(chunk, (first, index))
    lacking = topic.missing(topic_words(text))
    if lacking and len(topic.missing(topic_words(f"{chunk.title} {text}"))) < len(lacking):
        return f"{chunk.title}: {text}"
    return text
