"""Chats exported by WhatsApp.

A message is "03/05/2021, 10:33 - Anna: text" on Android, "[03/05/2021, 10:33:12] Anna: text" on iOS, in the
language and the date order of the phone. The date order is determined from the whole file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.messages import GatheredMessages, day_documents, lines_of, require_bounded, sender_name
from timelens.ingest.reader_tools import make_document
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.interval import day_interval

_FEWEST = 3
"""Fewest messages of a chat; with fewer, the structure may be chance."""
_SENT_SHARE = 0.5
"""Least share of messages with a sender; the others are notices about the group."""
_DENSER = 3
"""Least ratio of the spans of days in the two date orders for the shorter one to be accepted."""

_CLOCK = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_HEAD = re.compile(
    r"[\u200e\u200f\ufeff]*(?P<open>\[)?(?:(?P<a>\d{1,2})(?P<sign>[./-])(?P<b>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2}),?"
    r"|(?P<iso>\d{4})(?P<mark>[/-])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?(open),?|,))\s"
    rf"(?P<clock>{_CLOCK})(?(open)\]|\s-)\s(?P<told>.*)"
)
_SENDER = re.compile(r"(?P<sender>[^:\"“”„«»]{1,100}): ?(?P<text>.*)", re.DOTALL)
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BY_WHATSAPP = re.compile(r"^\u200e.*|\u200e<.*")
"""Text marked by iOS as not written by the sender: "image omitted", "This message was deleted."."""
_NOT_WRITTEN = re.compile(
    r"<[^<>\n]{3,60}>|.{1,120}\.\w{2,5} \([^()\n]{4,40}\)|null"
    r"|(?:You deleted this message|This message was deleted)\.?"
    r"|(?:Missed|Silenced) (?:group )?(?:voice|video) call",
)
"""Placeholders for content that is not in the export: "<Media omitted>", "IMG-1.jpg (file attached)"."""
_EDITED = re.compile(r"\s*<(?:This message was edited|Diese Nachricht wurde bearbeitet)>$", re.MULTILINE)


@dataclass(slots=True)
class _Sent:
    """A message with its date as written."""

    line: int
    figures: tuple[int, int, int]
    """The numbers of the date as written: the year is the last, in an ISO date the first."""
    order: Literal["ymd", "dmy", "either"]
    clock: str
    sender: str
    """Empty for a notice about the group."""
    is_marked: bool
    """Whether text that is not the sender's is marked, as on iOS."""
    lines: list[str]

    def day(self, *, day_first: bool) -> Day | None:
        """The day in the given date order; ``None`` if it does not exist."""
        if self.order == "ymd":
            year, month, day = self.figures
        else:
            first, second, year = self.figures
            is_day_first = day_first or self.order == "dmy"
            day, month = (first, second) if is_day_first else (second, first)
        try:
            return day_number(year + (2000 if year < 100 else 0), month, day)
        except ValueError:
            return None

    @property
    def text(self) -> str:
        """The text that the sender wrote."""
        lines = [_BY_WHATSAPP.sub("", line) for line in self.lines] if self.is_marked else self.lines
        bare = (_MARKS.sub("", line) for line in lines)
        written = (line for line in bare if not _NOT_WRITTEN.fullmatch(line.strip()))
        return _EDITED.sub("", "\n".join(written)).strip()


def whatsapp_chat(source: SourceFile, content: str) -> Iterator[Document | Failure] | None:
    """The documents of the days of a chat; ``None`` if the text is not a chat.

    If the file does not determine the date order, the chat is one document of dated entries, which are read
    with the user's convention.
    """
    sent = _messages(content)
    if sent is None:
        return None
    day_first = _is_day_first(sent)
    return (
        iter((_undecided(source, sent),)) if day_first is None else _days(source, sent, day_first=day_first)
    )


