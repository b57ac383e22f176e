"""A sentence with several dates: the one of the asked verb answers."""

from collections.abc import Callable

import pytest
from made_corpora import made_corpus

from timelens.agent import Answer
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2026-01-01")
TEXTS = {
    "shop.txt": "The shop closed on 2 May 2016 and reopened on 19 September 2016.",
    "choir.txt": "Mrs Pell joined the choir on 3 January 2010 and left it on 30 June 2014.",
    "strike.txt": "The strike began on 5 May 1984 and ended on 2 March 1985.",
    "bridge.txt": "The bridge was damaged on 3 June 2013, closed on 4 June 2013 and opened on 30 May 2014.",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Answer]:
    corpus = made_corpus(tmp_path_factory, TEXTS)
    return lambda question: corpus.ask(question, as_of=TODAY)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When did the shop close?", "2 May 2016"),
        ("When did the shop reopen?", "19 September 2016"),
        ("When did Mrs Pell join the choir?", "3 January 2010"),
        ("When did Mrs Pell leave the choir?", "30 June 2014"),
        ("When did the strike begin?", "5 May 1984"),
        ("When did the strike end?", "2 March 1985"),
        ("When was the bridge damaged?", "3 June 2013"),
        ("When was the bridge closed?", "4 June 2013"),
        ("When was the bridge opened?", "30 May 2014"),
    ],
)
def test_the_date_beside_the_asked_verb_answers(
    ask: Callable[[str], Answer], question: str, day: str
) -> None:
    assert ask(question).text.startswith(day)


def test_a_table_named_after_a_thing_does_not_tell_who_founded_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    corpus = made_corpus(
        tmp_path_factory,
        {
            "history.txt": "The swimming club was founded on 3 May 1905 by Mona Fell.",
            "swimming-club-trainers.csv": "Trainer,From,To\nHugh Lorne,3 Feb 2008,30 Sep 2014\n"
            "Petra Vance,1 Oct 2014,14 June 2019\n",
        },
    )
    for question in (
        "Who founded the swimming club in 1905?",
        "By whom was the swimming club founded in 1905?",
    ):
        assert corpus.ask(question, as_of=TODAY).text.startswith("Mona Fell")
