"""What may be meant by the beginning of a command, and what was typed before."""

import os
from pathlib import Path

import pytest

from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval
from timelens.tui.completion import Completion, Suggestion, completion_of, days, files
from timelens.tui.past_lines import PastLines

TODAY = day_number(2024, 6, 15)
COMMANDS = [Suggestion("/asof", goes_on=True), Suggestion("/corpus", goes_on=True), Suggestion("/help")]
WORDS = {
    "corpus": lambda _: [Suggestion("leaders"), Suggestion("my leaders"), Suggestion("rates")],
    "asof": lambda typed: days(typed, TODAY, None),
}


def found(line: str, cursor: int | None = None) -> Completion | None:
    return completion_of(line, len(line) if cursor is None else cursor, COMMANDS, WORDS)


def texts(line: str) -> list[str]:
    completion = found(line)
    return [] if completion is None else [one.text for one in completion.suggestions]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("/", ["/asof", "/corpus", "/help"]),
        ("/c", ["/corpus"]),
        ("/C", ["/corpus"]),
        ("/o", ["/asof", "/corpus"]),
        ("/help", []),
        ("/x", []),
        ("/help ", []),
        ("/corpus ", ["leaders", "my leaders", "rates"]),
        ("/corpus LEA", ["leaders", "my leaders"]),
        ("/corpus rates", []),
        ("/corpus\nlea", []),
        ("Who /c", []),
        ("", []),
    ],
)
def test_what_fits_is_offered(line: str, offered: list[str]) -> None:
    assert texts(line) == offered


def test_what_is_taken_replaces_what_was_typed_of_it() -> None:
    completion = found("/co leaders", 3)
    assert completion is not None
    assert completion.put_into("/co leaders", completion.suggestions[0]) == ("/corpus leaders", 8)
    completion = found("/corpus   lea")
    assert completion is not None
    assert completion.put_into("/corpus   lea", completion.suggestions[0]) == ("/corpus   leaders", 17)


def test_the_second_of_two_days_is_completed_for_itself() -> None:
    completion = found("/asof 2015 vs last y")
    assert completion is not None
    line, _ = completion.put_into("/asof 2015 vs last y", completion.suggestions[0])
    assert line == "/asof 2015 vs last year"


def test_days_are_words_the_years_of_the_corpus_and_the_months_of_a_year() -> None:
    span = Interval(day_number(2019, 3, 1), day_number(2030, 1, 1), Granularity.DAY)
    offered = list(days("", TODAY, span))
    assert [one.text for one in offered] == [
        *("today", "last month", "last year"),
        *("2024", "2023", "2022", "2021", "2020", "2019"),
    ]
    assert [one.about for one in offered[:5]] == [
        *("15 June 2024", "31 May 2024", "31 December 2023", "15 June 2024", "31 December 2023"),
    ]
    months = list(days("2020-", TODAY, span))
    assert (months[1].text, months[1].about, len(months)) == ("2020-02-29", "29 February 2020", 12)
    assert texts("/asof 2020-1") == ["2020-10-31", "2020-11-30", "2020-12-31"]


@pytest.mark.parametrize("span", [(None, None), (day_number(-43), day_number(80)), (day_number(2030), None)])
def test_days_of_any_span_can_be_told(span: tuple[int | None, int | None]) -> None:
    assert len(list(days("", TODAY, Interval(*span, Granularity.DAY)))) <= 310


def test_files_of_the_wanted_kinds_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.md", "a.json", "c.txt", ".hidden.md", "bad\x1b.md"):
        (tmp_path / name).touch()
    (tmp_path / "Folder").mkdir()
    (tmp_path / "Folder" / "in.md").touch()
    offered = {one.text: one.goes_on for one in files("", [".md", ".json"])}
    assert offered == {"a.json": False, "b.md": False, "Folder/": True}
    assert [one.text for one in files("Folder/i", [".md"])] == ["Folder/in.md"]
    assert [one.text for one in files(f"{tmp_path}{os.sep}.h", [])] == [f"{tmp_path}/.hidden.md"]
    assert list(files("nowhere/", [])) == []
    assert list(files("~nobody-here/", [])) == []
    assert list(files("\0/", [])) == []


def test_a_folder_that_is_taken_goes_on_without_a_space() -> None:
    completion = Completion(8, 10, (Suggestion("Folder/", goes_on=True),))
    assert completion.put_into("/export Fo", completion.suggestions[0]) == ("/export Folder/", 15)


def test_the_past_is_kept_once_and_the_draft_comes_back() -> None:
    past = PastLines()
    past.append("two")
    past.append("two")
    past.put_before(["one"])
    assert [past.step(-1, "draft"), past.step(-1, ""), past.step(-1, "")] == ["two", "one", None]
    assert [past.step(1, ""), past.step(1, ""), past.step(1, "")] == ["two", "draft", None]


def test_a_search_finds_all_words_in_any_case_the_newest_first() -> None:
    past = PastLines()
    past.put_before(["Fee in 1990", "rate in 1990", "fee in 1991", "Fee in 1990"])
    assert past.search("FEE 199", 10) == ["Fee in 1990", "fee in 1991"]
    assert past.search("", 2) == ["Fee in 1990", "fee in 1991"]
    assert past.search("nothing", 10) == []
