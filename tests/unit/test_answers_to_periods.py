"""Questions about several periods, from documents to answers."""

import re

import pytest
from made_corpora import made_corpus

from timelens.agent import Answer
from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.retrieval.strategies import STRATEGIES
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import year_interval

TODAY = day_number(2021, 5, 6)
RATES = """Bank,Rate (percent),Start,End
Bank of Elmton,5.25,1999-01-01,2007-09-18
Bank of Elmton,4.00,2007-09-18,2009-03-05
Bank of Elmton,0.50,2009-03-05,2016-08-04
Bank of Elmton,-0.25,2016-08-04,
"""
MAYORS = (
    "Town,Mayor,Start,End\nElmton,Ada Alder,1990-01-01,1995-06-30\nElmton,Bob Birch,1995-06-30,2001-03-01\n"
)
TEXTS = {
    "bridge": "The toll of the bridge was 3 crowns in 1995. The toll of the bridge was 5 crowns in 2010.",
    "river": "The river rose on 4 May 1998. The Great Flood of Elmton drowned the market on 5 May 1998.",
    "law": "The Market Act of 12 May 1990 required every trader of Elmton to keep a ledger. "
    "The Traders Act of 3 June 2005 let the traders of Elmton keep their ledgers by machine.",
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    documents = {"rates.csv": RATES, "mayors.csv": MAYORS} | {
        f"{name}.md": f"---\ntitle: The {name}\ndate: 2012-02-01\n---\n\n{text}\n"
        for name, text in TEXTS.items()
    }
    return made_corpus(tmp_path_factory, documents)


def check(answer: Answer) -> None:
    """Every number in the text is a citation or a nearest passage, and all of them stand there."""
    numbers = set(map(int, re.findall(r"\[(\d+)\]", answer.text)))
    cited = {citation.number for citation in answer.citations}
    assert numbers == cited | {near.citation.number for near in answer.nearest}
    assert all(set(value.citations) <= cited for value in answer.values)


def test_each_period_has_a_line_and_the_difference_follows(town: Corpus) -> None:
    answer = town.ask("What was the rate of the Bank of Elmton in 2005 compared with 2010?", as_of=TODAY)
    check(answer)
    assert answer.status is Status.ANSWERED
    first, second, derived = answer.text.splitlines()
    assert first.startswith("2005: 5.25")
    assert second.startswith("2010: 0.50")
    assert derived.startswith(
        "Difference: −4.75 percentage points, from 5.25 (2005) to 0.50 (2010), over 5 years"
    )
    assert [(claim.support, claim.derived) for claim in answer.claims] == [
        (Support.SUPPORTED, False),
        (Support.SUPPORTED, False),
        (Support.SUPPORTED, True),
    ]
    assert {reference.support for reference in answer.time_references} == {Support.SUPPORTED}


def test_texts_answer_for_each_period_too(town: Corpus) -> None:
    answer = town.ask("What was the toll of the bridge in 1995 and in 2010?", as_of=TODAY)
    check(answer)
    assert [line.partition(":")[0] for line in answer.text.splitlines()] == ["1995", "2010"]
    assert ("3 crowns" in answer.text, "5 crowns" in answer.text) == (True, True)


def test_a_state_that_did_not_change_is_said_once(town: Corpus) -> None:
    answer = town.ask("Who was Mayor of Elmton in 1991 and in 1993?", as_of=TODAY)
    check(answer)
    assert answer.text.count("Ada Alder") == 1
    assert answer.text.startswith("1991 and 1993: Ada Alder")
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED]
    assert {reference.support for reference in answer.time_references} == {Support.SUPPORTED}


def test_a_period_without_evidence_is_named_as_a_gap(town: Corpus) -> None:
    answer = town.ask("What was the rate of the Bank of Elmton in 1980 compared with 2005?", as_of=TODAY)
    check(answer)
    assert answer.status is Status.PARTIAL
    (gap,) = answer.coverage.gaps
    assert gap.same_days(year_interval(1980))
    assert [covered.share for covered in answer.coverage.periods] == [0, 1]
    assert not any("no evidence" in note for note in answer.notes)  # the text says it
    assert "found for 1980" in answer.text
    assert "Difference" not in answer.text
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED]  # that of 2005


