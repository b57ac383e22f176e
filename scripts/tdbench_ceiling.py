"""Count the TDBench questions whose wording lost a condition of their SQL.

A condition on the start (or the end) of a fact is lost if the wording mentions no start (or end): what
remains is that the fact held on the named days. A question counts as lost if the rows that held then are not
those that its SQL selects, because the wording alone then leads to another answer. Questions, kinds and rows
are those of the suite ``tdbench``.

    python scripts/tdbench_ceiling.py FOLDER [RUN]
"""

import csv
import re
import sqlite3
import sys
from collections import Counter
from pathlib import Path

from timelens.bench import tdbench
from timelens.bench.run_folder import RunFolder
from timelens.bench.suite_data import Record, read_records

_PERIOD = re.compile(
    r"\b(?:start|beginning|end|last day) of (?:the )?(?:year |month )?(?=[A-Z\d])", re.IGNORECASE
)
"""The start of a year or a month, which is not the start of a fact."""
_WORDS = {
    "start": re.compile(
        r"\b(?:start|beg[iau]n|commenc|took|tak(?:e|es|en|ing)|assum|join|enter|appoint|elect|inaugurat|bec[ao]m)",
        re.IGNORECASE,
    ),
    "end": re.compile(
        r"\b(?:end|finish|conclud|complet|terminat|left|leav|resign|step|depart|stop|until)", re.IGNORECASE
    ),
}
_DATE = r"'(\d{4}-\d{2}-\d{2})[^']*'"
_CONDITION = re.compile(
    rf"\b(?P<end>Start|End) (?:(?P<sign>[<>]) {_DATE}|between {_DATE} and {_DATE})"
    rf"|\bdate\((?P<moved>Start|End)\) = (?P<day>date\({_DATE}, '[^']+'\))",
    re.IGNORECASE,
)


def main(folder: Path, run: Path | None = None) -> None:
    """Print the counts by kind, and by kind and relation; with a run, also how many it answers right."""
    results = RunFolder(run).results() if run else {}
    asked: Counter[tuple[str, ...]] = Counter()
    lost: Counter[tuple[str, ...]] = Counter()
    right: Counter[tuple[bool, tuple[str, ...]]] = Counter()
    for record in read_records(folder / "questions.jsonl", "id", "db", "qtype", "sql"):
        measured = record["db"] in tdbench.DATABASES and not record["reversed_range"]
        if not measured or record["qtype"] == "now":
            continue
        table = rows_of(folder / "csv" / f"{record['db']}.csv", record["open_end_filled_with"])
        for number, text in enumerate(record["questions"], start=1):
            kind = tdbench.kind_of(record, text)
            is_lost = _is_lost(record, text, table)
            result = results.get(f"{record['id']}.{number}")
            scores = result.scores if result else {}
            groups: tuple[tuple[str, ...], ...] = ((kind,), (kind, str(record["relation"])))
            for group in groups:
                asked[group] += 1
                lost[group] += is_lost
                right[is_lost, group] += scores.get("AT", scores.get("A")) == 1
    for group in sorted(asked, key=lambda group: (len(group), group)):
        kept = asked[group] - lost[group]
        share = 100 * kept / asked[group]
        line = f"{', '.join(group):28} {lost[group]:4} of {asked[group]:4} lost ({share:.1f} % kept)"
        if results and kept:
            share = 100 * right[False, group] / kept
            line += f"; right: {share:.1f} % of the kept, {right[True, group]} of the lost"
        print(line)


def rows_of(path: Path, today: str) -> sqlite3.Connection:
    """The rows of a database, with open ends filled as for its questions."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    table = sqlite3.connect(":memory:")
    table.execute(f"create table facts ({', '.join(header)})")
    end = header.index("End")
    filled = [[*row[:end], row[end] or today, *row[end + 1 :]] for row in rows]
    table.executemany(f"insert into facts values ({', '.join('?' * len(header))})", filled)
    return table


def _is_lost(record: Record, text: str, table: sqlite3.Connection) -> bool:
    words = _PERIOD.sub("", text)
    where = record["sql"].split(" where ", 1)[1]

    def as_said(match: re.Match[str]) -> str:
        end = (match["end"] or match["moved"]).lower()
        return _days(match[0]) if _WORDS[end].search(words) else _held(match)

    return _selected(table, _CONDITION.sub(as_said, where)) != _selected(table, _days(where))


def _held(match: re.Match[str]) -> str:
    """The condition that a fact held on the days that a condition names for one of its ends."""
    days = re.findall(_DATE, match[0])
    if match["moved"]:
        return f"(Start <= {match['day']} and {match['day']} < End)"
    if match["sign"] == "<":
        return f"Start < '{days[0]}'"
    if match["sign"] == ">":
        return f"End > '{days[0]}'"
    return f"(Start <= '{days[1]}' and End > '{days[0]}')"


def _days(sql: str) -> str:
    return sql.replace(" 00:00:00", "")


def _selected(table: sqlite3.Connection, where: str) -> list[int]:
    # some queries put double quotes around texts
    return [
        row for (row,) in table.execute(f"select rowid from facts where {where.replace(chr(34), chr(39))}")
    ]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
