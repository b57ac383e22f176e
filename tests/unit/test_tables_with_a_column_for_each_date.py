"""Tables with a column for each date: their values are those of the rows and of the dates."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2024)
FILES = {
    "visitors.csv": (
        "Site,2018,2019,2020,2021,2022\nCastle,1200,1350,400,400,1500\nGardens,800,820,500,1100,1300\n"
        "Tea room,2100,2300,600,1400,2500\n"
    ),
    "posts.csv": (
        "Post,2018/19,2019/20,2020/21,2021/22\nChair,Ann Reed,Ann Reed,Bob Hale,Bob Hale\n"
        "Secretary,Fay Ings,Fay Ings,Fay Ings,Gil Thorn\n"
    ),
    "prices.md": (
        "# What we charge\n\n| Style | 2014 | Jan 2017 | June 2020 |\n|---|---|---|---|\n"
        "| Iro and buba | 3,500 | 5,000 | 7,000 |\n| Long gown | 4,500 | 6,500 | – |\n"
    ),
    "bread.csv": (
        "item,mar_2011,oct_2014,apr_2017,jun_2020,oct_2022\nLarge white,1.40,1.65,1.80,2.10,2.75\n"
        "Currant bun,0.55,0.60,0.70,0.85,1.10\nRye,-,-,2.60,2.95,3.60\n"
    ),
    "dinners.csv": (
        "Charge,Until 31 August 2021,From 1 September 2021,From 1 April 2023\n"
        "School dinner,£2.45,£2.60,£2.70\n"
    ),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, FILES)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How many visitors did the castle have in 2020?", ["400: Castle, in 2020 [1]."]),
        (
            "In which year did the tea room have the fewest visitors?",
            ["600: Tea room, in 2020 [1].", "The lowest of 5 values."],
        ),
        (
            "How did the visitors of the castle develop?",
            [
                "1200: Castle, in 2018 [1].",
                "1350: Castle, in 2019 [2].",
                "400: Castle, from 2020 to 2021 [3][4].",
                "1500: Castle, in 2022 [5].",
                "Difference: +300, from 1200 (in 2018) to 1500 (in 2022), over 4 years [1][5].",
            ],
        ),
        ("How many sites had visitors in 2021?", ["3 sites [1][2][3]."]),
        (
            "Who were the secretaries from 2018 to 2022?",
            [
                "Fay Ings: Secretary, from 2018 to 2021 [1][2][3].",
                "Gil Thorn: Secretary, from 2021 to 2022 [4].",
            ],
        ),
        (
            "How has the school dinner changed?",
            [
                "£2.45: School dinner, until 31 August 2021 [1].",
                "£2.60: School dinner, from 1 September 2021 to 1 April 2023 [2].",
                "£2.70: School dinner, since 1 April 2023 [3].",
            ],
        ),
        (
            "What did a school dinner cost in May 2022?",
            ["£2.60: School dinner, from 1 September 2021 to 1 April 2023 [1]."],
        ),
        (
            "What did a currant bun cost in 2021?",
            ["0.85: Currant bun, in June 2020 [1].", "The table has no later row on this up to then."],
        ),
        (
            "How has the price of a large white moved between 2014 and 2020?",
            [
                "1.65: Large white, in October 2014 [1].",
                "1.80: Large white, in April 2017 [2].",
                "2.10: Large white, in June 2020 [3].",
            ],
        ),
        ("What did a long gown cost in January 2017?", ["6,500: Long gown, in January 2017 [1]."]),
    ],
)
def test_values_are_those_of_a_row_and_a_date(corpus: Corpus, question: str, lines: list[str]) -> None:
    answer = corpus.ask(question, as_of=TODAY)
    assert answer.status is Status.ANSWERED
    assert answer.text.splitlines()[: len(lines)] == lines


def test_a_time_between_the_dates_is_refused_with_the_nearest_rows(corpus: Corpus) -> None:
    answer = corpus.ask("What did we ask for iro and buba in 2018?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    head, *rows = answer.text.splitlines()
    assert head.endswith("Facts on Iro and buba: 3, from 2014 to 2020. Nearest:")
    assert rows == [
        "5,000: Iro and buba, in January 2017 [1].",
        "7,000: Iro and buba, in June 2020 [2].",
    ]
    assert [near.citation.number for near in answer.nearest] == [1, 2]
    assert answer.citations == ()


def test_what_something_cost_between_the_dates_is_the_last_price(corpus: Corpus) -> None:
    answer = corpus.ask("What did iro and buba cost in 2018?", as_of=TODAY)
    assert answer.text.splitlines() == [
        "5,000: Iro and buba, in January 2017 [1].",
        "The table has no later row on this up to then.",
    ]
