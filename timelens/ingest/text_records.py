"""Records with a text: lines of JSON Lines, or items of a JSON list."""

from collections.abc import Iterator

from timelens.documents import Document, Mark
from timelens.ingest.failures import Failure
from timelens.ingest.reader_tools import date_in_fields, first_field, make_document
from timelens.ingest.sources import SourceFile

_ID_KEYS = ("id", "_id", "doc_id")
TEXT_KEYS = ("text", "content", "contents", "body")


def has_text(record: object) -> bool:
    """Whether a value is a record with a text."""
    return isinstance(record, dict) and first_field(record, TEXT_KEYS) is not None


def record_document(
    source: SourceFile,
    place: str,
    number: int,
    record: object,
    hashed: str | None = None,
    *,
    cited: bool = False,
) -> Iterator[Document | Failure]:
    """The document of a record: ``text`` (or content, body), and optional ``id``, ``title`` and date.

    Args:
        source: the file.
        place: the place of the record in the file.
        number: the id of a record without an id.
        record: the record.
        hashed: the text to hash; the fields of the record by default.
        cited: whether citations name the place.
    """
    where = f"{source.id} {place}"
    text = first_field(record, TEXT_KEYS) if isinstance(record, dict) else None
    if text is None or not isinstance(record, dict):
        yield Failure(where, "no text", f"give each record one of the fields {', '.join(TEXT_KEYS)}")
        return
    published, fault = date_in_fields(record, where)
    if fault:
        yield fault
    title = first_field(record, ("title",)) or ""
    yield make_document(
        source,
        first_field(record, _ID_KEYS) or f"{source.id}#{number}",
        text,
        title=title,
        published=published,
        published_source="record field",
        hashed=f"{title}\n{published}\n{text}" if hashed is None else hashed,
        places=(Mark(0, place),) if cited else (),
    )
