"""A chat over a scripted agent, and what a user does with it."""

import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from timelens.agent import (
    AgentEvent,
    Answer,
    Answered,
    Answerer,
    Gathered,
    Parsed,
    Parser,
    Planned,
    StepDone,
    Token,
)
from timelens.answer.draft import Nearest, Status, Support, TimeReference
from timelens.answer.rendering.timeline import Timeline
from timelens.embedding import EmbedderIdentity
from timelens.errors import MissingError, StoreError, TimelensError
from timelens.ingest.failures import Failure
from timelens.ingest.pipeline import IngestReport
from timelens.ingest.progress import IngestProgress
from timelens.question.followup.conversation import Turn
from timelens.question.parse import parse
from timelens.question.plan import make_plan
from timelens.retrieval.request import Coverage, Covered
from timelens.store.histogram import Histogram, edges_over
from timelens.store.overview import CorpusSummary, DocumentOverview
from timelens.store.rows import StoredDocument
from timelens.temporal.calendar import Day, parse_day
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.tui.app import ChatApp
from timelens.tui.corpora import ShownCorpus
from timelens.tui.exchange import Exchange
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.screen import ChatScreen
from timelens.tui.wording import is_search

WaitUntil = Callable[..., Awaitable[None]]
ScreenText = Callable[[App[None]], str]
TimelineMaker = Callable[..., Timeline]

TODAY = parse_day("2024-06-01")
QUESTION = "What happened between 1960 and 1999?"
SUMMARY = CorpusSummary(3, 5, 7, year_interval(1957, 2024), EmbedderIdentity("none", 1, ""))


def script(
    timeline: Timeline,
    text: str = "It was in 1961 [1].",
    question: str = QUESTION,
    *,
    nearest: Sequence[Nearest] = (),
) -> list[AgentEvent]:
    """All events of one question; the answer comes in two pieces. It is none where ``nearest`` is given."""
    parsed = parse(question, TODAY)
    plan = make_plan(parsed)
    coverage = Coverage(
        tuple(Covered(period.interval, 0.5, (year_interval(1970),)) for period in parsed.periods)
    )
    references = (TimeReference("1961", year_interval(1961), Support.CONTRADICTED, (1,)),)
    cited = tuple(citation for citation in timeline.citations if citation.number == 1 and not nearest)
    answer = Answer(
        question,
        Status.NO_ANSWER if nearest else Status.ANSWERED,
        text,
        (),
        cited,
        references,
        plan,
        coverage,
        ("the filter was widened",),
        {},
        periods=parsed.periods,
        nearest=tuple(nearest),
    )
    return [
        Parsed(parsed),
        Planned(plan),
        *(StepDone(step, 4, 12.0) for step in plan.steps if is_search(step)),
        Gathered(timeline, coverage, ("the filter was widened",), parsed.periods),
        Token(text[:7]),
        Token(text[7:]),
        Answered(answer),
    ]


class FakeCorpus:
    """Plays a script, and stops before the event ``hold_at`` until ``go`` is set."""

    def __init__(
        self, name: str, events: Sequence[AgentEvent | Exception], hold_at: int | None = None
    ) -> None:
        self.name = name
        self.events = events
        self.hold_at = hold_at
        self.go = threading.Event()
        self.reached = threading.Event()
        self.closed_in: list[str] = []
        self.asked: list[tuple[str, Day, str | None, int | None]] = []
        self.after: list[Turn | None] = []
        self.answerers: list[Answerer | None] = []
        self.documents: list[StoredDocument] = []
        self.events_as_of: dict[Day, Sequence[AgentEvent]] = {}
        """What is told in place of ``events`` where another day counts as today."""

    def exists(self) -> bool:
        return bool(self.events)

    def warm(self) -> None:
        if isinstance(self.events[0], StoreError):
            raise self.events[0]

    def summary(self) -> CorpusSummary:
        return SUMMARY

    @property
    def left_out(self) -> list[tuple[str, TimelensError]]:
        return []

    def document(self, document_id: str) -> StoredDocument:
        for document in self.documents:
            if document.id == document_id:
                return document
        raise MissingError(f"{document_id} is not in {self.name} any more", "ask again")

    def stream(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None,
        k: int | None,
        after: Turn | None,
        answerer: Answerer | None,
        parser: Parser | None,
    ) -> Iterator[AgentEvent]:
        assert parser is None
        self.answerers.append(answerer)
        self.asked.append((question, as_of, strategy, k))
        self.after.append(after)
        try:
            for index, event in enumerate(self.events_as_of.get(as_of, self.events)):
                if index == self.hold_at:
                    self.reached.set()
                    self.go.wait(30)
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.closed_in.append(threading.current_thread().name)


