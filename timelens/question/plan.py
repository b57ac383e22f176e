"""From a parsed question to the steps that gather its evidence."""

from collections.abc import Sequence

from timelens.question.model import ParsedQuestion, Plan, Step


def lookups(parsed: ParsedQuestion) -> tuple[Step, ...]:
    """Steps that find out when something was: events that stand for a time, and what is offered to order."""
    _, verb, rest = parsed.core.partition(" ")
    told = rest.partition(",")[0]
    wanted = [time.text for time in parsed.implicit]
    wanted += [f"{thing}{verb}{told}" for thing in parsed.offered]
    return tuple(
        Step(number, text, None, "when the event was") for number, text in enumerate(wanted, start=1)
    )


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
