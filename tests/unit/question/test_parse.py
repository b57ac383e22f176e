from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_time import assert_linear

from timelens.question.asked_numbers import counted_noun, numbered_noun, size_compared, size_offered
from timelens.question.intent import asks_for_state, asks_whether, either_of
from timelens.question.parse import LONGEST, parse
from timelens.question.parsed_question import (
    Constraint,
    Focus,
    Intent,
    Ordinal,
    ParsedQuestion,
    ReasoningClass,
    StepKind,
)
from timelens.question.plan import make_plan, whole_question
from timelens.question.roles import Role
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.constraints import Relation
from timelens.temporal.expressions import times_in_english
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.temporal.phrasing import phrase

TODAY = day_number(2021, 5, 6)
HELD, START, END = Role.HELD, Role.START, Role.END


def only(parsed: ParsedQuestion) -> Constraint:
    (constraint,) = parsed.constraints
    return constraint


def days(interval: Interval | None) -> tuple[int | None, int | None] | None:
    return None if interval is None else (interval.start, interval.end)


def between(start: str | None, end: str | None) -> tuple[int | None, int | None]:
    return (None if start is None else parse_day(start)), (None if end is None else parse_day(end))


Window = tuple[str | None, str | None] | None
Expected = tuple[Relation | None, Ordinal | None, Role, Window]


@pytest.mark.parametrize(
    ("question", "core", "expected"),
    [
        (
            "Who was president of France as of 6 May 2010?",
            "Who was president of France?",
            (Relation.AS_OF, None, HELD, (None, "2010-05-07")),
        ),
        (
            "Who was chancellor starting in May 1998?",
            "Who was chancellor?",
            (Relation.IN, None, Role.START, ("1998-05-01", "1998-06-01")),
        ),
        (
            "How did the rent change starting in May 1998?",
            "How did the rent change?",
            (Relation.SINCE, None, Role.START, ("1998-05-01", None)),
        ),
        (
            "Who reigned past December 30, 1998?",
            "Who reigned?",
            (Relation.AFTER, None, HELD, ("1998-12-31", None)),
        ),
        (
            "Which team was he on from 1998 to 2005?",
            "Which team was he on?",
            (Relation.FROM_TO, None, HELD, ("1998-01-01", "2006-01-01")),
        ),
        (
            "Who was chancellor from 1998 to 2005?",
            "Who was chancellor?",
            (Relation.FROM_TO, None, HELD, ("1998-01-01", "2006-01-01")),
        ),
        (
            "Who led the party until 1945?",
            "Who led the party?",
            (Relation.UNTIL, None, HELD, (None, "1946-01-01")),
        ),
        ("Who was mayor before 2001?", "Who was mayor?", (Relation.BEFORE, None, HELD, (None, "2001-01-01"))),
        ("Who was mayor after 2001?", "Who was mayor?", (Relation.AFTER, None, HELD, ("2002-01-01", None))),
        (
            "Who was mayor between 2012 and 2018?",
            "Who was mayor?",
            (Relation.BETWEEN, None, HELD, ("2012-01-01", "2019-01-01")),
        ),
        (
            "Who had become mayor by 2004?",
            "Who had become mayor?",
            (Relation.BY, None, START, (None, "2005-01-01")),
        ),
        ("Who was mayor in 2004?", "Who was mayor?", (Relation.IN, None, HELD, ("2004-01-01", "2005-01-01"))),
        (
            "Who was mayor on 4 May 2004?",
            "Who was mayor?",
            (Relation.ON, None, HELD, ("2004-05-04", "2004-05-05")),
        ),
        (
            "Who has been mayor since 2004?",
            "Who has been mayor?",
            (Relation.SINCE, None, HELD, ("2004-01-01", None)),
        ),
        (
            "In 2004, who was mayor?",
            "Who was mayor?",
            (Relation.IN, None, HELD, ("2004-01-01", "2005-01-01")),
        ),
        (
            "Who was the first mayor after 1998?",
            "Who was the mayor?",
            (Relation.AFTER, "first", HELD, ("1999-01-01", None)),
        ),
        (
            "Who was the last mayor before 2010?",
            "Who was the mayor?",
            (Relation.BEFORE, "last", HELD, (None, "2010-01-01")),
        ),
        (
            "What are the latest rules as of May 2021?",
            "What are the latest rules?",
            (Relation.AS_OF, "last", HELD, (None, "2021-06-01")),
        ),
        (
            "What was the latest rate on 4 May 2004?",
            "What was the rate?",
            (Relation.AS_OF, "last", HELD, (None, "2004-05-05")),
        ),
        ("Who was the second mayor of Rome?", "Who was the mayor of Rome?", (None, 2, HELD, None)),
        ("Who was the third to last mayor?", "Who was the mayor?", (None, -3, HELD, None)),
        ("Who was the 12th mayor?", "Who was the mayor?", (None, 12, HELD, None)),
        ("Who was the 1st mayor?", "Who was the mayor?", (None, "first", HELD, None)),
        ("Who was the penultimate mayor?", "Who was the mayor?", (None, -2, HELD, None)),
        ("What was the most recent eruption?", "What was the eruption?", (None, "last", HELD, None)),
        (
            "What was the earliest treaty in the 1990s?",
            "What was the treaty?",
            (Relation.IN, "first", HELD, ("1990-01-01", "2000-01-01")),
        ),
        (
            "Which mayor took office in 2004?",
            "Which mayor took office?",
            (Relation.IN, None, START, ("2004-01-01", "2005-01-01")),
        ),
        (
            "Which mayor left office in 2004?",
            "Which mayor left office?",
            (Relation.IN, None, END, ("2004-01-01", "2005-01-01")),
        ),
        (
            "Who won the super bowl 2018?",
            "Who won the super bowl 2018?",
            (Relation.IN, None, HELD, ("2018-01-01", "2019-01-01")),
        ),
        ("2019?", "2019?", (Relation.IN, None, HELD, ("2019-01-01", "2020-01-01"))),
        ("Who ruled in 44 BCE?", "Who ruled?", (Relation.IN, None, HELD, ("-0043-01-01", "-0042-01-01"))),
    ],
)
def test_a_question_is_taken_apart_into_topic_and_time(question: str, core: str, expected: Expected) -> None:
    relation, ordinal, role, window = expected
    parsed = parse(question, TODAY)
    constraint = only(parsed)
    assert parsed.core == core
    assert (constraint.relation, constraint.ordinal, constraint.role) == (relation, ordinal, role)
    assert days(constraint.interval) == (window and between(*window))
    assert constraint.text in question
    assert parsed.ordinal == (ordinal or ("last" if relation is Relation.AS_OF else None))


