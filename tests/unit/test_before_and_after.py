"""What was before or after a version of a list of changes, a row of a table, and a thing without a date."""

import pytest
from evidence import hit
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.answer.text.versions import has_version, version_named, versions_in
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2021, 5, 6)
CHANGES = (
    "# Timetable printer: changes\n\n"
    "## 2.1.0 – 2020-03-02\n- Tram lines in colour\n\n"
    "## 2.0.0 – 2019-11-13\n- Dropped paper sizes in inches\n- Maps of the stops\n\n"
    "## 1.1.1 – 2018-06-09\n- Fixed the Sunday column\n\n"
    "## 1.1.0 – 2018-06-04\n- Sunday column\n\n"
    "## 1.0.0 – 2017-05-14\n- First full release\n"
)
NOTES = (
    "# Notes of the depot\n\n"
    "- 2017: release of version 1.0 of the printer.\n"
    "- 2018: The steam crane of 1931 must be replaced before 2020.\n"
    "- 2015: Orr & Lane painted the depot.\n"
    "- 2016: The press was bought in May 2016 for £300.\n"
)
CARTS = (
    "Cart,Bay,Bought,Sold,Price\nAlder 40,North,2004-05-10,2012-03-22,£900\nBirch 60,South,2006-11-02,,£750\n"
    "Cedar 55,North,2012-04-15,,£990\n"
)


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"changes.md": CHANGES, "notes.md": NOTES, "carts.csv": CARTS})


@pytest.mark.parametrize(
    ("question", "versions"),
    [
        ("What was the last release before version 2.0?", ["1.1.1"]),
        ("Which version came after 1.1?", ["1.1.1"]),
        ("What came before version 2.1?", ["2.0.0"]),
        ("What version was current on 1 January 2019?", ["1.1.1"]),
        ("What version was in use in 2018?", ["1.0.0", "1.1.0", "1.1.1"]),
        ("What is the latest version?", ["2.1.0"]),
        ("What was the first release?", ["1.0.0"]),
        ("Which version added maps of the stops?", ["2.0.0"]),
        ("Which version fixed the Sunday column?", ["1.1.1"]),
        ("Which version introduced the Sunday column?", ["1.1.0"]),
        ("What was the last release before version 3.0?", []),
    ],
)
def test_versions_are_told_by_the_headings_of_a_list_of_changes(
    depot: Corpus, question: str, versions: list[str]
) -> None:
    answer = depot.ask(question, as_of=TODAY)
    assert [value.text for value in answer.values] == versions


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was version 2.0 released?", "13 November 2019"),
        ("When did the timetable printer 1.0 come out?", "14 May 2017"),
    ],
)
def test_a_version_came_out_on_the_day_of_its_heading(depot: Corpus, question: str, told: str) -> None:
    assert [value.text for value in depot.ask(question, as_of=TODAY).values] == [told]


def test_a_version_is_not_dated_by_a_text_about_another_one(depot: Corpus) -> None:
    assert depot.ask("When was version 3.0 released?", as_of=TODAY).status is Status.NO_ANSWER


def test_an_event_with_a_version_is_dated_by_its_heading(depot: Corpus) -> None:
    answer = depot.ask("Which carts were there when version 2.0 came out?", as_of=TODAY)
    assert [period.interval.bounds for period in answer.periods] == [
        (day_number(2019, 11, 13), day_number(2019, 11, 14))
    ]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What replaced the Alder?", "Cedar 55"),
        ("What came after the Alder 40?", "Cedar 55"),
        ("Which cart came before the Cedar?", "Alder 40"),
    ],
)
def test_a_row_takes_the_place_of_the_one_that_shares_a_value(
    depot: Corpus, question: str, name: str
) -> None:
    answer = depot.ask(question, as_of=TODAY)
    assert [value.text for value in answer.values] == [name]


def test_two_things_asked_of_a_row_are_told_by_that_row(depot: Corpus) -> None:
    answer = depot.ask("When was the Birch bought and what did it cost?", as_of=TODAY)
    assert {citation.hit.chunk.document_id for citation in answer.citations} == {"carts.csv"}
    assert "2 November 2006" in answer.text
    assert "£750" in answer.text


@pytest.mark.parametrize("question", ["What replaced the Cedar?", "What came after the Birch 60?"])
def test_a_thing_is_not_what_replaced_it(depot: Corpus, question: str) -> None:
    assert depot.ask(question, as_of=TODAY).status is Status.NO_ANSWER


def test_the_limit_of_a_plan_dates_nothing(depot: Corpus) -> None:
    answer = depot.ask("What came after the steam crane?", as_of=TODAY)
    assert (answer.status, answer.periods) == (Status.NO_ANSWER, ())
    assert "steam crane" in answer.text
    assert "no date was found for “the steam crane”; the search went by its words" in answer.notes


def test_what_is_not_said_of_a_thing_without_a_date_is_no_answer(depot: Corpus) -> None:
    answer = depot.ask("Which firm painted the depot before Quill?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("version 2.0 came out", "2.0"),
        ("v3", "3"),
        ("the 1.4.2 release", "1.4.2"),
        ("rose by 2.5%", None),
        ("rose to 2.50", None),
        ("Birch 2.0 came out", "2.0"),
        ("1.4", "1.4"),
        ("2019", None),
    ],
)
def test_a_version_is_named_by_its_number(text: str, number: str | None) -> None:
    assert version_named(text) == number


def test_zeros_at_the_end_of_a_version_do_not_matter() -> None:
    assert has_version("## 2.0.0 – 2019-11-13", "2.0")
    assert has_version("release 2", "2.0.0")
    assert not has_version("version 2.0.1", "2.0")
    assert not has_version("version 1.0", "2.0")


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("Changes: 2.0.0 – 2019-11-13", ["2.0.0"]),
        ("Changes: v1.2 (6 May 2018)", ["1.2"]),
        ("Changes: Version 1.4, June 2018", ["1.4"]),
        ("Minutes: 13.11.2019 – 2 pm", []),
        ("Handbook: 1.2 Scope", []),
        ("Changes: 2019-11-13", []),
    ],
)
def test_only_a_number_beside_a_date_is_a_version(title: str, numbers: list[str]) -> None:
    assert [one.value for one in versions_in([hit("c", ["Maps."], 2019, title=title)])] == numbers
