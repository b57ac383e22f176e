"""Drafts with their evidence, for a question and for each clause of a question that asks several things."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from timelens.agent.events import GatheredEvidence
from timelens.agent.shown import shown_first
from timelens.answer.answered_values import answered_values
from timelens.answer.draft import Draft
from timelens.answer.writing.clause_answers import of_clauses
from timelens.question.followup.conversation import Turn
from timelens.question.intent import asks_for_time
from timelens.question.parsed_question import Plan, Step
from timelens.question.plan import numbered
from timelens.retrieval.coverage import by_turns
from timelens.retrieval.request import Coverage
from timelens.temporal.phrasing import phrase

_LONGEST = 366
"""Maximum number of days of a time that dates what is asked next."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Drafted:
    """The draft of an answer, and the evidence, whose coverage includes the citations of the draft."""

    asked: str
    """The question that is answered, before its descriptions are resolved."""
    evidence: GatheredEvidence
    draft: Draft

    @property
    def turn(self) -> Turn:
        """The context for the clause after this one."""
        told = tuple(answered_values(self.draft.values, self.draft.citations))
        shown = shown_first(self.draft.values, self.draft.citations, self.draft.nearest)
        return Turn(self.asked, told, shown=shown)

    @property
    def time_told(self) -> str:
        """The time in words that the answer to a question for a time tells, of at most a year; else empty."""
        told = self.turn.told
        time = told[0].interval if len(told) == 1 else None
        if time is None or time.days > _LONGEST or not asks_for_time(self.asked):
            return ""
        return f"{'on' if time.days == 1 else 'in'} {phrase(time)}"


def joined(question: str, clauses: Sequence[Drafted]) -> Drafted:
    """The draft and the evidence for ``question``, from those for each of its clauses.

    If there are several clauses, the topic is that of the first one, and the periods are those of all.
    """
    found = [clause.evidence for clause in clauses]
    first = found[0]
    if len(clauses) == 1:
        asked = clauses[0].asked
        return replace(clauses[0], evidence=replace(first, read_as=None if asked == question else asked))

    def every(values: Callable[[GatheredEvidence], Iterable[T]]) -> tuple[T, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(map(values, found))))

    asked = " ".join(clause.asked for clause in clauses)
    steps: list[Step] = []
    for one in found:
        steps += numbered(one.plan.steps, steps)
    evidence = replace(
        first,
        parsed=replace(first.parsed, question=question, periods=every(lambda one: one.parsed.periods)),
        read_as=asked,
        plan=Plan(tuple(steps)),
        parts=tuple(chain.from_iterable(one.parts for one in found)),
        hits=tuple(by_turns([one.hits for one in found])),
        pool=tuple(by_turns([one.pool for one in found])),
        coverage=Coverage(every(lambda one: one.coverage.periods)),
        events=tuple(chain.from_iterable(one.events for one in found)),
        notes=every(lambda one: one.notes),
        timings_ms=_summed([one.timings_ms for one in found]),
    )
    return Drafted(asked, evidence, of_clauses([clause.draft for clause in clauses]))


def _summed(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The milliseconds of each stage."""
    stages = dict.fromkeys(chain.from_iterable(timings))
    return {stage: sum(each.get(stage, 0.0) for each in timings) for stage in stages}
