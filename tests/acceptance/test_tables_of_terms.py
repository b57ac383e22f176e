"""Questions over a table of people, their posts and when they held them."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

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


@pytest.mark.parametrize(
    "question", ["Who was mayor before Carla Voigt?", "Who succeeded Hugo Marsh?", "Who succeeded Iris Blom?"]
)
def test_a_neighbour_of_another_order_is_not_named(company: Corpus, question: str) -> None:
    assert company.ask(question, as_of=TODAY).status is Status.NO_ANSWER