def test_around_reaches_beyond_the_date_on_both_sides() -> None:
    constraint = only(parse("What happened around 1450?", TODAY))
    assert constraint.relation is Relation.AROUND
    assert constraint.interval is not None
    assert constraint.interval.contains(year_interval(1449, 1451))
    assert not constraint.interval.contains(year_interval(1447, 1453))


def test_the_start_and_the_end_of_a_fact_are_constrained_apart() -> None:
    parsed = parse("Whose term started before 1 January 1985 and ended after 30 December 1992?", TODAY)
    assert [(c.relation, c.role, days(c.interval)) for c in parsed.constraints] == [
        (Relation.BEFORE, START, between(None, "1985-01-01")),
        (Relation.AFTER, END, between("1992-12-31", None)),
    ]
    assert parsed.core == "Whose term started and ended?"
    assert days(parsed.window) == (None, None)


@pytest.mark.parametrize(
    ("question", "role", "year"),
    [
        ("Who was Prime Minister of Arcadia 2 years before 2015?", HELD, 2013),
        ("Whose term as mayor of Rome ended 2 years before 2015?", Role.END, 2013),
        ("Whose tenure as mayor of Rome got under way 3 years after 2005?", Role.START, 2008),
    ],
)
def test_years_are_counted_from_a_year(question: str, role: Role, year: int) -> None:
    parsed = parse(question, TODAY)
    assert (only(parsed).role, parsed.window, parsed.implicit) == (role, year_interval(year), ())


@pytest.mark.parametrize(
    ("question", "ordinal"),
    [
        ("Which position did John Manners, 2nd Duke of Rutland hold in Mar, 1701?", None),
        ("Who was the 2nd Duke of Rutland in 1701?", 2),
    ],
)
def test_the_number_in_a_title_behind_a_name_is_no_order(question: str, ordinal: int | None) -> None:
    assert parse(question, TODAY).ordinal == ordinal


