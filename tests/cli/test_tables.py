"""What ``corpora show`` tells of tables."""

import json
from pathlib import Path

import pytest
from cli.conftest import Run

TABLE = """office,holder,party,start,end
Mayor,Ann Lind,Green,1988-05-01,1992-05-01
Mayor,Bea Tann,Blue,1992-05-01,1996-05-01
Mayor,Cy Ober,Blue,1996-05-01,2001-05-01
Mayor,\x1b[31mBo Falk,Blue,1998-01-01,2003-01-01
Mayor,Dov Pell,Green,2003-05-01,
Clerk,Eve Rask,Blue,1987-01-01,1993-06-01
Clerk,Fay Sund,Green,1993-06-01,1999-06-01
Clerk,Gus Thal,Blue,1999-06-01,2005-06-01
Clerk,Ann Lind,Green,2005-06-01,
Warden,Ida Ulm,Blue,1990-01-01,1995-01-01
Warden,Jon Vey,Green,1995-01-01,2003-01-01
Warden,Kai West,Blue,2003-01-01,
"""


@pytest.fixture(scope="module")
def town_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with the corpus ``town``: a table, another without dependencies, and a text."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("town")
    (folder / "offices.csv").write_text(TABLE)
    (folder / "fairs.csv").write_text("fair,date\n" + "".join(f"f{n},19{n}-05-01\n" for n in range(10, 30)))
    (folder / "notes.md").write_text("In May 1990 the hall was painted.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        assert open_corpus("town").ingest([folder]).added == 3
    return home


@pytest.fixture
def town(town_home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TIMELENS_HOME", str(town_home))
    return "town"


def test_when_the_events_are_is_drawn_and_told(run: Run, town: str) -> None:
    lines = run("corpora", "show", town).out.splitlines()
    assert lines[2] == ""
    assert not lines[6].startswith(" ")  # a fair in each year from 1910 on
    assert "╵1950" in lines[7]
    assert "each bar 2 years" in run("corpora", "show", town).out
    shown = json.loads(run("corpora", "show", town, "--json").out)["histogram"]
    assert (shown["unit"], shown["units"], shown["before"], shown["after"]) == ("year", 2, 0, 0)
    assert (shown["bins"][0]["start"], shown["bins"][0]["events"]) == ("1910-01-01", 2)
    assert sum(one["events"] for one in shown["bins"] if one["start"] < "1930") == 20


def test_what_is_found_is_shown_with_the_rows_that_break_it(run: Run, town: str) -> None:
    outcome = run("corpora", "show", town)
    assert outcome.code == 0, outcome.err
    broken = "Mayor, ␛[31mBo Falk, Blue (from 1 January 1998 to 1 January 2003)"
    assert outcome.out.splitlines()[9:] == [
        "",
        "fairs.csv: 20 rows with dates",
        "  no column determines another",
        "",
        "offices.csv: 12 rows with dates",
        "  office → holder: holds, except for 1 row",
        f"    {broken}, beside Mayor, Cy Ober, Blue (from 1 May 1996 to 1 May 2001)",
        "  office → party: holds",
    ]


def test_it_is_given_to_scripts_with_counts(run: Run, town: str) -> None:
    shown = json.loads(run("corpora", "show", town, "--json", "--key", "party").out)
    assert (shown["documents"], shown["tables_count"]) == (3, 2)
    assert shown["tables"][0]["dependencies"] == []
    offices = shown["tables"][1]
    assert (offices["doc_id"], offices["rows"]) == ("offices.csv", 12)
    assert offices["columns"] == ["office", "holder", "party"]
    assert offices["dependencies_count"] == len(offices["dependencies"]) == 4
    *declared, holder, party = offices["dependencies"]
    assert [(each["left"], each["declared"], each["broken_count"]) for each in declared] == [
        (["party"], True, 5),
        (["party"], True, 6),
    ]
    assert (party["left"], party["right"], party["broken_count"], party["broken"]) == (
        ["office"],
        ["party"],
        0,
        [],
    )
    (broken,) = holder["broken"]
    assert (holder["declared"], holder["broken_count"]) == (False, 1)
    assert broken["chunk_id"] == "offices.csv#3"
    assert broken["fields"]["holder"] == "\x1b[31mBo Falk"
    assert (broken["start"], broken["end"]) == ("1998-01-01", "2003-01-01")
    assert broken["contradicts"]["fields"]["holder"] == "Cy Ober"


def test_keys_of_the_settings_count_where_a_table_has_their_columns(
    run: Run, town: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_TABLES__KEYS", '["party, office", "land"]')
    shown = json.loads(run("corpora", "show", town, "--json").out)
    declared = [each for each in shown["tables"][1]["dependencies"] if each["declared"]]
    assert [(each["left"], each["right"], each["broken_count"]) for each in declared] == [
        (["office", "party"], ["holder"], 1)
    ]


def test_a_key_that_no_table_has_is_refused(run: Run, town: str) -> None:
    outcome = run("corpora", "show", town, "--key", "land,office")
    assert (outcome.code, outcome.out) == (2, "")
    first, second = outcome.err.splitlines()
    assert "'land,office'" in first
    assert second.strip() == "its columns are fair, office, holder, party"


@pytest.mark.usefixtures("harbour")
def test_a_corpus_without_tables_says_nothing_of_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("In May 1990 the hall was painted.\n")
    made = tmp_path / "made"
    assert run("ingest", tmp_path / "note.md", "--corpus", made, "-q").code == 0
    assert "with dates" not in run("corpora", "show", made).out
    shown = json.loads(run("corpora", "show", made, "--json").out)
    assert (shown["tables_count"], shown["tables"]) == (0, [])
    refused = run("corpora", "show", made, "--key", "office")
    assert (refused.code, "it has no table with dates" in refused.err) == (2, True)