class Holdings:
    """What F5 shows of a corpus: three documents, and events that become more from year to year."""

    def summary(self) -> CorpusSummary:
        return SUMMARY

    def documents(self, within: Interval | None = None) -> Sequence[DocumentOverview]:
        day, span = day_interval(parse_day("1971-04-20")), year_interval(1957, 1975)
        found = [
            DocumentOverview("log", "/notes/log.md", "宇宙 [b]log[/b]", day, 4, 4, 6, span),
            DocumentOverview("list", "/notes/list.csv", "Crews", None, 1, 1, 1, year_interval(1957, 2024)),
            DocumentOverview("plan", "/notes/plan.txt", "A plan without a day", None, 1, 0, 0, None),
        ]
        return [one for one in found if within is None or (one.span and one.span.intersects(within))]

    def histogram(self, bins: int) -> Histogram:
        unit, units, edges = edges_over(year_interval(1957, 2024), bins)
        return Histogram(edges, tuple(range(len(edges) - 1)), unit, units)


class FakeLibrary:
    def __init__(self, *corpora: FakeCorpus) -> None:
        self.corpora = {corpus.name: corpus for corpus in corpora}
        self.ingested: list[tuple[str, list[Path]]] = []
        self.used: str | None = min(self.corpora, default=None)
        self.ingest_fault: Exception | None = None
        self.left_out: tuple[Failure, ...] = ()
        self.ingesting, self.ingest_on = threading.Event(), threading.Event()
        self.ingest_on.set()
        self.opening = threading.Event()
        self.opening.set()

    def names(self) -> list[str]:
        return sorted(self.corpora)

    def open(self, name: str) -> FakeCorpus:
        self.opening.wait(30)
        return self.corpora.get(name) or FakeCorpus(name, [])

    def shown(self, name: str) -> ShownCorpus:
        assert name in self.corpora
        return Holdings()

    def last(self) -> str | None:
        return self.used

    def keep_last(self, address: str) -> None:
        self.used = address

    def ingest(
        self, name: str, paths: Sequence[Path], on_progress: Callable[[IngestProgress], None]
    ) -> IngestReport:
        self.ingested.append((name, list(paths)))
        if self.ingest_fault is not None:
            raise self.ingest_fault
        self.ingesting.set()
        assert self.ingest_on.wait(30)
        for done in (1, 2):
            on_progress(IngestProgress(done, 2, "a.md", 0, done * 100, 200))
        self.corpora[name] = FakeCorpus(name, [Token("x")])
        return IngestReport(name, 2, 0, 0, 0, len(self.left_out), 2, 2, self.left_out, (), 0.1)


class Chat:
    """A running chat and what a user does with it."""

    def __init__(
        self,
        library: FakeLibrary,
        history: Path,
        wait_until: WaitUntil,
        screen_text: ScreenText,
        *,
        offers: bool = False,
    ) -> None:
        self.library = library
        self.app = ChatApp(
            ChatScreen(None, Options(TODAY, "timelens", None), library, history, offers=offers)
        )
        self._wait_until = wait_until
        self._screen_text = screen_text
        self._pilot: Pilot[None] | None = None

    def open(self, size: tuple[int, int] = (80, 24)) -> AbstractAsyncContextManager[Pilot[None]]:
        return self.app.run_test(size=size, notifications=True)

    async def type(self, pilot: Pilot[None], line: str) -> None:
        self.app.screen.query_one(Prompt).value = line
        await pilot.press("enter")

    async def see(self, pilot: Pilot[None], *texts: str) -> str:
        """The screen, once it shows the texts, each on a line or broken over several."""
        await self._wait_until(pilot, lambda: all(self._shows(text) for text in texts))
        return self.screen

    def _shows(self, text: str) -> bool:
        screen = self.screen
        return text in screen or text in " ".join(screen.split())

    async def until(self, pilot: Pilot[None], condition: Callable[[], object]) -> None:
        await self._wait_until(pilot, condition)

    @property
    def screen(self) -> str:
        return self._screen_text(self.app)

    @property
    def exchanges(self) -> list[Exchange]:
        return list(self.app.query(Exchange))


ChatMaker = Callable[..., Chat]
"""Makes a chat over corpora, with a history of the test's own."""
