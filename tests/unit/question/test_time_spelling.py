import pytest

from timelens.question.parse import parse
from timelens.temporal.calendar import day_number, format_day

TODAY = day_number(2025, 6, 1)


def read(question: str) -> tuple[str, list[tuple[str, str, str]]]:
    parsed = parse(question, TODAY)
    ends = [(one.interval.start, one.interval.end) for one in parsed.periods]
    days = ["" if day is None else format_day(day) for pair in ends for day in pair]
    return parsed.core, list(zip((one.text for one in parsed.periods), days[::2], days[1::2], strict=True))


@pytest.mark.parametrize(
    ("question", "core", "time"),
    [
        ("Who signed on the 9th of Novmber 1932?", "Who signed?",
         ("on the 9th of Novmber 1932", "1932-11-09", "1932-11-10")),
        ("who signed on 9 ocotber 1932", "Who signed", ("on 9 ocotber 1932", "1932-10-09", "1932-10-10")),
        ("rent in arpil 2003", "rent", ("in arpil 2003", "2003-04-01", "2003-05-01")),
        ("rent in Decembre, 2003", "rent", ("in Decembre, 2003", "2003-12-01", "2004-01-01")),
        ("who kept bees beetwen 1932 and 1935?", "Who kept bees?",
         ("beetwen 1932 and 1935", "1932-01-01", "1936-01-01")),
        ("who kept bees btw janaury 1932 and 1935?", "Who kept bees?",
         ("btw janaury 1932 and 1935", "1932-01-01", "1936-01-01")),
        ("Who kept bees untl 1932?", "Who kept bees?", ("untl 1932", "", "1933-01-01")),
        ("who kept bees til may 1932", "Who kept bees", ("til may 1932", "", "1932-06-01")),
        ("Who kept bees bfore 1932?", "Who kept bees?", ("bfore 1932", "", "1932-01-01")),
        ("who kept bees b4 1932", "Who kept bees", ("b4 1932", "", "1932-01-01")),
        ("Who kept bees aftr 1932?", "Who kept bees?", ("aftr 1932", "1933-01-01", "")),
        ("Who has kept bees sicne 1932?", "Who has kept bees?", ("sicne 1932", "1932-01-01", "")),
    ],
)  # fmt: skip
def test_a_misspelt_word_of_time_is_mended(question: str, core: str, time: tuple[str, str, str]) -> None:
    assert read(question) == (core, [time])
    assert time[0] in question


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("Who filled in the form 1932?", "Who filled in the form 1932?"),
        ("What did Jane say in 1932?", "What did Jane say?"),
        ("What did Juny say in 1932?", "What did Juny say?"),
        ("Who is Agusta?", "Who is Agusta?"),
        ("btw, who kept bees in 1932?", "btw, who kept bees?"),
        ("Who sailed in the marsh in 1932?", "Who sailed in the marsh?"),
        ("Who kept bees befor the war in 1932?", "Who kept bees befor the war?"),
        ("Was the octave 1932 higher?", "Was the octave 1932 higher?"),
    ],
)
def test_other_words_stay_as_they_are(question: str, core: str) -> None:
    assert parse(question, TODAY).core == core


def test_the_first_decade_of_the_century_has_a_short_form() -> None:
    assert [text for text, *_ in read("who sang in the 90's and 00's")[1]] == ["in the 90's", "00"]
    assert read("Who sang in the 00s?")[1] == [("in the 00s", "2000-01-01", "2010-01-01")]
