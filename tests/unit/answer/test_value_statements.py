"""Dated statements of what was read: courses, neighbours, lengths."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Statement, Status
from timelens.answer.relevance import topic_of
from timelens.answer.text import value_statements
from timelens.answer.text.sentence_match import AnswerType
from timelens.answer.text.value_statements import changes, neighbours, values_over_time
from timelens.answer.writing.drafts import from_ends, from_neighbour, from_sentences, with_difference
from timelens.documents import Hit
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import AnswerSpan
from timelens.temporal.calendar import day_number
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import day_interval, year_interval
from timelens.temporal.phrasing import phrase

NOW = day_number(2024, 6, 30)
TOPIC = topic_of("Who was treasurer?", [])


def paper(name: str, text: str, year: int) -> Hit:
    return hit(name, [text], year, title="Minutes")


def said(value: str, year: int) -> Statement:
    place = paper(f"{value}-{year}", f"{value} was there.", year)
    return Statement("Minutes", "", value, year_interval(year), place, 0.6)


TREASURERS = [said("Bo Falk", 2014), said("Ada Lind", 2016), said("Cyd Ross", 2019)]


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


def test_whoever_held_it_before_does_not_come_next() -> None:
    on_the_day = [said("Ada Lind", 2016), said("Bo Falk", 2016)]  # "Bo Falk resigned, Ada Lind was elected"
    statements = [said("Bo Falk", 2014), *on_the_day, said("Cyd Ross", 2019)]
    pair = neighbours(statements, "Ada Lind", Relation.AFTER)
    assert pair is not None
    assert pair[0].value == "Cyd Ross"


@pytest.mark.parametrize(("likely", "lead"), [(0.7, "Bo Falk [1]."), (0.69, "Bo Falk, probably [1].")])
def test_what_came_next_is_told_with_both_sentences(likely: float, lead: str) -> None:
    pair = replace(TREASURERS[0], probability=0.9), replace(TREASURERS[1], probability=likely)
    draft = from_neighbour(pair, AnswerType.PERSON, TOPIC)
    assert draft.text.split("\n") == [
        lead,
        "2014: Bo Falk was there. [1]",
        "2016: Ada Lind was there. [2]",
    ]
    assert draft.statements == pair


def test_a_sentence_that_states_both_neighbours_is_quoted_once() -> None:
    place = paper("a", "Ackroyd sold the house to Fenwick.", 2014)
    pair = replace(TREASURERS[0], value="Ackroyd", hit=place), replace(TREASURERS[1], hit=place)
    draft = from_neighbour(pair, AnswerType.PERSON, TOPIC)
    assert draft.text.split("\n")[1:] == ["2014: Ackroyd sold the house to Fenwick. [1]"]
    assert [one.number for one in draft.citations] == [1]
    assert draft.statements == pair


def test_a_sentence_that_another_line_begins_with_is_cited_there() -> None:
    words = ["The Falks held the mill.", "They sold it to a miller."]
    sold = [replace(hit("a", words, 2014, title="Minutes"), sentence=index) for index in (1, 0)]
    elsewhere = replace(hit("b", words[:1], 2014, title="Minutes"), sentence=0)
    later = replace(hit("c", words[:1], 2016, title="Minutes"), sentence=0)
    draft = from_sentences([*sold, elsewhere, later], AnswerType.ANY, TOPIC, Status.ANSWERED)
    assert draft.text.split("\n") == [
        "2014: The Falks held the mill. They sold it to a miller. [1][2][3]",
        "2016: The Falks held the mill. [4]",
    ]


def test_a_course_needs_two_values_and_keeps_to_the_usual_unit() -> None:
    rents = [said("£412", 2014), said("£425", 2016), said("12 boxes", 2017)]
    assert [one.value for one in values_over_time(rents)] == ["£412", "£425"]
    assert values_over_time([said("£412", 2014), said("£412", 2016)]) == []
    assert values_over_time([said("Ada Lind", 2014), said("Lind", 2016)]) == []
    assert values_over_time([]) == []


def test_what_did_not_change_is_told_once() -> None:
    chairs = [said("Ada Lind", 2014), said("Lind", 2015), said("Bo Falk", 2016), said("Ada Lind", 2019)]
    assert changes(chairs) == [chairs[0], *chairs[2:]]
    assert changes([]) == []


def told(*statements: Statement) -> Draft:
    return from_sentences([one.hit for one in statements], AnswerType.ANY, TOPIC, Status.ANSWERED)


def test_a_course_ends_with_how_far_it_has_come() -> None:
    unsure = [said("£412", 2014), said("£418", 2015), said("£425", 2016)]
    assert with_difference(told(*unsure), unsure) == told(*unsure)
    rents = [replace(one, probability=0.7) for one in unsure]
    draft = with_difference(told(*rents), rents)
    assert draft.text.split("\n")[:3] == told(*rents).text.split("\n")
    assert draft.text.split("\n")[3] == draft.derived[0].text
    assert "+£13" in draft.derived[0].text
    assert draft.derived[0].operands == (rents[0], rents[2])


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [said("£412", 2014), said("£425", 2016)],  # the last is not cited
        [said("£412", 2014), said("Bo Falk", 2015)],  # no number
        [said("£412", 2014)],
    ],
)
def test_where_ends_are_no_numbers_or_not_told_there_is_no_difference(statements: list[Statement]) -> None:
    draft = told(said("£412", 2014), said("Bo Falk", 2015))
    assert with_difference(draft, statements) == draft


class Scripted:
    """A reader that finds given words, as surely as is given."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def values(self, _: str, passages: Sequence[Passage]) -> list[AnswerSpan]:
        return [
            AnswerSpan(number, at, at + len(word), score)
            for number, passage in enumerate(passages)
            for word, score in self.scores.items()
            if (at := passage.text.find(word)) >= 0
        ]


