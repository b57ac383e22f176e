import pytest

from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.constraints import Relation

TODAY = day_number(2025, 6, 1)


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("minutes from june 2021", Relation.IN),
        ("find all the invoices from last spring", Relation.IN),
        ("Which studies from 2011 mention eels?", Relation.IN),
        ("Are there any postcards from 1938?", Relation.IN),
        ("Do we have drawings from 1907?", Relation.IN),
        ("What did the diary from May 1902 mention?", Relation.IN),
        ("only those from 2018", Relation.IN),
        ("Ann's sketches from 1999", Relation.IN),
        ("Who ran the mill from 1921?", Relation.SINCE),
        ("Who lived there from 1921?", Relation.SINCE),
        ("Where did she teach from 1921?", Relation.SINCE),
        ("From 1921 she taught where?", Relation.SINCE),
        ("Which firm runs the ferry from 1921?", Relation.SINCE),
        ("Which firm owns Hartley Mill from 1921?", Relation.SINCE),
        ("people who kept bees from 1921", Relation.SINCE),
        ("the course of the rate from 1921", Relation.SINCE),
        ("sales from 2015 onwards", Relation.SINCE),
        ("Who lived there from 2015 on?", Relation.SINCE),
    ],
)
def test_from_is_a_beginning_only_behind_a_verb(question: str, relation: Relation) -> None:
    parsed = parse(question, TODAY)
    assert [one.relation for one in parsed.constraints] == [relation]


def test_two_years_of_things_are_two_periods() -> None:
    parsed = parse("postcards from 1938 and 1941", TODAY)
    assert [one.interval.bounds[1] - one.interval.bounds[0] for one in parsed.periods] == [365, 365]
    assert parsed.core == "postcards"


def test_each_year_from_a_year_goes_on_until_now() -> None:
    assert len(parse("List the winners for each year from 2020", TODAY).periods) == 6


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What does the letter say about 1921?", Relation.IN),
        ("Tell us more about March 1921", Relation.IN),
        ("What did Ann write to the board about 1921?", Relation.IN),
        ("Is there an article about 1921?", Relation.IN),
        ("Who ran the mill about 1721?", Relation.AROUND),
        ("Which book was printed about 1721?", Relation.AROUND),
        ("Who is known to have lived about 1721?", Relation.AROUND),
        ("Who lived there in about 1721?", Relation.AROUND),
    ],
)
def test_about_is_a_vague_date_unless_something_is_told(question: str, relation: Relation) -> None:
    assert [one.relation for one in parse(question, TODAY).constraints] == [relation]


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("What does the letter say about the 1921 flood?", "What does the letter say about the flood?"),
        ("What was rebuilt after the 1921 flood?", "What was rebuilt after the flood?"),
        ("Who lived there in about 1721?", "Who lived there?"),
        ("Who lived there from 2015 on?", "Who lived there?"),
    ],
)
def test_the_topic_stays_readable(question: str, core: str) -> None:
    assert parse(question, TODAY).core == core
