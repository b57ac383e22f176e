"""JSON files, recognised by content: exports of chats, JSON Feed, and records with texts."""

import json
import re
from collections.abc import Iterator
from itertools import chain, islice

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.chatgpt import chatgpt_conversation, is_chatgpt_conversation
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.discord import (
    discord_channel,
    is_discord_channel,
    is_discord_metadata,
    is_package_message,
    package_messages,
)
from timelens.ingest.failures import Failure
from timelens.ingest.feeds import is_json_feed, read_json_feed
from timelens.ingest.reader_tools import read_text, require_at_most
from timelens.ingest.slack import is_slack_message, is_slack_metadata, slack_day
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_records import has_text, record_document

_LARGEST = 64 * 2**20  # bytes of a file with one value, which is parsed as a whole
_LARGEST_LIST = 256 * 2**20  # bytes of a list, whose records are parsed one at a time
_LOOKED_AT = 20
"""Number of records by which the kind of a list is recognised."""
_SPACE = re.compile(r"[ \t\n\r]*")
_TO_SPLIT = "export it in parts, such as by month"


def read_json(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Read an export of Slack, Discord or ChatGPT, a JSON Feed, or a list of records with texts.

    A file of another kind is a failure only if it was given by itself: folders contain JSON of all kinds.
    """
    if is_slack_metadata(source.path) or is_discord_metadata(source.path):
        return
    content = _content(source)
    start = _SPACE.match(content)
    begin = start.end() if start else 0
    if content.startswith("[", begin):
        yield from _list(source, content, begin)
        return
    require_at_most(len(content), _LARGEST, _TO_SPLIT)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _not_json(error) from error
    if is_discord_channel(value):
        yield from discord_channel(source, value)
    elif is_json_feed(value):
        yield from read_json_feed(source, value)
    elif is_chatgpt_conversation(value):
        yield from chatgpt_conversation(source, 1, value)
    else:
        yield _unknown(source)


def _content(source: SourceFile) -> str:
    try:
        size = source.path.stat().st_size
    except OSError:
        size = 0  # reading the file will report the error
    require_at_most(size, _LARGEST_LIST, _TO_SPLIT)
    return read_text(source)


def _list(source: SourceFile, content: str, begin: int) -> Iterator[Document | Failure]:
    """The documents of a list; a list that ends too early or is followed by other text is a failure."""
    faults: list[Failure] = []
    records = _records(source, content, begin, faults)
    first = list(islice(records, _LOOKED_AT))
    records = chain(first, records)
    if any(map(is_slack_message, first)):
        yield from slack_day(source, records)
    elif any(map(is_package_message, first)):
        yield from package_messages(source, records)
    elif any(map(is_chatgpt_conversation, first)):
        for number, record in enumerate(records, start=1):
            if isinstance(record, dict) and is_chatgpt_conversation(record):
                yield from chatgpt_conversation(source, number, record)
            else:
                where = f"{source.id} conversation {number}"
                yield Failure(where, "not a conversation", "export it again; it was left out", partial=True)
    elif any(map(has_text, first)):
        for number, record in enumerate(records, start=1):
            yield from record_document(source, f"record {number}", number, record)
    elif not faults:
        yield _unknown(source)
    yield from faults


def _records(source: SourceFile, content: str, begin: int, faults: list[Failure]) -> Iterator[object]:
    """The records of a list, one at a time; an error that ends it too early is added to ``faults``."""
    decoder = json.JSONDecoder()
    position, count = _after_space(content, begin + 1), 0
    while not content.startswith("]", position):
        try:
            if count and not content.startswith(",", position):
                raise ValueError(f"no comma or bracket at character {position}")  # noqa: TRY301
            start = _after_space(content, position + 1) if count else position
            record, end = decoder.raw_decode(content, start)
        except (ValueError, RecursionError) as error:
            fault = _not_json(error)
            said = f"{fault.message}; {count} records before it were read" if count else fault.message
            faults.append(source.failure(said, fault.hint))
            return
        position, count = _after_space(content, end), count + 1
        yield record
    if _after_space(content, position + 1) < len(content):
        faults.append(source.failure("not JSON: there is text after its end", "check that it is complete"))


def _after_space(content: str, position: int) -> int:
    found = _SPACE.match(content, position)
    return found.end() if found else position


def _not_json(error: Exception) -> BadInputError:
    said = "nested too deep" if isinstance(error, RecursionError) else str(error)
    return BadInputError(f"not JSON: {said}", "check that it is complete, or export it again")


def _unknown(source: SourceFile) -> Failure:
    hint = "readable are exports of Slack, Discord and ChatGPT, JSON Feed, and lists of records with a text"
    error = "JSON of a kind that is not read"
    return Failure(source.id, error, hint, partial=True, skipped=not source.is_named)
