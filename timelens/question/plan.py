"""Plans the steps that gather the evidence for a parsed question."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from timelens.question.hops.hop import filled
from timelens.question.hops.hop_detection import Hops, hops_of
from timelens.question.implicit_times import describing_words
from timelens.question.names import names_in
from timelens.question.parsed_question import ParsedQuestion, PeriodRole, Plan, Step, StepKind
from timelens.question.periods import at
from timelens.question.roles import Role


def lookups(parsed: ParsedQuestion) -> tuple[Step, ...]:
    """The steps that date events.

    They are for events that identify a thing, events in place of a time, and alternatives to be ordered.
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
    """The event that identifies an unnamed thing in a question; empty if there is none.

    The event must contain a name, a number or an order.
    """
    event = describing_words(parsed.question).partition(" ")[2].strip()
    stands_for_a_time = any(event in implicit.text for implicit in parsed.implicit)
    is_told = names_in(event) or re.search(r"\d|\b(?:first|last|only|largest)\b", event)
    return event if event and is_told and not stands_for_a_time else ""


def without_description(parsed: ParsedQuestion) -> ParsedQuestion:
    """The question without the event that identifies a thing; its constraints then have the role ``HELD``."""
    told = describing_words(parsed.question)
    constraints = [
        replace(constraint, role=Role.HELD) if constraint.text in told else constraint
        for constraint in parsed.constraints
    ]
    core = " ".join(parsed.core.replace(describing_words(parsed.core), "").split())
    held = dict(zip(parsed.constraints, constraints, strict=True))
    periods = tuple(
        replace(period, constraints=tuple(held[one] for one in period.constraints))
        for period in parsed.periods
    )
    return replace(parsed, core=core, constraints=tuple(constraints), periods=periods)


def steps_of(hops: Hops, names: Mapping[int, str]) -> tuple[Step, ...]:
    """The hops as steps of a plan; unresolved hops are written in the words of the question."""
    told = dict(names)
    steps = []
    for hop in hops.hops:
        query = filled(hop.asks[0], told)
        told.setdefault(hop.number, filled(hop.text, told))
        steps.append(Step(hop.number, query, None, "what it stands for", StepKind.HOP, hop.needs))
    return tuple(steps)


def first_plan(parsed: ParsedQuestion) -> Plan:
    """The plan of a question before any lookup: hops, events, then periods."""
    hops = steps_of(hops_of(parsed.question), {})
    return make_plan(parsed, (*hops, *numbered(lookups(parsed), hops)))


def numbered(steps: Sequence[Step], behind: Sequence[Step]) -> tuple[Step, ...]:
    """Steps numbered after those of ``behind``."""
    return tuple(replace(step, number=step.number + len(behind)) for step in steps)


def make_plan(parsed: ParsedQuestion, before: Sequence[Step] = ()) -> Plan:
    """The retrieval steps of a question after the lookups ``before``, each with its sub-query and window.

    Each of several periods has its own step, and a change between them is derived from these. A change over
    one period has a step for each end (TEMPO's baseline and comparison) and one for the time between.
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
    # Without a date, "the first" is part of the topic, because texts state it. So is an event in place of
    # a time, because texts mention both together.
    whole = parsed.window is None or before
    query = parsed.question if whole else parsed.core
    return Plan((*before, Step(first, query, parsed.window, purpose, needs=looked_up)))


def _by_period(parsed: ParsedQuestion, first: int, looked_up: tuple[int, ...]) -> Iterator[Step]:
    """A step for each period; if they are compared, also a step without a search for the change."""
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
    """The plan of a strategy without temporal steps: one search with the unchanged question."""
    window = parsed.window if len(parsed.periods) <= 1 else None
    return Plan((Step(1, parsed.question, window, "evidence"),))
