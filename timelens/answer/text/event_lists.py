"""Lists from texts: one sentence for each distinct event on topic, in chronological order. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.answer.relevance import Topic, is_about
from timelens.answer.tables.columns import OF_ANY_FACT
from timelens.answer.text.sentence_match import states_nothing, undated
from timelens.documents import Event, EventSource, Hit
from timelens.question.names import names_in
from timelens.question.parsed_question import ParsedQuestion, index_of
from timelens.temporal.interval import Interval
from timelens.words import STOP_WORDS, topic_words

MOST_LISTED = 20
_LEAST = 0.45
"""Minimum share of the question's words in a listed event."""
_CLOSE = 0.65
"""Minimum share of the other events, relative to the best event's."""
_SAME = 0.5
"""Two sentences are about the same event if more than this share of the shorter one's names match."""
_IN_TITLE = 0.6
"""Weight of a word that is only in the title."""
_BEGINNING = OF_ANY_FACT | topic_words("effect force office took take came come introduced")
"""Words for beginning and ending; they are not matched, because sentences express them in many ways."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _ListedEvent:
    """An event as one sentence tells it."""

    hit: Hit
    """The hit with this sentence and the time of the event."""
    interval: Interval
    share: float
    missing: int
    """Number of the question's names that the sentence and its title lack."""
    words: frozenset[str]
    """The question's words in the sentence or its title."""
    names: tuple[frozenset[str], ...]
    """The words of each name in the sentence that is not in the question."""


def listed(parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit]) -> list[Hit]:
    """The events that a question asks to list, oldest first; "the first/last n" gives n from that end.

    Each event is one sentence with its own date inside the asked time; if several sentences tell of it, the
    one with most of the question's words. Words joined by "or" count as one ("crashed or were lost"). "The
    first n" without a time gives an empty list: texts state themselves what was the first.
    """
    if parsed.count > 1 and parsed.window is None:
        return []
    told = sorted(_told(parsed, topic, hits), key=_rank)
    if not told:
        return []
    told = [one for one in told if one.missing == told[0].missing]
    told = _telling(told, topic)
    least = max(_LEAST, _CLOSE * told[0].share)
    kept: list[_ListedEvent] = []
    for one in told:
        if one.share >= least and not any(_are_one(one, other) for other in kept):
            kept.append(one)
    kept = sorted(kept[:MOST_LISTED], key=lambda one: one.interval.bounds)
    if parsed.count > 1 and parsed.ordinal is not None:
        kept = kept[: parsed.count] if index_of(parsed.ordinal) == 0 else kept[-parsed.count :]
    return [one.hit for one in kept]


def share_told(parsed: ParsedQuestion, topic: Topic, hit: Hit) -> float:
    """The weighted share (0..1) of the question's words in the sentence of a listed hit and its title."""
    groups = tuple(_alternatives(parsed.core))
    return _share(
        topic, groups, topic_words(hit.chunk.sentence(hit.sentence or 0)), topic_words(hit.chunk.title)
    )


def _told(parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit]) -> Iterator[_ListedEvent]:
    groups = tuple(_alternatives(parsed.core))
    for hit in hits:
        if hit.chunk.fact is not None or not is_about(topic, hit):
            continue
        title = topic_words(hit.chunk.title)
        for event in hit.chunk.events:
            sentence = hit.chunk.sentence(event.sentence)
            if event.source is EventSource.PUBLISHED or not _happened_in(event, parsed.window):
                continue
            if states_nothing(sentence):
                continue
            names = map(topic_words, names_in(undated(sentence)))
            own = topic_words(sentence)
            yield _ListedEvent(
                replace(hit, sentence=event.sentence, interval=event.interval),
                event.interval,
                _share(topic, groups, own, title),
                len(topic.missing(own | title)),
                _with_groups(own | title, groups) & topic.words,
                tuple(name for name in names if not name <= topic.words),
            )


def _telling(told: Sequence[_ListedEvent], topic: Topic) -> list[_ListedEvent]:
    """The sentences with the rarest word that the best one shares with the question, apart from names.

    "Lower" is such a word for a body that mostly keeps its rate. ``told`` is ranked, best first.
    """
    named = frozenset[str]().union(*topic.names.values())
    words = told[0].words - named - _BEGINNING
    rarest = max(sorted(words), key=lambda word: topic.weight({word}), default="")
    return [one for one in told if not rarest or rarest in one.words]


def _rank(told: _ListedEvent) -> tuple[int, float, float, tuple[float, float]]:
    """Sort key: fewest missing names, then most words, then the shortest time."""
    return told.missing, -told.share, told.interval.days, told.interval.bounds


def _happened_in(event: Event, window: Interval | None) -> bool:
    """Whether an event began in a window, or may have because its date is coarse."""
    time = event.interval
    if window is None:
        return time.start is not None
    first, last = window.bounds
    began = first <= time.bounds[0] < last
    return began or (not time.exceeds_unit and time.intersects(window))


def _share(
    topic: Topic, groups: Sequence[frozenset[str]], sentence: frozenset[str], title: frozenset[str]
) -> float:
    asked = topic.words - _BEGINNING or topic.words
    total = topic.weight(asked)
    if not total:
        return 0.0
    own = _with_groups(sentence, groups)
    around = _with_groups(own | title, groups)
    said, told = topic.weight(asked & own), topic.weight(asked & around)
    return (said + _IN_TITLE * (told - said)) / total


def _with_groups(words: frozenset[str], groups: Sequence[frozenset[str]]) -> frozenset[str]:
    return words.union(*(group for group in groups if group & words))


def _alternatives(core: str) -> Iterator[frozenset[str]]:
    """The pairs of words on both sides of each "or"."""
    tokens = [match.casefold() for match in _WORD.findall(core)]
    for place, word in enumerate(tokens):
        if word == "or":
            before = next((t for t in reversed(tokens[:place]) if t not in STOP_WORDS), "")
            after = next((t for t in tokens[place + 1 :] if t not in STOP_WORDS), "")
            yield topic_words(f"{before} {after}")


def _are_one(one: _ListedEvent, other: _ListedEvent) -> bool:
    """Whether two sentences tell of the same event: their times intersect, and most names match.

    Different sentences of one document are always different events.
    """
    if not one.interval.intersects(other.interval):
        return False
    if one.hit.chunk.document_id == other.hit.chunk.document_id:
        return one.hit.sentence == other.hit.sentence and one.hit.chunk.id == other.hit.chunk.id
    fewer, more = sorted((one.names, other.names), key=len)
    shared = sum(any(_is_named(name, known) for known in more) for name in fewer)
    return bool(fewer) and shared > _SAME * len(fewer)


def _is_named(name: frozenset[str], known: frozenset[str]) -> bool:
    """Whether two names share most of their words: "Chandrayaan-2", "the Indian Chandrayaan-2"."""
    return len(name & known) > _SAME * max(len(name), len(known))
