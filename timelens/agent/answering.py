"""Answers from gathered evidence, with every date verified."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from timelens.agent.drafted import Drafted, joined
from timelens.agent.events import (
    AgentEvent,
    Answer,
    Answered,
    Answerer,
    Gathered,
    GatheredEvidence,
    GatherEvent,
    Parser,
    PeriodEvidence,
    Token,
    value_reader_in,
)
from timelens.agent.gathering import gather, gather_given
from timelens.agent.model_wording import is_unclear, model_wording
from timelens.agent.search_rounds import cover
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.draft import Citation, Draft, Status
from timelens.answer.extractive.case import ReadByModel, supported_risk
from timelens.answer.extractive.ways import answer_from
from timelens.answer.hops.hop_lines import answer_of, refusal, with_hops
from timelens.answer.hops.nested_events import unsure
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.verification.value_series import series_stated
from timelens.answer.verification.verify import Checked, check, doubts
from timelens.answer.writing.period_comparison import combined
from timelens.answer.writing.reading_prompt import ModelReading
from timelens.config import RISK
from timelens.documents import Chunk, Hit
from timelens.question.clauses import at_answered_time, clauses_of
from timelens.question.followup.conversation import Turn
from timelens.question.followup.resolve import is_about_answer
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.periods import with_its_days
from timelens.retrieval.request import Coverage, summariser_in
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase


def run(
    question: str,
    *,
    reference_day: Day,
    searcher: Searcher,
    strategy: Strategy,
    k: int,
    after: Turn | None = None,
    answerer: Answerer | None = None,
    parser: Parser | None = None,
    conventions: Conventions = USUAL,
    risk: float = RISK,
) -> Iterator[AgentEvent]:
    """Answer a question. The last event is the answer; closing the stream cancels at once.

    ``answerer`` writes the text with a model, and summarises if it can; without one, the answer quotes the
    evidence. ``after`` and ``parser`` are as in :func:`gather`. ``risk``, 0..1, is the accepted probability
    that an answer read in a text is wrong.
    """
    clauses = clauses_of(question, reference_day, conventions) if strategy.follows_plan else (question,)
    reader = _ModelReader(answerer)
    read: list[Drafted] = []
    follows = after
    for each in clauses:
        told = read[-1].time_told if read else ""
        clause = at_answered_time(each, told, reference_day, conventions) if told else each
        if read and read[-1].draft.status is Status.NO_ANSWER and is_about_answer(clause):
            continue  # "since when?" of an unknown holder
        gathering = gather(
            clause,
            reference_day=reference_day,
            searcher=searcher,
            strategy=strategy,
            k=k,
            after=after,
            parser=parser,
            summariser=summariser_in(answerer),
            conventions=conventions,
        )
        evidence = yield from _evidence_of(gathering)
        read.append(_drafted(clause, evidence, risk, reader))
        after = read[-1].turn
    yield from _conclude(question, joined(question, read), answerer, reader, conventions, follows=follows)


def _evidence_of(events: Iterator[GatherEvent]) -> Generator[AgentEvent, None, GatheredEvidence]:
    """Yield the events on the way to the evidence, and return it."""
    for event in events:
        if isinstance(event, GatheredEvidence):
            return event
        yield event
    raise AssertionError("gathering ends with evidence")


def run_on(
    question: str,
    chunks: Sequence[Chunk],
    *,
    reference_day: Day,
    span: Interval | None,
    answerer: Answerer | None = None,
    conventions: Conventions = USUAL,
    risk: float = RISK,
) -> Iterator[AgentEvent]:
    """Answer a question from given chunks, best first, instead of retrieved ones.

    Without chunks, ``answerer`` answers from its own knowledge (closed book). ``span`` is the time that the
    corpus spans. The events and ``risk`` are as in :func:`run`.

    Raises:
        ValueError: there are neither chunks nor an answerer.
    """
    if not chunks and answerer is None:
        raise ValueError("there is no evidence and no model to answer from")
    gathering = gather_given(
        question, chunks, reference_day=reference_day, span=span, conventions=conventions
    )
    evidence = yield from _evidence_of(gathering)
    reader = _ModelReader(answerer)
    if chunks:
        drafted = _drafted(question, evidence, risk, reader)
    else:
        drafted = Drafted(question, evidence, Draft(Status.ANSWERED, ""))
    yield from _conclude(question, drafted, answerer, reader, conventions)


def _conclude(
    question: str,
    drafted: Drafted,
    answerer: Answerer | None,
    reader: "_ModelReader",
    conventions: Conventions,
    *,
    follows: Turn | None = None,
) -> Iterator[AgentEvent]:
    """Reword and verify a draft; without evidence, a model writes from its knowledge."""
    evidence, draft = drafted.evidence, drafted.draft
    watch = Stopwatch(dict(evidence.timings_ms))
    timeline = _timeline(draft, evidence)
    notes = (*evidence.notes, *_remarks(draft, evidence.coverage), *reader.notes)
    yield Gathered(
        timeline, evidence.coverage, notes, evidence.parsed.periods, evidence.pool, draft.decisions
    )
    written = reader.written
    if answerer is None or written is not None or not _is_for_a_model(draft):
        yield Token(draft.text)
    else:
        draft, written, said = yield from model_wording(
            answerer,
            draft,
            parsed=evidence.parsed,
            timeline=timeline,
            unanswered=_not_found(evidence),
            conventions=conventions,
        )
        notes = (*notes, *said)
        if not draft.text.strip():
            draft = replace(draft, status=Status.NO_ANSWER)
    checked = Checked()
    if draft.status is not Status.NO_ANSWER:
        checked = check(draft, _not_found(evidence), conventions)
    notes = (*notes, *doubts(checked))
    watch.lap("answer")
    yield Answered(
        Answer(
            question=question,
            status=draft.status,
            text=draft.text,
            values=draft.values,
            citations=draft.citations,
            time_references=checked.references,
            plan=evidence.plan,
            coverage=evidence.coverage,
            notes=notes,
            timings_ms=dict(watch.milliseconds),
            read_as=evidence.read_as,
            claims=checked.claims,
            periods=evidence.parsed.periods,
            nearest=draft.nearest,
            written=written,
            series=series_stated(draft, checked.claims, reworded=written is not None),
            follows=follows,
        )
    )


class _ModelReader:
    """Reads evidence with an answerer that can, and keeps what it replies."""

    def __init__(self, answerer: Answerer | None) -> None:
        self._answerer = value_reader_in(answerer)
        self._replies: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on the last reading."""
        return () if self._answerer is None or not self._replies else self._answerer.notes

    @property
    def written(self) -> str | None:
        """The replies, one in a line; ``None`` without any."""
        return "\n".join(self._replies) if self._replies else None

    def read(self, parsed: ParsedQuestion, hits: Sequence[Hit]) -> ModelReading | None:
        """What the answerer reads in hits; ``None`` if it reads nothing before it writes."""
        found = None if self._answerer is None else self._answerer.read_values(parsed, hits)
        if found is not None:
            self._replies.append(found.written)
        return found


