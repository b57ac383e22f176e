"""Questions over temporal databases: kinds, answers, joins, and what cannot be asked."""

import csv
import json
import shutil
import sqlite3
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import records
from bench.make.conftest import GAMES, bytes_of, leaders, write_tables

from timelens.bench import tdbench
from timelens.bench.make.check import check
from timelens.bench.make.made_folder import WrongError
from timelens.bench.make.tdbench import make
from timelens.bench.make.temporal_database import read_databases
from timelens.bench.make.temporal_dependencies import Options, choose_groups, discover_dependencies
from timelens.errors import BadInputError, MissingError
from timelens.ingest.date_columns import TableColumns
from timelens.temporal.allen import Allen


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tdbench")
    make(Options([write_tables(folder)], limit=200), folder / "out")
    return folder / "out"


def test_all_relations_kinds_and_joins_are_asked(made: Path) -> None:
    asked = records(made / "questions.jsonl")
    kinds = Counter(record["qtype"] for record in asked)
    assert set(kinds) == {
        "basic_unique", "basic_multiple", "basic_none", "now", "join_2hop", "join_3hop"
    }  # fmt: skip
    relations = {record["relation"] for record in asked if record["qtype"].startswith("basic")}
    assert relations == {relation.value.replace("_", "-") for relation in Allen}
    assert all(len(set(record["questions"])) >= 3 for record in asked)
    assert len({record["id"] for record in asked}) == len(asked) <= 200


def test_the_sql_of_a_record_gives_its_answers(made: Path) -> None:
    connection = sqlite3.connect(":memory:")
    asked = records(made / "questions.jsonl")
    now = asked[0]["open_end_filled_with"] or asked[0]["reference_date"]
    for path in (made / "csv").glob("*.csv"):
        rows = list(csv.DictReader(path.read_text().splitlines()))
        connection.execute(f"create table {path.stem} ({', '.join(rows[0])})")
        for row in rows:
            dates = [f"{row['Start']} 00:00:00", f"{row['End'] or now} 00:00:00"]
            places = ", ".join("?" * len(row))
            connection.execute(
                f"insert into {path.stem} values ({places})", [*list(row.values())[:-2], *dates]
            )
    for record in asked:
        found = connection.execute(record["sql"]).fetchall()
        assert sorted(row[0] for row in found) == sorted(row["value"] for row in record["answer_rows"])
    connection.close()


def test_a_join_goes_by_the_thing_that_an_event_names_or_by_time_alone(made: Path) -> None:
    joins = [record for record in records(made / "questions.jsonl") if record["qtype"] == "join_2hop"]
    bridged = [record for record in joins if "by" in record["made"]["chain"][1]]
    assert bridged
    assert len(bridged) < len(joins)
    assert all("its country" in record["questions"][1] for record in bridged)
    tables = {record["made"]["chain"][0]["db"] for record in joins}
    assert tables == {"leaders", "games"}


def test_the_suite_reads_all_tables_and_the_days_of_joins(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.parent)
    data = tdbench.load(Path(made.name))
    asked = records(made / "questions.jsonl")
    assert len(data.queries) == sum(len(record["questions"]) for record in asked)
    assert not data.excluded
    join = next(record for record in asked if record["qtype"] == "join_3hop")
    gold = data.gold[f"{join['id']}.1"]
    assert gold.ends == ("start", "end")
    assert [answer.text for answer in gold.timed or ()] == [row["value"] for row in join["answer_rows"]]