@pytest.mark.parametrize(
    "question",
    ["Who is the current mayor of Rome?", "Who is mayor of Rome now?", "Who is mayor of Rome today?"],
)
def test_current_means_as_of_the_reference_day(question: str) -> None:
    parsed = parse(question, TODAY)
    assert parsed.current
    assert parsed.intent is Intent.ONGOING_STATUS
    assert parsed.focus is Focus.RECENCY
    assert only(parsed).relation is Relation.AS_OF
    assert days(parsed.window) == (None, TODAY + 1)
    assert parsed.core in {"Who is the mayor of Rome?", "Who is mayor of Rome?"}
    assert days(parse(question, 0).window) == (None, 1)


def test_a_question_without_time_has_none() -> None:
    parsed = parse("What is the capital of Norway?", TODAY)
    assert parsed.core == parsed.question
    assert (parsed.constraints, parsed.window, parsed.ordinal, parsed.implicit) == ((), None, None, ())
    assert (parsed.current, parsed.comparison, parsed.anchors, parsed.signals) == (False, (), (), ())
    assert parsed.intent is Intent.NONE
    assert parsed.focus is Focus.NONE
    assert parsed.reasoning_class is ReasoningClass.OTHER
    assert parsed.is_point


@pytest.mark.parametrize(
    "question",
    [
        "How did the price of wheat move before 2015?",
        "How has Acme Inc. performed since 2015?",
        "How did attendance fluctuate in the 1990s?",
    ],
)
def test_how_something_went_is_a_course_of_time(question: str) -> None:
    assert parse(question, TODAY).focus is Focus.CHANGE_OVER_TIME
    assert not parse(question, TODAY).is_point


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("How did prices change from 2015 to 2020?", "How did prices change?"),
        ("How did prices change between 2015 and 2020?", "How did prices change?"),
    ],
)
def test_a_change_over_a_period_makes_a_plan_of_three_steps(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert parsed.core == core
    assert parsed.comparison == (year_interval(2015), year_interval(2020))
    assert parsed.anchors == ("2015", "2020")
    assert parsed.focus is Focus.CHANGE_OVER_TIME
    assert not parsed.is_point
    steps = make_plan(parsed).steps
    assert [(step.number, step.purpose) for step in steps] == [
        (1, "baseline period"),
        (2, "comparison period"),
        (3, "change between them"),
    ]
    assert [step.window for step in steps] == [*parsed.comparison, parsed.window]
    assert {step.query for step in steps} == {core}
    assert days(parsed.window) == between("2015-01-01", "2021-01-01")


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("How did prices differ in 2015 and in 2020?", "How did prices differ?"),
        ("Compare prices in 2015 versus 2020.", "Compare prices."),
    ],
)
def test_two_periods_to_compare_are_a_step_each_and_what_follows_from_them(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert parsed.core == core
    assert parsed.comparison == (year_interval(2015), year_interval(2020))
    steps = make_plan(parsed).steps
    assert [(step.kind, step.window, step.needs) for step in steps] == [
        (StepKind.PERIOD, year_interval(2015), ()),
        (StepKind.PERIOD, year_interval(2020), ()),
        (StepKind.CHANGE, None, (1, 2)),
    ]


def test_a_date_after_when_is_a_date_and_no_event() -> None:
    assert parse("Who was mayor before 4 May 2004?", TODAY).implicit == ()


def test_a_plain_question_is_one_step_and_the_whole_question_is_itself() -> None:
    parsed = parse("Who was mayor in 2004?", TODAY)
    (step,) = make_plan(parsed).steps
    assert (step.query, step.window, step.number) == (parsed.core, parsed.window, 1)
    (whole,) = whole_question(parsed).steps
    assert (whole.query, whole.window) == (parsed.question, parsed.window)


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("When did the war start?", Intent.WHEN),
        ("In which year was it founded?", Intent.WHEN),
        ("How long did the siege take?", Intent.DURATION),
        ("How many years did she rule?", Intent.DURATION),
        ("In which order did they join?", Intent.ORDER),
        ("Which of them came first?", Intent.ORDER),
        ("What is the history of the abbey?", Intent.TIMELINE),
        ("How did the rules evolve?", Intent.TIMELINE),
        ("In what era did they live?", Intent.PERIOD_DEFINITION),
        ("Who was mayor before 2001?", Intent.BEFORE_AFTER),
        ("Who is mayor now?", Intent.ONGOING_STATUS),
        ("Who was mayor in 2001?", Intent.NONE),
        ("In the duration of time from 2001 to 2003, who was mayor?", Intent.NONE),
        ("What was the duration of the siege?", Intent.DURATION),
        ("Who ran the History of Medicine Group in 2001?", Intent.NONE),
    ],
)
def test_what_a_question_intends(question: str, intent: Intent) -> None:
    assert parse(question, TODAY).intent is intent


