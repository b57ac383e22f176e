"""The descriptions of a question are found out before it is answered, or it is refused."""

import pytest
from made_corpora import made_corpus

from timelens.agent import Planned
from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.question.parsed_question import StepKind
from timelens.temporal.calendar import day_number

TODAY = day_number(2021, 5, 6)
LEADERS = """Town,Role,Name,Start,End
Elmton,Mayor,Ada Alder,1990-01-01,1995-06-30
Elmton,Mayor,Bob Birch,1995-06-30,2001-03-01
Elmton,Mayor,Cyd Cedar,2001-03-01,2008-01-01
Elmton,Mayor,Ada Alder,2008-01-01,2012-01-01
Elmton,Mayor,Dan Dogwood,2012-01-01,
Oakham,Queen,Una Upas,1980-05-05,1999-09-09
Oakham,King,Vic Vine,1999-09-09,
Oakham,Mayor,Wes Willow,1991-01-01,1996-01-01
Oakham,Mayor,Xan Yew,1996-01-01,2003-01-01
Oakham,Mayor,Zoe Zelkova,2003-01-01,
"""
STATIONS = """Operator,Station,Start,End
Elmton,Orion 1,1990-01-01,1994-01-01
Elmton,Orion 2,1993-01-01,1999-01-01
Elmton,Orion 3,1998-01-01,
Oakham,Lyra,1995-05-05,2001-01-01
"""
BANK = """---
title: The Alpine Bank raises its rate
date: 2006-03-01
---

Ina Ivy has led the Alpine Bank since 1 February 2006, when Joe Juniper retired.
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    documents = {"leaders.csv": LEADERS, "stations.csv": STATIONS, "bank.md": BANK}
    return made_corpus(tmp_path_factory, documents)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who was Mayor of Oakham when the successor of Bob Birch took office?", "Xan Yew"),
        ("Who was Mayor of Oakham when Cyd Cedar's predecessor became Mayor?", "Wes Willow"),
        ("Take whoever was Mayor of Elmton while Vic Vine was King: who was that person's successor?", None),
        (
            "Who was Mayor of Oakham in the term of the Mayor of Elmton of the days when Orion 1 ended?",
            "Wes Willow",
        ),
        (
            "Someone was Mayor of Elmton when Zoe Zelkova took office; who came after that person?",
            "Ada Alder",
        ),
        ("Who was Mayor of Elmton when the monarch who succeeded Una Upas took office?", "Bob Birch"),
        ("Which Elmton station came right before the one that followed Orion 2?", "Orion 2"),
        ("Who was Mayor of Elmton when the person who followed Joe Juniper took office?", "Cyd Cedar"),
    ],
)
def test_what_a_description_stands_for_leads_to_the_answer(
    corpus: Corpus, question: str, name: str | None
) -> None:
    answer = corpus.ask(question, as_of=TODAY)
    if name is None:
        assert answer.status is Status.NO_ANSWER
    else:
        assert [value.text for value in answer.values] == [name]


def test_the_answer_states_what_a_description_stands_for_with_its_row(corpus: Corpus) -> None:
    answer = corpus.ask("Who was Mayor of Oakham when the successor of Bob Birch took office?", as_of=TODAY)
    line = answer.text.splitlines()[-1]
    assert (
        line
        == "The successor of Bob Birch: Cyd Cedar, Elmton, Mayor, from 1 March 2001 to 1 January 2008 [2][3]."
    )
    assert [claim.support for claim in answer.claims if claim.derived] == [Support.SUPPORTED]
    assert answer.citations[1].hit.chunk.fact is not None


@pytest.mark.parametrize(
    ("question", "words", "why"),
    [
        (
            "Who was Mayor of Oakham when the successor of Karl May took office?",
            "successor of Karl May",
            "does not say",
        ),
        (
            "Who was Mayor of Oakham while the successor of Dan Dogwood ruled?",
            "successor of Dan Dogwood",
            "does not say",
        ),
        ("Who was Mayor of Oakham when the successor of Ada Alder left?", "of Ada Alder", "more than one"),
        (
            "Who was Mayor of Oakham when the Queen who followed Bob Birch left?",
            "the Queen who followed",
            "does not say",
        ),
        (
            "Who was Mayor of Oakham when the station after Orion 2 ended?",
            "station after Orion 2",
            "more than one",
        ),
        (
            "Who was Mayor of Oakham when the successor of Bob Birch met Karl May?",
            "Cyd Cedar met",
            "when that was",
        ),
    ],
)
def test_a_hop_that_leads_to_nothing_sure_is_named_in_a_refusal(
    corpus: Corpus, question: str, words: str, why: str
) -> None:
    answer = corpus.ask(question, as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert words in answer.text
    assert why in answer.text
    assert answer.citations == ()


def test_each_hop_is_a_step_that_names_those_it_hangs_on(corpus: Corpus) -> None:
    question = "Who was Mayor of Oakham while the predecessor of the predecessor of Cyd Cedar was Mayor?"
    plans = [event.plan for event in corpus.stream(question, as_of=TODAY) if isinstance(event, Planned)]
    steps = plans[-1].steps
    assert [(step.kind, step.needs) for step in steps[:2]] == [(StepKind.HOP, ()), (StepKind.HOP, (1,))]
    assert "⟦" not in " ".join(step.query for step in steps)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_a_question_with_a_description_is_answered_as_it_was_asked(corpus: Corpus) -> None:
    answer = corpus.ask("Who was Mayor of Oakham when Cyd Cedar's predecessor became Mayor?", as_of=TODAY)
    assert (answer.status, answer.read_as) == (Status.ANSWERED, None)
