"""Times up to now whose length is vague are read as a few units, and a note tells the days."""

import pytest

from timelens.question.merge import Reading
from timelens.temporal.calendar import day_number
from timelens.temporal.phrasing import phrase

TODAY = day_number(2021, 5, 6)


@pytest.mark.parametrize(
    ("question", "core", "days"),
    [
        ("Who sang in the last few years?", "Who sang?", "6 May 2016 to 5 May 2021"),
        (
            "What was brewed over the past several months?",
            "What was brewed?",
            "6 December 2020 to 5 May 2021",
        ),
        ("In recent decades, which kilns were lit?", "Which kilns were lit?", "6 May 1971 to 5 May 2021"),
        ("Who paid these past few weeks?", "Who paid?", "1 April 2021 to 5 May 2021"),
        ("Who left in the last two or three years?", "Who left?", "6 May 2018 to 5 May 2021"),
        ("What is planned for the next few months?", "What is planned?", "7 May 2021 to 6 October 2021"),
    ],
)
def test_a_vague_length_is_a_few_units(question: str, core: str, days: str) -> None:
    reading = Reading.by_rules(question, TODAY)
    assert (reading.parsed.core, [phrase(one.interval) for one in reading.parsed.periods]) == (core, [days])
    assert reading.parsed.ordinal is None
    assert [note.partition(" was read as ")[2] for note in reading.notes] == [days]


@pytest.mark.parametrize(
    ("question", "ordinal"),
    [
        ("Who were the last few mayors?", "last"),
        ("What was the rate in the most recent year?", "last"),
        ("Who has kept bees for a few years?", None),
        ("What was said in the last few days of the fair?", "last"),
    ],
)
def test_other_vague_numbers_are_no_time(question: str, ordinal: str | None) -> None:
    reading = Reading.by_rules(question, TODAY)
    assert (reading.parsed.periods, reading.parsed.ordinal, reading.notes) == ((), ordinal, ())


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What was built in the last decade?", "2010 to 2019"),
        ("What was built over the last decade?", "6 May 2011 to 5 May 2021"),
        ("What was built in the past decade?", "6 May 2011 to 5 May 2021"),
        ("What was built over the last couple of decades?", "6 May 2001 to 5 May 2021"),
    ],
)
def test_a_decade_is_a_calendar_decade_only_after_in_the_last(question: str, days: str) -> None:
    reading = Reading.by_rules(question, TODAY)
    assert [phrase(one.interval) for one in reading.parsed.periods] == [days]
