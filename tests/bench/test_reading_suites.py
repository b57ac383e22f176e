"""Suites that measure how texts and questions are read, on folders made here, every count known by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.conftest import write_lines
from cli.conftest import Run

from timelens.bench import expressions, questions
from timelens.bench.reading_suites import ReadFolder, ReadingSet
from timelens.bench.timex import interval_of
from timelens.errors import MissingError
from timelens.temporal.calendar import day_number, format_day

TODAY = day_number(2021, 6, 15)


def scores(reading: ReadingSet) -> dict[str, dict[str, float]]:
    return {case.id: dict(case.read()[1]) for case in reading.cases}


@pytest.mark.parametrize(
    ("value", "days"),
    [
        ("1939-09-01", "1939-09-01 1939-09-02"),
        ("1939-09-01T17:00", "1939-09-01 1939-09-02"),
        ("1939-09", "1939-09-01 1939-10-01"),
        ("1939", "1939-01-01 1940-01-01"),
        ("193", "1930-01-01 1940-01-01"),
        ("19", "1900-01-01 2000-01-01"),
        ("BC0490", "-0489-01-01 -0488-01-01"),
        ("2013-W11", "2013-03-11 2013-03-18"),
        ("2008-Q3", "2008-07-01 2008-10-01"),
        ("2008-H2", "2008-07-01 2009-01-01"),
        ("1941-WI", "1941-12-01 1942-03-01"),
        ("BC0490-09-12", ""),
        ("1939-13", ""),
        ("2013-W54", ""),
        ("1939-XX-05", ""),
        ("P3D", ""),
        ("PRESENT_REF", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_days_of_an_annotated_value(value: str | None, days: str) -> None:
    interval = interval_of(value)
    found = (
        "" if interval is None else " ".join(format_day(day or 0) for day in (interval.start, interval.end))
    )
    assert found == days


TEXT = (
    "War broke out on 1 May 1900. It ended in early 1902. The victory came. The poll of 1903 followed. "
    "In 1999 a song played."
)


def mention(number: int, text: str, value: str | None, **more: object) -> dict[str, Any]:
    start = TEXT.index(text)
    return {
        "id": f"m{number}",
        "doc_id": "d",
        "start": start,
        "end": start + len(text),
        "text": text,
        "value": value,
        **more,
    }


@pytest.fixture
def running_text(tmp_path: Path) -> Path:
    write_lines(tmp_path / "docs.jsonl", [{"doc_id": "d", "text": TEXT, "created": "2009-12-19T17:00:00"}])
    mentions = [
        mention(1, "1 May 1900", "1900-05-01"),
        mention(2, "early 1902", "1902", mod="START"),
        mention(3, "The victory", "1903-05-09"),
        mention(4, "1903", "1903", comment="EC:EVENT-BASED"),
        mention(5, "May 1900", "1900-05", nested=True),
        mention(6, "song", None),
    ]
    write_lines(tmp_path / "timexes.jsonl", mentions)
    return tmp_path


def test_mentions_in_running_text(running_text: Path) -> None:
    reading = expressions.load(running_text, TODAY)
    found = scores(reading)
    assert found["m1"] == {"found": 1, "interval": 1}
    assert found["m2"] == {"found": 1, "interval": 1}  # a part of what is annotated
    assert found["m3"] == {"found": 0, "interval": 0}
    assert found["m6"] == {}  # without a place on the calendar
    precisions = {name: of["precision"] for name, of in found.items() if "precision" in of}
    assert sorted(precisions.values()) == [0, 1, 1]  # 1903 is set aside, 1999 serves nothing
    assert [of["spurious/1000"] for of in found.values() if "spurious/1000" in of] == [0, 0, 0, 0, 10]
    assert reading.excluded == {"rests on knowledge of an event": 1, "inside another mention": 1}


def test_lists_of_expressions(tmp_path: Path) -> None:
    timex = {"reference_date": "2013-03-22", "type": "DATE"}
    duckling = {"reference_datetime": "2013-02-12T04:30:00-02:00", "kind": "instant", "grain": "day"}
    records = [
        {"id": "t1", "expression": "last summer", "value": "2012-SU", **timex},
        {"id": "t2", "expression": "the year 2009", "value": "2008", **timex},
        {"id": "t3", "expression": "now", "value": "PRESENT_REF", **timex},
        {"id": "t4", "expression": "a month", "value": "P1M", **timex, "type": "DURATION"},
        {"id": "d1", "expression": "10/31/1974", "start": "1974-10-31T00:00:00", **duckling},
        {"id": "d2", "expression": "after 2014", "start": "2014-01-01", **duckling, "kind": "open_interval",
         "direction": "after", "grain": "year"},
        {"id": "d3", "expression": "1960 - 1961", "start": "1960-01-01", "end": "1962-01-01", **duckling,
         "kind": "interval", "grain": "year"},
        {"id": "d4", "expression": "thursday", "start": "2013-02-14", **duckling},
        {"id": "d5", "expression": "at noon", "start": "2013-02-12T12:00:00", **duckling, "grain": "hour"},
        {"id": "d6", "expression": "Easter 2018", "start": "2018-04-01", **duckling, "holiday": "Easter"},
    ]  # fmt: skip
    write_lines(tmp_path / "expressions.jsonl", records)
    write_lines(
        tmp_path / "negatives.jsonl", [{"id": "n1", "text": "1 adult"}, {"id": "n2", "text": "in 1999"}]
    )
    reading = expressions.load(tmp_path, TODAY)
    assert scores(reading) == {
        "t1": {"value": 1}, "t2": {"value": 0},
        "d1": {"value": 1}, "d2": {"value": 1}, "d3": {"value": 1}, "d4": {"value": 1}, "d6": {"value": 1},
        "n1": {"negatives": 1}, "n2": {"negatives": 0},
    }  # fmt: skip
    assert reading.excluded == {"no place on the calendar": 1, "type DURATION": 1, "grain hour": 1}
    kinds = {case.id: case.kind for case in reading.cases}
    assert (kinds["d1"], kinds["d4"], kinds["d6"]) == ("year", "no year", "year, holiday")


def specification(
    name: str, text: str, *results: tuple[str, dict[str, str]], spec: str = "DateTimeModel"
) -> dict[str, Any]:
    return {
        "id": name,
        "spec": spec,
        "input": text,
        "reference_datetime": "2016-11-07T00:00:00",
        "results": [
            {
                "text": found,
                "start": text.index(found),
                "end": text.index(found) + len(found),
                "type": "daterange",
                "values": [value],
            }
            for found, value in results
        ],
    }


def test_specifications(tmp_path: Path) -> None:
    records = [
        specification(
            "s1", "from 2014 to 2018", ("from 2014 to 2018", {"start": "2014-01-01", "end": "2018-01-01"})
        ),
        specification(
            "s2",
            "before 2010 or in 1998",
            ("before 2010", {"end": "2010-01-01"}),
            ("1998", {"start": "1998-01-01", "end": "1999-01-01"}),
        ),
        specification(
            "s3", "since 2017 to now", ("since 2017", {"start": "2017-01-01", "end": "2016-11-07"})
        ),
        specification("s4", "in May", ("May", {"value": "2017-05-01"})),
        specification("s5", "in 2014", ("2014", {"value": "2014-01-01"}), spec="DateTimeModelCalendarMode"),
        specification("s6", "nothing"),
        specification("s7", "fiscal year 2008", ("fiscal year 2008", {"value": "not resolved"})),
    ]
    write_lines(tmp_path / "model.jsonl", records)
    reading = expressions.load(tmp_path, TODAY)
    assert scores(reading) == {
        "s1.0": {"value": 1}, "s2.0": {"value": 1}, "s2.1": {"value": 1}, "s4.0": {"value": 0},
    }  # fmt: skip
    assert reading.excluded == {"another mode": 1, "nothing expected": 1, "a result without a value": 2}


def test_windows_that_questions_ask_about(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {
            "id": "w1",
            "question": "Who led it from 1811 to May 1827?",
            "asked_start": "1811",
            "asked_end": "1827-05",
        },
        {"id": "w2", "question": "Who led it from 1811 to 1827?", "asked_start": "1812", "asked_end": "1827"},
        {"id": "w3", "question": "Who led it?", "asked_start": None, "asked_end": None},
        {"id": "w4", "question": "Who led it from 1827 to 1811?", "asked_start": "1827", "asked_end": "1811"},
        {
            "id": "w5",
            "question": "Who led it as of May 1919?",
            "window_start": "1919-05-01",
            "window_end": "1919-05-31",
        },
        {
            "id": "w6",
            "question": "Who led it in the late 1930s?",
            "window_start": "1937-01-01",
            "window_end": "1939-12-31",
        },
        {
            "id": "w7",
            "question": "Who led it first after May 1, 1990?",
            "gold_start": "1990-05-01",
            "gold_end": None,
        },
        {
            "id": "w8",
            "question": "Who led it in Apr 2015?",
            "scope_start": "Apr 2015",
            "scope_end": "May 2015",
            "factor": "narrow",
        },
    ]
    write_lines(tmp_path / "questions.jsonl", records)
    reading = questions.load(tmp_path, TODAY)
    assert scores(reading) == {
        "w1": {"window": 1}, "w2": {"window": 0}, "w5": {"window": 1}, "w6": {"window": 1},
        "w7": {"window": 1}, "w8": {"window": 0},
    }  # fmt: skip
    assert reading.excluded == {
        "no window stated": 1,
        "a window that is not two dates, or ends before it starts": 1,
    }
    assert [case.kind for case in reading.cases] == [*["questions"] * 5, "narrow"]


def test_questions_with_an_as_of_date(tmp_path: Path) -> None:
    common: dict[str, Any] = {
        "question": "who last won it in 2016",
        "as_of_start": "2020-01-01",
        "as_of_end": "2020-12-31",
    }
    records = [
        {"id": "a1", "dated_question": "who last won it in 2016 as of 2020", **common},
        {"id": "a2", "dated_question": "who won it as of 2019", **common},
    ]
    write_lines(tmp_path / "questions.jsonl", records)
    reading = questions.load(tmp_path, TODAY)
    assert scores(reading) == {"a1": {"window": 1, "core": 1}, "a2": {"window": 0, "core": 0}}


def asked(name: str, sql: str, *texts: str, **more: object) -> dict[str, Any]:
    return {"id": name, "sql": f"select Name from t where {sql}", "questions": texts, "relation": "r", **more}


def test_conditions_of_sql(tmp_path: Path) -> None:
    records = [
        asked(
            "c1",
            "Start < '1985-01-01 00:00:00' and End > '1992-12-30 00:00:00'",
            "Who started before 1985 and ended after December 30, 1992?",
            "Who started before 1985?",
            "Who ended before 1985 and started after 1992?",
        ),
        asked("c2", "date(Start) = date('2019-05-01', '-6 month')", "Who began 6 months before 1 May 2019?"),
        asked("c3", "Start > '2012-01-01' and End < '2020-12-30'", "Who served from 2012 to 2020?"),
        asked("c4", "End between '2024-01-01' and '2024-12-31'", "Whose term ended in 2024?"),
        asked("c5", "'2025-05-05' between Start and End", "Who is it currently?", "Who was it?", qtype="now"),
        asked("c6", "Game_name = 'Paris 1900'", "Who was president during Paris 1900?"),
        asked("c7", "End between '2024-01-01' and '2023-12-31'", "Who?", reversed_range=True),
    ]  # fmt: skip
    write_lines(tmp_path / "questions.jsonl", records)
    reading = questions.load(tmp_path, TODAY)
    assert scores(reading) == {
        "c1.1": {"window": 1, "role": 1, "role contradicted": 0},
        "c1.2": {"window": 0, "role": 1, "role contradicted": 0},
        "c1.3": {"window": 1, "role": 0, "role contradicted": 1},
        "c2.1": {"window": 1, "role": 1, "role contradicted": 0},
        "c3.1": {"window": 1},
        "c4.1": {"window": 1, "role": 1, "role contradicted": 0},
        "c5.1": {"current": 1},
        "c5.2": {"current": 0},
    }
    assert reading.excluded == {"no dates in the SQL": 1, "a range in the SQL ends before it starts": 1}


@pytest.mark.usefixtures("home")
def test_a_run_is_written_like_any_other(run: Run, running_text: Path, tmp_path: Path) -> None:
    data = ("--data", running_text, "--out")
    outcome = run("bench", "run", "expressions", *data, tmp_path / "run", "--json")
    summary = json.loads(outcome.out)
    assert outcome.code == 0
    assert summary["metrics"] == {
        "precision": pytest.approx(200 / 3),
        "found": pytest.approx(200 / 3),
        "interval": pytest.approx(200 / 3),
        "spurious/1000": 200.0,
    }
    assert (summary["suite"], summary["strategy"], summary["answerer"]) == ("expressions", "none", "none")
    assert set(summary["groups"]["kind"]) >= {"sentence", "expression found"}
    lines = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    assert len(lines) == summary["n"] == 12
    written = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert {**written, "seconds": summary["seconds"]} == summary
    assert (tmp_path / "run" / "run.trec").read_text() == ""
    limited = run("bench", "run", "expressions", *data, tmp_path / "two", "--limit", 2, "--json")
    assert json.loads(limited.out)["excluded"]["beyond --limit"] == 10
    compared = run("bench", "compare", tmp_path / "run", tmp_path / "two")
    assert "interval" in compared.out
    shown = run("bench", "run", "expressions", *data, tmp_path / "three", "--answerer", "none")
    assert "12 cases read" in shown.err


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "option",
    [
        ("--strategy", "bm25"),
        ("--answerer", "extractive"),
        ("--model", "x"),
        ("--k", "1"),
        ("--resume",),
        ("--jobs", "2"),
        ("--query", "strip"),
        ("--evidence-from", "none"),
        ("--judge", "rules"),
        ("--without-negatives",),
    ],
)
def test_what_does_not_apply_is_refused(option: tuple[str, ...], run: Run, running_text: Path) -> None:
    outcome = run("bench", "run", "expressions", "--data", running_text, *option)
    assert outcome.code == 2
    assert f"{option[0]} does not go with the suite expressions" in outcome.err


@pytest.mark.parametrize("load", [expressions.load, questions.load])
def test_a_folder_of_something_else_is_told(load: ReadFolder, tmp_path: Path) -> None:
    with pytest.raises(MissingError) as caught:
        load(tmp_path, TODAY)
    assert "the folder must hold" in caught.value.hint
    with pytest.raises(MissingError):
        load(tmp_path / "gone", TODAY)
