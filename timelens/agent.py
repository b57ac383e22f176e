"""The agent: one question, from its words to a checked answer, as a stream of typed events."""

import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from timelens.answer.events import DatedEvent, date_event
from timelens.answer.extractive import answer_from
from timelens.answer.model import Citation, Draft, Status, Thought, TimeReference, Value
from timelens.answer.prompt import NO_ANSWER, CitationFilter
from timelens.answer.timeline import Timeline, make_timeline
from timelens.answer.verify import doubts, verify
from timelens.documents import Hit
from timelens.question.merge import Reading
from timelens.question.model import ParsedQuestion, Plan, Step
from timelens.question.parse import parse, resolved
from timelens.question.plan import lookups, make_plan, whole_question
from timelens.retrieval.coverage import distinct, measure, select
from timelens.retrieval.model import Coverage, Request, Retrieved, Summariser, summariser_in
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

_POOL = 100
"""Hits that the solver may look at; the answer cites at most ``k`` of them."""
_MOST_GAPS_FILLED = 12
_HITS_PER_GAP = 4


@dataclass(frozen=True, slots=True)
class Parsed:
    """The question was understood."""

    parsed: ParsedQuestion
    notes: tuple[str, ...] = ()
    """Where a model's reading differs from the rules', or adds to it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The steps were laid out."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step of the plan was retrieved."""

    step: Step
    hits: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Dated:
    """It was found out when an event was that the question names."""

    event: DatedEvent


@dataclass(frozen=True, slots=True)
class Gathered:
    """All evidence is there, numbered for citation."""

    timeline: Timeline
    coverage: Coverage
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer's text, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer, with every time it states checked."""

    question: str
    status: Status
    text: str
    values: tuple[Value, ...]
    citations: tuple[Citation, ...]
    time_references: tuple[TimeReference, ...]
    plan: Plan
    coverage: Coverage
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answered:
    """The last event of every stream."""

    answer: Answer


AgentEvent = Parsed | Planned | StepDone | Dated | Gathered | Thought | Token | Answered


class Answerer(Protocol):
    """Writes the answer's text from a timeline of evidence."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        """Pieces of text in order; citations stand as ``[n]`` with the numbers of the timeline.

        Thoughts come before the text.
        """

    def cancel(self) -> None:
        """End what is being written, from any thread; the stream of text ends early."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the last answer, such as evidence that did not fit."""


class Parser(Protocol):
    """Reads a question; the rules alone do where there is none."""

    def read(self, question: str, reference_day: Day, conventions: Conventions) -> Reading:
        """The question taken apart, as by :func:`timelens.question.parse.parse`."""

    def cancel(self) -> None:
        """End what is being read, from any thread; a reading is returned early."""


@dataclass(slots=True)
class _Stopwatch:
    """Books time spent, in milliseconds, under the names of the stages."""

    milliseconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> float:
        """Book the time since the last lap under a name."""
        now = time.perf_counter()
        spent = (now - self._since) * 1000
        self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
        self._since = now
        return spent


@dataclass(frozen=True, slots=True)
class Evidence:
    """What retrieval brought for a question."""

    parsed: ParsedQuestion
    plan: Plan
    hits: tuple[Hit, ...]
    """The k best, best first."""
    pool: tuple[Hit, ...]
    """All that was found, the k best first."""
    coverage: Coverage
    span: Interval | None
    """From the first to the last day of the corpus."""
    events: tuple[DatedEvent, ...]
    """What the question names, with its days."""
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]


GatherEvent = Parsed | Planned | StepDone | Dated | Evidence


