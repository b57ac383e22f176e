"""Short answers without tables: names out of running text, lines of a register, counting on the calendar."""

from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.calendar_answers import calculated
from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.bench.measures import states
from timelens.documents import Event, EventSource, Hit
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval

TODAY = day_number(2021, 5, 6)
CAREER = [
    hit("a", ["In 1999 Ada Lind joined Aarau as a striker."], 1999, title="Ada Lind"),
    hit("b", ["In 2004 she signed for Basel United."], 2004, title="Ada Lind"),
    hit("c", ["In 2009 she was appointed head coach of Chur by Bo Falk."], 2009, title="Ada Lind"),
]
REGISTER = [
    hit(
        "r",
        [
            "Ada Lind plays for F.C. Aarau from Jan, 1999 to Jan, 2004.\n\n",
            "Ada Lind plays for Basel United from Jan, 2004 to Jan, 2008.\n\n",
            "Ada Lind plays for Chur from Jan, 2010 to Jan, 2012.\n\n",
            "Bo Falk plays for Davos from Jan, 2008 to Jan, 2010.\n\n",
            "Bo Falk is the chair of Alpine Union from Mar, 2011 to Jun, 2015.\n\n",
            "Cy Alm is the first head of the government of Elmton from Mar, 2001 to Jun, 2005.\n\n",
            "Di Ek served as a deputy mayor of Elmton from Mar, 2001 to Jun, 2005.\n\n",
            "Elm Ferries is headquartered in Oakham from Mar, 2001 to Jun, 2005.",
        ],
        1999,
        title="Players",
    )
]


def answer(question: str, evidence: list[Hit]) -> Draft:
    return answer_from(parse(question, TODAY), evidence, evidence)


@pytest.mark.parametrize(
    ("question", "value", "year"),
    [
        ("Which team did Ada Lind play for in 1999?", "Aarau", 1999),
        ("Which team did Ada Lind play for from 2004 to 2008?", "Basel United", 2004),
    ],
)
def test_the_value_is_short_and_the_text_quotes(question: str, value: str, year: int) -> None:
    draft = answer(question, CAREER)
    assert draft.values[0].text == value
    assert draft.values[0].start == day_number(year)
    assert draft.citations[0].hit.chunk.text in draft.text


def test_what_the_evidence_does_not_tell_is_refused() -> None:
    question = "Who was married to Ada Lind from 1972 to 1975?"
    assert answer(question, CAREER).status is Status.NO_ANSWER


def test_a_question_for_a_post_is_not_told_whatever_happened() -> None:
    told = hit("b", ["In 2012 the river froze over."], 2012, title="Elmton")
    assert "froze" in answer("What happened in 2012?", [told]).text
    draft = answer("What was her position in 2012?", [told])
    assert (draft.status, draft.citations) == (Status.NO_ANSWER, ())


def test_a_length_that_a_text_tells_of_another_time_is_no_answer() -> None:
    told = hit("b", ["In 2012 the ban on hosepipes lasted eight weeks."], 2012, title="Water")
    assert answer("How long did the ban on hosepipes last in 2012?", [told]).values[0].text == "eight weeks"
    assert answer("How long did the ban on hosepipes last in 2018?", [told]).status is Status.NO_ANSWER


def test_a_length_of_somebody_else_is_no_answer() -> None:
    sentences = [
        "The board of the choir has appointed Dr Ada Lind as director.",
        "She succeeds Bo Falk, who led the choir for eleven years and retires on 31 March 2011.",
    ]
    told = hit("c", sentences, 2011, title="News")
    assert answer("How long did Bo Falk lead the choir?", [told]).values[0].text == "eleven years"
    assert answer("How long was Dr Lind director?", [told]).status is Status.NO_ANSWER
    sentences = [
        "Bo Falk's resignation took effect today.",
        "The choir thanked him for nine years' work.",
        "Ada Lind was elected director.",
    ]
    told = hit("c", sentences, 2011, title="Minutes", best=1)
    assert answer("How long was Ada Lind director?", [told]).status is Status.NO_ANSWER


def test_what_happened_over_a_span_is_refused_where_no_stretch_fits() -> None:
    question = "Which award did Ada Lind receive from 1972 to 1975?"
    assert answer(question, CAREER).status is Status.NO_ANSWER


