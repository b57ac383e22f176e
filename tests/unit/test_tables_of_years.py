"""Tables with a column of years: a series of numbers for each thing, next to other tables and texts."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2024)
FILES = {
    "bus-fares.csv": (
        "firm,route,year,fare\n"
        "Red Kite Buses,Oakham to Brill,2012,£2.10\nRed Kite Buses,Oakham to Brill,2013,£2.40\n"
        "Town of Oakham,Oakham to Brill,2014,£2.30\nTown of Oakham,Oakham to Thame,2014,£3.00\n"
        "Town of Oakham,Oakham to Brill,2015,£2.60\nTown of Oakham,Oakham to Thame,2015,£3.20\n"
    ),
    "people.csv": (
        "place,year,people,houses\nOakham,2012,3412,1204\nOakham,2015,3520,1300\nBrill,2012,812,301\nBrill,2015,790,305\n"
    ),
    "note.md": "# A note\n\nThe bus shelter of Oakham was painted green in 2013.\n",
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, FILES)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was the bus fare to Brill in 2014?", ["£2.30"]),
        ("What was the fare from Oakham to Thame in 2015?", ["£3.20"]),
        ("What did the bus to Thame cost in 2014?", ["£3.00"]),
        ("How did the fare from Oakham to Thame change?", ["£3.00", "£3.20"]),
        ("How did the bus fare to Brill change from 2012 to 2014?", ["£2.10", "£2.40", "£2.30"]),
        ("How many people did Brill have in 2015?", ["790"]),
        ("How did the number of people in Oakham change?", ["3412", "3520"]),
        pytest.param(
            "Who ran the bus to Brill in 2013?",
            ["Red Kite Buses"],
            marks=pytest.mark.xfail(
                reason="that these rows are meant has a probability of 0.25", strict=True
            ),
        ),
        ("Which firm ran the bus to Thame in 2015?", ["Town of Oakham"]),
    ],
)
def test_rows_of_the_asked_thing_answer_with_the_asked_column(
    town: Corpus, question: str, values: list[str]
) -> None:
    answer = town.ask(question, as_of=TODAY)
    assert (answer.status, [value.text for value in answer.values]) == (Status.ANSWERED, values)


@pytest.mark.parametrize(
    ("question", "value", "compared"),
    [
        ("What was the lowest fare to Brill after 2012?", "£2.30", "The lowest of 3 values."),
        ("What was the highest fare to Brill before 2015?", "£2.40", "The highest of 3 values."),
        ("What was the cheapest fare to Thame?", "£3.00", "The lowest of 2 values."),
        (
            "Which place had the largest number of people in 2015?",
            "Oakham",
            "The highest of 2 values: people 3520.",
        ),
    ],
)
def test_the_highest_or_lowest_of_several_values(
    town: Corpus, question: str, value: str, compared: str
) -> None:
    answer = town.ask(question, as_of=TODAY)
    assert [one.text for one in answer.values] == [value]
    assert answer.text.endswith(compared)


def test_a_course_without_a_period_states_its_difference(town: Corpus) -> None:
    answer = town.ask("How did the bus fare to Brill change?", as_of=TODAY)
    assert "Difference: +£0.50, from £2.10 (in 2012) to £2.60 (in 2015), over 3 years [1][4]." in answer.text


def test_a_row_that_may_not_answer_is_named_as_nearest(town: Corpus) -> None:
    answer = town.ask("Which painter liked Thame in 2015?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert any("Oakham to Thame" in near.citation.hit.chunk.text for near in answer.nearest)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many people did the parish have in 2012?", "812"),
        ("How many houses had our parish in 2015?", "305"),
    ],
)
def test_the_body_that_keeps_the_documents_is_no_condition(
    tmp_path_factory: pytest.TempPathFactory, question: str, value: str
) -> None:
    corpus = made_corpus(tmp_path_factory, {"people.csv": "year,people,houses\n2012,812,301\n2015,790,305\n"})
    answer = corpus.ask(question, as_of=TODAY)
    assert [one.text for one in answer.values] == [value]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    years = enumerate(["Ann", "Ann", "Joe", "Ann", "Sue"], start=2015)
    book = "".join(f"{year},{60 + year % 7},{keeper}\n" for year, keeper in years)
    ringed = "".join(f"{year},{number}\n" for year, number in enumerate([4310, 5120, 4406, 5377], start=2014))
    cups = "".join(
        f"{year}/{year % 100 + 1},{club}\n"
        for year, club in enumerate(["Mill Lane", "Harbour", "Harbour", "Mill Lane", "Harbour"], start=2014)
    )
    files = {
        "christmas_orders.csv": f"year,puddings,order_book_kept_by\n{book}",
        "totals.csv": f"year,birds_ringed\n{ringed}",
        "cups.csv": f"season,winner\n{cups}",
    }
    return made_corpus(tmp_path_factory, files)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("In how many years from 2014 to 2017 were more than 5,000 birds ringed?", "2 years [1][2]."),
        ("In how many years from 2016 to 2017 were more than 5,000 birds ringed?", "1 year [1]."),
        ("How many years had more than 5,000 birds ringed?", "2 years [1][2]."),
        ("How many birds were ringed in 2014?", "4310: in 2014 [1]."),
        ("How many Christmases has Ann kept the order book?", "3 Christmases [1][2][3]."),
        ("How many years has Ann kept the order book?", "3 years [1][2][3]."),
        ("How many puddings were there in 2016?", "60: in 2016 [1]."),
        ("How many times did Harbour win between 2014 and 2019?", "3 times [1][2][3]."),
        ("How many seasons did Mill Lane win?", "2 seasons [1][2]."),
    ],
)
def test_how_many_years_or_times_counts_rows_but_no_numbers_of_a_column(
    counted: Corpus, question: str, line: str
) -> None:
    answer = counted.ask(question, as_of=TODAY)
    assert (answer.status, answer.text.splitlines()[0]) == (Status.ANSWERED, line)
