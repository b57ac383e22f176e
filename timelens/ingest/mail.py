"""Mail (EML and mbox): messages with sender, recipients and own text, dated by their headers."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import PurePosixPath

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.archives import ARCHIVES
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.mail_quotations import forwarded_head, is_forward, own_words
from timelens.ingest.nested_files import NO_READER, LeftOut, read_inner, temporary_source
from timelens.ingest.plain_tables import plain_tables
from timelens.ingest.reader_tools import (
    Reader,
    first_date,
    make_document,
    read_bytes,
    require_at_most,
    require_filled,
    with_unix_ends,
)
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_tables import MixedText, TextTable, documents_in
from timelens.ingest.web_pages import Page, decode_page, read_page

_LARGEST = 128 * 2**20  # bytes of a message
_LONGEST_LINE = 2**20  # bytes read at once
_LONGEST_HEADERS = 2**18  # bytes of all headers of a message
_LONGEST_HEADER = 20_000  # characters of one header
_MOST_PARTS = 1_000  # of a message
_DEEPEST = 20  # levels of nested parts
_MOST_NAMES = 20  # of recipients that are kept
_MAILS = frozenset({".eml", ".mbox"})
_HEADER = re.compile(rb"[\x21-\x39\x3b-\x7e]{1,100}:")
_ESCAPED = re.compile(rb">+From ")


@dataclass(slots=True)
class _Box:
    """State shared by all messages of a file."""

    source: SourceFile
    columns: TableColumns
    readers: Mapping[str, Reader]
    left_out: LeftOut
    met: dict[str, str] = field(default_factory=dict)
    """Value that distinguishes versions of a message, by its id."""


@dataclass(slots=True)
class _Content:
    """The content of a message."""

    text: str = ""
    pages: list[Page] = field(default_factory=list)
    """The parts of it that are HTML."""
    attached: list[tuple[str, Message]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    parts: int = 0

    @property
    def is_page(self) -> bool:
        """Whether a part of the text is HTML."""
        return bool(self.pages)


def read_message(
    source: SourceFile, columns: TableColumns, readers: Mapping[str, Reader]
) -> Iterator[Document | Failure]:
    """Read a file with one message, and the messages and files attached to it."""
    raw = read_bytes(source)
    require_at_most(len(raw), _LARGEST, "save its attachments as files of their own")
    box = _Box(source, columns, readers, LeftOut(source.id, "attachments"))
    yield from _message(box, source.id, raw)
    yield from box.left_out.failures()


def read_mailbox(
    source: SourceFile, columns: TableColumns, readers: Mapping[str, Reader]
) -> Iterator[Document | Failure]:
    """Read a file of messages (mbox), one by one. The id of each is its Message-ID, else its number."""
    require_filled(source)
    box = _Box(source, columns, readers, LeftOut(source.id, "attachments"))
    number = 0
    for number, raw in enumerate(_messages(source), start=1):
        where = f"{source.id} message {number}"
        if raw is None:
            hint = "save it as a file of its own, without its attachments"
            yield Failure(where, f"it is larger than {_LARGEST // 2**20} MB", hint)
            continue
        try:
            yield from _message(box, "", raw, number)
        except BadInputError as error:
            yield Failure(where, error.message, error.hint)
    if not number:
        raise BadInputError("it is not an mbox file: no line begins with 'From '", "save the messages again")
    yield from box.left_out.failures()


def _messages(source: SourceFile) -> Iterator[bytes | None]:
    """The messages of an mbox file; ``None`` for one that is too large.

    A message begins with a line "From …" after a blank line and before a line with a header.
    """
    pieces: list[bytes] = []
    size = 0
    begun = False
    candidate: bytes | None = None
    is_blank, at_start = True, True
    with source.path.open("rb") as stream:
        while piece := stream.readline(_LONGEST_LINE):
            if candidate is not None:
                if _HEADER.match(piece):
                    if begun:
                        yield b"".join(pieces) if size <= _LARGEST else None
                    pieces, size, begun = [], 0, True
                else:
                    pieces.append(candidate)
                candidate = None
            if at_start and is_blank and piece.startswith(b"From "):
                candidate = piece
                is_blank = False
                continue
            is_blank = at_start and not piece.strip()
            at_start = piece.endswith(b"\n")
            size += len(piece)
            if size <= _LARGEST:
                pieces.append(piece[1:] if _ESCAPED.match(piece) else piece)
            else:
                pieces.clear()
    if begun:
        yield b"".join(pieces) if size <= _LARGEST else None


def _message(box: _Box, identity: str, raw: bytes, number: int = 0) -> Iterator[Document | Failure]:
    """The documents of a raw message.

    Raises:
        BadInputError: it is not a message.
    """
    head = re.split(rb"\r?\n\r?\n", raw[: _LONGEST_HEADERS + 2], maxsplit=1)[0]
    if len(head) > _LONGEST_HEADERS:
        raise BadInputError(f"its headers are larger than {_LONGEST_HEADERS // 2**10} kB", "remove them")
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
    except (MessageError, ValueError, LookupError, RecursionError) as error:
        raise BadInputError(f"it is not a readable message: {error}", "save it again") from error
    if not any(message.get(name) for name in ("From", "Date", "Subject", "To", "Message-ID")):
        raise BadInputError("it is not a message: it has no headers", "save it again, or as text")
    if not identity:
        own = _header(message, "Message-ID").strip("<> ")[:200]
        identity = f"{box.source.id}#{own or number}"
    yield from _documents(box, identity, message, 0, number)


def _documents(
    box: _Box, identity: str, message: Message, depth: int, number: int = 0
) -> Iterator[Document | Failure]:
    content = _Content()
    _gather(message, content, 0)
    subject = _header(message, "Subject")
    published, published_source, fault = first_date(_days(message), identity)
    if fault:
        yield fault
    own, forwarded = own_words(content.text, is_page=content.is_page, forwards=is_forward(subject))
    named = [f"{name}: {people}" for name in ("From", "To", "Cc") if (people := _people(message, name))]
    text = "\n\n".join(part for part in ("\n".join(named), own) if part)
    digest = hashlib.sha256(f"{subject}\n{published}\n{text}".encode(errors="replace")).hexdigest()
    if box.met.setdefault(identity, digest) != digest:
        identity = f"{identity}#{number}"
    yield from documents_in(
        replace(box.source, id=identity),
        MixedText(text or subject, (), tuple(_tables_in(text, content))),
        subject or "(no subject)",
        box.columns,
        hashed=digest,
        published=published,
        published_source=published_source,
    )
    if forwarded:
        yield from _forwarded(box, f"{identity}/forwarded", forwarded, depth + 1)
    for place, inner in enumerate(content.messages, start=1):
        if depth < _DEEPEST:
            yield from _documents(box, f"{identity}/message {place}", inner, depth + 1)
    for name, part in content.attached:
        yield from _attachment(box, identity, name, part)


def _tables_in(text: str, content: _Content) -> Iterator[TextTable]:
    """The tables in the own text of a message: those of its pages, else those that are made with spaces."""
    if not content.is_page:
        yield from plain_tables(text)
    end = 0
    for page in content.pages:
        for table in page.tables:
            shown = page.text[table.start : table.end].strip()
            start = text.find(shown, end)  # not if it is quoted
            if shown and start >= 0:
                end = start + len(shown)
                yield replace(table, start=start, end=end)


def _gather(part: Message, content: _Content, depth: int) -> None:
    """Collect the text of a message and its attachments in ``content``."""
    content.parts += 1
    if depth > _DEEPEST or content.parts > _MOST_PARTS:
        raise BadInputError("its parts are too many, or nested too deep", "save its text")
    kind = part.get_content_type()
    inner = part.get_payload()
    name = _decoded(part.get_filename() or "")
    if kind == "message/rfc822" and isinstance(inner, list):
        content.messages += [message for message in inner if isinstance(message, Message)]
    elif isinstance(inner, list):
        parts = [each for each in inner if isinstance(each, Message)]
        for each in _of_alternatives(parts) if kind == "multipart/alternative" else parts:
            _gather(each, content, depth + 1)
    elif kind in {"text/plain", "text/html"} and not name and part.get_content_disposition() != "attachment":
        page = _page(part) if kind == "text/html" else None
        text = _text(part) if page is None else page.text
        content.pages += [] if page is None else [page]
        content.text = "\n\n".join(piece for piece in (content.text, text) if piece.strip())
    elif name or kind == "text/calendar":
        content.attached.append((name or "invitation.ics", part))


def _of_alternatives(parts: list[Message]) -> list[Message]:
    """The plain alternative of a text unless blank, else the last (richest) one; and all invitations."""
    plain = [part for part in parts if part.get_content_type() == "text/plain" and _text(part).strip()]
    invitations = [part for part in parts if part.get_content_type() == "text/calendar"]
    others = [part for part in parts if part not in invitations]
    return (plain[:1] or others[-1:]) + invitations


def _bytes(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _text(part: Message) -> str:
    """The text of a part in its declared charset, else UTF-8, else Windows-1252."""
    raw = _bytes(part)
    try:
        text = raw.decode(part.get_content_charset() or "utf-8", "strict")
    except (LookupError, ValueError):
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("cp1252", "replace")
    return with_unix_ends(text).replace("\0", "")


def _page(part: Message) -> Page:
    """A part in HTML, without quotations."""
    raw = _bytes(part)
    charset = part.get_content_charset()
    if charset:
        raw = _text(part).encode(errors="replace")
        raw = b"\xef\xbb\xbf" + raw
    return read_page(decode_page(raw), own_words=True)


def _attachment(box: _Box, identity: str, name: str, part: Message) -> Iterator[Document | Failure]:
    suffix = PurePosixPath(name).suffix.lower()
    content = _bytes(part)
    if suffix not in box.readers:
        box.left_out.add(name, *NO_READER)
    elif suffix in ARCHIVES or suffix in _MAILS:
        box.left_out.add(
            name, "archives and mailboxes in a message", "save them, and ingest them by themselves"
        )
    else:
        with temporary_source(SourceFile(box.source.path, identity, box.source.uri), name) as (inner, stream):
            with stream:
                stream.write(content)
            yield from read_inner(inner, box.columns, box.readers)


def _forwarded(box: _Box, identity: str, block: str, depth: int) -> Iterator[Document | Failure]:
    """The document of a forwarded message, dated by its own head."""
    stated, body = forwarded_head(block)
    own, inner = own_words(body, is_page=False, forwards=True)
    published, published_source, fault = first_date(
        [("forwarded head", stated["sent"])] if stated.get("sent") else [], identity
    )
    if published is None:
        said = fault.error if fault else "it states no day"
        yield Failure(
            identity, f"a forwarded message was left out: {said}", "forward it as a file", partial=True
        )
    elif own:
        names = ((name, stated.get(name.lower(), "")) for name in ("From", "To"))
        named = [f"{name}: {people}" for name, people in names if people]
        yield make_document(
            box.source,
            identity,
            "\n\n".join(("\n".join(named), own)),
            title=stated.get("about") or "(no subject)",
            published=published,
            published_source=published_source,
        )
    if inner and depth < _DEEPEST:
        yield from _forwarded(box, f"{identity}/forwarded", inner, depth + 1)


def _header(message: Message, name: str) -> str:
    return _decoded(str(message.get(name) or ""))


def _decoded(value: str) -> str:
    """A header on one line, with encoded words decoded."""
    value = value[:_LONGEST_HEADER]
    with suppress(MessageError, LookupError, ValueError, AssertionError):  # keeps the encoded form
        value = str(make_header(decode_header(value)))
    return " ".join(value.encode(errors="replace").decode().split())


def _people(message: Message, name: str) -> str:
    stated = [_decoded(str(value)) for value in message.get_all(name, [])]
    try:
        named = getaddresses(stated)
    except RecursionError:
        named = [(value, "") for value in stated]
    people = [
        f"{called} <{address}>" if called and address and called != address else called or address
        for called, address in named
    ]
    people = [person for person in people if person]
    more = len(people) - _MOST_NAMES
    return ", ".join(people[:_MOST_NAMES]) + (f" and {more} others" if more > 0 else "")


def _days(message: Message) -> list[tuple[str, str]]:
    """(header, day in the zone of the stamp) of the date headers; a value that is no date stays unchanged."""
    received = message.get_all("Received", [])
    stated = [("Date header", str(message.get("Date") or ""))]
    stated += [("Received header", str(received[-1]).rpartition(";")[2])] if received else []
    return [(where, _day(stamp)) for where, stamp in stated if stamp.strip()]


def _day(stamp: str) -> str:
    try:
        return parsedate_to_datetime(stamp[:200]).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return " ".join(stamp.split())
