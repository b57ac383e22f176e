"""Operations over the rows of tables: sums, lengths, limits, the last row, rows of consecutive years."""

from pathlib import Path

import pytest
from made_corpora import TODAY, lines_of, made_corpus

from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus

ALLOTMENTS = (
    "Plot,Holder,Start,End,Yearly rent,Notes\n"
    "7,Ada Lind,1999-04-01,2003-03-31,£20,\n7,Bo Falk,2003-04-01,2015-03-31,£28,\n"
    "7,Cleo Marsh,2015-04-01,,£41,\n8,Dan Howe,2000-04-01,2009-03-31,£24,two sheds\n"
    "8,Eve Stone,2009-04-01,,£39,\n9,Finn Ward,2010-04-01,,£36,\n"
)
OFFICERS = (
    "Year,Captain,Secretary,Members\n"
    "2015,Ada Lind,Bo Falk,40\n2016,Ada Lind,Bo Falk,44\n2017,Ada Lind,Cleo Marsh,51\n"
    "2018,Dan Howe,Cleo Marsh,47\n2019,Ada Lind,Cleo Marsh,49\n2020,Dan Howe,Eve Stone,52\n"
)
PRICES = (
    "Date,Grain,Supplier,Price\n2019-03-01,Barley,Millers,£180\n2020-09-15,Barley,Millers,£195\n"
    "2021-11-02,Barley,Graingers,£230\n2022-05-20,Barley,Graingers,£260\n"
)

MOTHS = (
    "Date,Site,Moths\n2023-04-04,Wood,14\n2023-04-11,Meadow,19\n2023-05-09,Wood,41\n2023-05-23,Meadow,88\n"
)
PUPILS = (
    "Year,Infants,Juniors,Total,of these girls\n2015,30,36,66,31\n2016,31,38,69,33\n2017,33,40,73,35\n"
    "2018,34,41,75,–\n"
)


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"plots.csv": ALLOTMENTS})


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"officers.csv": OFFICERS})


@pytest.fixture(scope="module")
def grain(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"prices.csv": PRICES})


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"moth_trap.csv": MOTHS})


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"pupil_numbers.csv": PUPILS})


def test_a_sum_and_a_mean_come_before_the_values_that_they_are_made_of(plots: Corpus, club: Corpus) -> None:
    assert lines_of(plots, "What is the yearly rent of the current holders altogether?")[0] == (
        "£116 in total [1][2][3]."
    )
    assert lines_of(club, "What was the average membership from 2015 to 2018?")[0] == (
        "45.5 on average [1][2][3][4]."
    )


def test_what_lasted_longest_counts_all_rows_of_a_value(plots: Corpus, club: Corpus) -> None:
    lines = lines_of(plots, "Which holder had plot 7 the longest?")
    assert lines[0].startswith("Bo Falk: ")
    assert "12 years" in lines[0]
    assert lines[1] == "The longest of 3 values."
    assert lines_of(club, "Who was captain the longest?")[0].startswith("Ada Lind: ")


def test_rows_of_consecutive_years_with_one_value_are_one_time(club: Corpus) -> None:
    assert lines_of(club, "How long was Cleo Marsh secretary?") == [
        "Cleo Marsh: from 2017 to 2019, 3 years (1,095 days) [1][2][3]."
    ]
    held = [line.partition(" [")[0] for line in lines_of(club, "Who were the captains from 2015 to 2018?")]
    assert held == ["Ada Lind: from 2015 to 2017", "Dan Howe: in 2018"]


def test_each_row_with_one_date_counts_as_a_time(club: Corpus) -> None:
    assert lines_of(club, "How many times was Ada Lind captain?")[0].startswith("4 times")


def test_a_number_in_the_column_that_is_counted_is_the_answer(club: Corpus) -> None:
    assert lines_of(club, "How many members were there in 2017?") == ["51: in 2017 [1]."]


def test_a_limit_selects_the_rows_whose_number_keeps_it(plots: Corpus) -> None:
    lines = lines_of(plots, "Which of the present holders pay over £38?")
    assert [line.partition(":")[0] for line in lines] == ["Eve Stone", "Cleo Marsh"]


def test_years_are_selected_by_a_limit_too(club: Corpus) -> None:
    lines = lines_of(club, "In which years were there more than 48 members?")
    assert [line.partition(" [")[0].partition("in ")[2] for line in lines] == ["2017", "2019", "2020"]


def test_the_highest_number_answers_with_the_thing_that_is_asked_for(plots: Corpus) -> None:
    assert lines_of(plots, "Which holder has paid the highest rent?")[0].startswith("Cleo Marsh")


def test_most_and_fewest_of_things_choose_the_row(trap: Corpus) -> None:
    assert lines_of(trap, "On which night were most moths caught?")[0].endswith("on 23 May 2023 [1].")
    assert lines_of(trap, "Which night had fewest moths?")[0].endswith("on 4 April 2023 [1].")


