import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.question.orders import listing_of, order_of, time_beside
from timelens.question.parse import parse
from timelens.question.roles import Role
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.constraints import Relation

TODAY = day_number(2021, 5, 6)


@pytest.mark.parametrize(
    ("question", "ordinal", "count", "core"),
    [
        ("Who were the first three mayors?", "first", 3, "Who were the mayors?"),
        ("Who were the last two mayors before 1990?", "last", 2, "Who were the mayors?"),
        ("Who were the three most recent mayors?", "last", 3, "Who were the mayors?"),
        ("Which two most recent laws apply?", "last", 2, "Which laws apply?"),
        ("What are the top five earliest laws?", "first", 5, "What are the laws?"),
        ("Who were the next four mayors after 1990?", "first", 4, "Who were the mayors?"),
        ("Who were the previous 12 mayors?", "last", 12, "Who were the mayors?"),
        ("What were the first two of the floods?", "first", 2, "What were the floods?"),
        ("List in order the last twenty mayors.", "last", 20, "List the mayors."),
    ],
)
def test_several_from_one_end_are_counted(question: str, ordinal: str, count: int, core: str) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.ordinal, parsed.count, parsed.several, parsed.core) == (ordinal, count, True, core)


@pytest.mark.parametrize(
    "question",
    [
        "Who were the champions of the first division in 2016/17?",
        "Who lived on the 2nd floor in 2010?",
        "Who was first violin in 1999?",
    ],
)
def test_the_number_of_a_level_is_no_order(question: str) -> None:
    assert parse(question, TODAY).ordinal is None


@pytest.mark.parametrize(
    ("question", "ordinal"),
    [
        ("Who was the first mayor?", "first"),
        ("Who was the second to last mayor?", -2),
        ("Who was the third mayor?", 3),
        ("When did Apollo 11 first land?", "first"),
        ("What was the last 5.25 percent loan?", "last"),
        ("Which was the first four-minute mile?", "first"),
        ("Who ruled in the first two weeks?", "first"),
    ],
)
def test_one_thing_is_not_counted(question: str, ordinal: str | int) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.ordinal, parsed.count) == (ordinal, 1)


@given(st.integers(min_value=2, max_value=99), st.sampled_from(["first", "last", "latest", "earliest"]))
def test_a_count_in_figures_is_read_as_it_stands(count: int, word: str) -> None:
    order = order_of(f"Who were the {word} {count} mayors?", ())
    assert order is not None
    assert (order.count, order.text) == (count, f"the {word} {count}")


def test_of_several_the_beginnings_are_meant() -> None:
    for question in ("Who were the last two mayors before 1990?", "What was the last change before 1990?"):
        (constraint,) = parse(question, TODAY).constraints
        assert (constraint.relation, constraint.role) == (Relation.BEFORE, Role.START)
    (constraint,) = parse("Who was the last mayor before 1990?", TODAY).constraints
    assert constraint.role is Role.HELD
    (constraint,) = parse("How did the fare change in 1990?", TODAY).constraints
    assert constraint.role is Role.HELD


@pytest.mark.parametrize(
    ("question", "relation", "start", "end"),
    [
        ("What changed after the vote of 23 June 2016?", Relation.AFTER, "2016-06-24", None),
        ("What held before the great flood of May 1953?", Relation.BEFORE, None, "1953-05-01"),
        ("What held after the vote in June 2016?", Relation.IN, "2016-06-01", "2016-07-01"),
    ],
)
def test_the_date_of_an_event_takes_the_word_before_the_event(
    question: str, relation: Relation, start: str | None, end: str | None
) -> None:
    (constraint,) = parse(question, TODAY).constraints
    assert constraint.relation is relation
    assert constraint.interval is not None
    wanted = (None if start is None else parse_day(start), None if end is None else parse_day(end))
    assert (constraint.interval.start, constraint.interval.end) == wanted


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("List in order the laws.", "List the laws."),
        ("List, in the order in which they took effect, the laws.", "List the laws."),
        ("List in chronological order every law.", "List every law."),
        ("list every skipper, oldest first", "list every skipper"),
        ("everyone on the grill, first to last", "everyone on the grill"),
        ("all our cars one after the other", "all our cars"),
        ("name our vets in the order we used them", "name our vets"),
        ("all rents in order with their dates", "all rents with their dates"),
        ("Which came first, the shop or the pub?", "Which came first, the shop or the pub?"),
        ("List the laws in order of date.", "List the laws."),
        ("Which laws keep order in the town?", "Which laws keep order in the town?"),
    ],
)
def test_how_a_list_is_to_stand_is_no_topic(question: str, rest: str) -> None:
    kept = question
    for start, end in reversed(listing_of(question)):
        kept = f"{kept[:start].rstrip()} {kept[end:].lstrip()}"
    assert kept.replace(" .", ".").strip() == rest


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("The last two mayors - who took over, and when?", ", and when"),
        ("Name the last two mayors, with the dates.", ", with the dates"),
        ("Which were the first two laws, and when did each start?", ", and when did each start"),
        ("List every chair, with the year they took over.", ", with the year they took over"),
        ("When did the first two start?", None),
    ],
)
def test_the_time_that_is_asked_for_beside_a_list(question: str, asked: str | None) -> None:
    assert [question[start:end] for start, end in time_beside(question)] == ([asked] if asked else [])
