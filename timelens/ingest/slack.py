"""Exports of Slack: a folder per channel with a file per day, and files with the names of people."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, TypeGuard

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.messages import (
    GatheredMessages,
    day_documents,
    day_of_seconds,
    metadata_json,
    plain,
    sender_name,
)
from timelens.ingest.sources import SourceFile

_DIRECTORIES = ("channels.json", "groups.json", "dms.json", "mpims.json")
_BESIDE = frozenset({"users.json", *_DIRECTORIES, "integration_logs.json", "org_users.json", "canvases.json"})
"""Files of an export without messages."""
_WRITTEN = frozenset({"thread_broadcast", "me_message", "file_share", "file_comment"})
"""Subtypes of messages that people wrote; others are about joining, bots, pins and the like."""
_SIGNS = re.compile(r"<([^<>\n]*)>")
_MOST_MEMBERS = 4
_NAME_KEYS = ("real_name", "display_name", "name")


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of the people and conversations of an export, by id."""

    people: Mapping[str, str] = field(default_factory=dict)
    conversations: Mapping[str, str] = field(default_factory=dict)


def is_slack_message(record: object) -> bool:
    """Whether a record is a message of a channel."""
    return isinstance(record, dict) and record.get("type") == "message" and "ts" in record


def is_slack_metadata(path: Path) -> bool:
    """Whether a file belongs to an export but contains no messages."""
    beside = any(path.with_name(name).is_file() for name in _DIRECTORIES)
    return path.name in _BESIDE and beside and path.with_name("users.json").is_file()


def slack_day(source: SourceFile, records: Iterator[object]) -> Iterator[Document | Failure]:
    """The messages of a file; replies follow the message that they reply to, if it is in the file."""
    path = source.path.absolute()
    names, folder = _names_for(path), path.parent.name
    written = [(number, record) for number, record in enumerate(records, start=1) if _is_written(record)]
    found = GatheredMessages()
    for number, record in sorted(written, key=lambda one: _order(one[1])):
        stated = record.get("ts")
        text = _read(record["text"], names)
        found.take(f"message {number}", stated, day_of_seconds(stated), _sender(record, names), text)
    yield from found.failures(source)
    yield from day_documents(source, source.id, names.conversations.get(folder, folder), found.messages)


def _is_written(record: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a record is a message that a person wrote."""
    if not isinstance(record, dict) or record.get("bot_id") or not isinstance(record.get("text"), str):
        return False
    subtype = record.get("subtype")
    return subtype is None or (isinstance(subtype, str) and subtype in _WRITTEN)


def _order(record: Mapping[str, Any]) -> tuple[float, float]:
    """Sort key of a message: start of its thread, and its own time."""
    sent = _seconds(record.get("ts"))
    return _seconds(record.get("thread_ts", sent)), sent


def _seconds(value: object) -> float:
    try:
        seconds = float(value) if isinstance(value, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return seconds if isfinite(seconds) else 0.0


def _sender(record: Mapping[str, Any], names: _Names) -> str:
    user = record.get("user")
    profile = record.get("user_profile")
    stated = _name(profile) if isinstance(profile, dict) else ""
    known = names.people.get(user) if isinstance(user, str) else None
    return known or stated or sender_name(user)


def _read(text: str, names: _Names) -> str:
    """The text with mentions as names, links as labels, and escapes decoded."""

    def told(found: re.Match[str]) -> str:
        sign, _, label = found[1].partition("|")
        if sign.startswith("@"):
            return f"@{label or names.people.get(sign[1:], sign[1:])}"
        if sign.startswith("#"):
            return f"#{label or names.conversations.get(sign[1:], sign[1:])}"
        if sign.startswith("!"):
            return label or f"@{sign[1:].partition('^')[0]}"
        return label or sign.removeprefix("mailto:")

    return html.unescape(plain(_SIGNS.sub(told, text)))


def _names_for(path: Path) -> _Names:
    """The names of the export that a file belongs to, from the folder above or its own."""
    for folder in path.parents[1::-1]:
        users = _records(folder / "users.json")
        if users:
            people = {key: name for user in users if (key := _id(user)) and (name := _name(user))}
            return _Names(people, dict(_conversations(folder, people)))
    return _Names()


def _conversations(folder: Path, people: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(id, name) of the conversations; direct messages are named by their members."""
    for name in _DIRECTORIES:
        for record in _records(folder / name):
            stated, members = record.get("name"), record.get("members")
            if name in {"dms.json", "mpims.json"} and isinstance(members, list):
                known = [people.get(str(member), str(member)) for member in members[:_MOST_MEMBERS]]
                more = ["others"] if len(members) > _MOST_MEMBERS else []
                called = " and ".join((*known, *more))
            else:
                called = sender_name(stated, "")
            if called:
                yield from ((key, called) for key in (_id(record), stated) if isinstance(key, str) and key)


def _records(path: Path) -> Sequence[Mapping[str, Any]]:
    """The records of a file beside the channels; none if it cannot be read."""
    records = metadata_json(path)
    return [record for record in records if isinstance(record, dict)] if isinstance(records, list) else ()


def _id(record: Mapping[str, Any]) -> str:
    return sender_name(record.get("id"), "")


def _name(user: Mapping[str, Any]) -> str:
    """The name of a user; the full name is preferred."""
    profile = user.get("profile")
    places = (profile if isinstance(profile, dict) else {}, user)
    stated = (sender_name(place.get(key), "") for key in _NAME_KEYS for place in places)
    return next(filter(None, stated), "")
