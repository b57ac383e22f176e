"""The bundled corpora say what they claim to say: real days, answers that stand in their documents."""

from __future__ import annotations

import calendar
import csv
import json
import re
import shutil
import unicodedata
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORPORA = Path(__file__).parents[2] / "corpora"
NAMES = sorted(p.name for p in CORPORA.iterdir() if p.is_dir())

HEADERS = {
    "leaders.csv": ["Country", "Role", "Name", "Start", "End"],
    "crewed-programmes.csv": ["Country", "Programme", "Start", "End"],
    "space-stations.csv": ["Operator", "Station", "Start", "End"],
    "target-rates.csv": ["Bank", "Rate", "Percent", "Start", "End"],
    "laws.csv": ["Jurisdiction", "Law", "Kind", "Start", "End"],
}
REQUIRED = {"question", "answers", "gold_documents", "start", "end", "relation", "ordinal", "kind"}
KINDS = {"point", "ordinal", "current", "change", "order", "duration", "implicit", "no_answer"}
OPEN_START = {"as_of", "before", "by", "until"}
OPEN_END = {"after", "since"}
CLOSED = {"from_to", "between", "in", "on", "around"}
IN_CONVERSATION = {"follows", "means"}
"""Fields of a question as people talk: what was asked before it, and what it asks in full."""
RELATIONS = OPEN_START | OPEN_END | CLOSED
AT_ITS_TIME = {"point", "ordinal", "current", "change", "implicit"}
"""Kinds whose answer, taken from a table, held at some time in the window."""
MONTHS = {name: number for number, name in enumerate(calendar.month_name) if name}
FULL_DATE = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})\b")
SPAN = re.compile(r"(\d+) (day|year)s?")

Row = dict[str, str]
Question = dict[str, Any]


def tokens(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"\w+", "".join(c for c in decomposed if not unicodedata.combining(c)))


def occurs(needle: str, text: str) -> bool:
    wanted = tokens(needle)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(tokens(text))} "


def stands_in(answer: str, text: str) -> bool:
    """Whether a text holds an answer; a day as people write it may stand there as an ISO date."""
    full = FULL_DATE.fullmatch(answer)
    iso = f"{full[3]}-{MONTHS[full[2]]:02d}-{int(full[1]):02d}" if full else answer
    return occurs(answer, text) or occurs(iso, text)


