"""From a parsed question to the steps that gather its evidence."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.question.implicit import described
from timelens.question.model import ParsedQuestion, Plan, Step
from timelens.question.names import names_in
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
        Step(number, text, None, "when the event was") for number, text in enumerate(wanted, start=1)
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
    return replace(parsed, core=core, constraints=tuple(constraints))


def make_plan(parsed: ParsedQuestion, before: Sequence[Step] = ()) -> Plan:
    """The retrieval steps of a question, each with its own sub-query and days, after the lookups.

    Two periods to compare give a step each (TEMPO's baseline and comparison) and one for what lies between
    them.
    """
    if len(parsed.comparison) >= 2:
        baseline, comparison = parsed.comparison[:2]
        steps = [
            (parsed.core, baseline, "baseline period"),
            (parsed.core, comparison, "comparison period"),
            (parsed.core, parsed.window, "change between them"),
        ]
    else:
        purpose = "evidence for the asked period" if parsed.window else "evidence"
        # Without a date "the first" is part of the topic: texts say of such things that they were first. And
        # an event that stands for a time is: texts tell of both together.
        whole = parsed.window is None or before
        steps = [(parsed.question if whole else parsed.core, parsed.window, purpose)]
    numbered = (Step(number, *step) for number, step in enumerate(steps, start=len(before) + 1))
    return Plan((*before, *numbered))


def whole_question(parsed: ParsedQuestion) -> Plan:
    """The plan of a strategy that knows nothing of time: the question as it is, once."""
    return Plan((Step(1, parsed.question, parsed.window, "evidence"),))