def _is_for_a_model(draft: Draft) -> bool:
    """Whether a model may write the answer: there is a draft, or a refusal with nearest texts.

    Other refusals are exact: a table without a row for the asked time, or an unresolved hop.
    """
    return draft.status is not Status.NO_ANSWER or is_unclear(draft)


def _not_found(evidence: GatheredEvidence) -> tuple[Interval, ...]:
    """The times that an answer may name to report that there is no evidence for them."""
    coverage = evidence.coverage
    asked = (
        coverage.asked,
        *(covered.period for covered in coverage.periods),
        *(period.interval for period in evidence.parsed.periods),
    )
    return (*coverage.gaps, *(time for time in (*asked, evidence.span) if time is not None))


def _drafted(clause: str, evidence: GatheredEvidence, risk: float, reader: _ModelReader) -> Drafted:
    """The draft of an answer to a clause, and the evidence, whose coverage includes the draft's citations."""
    watch = Stopwatch(dict(evidence.timings_ms))
    draft = _draft(evidence, risk, reader.read)
    used = (*evidence.hits, *(citation.hit for citation in draft.citations))
    coverage = cover(evidence.parsed, used, evidence.pool, evidence.span)
    watch.lap("answer")
    evidence = replace(evidence, coverage=coverage, timings_ms=dict(watch.milliseconds))
    return Drafted(evidence.read_as or clause, evidence, draft)


