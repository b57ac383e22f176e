"""Evidence made without a corpus, a small real corpus, and ways to look at the screen."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from scripted_chat import Chat, ChatMaker, FakeLibrary
from textual.app import App
from textual.pilot import Pilot

from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval

DOCUMENTS = {
    "salyut.md": "# Salyut 1\n\nSalyut 1 was launched on 19 April 1971. It was the first space station.\n",
    "mir.md": "# Mir\n\nThe core of Mir was launched on 20 February 1986. Mir fell on 23 March 2001.\n",
    "iss.md": "# ISS\n\nThe first crew entered the International Space Station on 2 November 2000.\n",
}


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
        places=((0, "page 3"),),
    )
    return Hit(chunk, Scores(semantic=0.5, keyword=0.2, temporal=0.9, final=0.45), time, 0)


@pytest.fixture(scope="session")
def timeline_of() -> TimelineMaker:
    def make(*times: Interval | None, title: str = "A title", text: str = "It was.") -> Timeline:
        return make_timeline([make_hit(time, text, f"{title} {index}") for index, time in enumerate(times)])

    return make


@pytest.fixture
def timeline(timeline_of: TimelineMaker) -> Timeline:
    return timeline_of(
        day_interval(day_number(1961, 4, 12)), year_interval(1971, 1979), None, title="First flight"
    )


@pytest.fixture
def chat_of(tmp_path: Path) -> ChatMaker:
    """A chat over scripted corpora; all of one test share a history."""
    history = tmp_path / "conversations.sqlite"
    return lambda *corpora, offers=False: Chat(
        FakeLibrary(*corpora), history, _wait_until, _screen_text, offers=offers
    )


@pytest.fixture(scope="session")
def corpus_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with one small corpus, ``stations``, ingested with the real embedder."""
    documents = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        open_corpus("stations").ingest([documents])
    return home


@pytest.fixture(scope="session")
def wait_until() -> Callable[..., Awaitable[None]]:
    """``await wait_until(pilot, condition)`` lets the app run until something holds."""
    return _wait_until


@pytest.fixture(scope="session")
def screen_text() -> Callable[[App[None]], str]:
    """What stands on the screen."""
    return _screen_text


@pytest.fixture
def see() -> Callable[..., Awaitable[str]]:
    """``await see(pilot, text, …)`` waits until all of it stands on the screen."""

    async def wait(pilot: Pilot[None], *texts: str) -> str:
        await _wait_until(pilot, lambda: all(text in _screen_text(pilot.app) for text in texts))
        return _screen_text(pilot.app)

    return wait


async def _wait_until(pilot: Pilot[None], condition: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not so after {seconds} s\n{_screen_text(pilot.app)}"
        await pilot.pause(0.02)


def _screen_text(app: App[None]) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())