def test_no_gap_is_named_where_there_is_none(town: Corpus) -> None:
    answer = town.ask("Who was Mayor of Elmton in 1991 and in 2010?", as_of=TODAY)
    assert answer.status is Status.PARTIAL
    assert not any(note.endswith("for ") for note in answer.notes)


@pytest.mark.parametrize(
    "question",
    [
        "How did tulip prices in Holland develop from 1990 to 2005?",
        "What was the price of tulips in 1995 and in 2010?",
        "Compare tulip prices in 1990, 1998 and 2005",
    ],
)
def test_what_is_off_topic_covers_nothing_and_is_near_to_nothing(town: Corpus, question: str) -> None:
    answer = town.ask(question, as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert answer.coverage.share == 0
    assert (answer.citations, answer.nearest, answer.claims) == ((), (), ())
    assert "nearest" not in answer.text.casefold()


def test_what_is_on_topic_and_unclear_is_the_nearest(town: Corpus) -> None:
    answer = town.ask("What was the toll of the bridge in 1960 and in 1970?", as_of=TODAY)
    check(answer)
    assert answer.status is Status.NO_ANSWER
    assert {near.period for near in answer.nearest} == {year_interval(1960), year_interval(1970)}
    assert (answer.citations, answer.values) == ((), ())
    assert "No clear statement was found for 1960. Nearest:" in answer.text


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_every_strategy_answers(town: Corpus, strategy: str) -> None:
    question = "What was the rate of the Bank of Elmton in 2005 and in 2010?"
    answer = town.ask(question, as_of=TODAY, strategy=strategy)
    check(answer)
    assert [line[:10] for line in answer.text.splitlines()] == ["2005: 5.25", "2010: 0.50"]


@pytest.mark.parametrize("strategy", [name for name, one in STRATEGIES.items() if one.knows_time])
@pytest.mark.parametrize("years", [(1995, 2010), (2000, 2008), (2000, 2008, 2012), (2000, 2008, 2012, 2018)])
def test_with_one_hit_a_period_every_period_is_reached(
    town: Corpus, strategy: str, years: tuple[int, ...]
) -> None:
    topic = "toll of the bridge" if years[0] == 1995 else "rate of the Bank of Elmton"
    asked = " and in ".join(map(str, years))
    result = town.search(f"What was the {topic} in {asked}?", as_of=TODAY, strategy=strategy, k=len(years))
    assert len(result.hits) <= len(years)
    for year in years:
        times = [event.interval for hit in result.hits for event in hit.chunk.events]
        assert any(time.intersects(year_interval(year)) for time in times)
    assert result.coverage.share == 1
    assert len(result.coverage.periods) == len(years)


ODD = [
    "Who was Mayor before 1991 and since 1996?",
    "Compare 1990 and 2005",
    "2005 vs 2010",
    "in 44 BC and in 31 BC, who was Mayor of Elmton?",
    "Who was Mayor of Elmton on 5 May 1991 and on 6 May 1991?",
    "Who was Mayor of Elmton during the Spring Games of 1992 and 1993?",
    "Who was Mayor when the river rose in 1998 and in 2003?",
    "Who was Mayor in 1991, or when the Great Flood drowned the market?",
    "How did it change between 1990 and 2005?",
    "Was the rate higher in 2005 than in 2010, or in 2018?",
]


@pytest.mark.parametrize("question", ODD)
@pytest.mark.parametrize("strategy", ["timelens", "mrag", "hybrid"])
def test_no_question_about_periods_is_too_odd(town: Corpus, question: str, strategy: str) -> None:
    check(town.ask(question, as_of=TODAY, strategy=strategy))
