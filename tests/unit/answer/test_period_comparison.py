"""Answers to several periods, put together."""

import re

import pytest
from evidence import hit
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Citation, Draft, Nearest, Statement, Status, Value
from timelens.answer.writing.period_comparison import combined
from timelens.documents import Fact, Hit
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, year_interval

TODAY = day_number(2021, 5, 6)
COMPARED = parse("What was the toll in 2005 compared with 2010?", TODAY)
ASKED = parse("What was the toll in 2005 and in 2010?", TODAY)
CITED = re.compile(r"\[(\d+)\]")


def row(value: str, first: int, last: int, column: str = "Toll") -> Hit:
    fact = Fact(((column, value),), day_number(first), day_number(last), Granularity.DAY)
    return hit(f"row {value} {first}", [f"Toll: {value}"], first, fact=fact)


def stated(found: Hit, value: str, column: str = "Toll", number: int = 1) -> Draft:
    """What a draft from one row looks like."""
    statement = Statement("the bridge", column, value, found.interval, found, 1.0)
    return Draft(
        Status.ANSWERED,
        f"{value}: the bridge [{number}].",
        (Value(value, None, None, (number,)),),
        (Citation(number, found),),
        (statement,),
    )


NOTHING = Draft(Status.NO_ANSWER, "Nothing was found for 2010.")


def test_each_period_has_its_line_and_the_difference_follows() -> None:
    draft = combined(
        COMPARED, [stated(row("5.25", 2004, 2007), "5.25"), stated(row("4.00", 2009, 2011), "4.00")]
    )
    assert draft.text.splitlines() == [
        "2005: 5.25: the bridge [1].",
        "2010: 4.00: the bridge [2].",
        "Difference: −1.25, from 5.25 (2005) to 4.00 (2010), over 5 years [1][2].",
    ]
    assert draft.status is Status.ANSWERED
    assert [value.citations for value in draft.values] == [(1,), (2,)]
    assert [line.text for line in draft.derived] == draft.text.splitlines()[2:]


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Was the toll lower in 2010 than in 2005?", "Yes [1][2]."),
        ("Was the toll higher in 2010 than in 2005?", "No [1][2]."),
    ],
)
def test_a_comparison_is_answered_yes_or_no_and_its_difference_goes_forward(
    question: str, verdict: str
) -> None:
    drafts = [stated(row("4.00", 2009, 2011), "4.00"), stated(row("5.25", 2004, 2007), "5.25")]
    assert combined(parse(question, TODAY), drafts).text.splitlines() == [
        verdict,
        "2010: 4.00: the bridge [1].",
        "2005: 5.25: the bridge [2].",
        "Difference: −1.25, from 5.25 (2005) to 4.00 (2010), over 5 years [2][1].",
    ]


@pytest.mark.parametrize(
    ("question", "values", "told"),
    [
        ("Was the toll lower in 2005 or in 2010?", ["4.00", "5.25"], "2005: 4.00, against 5.25 [1][2]."),
        ("Was the toll higher in 2005 or in 2010?", ["4.00", "5.25"], "2010: 5.25, against 4.00 [1][2]."),
        ("In which year was the toll highest, 2005 or 2010?", ["£9", "£5"], "2005: £9, against £5 [1][2]."),
        ("Was the toll higher in 2005 or in 2010?", ["4", "4"], "2005 and 2010: 4 [1][2]."),
        (
            "Was the toll higher in 2005, 2010 or 2015?",
            ["4", "6", "5"],
            "2010: 6, against 4 and 5 [1][2][3].",
        ),
        ("Was the toll higher in 2005 or in 2010?", ["4 crowns", "5 ducats"], None),
        ("Was Ada keeper in 2005 or in 2010?", ["4", "5"], None),
    ],
)
def test_of_periods_that_are_offered_the_one_with_more_or_less_is_told(
    question: str, values: list[str], told: str | None
) -> None:
    drafts = [stated(row(value, 2005 + 5 * i, 2006 + 5 * i), value) for i, value in enumerate(values)]
    draft = combined(parse(question, TODAY), drafts)
    assert [line.text for line in draft.derived] == ([] if told is None else [told])
    assert draft.text.splitlines()[:1] == [told or f"2005: {values[0]}: the bridge [1]."]


def test_where_nothing_is_compared_no_difference_is_told() -> None:
    draft = combined(
        ASKED, [stated(row("5.25", 2004, 2007), "5.25"), stated(row("4.00", 2009, 2011), "4.00")]
    )
    assert (len(draft.text.splitlines()), draft.derived) == (2, ())


@pytest.mark.parametrize(
    ("one", "other", "column", "told"),
    [
        ("2", "5", "Percent", "Difference: +3 percentage points, from 2 (2005) to 5 (2010)"),
        ("2", "5", "Rate (per cent)", "Difference: +3 percentage points, from 2 (2005) to 5 (2010)"),
        ("2", "5", "Percentile", "Difference: +3, from 2 (2005) to 5 (2010)"),
        ("2 %", "-1 %", "Rate", "Difference: −3 percentage points, from 2 % (2005) to -1 % (2010)"),
        ("1 crown", "3 crowns", "Toll", "Difference: +2 crowns, from 1 crown (2005) to 3 crowns (2010)"),
        (
            "$2 million",
            "$3 million",
            "Toll",
            "Difference: +$1 million, from $2 million (2005) to $3 million (2010)",
        ),
        ("1,200", "3,700", "Toll", "Difference: +2,500, from 1,200 (2005) to 3,700 (2010)"),
        ("0 to 1", "5", "Toll", "Difference: +4.5, from 0 to 1 (2005) to 5 (2010)"),
        ("1", "1", "Toll", "No change: 1 (2005 and 2010)"),
        ("Ada", "Ada", "Keeper", "No change: Ada (2005 and 2010)"),
    ],
)
def test_a_difference_is_told_with_its_sign_and_unit(one: str, other: str, column: str, told: str) -> None:
    drafts = [
        stated(row(one, 2004, 2006, column), one, column),
        stated(row(other, 2009, 2011, column), other, column),
    ]
    (line,) = combined(COMPARED, drafts).derived
    assert line.text.startswith(told)
    assert line.text.endswith("[1][2].")