@pytest.mark.parametrize(
    ("question", "reasoning_class"),
    [
        ("Why did prices rise in 2001?", ReasoningClass.CAUSATION),
        ("Was the bridge open in 2001?", ReasoningClass.EVENT_VERIFICATION),
        ("How did prices change from 2001 to 2005?", ReasoningClass.TRENDS_CROSS_PERIOD),
        ("Who founded the abbey in 910?", ReasoningClass.HISTORICAL_ATTRIBUTION),
        ("What are the origins of jazz?", ReasoningClass.ORIGINS_EVOLUTION),
        ("What happened in 2001?", ReasoningClass.EVENT_ANALYSIS),
    ],
)
def test_the_class_of_reasoning(question: str, reasoning_class: ReasoningClass) -> None:
    assert parse(question, TODAY).reasoning_class is reasoning_class


@pytest.mark.parametrize(
    ("question", "granularity"),
    [
        ("On what date was it signed?", Granularity.DAY),
        ("In which month was it signed?", Granularity.MONTH),
        ("In what year was it signed?", Granularity.YEAR),
        ("In which century was it built?", Granularity.CENTURY),
        ("When was it signed?", None),
    ],
)
def test_the_unit_of_the_answer(question: str, granularity: Granularity | None) -> None:
    assert parse(question, TODAY).expected_granularity is granularity


@pytest.mark.parametrize(
    "question",
    [
        "How long did the war last?",
        "How many years did the empire last?",
        "Did the truce last until 1945?",
        "Who was the first lady in 1999?",
        "Who was mayor 0th?",
        "What happened in the second quarter?",
    ],
)
def test_words_that_look_like_an_order_and_are_none(question: str) -> None:
    parsed = parse(question, TODAY)
    assert all(constraint.ordinal is None for constraint in parsed.constraints)
    if "last" in question:
        assert "last" in parsed.core


def test_what_is_cut_leaves_a_tidy_sentence() -> None:
    assert parse("Who was the 19th century's best painter?", TODAY).core == "Who was best painter?"
    assert parse("  Who,  in 2004,\n was mayor ? ", TODAY).core == "Who, was mayor?"


def test_times_side_by_side_are_no_single_window() -> None:
    parsed = parse("Who was mayor in 1990 and in 2010?", TODAY)
    assert [period.interval for period in parsed.periods] == [year_interval(1990), year_interval(2010)]
    with pytest.raises(ValueError, match="2 periods"):
        _ = parsed.window


LOADED = (
    "who was the first last second 3rd to last mayor in on before after until since between and 2004 1998 "
    "2010-05-06 May 31 February now current when while during his 44 BCE 's ? , . ! 雪 how long"
)
words = st.sampled_from(LOADED.split())