def _messages(content: str) -> list[_Sent] | None:
    """The messages of a chat; ``None`` if the text is not a chat. A chat begins with a message."""
    sent: list[_Sent] = []
    style = None
    for number, line in lines_of(content):
        head = _HEAD.match(line)
        if head is not None and style in (None, head["open"] or "-"):
            if style is None:
                require_bounded(content)
            style = head["open"] or "-"
            sent.append(_begun(head, number))
        elif sent:
            sent[-1].lines.append(line)
        elif line.strip():
            return None
    by_somebody = sum(bool(message.sender) for message in sent)
    return sent if by_somebody >= max(_FEWEST, _SENT_SHARE * len(sent)) else None


def _begun(head: re.Match[str], line: int) -> _Sent:
    """A message from its first line."""
    if head["iso"]:
        figures = (int(head["iso"]), int(head["month"]), int(head["day"]))
    else:
        figures = (int(head["a"]), int(head["b"]), int(head["year"]))
    told = _SENDER.fullmatch(head["told"])
    name = sender_name(_MARKS.sub("", told["sender"]).lstrip("~ \u202f\xa0"), "") if told else ""
    return _Sent(
        line=line,
        figures=figures,
        order="ymd" if head["iso"] else "dmy" if head["sign"] == "." else "either",
        clock=" ".join(head["clock"].split()),
        sender=name,
        is_marked=head["open"] is not None,
        lines=[told["text"] if told else head["told"]],
    )


def _is_day_first(sent: Sequence[_Sent]) -> bool | None:
    """Whether the day stands before the month; ``None`` if the file does not determine it.

    The order with fewer invalid dates is taken, else the one with fewer steps back, else the one with a much
    shorter span.
    """
    if all(message.order != "either" for message in sent):
        return True
    readings = {order: [message.day(day_first=order) for message in sent] for order in (True, False)}
    for measure in (_missing, _backward):
        day_first, month_first = (measure(readings[order]) for order in (True, False))
        if day_first != month_first:
            return day_first < month_first
    day_first, month_first = (_between(readings[order]) for order in (True, False))
    if _DENSER * min(day_first, month_first) <= max(day_first, month_first) and len(set(readings[True])) > 2:
        return day_first < month_first
    return None


def _missing(days: Sequence[Day | None]) -> int:
    """The number of dates that do not exist."""
    return days.count(None)


def _backward(days: Sequence[Day | None]) -> int:
    """The number of messages older than the one before."""
    return sum(after < before for before, after in pairwise([day for day in days if day is not None]))


def _between(days: Sequence[Day | None]) -> int:
    """The number of days from the earliest to the latest."""
    known = [day for day in days if day is not None]
    return max(known) - min(known) if known else 0


def _days(source: SourceFile, sent: Sequence[_Sent], *, day_first: bool) -> Iterator[Document | Failure]:
    found = GatheredMessages()
    for one in sent:
        if one.sender:
            day = one.day(day_first=day_first)
            time = None if day is None else (day_interval(day), one.clock)
            found.take(f"line {one.line}", "/".join(map(str, one.figures)), time, one.sender, one.text)
    yield from found.failures(source)
    yield from day_documents(source, source.id, _title(source, sent), found.messages)


def _undecided(source: SourceFile, sent: Sequence[_Sent]) -> Document:
    """The whole chat as one document, with the date as written before each message."""
    lines = []
    for one in sent:
        if one.sender and one.text:
            first, second, year = one.figures
            date = f"{first}/{second}/{year + (2000 if year < 100 else 0)}"
            lines.append(f"{date}, {one.clock} - {one.sender}: {one.text}")
    return make_document(source, source.id, "\n".join(lines), title=_title(source, sent))


def _title(source: SourceFile, sent: Sequence[_Sent]) -> str:
    """The title of a chat: its file name; on iOS, where all exports have the same name, its first sender."""
    stem = source.path.stem
    if stem != "_chat":
        return stem
    first = sent[0]
    return (first.sender if not first.text else "") or source.path.absolute().parent.name or stem