def test_one_seed_one_folder(tables: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make(Options([tables], seed=seed, limit=60), tmp_path / name)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert bytes_of(tmp_path / "a")["questions.jsonl"] != bytes_of(tmp_path / "c")["questions.jsonl"]


def test_the_day_of_an_open_end_decides_nothing(made: Path) -> None:
    for record in records(made / "questions.jsonl"):
        if record["relation"] in {"contain", "overlapped-by"}:
            assert f"End > '{record['open_end_filled_with']}" not in record["sql"]
        assert f"date(End) = date('{record['open_end_filled_with']}" not in record["sql"]


def spoiled(record: dict[str, Any], field: str) -> dict[str, Any]:
    match field:
        case "answers":
            return {**record, "answers": [*record["answers"], "Nobody"]}
        case "answer_rows":
            return {
                **record,
                "answer_rows": [{"value": "Nobody", "start": "1999-01-01", "end": "1999-02-01"}],
            }
        case "gold_fact_ids":
            return {**record, "gold_fact_ids": ["leaders-0", "leaders-1", "leaders-2"]}
        case "qtype":
            return {**record, "qtype": "basic_unique" if not record["answers"] else "basic_none"}
        case _:
            return {**record, "questions": ["Who?", "Who then?", "Who else?"]}


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        *product(
            ["answers", "answer_rows", "gold_fact_ids", "questions"],
            ["basic_none", "basic_multiple", "now", "join_2hop", "join_3hop"],
        ),
        ("qtype", "basic_none"),
        ("qtype", "basic_multiple"),
    ],
)
def test_the_checker_sees_a_wrong_record(field: str, kind: str, made: Path, tmp_path: Path) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    assert check(made) == ("tdbench", 200)
    asked = records(made / "questions.jsonl")
    place = next(n for n, record in enumerate(asked) if record["qtype"] == kind)
    asked[place] = spoiled(asked[place], field)
    (made / "questions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in asked))
    with pytest.raises(WrongError, match=asked[place]["id"]):
        check(made)


def test_the_checker_sees_a_changed_table(made: Path, tmp_path: Path) -> None:
    made = Path(shutil.copytree(made, tmp_path / "copy"))
    table = made / "csv" / "leaders.csv"
    table.write_text(table.read_text().replace("1975-", "1974-"))
    with pytest.raises(WrongError):
        check(made)


def test_nothing_is_left_of_a_folder_that_fails_its_check(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Path) -> int:
        raise WrongError("an answer is wrong", "report it")

    monkeypatch.setattr("timelens.bench.make.tdbench.check", fails)
    with pytest.raises(WrongError):
        make(Options([tables], limit=20), tmp_path / "new" / "out")
    assert list((tmp_path / "new").iterdir()) == []


# ---------------------------------------------------------------------------------------------- dependencies


def found(text: str, tmp_path: Path) -> list[str]:
    (tmp_path / "table.csv").write_text(text)
    databases = read_databases([tmp_path / "table.csv"], TableColumns(), None)
    return [str(dependency) for dependency in discover_dependencies(databases.tables[0])]


def test_what_determines_what_over_time_is_found(tmp_path: Path) -> None:
    assert found(leaders(), tmp_path) == ["table: Country, Role -> Name"]
    assert found(GAMES, tmp_path) == []  # events that never meet bear out anything


def test_a_role_that_goes_with_the_thing_is_added_for_the_wording(tmp_path: Path) -> None:
    rows = "".join(
        f"{firm},CEO,{firm}{n},{2000 + 3 * n},{2003 + 3 * n}\n" for firm in ("Oak", "Elm") for n in range(4)
    )
    assert found(f"Firm,Role,Name,Start,End\n{rows}", tmp_path) == ["table: Firm, Role -> Name"]


def test_a_group_with_two_answers_on_one_day_is_left_out_unless_declared(tmp_path: Path) -> None:
    text = leaders() + "Arcadia,Regent,Rival,1960-01-01,1970-01-01\n"
    (tmp_path / "table.csv").write_text(text)
    databases = read_databases([tmp_path / "table.csv"], TableColumns(), None)
    groups, notes = choose_groups(databases, [])
    assert ("Arcadia", "Regent") not in {group.values for group in groups}
    assert "1 of them contradict it" in notes[0]
    declared, _ = choose_groups(databases, ["Country, Role -> Name"])
    assert len(declared) == len(groups) + 1


# ------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", (), "does not name its columns"),
        ("Country,Name,Start,End\n", (), "no fact with a start and an end"),
        ("Country,Name,Start,End\nArcadia,Ada,1990,1995\n", (), "no dependency over time"),
        ("Country,Name\nArcadia,Ada\n", (), "no fact with a start and an end"),
        ("Country,Name,Start,End\nArcadia,Ada,soon,later\n", (), "no fact with a start and an end"),
        (GAMES, (), "no dependency over time"),
        ("Name,name,Start,End\nAda,Ada,1990,1991\n", (), "twice, ignoring case"),
        (leaders(), ("Country -> Nobody",), "no column 'Nobody'"),
        (leaders(), ("Country, Name",), "is not a dependency"),
        (leaders(), ("rulers: Country -> Name",), "no table 'rulers'"),
    ],
)
def test_what_cannot_be_asked_is_said(
    text: str, options: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(BadInputError, match=message):
        make(Options([tmp_path / "table.csv"], dependencies=options), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_tables_of_one_name_and_no_table_are_refused(tables: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="two tables are named leaders"):
        make(Options([tables, tables / "leaders.csv"]), tmp_path / "out")
    with pytest.raises(MissingError):
        make(Options([tmp_path / "nowhere"]), tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError, match="no table"):
        make(Options([tmp_path / "empty"]), tmp_path / "out")


def test_a_folder_that_holds_something_is_left_alone(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(BadInputError, match="is not empty"):
        make(Options([tables]), tmp_path / "out")
    assert bytes_of(tmp_path / "out") == {"mine": b"mine"}


def test_years_are_asked_of_tables_that_record_years(tmp_path: Path) -> None:
    rows = "".join(f"Arcadia,Ada {n},{1900 + 7 * n},{1907 + 7 * n}\n" for n in range(9))
    (tmp_path / "table.csv").write_text(f"Country,Name,Start,End\n{rows}")
    make(Options([tmp_path / "table.csv"], limit=50), tmp_path / "out")
    asked = records(tmp_path / "out" / "questions.jsonl")
    assert {record["made"].get("unit", "year") for record in asked} == {"year"}
    assert (tmp_path / "out" / "csv" / "table.csv").read_text().splitlines()[1] == "Arcadia,Ada 0,1900,1907"


def test_quotes_and_accents_survive(tmp_path: Path) -> None:
    rows = "".join(f"Côte d'Or,\"O'Hara {n}\",{1900 + 7 * n}-03-04,{1907 + 7 * n}-03-04\n" for n in range(6))
    (tmp_path / "it's.csv").write_text(f"Region's name,Name,Start,End\n{rows}")
    make(Options([tmp_path / "it's.csv"], limit=40), tmp_path / "out")
    asked = records(tmp_path / "out" / "questions.jsonl")
    assert all("Côte d'Or" in text for record in asked for text in record["questions"])
    assert {"O'Hara 1"} in [set(record["answers"]) for record in asked]
