"""A follow-up is read as the question it stands for, and a question that stands by itself is left alone."""

import pytest

from timelens.question.followup.conversation import AnsweredValue, Turn
from timelens.question.followup.resolve import is_about_answer, resolve
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval

TODAY = parse_day("2024-12-31")


def told(text: str, start: str | None = None, end: str | None = None, *, held: bool = True) -> AnsweredValue:
    days = [None if day is None else parse_day(day) for day in (start, end)]
    known = start is not None or end is not None
    return AnsweredValue(text, Interval(days[0], days[1], Granularity.DAY) if known else None, held)


MAY = Turn(
    "Who was Prime Minister of the United Kingdom in 2017?",
    (told("Theresa May", "2016-07-13", "2019-07-24"),),
)
CHIRAC = Turn("who was president of france in 1999", (told("Jacques Chirac", "1995-05-17", "2007-05-16"),))
SHEINBAUM = Turn("Who is the President of Mexico right now?", (told("Claudia Sheinbaum", "2024-10-01"),))
RATE = Turn("What was Bank Rate on 1 January 2009?", (told("2.00", "2008-12-04", "2009-01-07"),))
CUT = Turn(
    "What did the Federal Reserve do in July 2019?",
    (told("It cut on 31 July 2019.", "2019-07-31", "2019-08-01", held=False),),
)
RULED = Turn(
    "When did the Court of Justice strike down Safe Harbour?",
    (told("The Court ruled so on 6 October 2015.", "2015-10-06", "2015-10-07", held=False),),
)
HARBOUR = Turn(
    "Which arrangement for transfers was in force in 2010?",
    (told("Safe Harbour", "2000-07-26", "2015-10-06"),),
)
TRICHET = Turn(
    "Who was President of the European Central Bank in 2005?",
    (told("President Jean-Claude Trichet said so on 1 December.", "2005-12-01", "2005-12-02", held=False),),
)
WOMAN = Turn("Who was the first woman in space?", (told("Valentina Tereshkova"),))
BOILER = Turn("Who came out when the boiler packed up in January 2020?", (told("Hepworth Heating"),))
DOSE = Turn("What was Ann taking for her heart in 2018?", (told("10 mg"),))
LANDED = Turn("When did Apollo 11 land on the Moon?")
CHINA = Turn("When did China's Personal Information Protection Law take effect?")
DEPOSIT = Turn(
    "what was the deposit rate of the ECB in may 2015", (told("-0.20", "2014-09-10", "2015-12-08"),)
)
HARBOUR_STATION = Turn(
    "Which space station did the United States have in orbit in 1975?",
    (told("Skylab", "1973-05-14", "1979-07-11"),),
)
SKYLAB = Turn("What happened to Skylab between 1990 and 2020?")
FARE = Turn("How did the fare from Oakham to Brill change in 2017?")
NOBODY = Turn("Who was President of Kenya in 1999?")


