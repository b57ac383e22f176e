"""Questions with times that are named beside them: by a client, or by the options of a command. Pure."""

from collections.abc import Sequence

from timelens.errors import BadInputError
from timelens.question.parse import LONGEST, parse, readable
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval, day_interval
from timelens.temporal.phrasing import phrase


def with_periods(question: str, periods: Sequence[str] = ()) -> str:
    """A question that also asks about periods, each worded as in a question ("2015", "before 1990").

    Raises:
        BadInputError: the question is empty or not UTF-8 text, or is too long.
    """
    asked = readable(question).strip()
    named = [readable(period).strip() for period in periods]
    if named:
        asked = f"{asked.rstrip('?. ')} {' and '.join(map(_as_phrase, named))}?"
    if len(asked) > LONGEST:
        raise BadInputError(f"the question has more than {LONGEST:,} characters", "shorten the question")
    return asked


def within(question: str, days: Interval, today: Day, conventions: Conventions = USUAL) -> str:
    """A question about the given days only, of which one side may be open.

    A question that names a time among these days is returned unchanged. What it leaves out of all times, it
    leaves out of these days.

    Raises:
        BadInputError: the question names a time that is not among them; also as :func:`with_periods`.
    """
    parsed = parse(readable(question), today, conventions)
    own = [period.interval for period in parsed.periods]
    if parsed.left_out and not all(map(days.contains, own)):  # "except in 2005" leaves something of any time
        question = with_periods(question, [_worded(days)])
        own = [period.interval for period in parse(question, today, conventions).periods]
    if not all(map(days.contains, own)):
        raise BadInputError(
            "the question names a time of its own that goes beyond the given period",
            "leave that time out of the question, or leave out the period",
        )
    return question if own else with_periods(question, [_worded(days)])


def _as_phrase(period: str) -> str:
    """A period as a question words it: "2015" as "in 2015"; text that does not begin with a digit is kept."""
    return f"in {period}" if period[:1].isdigit() else period


def _worded(days: Interval) -> str:
    first = "" if days.start is None else phrase(day_interval(days.start))
    last = "" if days.end is None else phrase(day_interval(days.end - 1))
    if not last:
        return f"since {first}"
    return f"from {first} to {last}" if first else f"until {last}"
