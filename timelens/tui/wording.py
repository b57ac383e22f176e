"""What the agent did, in words for the chat. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.events import DatedEvent
from timelens.answer.model import Support, TimeReference
from timelens.documents import Hit
from timelens.printable import printable_line
from timelens.question.model import Ordinal, ParsedQuestion, Plan, Step
from timelens.retrieval.model import Coverage
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

if TYPE_CHECKING:
    from timelens.store.corpus import CorpusSummary

_MOST_GAPS = 3
_LONGEST_HEADING = 200
_LONGEST_TOPIC = 300

SUPPORT_MARKS = {Support.SUPPORTED: "✓", Support.CONTRADICTED: "✗", Support.UNSUPPORTED: "?"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of an answer's text that states a time, and what the evidence says of it."""

    start: int
    end: int
    support: Support


def describe(summary: "CorpusSummary") -> str:
    """What a corpus holds, and from when to when."""
    span = f", {phrase(summary.span)}" if summary.span else ""
    return f"{_count(summary.documents, 'document')}, {_count(summary.chunks, 'passage')}{span}"


def shortened(text: str, most: int) -> str:
    """Cut to a number of letters, with an ellipsis where something is lost."""
    return text if len(text) <= most else text[: most - 1] + "…"


def heading(hit: Hit) -> str:
    """What to call a piece of evidence: its document's title, or the fields of a fact.

    Tables go from the general to the particular; here the particular comes first: ``Salyut 1, Soviet Union``.
    """
    fact = hit.chunk.fact
    named = ", ".join(value for _, value in reversed(fact.fields) if value) if fact else hit.chunk.title
    return shortened(printable_line(named) or printable_line(hit.chunk.document_id), _LONGEST_HEADING)


def parsed_line(parsed: ParsedQuestion) -> str:
    """The topic and the asked time."""
    time = "; ".join(phrase(period.interval) for period in parsed.periods) or "no time asked for"
    order = [] if parsed.ordinal is None else [_order(parsed.ordinal)]
    return " · ".join([f"topic: {shortened(parsed.core, _LONGEST_TOPIC)}", time, *order])


def reworded_line(question: str) -> str:
    """As what a question is read that follows up on what was said before."""
    return f"read as: {shortened(question, _LONGEST_TOPIC)}"


def plan_line(plan: Plan) -> str:
    """The steps in a row."""
    return "plan: " + ", then ".join(_step(step) for step in plan.steps)


def step_line(step: Step, hits: int, milliseconds: float, steps: int) -> str:
    """What a step brought."""
    number = f" {step.number} of {steps}" if steps > 1 else ""
    return f"retrieved{number}: {_count(hits, 'hit')} in {milliseconds:,.0f} ms"


def dated_line(event: DatedEvent) -> str:
    """When an event was that the question names."""
    return f"found: {shortened(printable_line(event.text), _LONGEST_TOPIC)}: {phrase(event.interval)}"


def coverage_line(coverage: Coverage) -> str | None:
    """How far the evidence reaches, if a time was asked for."""
    if coverage.share is None:
        return None
    line = f"coverage: evidence for {coverage.share:.0%} of the asked time"
    if not coverage.gaps:
        return line
    named = ", ".join(phrase(gap) for gap in coverage.gaps[:_MOST_GAPS])
    more = len(coverage.gaps) - _MOST_GAPS
    return f"{line}; none for {named}" + (f" and {more} more" if more > 0 else "")


def summary_line(steps: int, hits: int, milliseconds: float, coverage: Coverage | None) -> str:
    """All steps in one line, for when they are over."""
    parts = [_count(steps, "step"), _count(hits, "hit"), f"{milliseconds:,.0f} ms"]
    if coverage is not None and coverage.share is not None:
        parts.append(f"evidence for {coverage.share:.0%} of the asked time")
    return " · ".join(parts)


def date_marks(text: str, references: Sequence[TimeReference], missing: Iterable[Interval]) -> list[Mark]:
    """Where an answer states times, in order.

    ``missing`` are the times that it names because there is no evidence for them; they state nothing that
    evidence could support, and get no mark.
    """
    marks = []
    position = 0
    unstated = list(missing)
    for reference in references:
        start = text.find(reference.text, position)
        if start < 0:
            continue
        position = start + len(reference.text)
        interval = reference.interval
        if interval is None or reference.citations or not any(interval.same_days(t) for t in unstated):
            marks.append(Mark(start, position, reference.support))
    return marks


def dates_line(marks: Sequence[Mark]) -> str | None:
    """How many of the stated times the cited evidence supports."""
    if not marks:
        return None
    counts = Counter(mark.support for mark in marks)
    words = [f"{SUPPORT_MARKS[s]} {counts[s]} {s}" for s in Support if counts[s]]
    return "dates: " + " · ".join(words)


def _step(step: Step) -> str:
    return f"{step.purpose} ({phrase(step.window) if step.window else 'any time'})"


def _order(ordinal: Ordinal) -> str:
    if isinstance(ordinal, str):
        return f"the {ordinal}"
    return f"number {ordinal}" if ordinal > 0 else f"number {-ordinal} from the end"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