@pytest.mark.parametrize(
    ("years", "status"), [((1950, 1990), Status.NO_ANSWER), ((1972, 1973), Status.ANSWERED)]
)
def test_what_went_on_for_long_does_not_tell_what_happened_in_a_month(
    years: tuple[int, int], status: Status
) -> None:
    told = hit("l", ["Ada Lind kept painting for a prize of the Elm."], 1972, title="Ada Lind")
    time = Interval(day_number(years[0]), day_number(years[1]), Granularity.YEAR)
    chunk = replace(told.chunk, events=(Event(time, 0, EventSource.STATED, 1.0),))
    question = "Which prize did Ada Lind get in March 1972?"
    assert answer(question, [replace(told, chunk=chunk, interval=time)]).status is status


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which team did Ada Lind play for in May 2000?", ["F.C. Aarau"]),
        ("Which team did Ada Lind play for in Jan, 2004?", ["Basel United"]),
        ("Which team did Ada Lind play for after F.C. Aarau?", ["Basel United"]),
        ("Which team did Ada Lind play for before Chur?", ["Basel United"]),
        ("Who was the chair of Alpine Union in May, 2012?", ["Bo Falk"]),
        ("Who was the head of Elmton in May, 2002?", ["Cy Alm"]),
        ("Which position did Di Ek hold in May, 2002?", ["deputy mayor of Elmton"]),
        ("Where was Elm Ferries based in May, 2002?", ["Oakham"]),
        ("Which team did Ada Lind play for in March 2009?", []),
        ("Which team did Ada Lind play for before F.C. Aarau?", []),
    ],
)
def test_a_register_in_words_is_read_as_facts(question: str, values: list[str]) -> None:
    assert [value.text for value in answer(question, REGISTER).values][:1] == values


HOLDERS = [
    hit(
        "h",
        [
            "Ada Elm was Prime Minister of Arcadia from 11 March 1983 to 20 December 1991.\n\n",
            "Bo Fir was Prime Minister of Arcadia from 20 December 1991 to 3 May 1996.\n\n",
            "Cy Ash was Prime Minister of Arcadia since 3 May 1996.\n\n",
            "Di Oak was Deputy Prime Minister of Arcadia from 1 January 1990 to 1 January 2000.\n\n",
            "She was Prime Minister of Arcadia from 1 May 1979 to 1 May 1980.",
        ],
        1983,
        title="Arcadia",
    )
]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Who was Prime Minister of Arcadia in June 1995?", ["Bo Fir"]),
        ("Who was Prime Minister of Arcadia after 2001?", ["Cy Ash"]),
        ("Who was Deputy Prime Minister of Arcadia in June 1995?", ["Di Oak"]),
        ("Who was the first to become Prime Minister of Arcadia since 1985?", ["Bo Fir"]),
        ("Who was the last person to become Prime Minister of Arcadia before 1996?", ["Bo Fir"]),
        ("Who was the latest person to become Prime Minister of Arcadia on 3 May 1996?", ["Cy Ash"]),
        ("Who was Prime Minister of Arcadia in 1979?", []),
    ],
)
def test_holders_of_an_office_are_read_as_facts(question: str, values: list[str]) -> None:
    assert [value.text for value in answer(question, HOLDERS).values][:1] == values


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the time 7 year and 11 month before Sep, 1104", "Oct, 1096"),
        ("What date is 90 days before 1 March 2020?", "2 December 2019"),
        ("Which month comes 7 months after August 1999?", "March 2000"),
    ],
)
def test_the_calendar_answers_by_itself(question: str, said: str) -> None:
    draft = calculated(parse(question, TODAY))
    assert draft is not None
    assert draft.values[0].text == said
    assert states(draft.text, said)
    assert draft.citations == ()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many days are there between 1 March 2019 and 5 March 2020?", "370 days"),
        ("how many days from 3 to 17 May 2020", "14 days"),
        ("How many days between 5 March 2020 and 1 March 2019?", "370 days"),
        ("How many weeks from 2019-03-01 to 2020-03-05?", "52 weeks and 6 days (370 days)"),
        ("How many weeks between 3 May 2021 and 17 May 2021?", "2 weeks (14 days)"),
        ("How many months are between 31 January 2019 and 5 March 2019?", "1 month and 5 days (33 days)"),
        ("How many months from May 2019 to June 2020?", "13 months"),
        ("How long is it from 1 March 2019 to 5 March 2020?", "1 year and 4 days (370 days)"),
        ("How many years between 1066 and 1966?", "900 years"),
        ("How many days since 1 March 2019?", "1,919 days"),
        ("How many days is it until 31 May 2024?", None),
        ("How many days is it until 3 June 2024?", "2 days"),
        ("How many days between 1 March 2019 and today?", "1,919 days"),
    ],
)
def test_the_calendar_counts_between_two_dates(question: str, told: str | None) -> None:
    draft = calculated(parse(question, day_number(2024, 6, 1)))
    assert (draft.text.partition(":")[0] if draft else None) == told


@pytest.mark.parametrize(
    "question",
    [
        "Who was president three years before May 1990?",
        "How many days was the hall shut between 3 May 2020 and 5 May 2020?",
        "How many days between 2012 and 2014?",
        "How many days are there from the flood to 3 May 2020?",
        "How long was the strike of 2012?",
        "How many months between 2012 and May 2014?",
        "What happened two weeks after 3 May 2019?",
        "When was 1 May 2019?",
        "When was the merger?",
    ],
)
def test_what_takes_evidence_is_not_calculated(question: str) -> None:
    assert calculated(parse(question, TODAY)) is None
