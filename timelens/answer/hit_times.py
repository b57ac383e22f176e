"""The time of a piece of evidence: of its best event, of what its sentences say, or of its document. Pure."""

import re

from timelens.answer.sentences import points_back
from timelens.documents import Chunk, EventSource, Hit
from timelens.temporal.interval import Interval

_OF_ITS_DAY = re.compile(r"\b(?:is|are|has|have|now|today|currently|will)\b", re.IGNORECASE)
"""Words of a sentence about the day on which it was written."""


def time_of(hit: Hit) -> Interval | None:
    """The time of a hit: that of its best event.

    Without one, the time stated by the best sentence or by a sentence that it refers back to; else the
    publication date. The envelope of the chunk is the time of a hit without a best sentence: other sentences
    do not date one.
    """
    if hit.interval is not None or hit.sentence is None:
        return hit.interval or hit.chunk.published or hit.chunk.envelope
    return stated_in(hit.chunk, hit.sentence, hit.sentence) or hit.chunk.published


def stated_in(chunk: Chunk, first: int, last: int) -> Interval | None:
    """The stated or anchored time of sentences ``first`` to ``last``; of several, that of the last one.

    Earlier sentences that a pronoun refers to are included ("They won it"), unless a sentence is in the
    present ("it is open"), which is about the day on which it was written.
    """
    if not any(_OF_ITS_DAY.search(chunk.sentence(index)) for index in range(first, last + 1)):
        first = points_back(chunk, first)
    events = [event for event in chunk.events if first <= event.sentence <= last]
    own = (event for event in events if event.source is not EventSource.PUBLISHED)
    return next((event.interval for event in sorted(own, key=lambda event: -event.sentence)), None)


def start_of(hit: Hit) -> float:
    """The first day of a hit's time; infinity if it is undated."""
    time = time_of(hit)
    return float("inf") if time is None else time.bounds[0]