def _draft(evidence: GatheredEvidence, risk: float, read_by_model: ReadByModel) -> Draft:
    """The draft from the evidence, with a line for each hop; a refusal if a hop is unresolved."""
    if evidence.broken is not None:
        return refusal(evidence.broken)
    if evidence.hop_answers:
        return with_hops(answer_of(evidence.hops[-1]), evidence.hops[:-1])
    draft = _answered(evidence, risk, read_by_model)
    doubt = unsure(evidence.parsed, draft, evidence.pool, evidence.events)
    return with_hops(draft, evidence.hops) if doubt is None else refusal(doubt)


def _answered(evidence: GatheredEvidence, risk: float, read_by_model: ReadByModel) -> Draft:
    """The draft for the question, or for its periods.

    Of several periods, the unanswered ones are read once more, at the risk for what other answers support and
    without a language model.
    """
    several = len(evidence.parts) > 1

    def of(part: PeriodEvidence, risk: float, model: ReadByModel | None) -> Draft:
        return answer_from(
            with_its_days(part.parsed),
            part.hits,
            part.pool,
            events=_events_of(part, evidence) if several else evidence.events,
            gaps=evidence.coverage.gaps,
            span=None if several else evidence.span,
            beside=several,
            risk=risk,
            read_by_model=model,
        )

    drafts = [of(part, risk, read_by_model) for part in evidence.parts]
    if not several:
        return drafts[0]
    answered = [draft.status is not Status.NO_ANSWER for draft in drafts]
    if any(answered):
        drafts = [
            draft if done else of(part, supported_risk(risk), None)
            for part, draft, done in zip(evidence.parts, drafts, answered, strict=True)
        ]
    draft = combined(evidence.parsed, drafts)
    if evidence.span is None or draft.status is not Status.NO_ANSWER or draft.nearest:
        return draft
    return replace(draft, text=f"{draft.text}\nThe corpus spans {phrase(evidence.span)}.")


def _events_of(part: PeriodEvidence, evidence: GatheredEvidence) -> Sequence[DatedEvent]:
    """The events that a period is named by."""
    named = " ".join(period.text for period in part.parsed.periods)
    return [event for event in evidence.events if event.text in named]


def _remarks(draft: Draft, coverage: Coverage) -> Iterator[str]:
    """Notes for the user on the limits of a draft's evidence."""
    if draft.status is Status.PARTIAL and coverage.gaps:
        gaps = [
            gap for gap in map(phrase, coverage.gaps) if gap not in draft.text
        ]  # the text names the other gaps
        if gaps:
            yield f"no evidence: {', '.join(gaps)}"
    if any(citation.hit.is_older for citation in draft.citations):
        yield "some of the evidence is older than the asked time; nothing later of its kind was found"
    if any(statement.planned for statement in draft.statements):
        yield "the evidence describes a plan, not that it was carried out"
    for ignored in dict.fromkeys(one.ignored for one in draft.decisions if one.ignored):
        yield f"“{ignored}” was not applied: only rows of tables with a start and an end have lengths"


def _timeline(draft: Draft, evidence: GatheredEvidence) -> Timeline:
    """The citations of the draft under their numbers, then the rest of the evidence."""
    cited = [citation.hit for citation in _numbered(draft)]
    ids = {hit.chunk.id for hit in cited}
    return make_timeline([*cited, *(hit for hit in evidence.hits if hit.chunk.id not in ids)])


def _numbered(draft: Draft) -> list[Citation]:
    """The citations and nearest passages of a draft, in order of number."""
    near = (one.citation for one in draft.nearest)
    known = {citation.number: citation for citation in (*draft.citations, *near)}
    return [known[number] for number in sorted(known)]
