"""Times of undated sentences, inferred from the sentences before them. Pure."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from timelens.answer.relevance import Topic
from timelens.documents import Chunk, EventSource, Hit
from timelens.question.roles import Role, role_of
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words

_PLANNED = re.compile(
    r"\b(?:will|would|(?:is|are|was|were|am)\s+(?:due\s+)?to|expect(?:s|ed)\s+to|plan(?:s|ned)|should)\b"
)
_SAME_DAY = re.compile(
    r"\bon\s+(?:the\s+(?:same\s+)?day\s+of\s+(?:the|this|that)\s+(?P<thing>\w+)|(?:the\s+same|that)\s+day)\b",
    re.IGNORECASE,
)
_NEXT_WORDS = 3
"""How many words after "will" or "is to" may hold its verb."""
_SHORTEST_STEM = 4
"""Length of the prefix that a noun shares with its verb: "decision" and "decided"."""


def is_planned(sentence: str, happened: AbstractSet[str]) -> bool:
    """Whether a sentence presents an event as planned rather than done; ``happened`` is its verb, stemmed."""
    return any(
        topic_words(" ".join(sentence[match.end() :].split()[:_NEXT_WORDS])) & happened
        for match in _PLANNED.finditer(sentence)
    )


def anchored_times(
    event: str, happened: AbstractSet[str], topic: Topic, hits: Sequence[Hit]
) -> Iterator[tuple[Interval, Hit]]:
    """The inferred day of each undated sentence that tells of an event with the event's verb and names.

    The anchor is the sentence that "on the day of the decision" points to; by default, the sentence before.
    """
    role = role_of(event)
    done = happened - topic.in_names  # a word of a name is not the verb
    for hit in hits:
        chunk = hit.chunk
        for index in range(1, len(chunk.sentences)):
            sentence = chunk.sentence(index)
            words = topic_words(sentence)
            same = bool(words & done) or (role is not Role.HELD and role_of(sentence) is role)
            if not same or not topic.in_names or topic.missing(words) or is_planned(sentence, happened):
                continue
            if any(_days(chunk, index)):
                continue
            day = _day_before(chunk, index)
            if day is not None:
                yield day, replace(hit, sentence=index, interval=day)


def _day_before(chunk: Chunk, index: int) -> Interval | None:
    """The single day stated by the anchor of a sentence: the sentence it points to, or the one before it."""
    pointing = _SAME_DAY.search(chunk.sentence(index))
    thing = pointing["thing"] if pointing else None
    if thing is None:
        found = list(dict.fromkeys(_days(chunk, index - 1)))
        return found[0] if len(found) == 1 else None
    for earlier in reversed(range(index)):
        words = re.findall(r"\w+", chunk.sentence(earlier).casefold())
        alike = any(word[:_SHORTEST_STEM] == thing.casefold()[:_SHORTEST_STEM] for word in words)
        found = list(dict.fromkeys(_days(chunk, earlier)))
        if alike and len(found) == 1:
            return found[0]
    return None


def _days(chunk: Chunk, index: int) -> Iterator[Interval]:
    """The stated times of a sentence that are single days."""
    for event in chunk.events:
        is_stated = event.sentence == index and event.source is EventSource.STATED
        if is_stated and event.interval.granularity is Granularity.DAY:
            yield event.interval
