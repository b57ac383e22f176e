"""A question that the calendar answers without a corpus, as a stream of events."""

from timelens.agent.events import AgentEvent, Answer, Answered, Parsed, Token
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.calendar_answers import calculated, impossible_date
from timelens.errors import BadInputError
from timelens.question.parse import parse
from timelens.question.parsed_question import Plan
from timelens.retrieval.request import Coverage
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions


def calculate(question: str, reference_day: Day, conventions: Conventions = USUAL) -> tuple[AgentEvent, ...]:
    """All events for a question that the calendar answers without a corpus; empty for any other.

    Raises:
        BadInputError: the only time of the question is a date that does not exist, or counts from one.
    """
    watch = Stopwatch()
    parsed = parse(question, reference_day, conventions)
    draft = calculated(parsed, conventions)
    if draft is None:
        if no_date := impossible_date(parsed.question, reference_day, conventions):
            raise BadInputError(f"{no_date} is no date", "correct it")
        return ()
    watch.lap("parse")
    answer = Answer(
        question=question,
        status=draft.status,
        text=draft.text,
        values=draft.values,
        citations=(),
        time_references=(),
        plan=Plan(()),
        coverage=Coverage(),
        notes=(),
        timings_ms=watch.milliseconds,
        periods=parsed.periods,
    )
    return Parsed(parsed), Token(draft.text), Answered(answer)
