"""Tables whose columns of dates are named after what happened: "Laid down", "Scrapped"."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2024, 6, 1)
LOOMS = (
    "Loom,Hall,Cause,Installed,Scrapped\n"
    "Dobby,north,wear,1961,1988\nJacquard,north,,1974,\nRapier,south,fire,1969,1979\n"
    "Plain,south,wear,1950,1970\nRibbon,attic,,1991,\n"
)
LEASES = (
    "Tenant,Room,Date opened,Date closed\n"
    "Aster,2,2011-03-01,2014-08-31\nBryony,2,2014-10-01,2019-01-15\nCampion,5,2014-02-01,\n"
)
CARTS = "Cart,Driver,Bought,Sold\nDray,Ada Lind,2003,2011\nFloat,Bo Falk,2006,2014\nTrap,Bo Falk,2014,\n"


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"looms.csv": LOOMS, "tenants.csv": LEASES})


def named_in(corpus: Corpus, question: str) -> list[str]:
    """What the lines of an answer begin with."""
    answer = corpus.ask(question, as_of=TODAY)
    assert answer.status is Status.ANSWERED
    return [line.partition(":")[0] for line in answer.text.splitlines() if ":" in line]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Which looms were scrapped in 1979?", ["Rapier"]),
        ("Which loom was installed in 1974?", ["Jacquard"]),
        ("Which looms were scrapped after 1975?", ["Dobby", "Rapier"]),
        ("Which looms were installed before 1965?", ["Plain", "Dobby"]),
        ("Which looms have been scrapped?", ["Plain", "Dobby", "Rapier"]),
        ("Which looms were never scrapped?", ["Jacquard", "Ribbon"]),
        ("Which looms have not been scrapped?", ["Jacquard", "Ribbon"]),
        ("What was the last loom to be scrapped?", ["Dobby"]),
        ("What was the first loom to be scrapped?", ["Plain"]),
        ("Which loom was installed first?", ["Plain"]),
        ("When was the last loom installed?", ["Ribbon"]),
        ("When was the Dobby loom scrapped?", ["Dobby"]),
        ("Why was the Rapier loom scrapped?", ["fire"]),
    ],
)
def test_the_start_and_the_end_are_asked_for_by_their_names(
    mill: Corpus, question: str, named: list[str]
) -> None:
    assert named_in(mill, question) == named


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was the Rapier loom scrapped?", "Yes"),
        ("Was the Jacquard loom ever scrapped?", "No"),
        ("Has the Ribbon loom been scrapped?", "No"),
    ],
)
def test_whether_a_row_has_an_end(mill: Corpus, question: str, said: str) -> None:
    assert mill.ask(question, as_of=TODAY).text.startswith(said)


def test_the_ends_of_rows_are_counted(mill: Corpus) -> None:
    lines = mill.ask("How many looms were scrapped between 1970 and 1980?", as_of=TODAY).text.splitlines()
    assert lines[0].startswith("2 looms")


def test_words_around_the_names_do_not_matter(mill: Corpus) -> None:
    assert named_in(mill, "Which tenant closed in 2019?") == ["Bryony"]
    assert named_in(mill, "Which tenant opened in February 2014?") == ["Campion"]


def test_rows_are_found_by_the_names_of_their_dates(mill: Corpus) -> None:
    texts = [hit.chunk.text for hit in mill.search("scrapped", k=5, as_of=TODAY).hits]
    assert "Loom Rapier, Hall south, Cause fire, Installed 1969, Scrapped 1979." in texts


def test_an_irregular_verb_is_known_in_all_its_forms(tmp_path_factory: pytest.TempPathFactory) -> None:
    yard = made_corpus(tmp_path_factory, {"carts.csv": CARTS})
    assert named_in(yard, "Which cart did we buy in 2014?") == ["Trap"]
    assert named_in(yard, "Which cart did we sell in 2014?") == ["Float"]
    assert yard.ask("Did we ever sell the Dray?", as_of=TODAY).text.startswith("Yes")


def test_a_single_date_has_no_start_and_no_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    counts = (
        "Night of,Site,Bats\n2020-05-02,barn,7\n2020-05-09,barn,12\n2020-05-16,mill,4\n2020-05-23,barn,9\n"
    )
    bats = made_corpus(tmp_path_factory, {"bats.csv": counts})
    lines = bats.ask("On which night in 2020 were most bats counted?", as_of=TODAY).text.splitlines()
    assert lines[0].startswith("barn: on 9 May 2020")