def test_each_value_stands_with_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Chairs were Maas (1948–1969), Rijk (1969–1990) and, since 2004, Loos."
    monkeypatch.setattr(
        value_statements, "bundled_values_reader", lambda: Scripted(Maas=4.0, Rijk=4.0, Loos=4.0)
    )
    found = value_statements.values_in(parse("Who was chair?", NOW), [paper("a", text, 2006)])
    assert [(one.value, one.interval and phrase(one.interval)) for one in found] == [
        ("Maas", "1948 to 1969"),
        ("Rijk", "1969 to 1990"),
        ("Loos", "since 2004"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The share goes up from 5,500 to 7,000 this year.", "7,000"),
        ("The share was raised from 5,500 to 7,000.", "7,000"),
        ("We need 5,500 to 7,000 a year.", "5,500 to 7,000"),
    ],
)
def test_a_changed_number_is_what_it_is_changed_to(
    monkeypatch: pytest.MonkeyPatch, text: str, value: str
) -> None:
    read = {"5,500 to 7,000": 4.0}
    monkeypatch.setattr(value_statements, "bundled_values_reader", lambda: Scripted(**read))
    (found,) = value_statements.values_in(parse("What is the share?", NOW), [paper("a", text, 2014)])
    assert found.value == value


@pytest.mark.parametrize("question", ["Who is chair?", "Who is chair now?", "Who is currently chair?"])
def test_the_present_has_the_value_that_was_told_last(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    monkeypatch.setattr(value_statements, "bundled_values_reader", lambda: Scripted(Ada=3.0, Bo=3.0))
    papers = [paper("a", "Bo is chair.", 2014), paper("b", "Ada is chair.", 2019)]
    first, *_ = value_statements.agreed_picks(parse(question, NOW), papers)
    assert first.text == "Ada"


def test_what_was_read_surely_is_more_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_statements, "bundled_values_reader", lambda: Scripted(Bo=4.0, Ada=-2.0))
    found = value_statements.values_in(parse("Who was chair?", NOW), [paper("a", "Bo met Ada.", 2014)])
    likely = {one.value: one.probability for one in found}
    assert 0 < likely["Ada"] < likely["Bo"] < 1


def test_words_of_the_question_are_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_statements, "bundled_values_reader", lambda: Scripted(chair=4.0, Bo=4.0))
    found = value_statements.values_in(
        parse("Who was chair?", NOW), [paper("a", "The chair, Bo, spoke.", 2014)]
    )
    assert [one.value for one in found] == ["Bo"]


def end(value: str, day: int, probability: float = 0.6) -> Statement:
    place = paper(value, f"It was so on {value}.", 2014)
    return Statement("Minutes", "", value, day_interval(day), place, probability)


@pytest.mark.parametrize(("likely", "hedge"), [(0.8, ""), (0.5, ", probably")])
def test_a_length_is_told_with_both_ends(likely: float, hedge: str) -> None:
    first = end("1 May 2014", day_number(2014, 5, 1), likely)
    last = end("1 August 2015", day_number(2015, 8, 1), 0.9)
    draft = from_ends(first, last, TOPIC)
    assert draft is not None
    lead = draft.text.split("\n")[0]
    assert lead == f"1 year and 3 months (1 May 2014 to 1 August 2015){hedge} [1][2]."
    assert draft.derived[0].text == lead
    assert draft.derived[0].operands == (first, last)


def test_a_length_from_one_sentence_cites_it_alone() -> None:
    place = paper("a", "She served from 1 May 2014 to 1 August 2015.", 2014)
    first = replace(end("1 May 2014", day_number(2014, 5, 1), 0.9), hit=place)
    last = replace(end("1 August 2015", day_number(2015, 8, 1), 0.9), hit=place)
    draft = from_ends(first, last, TOPIC)
    assert draft is not None
    assert draft.text.split("\n")[0] == "1 year and 3 months (1 May 2014 to 1 August 2015) [1]."
    assert [value.citations for value in draft.values] == [(1,)]


def test_no_length_runs_backwards() -> None:
    first, last = end("1 May 2014", day_number(2014, 5, 1)), end("1 August 2015", day_number(2015, 8, 1))
    assert from_ends(last, first, TOPIC) is None
    assert from_ends(first, first, TOPIC) is None