def gather(
    question: str,
    *,
    reference_day: Day,
    searcher: Searcher,
    strategy: Strategy,
    k: int,
    parser: Parser | None = None,
    summariser: Summariser | None = None,
    conventions: Conventions = USUAL,
) -> Iterator[GatherEvent]:
    """Parse, plan, retrieve step by step, and look once more into stretches without evidence.

    ``parser`` reads the question, by rule without one; ``summariser`` is for strategies that rank summaries;
    ``conventions`` say how its dates are read. The last event is the evidence.
    """
    watch = _Stopwatch()
    if parser is None:
        reading = Reading(parse(question, reference_day, conventions))
    else:
        reading = parser.read(question, reference_day, conventions)
    parsed = reading.parsed
    watch.lap("parse")
    yield Parsed(parsed, reading.notes)
    before = lookups(parsed) if strategy.follows_plan else ()
    plan = make_plan(parsed, before) if strategy.follows_plan else whole_question(parsed)
    yield Planned(plan)

    def retrieve(about: ParsedQuestion, step: Step, *, widen: bool) -> Retrieved:
        return strategy.retrieve(
            Request(about, step.query, step.window, max(k, _POOL), widen=widen, summariser=summariser),
            searcher,
        )

    found: list[Retrieved] = []
    events: list[DatedEvent] = []
    for step in before:
        about = parse(step.query, reference_day, conventions)
        found.append(retrieve(about, step, widen=False))
        yield StepDone(step, len(found[-1].hits), watch.lap("retrieve"))
        event = date_event(about, found[-1].hits)
        if event is not None:
            events.append(event)
            yield Dated(event)
    if events:
        parsed = _with_dates(parsed, events)
        plan = make_plan(parsed, before)
        yield Planned(plan)
    for step in plan.steps[len(before) :]:
        is_main = step is plan.steps[-1]  # what the steps before it do not find, it makes up for
        found.append(retrieve(parsed, step, widen=is_main))
        yield StepDone(step, len(found[-1].hits), watch.lap("retrieve"))
    span = searcher.store.span()
    if strategy.covers:
        found += _fill(parsed, searcher, strategy, hits=found[-1].hits[:k], span=span)
    *earlier, main = [retrieved.hits for retrieved in found[: len(plan.steps)]]
    extra = [retrieved.hits for retrieved in found[len(plan.steps) :]]
    course = parsed.window if strategy.covers and not parsed.is_point else None
    hits = select(earlier, [*main, *chain(*extra)], course, span, k)
    coverage = measure(hits, parsed.window, span)
    elsewhere = _elsewhere(parsed, searcher, strategy) if strategy.follows_plan else ()
    pool = distinct(chain(hits, main, *extra, *earlier, elsewhere))
    watch.lap("retrieve")
    undated = [
        f"when “{implicit.text}” was could not be found out; the question is answered from its words"
        for implicit in (parsed.implicit if strategy.follows_plan else ())
    ]
    notes = dict.fromkeys(chain(reading.notes, undated, *(retrieved.notes for retrieved in found)))
    yield Evidence(
        parsed,
        plan,
        tuple(hits),
        tuple(pool),
        coverage,
        span,
        tuple(events),
        tuple(notes),
        dict(watch.milliseconds),
    )


def run(
    question: str,
    *,
    reference_day: Day,
    searcher: Searcher,
    strategy: Strategy,
    k: int,
    answerer: Answerer | None = None,
    parser: Parser | None = None,
    conventions: Conventions = USUAL,
) -> Iterator[AgentEvent]:
    """Answer a question. The last event is the answer; closing the stream cancels at once.

    ``answerer`` writes the text with a model, and summarises where it can; without one the evidence speaks
    for itself. ``parser`` is that of :func:`gather`.
    """
    evidence: Evidence | None = None
    for event in gather(
        question,
        reference_day=reference_day,
        searcher=searcher,
        strategy=strategy,
        k=k,
        parser=parser,
        summariser=summariser_in(answerer),
        conventions=conventions,
    ):
        if isinstance(event, Evidence):
            evidence = event
        else:
            yield event
    if evidence is None:
        raise AssertionError("gathering ends with evidence")
    watch = _Stopwatch(dict(evidence.timings_ms))
    draft = answer_from(
        evidence.parsed,
        evidence.hits,
        evidence.pool,
        events=evidence.events,
        gaps=evidence.coverage.gaps,
        span=evidence.span,
    )
    timeline = _timeline(draft, evidence)
    notes = (*evidence.notes, *_remarks(draft, evidence.coverage))
    yield Gathered(timeline, evidence.coverage, notes)
    if answerer is None or draft.status is Status.NO_ANSWER:
        yield Token(draft.text)
    else:
        draft, said = yield from _reworded(answerer, evidence.parsed, timeline, draft)
        notes = (*notes, *said)
    references = () if draft.status is Status.NO_ANSWER else verify(draft, conventions)
    notes = (*notes, *doubts(references))
    watch.lap("answer")
    yield Answered(
        Answer(
            question=question,
            status=draft.status,
            text=draft.text,
            values=draft.values,
            citations=draft.citations,
            time_references=references,
            plan=evidence.plan,
            coverage=evidence.coverage,
            notes=notes,
            timings_ms=dict(watch.milliseconds),
        )
    )


