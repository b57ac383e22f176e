"""Documents of messages: one for each conversation and day; citations name the sender of a message."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from timelens.documents import Document, Mark, Part
from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import date_in_name, parse_stamp
from timelens.ingest.reader_tools import make_document, require_at_most, with_unix_ends
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.phrasing import phrase

_LONGEST_NAME = 80
LARGEST = 128 * 2**20
"""Most characters of a text of messages; reading it takes about ten times as many bytes."""
_LARGEST_BESIDE = 64 * 2**20  # bytes of a file that describes people and conversations
_SHORT = 90
"""Most characters of a message that is read as one sentence."""
_FIRST_YEAR, _LAST_YEAR = 1970, 2199
"""Bounds of plausible years: after the first, up to the last. Other stamps are damaged or in other units."""
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d[T ](\d\d:\d\d)")
Time = tuple[Interval, str]
"""A day, and the time of day for citations."""
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its day and sender."""

    day: Interval
    sender: str
    text: str
    label: str = ""
    """Label in citations beside the sender: the time of day, or the name of a commit."""


@dataclass(slots=True)
class GatheredMessages:
    """Collects the messages of a conversation; messages without a time are reported together."""

    messages: list[Message] = field(default_factory=list)
    undated: list[str] = field(default_factory=list)
    """Place and stated time of each message without a readable time."""

    def take(self, place: str, stated: object, time: Time | None, sender: str, text: str) -> None:
        """Add a message; ``stated`` is its time as written, for the report if ``time`` is ``None``."""
        if time is None:
            self.undated.append(f"{place} ({str(stated)[:40]!r})")
        else:
            self.messages.append(Message(time[0], sender, text, time[1]))

    def failures(self, source: SourceFile) -> Iterator[Failure]:
        """The failure for messages without a time, if there are any."""
        if self.undated:
            said = f"messages without a readable time: {len(self.undated)}, the first is {self.undated[0]}"
            yield Failure(source.id, said, "correct their times; these messages were left out", partial=True)


def day_documents(
    source: SourceFile, name: str, title: str, messages: Iterable[Message], *, dated_by: str = "message"
) -> Iterator[Document]:
    """A document for each day, with its messages in the order given and senders before texts.

    Args:
        source: the file.
        name: the id of the conversation; the day is added unless it is the day in the file's name.
        title: the title of the conversation.
        messages: the messages; blank ones are skipped.
        dated_by: the source of the days, for ``published_source``.
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
    """The lines with their numbers from 1, lazily."""
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
        BadInputError: the text is too long.
    """
    require_at_most(len(content), LARGEST, "export it in parts, or split it")


def sender_name(value: object, otherwise: str = "somebody") -> str:
    """A name on one line and of bounded length; ``otherwise`` if ``value`` is no name."""
    name = " ".join(plain(value).split())[:_LONGEST_NAME].strip() if isinstance(value, str) else ""
    return name or otherwise


def plain(text: str) -> str:
    """The text without lone surrogates, which cannot be stored, and with Unix line ends."""
    return with_unix_ends(text.encode(errors="replace").decode())


def day_of_seconds(value: object) -> Time | None:
    """The day and the time of day, in UTC, of seconds since 1970; ``None`` if implausible."""
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
    """The day and the time of day of a stamp, in its own zone; ``None`` if it states no day."""
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
    """The joined text of messages, a place for each, and the spans of short messages (units)."""
    blocks, places, units, offset = [], [], [], 0
    for message in messages:
        block = f"{message.sender}: {_BLANK_LINES.sub(chr(10) * 2, message.text.strip())}"
        blocks.append(block)
        places.append(Mark(offset, ", ".join(filter(None, (message.sender, message.label)))))
        if len(block) <= _SHORT:
            units.append((offset, offset + len(block)))
        offset += len(block) + 2
    return "\n\n".join(blocks), tuple(places), tuple(units)


def metadata_json(path: Path) -> object:
    """The JSON of a file of an export that describes people or conversations; ``None`` if unreadable."""
    try:
        about = path.lstat()
    except OSError:
        return None
    is_plain = path.is_file() and not path.is_symlink() and about.st_size <= _LARGEST_BESIDE
    return _parsed(path, about.st_mtime_ns, about.st_size) if is_plain else None


@lru_cache(maxsize=8)
def _parsed(path: Path, _changed: int, _size: int) -> object:
    """The JSON of a file, cached for the other files of the export until the file changes."""
    try:
        content: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content
