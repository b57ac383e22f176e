"""Questions for a time up to now, or for an order of all, asked before a table ends."""

import pytest
from made_corpora import made_corpus

from timelens.corpus import Corpus
from timelens.documents import Hit
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


NOTICES = {
    "2001.md": "# Notice of 4 March 2001\n\nThe ferry fare is raised to £2.",
    "2004.md": "# Notice of 9 May 2004\n\nThe ferry fare is raised to £3. It was £2 on 4 March 2001.",
    "2009.md": "# Notice of 2 June 2009\n\nThe ferry fare is raised to £5.",
    "2010.md": "# Notice of 7 June 2010\n\nThe pier is painted green.",
}


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, NOTICES)


def names(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.chunk.document_id for hit in hits]


@pytest.mark.parametrize(
    ("question", "year", "found"),
    [
        ("latest notice on the ferry fare", 2020, ["2009.md", "2004.md", "2001.md"]),
        ("the most recent notice on the ferry fare", 2006, ["2004.md", "2001.md"]),
        ("earliest notice on the ferry fare", 2020, ["2001.md", "2004.md", "2009.md"]),
        ("What has the ferry fare been since 2003?", 2006, ["2004.md"]),
    ],
)
def test_an_order_of_all_is_by_day_and_up_to_today(
    ferry: Corpus, question: str, year: int, found: list[str]
) -> None:
    hits = ferry.search(question, as_of=day_number(year, 1, 1)).hits
    assert names(hits)[: len(found)] == found
    written = [hit.chunk.published for hit in hits]
    assert all(one is None or one.bounds[0] <= day_number(year, 1, 1) for one in written)


def test_a_question_that_does_not_reach_today_finds_later_texts(ferry: Corpus) -> None:
    as_of = day_number(2006, 1, 1)
    assert "2009.md" in names(ferry.search("When was the ferry fare raised?", as_of=as_of).hits)
    assert names(ferry.search("What was the ferry fare in 2009?", as_of=as_of).hits)[0] == "2009.md"


def test_the_latest_of_all_is_answered_up_to_today(ferry: Corpus) -> None:
    answer = ferry.ask("What was the latest ferry fare?", as_of=day_number(2006, 1, 1))
    assert "£3" in answer.text
    assert "£5" not in answer.text