@settings(max_examples=40)
@given(st.one_of(st.text(), st.lists(words).map(" ".join)), st.integers(-4_000_000, 4_000_000))
def test_any_text_is_parsed_and_what_is_asked_keeps_a_topic(text: str, today: int) -> None:
    parsed = parse(text, today)
    assert parsed.question == text
    assert bool(parsed.core.strip()) == bool(text.strip())
    steps = make_plan(parsed).steps
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert not text.strip() or all(step.query.strip() for step in steps)
    assert parsed == parse(text, today)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        "who was mayor in 2004 ",
        "when ",
        "the ",
        "1",
        "1st ",
        "last to last ",
        "?",
        "-",
        "(",
        "\n",
        "é",
    ],
)
def test_a_hundred_thousand_characters_are_no_trouble(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first ones are read, and those in linear time."""
    read: list[int] = []

    def times_read(text: str, *how: Any) -> list[tuple[int, int, str]]:  # noqa: ANN401
        read.append(len(text))
        return times_in_english(text, *how)

    monkeypatch.setattr("timelens.question.parse.times_in_english", times_read)
    days = count(TODAY)  # no parse is remembered
    parse((unit * 100_000)[:100_000], next(days))
    assert read
    assert max(read) <= LONGEST
    assert_linear(lambda length: parse((unit * length)[:length], next(days)), LONGEST // 8, LONGEST)


def test_a_question_after_much_white_space_is_still_asked() -> None:
    assert parse(" " * 100_000 + "Who was mayor in 2004?", TODAY).core == "Who was mayor?"


@pytest.mark.parametrize(
    ("question", "is_point"),
    [
        ("When did we change over to Postgres?", True),
        ("When did the shop change to cash?", True),
        ("How did changes to the fee come about?", False),
        ("How did the fee change over time?", False),
    ],
)
def test_a_change_to_something_has_a_day_and_no_course(question: str, is_point: bool) -> None:
    assert parse(question, day_number(2021, 5, 6)).is_point is is_point


@pytest.mark.parametrize(
    ("search", "core"),
    [
        ("pupils on roll 2019/20", "pupils on roll"),
        ("Treasurer 2010", "Treasurer"),
        ("Ann Pole 2010", "Ann Pole"),
        ("in 2010 who sang", "Who sang"),
        ("Who opened Expo 2010?", "Who opened Expo 2010?"),
    ],
)
def test_the_first_word_of_a_search_is_no_name_and_its_year_no_part_of_one(search: str, core: str) -> None:
    parsed = parse(search, day_number(2021, 5, 6))
    assert (parsed.core, len(parsed.periods)) == (core, 1)


@pytest.mark.parametrize(
    ("question", "is_state"),
    [
        ("garage rent", True),
        ("What was the rent?", True),
        ("toads carried", False),
        ("Who won the cup?", False),
    ],
)
def test_a_search_without_a_verb_is_for_a_state(question: str, is_state: bool) -> None:
    assert asks_for_state(question) is is_state


@pytest.mark.parametrize(
    ("core", "whether"),
    [
        ("Was there a Welsh version?", True),
        ("Can I encrypt my pictures?", True),
        ("could it send by fax", True),
        ("Can you list the names of mayors?", False),
        ("Could you park there on Sundays?", True),
        ("Could you please tell me who parked there?", False),
        ("Could you provide the name of the mayor?", False),
        ("Can you identify the mayor?", False),
        ("Was it the mill or the forge?", False),
        ("Who was mayor?", False),
        ("How long was he mayor?", False),
    ],
)
def test_yes_or_no_is_asked_for_by_the_first_word(core: str, whether: bool) -> None:
    assert asks_whether(core) == whether


@pytest.mark.parametrize(
    ("question", "core", "periods"),
    [
        ("Wer war 2015 Bürgermeister?", "Wer war Bürgermeister?", ["2015"]),
        ("Wie hoch war die Miete vor 2010?", "Wie hoch war die Miete?", ["vor 2010"]),
        ("Wie groß war der Standort 2010 und 2015?", "Wie groß war der Standort?", ["2010", "2015"]),
        ("Qui était maire en 2010 et en 2015 ?", "Qui était maire?", ["en 2010", "en 2015"]),
        ("¿Quién era alcalde desde mayo de 2003?", "¿Quién era alcalde?", ["desde mayo de 2003"]),
        ("Chi era sindaco tra il 1990 e il 1995?", "Chi era sindaco?", ["tra il 1990 e il 1995"]),
        ("Quem era presidente no ano passado?", "Quem era presidente?", ["no ano passado"]),
        ("Wie was burgemeester tot maart 2014?", "Wie was burgemeester?", ["tot maart 2014"]),
        ("Kto był burmistrzem 3 maja 1990?", "Kto był burmistrzem?", ["3 maja 1990"]),
    ],
)
def test_a_question_in_another_language_has_periods_and_a_core(
    question: str, core: str, periods: list[str]
) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.question, parsed.core, [period.text for period in parsed.periods]) == (
        question,
        core,
        periods,
    )


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Did Volta cost more in 2013 than in 2010?", "highest"),
        ("was the fee lower in 2013 than three years before", "lowest"),
        ("Which cost more in 2013 than in 2010?", None),
        ("Did Volta supply more electricity in 2013?", None),
    ],
)
def test_a_yes_no_question_may_compare_two_numbers(question: str, asked: str | None) -> None:
    assert size_compared(question) == asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Was the toll higher in 2005 or in 2010?", "highest"),
        ("in which year were there fewer visitors, 2005 or 2010", "lowest"),
        ("Which cost more, the press of 2013 or that of 2010?", "highest"),
        ("Was the toll higher in 2005 than in 2010?", None),
        ("Which is more recent, the press or the lathe?", None),
        ("Was Ada or Bo chair in 2010?", None),
    ],
)
def test_a_question_may_offer_numbers_of_which_it_wants_the_larger_or_smaller(
    question: str, asked: str | None
) -> None:
    assert size_offered(question) == asked


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many members were there?", "members"),
        ("How did the number of paying members change?", "paying members change"),
        ("How did the number of subscribers in Elm develop?", "subscribers"),
        ("What was the fee?", ""),
    ],
)
def test_the_things_whose_number_is_asked_for_stand_in_any_place(question: str, noun: str) -> None:
    assert numbered_noun(question) == noun


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many times was Ada Lind chair?", "times"),
        ("How often was Ada Lind chair?", "times"),
        ("How often did the chair change?", "changes"),
        ("Who was often chair?", ""),
    ],
)
def test_what_a_question_counts(question: str, noun: str) -> None:
    assert counted_noun(question) == noun


def test_a_yes_no_question_in_the_present_tense_without_a_time_is_about_now() -> None:
    found = [
        parse(question, TODAY).present for question in ("Is Ada chair?", "Was Ada chair?", "Is it 2010?")
    ]
    assert found == [True, False, False]


def test_a_weekend_in_the_past_may_be_a_length() -> None:
    asked = parse("Who was chair when we went to Wales for the weekend?", TODAY)
    assert asked.constraints == ()
    assert [event.text for event in asked.implicit] == ["we went to Wales for the weekend"]
    assert only(parse("What is planned for the weekend?", TODAY)).text == "for the weekend"


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("When did recitals move to Friday evening?", "When did recitals move to Friday evening?"),
        (
            "When was the market moved to the second Saturday?",
            "When was the market moved to the second Saturday?",
        ),
        ("Was the market ever on a Friday?", "Was the market ever on a Friday?"),
        ("Is it always Friday?", "Is it always Friday?"),
        ("Who sleeps in the winter room?", "Who sleeps in the winter room?"),
        ("Who won the summer cup?", "Who won the summer cup?"),
    ],
)
def test_a_weekday_that_recurs_and_a_season_in_a_name_are_no_times(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, parsed.constraints) == (core, ())


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("Who came on Friday?", "Who came?"),
        ("What was sold up to Friday?", "What was sold?"),
        ("Who came in the summer?", "Who came?"),
        ("How many guests came in the summer months?", "How many guests came?"),
    ],
)
def test_a_day_or_season_in_the_past_is_a_time(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, len(parsed.constraints)) == (core, 1)


@pytest.mark.parametrize(
    ("question", "core", "periods"),
    [
        ("Was the pool open more days in 2015 or in 2016?", "Was the pool open more days?", ["2015", "2016"]),
        ("Did it rain in May or June 2015?", "Did it rain?", ["May 2015", "June 2015"]),
    ],
)
def test_times_joined_by_or_are_two_periods(question: str, core: str, periods: list[str]) -> None:
    parsed = parse(question, TODAY)
    told = [phrase(one.interval) for one in parsed.periods]
    assert (parsed.core, told) == (core, periods)


def test_two_names_of_which_one_answers() -> None:
    assert either_of("Did Ann Lee or Bo have more hours a week?") == ("Ann Lee", "Bo")
    assert either_of("Was it Ann or Bo?") == ()
    assert either_of("Did Ann resign?") == ()
