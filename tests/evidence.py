"""Evidence made by hand, for the tests of what is written from it."""

from collections.abc import Sequence

import numpy as np

from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Event, EventSource, Fact, Hit, Scores
from timelens.store.arrays import EventArrays
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval


def year(number: int) -> Interval:
    return Interval(day_number(number), day_number(number + 1), Granularity.YEAR)


def event_arrays(times: Sequence[Interval]) -> EventArrays:
    """Events at these times, stated in the first sentence."""
    count = len(times)
    units = [list(Granularity).index(time.granularity) for time in times]
    return EventArrays(
        starts=np.asarray([time.bounds[0] for time in times], dtype=np.float64),
        ends=np.asarray([time.bounds[1] for time in times], dtype=np.float64),
        sentences=np.zeros(count, dtype=np.int64),
        confidences=np.ones(count),
        sources=np.zeros(count, dtype=np.int8),
        granularities=np.asarray(units, dtype=np.int8),
    )


def hit(
    name: str,
    sentences: Sequence[str],
    when: int,
    *,
    title: str = "",
    best: int | None = 0,
    fact: Fact | None = None,
) -> Hit:
    """A chunk of the given sentences, each of them about one year."""
    spans: list[tuple[int, int]] = []
    start = 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    events = tuple(Event(year(when), index, EventSource.STATED, 1.0) for index in range(len(sentences)))
    chunk = Chunk(
        name, name, 0, f"{name}.txt", title, " ".join(sentences), year(when), tuple(spans), events, fact
    )
    return Hit(chunk, Scores(0.9, 0.9, 0.9, 0.9), year(when), best)


def timeline(*sentences: str, first_year: int = 2000) -> Timeline:
    """One piece of evidence for each sentence; the first is the best and the latest."""
    return make_timeline(
        [hit(f"c{rank}", [text], first_year - rank) for rank, text in enumerate(sentences, start=1)]
    )