@pytest.mark.parametrize(("one", "other"), [("Ada", "Bob"), ("2 crowns", "3 ducats"), ("2", "Bob")])
def test_what_cannot_be_subtracted_has_no_difference(one: str, other: str) -> None:
    drafts = [stated(row(one, 2004, 2006), one), stated(row(other, 2009, 2011), other)]
    assert combined(COMPARED, drafts).derived == ()


def test_what_did_not_change_is_said_once() -> None:
    always = stated(row("Ada", 1999, 2020), "Ada")
    draft = combined(ASKED, [always, always])
    assert draft.text == "2005 and 2010: Ada: the bridge [1]."
    assert len(draft.citations) == len(draft.values) == 1
    three = parse("What was the toll in 2005, 2010 and 2015?", TODAY)
    assert combined(three, [always] * 3).text == "2005, 2010 and 2015: Ada: the bridge [1]."


def test_a_period_without_an_answer_is_named() -> None:
    draft = combined(COMPARED, [stated(row("5.25", 2004, 2007), "5.25"), NOTHING])
    assert draft.status is Status.PARTIAL
    assert draft.text.splitlines() == ["2005: 5.25: the bridge [1].", NOTHING.text]
    assert draft.derived == ()
    assert combined(COMPARED, [NOTHING, NOTHING]).status is Status.NO_ANSWER
    assert combined(COMPARED, [NOTHING, NOTHING]).values == ()


def test_the_nearest_passage_may_be_the_answer_to_another_period() -> None:
    found = hit("text", ["The toll was 3 in 2005."], 2005)
    line = "2005: The toll was 3 in 2005. [1]"
    told = Draft(Status.ANSWERED, line, (), (Citation(1, found),))
    near = Draft(
        Status.NO_ANSWER,
        f"No clear statement was found for 2010. Nearest:\n{line}",
        nearest=(Nearest(Citation(1, found), None),),
    )
    draft = combined(ASKED, [told, near])
    assert draft.text.splitlines() == [line, "No clear statement was found for 2010. Nearest:", line]
    assert [one.period for one in draft.nearest] == [year_interval(2010)]


@pytest.mark.parametrize(
    "question", ["Was it so before 2005 and since 2010?", "Was it so in 44 BC versus 31 BC?"]
)
def test_open_periods_and_old_ones_are_compared_too(question: str) -> None:
    drafts = [stated(row("5", 2004, 2007), "5"), stated(row("4", 2009, 2011), "4")]
    assert combined(parse(question, TODAY), drafts).status is Status.ANSWERED


HITS = [
    *(
        hit(f"text {n}", [f"The toll was {n} crowns.", "It was paid."], 2000 + n, best=n % 2)
        for n in range(6)
    ),
    *(row(str(n), 2000 + n, 2003 + n) for n in range(4)),
]
TIMES = [Interval(None, day_number(2005)), year_interval(2005), Interval(day_number(2010), None)]


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """A draft with any citations, each used in a line of its own."""
    found = draw(st.lists(st.sampled_from(HITS), max_size=4, unique_by=lambda one: one.chunk.id))
    numbers = draw(st.permutations(range(1, len(found) + 1)))
    citations = tuple(Citation(number, one) for number, one in zip(numbers, found, strict=True))
    lines = "\n".join(f"{one.hit.chunk.text} [{one.number}]" for one in citations)
    status = draw(st.sampled_from(Status)) if found else Status.NO_ANSWER
    if status is Status.NO_ANSWER:
        near = tuple(Nearest(citation, None) for citation in citations)
        return Draft(status, f"Nothing.\n{lines}".strip(), nearest=near)
    values = tuple(Value(one.hit.chunk.text, None, None, (one.number,)) for one in citations)
    statements = tuple(
        Statement(
            "s", "", draw(st.sampled_from(["1", "2 %", "a", ""])), draw(st.sampled_from(TIMES)), one.hit, 0.5
        )
        for one in citations
    )
    return Draft(status, lines, values, citations, statements)


@given(st.data(), st.sampled_from([COMPARED, ASKED]))
def test_every_number_in_the_text_is_a_citation_or_a_nearest_and_none_is_missing(
    data: st.DataObject, question: ParsedQuestion
) -> None:
    parts = data.draw(st.lists(drafts(), min_size=2, max_size=2))
    draft = combined(question, parts)
    cited = {citation.number: citation.hit for citation in draft.citations}
    near = {one.citation.number: one.citation.hit for one in draft.nearest}
    numbers = set(map(int, CITED.findall(draft.text)))
    assert numbers == {*cited, *near}
    assert all(near[number] == cited[number] for number in {*near} & {*cited})
    assert len({(one.chunk.id, one.sentence) for one in (near | cited).values()}) == len(numbers)
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert all(number in cited for value in draft.values for number in value.citations)
    for part in parts:  # each line still cites what it was cited for
        for citation in (*part.citations, *(one.citation for one in part.nearest)):
            new = next(number for number, found in (near | cited).items() if found == citation.hit)
            assert f"{citation.hit.chunk.text} [{new}]" in draft.text
    answered = [part.status is not Status.NO_ANSWER for part in parts]
    expected = Status.ANSWERED if all(answered) else Status.PARTIAL if any(answered) else Status.NO_ANSWER
    assert draft.status is expected
