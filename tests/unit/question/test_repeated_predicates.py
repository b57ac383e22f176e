"""Follow-ups that deny the earlier question."""

from collections.abc import Sequence

import pytest

from timelens.question.followup.conversation import AnsweredValue, Turn, slots_of
from timelens.question.followup.resolve import resolve
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval

TODAY = parse_day("2024-12-31")


def held(text: str, start: str, end: str | None = None) -> AnsweredValue:
    days = parse_day(start), None if end is None else parse_day(end)
    return AnsweredValue(text, Interval(*days, Granularity.DAY), held=True)


def read(talk: Sequence[str | Turn], last: str) -> str | None:
    """The reading of the last text, after questions of which each may be a follow-up."""
    before: Turn | None = None
    for one in talk:
        turn = Turn(one) if isinstance(one, str) else one
        asked = None if before is None else resolve(turn.question, before, TODAY)
        before = Turn(asked or turn.question, turn.told).after(before)
    assert before is not None
    return resolve(last, before, TODAY)


@pytest.mark.parametrize(
    ("first", "last", "question"),
    [
        (
            "When will the new ferry sail?",
            "why not in 2024?",
            "Why will the new ferry not sail in 2024?",
        ),
        ("Did the mill reopen in 2019?", "why not?", "Why did the mill not reopen in 2019?"),
        (
            "Did the roof of the mill leak in May?",
            "why not?",
            "Why did the roof of the mill not leak in May?",
        ),
        ("When did they start?", "but why not earlier?", "Why did they not start earlier?"),
        (
            "When was the lock repaired?",
            "and why not before 2010?",
            "Why was the lock not repaired before 2010?",
        ),
        ("When will the new ferry sail?", "why not the old one?", None),
        ("How much was the toll?", "why not?", None),
    ],
)
def test_why_not_denies_the_earlier_question(first: str, last: str, question: str | None) -> None:
    assert read([first], last) == question


def test_a_denied_holder_is_the_one_who_was_told() -> None:
    turn = Turn("Who was organist in 2012?", (held("Ada Lind", "2010-01-01", "2014-01-01"),))
    assert resolve("why not in 2016?", turn, TODAY) == "Why was Ada Lind not organist in 2016?"


@pytest.mark.parametrize(
    ("last", "question"),
    [
        ("when was it ordered?", "When was the new ferry ordered?"),
        ("and why not in 2023?", "Why will the new ferry not sail in 2023?"),
        ("what will it cost?", "What will the new ferry cost?"),
    ],
)
def test_not_is_no_thing_that_pronouns_mean(last: str, question: str) -> None:
    assert read(["When will the new ferry sail?", "why not in 2024?"], last) == question


@pytest.mark.parametrize(
    ("clause", "phrases"),
    [
        ("Why will the ferry not sail", ["ferry"]),
        ("Why didn't the old pump start", ["old pump"]),
        ("When will the new bus shelter be built", ["new bus shelter", "built"]),
        ("what can the parish hall hold", ["parish hall"]),
    ],
)
def test_words_that_deny_and_verbs_are_no_things(clause: str, phrases: Sequence[str]) -> None:
    assert [clause[start:end] for start, end in slots_of(clause)] == phrases


GARDENER = Turn("Who swept the yard in 2012?", (held("Bo Ek", "2010-03-01", "2014-06-01"),))


@pytest.mark.parametrize(
    "text",
    [
        "Why not mend the roof in 2012?",
        "Why was the mill not sold in 2012?",
        "Who does the accounts now?",
        "Which year had the fewest swans?",
        "Who came after Mrs Moor?",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(text: str) -> None:
    assert resolve(text, GARDENER, TODAY) is None
