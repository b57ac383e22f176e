"""The agent: one question, from its words to a checked answer, as a stream of typed events."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from timelens.answer.extractive import answer_from
from timelens.answer.model import Citation, Draft, Status, TimeReference, Value
from timelens.answer.timeline import Timeline, make_timeline
from timelens.answer.verify import verify
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion, Plan, Step
from timelens.question.parse import parse
from timelens.question.plan import make_plan, whole_question
from timelens.retrieval.coverage import measure
from timelens.retrieval.model import Coverage, Request, Retrieved
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval

_POOL = 100
"""Hits that the solver may look at; the answer cites at most ``k`` of them."""
_MOST_GAPS_FILLED = 4


@dataclass(frozen=True, slots=True)
class Parsed:
    """The question was understood."""

    parsed: ParsedQuestion


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


AgentEvent = Parsed | Planned | StepDone | Gathered | Token | Answered


class Answerer(Protocol):
    """Writes the answer's text from a timeline of evidence."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str]:
        """Pieces of text in order; citations stand as ``[n]`` with the numbers of the timeline."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the last answer, such as evidence that did not fit."""


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
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]


GatherEvent = Parsed | Planned | StepDone | Evidence


def gather(
    question: str, *, reference_day: Day, searcher: Searcher, strategy: Strategy, k: int
) -> Iterator[GatherEvent]:
    """Parse, plan, retrieve step by step, and look once more into stretches without evidence.

    The last event is the evidence.
    """
    watch = _Stopwatch()
    parsed = parse(question, reference_day)
    watch.lap("parse")
    yield Parsed(parsed)
    plan = make_plan(parsed) if strategy.follows_plan else whole_question(parsed)
    yield Planned(plan)
    found: list[Retrieved] = []
    for step in plan.steps:
        retrieved = strategy.retrieve(Request(parsed, step.query, step.window, max(k, _POOL)), searcher)
        found.append(retrieved)
        yield StepDone(step, len(retrieved.hits), watch.lap("retrieve"))
    span = searcher.store.span()
    hits = _merged(found, k)
    coverage = measure(hits, parsed.window, span)
    if strategy.follows_plan and not parsed.is_point:
        filled = _fill(coverage.gaps, parsed, searcher, strategy)
        if filled:
            hits = _merged([*filled, found[-1]], k)
            coverage = measure(hits, parsed.window, span)
    pool = {hit.chunk.id: hit for retrieved in reversed(found) for hit in retrieved.hits}
    rest = [hit for chunk_id, hit in pool.items() if chunk_id not in {hit.chunk.id for hit in hits}]
    watch.lap("retrieve")
    notes = dict.fromkeys(note for retrieved in found for note in retrieved.notes)
    yield Evidence(
        parsed, plan, tuple(hits), (*hits, *rest), coverage, tuple(notes), dict(watch.milliseconds)
    )


def run(
    question: str,
    *,
    reference_day: Day,
    searcher: Searcher,
    strategy: Strategy,
    k: int,
    answerer: Answerer | None = None,
) -> Iterator[AgentEvent]:
    """Answer a question. The last event is the answer; closing the stream cancels at once.

    ``answerer`` writes the text with a model; without one the evidence speaks for itself.
    """
    evidence: Evidence | None = None
    for event in gather(question, reference_day=reference_day, searcher=searcher, strategy=strategy, k=k):
        if isinstance(event, Evidence):
            evidence = event
        else:
            yield event
    if evidence is None:
        raise AssertionError("gathering ends with evidence")
    watch = _Stopwatch(dict(evidence.timings_ms))
    draft = answer_from(evidence.parsed, evidence.pool, evidence.coverage.gaps, k, searcher.store.span())
    timeline = _timeline(draft, evidence)
    yield Gathered(timeline, evidence.coverage, evidence.notes)
    notes = evidence.notes
    if answerer is None or draft.status is Status.NO_ANSWER:
        yield Token(draft.text)
    else:
        pieces = []
        for piece in answerer.write(evidence.parsed, timeline, draft):
            pieces.append(piece)
            yield Token(piece)
        draft = _written("".join(pieces), draft, timeline)
        notes = (*notes, *answerer.notes)
    references = verify(draft)
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


def _fill(
    gaps: Sequence[Interval], parsed: ParsedQuestion, searcher: Searcher, strategy: Strategy
) -> list[Retrieved]:
    """One more look into each of the first few stretches without evidence."""
    requests = [Request(parsed, parsed.core, gap, 1, widen=False) for gap in gaps[:_MOST_GAPS_FILLED]]
    looked = [strategy.retrieve(request, searcher) for request in requests]
    return [retrieved for retrieved in looked if retrieved.hits]


def _merged(found: Sequence[Retrieved], k: int) -> list[Hit]:
    """The k hits of a plan: mostly those of its last step, and the best of each step before it."""
    *before, last = found
    heads = [hit for retrieved in before for hit in retrieved.hits[:1]]
    merged = {hit.chunk.id: hit for hit in (*last.hits[: max(1, k - len(heads))], *heads)}
    for hit in last.hits:
        if len(merged) >= k:
            break
        merged.setdefault(hit.chunk.id, hit)
    return list(merged.values())[:k] if len(found) == 1 else sorted(merged.values(), key=_by_score)[:k]


def _by_score(hit: Hit) -> tuple[float, str]:
    return -(hit.scores.final or 0.0), hit.chunk.id


def _timeline(draft: Draft, evidence: Evidence) -> Timeline:
    """What the draft cites under its numbers, then the rest of the evidence."""
    cited = [citation.hit for citation in draft.citations]
    ids = {hit.chunk.id for hit in cited}
    return make_timeline([*cited, *(hit for hit in evidence.hits if hit.chunk.id not in ids)])


def _written(text: str, draft: Draft, timeline: Timeline) -> Draft:
    """A draft in the model's words: with the citations it uses and the values it names."""
    used = {int(number) for number in re.findall(r"\[(\d{1,6})\]", text)}
    citations = sorted((c for c in timeline.citations if c.number in used), key=lambda c: c.number)
    values = tuple(value for value in draft.values if value.text.casefold() in text.casefold())
    return Draft(draft.status, text, values, tuple(citations))
