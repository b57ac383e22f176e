"""Messages as documents: those of one conversation and one day are one, and each is cited by its sender."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from timelens.documents import Document, Mark, Part
from timelens.ingest.dates import date_in_name, parse_stamp
from timelens.ingest.failures import Failure
from timelens.ingest.reading import make_document, require_at_most
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.phrasing import phrase

_LONGEST_NAME = 80
LARGEST = 128 * 2**20
"""Characters of a text of messages; reading one takes some ten times as many bytes."""
_LARGEST_BESIDE = 64 * 2**20  # bytes of a file that tells of people and conversations
_SHORT = 240
"""Characters of a message that is read as one sentence."""
_FIRST_YEAR, _LAST_YEAR = 1970, 2199
"""Years in which a message can have been written; a stamp outside of them is in other units, or damaged."""
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d[T ](\d\d:\d\d)")
Time = tuple[Interval, str]
"""A day, and the hour on it for citations."""
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody wrote on a day."""

    day: Interval
    sender: str
    text: str
    label: str = ""
    """What a citation says of it beside the sender: the hour, or the name of a commit."""


@dataclass(slots=True)
class Gathered:
    """The messages of a conversation as they are met; those without a time are told of together."""

    messages: list[Message] = field(default_factory=list)
    undated: list[str] = field(default_factory=list)
    """Where each stands, and what it states."""

    def take(self, place: str, stated: object, time: Time | None, sender: str, text: str) -> None:
        """A message, with its time and what it states as such."""
        if time is None:
            self.undated.append(f"{place} ({str(stated)[:40]!r})")
        else:
            self.messages.append(Message(time[0], sender, text, time[1]))

    def failures(self, source: SourceFile) -> Iterator[Failure]:
        """What is said where messages have no time."""
        if self.undated:
            said = f"messages without a readable time: {len(self.undated)}, the first is {self.undated[0]}"
            yield Failure(source.id, said, "correct their times; these messages were left out", partial=True)


def day_documents(
    source: SourceFile, name: str, title: str, messages: Iterable[Message], *, dated_by: str = "message"
) -> Iterator[Document]:
    """A document for each day, its messages in the order given, each with its sender before its text.

    Args:
        source: the file.
        name: the id of the conversation, to which the day is added unless it is that of the file.
        title: what the conversation is called.
        messages: those that hold text count.
        dated_by: where the days are stated.
    """
    days: defaultdict[Interval, list[Message]] = defaultdict(list)
    for message in messages:
        if message.text.strip():
            days[message.day].append(message)
    of_file = date_in_name(source.path.stem)
    for day, written in sorted(days.items(), key=lambda item: item[0].bounds):
        text, places, units = _joined(written)
        document_id = name if day == of_file else f"{name}#{format_day(int(day.bounds[0]))}"
        yield make_document(
            source,
            document_id,
            text,
            title=f"{title}: {phrase(day)}",
            published=day,
            published_source=dated_by,
            hashed="\n".join((title, text, *(mark.place for mark in places))),
            places=places,
            parts=(Part(document_id, 0),),  # dated lines within a message are no entries of the document
            units=units,
        )


def lines_of(content: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers from 1, one at a time."""
    number = start = 0
    while start <= len(content):
        number += 1
        end = content.find("\n", start)
        end = len(content) if end < 0 else end
        yield number, content[start:end]
        start = end + 1


def require_bounded(content: str) -> None:
    """Refuse a text of messages that would take too much memory.

    Raises:
        BadInputError: it is too long.
    """
    require_at_most(len(content), LARGEST, "export it in parts, or split it")


def sender_name(value: object, otherwise: str = "somebody") -> str:
    """A name on one line and of bounded length; what is none is ``otherwise``."""
    name = " ".join(plain(value).split())[:_LONGEST_NAME].strip() if isinstance(value, str) else ""
    return name or otherwise


def plain(text: str) -> str:
    """The text without lone surrogates, which cannot be stored, and with Unix line ends."""
    return text.encode(errors="replace").decode().replace("\r\n", "\n").replace("\r", "\n")


def day_of_seconds(value: object) -> Time | None:
    """The day and the hour, in UTC, of seconds since 1970; ``None`` where nobody wrote messages then."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        moment = datetime.fromtimestamp(float(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not _FIRST_YEAR < moment.year <= _LAST_YEAR:
        return None
    return day_interval(day_number(moment.year, moment.month, moment.day)), f"{moment:%H:%M}"


def day_of_stamp(value: object) -> Time | None:
    """The day and the hour that a stamp states, where it was written; ``None`` if it states none."""
    if not isinstance(value, str):
        return None
    try:
        stated = parse_stamp(value)
    except ValueError:
        return None
    if stated is None or stated.granularity is not Granularity.DAY:
        return None
    clock = _CLOCK.match(value.strip())
    return stated, clock[1] if clock else ""


def _joined(messages: Iterable[Message]) -> tuple[str, tuple[Mark, ...], tuple[tuple[int, int], ...]]:
    """Their text, with a blank line between two, where each begins, and those that are short."""
    blocks, places, units, offset = [], [], [], 0
    for message in messages:
        block = f"{message.sender}: {_BLANK_LINES.sub(chr(10) * 2, message.text.strip())}"
        blocks.append(block)
        places.append(Mark(offset, ", ".join(filter(None, (message.sender, message.label)))))
        if len(block) <= _SHORT:
            units.append((offset, offset + len(block)))
        offset += len(block) + 2
    return "\n\n".join(blocks), tuple(places), tuple(units)


def json_beside(path: Path) -> object:
    """What a file of an export says of its people and conversations; ``None`` where it cannot be read."""
    try:
        about = path.lstat()
    except OSError:
        return None
    is_plain = path.is_file() and not path.is_symlink() and about.st_size <= _LARGEST_BESIDE
    return _parsed(path, about.st_mtime_ns, about.st_size) if is_plain else None


@lru_cache(maxsize=8)
def _parsed(path: Path, _changed: int, _size: int) -> object:
    """The same, kept for the other files of the export as long as this one does not change."""
    try:
        content: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content
