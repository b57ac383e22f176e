"""Dated statements of what was read: courses, neighbours, lengths."""

import pytest
from evidence import hit

from timelens.answer.drafts import from_ends, from_neighbour, from_values
from timelens.answer.model import Statement, Status
from timelens.answer.picking import Pick
from timelens.answer.reading import Expected
from timelens.answer.topic import topic_of
from timelens.answer.values import neighbours, statements_of, values_over_time
from timelens.documents import Hit
from timelens.temporal.calendar import day_number
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval, day_interval, year_interval

TOPIC = topic_of("Who was treasurer?", [])


def paper(name: str, text: str, year: int) -> Hit:
    return hit(name, [text], year, title="Minutes")


def said(value: str, year: int) -> Statement:
    place = paper(f"{value}-{year}", f"{value} was there.", year)
    return Statement("Minutes", "", value, year_interval(year), place, 0.6)


def pick(value: str, year: int, score: float) -> Pick:
    return Pick(value, paper(f"{value}-{year}", f"{value} was there.", year), score, 0)


TREASURERS = [said("Bo Falk", 2014), said("Ada Lind", 2016), said("Cyd Ross", 2019)]


def test_of_one_sentence_the_likeliest_counts() -> None:
    place = paper("a", "Bo Falk (treasurer), Cyd Ross", 2014)
    found = [Pick("Bo Falk", place, 1.0, 0), Pick("Cyd Ross", place, 0.5, 0)]
    assert [one.value for one in statements_of(found, None, 0.0)] == ["Bo Falk"]


def test_only_what_is_likely_and_in_the_asked_time_is_stated() -> None:
    found = [pick("Bo Falk", 2014, 1.0), pick("Ada Lind", 2016, 1.0), pick("Cyd Ross", 2015, -3.0)]
    stated = statements_of(found, Interval(day_number(2015), day_number(2018)), -1.0)
    assert [one.value for one in stated] == ["Ada Lind"]


@pytest.mark.parametrize(
    ("name", "relation", "value"),
    [
        ("Ada Lind", Relation.BEFORE, "Bo Falk"),
        ("Ada", Relation.AFTER, "Cyd Ross"),
        ("Bo Falk", Relation.BEFORE, None),
        ("Cyd Ross", Relation.AFTER, None),
        ("Eve Moor", Relation.BEFORE, None),
        ("Ada Lind", Relation.IN, None),
    ],
)
def test_neighbours_stand_next_in_time(name: str, relation: Relation, value: str | None) -> None:
    pair = neighbours(TREASURERS, name, relation)
    assert (None if pair is None else pair[0].value) == value


def test_what_came_next_is_told_with_both_sentences() -> None:
    draft = from_neighbour((TREASURERS[0], TREASURERS[1]), Expected.PERSON, TOPIC)
    assert draft.text.split("\n") == [
        "Bo Falk [1].",
        "2014: Bo Falk was there. [1]",
        "2016: Ada Lind was there. [2]",
    ]
    assert draft.statements == (TREASURERS[0], TREASURERS[1])


def test_a_course_needs_two_values_and_keeps_to_the_usual_unit() -> None:
    rents = [said("£412", 2014), said("£425", 2016), said("12 boxes", 2017)]
    assert [one.value for one in values_over_time(rents)] == ["£412", "£425"]
    assert values_over_time([said("£412", 2014), said("£412", 2016)]) == []
    assert values_over_time([]) == []


def test_a_course_ends_with_how_far_it_has_come() -> None:
    draft = from_values([said("£412", 2014), said("£425", 2016)], TOPIC)
    assert draft.status is Status.ANSWERED
    assert "£412" in draft.text.split("\n")[0]
    assert len(draft.derived) == 1
    assert "13" in draft.derived[0].text


def end(value: str, day: int) -> Statement:
    place = paper(value, f"It was so on {value}.", 2014)
    return Statement("Minutes", "", value, day_interval(day), place, 0.6)


def test_a_length_is_told_with_both_ends() -> None:
    first, last = end("1 May 2014", day_number(2014, 5, 1)), end("1 August 2015", day_number(2015, 8, 1))
    draft = from_ends(first, last, TOPIC)
    assert draft is not None
    lead = draft.text.split("\n")[0]
    assert lead == "1 year and 3 months (1 May 2014 to 1 August 2015) [1][2]."
    assert draft.derived[0].text == lead
    assert draft.derived[0].operands == (first, last)


def test_no_length_runs_backwards() -> None:
    first, last = end("1 May 2014", day_number(2014, 5, 1)), end("1 August 2015", day_number(2015, 8, 1))
    assert from_ends(last, first, TOPIC) is None
    assert from_ends(first, first, TOPIC) is None
