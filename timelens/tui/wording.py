"""The actions of the agent in words for the chat. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from timelens import Coverage, Covered, Ordinal, ParsedQuestion, Plan, Step, StepKind
from timelens.answer.rendering.labels import periods_words
from timelens.folders import ALL_CORPORA
from timelens.history import KeptExchange
from timelens.printable import counted, printable_line, shortened
from timelens.temporal import Interval, format_day, phrase

if TYPE_CHECKING:
    from timelens import CorpusSummary, DatedEvent

_MOST_GAPS = 3
_MOST_PERIODS = 6
_MOST_STEPS = 8
_LONGEST_LOOK_UP = 80
_LONGEST_TOPIC = 300


def describe(summary: "CorpusSummary", left_out: Sequence[str] = ()) -> str:
    """The content of a corpus, the period it covers, and the corpora it leaves out."""
    span = f", {phrase(summary.span)}" if summary.span else ""
    without = f"; without {', '.join(left_out)}" if left_out else ""
    return f"{counted(summary.documents, 'document')}, {counted(summary.chunks, 'passage')}{span}{without}"


def parsed_line(parsed: ParsedQuestion) -> str:
    """The topic, the periods that are asked about, and the order if one is asked for."""
    time = periods_words(parsed.periods) or "no time asked for"
    order = [] if parsed.ordinal is None else [_order(parsed.ordinal, parsed.count)]
    return " · ".join([f"topic: {shortened(parsed.core, _LONGEST_TOPIC)}", time, *order])


def about_span(typed: str, span: Interval) -> str:
    """A question about a span of days: the typed text with the span, else a follow-up with the span."""
    words = phrase(span)
    begun = typed.strip().rstrip("?").rstrip()
    if not begun:
        return f"What about {words}?"
    if " to " in words:
        return f"{begun} from {words}?"
    return f"{begun} {'on' if span.days == 1 else 'in'} {words}?"


def corpus_words(address: str) -> str:
    """The name of a corpus with a saved address; empty if the address is empty."""
    return "all corpora" if address == ALL_CORPORA else printable_line(address)


def asked_line(when: str, kept: KeptExchange) -> str:
    """When a saved question was asked, of which corpus, by which strategy, and as of which day."""
    named = (when, corpus_words(kept.corpus), kept.strategy, f"as of {format_day(kept.as_of)}")
    return " · ".join(filter(None, named))


def whose_line(question: str, *, nothing_found: bool) -> str:
    """The question of the shown evidence, for when it is not the last question."""
    before = "Nothing was found for the last question. " if nothing_found else ""
    return f"{before}Evidence of an earlier question: {shortened(printable_line(question), _LONGEST_LOOK_UP)}"


def deleted_line(count: int, days: int) -> str:
    """The number of conversations that were deleted at the start, and the setting responsible."""
    deleted = f"Deleted {counted(count, 'conversation')} without a question for {counted(days, 'day')}"
    return f"{deleted} (history.keep_days in the configuration)."


def earlier_line(left: int) -> str:
    """The number of questions of a conversation that are not on the screen yet."""
    return f"{counted(left, 'earlier question')}: scroll up, or write all of them with /export FILE."


def reworded_line(question: str) -> str:
    """The complete form in which a follow-up question is read."""
    return f"read as: {shortened(question, _LONGEST_TOPIC)}"


def plan_line(plan: Plan) -> str:
    """The steps with their kinds, their days, and the steps they depend on."""
    if len(plan.steps) == 1:
        return f"plan: {_step(plan.steps[0])}"
    named = [f"{step.number}{_after(step)} {_step(step)}" for step in plan.steps[:_MOST_STEPS]]
    more = len(plan.steps) - _MOST_STEPS
    return "plan: " + "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def is_search(step: Step) -> bool:
    """Whether a step searches for its own evidence; a change may be derived from other steps."""
    return step.kind is not StepKind.CHANGE or step.window is not None


def step_line(step: Step, hits: int, milliseconds: float, steps: int) -> str:
    """The number of passages that a step found, and its duration."""
    number = f" {step.number} of {steps}" if steps > 1 else ""
    return f"retrieved{number}: {counted(hits, 'passage')} in {milliseconds:,.0f} ms"


def dated_line(event: "DatedEvent") -> str:
    """The time of an event that the question names."""
    return f"found: {shortened(printable_line(event.text), _LONGEST_TOPIC)}: {phrase(event.interval)}"


def coverage_lines(coverage: Coverage) -> list[str]:
    """The coverage by evidence, if a time was asked for; one line for each of several periods."""
    if len(coverage.periods) == 1:
        covered = coverage.periods[0]
        if not covered.share:
            return [f"coverage: no evidence for {phrase(covered.period)}"]
        return [f"coverage: evidence for {covered.share:.0%} of the asked time{_gaps(covered)}"]
    lines = [
        f"coverage, {phrase(covered.period)}: {_covered(covered)}"
        for covered in coverage.periods[:_MOST_PERIODS]
    ]
    rest = coverage.periods[_MOST_PERIODS:]
    return [*lines, f"coverage, {len(rest)} more: evidence for {_reached(rest)}"] if rest else lines


def summary_line(steps: int, hits: int, milliseconds: float, coverage: Coverage | None) -> str:
    """All steps in one line, shown after they are finished."""
    parts = [counted(steps, "step"), counted(hits, "passage"), f"{milliseconds:,.0f} ms"]
    if coverage is not None and coverage.share is not None:
        if len(coverage.periods) > 1:
            parts.append(f"evidence for {_reached(coverage.periods)} periods")
        elif coverage.share:
            parts.append(f"evidence for {coverage.share:.0%} of the asked time")
        else:
            parts.append("no evidence for the asked time")
    return " · ".join(parts)


def _step(step: Step) -> str:
    """The purpose of a step, with its kind; for a look-up, the text that is looked up."""
    if step.kind in {StepKind.HOP, StepKind.EVENT}:
        return f"{step.kind} “{shortened(printable_line(step.query), _LONGEST_LOOK_UP)}”"
    what = step.purpose if str(step.kind) in step.purpose else f"{step.kind}, {step.purpose}"
    when = phrase(step.window) if step.window else "any time"
    return f"{what} ({when})" if is_search(step) else what


def _after(step: Step) -> str:
    *others, last = [str(number) for number in step.needs] or [""]
    return f" after {' and '.join(filter(None, [', '.join(others), last]))}:" if last else ""


def _covered(covered: Covered) -> str:
    return f"{covered.share:.0%}{_gaps(covered)}" if covered.share else "none"


def _gaps(covered: Covered) -> str:
    if not covered.gaps:
        return ""
    named = ", ".join(phrase(gap) for gap in covered.gaps[:_MOST_GAPS])
    more = len(covered.gaps) - _MOST_GAPS
    return f"; none for {named}" + (f" and {more} more" if more > 0 else "")


def _reached(periods: Sequence[Covered]) -> str:
    return f"{sum(covered.share > 0 for covered in periods)} of {len(periods)}"


def _order(ordinal: Ordinal, count: int) -> str:
    if isinstance(ordinal, str):
        return f"the {ordinal} {count}" if count > 1 else f"the {ordinal}"
    return f"number {ordinal}" if ordinal > 0 else f"number {-ordinal} from the end"
