"""Rows of one thing that overlap, end and come back, and rows whose last month is theirs."""

import pytest
from made_corpora import TODAY, lines_of, made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus

KENNELS = (
    "Duty,Helper,From,To\n"
    "Feeding,Ada Lind,2010-03,2012-12\nFeeding,Bo Falk,2013-01,2015-06\nFeeding,Ada Lind,2018-02,2020-09\n"
    "Walking,Ada Lind,2011-05,2011-12\nWalking,Cleo Marsh,2011-09,2016-04\n"
    "Cleaning,Dan Howe,2010-03,2014-12\nCleaning,Eve Stone,2015-01,\n"
)
SUPPLIES = (
    "Goods,Firm,Price,Since,Until\n"
    "straw,Hayward,£90,2010,2012\nstraw,Mellor,£95,2013,2016\nstraw,Hayward,£110,2017,\n"
    "oats,Hayward,£30,2010,2014\noats,Finch,£34,2015,\n"
)


@pytest.fixture(scope="module")
def kennels(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"helpers.csv": KENNELS, "supplies.csv": SUPPLIES})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was Ada Lind feeding in December 2012?", "Yes"),
        ("Was Ada Lind feeding on 15 September 2020?", "Yes"),
        ("Was Ada Lind feeding in October 2020?", "No"),
    ],
)
def test_the_last_month_of_a_row_is_its_own(kennels: Corpus, question: str, said: str) -> None:
    assert lines_of(kennels, question)[0].startswith(said)


def test_a_row_ends_where_another_one_starts_if_both_name_the_day(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    reeves = (
        "Post,Name,From,To\nreeve,Ada Lind,2000,2005\nreeve,Bo Falk,2005,2010\nreeve,Dan Howe,2010,2015\n"
    )
    parish = made_corpus(tmp_path_factory, {"reeves.csv": reeves})
    assert [line.partition(":")[0] for line in lines_of(parish, "Who was reeve in 2005?")] == ["Bo Falk"]


def test_lengths_count_the_last_month(kennels: Corpus) -> None:
    assert "2 years and 10 months" in lines_of(kennels, "How long was Ada Lind feeding from 2010?")[0]


def test_what_held_at_the_same_time(kennels: Corpus) -> None:
    lines = lines_of(kennels, "Were Ada Lind and Cleo Marsh walking at the same time?")
    assert lines[0].startswith("Yes")
    assert len(lines) == 3
    assert lines_of(kennels, "Were both Dan and Eve cleaning at the same time?")[0].startswith("No")


def test_what_held_more_than_once(kennels: Corpus) -> None:
    assert lines_of(kennels, "Did Ada Lind do the feeding more than once?")[0].startswith("Yes")
    assert lines_of(kennels, "Did Bo Falk do the feeding more than once?")[0].startswith("No")
    assert lines_of(kennels, "Did Ada Lind do the feeding again in 2019?")[0].startswith("Yes")
    assert lines_of(kennels, "Did Ada Lind do the feeding again in 2022?")[0].startswith("No")


def test_when_something_came_back(kennels: Corpus) -> None:
    (line,) = lines_of(kennels, "When did Ada Lind come back to the feeding?")
    assert "from February 2018" in line


def test_changes_are_counted_though_the_question_names_no_column(kennels: Corpus) -> None:
    assert lines_of(kennels, "How often did we change firm for the straw?")[0].startswith("2 times")


def test_two_values_of_a_row_are_told_in_one_line(kennels: Corpus) -> None:
    lines = lines_of(kennels, "straw in 2011 vs 2018: which firm and how much?")
    assert lines[:2] == [
        "2011: Hayward, £90: straw, from 2010 to 2012 [1].",
        "2018: Hayward, £110: straw, since 2017 [2].",
    ]


def test_a_value_that_changed_and_changed_back_is_not_said_to_have_stayed(kennels: Corpus) -> None:
    lines = lines_of(kennels, "How did the firm for the straw change from 2010 to 2020?")
    assert len(lines) == 3
    assert not any(line.startswith("No change") for line in lines)


def test_what_is_left_out_is_not_counted(kennels: Corpus) -> None:
    lines = lines_of(kennels, "Which firms do we have now, not counting the one for oats?")
    assert [line.partition(":")[0] for line in lines] == ["Hayward"]


def test_a_whole_price_list_is_not_told_for_one_price(tmp_path_factory: pytest.TempPathFactory) -> None:
    items = {"pitch": (14, 17, 22), "shower": (1, 2, 3), "rent": (690, 780, 890)}
    rows = (
        f"{2008 + 4 * turn}-04-01,{item},{price}"
        for item, prices in items.items()
        for turn, price in enumerate(prices)
    )
    prices = made_corpus(tmp_path_factory, {"prices.csv": "\n".join(["valid from,item,EUR", *rows])})
    lines = lines_of(prices, "How did the fee for dogs develop from 2008 to 2020?")
    assert not any(line.startswith("Difference") for line in lines)
    assert lines_of(prices, "What did the pitch cost in 2014?")[0].startswith("17")


def test_a_refusal_names_rows_that_are_rather_meant_though_they_share_no_word(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    services = (
        "Service,Company,Start,End,$/month\nWaste pickup,MedHaul,5/2003,6/2012,85\n"
        "Waste pickup,SafeSharps,7/2012,12/2019,120\nWaste pickup,MedHaul,1/2020,,110\n"
        "Cleaning,Spotless Sisters,2006,2014,400\nLaundry,Whitlow,2010,2019,90\n"
    )
    corpus = made_corpus(tmp_path_factory, {"services.csv": services})
    refused = corpus.ask("Who carts away the rubbish?", as_of=TODAY)
    assert refused.status is Status.NO_ANSWER
    assert "MedHaul" in refused.text
    assert corpus.ask("Who is the king of Spain?", as_of=TODAY).nearest == ()
