"""From a parsed question to the steps that gather its evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from timelens.question.hop import filled
from timelens.question.hops import Hops, hops_of
from timelens.question.implicit import described
from timelens.question.model import ParsedQuestion, PeriodRole, Plan, Step, StepKind
from timelens.question.names import names_in
from timelens.question.periods import at
from timelens.question.roles import Role


def lookups(parsed: ParsedQuestion) -> tuple[Step, ...]:
    """Steps that find out when something was.

    These are events that tell a thing apart or stand for a time, and what is offered to be put in order.
    """
    _, verb, rest = parsed.core.partition(" ")
    told = rest.partition(",")[0]
    wanted = [*filter(None, [told_apart(parsed)]), *(time.text for time in parsed.implicit)]
    wanted += [f"{thing}{verb}{told}" for thing in parsed.offered]
    return tuple(
        Step(number, text, None, "when the event was", StepKind.EVENT)
        for number, text in enumerate(wanted, start=1)
    )


def told_apart(parsed: ParsedQuestion) -> str:
    """The event by which a question tells a thing that it does not name; empty where there is none.

    It must be told from others itself: by a name, a number or an order.
    """
    event = described(parsed.question).partition(" ")[2].strip()
    stands_for_a_time = any(event in implicit.text for implicit in parsed.implicit)
    is_told = names_in(event) or re.search(r"\d|\b(?:first|last|only|largest)\b", event)
    return event if event and is_told and not stands_for_a_time else ""


def without_description(parsed: ParsedQuestion) -> ParsedQuestion:
    """The question without the event that tells a thing apart; its days are those on which something held."""
    told = described(parsed.question)
    constraints = [
        replace(constraint, role=Role.HELD) if constraint.text in told else constraint
        for constraint in parsed.constraints
    ]
    core = " ".join(parsed.core.replace(described(parsed.core), "").split())
    held = dict(zip(parsed.constraints, constraints, strict=True))
    periods = tuple(
        replace(period, constraints=tuple(held[one] for one in period.constraints))
        for period in parsed.periods
    )
    return replace(parsed, core=core, constraints=tuple(constraints), periods=periods)


def steps_of(hops: Hops, names: Mapping[int, str]) -> tuple[Step, ...]:
    """The hops as steps of a plan; what is not known yet stands in the words of the question."""
    told = dict(names)
    steps = []
    for hop in hops.hops:
        query = filled(hop.asks[0], told)
        told.setdefault(hop.number, filled(hop.text, told))
        steps.append(Step(hop.number, query, None, "what it stands for", StepKind.HOP, hop.needs))
    return tuple(steps)


def first_plan(parsed: ParsedQuestion) -> Plan:
    """The plan of a question before anything is looked up: its hops, its events, then its periods."""
    hops = steps_of(hops_of(parsed.question), {})
    return make_plan(parsed, (*hops, *numbered(lookups(parsed), hops)))


def numbered(steps: Sequence[Step], behind: Sequence[Step]) -> tuple[Step, ...]:
    """Steps with numbers that go on behind those of others."""
    return tuple(replace(step, number=step.number + len(behind)) for step in steps)


def make_plan(parsed: ParsedQuestion, before: Sequence[Step] = ()) -> Plan:
    """The retrieval steps of a question, each with its own sub-query and days, after the lookups.

    Each of several periods has a step of its own, and what changed between them is worked out from these. A
    change over one period takes a step for each end (TEMPO's baseline and comparison) and one for what lies
    between them.
    """
    looked_up = tuple(step.number for step in before)
    first = len(before) + 1
    if len(parsed.periods) > 1:
        return Plan((*before, *_by_period(parsed, first, looked_up)))
    if len(parsed.comparison) >= 2:
        baseline, comparison = parsed.comparison[:2]
        ends = ((baseline, "baseline period"), (comparison, "comparison period"))
        steps = [
            Step(number, parsed.core, window, purpose, StepKind.PERIOD, looked_up)
            for number, (window, purpose) in enumerate(ends, start=first)
        ]
        steps.append(
            Step(first + 2, parsed.core, parsed.window, "change between them", StepKind.CHANGE, looked_up)
        )
        return Plan((*before, *steps))
    purpose = "evidence for the asked period" if parsed.window else "evidence"
    # Without a date "the first" is part of the topic: texts say of such things that they were first. And
    # an event that stands for a time is: texts tell of both together.
    whole = parsed.window is None or before
    query = parsed.question if whole else parsed.core
    return Plan((*before, Step(first, query, parsed.window, purpose, needs=looked_up)))


def _by_period(parsed: ParsedQuestion, first: int, looked_up: tuple[int, ...]) -> Iterator[Step]:
    """A step for each period, and one without a search for what changed, where they are compared."""
    number = first
    for number, period in enumerate(parsed.periods, start=first):
        needs = looked_up if period.role is PeriodRole.EVENT else ()
        purpose = f"{period.role} period"
        query = at(parsed, period).core
        yield Step(number, query, period.interval, purpose, StepKind.PERIOD, needs)
    if any(period.role is PeriodRole.COMPARISON for period in parsed.periods):
        steps = tuple(range(first, number + 1))
        yield Step(number + 1, parsed.core, None, "what changed between them", StepKind.CHANGE, steps)


def whole_question(parsed: ParsedQuestion) -> Plan:
    """The plan of a strategy that knows nothing of time: the question as it is, once."""
    window = parsed.window if len(parsed.periods) <= 1 else None
    return Plan((Step(1, parsed.question, window, "evidence"),))
