"""Questions for a time up to now, or for an order of all, asked before a table ends."""

import pytest
from made_corpora import made_corpus

from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

WARDENS = (
    "Post,Name,Start,End\nwarden,Ada Lind,2001-01-01,2006-01-01\nwarden,Bo Falk,2006-01-01,2011-01-01\n"
    "warden,Cleo Marsh,2011-01-01,2016-01-01\nwarden,Dan Howe,2016-01-01,\n"
)
TOLLS = (
    "Bridge,Toll,Start,End\nSwing,2.00,2001-01-01,2005-05-31\nSwing,2.50,2005-06-01,2009-03-31\n"
    "Swing,3.00,2009-04-01,\n"
)


@pytest.fixture(scope="module")
def trust(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"wardens.csv": WARDENS, "tolls.csv": TOLLS})


@pytest.mark.parametrize(
    ("question", "year", "named"),
    [
        ("Who has been warden since 2005?", 2012, ["Bo Falk", "Cleo Marsh"]),
        ("Who was the last warden?", 2012, ["Cleo Marsh"]),
        ("Who was the most recent warden?", 2008, ["Bo Falk"]),
        ("Who was the previous warden?", 2012, ["Bo Falk"]),
        ("Who was the previous warden?", 2020, ["Cleo Marsh"]),
        ("Who was warden after 2005?", 2012, ["Bo Falk", "Cleo Marsh", "Dan Howe"]),
        ("What has the toll been since 2007?", 2008, ["2.50"]),
        ("What has the toll been since 2007?", 2012, ["2.50", "3.00"]),
    ],
)
def test_rows_that_begin_after_today_are_left_out(
    trust: Corpus, question: str, year: int, named: list[str]
) -> None:
    lines = trust.ask(question, as_of=day_number(year, 6, 1)).text.splitlines()
    assert [line.partition(":")[0] for line in lines] == named


def test_what_is_so_in_a_time_ahead_may_be_asked(trust: Corpus) -> None:
    answer = trust.ask("Who is warden since 2016?", as_of=day_number(2012, 6, 1))
    assert answer.text.startswith("Dan Howe")


def test_only_what_has_begun_is_counted_and_compared(trust: Corpus) -> None:
    counted = trust.ask("How many wardens have there been since 2001?", as_of=day_number(2012, 6, 1))
    assert counted.text.startswith("3 wardens")
    highest = trust.ask("What was the highest toll since 2003?", as_of=day_number(2006, 6, 1))
    assert "2.50" in highest.text.splitlines()[0]
