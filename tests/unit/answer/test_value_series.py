"""The values that an answer states over time: only what its lines say, with time and citation."""

from dataclasses import replace

import pytest
from evidence import hit, year

from timelens.agent import Answered, run_on
from timelens.answer.draft import Citation, Claim, Draft, Statement, Status, Support, Value
from timelens.answer.verification.value_series import series_stated
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number

TODAY = day_number(2024, 6, 30)
MINUTES = [
    hit(f"minutes-{when}", [f"The annual fee was {did} £{fee} in {when}.", "The roof leaks."], when)
    for when, did, fee in ((2011, "set at", 40), (2014, "raised to", 48), (2018, "raised to", 55))
]


def said(value: str, place: int, when: int | None) -> Statement:
    time = None if when is None else year(when)
    return Statement("Minutes", "", value, time, MINUTES[place], 0.9)


def stated(*series: Statement, claim: Claim, reworded: bool = False) -> tuple[Value, ...]:
    citations = tuple(Citation(number, found) for number, found in enumerate(MINUTES, start=1))
    draft = Draft(Status.ANSWERED, claim.text, citations=citations, series=series)
    return series_stated(draft, [claim], reworded=reworded)


LINE = Claim("2014: The annual fee was raised to £48 in 2014.", Support.SUPPORTED, False, (2,))


def test_a_value_is_told_with_its_time_and_its_citation_once() -> None:
    found = stated(said("£48", 1, 2014), said("£48", 1, 2014), claim=LINE)
    assert found == (Value("£48", day_number(2014), day_number(2015), (2,)),)


@pytest.mark.parametrize(
    ("statement", "claim"),
    [
        (said("£50", 1, 2014), LINE),  # the line has another value
        (said("£48", 0, 2014), LINE),  # and cites another piece of evidence
        (said("£48", 1, None), LINE),
        (said("£48", 1, 2014), replace(LINE, derived=True)),
    ],
)
def test_what_no_line_states_is_no_value(statement: Statement, claim: Claim) -> None:
    assert stated(statement, claim=claim) == ()


@pytest.mark.parametrize("support", [Support.UNSUPPORTED, Support.CONTRADICTED])
def test_the_words_of_a_model_have_to_be_borne_out(support: Support) -> None:
    doubtful = replace(LINE, support=support)
    assert stated(said("£48", 1, 2014), claim=LINE, reworded=True) != ()
    assert stated(said("£48", 1, 2014), claim=doubtful, reworded=True) == ()
    assert stated(said("£48", 1, 2014), claim=doubtful) != ()


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How did the annual fee change from 2010 to 2020?", ["£40", "£48", "£55"]),
        ("How did the annual fee in 2011 compare with 2018?", ["£40", "£55"]),
        ("What happened in 2014?", []),  # a sentence that is quoted whole
        ("Why was the chair replaced in 2011?", []),
    ],
)
def test_answers_from_texts_bring_the_values_that_they_state(question: str, values: list[str]) -> None:
    chunks = [found.chunk for found in MINUTES]
    *_, last = run_on(question, chunks, reference_day=TODAY, span=parse("2011 to 2018", TODAY).window)
    assert isinstance(last, Answered)
    answer = last.answer
    assert [value.text for value in answer.series] == values
    numbers = {citation.number for citation in answer.citations}
    assert numbers.issuperset(number for value in answer.series for number in value.citations)
