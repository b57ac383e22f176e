"""Questions about tables with a row for each year and a column for each thing, about logs and notes."""

from collections.abc import Callable

import pytest
from made_corpora import made_corpus

from timelens.agent import Answer
from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-30")
HIVES = """Year,Heather honey (kg),Wax (kg),Stall fee (£),Swarms,Remarks
2015,31,2.5,20,3,
2016,18,1.5,20,1,cold June
2017,44,3,24,4,
2018,52,3.5,24,2,best summer
2019,27,,26,0,varroa
2020,39,2,26,5,
"""
OFFICERS = """Year,Chair,Secretary,Treasurer
2014,Ann Pole,Bo Quill,Cy Marsh
2015,Ann Pole,Bo Quill,Dee Holt
2016,Eve Stone,Bo Quill,Dee Holt
2017,Eve Stone,vacant,Dee Holt
2018,Bo Quill,Fay Unwin,Gus Hay
"""
JOBS = """Date,Customer,Instrument,Job,Hrs,Charge (CHF),Paid?
08.01.2022,R. Steiner,guitar,new tuners,0.75,65,y
15.02.2022,K. Imhof,lute,new bridge,8,720,n
26.03.2023,S. Fontana,double bass,crack repair,14,990,y
"""
NOTE = """# Chapel

| Office | Name | From | To |
|---|---|---|---|
| Organist | Agnes Kerr | 1965 | 1994 |
| Organist | Hilary Napier | 1995 | present |
| Sexton | Tom Rudd | 1970 | 1999 |
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Answer]:
    """Asks a question of the corpus of one file."""
    files = {"hives.csv": HIVES, "officers.csv": OFFICERS, "jobs.csv": JOBS, "chapel.md": NOTE}
    corpora: dict[str, Corpus] = {}

    def answer(name: str, question: str) -> Answer:
        if name not in corpora:
            corpora[name] = made_corpus(tmp_path_factory, {name: files[name]})
        return corpora[name].ask(question, as_of=TODAY)

    return answer


@pytest.mark.parametrize(
    ("question", "first_line"),
    [
        ("How much heather honey did we get in 2017?", "44 kg: in 2017 [1]."),
        ("What was the stall fee in 2019?", "£26: in 2019 [1]."),
        ("What was the highest amount of heather honey?", "52 kg: in 2018 [1]."),
        ("How much wax was there in total from 2015 to 2017?", "7.0 kg in total [1][2][3]."),
        ("In how many years was the heather honey over 30 kg?", "4 years [1][2][3][4]."),
    ],
)
def test_a_column_for_each_thing(ask: Callable[[str, str], Answer], question: str, first_line: str) -> None:
    answer = ask("hives.csv", question)
    assert (answer.status, answer.text.splitlines()[0]) == (Status.ANSWERED, first_line)


@pytest.mark.parametrize(
    "question", ["How much wax was there in 2019?", "How many geese did we have in 2017?"]
)
def test_what_no_cell_tells_is_refused(ask: Callable[[str, str], Answer], question: str) -> None:
    assert ask("hives.csv", question).status is Status.NO_ANSWER


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("officers.csv", "Who was chair in 2016?", "Eve Stone: in 2016"),
        ("officers.csv", "When was Dee Holt treasurer?", "Dee Holt: from 2015 to 2017"),
        ("officers.csv", "How long was Ann Pole chair?", "Ann Pole: from 2014 to 2015, 2 years"),
        ("jobs.csv", "Has Imhof paid for the new bridge?", "No [1]."),
        ("jobs.csv", "Has Steiner paid for the new tuners?", "Yes [1]."),
        ("jobs.csv", "What did I charge Fontana for the crack repair?", "990 CHF: "),
        ("chapel.md", "Who was organist in 1980?", "Agnes Kerr: "),
        ("chapel.md", "Who is the organist now?", "Hilary Napier: "),
        ("chapel.md", "How long was Tom Rudd sexton?", "Sexton, Tom Rudd: from 1970 to 1999, 29 years"),
    ],
)
def test_columns_of_posts_logs_and_tables_in_notes(
    ask: Callable[[str, str], Answer], name: str, question: str, start: str
) -> None:
    answer = ask(name, question)
    assert (answer.status, answer.text.startswith(start)) == (Status.ANSWERED, True), answer.text


def test_the_length_of_several_rows_is_supported(ask: Callable[[str, str], Answer]) -> None:
    answer = ask("officers.csv", "How long was Ann Pole chair?")
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED], answer.text
