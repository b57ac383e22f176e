"""Channels of Discord: JSON of DiscordChatExporter, and the data packages that Discord sends its users."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.failures import Failure
from timelens.ingest.messages import (
    GatheredMessages,
    day_documents,
    day_of_stamp,
    metadata_json,
    plain,
    sender_name,
)
from timelens.ingest.sources import SourceFile

_WRITTEN = frozenset({"Default", "Reply", "ThreadStarterMessage"})
_SUFFIXES = ("json", "csv")
_COLUMNS = frozenset({"ID", "Timestamp", "Contents"})
_SENDER = "I"
"""Sender of the messages of a data package without user data."""


def is_discord_channel(content: object) -> bool:
    """Whether the content is JSON of DiscordChatExporter."""
    return (
        isinstance(content, dict)
        and isinstance(content.get("messages"), list)
        and isinstance(content.get("channel"), dict)
    )


def is_package_message(record: object) -> bool:
    """Whether a record is a message of ``messages.json`` in a data package."""
    return isinstance(record, dict) and record.keys() >= _COLUMNS


def is_discord_metadata(path: Path) -> bool:
    """Whether a file of a data package describes messages but contains none."""
    if path.name == "channel.json":
        return any(path.with_name(f"messages.{suffix}").is_file() for suffix in _SUFFIXES)
    return path.name == "index.json" and any(
        file.suffix[1:] in _SUFFIXES for file in path.parent.glob("c*/messages.*")
    )


def discord_channel(source: SourceFile, content: Mapping[str, Any]) -> Iterator[Document | Failure]:
    """The messages of a channel, without those of bots and of the system."""
    found = GatheredMessages()
    for number, record in enumerate(content["messages"], start=1):
        if not isinstance(record, dict) or str(record.get("type", "Default")) not in _WRITTEN:
            continue
        author, text = record.get("author"), record.get("content")
        author = author if isinstance(author, dict) else {}
        if isinstance(text, str) and author.get("isBot") is not True:
            sender = sender_name(author.get("nickname"), "") or sender_name(author.get("name"))
            stated = record.get("timestamp")
            found.take(f"message {number}", stated, day_of_stamp(stated), sender, plain(text))
    guild, channel = (_named(content.get(key)) for key in ("guild", "channel"))
    title = " ".join(filter(None, (guild, channel))) or source.path.stem
    yield from found.failures(source)
    yield from day_documents(source, source.id, title, found.messages)


def package_rows(source: SourceFile, content: str) -> Iterator[Document | Failure] | None:
    """The user's messages in ``messages.csv``, the form of older packages; ``None`` for another table."""
    header, _, _ = content.partition("\n")
    if not {name.strip('" \r') for name in header.split(",")} >= _COLUMNS:
        return None
    return package_messages(source, _rows(content))


def _rows(content: str) -> Iterator[object]:
    try:
        yield from csv.DictReader(io.StringIO(content, newline=""))
    except csv.Error as error:
        raise BadInputError(f"it is not a table: {error}", "ask Discord for the package again") from error


def package_messages(source: SourceFile, records: Iterable[object]) -> Iterator[Document | Failure]:
    """The user's messages in a channel, from ``messages.json`` of a data package."""
    path = source.path.absolute()
    channel = _described(path.with_name("channel.json"))
    package = path.parents[min(2, len(path.parents) - 1)]
    user = _described(package / "account" / "user.json")
    sender = sender_name(user.get("global_name"), "") or sender_name(user.get("username"), _SENDER)
    found = GatheredMessages()
    for number, record in enumerate(records, start=1):
        if isinstance(record, dict) and isinstance(record.get("Contents"), str):
            stated, text = record.get("Timestamp"), plain(record["Contents"])
            found.take(f"message {number}", stated, day_of_stamp(stated), sender, text)
    title = " ".join(filter(None, (_named(channel.get("guild")), _named(channel)))) or path.parent.name
    yield from found.failures(source)
    yield from day_documents(source, source.id, title or source.path.stem, found.messages)


def _named(described: object) -> str:
    return sender_name(described.get("name"), "") if isinstance(described, dict) else ""


def _described(path: Path) -> Mapping[str, Any]:
    """The content of a small file beside the messages; empty if it cannot be read."""
    content = metadata_json(path)
    return content if isinstance(content, dict) else {}
