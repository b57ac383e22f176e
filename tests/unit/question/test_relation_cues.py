import pytest

from timelens.question.parse import parse
from timelens.question.roles import Role
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval

TODAY = day_number(2021, 5, 6)
HELD, START, END = Role.HELD, Role.START, Role.END

Expected = list[tuple[Relation | Allen, Role, str]]


def days(interval: Interval | None) -> str:
    assert interval is not None
    return " ".join(".." if end is None else format_day(end) for end in (interval.start, interval.end))


@pytest.mark.parametrize(
    ("question", "core", "expected"),
    [
        (
            "Who was in office for the whole of 1999?",
            "Who was in office?",
            [(Allen.CONTAIN, HELD, "1999-01-01 1999-01-02"), (Allen.CONTAIN, HELD, "1999-12-31 2000-01-01")],
        ),
        (
            "Who was in office for the entire year 1999?",
            "Who was in office?",
            [(Allen.CONTAIN, HELD, "1999-01-01 1999-01-02"), (Allen.CONTAIN, HELD, "1999-12-31 2000-01-01")],
        ),
        (
            "Whose term spans the period from May 1990 to 1995?",
            "Whose term?",
            [(Allen.CONTAIN, HELD, "1990-05-01 1990-05-02"), (Allen.CONTAIN, HELD, "1995-12-31 1996-01-01")],
        ),
        (
            "Who served entirely within the 1990s?",
            "Who served?",
            [
                (Allen.DURING, START, "1990-01-01 2000-01-01"),
                (Allen.DURING, END, "1990-01-01 2000-01-01"),
            ],
        ),
        (
            "Who held office exactly from 3 May 2000 to June 2004?",
            "Who held office?",
            [(Allen.EQUAL, START, "2000-05-03 2000-05-04"), (Allen.EQUAL, END, "2004-06-01 2004-07-01")],
        ),
        (
            "Who was in office immediately before 5 May 1990?",
            "Who was in office?",
            [(Allen.MEET, HELD, "1990-05-04 1990-05-05")],
        ),
        (
            "Who was mayor right after 1990?",
            "Who was mayor?",
            [(Allen.MET_BY, HELD, "1991-01-01 1991-01-02")],
        ),
        (
            "Who took over right after 1990?",
            "Who took over?",
            [(Relation.AFTER, START, "1991-01-01 ..")],
        ),
        (
            "Who was in office throughout 1999?",
            "Who was in office?",
            [(Relation.IN, HELD, "1999-01-01 2000-01-01")],
        ),
        (
            "Who began exactly half a year before 20 March 2001?",
            "Who began?",
            [(Relation.ON, START, "2000-09-20 2000-09-21")],
        ),
        (
            "Who started before the end of 2019 and left between the end of 2019 and the start of 2022?",
            "Who started and left?",
            [(Relation.BEFORE, START, ".. 2020-01-01"), (Relation.BETWEEN, END, "2019-12-31 2022-01-02")],
        ),
        (
            "Who led it until at least the end of 2019 but not beyond 2024?",
            "Who led it?",
            [(Relation.UNTIL, HELD, ".. 2020-01-01"), (Relation.BY, HELD, ".. 2025-01-01")],
        ),
    ],
)
def test_how_a_fact_lies_to_a_period(question: str, core: str, expected: Expected) -> None:
    parsed = parse(question, TODAY)
    found = [(one.relation, one.role, days(one.interval)) for one in parsed.constraints]
    assert (found, parsed.core) == (expected, core)


def test_as_of_leaves_the_order_and_the_other_dates_in_the_topic() -> None:
    parsed = parse("who last won the cup in 2016 as of 2020", TODAY)
    assert parsed.core == "Who last won the cup in 2016"
    assert parsed.ordinal == "last"
    assert [days(one.interval) for one in parsed.constraints] == ["2016-01-01 2017-01-01", ".. 2021-01-01"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the reigning monarch of Norway?",
        "What is the present legal status of it?",
        "Who is president at the moment?",
        "Who is president at the present time?",
    ],
)
def test_more_words_for_now(question: str) -> None:
    assert parse(question, TODAY).current


@pytest.mark.parametrize(
    "question", ["Who was there at the moment of the crash?", "Who lives in the present day?"]
)
def test_what_is_not_now(question: str) -> None:
    assert not parse(question, TODAY).current
