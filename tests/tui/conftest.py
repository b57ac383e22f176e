"""Evidence made without a corpus, for tests of drawing and of the screen."""

from typing import Protocol

import pytest

from timelens.answer.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.temporal.interval import Interval


class TimelineMaker(Protocol):
    """Makes a timeline of one piece of evidence for each time; the first is the best support."""

    def __call__(
        self, *times: Interval | None, title: str = "A title", text: str = "It was."
    ) -> Timeline: ...


def make_hit(time: Interval | None, text: str, title: str) -> Hit:
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


@pytest.fixture(scope="session")
def timeline_of() -> TimelineMaker:
    def make(*times: Interval | None, title: str = "A title", text: str = "It was.") -> Timeline:
        return make_timeline([make_hit(time, text, f"{title} {index}") for index, time in enumerate(times)])

    return make
