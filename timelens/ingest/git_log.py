"""Output of ``git log``: the commits of each day, without statistics and diffs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.messages import (
    GatheredMessages,
    day_documents,
    day_of_seconds,
    day_of_stamp,
    lines_of,
    require_bounded,
    sender_name,
)
from timelens.ingest.sources import SourceFile
from timelens.temporal.interval import Interval

_COMMIT = re.compile(r"commit ([0-9a-f]{7,64})(?: .*)?")
_FIELD = re.compile(r"(Author|AuthorDate|Date|Commit|CommitDate|Merge|Reflog|Reflog message): *(.*)")
_ADDRESS = re.compile(r"\s*<[^<>]*>$")
_DATE_FIELDS = ("AuthorDate", "Date")
_SECONDS = re.compile(r"(?P<count>\d{5,12})(?: (?P<sign>[+-])(?P<hours>\d\d)(?P<minutes>\d\d))?")
_AS_GIT_WRITES = re.compile(
    r"(?:[A-Z][a-z]{2} )?(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})"
    r"(?: \d{2}:\d{2}:\d{2})? (?P<year>\d{4})(?: [+-]\d{4})?"
)
_EMPTY = "(no message)"
_INDENT = "    "
_SHORT_HASH = 10


@dataclass(slots=True)
class _Commit:
    """One commit while it is read."""

    name: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    message: list[str] = field(default_factory=list)
    state: Literal["head", "message", "rest"] = "head"
    """The section of the commit that the next line belongs to."""

    def take(self, line: str) -> None:
        """Read one more line; unindented lines after the message are statistics, diffs or notes."""
        if self.state == "head":
            stated = _FIELD.fullmatch(line)
            if stated:
                self.fields[stated[1]] = stated[2].strip()
            elif not line.strip():
                self.state = "message"
        elif self.state == "message" and (line.startswith(_INDENT) or not line.strip()):
            self.message.append(line[len(_INDENT) :].rstrip())
        else:
            self.state = "rest"

    @property
    def stated(self) -> str:
        """The date of the commit as the file states it; empty if there is none."""
        return next((self.fields[name] for name in _DATE_FIELDS if name in self.fields), "")


def git_log(source: SourceFile, content: str) -> Iterator[Document | Failure] | None:
    """The days of a history; ``None`` if the text is no history or states no dates."""
    commits = _commits(content)
    if not commits or "Author" not in commits[0].fields or not commits[0].stated:
        return None
    return _days(source, commits)


def _commits(content: str) -> list[_Commit]:
    """The commits; empty if the text does not begin with one."""
    commits: list[_Commit] = []
    for number, line in lines_of(content):
        head = _COMMIT.fullmatch(line)
        if head:
            if not commits:
                require_bounded(content)
            commits.append(_Commit(head[1], number))
        elif commits:
            commits[-1].take(line)
        elif line.strip():
            return []
    return commits


def _days(source: SourceFile, commits: list[_Commit]) -> Iterator[Document | Failure]:
    """The documents of the days, oldest first."""
    found = GatheredMessages()
    for commit in reversed(commits):
        author = sender_name(_ADDRESS.sub("", commit.fields.get("Author", "")))
        day = _day(commit.stated)
        time = None if day is None else (day, f"commit {commit.name[:_SHORT_HASH]}")
        message = "\n".join(commit.message)
        found.take(f"line {commit.line}", commit.stated, time, author, message if message.strip() else _EMPTY)
    yield from found.failures(source)
    yield from day_documents(source, source.id, source.path.stem, found.messages, dated_by="author date")


def _day(stated: str) -> Interval | None:
    """The day of a date in any format of ``--date`` with a day, in the author's time zone."""
    seconds = _SECONDS.fullmatch(stated)
    if seconds:
        ahead = 60 * int(seconds["hours"] or 0) + int(seconds["minutes"] or 0)
        sign = -1 if seconds["sign"] == "-" else 1
        time = day_of_seconds(int(seconds["count"]) + sign * 60 * ahead)
    else:
        words = _AS_GIT_WRITES.fullmatch(stated)
        time = day_of_stamp(f"{words['day']} {words['month']} {words['year']}" if words else stated)
    return time[0] if time else None
