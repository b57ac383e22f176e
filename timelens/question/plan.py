"""From a parsed question to the steps that gather its evidence."""

from timelens.question.model import ParsedQuestion, Plan, Step, Window


def make_plan(parsed: ParsedQuestion) -> Plan:
    """The retrieval steps of a question, each with its own sub-query and days.

    Two periods to compare give a step each (TEMPO's baseline and comparison) and one for what lies between
    them; an event that stands for a time is looked up first.
    """
    steps: list[tuple[str, Window | None, str]] = [
        (event, None, "when the event was") for event in parsed.events
    ]
    if len(parsed.comparison) >= 2:
        baseline, comparison = parsed.comparison[:2]
        steps += [
            (parsed.core, baseline, "baseline period"),
            (parsed.core, comparison, "comparison period"),
            (parsed.core, parsed.window, "change between them"),
        ]
    else:
        purpose = "evidence for the asked period" if parsed.window else "evidence"
        # Without a date "the first" is part of the topic: texts say of such things that they were first.
        steps.append((parsed.core if parsed.window else parsed.question, parsed.window, purpose))
    return Plan(tuple(Step(number, *step) for number, step in enumerate(steps, start=1)))


def whole_question(parsed: ParsedQuestion) -> Plan:
    """The plan of a strategy that knows nothing of time: the question as it is, once."""
    return Plan((Step(1, parsed.question, parsed.window, "evidence"),))
