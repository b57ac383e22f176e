"""Searches without a verb, and tables beside texts that tell nothing sure."""

from collections.abc import Callable

import pytest
from made_corpora import made_corpus

from timelens.agent import Answer
from timelens.answer.draft import Status
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-30")
FEES = """# Rowing club

## Fees

| Valid from | Single | Family |
|---|---|---|
| 1 January 1998 | £5 | £8 |
| 1 January 2004 | £7 | £11 |
| 1 January 2010 | £9 | £14 |
| 1 January 2015 | £12 | £18 |

## Officers

| Post | Name | From | To |
|---|---|---|---|
| Chair | Edmund Fray | 1998 | 2007 |
| Chair | Maureen Tully | 2007 | 2016 |
| Treasurer | Norman Platt | 1998 | 2014 |
| Treasurer | Beryl Coyle | 2014 | |
"""
ROLL = """Year,Infants,Juniors,Total
2018/19,27,41,68
2019/20,25,44,69
2020/21,29,40,69
2021/22,31,45,76
"""
QUEUE = """Year,Berths,Waiting list,Charge (£)
2019,40,12,250
2020,40,31,250
2021,44,22,260
2022,44,9,285
"""
RATES = """Valid from,Shipwright per hour (£),Apprentice per hour (£)
1 April 2016,34,17
1 April 2018,38,19
1 September 2020,40,20
"""
DAYBOOK = """# Daybook

## 4 March 2019

A customer asked for the hour of the tide. Nobody knew.

## 8 June 2020

Bo came late and left early.

## 11 May 2021

The crane was mended.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Answer]:
    """Asks a question of the corpus of all files."""
    files = {
        "club.md": FEES,
        "pupils.csv": ROLL,
        "moorings.csv": QUEUE,
        "rates.csv": RATES,
        "daybook.md": DAYBOOK,
    }
    corpus = made_corpus(tmp_path_factory, files)
    return lambda question: corpus.ask(question, as_of=TODAY)


@pytest.mark.parametrize(
    ("search", "told"),
    [
        ("treasurer 2010", "Norman Platt"),
        ("Chair 2010", "Maureen Tully"),
        ("family fee 2012", "£14"),
        ("infants 2019/20", "25"),
        ("pupils in total 2021/22", "76"),
    ],
)
def test_a_search_is_answered_as_a_question(ask: Callable[[str], Answer], search: str, told: str) -> None:
    assert told in ask(search).text.split("\n")[0]


def test_the_last_row_answers_beside_texts_that_tell_nothing_sure(ask: Callable[[str], Answer]) -> None:
    answer = ask("What would a shipwright's hour have cost a customer in June 2020?")
    assert answer.text.startswith("£38: on 1 April 2018")


@pytest.mark.parametrize(
    "question",
    [
        "Which was the longest waiting list for a berth?",
        "What is the longest waiting list for a berth?",
        "longest waiting list for a berth",
    ],
)
def test_the_longest_of_a_named_column_is_its_highest_number_of_all_years(
    ask: Callable[[str], Answer], question: str
) -> None:
    assert ask(question).text.split("\n")[0] == "31: in 2020 [1]."


def test_a_change_is_told_with_the_row_before(ask: Callable[[str], Answer]) -> None:
    lines = ask("Did the waiting list get shorter in 2021?").text.split("\n")
    assert [line.split(" [")[0] for line in lines] == ["Yes", "31: in 2020", "22: in 2021"]


def test_other_things_than_the_table_counts_are_not_told_by_its_numbers(ask: Callable[[str], Answer]) -> None:
    assert ask("How many goats did they keep in 2019/20?").status is Status.NO_ANSWER


def test_a_figure_for_a_year_is_no_count_of_rows(ask: Callable[[str], Answer]) -> None:
    assert ask("How many pupils did the school have in 2019/20?").text.split(":")[0] == "69"


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("How have the juniors developed from 2019/20 until this year?", ["44", "40", "45"]),
        ("How did the juniors develop from 2010 until 2019/20?", ["41", "44"]),
    ],
)
def test_a_school_year_begins_or_ends_a_longer_time(
    ask: Callable[[str], Answer], question: str, numbers: list[str]
) -> None:
    lines = ask(question).text.split("\n")
    assert [line.split(":")[0] for line in lines if not line.startswith("Difference")] == numbers