def _remarks(draft: Draft, coverage: Coverage) -> Iterator[str]:
    """What the user should know of how far the evidence of a draft reaches."""
    if draft.status is Status.PARTIAL:
        yield f"nothing was found for {', '.join(phrase(gap) for gap in coverage.gaps)}"
    if any("validity" in citation.hit.passed for citation in draft.citations):
        yield "some of the evidence is older than the asked time; nothing later of its kind was found"


def _with_dates(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> ParsedQuestion:
    """The question with days in the place of the events whose days are known."""
    known = {event.text: event.interval for event in events}
    for implicit in parsed.implicit:
        if implicit.text in known:
            parsed = resolved(parsed, implicit, known[implicit.text]) or parsed
    return parsed


def _fill(
    parsed: ParsedQuestion,
    searcher: Searcher,
    strategy: Strategy,
    *,
    hits: Sequence[Hit],
    span: Interval | None,
) -> list[Retrieved]:
    """A second round: into stretches of the asked time without evidence."""
    if parsed.is_point:
        return []
    gaps = measure(hits, parsed.window, span).gaps[:_MOST_GAPS_FILLED]
    requests = (Request(parsed, parsed.core, gap, _HITS_PER_GAP, widen=False) for gap in gaps)
    return [strategy.retrieve(request, searcher) for request in requests]


def _elsewhere(parsed: ParsedQuestion, searcher: Searcher, strategy: Strategy) -> Sequence[Hit]:
    """What lies outside the asked time, which is not evidence but shows what the corpus knows.

    From facts at other times the solver tells that there is none in the asked one.
    """
    if parsed.window is None:
        return ()
    return strategy.retrieve(Request(parsed, parsed.core, None, _POOL), searcher).hits


def _timeline(draft: Draft, evidence: Evidence) -> Timeline:
    """What the draft cites under its numbers, then the rest of the evidence."""
    cited = [citation.hit for citation in draft.citations]
    ids = {hit.chunk.id for hit in cited}
    return make_timeline([*cited, *(hit for hit in evidence.hits if hit.chunk.id not in ids)])


def _reworded(
    answerer: Answerer, parsed: ParsedQuestion, timeline: Timeline, draft: Draft
) -> Generator[Thought | Token, None, tuple[Draft, tuple[str, ...]]]:
    """The draft in the model's words, streamed, and what the user should know of it."""
    filtered = CitationFilter({citation.number for citation in timeline.citations})
    text = ""
    for piece in chain(answerer.write(parsed, timeline, draft), (None,)):
        if isinstance(piece, Thought):
            yield piece
        elif shown := filtered.rest() if piece is None else filtered.take(piece):
            text += shown
            yield Token(shown)
    if not text.strip():
        yield Token(draft.text)
        return draft, (*answerer.notes, "the model wrote nothing; the answer is that of the evidence itself")
    written = _written(text, draft, timeline)
    if written.status is Status.NO_ANSWER or written.citations:
        return written, answerer.notes
    return written, (
        *answerer.notes,
        "the model's answer cites no evidence, so nothing in it could be checked",
    )


def _written(text: str, draft: Draft, timeline: Timeline) -> Draft:
    """A draft in the model's words: with the citations it uses and the values it names."""
    used = {int(number) for number in re.findall(r"\[(\d{1,6})\]", text)}
    citations = sorted((c for c in timeline.citations if c.number in used), key=lambda c: c.number)
    if text.lstrip().startswith(NO_ANSWER):
        return Draft(Status.NO_ANSWER, text, (), tuple(citations))
    values = tuple(value for value in draft.values if value.text.casefold() in text.casefold())
    return Draft(draft.status, text, values, tuple(citations))
