"""Names that look like times or orders, and topics that a time or an order must not be cut from."""

import pytest

from timelens.question.parse import parse
from timelens.question.parsed_question import Ordinal
from timelens.temporal.calendar import day_number

TODAY = day_number(2025, 6, 1)


@pytest.mark.parametrize(
    ("question", "timed"),
    [
        ("Which prizes did June win?", False),
        ("Who taught April Jones?", False),
        ("Where has April worked?", False),
        ("How did April compare with May?", True),
        ("Was June wetter than July?", True),
        ("Who won in April?", True),
    ],
)
def test_a_month_may_be_a_person(question: str, timed: bool) -> None:
    assert bool(parse(question, TODAY).constraints) is timed


@pytest.mark.parametrize(
    ("question", "core", "ordinal"),
    [
        ("Who was Henry the Eighth's second wife?", "Who was Henry the Eighth's wife?", 2),
        ("Who crowned Otto the Third?", "Who crowned Otto the Third?", None),
        ("Who was the second wife of Henry?", "Who was the wife of Henry?", 2),
        (
            "What differs between the second and the third draft?",
            "What differs between the second and the third draft?",
            None,
        ),
        ("Who spoke between the first act and the last act?",
         "Who spoke between the first act and the last act?", None),
        ("When was the first time it rained?", "When was the first time it rained?", "first"),
        ("When did it rain first?", "When did it rain?", "first"),
    ],
)  # fmt: skip
def test_only_an_order_is_an_order(question: str, core: str, ordinal: Ordinal | None) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, parsed.ordinal) == (core, ordinal)


@pytest.mark.parametrize(
    ("question", "current"),
    [
        ("Is she still treasurer?", True),
        ("Do we still use the old pump?", True),
        ("Which of them are still open?", True),
        ("Was she still treasurer?", False),
        ("Was she still treasurer in 1990?", False),
        ("Is she still treasurer after the merger?", False),
        ("Who still owed money?", False),
        ("Is the still clean?", False),
        ("Is a still life on show?", False),
    ],
)
def test_still_means_now_in_the_present_tense(question: str, current: bool) -> None:
    assert parse(question, TODAY).current is current


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("Was 2012 colder than the previous year?", "Was 2012 colder?"),
        ("How was last year for the club?", "How was last year for the club?"),
        ("What did in 2012 the club buy?", "What did the club buy?"),
        ("Tell us about the years from 1962 to 1965", "Tell us about the years from 1962 to 1965"),
        ("Tell me about the club in 1962", "Tell me about the club"),
    ],
)
def test_a_topic_stays_a_sentence(question: str, core: str) -> None:
    assert parse(question, TODAY).core == core


def test_weekdays_ago_are_counted() -> None:
    (period,) = parse("What did she paint two Mondays ago?", TODAY).periods
    assert (period.interval.start, period.interval.end) == (day_number(2025, 5, 19), day_number(2025, 5, 20))
