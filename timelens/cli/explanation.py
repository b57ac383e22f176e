"""How a question was answered, for people: reading, steps, candidates with scores, decisions, times."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from timelens import (
    Answered,
    Dated,
    Gathered,
    Parsed,
    Reading,
    Reworded,
    StepDone,
    Thought,
    calculate,
    parse,
)
from timelens.answer.rendering.timeline import label
from timelens.cli.console import show
from timelens.cli.reading_display import show_question
from timelens.printable import counted, printable_line, shortened
from timelens.temporal import phrase

if TYPE_CHECKING:
    from timelens import AgentEvent, Answer, Decision, Hit, Scores, Settings
    from timelens.temporal import Day

_MOST_CANDIDATES = 20
"""Maximum number of pieces of evidence listed; all are counted."""
_MOST_READ = 8
"""Maximum number of spans listed for a decision; all are counted."""
_LONGEST_SAID = 60
"""Maximum number of characters shown of a span."""


def calendar_events(question: str, day: "Day", settings: "Settings") -> "tuple[AgentEvent, ...]":
    """The events to show for a question that needs no corpus; empty for any other.

    Raises:
        BadInputError: the question is empty or counts from what is no date.
    """
    answer = calculate(question, as_of=day, settings=settings)
    if answer is None:
        return ()
    return Parsed(parse(question, day, settings.time.conventions)), Answered(answer)


def show_explained(events: "Iterable[AgentEvent]") -> "Answer":
    """Show the events on the way to an answer, and return the answer without showing it."""
    for event in events:
        match event:
            case Reworded(question):
                _head("Read as")
                show(Text(printable_line(question)))
            case Parsed(parsed, notes):
                _head("Question")
                show_question(Reading(parsed, notes))
                _head("Search")
            case StepDone(step, hits, milliseconds):
                when = phrase(step.window) if step.window else "any time"
                found = f"{counted(hits, 'passage')} in {milliseconds:.0f} ms"
                show(Text(printable_line(f"step {step.number}: {step.query}  [{when}]  {found}")))
            case Dated(event=dated):
                show(Text(printable_line(f"{dated.text}: {phrase(dated.interval)}")))
            case Gathered(timeline=timeline, pool=pool, decisions=decisions):
                numbers = {one.hit.chunk.id: one.number for one in timeline.citations}
                _show_candidates(pool, numbers)
                for number, decision in enumerate(decisions, start=1):
                    _show_decision(decision, number if len(decisions) > 1 else None)
            case Thought(text):
                show(Text(f"model: {printable_line(text)}", style="dim"))
            case Answered(answer):
                _head("Time")
                parts = (f"{name} {taken:.0f} ms" for name, taken in answer.timings_ms.items())
                show(Text(printable_line(" · ".join(parts))))
                _head("Answer")
                return answer
            case _:
                pass
    raise TypeError("a stream ends with an answer")


def _head(title: str) -> None:
    show(Text(f"\n{title}", style="bold"))


def _show_candidates(pool: "Sequence[Hit]", numbers: dict[str, int]) -> None:
    """All hits, best first, with scores, time, and number in the timeline."""
    _head(f"Candidates ({len(pool)})")
    if not pool:
        return
    table = Table(box=None, pad_edge=False)
    for heading in (
        "rank",
        "in timeline",
        "final",
        "semantic",
        "keyword",
        "temporal",
        "time",
        "passage",
        "by",
    ):
        table.add_column(heading)
    for rank, hit in enumerate(pool[:_MOST_CANDIDATES], start=1):
        number = numbers.get(hit.chunk.id)
        cells = (
            *(str(rank), "" if number is None else f"[{number}]"),
            *_scored(hit.scores),
            *(label(hit), hit.chunk.id, " → ".join(hit.passed)),
        )
        table.add_row(*(Text(printable_line(cell)) for cell in cells))
    show(table)
    if len(pool) > _MOST_CANDIDATES:
        show(Text(f"and {len(pool) - _MOST_CANDIDATES} more", style="dim"))


def _scored(scores: "Scores") -> Iterator[str]:
    for score in (scores.final, scores.semantic, scores.keyword, scores.temporal):
        yield "" if score is None else f"{score:.2f}"


def _show_decision(decision: "Decision", period: int | None) -> None:
    """The source of the answer, and the probability of each span read."""
    _head("Decision" if period is None else f"Decision on period {period}")
    show(Text(f"from: {decision.way}"))
    if not decision.candidates:
        return
    show(Text(f"given as the answer from {1 - decision.risk:.0%} on (risk {decision.risk:.2f}):"))
    for one in decision.candidates[:_MOST_READ]:
        text = shortened(one.text, _LONGEST_SAID)
        said = f"{one.probability:>5.0%}  {text}  ({label(one.hit)}, {one.hit.chunk.id})"
        show(Text(printable_line(said)))
    if len(decision.candidates) > _MOST_READ:
        show(Text(f"and {len(decision.candidates) - _MOST_READ} more", style="dim"))
