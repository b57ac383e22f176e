"""Pieces of evidence for tests, made without a corpus."""

from timelens.answer.model import Citation
from timelens.answer.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.temporal.interval import Interval


def hit(time: Interval | None, text: str = "Something happened.", title: str = "A title") -> Hit:
    events = () if time is None else (Event(time, 0, EventSource.STATED, 1.0),)
    chunk = Chunk(
        id=f"{title}#0",
        document_id=title,
        ordinal=0,
        uri=f"/somewhere/{title}",
        title=title,
        text=text,
        published=None,
        sentences=((0, len(text)),),
        events=events,
    )
    return Hit(chunk, Scores(semantic=0.5, keyword=0.2, temporal=0.9, final=0.45), time, 0)


def timeline(*times: Interval | None, title: str = "A title") -> Timeline:
    return make_timeline([hit(time, title=f"{title} {index}") for index, time in enumerate(times)])


def citations(*times: Interval | None) -> tuple[Citation, ...]:
    return tuple(sorted(timeline(*times).citations, key=lambda citation: citation.number))