@pytest.mark.parametrize(
    ("turn", "text", "question"),
    [
        # another time
        (MAY, "what about 1985?", "Who was Prime Minister of the United Kingdom in 1985?"),
        (MAY, "and in the nineties?", "Who was Prime Minister of the United Kingdom in the nineties?"),
        (MAY, "what about May 1990", "Who was Prime Minister of the United Kingdom in May 1990?"),
        (MAY, "who was it in 1985", "Who was Prime Minister of the United Kingdom in 1985?"),
        (MAY, "two years later?", "Who was Prime Minister of the United Kingdom in 2019?"),
        (RATE, "and a year later?", "What was Bank Rate on 1 January 2010?"),
        (RATE, "the year before?", "What was Bank Rate on 1 January 2008?"),
        (RATE, "and in May?", "What was Bank Rate in May 2009?"),
        (RATE, "and on 3 March 2010?", "What was Bank Rate on 3 March 2010?"),
        (RATE, "now?", "What was Bank Rate now?"),
        (NOBODY, "and in 2005?", "Who was President of Kenya in 2005?"),
        # another thing of its kind
        (CHIRAC, "and in finland?", "Who was president of finland in 1999?"),
        (CHIRAC, "what about Germany?", "Who was president of Germany in 1999?"),
        (MAY, "and the king?", "Who was the king of the United Kingdom in 2017?"),
        (WOMAN, "and the first man?", "Who was the first man in space?"),
        (LANDED, "and Apollo 12?", "When did Apollo 12 land on the Moon?"),
        (FARE, "and to Saltney?", "How did the fare from Oakham to Saltney change in 2017?"),
        (FARE, "and from Saltney?", "How did the fare from Saltney to Brill change in 2017?"),
        (CHINA, "and Japan's?", "When did Japan's Personal Information Protection Law take effect?"),
        (CHINA, "what about Brazil?", "When did Brazil's Personal Information Protection Law take effect?"),
        (
            DEPOSIT,
            "and the main refinancing rate?",
            "What was the main refinancing rate of the ECB in may 2015?",
        ),
        (CUT, "what about the ECB?", "What did the ECB do in July 2019?"),
        # another thing at another time, which alone is asked about then
        (MAY, "and Spain in 1980?", "Who was Prime Minister of Spain in 1980?"),
        (
            MAY,
            "and in France between 2000 and 2010?",
            "Who was Prime Minister of France between 2000 and 2010?",
        ),
        (MAY, "what about Spain two years later?", "Who was Prime Minister of Spain in 2019?"),
        (SKYLAB, "and Mir since 11 July 2030?", "What happened to Mir since 11 July 2030?"),
        (MAY, "and in 1980 in Spain?", "Who was Prime Minister of Spain in 1980?"),
        (SKYLAB, "when did that happen in 2010?", "When did: What happened to Skylab in 2010?"),
        (RATE, "and the 1986 budget?", "What was the 1986 budget on 1 January 2009?"),
        # before it, and after it
        (MAY, "and before that?", "Who was Prime Minister of the United Kingdom last before 13 July 2016?"),
        (MAY, "who did it before?", "Who was Prime Minister of the United Kingdom last before 13 July 2016?"),
        (
            MAY,
            "who had that before?",
            "Who was Prime Minister of the United Kingdom last before 13 July 2016?",
        ),
        (MAY, "who came next?", "Who was Prime Minister of the United Kingdom first after 23 July 2019?"),
        (MAY, "and her successor?", "Who was Prime Minister of the United Kingdom first after 23 July 2019?"),
        (MAY, "who followed her?", "Who was Prime Minister of the United Kingdom first after 23 July 2019?"),
        (MAY, "and then?", "Who was Prime Minister of the United Kingdom first after 23 July 2019?"),
        (
            MAY,
            "and after Thatcher?",
            "Who was Prime Minister of the United Kingdom immediately after Thatcher?",
        ),
        (
            HARBOUR,
            "what replaced it?",
            "Which arrangement for transfers was in force first after 5 October 2015?",
        ),
        (SHEINBAUM, "and her successor?", "Who was the President of Mexico first after 30 December 2024?"),
        (CUT, "and before that?", "What did the Federal Reserve do before July 2019?"),
        (
            TRICHET,
            "his predecessor?",
            "Who was President of the European Central Bank immediately before Jean-Claude Trichet?",
        ),
        # how long, since when, until when, why
        (MAY, "how long?", "How long was Theresa May Prime Minister of the United Kingdom?"),
        (
            MAY,
            "ok and how long did she last",
            "How long was Theresa May Prime Minister of the United Kingdom?",
        ),
        (MAY, "until when?", "Until when was Theresa May Prime Minister of the United Kingdom?"),
        (SHEINBAUM, "since when?", "Since when is Claudia Sheinbaum the President of Mexico?"),
        (HARBOUR, "how long did it last?", "How long was Safe Harbour in force?"),
        (RULED, "how come?", "Why did the Court of Justice strike down Safe Harbour?"),
        (CUT, "why then?", "Why did the Federal Reserve do that in July 2019?"),
        (DOSE, "how much?", "How much was Ann taking for her heart in 2018?"),
        (HARBOUR, "who with?", "With whom was Safe Harbour in force in 2010?"),
        # what is pointed back to
        (MAY, "where was she born?", "Where was Theresa May born?"),
        (MAY, "what did she do after that?", "What did Theresa May do after 23 July 2019?"),
        (MAY, "and who was king then?", "Who was king of the United Kingdom in 2017?"),
        (CUT, "what did they do after that?", "What did the Federal Reserve do after 31 July 2019?"),
        (CUT, "who voted against it?", "Who voted against the Federal Reserve in July 2019?"),
        (LANDED, "who was on it?", "Who was on Apollo 11?"),
        (BOILER, "what did they charge?", "What did Hepworth Heating charge?"),
        (
            BOILER,
            "what did they charge in January 2020?",
            "What did Hepworth Heating charge in January 2020?",
        ),
        (RULED, "what happened after that?", "What happened to Safe Harbour after 6 October 2015?"),
        (HARBOUR_STATION, "what happened to it?", "What happened to Skylab?"),
        (WOMAN, "how old was she?", "How old was Valentina Tereshkova?"),
    ],
)
def test_a_follow_up_is_read_as_the_question_it_stands_for(turn: Turn, text: str, question: str) -> None:
    assert resolve(text, turn, TODAY) == question


@pytest.mark.parametrize("turn", [MAY, CUT, NOBODY], ids=["name", "sentence", "nothing"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "Who was Chancellor of Germany in 2010?",
        "When did the euro begin?",
        "who was the king of spain before felipe",
        "What happened in 1969?",
        "Which laws changed after 2015, and why?",
        "How long did it take to build the station?",
        "Were there any flights in 1975?",
        "What did the committee decide when it met in May 2004?",
        "How many years after his debut did Ek retire?",
        "When was it that Columbia was lost?",
        "Who succeeded Angela Merkel?",
        "bank rate 2009",
        "Who won the 2016 Olympics and who came second?",
        "what year did they discontinue the old model",
        "Between 1998 and 2005, who was Chancellor of Germany?",
        "Before 1990, which act applied?",
        "And yet it moves: who said that first in public, and in which town was that said?",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(turn: Turn, text: str) -> None:
    assert resolve(text, turn, TODAY) is None


@pytest.mark.parametrize("text", ["and her successor?", "who came next?", "how old was he?"])
def test_what_points_to_nothing_is_left_alone(text: str) -> None:
    assert resolve(text, Turn("What is there?"), TODAY) is None


def test_a_follow_up_on_a_follow_up_goes_on_from_its_reading() -> None:
    second = resolve("and before that?", MAY, TODAY)
    assert second is not None
    cameron = Turn(second, (told("David Cameron", "2010-05-11", "2016-07-13"),))
    third = resolve("and before him?", cameron, TODAY)
    assert third == "Who was Prime Minister of the United Kingdom last before 11 May 2010?"


@pytest.mark.parametrize(
    ("text", "is_about"),
    [
        ("since when?", True),
        ("and until when", True),
        ("who before?", True),
        ("and then?", True),
        ("who did it before?", True),
        ("for how much?", False),
        ("who with?", False),
        ("when?", False),
        ("what did he charge?", False),
    ],
)
def test_what_needs_an_answer_before_it(text: str, *, is_about: bool) -> None:
    assert is_about_answer(text) is is_about
