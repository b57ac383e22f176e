"""Questions over a table of people, their posts and when they held them."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

LETTINGS = """Unit,Tenant,Monthly rent,Start,End
1A,Ann Sorrel,£520,01/04/2009,31/08/2013
1A,Bert Olney,£585,01/10/2013,30/09/2017
1B,Cleo Marsh,£610,01/02/2010,31/05/2016
1B,Ann Sorrel,£650,01/07/2016,ongoing
"""
TODAY = parse_day("2024-06-30")
COMPANY = """name,position,section,town,from,to
Ada Quist,Director,Office,Lowmere,2001-03-01,2009-08-31
Boris Tenn,Director,Office,Lowmere,2009-09-01,2018-05-31
Carla Voigt,Director,Office,Harn,2018-06-01,
Carla Voigt,Stage Manager,Stage,Lowmere,2010-02-01,2018-05-31
Dorian Pell,Stage Manager,Stage,Lowmere,2003-01-06,2009-12-18
Edda Holm,Stage Manager,Stage,Harn,2018-08-01,
Frank Ossian,Carpenter,Stage,Lowmere,2005-04-04,2012-07-31
Frank Ossian,Senior Carpenter,Stage,Lowmere,2012-08-01,2016-09-30
Greta Lund,Carpenter,Stage,Harn,2011-01-10,2014-03-28
Greta Lund,Box Office Clerk,Office,Harn,2019-05-02,
Hugo Marsh,Carpenter,Stage,Lowmere,2016-11-01,
"""


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"company.csv": COMPANY})


@pytest.fixture(scope="module")
def lettings(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"lettings.csv": LETTINGS})


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who succeeded Ada Quist?", "Boris Tenn"),
        ("Who was director before Carla Voigt?", "Boris Tenn"),
        ("Who was the successor of Dorian Pell?", "Carla Voigt"),
        ("Who came after Carla Voigt as stage manager?", "Edda Holm"),
        ("who took over from ada quist", "Boris Tenn"),
    ],
)
def test_a_neighbour_needs_no_named_post(company: Corpus, question: str, name: str) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert answer.text.startswith(name), answer.text
    assert all(citation.hit.chunk.fact is not None for citation in answer.citations)


def test_of_several_posts_the_same_one_is_followed(tmp_path_factory: pytest.TempPathFactory) -> None:
    crew = "Name,Post,Boathouse,Start,End\nAnn Lee,Coach,North,2009-04-01,2014-03-31\n"
    crew += "Bo Falk,Coach,South,2014-04-01,\nCy Ott,Boatman,North,2010-05-15,2018-06-20\n"
    answer = made_corpus(tmp_path_factory, {"crew.csv": crew}).ask("Who succeeded Ann Lee?", as_of=TODAY)
    assert answer.text.startswith("Bo Falk"), answer.text


def test_who_was_there_at_the_same_time_is_no_successor(tmp_path_factory: pytest.TempPathFactory) -> None:
    crew = "Name,Post,Boathouse,Start,End\nAnn Lee,Coach,North,2009-04-01,2014-03-31\n"
    crew += "Cy Ott,Boatman,North,2010-05-15,2018-06-20\nDi Moor,Porter,South,2011-05-15,2018-06-20\n"
    answer = made_corpus(tmp_path_factory, {"crew.csv": crew}).ask("Who succeeded Ann Lee?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER, answer.text


@pytest.mark.parametrize(
    "question", ["Who was mayor before Carla Voigt?", "Who succeeded Hugo Marsh?", "Who succeeded Iris Blom?"]
)
def test_a_neighbour_of_another_order_is_not_named(company: Corpus, question: str) -> None:
    assert company.ask(question, as_of=TODAY).status is Status.NO_ANSWER


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who worked on the stage in 2013?", {"Carla Voigt", "Frank Ossian", "Greta Lund"}),
        ("Who left in 2014?", {"Greta Lund"}),
        ("Which people left in 2018?", {"Boris Tenn"}),
        ("Who joined in 2018?", {"Edda Holm"}),
        ("Which staff left in 2018?", {"Boris Tenn"}),
    ],
)
def test_only_stated_values_restrict_who_is_named(company: Corpus, question: str, names: set[str]) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert {value.text for value in answer.values} == names, answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was Frank's job in 2010?", "Carpenter"),
        ("What role did Greta Lund have in 2020?", "Box Office Clerk"),
        ("Where did Edda Holm work in 2019?", "Harn"),
        ("Which department was Hugo in?", "Stage"),
    ],
)
def test_a_column_is_asked_for_by_another_word(company: Corpus, question: str, value: str) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert [one.text for one in answer.values] == [value], answer.text


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many people worked on the stage in 2013?", "3 people"),
        ("How many carpenters did we have in May 2012?", "2 carpenters"),
        ("How many different jobs has Carla Voigt had?", "2 jobs"),
        ("How many people left in 2014?", "1 person"),
    ],
)
def test_a_count_comes_first(company: Corpus, question: str, count: str) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert answer.text.startswith(f"{count} ["), answer.text
    assert [claim.support for claim in answer.claims][:1] == [Support.SUPPORTED]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was Greta Lund an employee in 2016?", "No [1][2]."),
        ("Was Greta Lund an employee in 2012?", "Yes [1]."),
        ("Did Edda Holm work in Harn in 2020?", "Yes [1]."),
        ("Was Frank Ossian a senior carpenter in 2010?", "No [1]."),
    ],
)
def test_whether_somebody_held_a_post_is_told_by_the_rows(company: Corpus, question: str, said: str) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert answer.text.splitlines()[0] == said, answer.text


SUPPLIERS = (
    "Firm,Service,Yearly price,Start,End\n"
    'Volta Ltd,Electricity,"£8,600",2010-10-01,2014-09-30\nOhmic,Electricity,"£9,250",2014-10-01,2018-09-30\n'
    'Volta Ltd,Electricity,"£9,900",2018-10-01,2022-09-30\nOhmic,Electricity,"£14,300",2022-10-01,\n'
    'Clearview,Window cleaning,"£1,150",2011-02-01,2015-01-31\n'
    "Clearview,Window cleaning,£980,2015-02-01,2019-06-30\n"
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Did Ohmic supply the electricity in 2016?", "Yes [1]."),
        ("Did Ohmic supply the electricity in 2020?", "No [1][2]."),
        ("Is Ohmic our electricity supplier?", "Yes [1]."),
        ("Does Volta supply our electricity?", "No [1]."),
        ("Is Clearview still doing our windows?", "No [1]."),
        ("Was there window cleaning in 2021?", "No [1]."),
        ("How many times has Ohmic supplied the electricity?", "2 times [1][2]."),
        ("How often did we have Clearview for the windows?", "1 time [1][2]."),
        ("Did we have window cleaning in 2021?", "No [1]."),
        ("Was Clearview doing the windows the whole time from 2012 to 2018?", "Yes [1][2]."),
        ("Was Clearview doing the windows the whole time from 2012 to 2022?", "No [1][2]."),
        ("Did Ohmic cost more per year in 2023 than in 2016?", "Yes [1][2]."),
    ],
)
def test_a_table_tells_whether_and_how_often_its_rows_held(
    tmp_path_factory: pytest.TempPathFactory, question: str, said: str
) -> None:
    answer = made_corpus(tmp_path_factory, {"suppliers.csv": SUPPLIERS}).ask(question, as_of=TODAY)
    assert answer.text.splitlines()[0] == said, answer.text


def test_an_event_of_a_row_is_no_state_of_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = made_corpus(tmp_path_factory, {"suppliers.csv": SUPPLIERS})
    assert not corpus.ask("Did Ohmic raise the electricity price in 2016?", as_of=TODAY).text.startswith(
        "Yes"
    )


FARES = (
    "Route,Ticket,Price,From,Until\nTarvick - Hessoe,Adult,£3.20,2008-04-01,2011-03-31\n"
    "Tarvick - Hessoe,Adult,£3.60,2011-04-01,2015-03-31\nTarvick - Hessoe,Adult,£3.40,2015-04-01,2019-03-31\n"
    "Tarvick - Hessoe,Adult,£4.80,2019-04-01,\nTarvick - Hessoe,Car,£14.00,2008-04-01,2013-03-31\n"
    "Tarvick - Hessoe,Car,£16.50,2013-04-01,\nTarvick - Brandle,Adult,£4.60,2012-04-01,\n"
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Did the adult ticket to Hessoe cost more than £3.50 in 2012?", "Yes [1]."),
        ("Was the adult ticket to Hessoe under three pounds in 2012?", "No [1]."),
        ("Has the adult fare to Hessoe ever gone down?", "Yes [1][2]."),
        ("Has the car fare to Hessoe ever gone down?", "No [1][2]."),
        ("Did the car fare to Hessoe go up in 2013?", "Yes [1][2]."),
        ("How often has the adult fare to Hessoe gone up?", "2 times [1][2][3][4]."),
        ("How many times did the adult price to Hessoe change?", "3 times [1][2][3][4]."),
        ("What do we charge for a car to Hessoe?", "£16.50: Tarvick - Hessoe, Car, since 1 April 2013 [1]."),
    ],
)
def test_a_table_tells_whether_and_how_often_a_number_changed(
    tmp_path_factory: pytest.TempPathFactory, question: str, said: str
) -> None:
    answer = made_corpus(tmp_path_factory, {"fares.csv": FARES}).ask(question, as_of=TODAY)
    assert answer.text.splitlines()[0] == said, answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Has Greta Lund ever been Stage Manager?", "No [1][2]."),
        ("Was Hugo Marsh director in 2019?", "No [1]."),
    ],
)
def test_what_no_row_has_together_has_never_been(company: Corpus, question: str, said: str) -> None:
    answer = company.ask(question, as_of=TODAY)
    assert answer.text.splitlines()[0] == said, answer.text


BOATS = (
    "since,to,boat,berth,looked after by\n1999-05-10,2009-02-28,Grey Kate,Rack 5,Rhona Keel\n"
    "2009-03-01,,Grey Kate,Rack 1,Ivo Stannet\n2003-07-01,2010-10-31,Lady Orrel,Rack 4,Walt Jessop\n"
    "2010-11-01,,Lady Orrel,Rack 6,Walt Jessop\n"
)


def test_a_column_is_asked_for_by_a_word_in_its_values(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = made_corpus(tmp_path_factory, {"boats.csv": BOATS})
    answer = corpus.ask("Which rack was Grey Kate on in 2005?", as_of=TODAY)
    assert [value.text for value in answer.values] == ["Rack 5"], answer.text


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which rack do we keep Grey Kate on?", ["Rack 1"]),
        ("who looks after the grey kate", ["Ivo Stannet"]),
        ("Which rack did we keep Grey Kate on?", ["Rack 5", "Rack 1"]),
    ],
)
def test_the_present_tense_asks_about_today(
    tmp_path_factory: pytest.TempPathFactory, question: str, values: list[str]
) -> None:
    answer = made_corpus(tmp_path_factory, {"boats.csv": BOATS}).ask(question, as_of=TODAY)
    assert [one.text for one in answer.values] == values, answer.text


def test_the_rows_of_a_time_do_not_answer_for_what_no_row_names(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    corpus = made_corpus(tmp_path_factory, {"boats.csv": BOATS})
    assert corpus.ask("Who looked after the money in 2005?", as_of=TODAY).status is Status.NO_ANSWER


def test_the_times_of_a_list_may_be_asked_for_beside_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = made_corpus(tmp_path_factory, {"suppliers.csv": SUPPLIERS})
    answer = corpus.ask("List everyone who did the electricity, and when they started", as_of=TODAY)
    assert [one.text for one in answer.values] == ["Volta Ltd", "Ohmic", "Volta Ltd", "Ohmic"], answer.text


def test_a_table_says_nothing_of_whom_it_does_not_name(company: Corpus) -> None:
    assert company.ask("Was Iris Blom an employee in 2012?", as_of=TODAY).status is Status.NO_ANSWER


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What rent did Bert Olney pay in 2014?", ["£585"]),
        ("who lived in flat 1b in march 2011", ["Cleo Marsh"]),
        ("Which tenants moved in during 2013?", ["Bert Olney"]),
        ("Who rents flat 1B now?", ["Ann Sorrel"]),
    ],
)
def test_a_table_of_lettings_is_asked_in_plain_words(
    lettings: Corpus, question: str, values: list[str]
) -> None:
    answer = lettings.ask(question, as_of=TODAY)
    assert [one.text for one in answer.values] == values, answer.text


def test_different_tenants_are_counted_by_their_column(lettings: Corpus) -> None:
    answer = lettings.ask("How many different tenants has flat 1A had?", as_of=TODAY)
    assert answer.text.startswith("2 tenants [1][2]."), answer.text


def test_a_number_does_not_answer_whether_somebody_lived_there(lettings: Corpus) -> None:
    answer = lettings.ask("Did Bert Olney live in 1A in 2015?", as_of=TODAY)
    assert answer.text.startswith("Yes [1]."), answer.text