def day(value: object) -> date | None:
    """The day of a plain ISO date, None for anything else."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def full_years(start: date, end: date) -> int:
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def follows_from_rows(answer: str, question: str, rows: list[Row]) -> bool:
    """Whether a length such as "49 days" is that of a row that the question names."""
    found = SPAN.fullmatch(answer)
    if found is None:
        return False
    length, unit = int(found[1]), found[2]
    for row in rows:
        start, end = day(row["Start"]), day(row["End"])
        named = any(occurs(row[c], question) for c in ("Name", "Programme", "Station", "Law") if c in row)
        if (
            named
            and start
            and end
            and length == ((end - start).days if unit == "day" else full_years(start, end))
        ):
            return True
    return False


def held_in(row: Row, start: date | None, end: date | None) -> bool:
    first, last = day(row["Start"]), day(row["End"]) or date.max
    return first is not None and (end is None or first < end) and (start is None or last >= start)


def table_problems(path: Path, text: str) -> Iterator[str]:
    lines = list(csv.reader(text.splitlines()))
    header = lines[0] if lines else []
    if header != HEADERS.get(path.name):
        yield f"{path.name}: header {header}"
        return
    seen = set()
    for number, cells in enumerate(lines[1:], start=2):
        where = f"{path.name}:{number}"
        if len(cells) != len(header) or not all(cells[:-1]) or any(c != c.strip() for c in cells):
            yield f"{where}: cells {cells}"
            continue
        if tuple(cells) in seen:
            yield f"{where}: row stands twice"
        seen.add(tuple(cells))
        start, end = day(cells[-2]), day(cells[-1])
        if start is None or (cells[-1] and end is None):
            yield f"{where}: not a day: {cells[-2:]}"
        elif end is not None and end < start:
            yield f"{where}: ends before it starts"


def article_problems(path: Path, text: str) -> Iterator[str]:
    found = re.fullmatch(r"---\n(.*?)\n---\n\n(.+)", text, re.DOTALL)
    if found is None:
        yield f"{path.name}: no front matter"
        return
    meta = yaml.load(found[1], Loader=yaml.BaseLoader)  # strings, so that days are checked here
    if not isinstance(meta, dict) or set(meta) != {"title", "date"} or not meta["title"].strip():
        yield f"{path.name}: front matter {meta}"
        return
    if day(meta["date"]) is None:
        yield f"{path.name}: not a day: {meta['date']}"
    if not 80 <= len(found[2].split()) <= 250:
        yield f"{path.name}: {len(found[2].split())} words"
    for number, month, year in FULL_DATE.findall(found[2]):
        if day(f"{year}-{MONTHS[month]:02d}-{int(number):02d}") is None:
            yield f"{path.name}: not a day: {number} {month} {year}"


def window_problems(question: Question) -> Iterator[str]:
    relation, bounds = question["relation"], (question["start"], question["end"])
    start, end = day(bounds[0]), day(bounds[1])
    if any(b is not None and day(b) is None for b in bounds):
        yield f"not a day: {bounds}"
    elif start and end and start >= end:
        yield "ends before it starts"
    if relation is not None and relation not in RELATIONS:
        yield f"relation {relation}"
    shape = (start is not None, end is not None)
    for names, wanted in (
        (OPEN_START, (False, True)),
        (OPEN_END, (True, False)),
        (CLOSED, (True, True)),
        ({None}, (False, False)),
    ):
        if relation in names and shape != wanted:
            yield f"relation {relation} with window {bounds}"
    if relation == "on" and start and end and end - start != timedelta(days=1):
        yield "relation on, but not one day"


def label_problems(question: Question) -> Iterator[str]:
    kind, ordinal, answers, gold = (question[k] for k in ("kind", "ordinal", "answers", "gold_documents"))
    if kind not in KINDS:
        yield f"kind {kind}"
    if not (ordinal in (None, "first", "last") or (type(ordinal) is int and abs(ordinal) > 1)):
        yield f"ordinal {ordinal!r}"
    if kind == "ordinal" and ordinal is None:
        yield "kind ordinal without an ordinal"
    if kind == "current" and "as_of" not in question:
        yield "kind current without as_of"
    if "as_of" in question and day(question["as_of"]) is None:
        yield f"not a day: {question['as_of']}"
    if not all(isinstance(v, list) and all(isinstance(s, str) for s in v) for v in (answers, gold)):
        yield "answers and gold_documents must be lists of strings"
    elif (kind == "no_answer") != (not answers) or (not answers) != (not gold):
        yield "answers, gold_documents and no_answer disagree"


def answer_problems(question: Question, texts: dict[str, str], tables: dict[str, list[Row]]) -> Iterator[str]:
    gold = question["gold_documents"]
    yield from (f"no document {name}" for name in gold if name not in texts)
    rows = [row for name in gold for row in tables.get(name, [])]
    start, end = day(question["start"]), day(question["end"])
    if question["kind"] == "current" and (now := day(question.get("as_of"))):
        start, end = now, now + timedelta(days=1)
    for answer in question["answers"]:
        literal = any(stands_in(answer, texts.get(name, "")) for name in gold)
        if not literal and not follows_from_rows(
            answer, str(question.get("means", question["question"])), rows
        ):
            yield f"answer {answer!r} is in no gold document"
        elif literal and question["kind"] in AT_ITS_TIME and all(name in tables for name in gold):
            said = [row for row in rows if any(stands_in(answer, v) for v in row.values())]
            if not any(held_in(row, start, end) for row in said):
                yield f"answer {answer!r} did not hold at the time"


def document_problems(corpus: Path, texts: dict[str, str]) -> Iterator[str]:
    """What is wrong with the files; `texts` gathers those below documents/."""
    for path in sorted([*corpus.glob("*.*"), *(corpus / "documents").rglob("*")]):
        try:
            text = path.read_bytes().decode()
        except (UnicodeDecodeError, IsADirectoryError):
            yield f"{path.name}: not UTF-8 text"
            continue
        if text.startswith("\ufeff") or "\r" in text or not text.endswith("\n"):
            yield f"{path.name}: byte order mark, carriage return or no newline at the end"
        if path.parent == corpus:
            continue
        texts[path.name] = text
        if path.suffix == ".csv":
            yield from table_problems(path, text)
        elif path.suffix == ".md":
            yield from article_problems(path, text)
        else:
            yield f"{path.name}: neither .md nor .csv"


def problems(corpus: Path) -> list[str]:
    """Everything that is wrong with a corpus, a line each."""
    inside = {p.name for p in corpus.iterdir()} - {"conversational.jsonl", "diachronic.jsonl"}
    if inside != {"README.md", "questions.jsonl", "documents"}:
        return [f"the folder holds {sorted(inside)}"]
    texts: dict[str, str] = {}
    if found := list(document_problems(corpus, texts)):
        return found
    tables = {n: list(csv.DictReader(t.splitlines())) for n, t in texts.items() if n.endswith(".csv")}
    for file, more in (("questions.jsonl", set[str]()), ("conversational.jsonl", IN_CONVERSATION)):
        if (corpus / file).exists():
            found += question_problems(corpus, file, texts, tables, REQUIRED | {"as_of"} | more)
    return found


def question_problems(
    corpus: Path, file: str, texts: dict[str, str], tables: dict[str, list[Row]], fields: set[str]
) -> list[str]:
    """What is wrong with the questions of one file."""
    found: list[str] = []
    seen = set()
    for number, question in enumerate(questions(corpus, file), start=1):
        where = f"{file}:{number}"
        if not REQUIRED <= set(question) <= fields:
            found.append(f"{where}: fields {sorted(question)}")
            continue
        key = " ".join(tokens(" ".join([*question.get("follows", []), question["question"]])))
        if key in seen or not key:
            found.append(f"{where}: asked twice, or empty")
        seen.add(key)
        here = [*window_problems(question), *label_problems(question)]
        found += [f"{where}: {text}" for text in here or answer_problems(question, texts, tables)]
    return found


def questions(corpus: Path, file: str = "questions.jsonl") -> list[Question]:
    return [json.loads(line) for line in (corpus / file).read_text("utf-8").splitlines()]


def test_the_promised_corpora_are_there() -> None:
    assert {"leaders", "policy-rates", "privacy-law", "spaceflight"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_corpus_is_sound(name: str) -> None:
    assert problems(CORPORA / name) == []


@pytest.mark.parametrize("name", NAMES)
def test_its_questions_span_every_relation_and_kind(name: str) -> None:
    asked = questions(CORPORA / name)
    assert len(asked) >= 40
    assert {q["kind"] for q in asked} == KINDS
    assert {q["relation"] for q in asked} == RELATIONS | {None}
    assert {"first", "last"} < {q["ordinal"] for q in asked}
    assert any(type(q["ordinal"]) is int for q in asked)


def test_more_than_a_hundred_are_asked_the_way_people_talk() -> None:
    asked = [question for name in NAMES for question in questions(CORPORA / name, "conversational.jsonl")]
    without = [question for question in asked if not question["answers"]]
    following = [question for question in asked if "follows" in question]
    assert len(asked) >= 100
    assert len(asked) / 7 <= len(without) <= len(asked) / 5
    assert len(following) >= 25
    assert all("means" in question and isinstance(question["follows"], list) for question in following)


def test_the_leaders_of_an_office_do_not_overlap() -> None:
    text = (CORPORA / "leaders/documents/leaders.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len({row["Country"] for row in rows}) >= 12
    for before, after in pairwise(rows):
        if (before["Country"], before["Role"]) == (after["Country"], after["Role"]):
            assert before["End"], before
            assert before["End"] <= after["Start"], (before, after)
    assert max(row["Start"] for row in rows) <= "2024-12-31"
    assert max(row["End"] for row in rows) <= "2024-12-31"


ARTICLE = "---\ntitle: A comet\ndate: 2001-03-04\n---\n\nAnna Ek saw it on 3 March 2001.{}\n".format(
    " So." * 80
)
TABLE = "Country,Role,Name,Start,End\nUtopia,King,Olaf,1990-01-01,1999-12-31\nUtopia,King,Åke,1999-12-31,\n"
ASKED: Question = {
    "question": "Who was King in 1995?",
    "answers": ["Olaf"],
    "gold_documents": ["leaders.csv"],
    "start": "1995-01-01",
    "end": "1996-01-01",
    "relation": "in",
    "ordinal": None,
    "kind": "point",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "made"
    (root / "documents").mkdir(parents=True)
    (root / "README.md").write_text("# Made\n", "utf-8")
    (root / "documents/comet.md").write_text(ARTICLE, "utf-8")
    (root / "documents/leaders.csv").write_text(TABLE, "utf-8")
    ask(root)
    return root


def ask(root: Path, **changes: object) -> None:
    text = json.dumps({k: v for k, v in (ASKED | changes).items() if v is not ...})
    (root / "questions.jsonl").write_text(text + "\n", "utf-8")


def test_the_checker_passes_what_is_sound(corpus: Path) -> None:
    assert problems(corpus) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gold_documents": ["gone.md"]}, "no document gone.md"),
        ({"answers": ["Ola"]}, "'Ola' is in no gold document"),
        ({"answers": ["Ake"]}, "'Ake' did not hold at the time"),
        ({"answers": []}, "disagree"),
        ({"kind": "no_answer"}, "disagree"),
        ({"kind": "opinion"}, "kind opinion"),
        ({"kind": "ordinal"}, "without an ordinal"),
        ({"kind": "current"}, "without as_of"),
        ({"as_of": "2021-02-29"}, "not a day: 2021-02-29"),
        ({"relation": "near"}, "relation near"),
        ({"relation": "before"}, "relation before with window"),
        ({"relation": "on"}, "not one day"),
        ({"relation": None}, "relation None with window"),
        ({"start": "1995-02-30"}, "not a day"),
        ({"start": "1996-01-01"}, "ends before it starts"),
        ({"ordinal": "next"}, "ordinal 'next'"),
        ({"ordinal": True}, "ordinal True"),
        ({"ordinal": ...}, "fields"),
        ({"note": "x"}, "fields"),
        ({"kind": "duration", "answers": ["9 years"]}, "'9 years' is in no gold document"),
        (
            {"kind": "duration", "answers": ["8 years"], "question": "How long was Olaf King?"},
            "'8 years' is in no gold document",
        ),
    ],
)
def test_the_checker_fails_on_a_bad_question(corpus: Path, changes: Question, said: str) -> None:
    ask(corpus, **changes)
    assert any(said in line for line in problems(corpus)), problems(corpus)


@pytest.mark.parametrize(
    "changes",
    [
        {"answers": ["olaf"]},
        {"answers": ["Anna Ek"], "gold_documents": ["comet.md"]},
        {"answers": ["Ake"], "start": "1999-12-31", "end": None, "relation": "since"},
        {"kind": "duration", "answers": ["9 years"], "question": "How long was Olaf King?"},
        {"kind": "current", "as_of": "1992-02-29", "start": None, "end": None, "relation": None},
    ],
)
def test_the_checker_passes_a_good_question(corpus: Path, changes: Question) -> None:
    ask(corpus, **changes)
    assert problems(corpus) == []


def replace(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(root: Path) -> None:
        text = (root / name).read_text("utf-8")
        assert old in text
        (root / name).write_text(text.replace(old, new, 1), "utf-8")

    return change


def twice(root: Path) -> None:
    line = (root / "questions.jsonl").read_text("utf-8")
    (root / "questions.jsonl").write_text(line + line.replace("Who was", "WHO was"), "utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (replace("documents/comet.md", "2001-03-04", "2001-02-29"), "not a day: 2001-02-29"),
        (replace("documents/comet.md", "3 March", "31 February"), "not a day: 31 February 2001"),
        (replace("documents/comet.md", "title: A comet\n", ""), "front matter"),
        (replace("documents/comet.md", "---\n", ""), "no front matter"),
        (replace("documents/comet.md", "So. " * 9, ""), "words"),
        (replace("documents/leaders.csv", "1999-12-31\n", "1989-12-31\n"), "ends before it starts"),
        (replace("documents/leaders.csv", "1990-01-01", "1990-13-01"), "not a day"),
        (replace("documents/leaders.csv", "1990-01-01", "19900101"), "not a day"),
        (replace("documents/leaders.csv", "Country", "Land"), "header"),
        (replace("documents/leaders.csv", "King", "King, ruler"), "cells"),
        (lambda root: (root / "documents/leaders.csv").write_text(TABLE, "latin-1"), "not UTF-8"),
        (lambda root: (root / "documents/notes.txt").write_text("x\n", "utf-8"), "neither .md nor .csv"),
        (lambda root: (root / "more.md").write_text("x\n", "utf-8"), "the folder holds"),
        (lambda root: shutil.rmtree(root / "documents"), "the folder holds"),
        (lambda root: (root / "README.md").unlink(), "the folder holds"),
        (twice, "asked twice"),
    ],
)
def test_the_checker_fails_on_a_bad_corpus(corpus: Path, change: Callable[[Path], object], said: str) -> None:
    change(corpus)
    assert any(said in line for line in problems(corpus)), problems(corpus)