def test_a_limit_on_what_the_table_is_about_compares_the_total(school: Corpus) -> None:
    assert lines_of(school, "In which year were there first more than 70 pupils?")[0].endswith("in 2017 [1].")


def test_a_column_of_these_answers_how_many(school: Corpus) -> None:
    assert lines_of(school, "How many girls were there in 2016?") == ["33: in 2016 [1]."]


def test_without_a_column_the_total_answers(school: Corpus) -> None:
    assert lines_of(school, "How many pupils were there in 2016?") == ["69: in 2016 [1]."]
    assert lines_of(school, "How many juniors were there in 2016?") == ["38: in 2016 [1]."]


def test_the_total_of_several_periods_comes_first(trap: Corpus, school: Corpus) -> None:
    lines = lines_of(school, "How many juniors were there in 2016 and 2017 together?")
    assert lines == ["78 in total [1][2].", "2016: 38: in 2016 [1].", "2017: 40: in 2017 [2]."]
    total = school.ask("How many juniors were there in 2016 and 2017 together?", as_of=TODAY)
    assert [claim.support for claim in total.claims] == [Support.SUPPORTED] * 3
    lines = lines_of(trap, "How many times was the trap in the meadow in April 2023 and May 2023 altogether?")
    assert lines[0] == "2 times in total [1][2]."
    assert len(lines_of(school, "How many juniors were there in 2016 and 2017?")) == 2


