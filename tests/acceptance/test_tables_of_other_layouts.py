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
SEASONS = """Season,Adult ticket,Child ticket,Opened
2019/20,£5.50,£2.50,6 Apr
2020/21,£5.50,£2.50,7 Jun
2021/22,£6.00,£3.00,2 Apr
2022/23,£6.00,£3.00,1 Apr
2023/24,£6.50,£3.00,30 Mar
"""
CONCERTS = """Year,Date,Programme,Tickets sold
2018,14 April,Folk songs,97
,8 December,Messiah,203
2019,6 April,Songs from the shows,139
2020,13 June,Carols in the open air,free
2021,11 December,Vivaldi,188
2022,9 April,Requiem,104
2022,10 December,Gloria,151
2023,22 April,More songs,126
2023,9 December,Christmas concert,177
2024,20 April,Sea songs,158
"""
MUSEUM = """<title>Museum people</title><h1>Museum people</h1><p>The mill opened in 1987.</p>
<h2>Curators</h2><table><tr><th>Name<th>From<th>To
<tr><td>Bea Cuttle<td>1 Nov 1999<td>31 Mar 2008<tr><td>post vacant<td>1 Apr 2008<td>14 Jan 2009
<tr><td>Lene Falk<td>15 Jan 2009<td>30 Sep 2016<tr><td>Ida Sayle<td>1 Oct 2016<td></table>
<h2>Chairs of the trustees</h2><table><tr><th>Name<th>From<th>To
<tr><td>Max Orr<td>May 1987<td>June 2004<tr><td>Sam Bell<td>July 2004<td></table>"""
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
    files = {
        "hives.csv": HIVES,
        "officers.csv": OFFICERS,
        "jobs.csv": JOBS,
        "chapel.md": NOTE,
        "seasons.csv": SEASONS,
        "concerts.csv": CONCERTS,
        "people.html": MUSEUM,
    }
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
        ("seasons.csv", "What was the child ticket in the 2021/22 season?", "£3.00: from 1 July 2021 to"),
        ("seasons.csv", "What was the child ticket in 2020/21?", "£2.50: from 1 July 2020 to 30 June 2021"),
        ("seasons.csv", "In which season did the adult ticket first cost £6?", "2021/22: £6.00, "),
        ("seasons.csv", "When did the adult ticket first cost £6?", "£6.00: from 1 July 2021 to"),
        ("concerts.csv", "Which concert sold the most tickets?", "Messiah: on 8 December 2018"),
        ("concerts.csv", "When was the Sea songs concert?", "Sea songs: on 20 April 2024"),
        ("people.html", "Who was curator in 2010?", "Lene Falk: from 15 January 2009"),
        ("people.html", "Who was chair of the trustees in 2010?", "Sam Bell: since July 2004"),
        ("people.html", "Who was the next curator after Bea Cuttle?", "Lene Falk: from 15 January 2009"),
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
