"""Conversations exported by ChatGPT. Each is a tree of messages with one current branch."""

from collections.abc import Iterator, Mapping
from typing import Any

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.messages import GatheredMessages, day_documents, day_of_seconds, plain, sender_name
from timelens.ingest.sources import SourceFile

_SENDERS = {"user": "User", "assistant": "ChatGPT"}
_WRITTEN = frozenset({"text", "multimodal_text"})
"""Kinds of content that users see as text; others are tool calls and their results."""


def is_chatgpt_conversation(record: object) -> bool:
    """Whether a record is a conversation."""
    return isinstance(record, dict) and isinstance(record.get("mapping"), dict)


def chatgpt_conversation(
    source: SourceFile, number: int, record: Mapping[str, Any]
) -> Iterator[Document | Failure]:
    """The messages of the current branch; a message without a time gets the day of the previous one."""
    key = sender_name(record.get("conversation_id"), "") or sender_name(record.get("id"), str(number))
    title = sender_name(record.get("title"), "conversation")
    found, last = GatheredMessages(), day_of_seconds(record.get("create_time"))
    for message in _branch(record):
        sender, text = _written(message)
        if text:
            stated = message.get("create_time")
            last = (last and (last[0], "")) if stated is None else day_of_seconds(stated)
            found.take(f"conversation {number}", stated, last, sender, text)
    yield from found.failures(source)
    yield from day_documents(source, f"{source.id}#{key}", title, found.messages)


def _branch(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the root to the current node, or to the last node if none is current."""
    nodes: Mapping[str, Any] = record["mapping"]
    node = record.get("current_node")
    if not isinstance(node, str) or node not in nodes:
        node = next(iter(list(nodes)[-1:]), None)
    branch: list[Mapping[str, Any]] = []
    met: set[str] = set()
    while isinstance(node, str) and node not in met and isinstance(nodes.get(node), dict):
        met.add(node)
        message = nodes[node].get("message")
        if isinstance(message, dict):
            branch.append(message)
        node = nodes[node].get("parent")
    return branch[::-1]


def _written(message: Mapping[str, Any]) -> tuple[str, str]:
    """(sender, text) of a message; the text is empty if the message is not shown."""
    author, content, about = (message.get(key) for key in ("author", "content", "metadata"))
    role = author.get("role") if isinstance(author, dict) else None
    hidden = isinstance(about, dict) and about.get("is_visually_hidden_from_conversation") is True
    if not isinstance(role, str) or role not in _SENDERS or not isinstance(content, dict) or hidden:
        return "", ""
    parts = content.get("parts")
    if str(content.get("content_type", "text")) not in _WRITTEN or not isinstance(parts, list):
        return "", ""
    return _SENDERS[role], "\n\n".join(
        plain(part) for part in parts if isinstance(part, str) and part.strip()
    )