def test_a_value_with_more_in_brackets_answers_where_nothing_else_does(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    posts = (
        "Post,Name,From,To\nChair,Nigel Prout,2017-06,2021-02\nChair (acting),Moira Castle,2021-03,2021-06\n"
        "Chair,Anjali Desh,2021-07,\nTreasurer,Ann Lee,2017-06,\n"
    )
    corpus = made_corpus(tmp_path_factory, {"posts.csv": posts})
    assert lines_of(corpus, "Who was chair in April 2021?")[0].startswith("Moira Castle")
    assert lines_of(corpus, "Who was chair in April 2020?")[0].startswith("Nigel Prout")


def test_a_dash_is_no_value(school: Corpus) -> None:
    assert school.ask("How many girls were there in 2018?", as_of=TODAY).status is Status.NO_ANSWER


def test_by_how_much_a_number_rose_is_its_difference(grain: Corpus) -> None:
    lines = lines_of(grain, "How much did the price of barley go up from 2019 to 2022?")
    assert any(line.startswith("Difference: +£80") for line in lines)


def test_the_last_row_before_a_time_answers_for_a_list_of_changes(grain: Corpus) -> None:
    lines = lines_of(grain, "What was the price of barley in March 2021?")
    assert lines == [
        "£195: Barley, on 15 September 2020 [1].",
        "The table has no later row on this up to then.",
    ]
    assert lines_of(grain, "What is the price of barley now?")[0].startswith("£260")
    told = grain.ask("What was the price of barley in March 2021?", as_of=TODAY)
    assert [claim.support for claim in told.claims] == [Support.SUPPORTED] * 2
    before = grain.ask("What was the price of barley in 2012?", as_of=TODAY)
    assert before.status is Status.NO_ANSWER


def test_so_it_does_beside_texts_unless_they_tell_more(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mill = "# The mill\n\nThe mill buys barley and wheat. On 4 May 2019 the wheel was mended.\n"
    corpus = made_corpus(tmp_path_factory, {"prices.csv": PRICES, "mill.md": mill})
    assert lines_of(corpus, "What was the price of barley in March 2021?")[0].startswith("£195: Barley")
    (tmp_path / "letter.md").write_text("In March 2021 the price of barley was £199.\n")
    corpus.ingest([tmp_path / "letter.md"])
    assert lines_of(corpus, "What was the price of barley in March 2021?")[0].startswith("£199")


def test_a_row_for_each_year_tells_nothing_of_a_later_year(club: Corpus) -> None:
    later = club.ask("How many members were there in 2023?", as_of=TODAY)
    assert (later.status, later.values) == (Status.NO_ANSWER, ())
    assert lines_of(club, "How many members are there now?")[0].startswith("52")


def test_a_text_of_that_year_tells_it(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    storm = "# Storm\n\n17 July 2018: A storm, and 12 members came to help.\n"
    corpus = made_corpus(tmp_path_factory, {"officers.csv": OFFICERS, "storm.md": storm})
    question = "How many members were there in 2022?"
    assert corpus.ask(question, as_of=TODAY).status is Status.NO_ANSWER
    (tmp_path / "report.md").write_text("# Report\n\nIn 2022 there were 61 members.\n")
    corpus.ingest([tmp_path / "report.md"])
    assert lines_of(corpus, question)[0].startswith("61")


STAFF = (
    "name,role,from,until\nTove Lie,office manager,2012-09-01,2017-06-30\n"
    "Hanna Koski,translator,2014-03-01,\nDeniz Aydin,interpreter,2016-08-15,2020-05-31\n"
)


def test_rows_tell_which_of_two_people_came_first(tmp_path_factory: pytest.TempPathFactory) -> None:
    chat = "# Office chat\n\n31 August 2020: Deniz says farewell by camera.\n\n27 May 2024: Hanna is away.\n"
    corpus = made_corpus(tmp_path_factory, {"staff.csv": STAFF, "chat.md": chat})
    told = corpus.ask("Who was hired earlier, Hanna or Deniz?", as_of=TODAY)
    assert [value.text for value in told.values] == ["Hanna"]


def test_people_do_not_tell_where(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = made_corpus(tmp_path_factory, {"staff.csv": STAFF})
    assert corpus.ask("Where was the office in 2016?", as_of=TODAY).values == ()


def test_the_name_of_a_price_list_is_the_thing_that_is_asked_for(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    prices = "valid from,adult,child\n2015-06-01,6.00,4.00\n2017-09-01,6.50,4.00\n2019-04-01,7.00,4.50\n"
    corpus = made_corpus(tmp_path_factory, {"prices.csv": prices})
    assert lines_of(corpus, "What did an adult cost in 2018?")[0].startswith("6.50")


def test_a_value_that_stands_in_another_column_is_denied(club: Corpus) -> None:
    assert lines_of(club, "Did Dan Howe ever serve as secretary?")[0].startswith("No")
    assert lines_of(club, "Was Dan Howe captain in 2018?")[0].startswith("Yes")
    assert lines_of(club, "Was Dan Howe captain in 2016?")[0].startswith("No")


def test_who_is_answered_by_a_column_of_people(plots: Corpus) -> None:
    lines = lines_of(plots, "Who took over plot 8 after Dan Howe left?")
    assert not lines[0].startswith(("£", ":", "two"))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How did the mooring fee change from 2016 to 2022?", ["£40", "£46", "£52"]),
        ("What was the mooring fee from 2016 to 2022?", ["£40", "£46", "£52"]),
        ("How did the mooring fee change from 2018 to 2022?", ["£46", "£52"]),
        ("How did the mooring fee change from 2013 to 2022?", ["£40", "£46", "£52"]),
    ],
)
def test_a_range_begins_with_the_price_in_force(
    tmp_path_factory: pytest.TempPathFactory, question: str, told: list[str]
) -> None:
    fees = (
        "Valid from,Fee,Amount\n2014-04-01,Mooring,£40\n2018-04-01,Mooring,£46\n2021-04-01,Mooring,£52\n"
        "2024-04-01,Mooring,£60\n2014-04-01,Slipway,£5\n2020-04-01,Slipway,£7\n"
    )
    answer = made_corpus(tmp_path_factory, {"fees.csv": fees}).ask(question, as_of=TODAY)
    assert [value.text for value in answer.values] == told


VOYAGES = (
    "Voyage,Sailed,Returned,Master\nAurora,1901-03-02,1901-04-20,Hale\nBorealis,1901-06-01,1901-09-15,Hale\n"
    "Corona,1902-05-05,1902-06-30,Ince\nDraco,1903-02-01,1904-03-01,Ince\n"
)


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(
        tmp_path_factory, {"voyages.csv": VOYAGES, "log.md": "The Aurora lay idle for two years."}
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which voyages lasted under two months?", ["Aurora", "Corona"]),
        ("Which voyages took longer than three months?", ["Borealis", "Draco"]),
        ("Which voyages lasted at least a year?", ["Draco"]),
    ],
)
def test_rows_are_chosen_by_how_long_they_lasted(ships: Corpus, question: str, names: list[str]) -> None:
    lines = lines_of(ships, question)
    assert [line.partition(":")[0] for line in lines] == names
    assert all(" days)" in line for line in lines)


def test_the_rows_of_a_value_count_together_and_up_to_today(plots: Corpus) -> None:
    lines = lines_of(plots, "Who held a plot for more than ten years?")
    assert {line.partition(":")[0] for line in lines} == {"Bo Falk", "Eve Stone", "Finn Ward"}


def test_whether_something_lasted_as_long_is_told_by_its_rows(plots: Corpus) -> None:
    assert lines_of(plots, "Did Bo Falk hold plot 7 for more than ten years?")[0].startswith("Yes")
    assert lines_of(plots, "Did Ada Lind hold plot 7 for more than ten years?")[0].startswith("No")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who held plot 7 from 2001 to 2016 except 2004-2014?", ["Ada Lind", "Bo Falk", "Cleo Marsh"]),
        ("Who held plot 7 outside 2003-2015?", ["Ada Lind", "Cleo Marsh"]),
        ("Who held plot 7 in 2003 but not in 2004?", ["Ada Lind"]),
        ("Who held plot 7 in 2004 but not 2001?", ["Bo Falk"]),
    ],
)
def test_rows_of_an_excluded_time_alone_are_left_out(plots: Corpus, question: str, names: list[str]) -> None:
    text = "\n".join(lines_of(plots, question))
    assert [one for one in ("Ada Lind", "Bo Falk", "Cleo Marsh") if one in text] == names
