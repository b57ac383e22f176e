"""Logs a stream of events; texts of questions, evidence and answers are logged only at level DEBUG."""

import logging
from collections.abc import Generator, Iterator
from typing import TypeVar

from timelens.agent.events import (
    AgentEvent,
    Answered,
    Dated,
    Gathered,
    GatheredEvidence,
    Parsed,
    Planned,
    StepDone,
)
from timelens.answer.draft import Decision, Thought
from timelens.temporal.phrasing import phrase

_log = logging.getLogger(__name__)
_Event = TypeVar("_Event", bound=AgentEvent | GatheredEvidence)


def logged(question: str, events: Iterator[_Event]) -> Iterator[_Event]:
    """The events of a question, each logged as it happens; closing this stream closes ``events``."""
    return _logged(question, events) if _log.isEnabledFor(logging.INFO) else events


def _logged(question: str, events: Iterator[_Event]) -> Iterator[_Event]:
    _log.debug("question: %s", question)
    try:
        for event in events:
            _log_event(event)
            yield event
    finally:
        if isinstance(events, Generator):
            events.close()


def _log_event(event: AgentEvent | GatheredEvidence) -> None:
    match event:
        case Parsed(parsed):
            asked = ", ".join(phrase(period.interval) for period in parsed.periods) or "any time"
            _log.info("read: intent %s, focus %s, time %s", parsed.intent, parsed.focus, asked)
            _log.debug("topic: %s", parsed.core)
        case Planned(plan):
            _log.info("planned: steps %d", len(plan.steps))
        case StepDone(step, hits, milliseconds):
            window = phrase(step.window) if step.window else "any time"
            _log.info("step %d in %s: passages %d, %.0f ms", step.number, window, hits, milliseconds)
            _log.debug("step %d: %s", step.number, step.query)
        case Dated(dated):
            _log.info("an event of the question: %s", phrase(dated.interval))
        case Gathered(timeline, coverage, notes, _, pool, decisions):
            share = "none asked" if coverage.share is None else f"{coverage.share:.2f}"
            _log.info("found: passages %d, shown %d, cover %s", len(pool), len(timeline.citations), share)
            for hit in pool:
                _log.debug("candidate %s: final %s", hit.chunk.id, hit.scores.final)
            for decision in decisions:
                _log_decision(decision)
            _log_notes(notes)
        case Thought(text):
            _log.debug("model: %s", text)
        case Answered(answer):
            _log.info(
                "answer: %s, citations %d, values %d, %s",
                answer.status,
                len(answer.citations),
                len(answer.values),
                ", ".join(f"{name} {taken:.0f} ms" for name, taken in answer.timings_ms.items()),
            )
            _log.debug("answer: %s", answer.text)
        case _:
            pass


def _log_decision(decision: Decision) -> None:
    best = max((one.probability for one in decision.candidates), default=None)
    read = "nothing read" if best is None else f"read {len(decision.candidates)}, the likeliest {best:.2f}"
    _log.info("decided by %s: %s, risk %.2f", decision.way, read, decision.risk)
    for one in decision.candidates:
        _log.debug("%.2f %s: %s", one.probability, one.hit.chunk.id, one.text)


def _log_notes(notes: tuple[str, ...]) -> None:
    for note in notes:  # notes may quote the question
        _log.debug("note: %s", note)
