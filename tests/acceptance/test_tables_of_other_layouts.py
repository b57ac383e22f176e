"""Questions about tables with a row for each year and a column for each thing, about logs and notes."""

from collections.abc import Callable

import pytest
from made_corpora import made_corpus

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
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    files = {"hives.csv": HIVES, "officers.csv": OFFICERS, "jobs.csv": JOBS, "chapel.md": NOTE}
    corpora: dict[str, Corpus] = {}

    def answer(name: str, question: str) -> str:
        if name not in corpora:
            corpora[name] = made_corpus(tmp_path_factory, {name: files[name]})
        found = corpora[name].ask(question, as_of=TODAY)
        return "" if found.status is Status.NO_ANSWER else found.text

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
def test_a_column_for_each_thing(ask: Callable[[str, str], str], question: str, first_line: str) -> None:
    assert ask("hives.csv", question).splitlines()[:1] == [first_line]


@pytest.mark.parametrize(
    "question", ["How much wax was there in 2019?", "How many geese did we have in 2017?"]
)
def test_what_no_cell_tells_is_refused(ask: Callable[[str, str], str], question: str) -> None:
    assert ask("hives.csv", question) == ""


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Who was chair in 2016?", "Eve Stone: in 2016"),
        ("When was Dee Holt treasurer?", "Dee Holt: from 2015 to 2017"),
        ("How long was Ann Pole chair?", "Ann Pole: from 2014 to 2015, 2 years"),
    ],
)
def test_a_column_for_each_post(ask: Callable[[str, str], str], question: str, start: str) -> None:
    assert ask("officers.csv", question).startswith(start), ask("officers.csv", question)


def test_the_length_of_several_rows_is_supported(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = made_corpus(tmp_path_factory, {"officers.csv": OFFICERS})
    answer = corpus.ask("How long was Ann Pole chair?", as_of=TODAY)
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED], answer.text


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Has Imhof paid for the new bridge?", "No [1]."),
        ("Has Steiner paid for the new tuners?", "Yes [1]."),
        ("What did I charge Fontana for the crack repair?", "990 CHF: "),
    ],
)
def test_a_log(ask: Callable[[str, str], str], question: str, start: str) -> None:
    assert ask("jobs.csv", question).startswith(start), ask("jobs.csv", question)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Who was organist in 1980?", "Agnes Kerr: "),
        ("Who is the organist now?", "Hilary Napier: "),
        ("How long was Tom Rudd sexton?", "Sexton, Tom Rudd: from 1970 to 1999, 29 years"),
    ],
)
def test_a_table_in_a_note(ask: Callable[[str, str], str], question: str, start: str) -> None:
    assert ask("chapel.md", question).startswith(start), ask("chapel.md", question)
