"""Feeds: RSS, Atom and JSON Feed. Each item is a document of the day on which it was published."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from timelens.documents import Document, Mark
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.messages import plain
from timelens.ingest.reader_tools import first_date, first_field, make_document, read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.web_pages import as_html, read_page, read_xml

if TYPE_CHECKING:
    from timelens.ingest.web_pages import Element

_DATES = ("pubDate", "published", "issued", "date", "updated", "modified")
"""Elements with the date of an item in RSS, Atom, old Atom and Dublin Core; publication before change."""
_TEXTS = ("encoded", "content", "description", "summary")
"""Elements with the text of an item, usually longest first."""
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:#\d+|#x[\da-fA-F]+|[a-zA-Z]+);")
_LONGEST_KEY = 120
_LONGEST_LINK = 500
_FEED_VERSION = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/")


@dataclass(frozen=True, slots=True)
class _Item:
    """One item with its stated fields."""

    key: str
    title: str
    link: str
    author: str
    content: str
    """HTML or plain text."""
    dates: Sequence[tuple[str, str]]


def read_feed(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Read RSS or Atom; XML of another kind is a failure only if it was given by itself."""
    root = read_xml(read_bytes(source))
    name = _name(root)
    if name not in {"rss", "RDF", "feed"} or (name == "RDF" and not any(_all(root, "item"))):
        error, hint = f"XML of a kind that is not read (its root is {name[:40]})", "readable are RSS and Atom"
        yield Failure(source.id, error, hint, partial=True, skipped=not source.is_named)
        return
    channel = next(_all(root, "channel"), root)
    items = [
        *_all(channel, "item"),
        *(_all(root, "item") if channel is not root else ()),
        *_all(root, "entry"),
    ]
    yield from _documents(source, _text(channel, "title"), (_item(element) for element in items))


def is_json_feed(content: object) -> bool:
    """Whether the content is a JSON Feed."""
    version = content.get("version") if isinstance(content, dict) else None
    return isinstance(version, str) and _FEED_VERSION.match(version) is not None


def read_json_feed(source: SourceFile, content: Mapping[str, Any]) -> Iterator[Document | Failure]:
    """The items of a JSON Feed."""
    items = content.get("items")
    records = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    title = first_field(content, ("title",)) or ""
    yield from _documents(source, title, map(_json_item, records))


def _json_item(record: Mapping[str, Any]) -> _Item:
    authors = record.get("authors")
    listed = authors[0] if isinstance(authors, list) and authors else record.get("author")
    dates = ((key, first_field(record, (key,)) or "") for key in ("date_published", "date_modified"))
    return _Item(
        key=first_field(record, ("id",)) or "",
        title=first_field(record, ("title",)) or "",
        link=first_field(record, ("url", "external_url")) or "",
        author=(first_field(listed, ("name",)) or "") if isinstance(listed, dict) else "",
        content=first_field(record, ("content_html", "content_text", "summary")) or "",
        dates=[(name, stated) for name, stated in dates if stated],
    )


def _item(element: "Element") -> _Item:
    links = [*_all(element, "link")]
    alternate = next((one for one in links if one.get("rel", "alternate") == "alternate"), None)
    link = "" if alternate is None else (alternate.get("href") or _content(alternate))
    author = next(_all(element, "author"), None)
    named = "" if author is None else _text(author, "name") or _content(author)
    dates = ((name, _text(element, name)) for name in _DATES)
    return _Item(
        key=_text(element, "guid") or _text(element, "id"),
        title=_text(element, "title"),
        link=link,
        author=named or _text(element, "creator"),
        content=next(filter(None, (_text(element, name) for name in _TEXTS)), ""),
        dates=[(name, stated) for name, stated in dates if stated],
    )


def _documents(source: SourceFile, feed: str, items: Iterator[_Item]) -> Iterator[Document | Failure]:
    """A document for each item, without duplicates."""
    met: set[str] = set()
    feed = _line(feed)
    found = 0
    for found, item in enumerate(items, start=1):
        where = f"{source.id} item {found}"
        try:
            title, text = _line(item.title), _read(item.content)
        except BadInputError as error:
            yield Failure(where, error.message, "it was left out", partial=True)
            continue
        key = _key(item, title)
        version = f"{key}#{_digest(title, str(item.dates), text)}"
        if version in met:
            continue
        key = version if key in met else key  # some feeds give every item the same link
        met |= {key, version}
        if not (title or text):
            yield Failure(where, "it has neither title nor text", "it was left out", partial=True)
            continue
        published, stated_in, fault = first_date(item.dates, where)
        if fault:
            yield fault
        author = _line(item.author)
        by = f"By {author}.\n\n" if author else ""
        yield make_document(
            source,
            f"{source.id}#{key}",
            by + (text or title),
            title=": ".join(filter(None, (feed, title))),
            published=published,
            published_source=stated_in,
            hashed="\n".join((feed, title, author, item.link, str(published), text)),
            places=(Mark(0, " ".join(item.link.split())[:_LONGEST_LINK]),) if item.link else (),
        )
    if not found:
        yield Failure(source.id, "a feed without items", "save it again when it has items", partial=True)


def _key(item: _Item, title: str) -> str:
    """The key of an item, which stays the same in later versions of the feed."""
    stated = _line(item.key or item.link)
    if stated and len(stated) <= _LONGEST_KEY:
        return stated
    named = stated or "\n".join((title, *(date for _, date in item.dates[:1])))
    return _digest(named)


def _digest(*said: str) -> str:
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def _read(content: str) -> str:
    """The text of an item; markup is read like a web page."""
    return read_page(content).text if _MARKUP.search(content) else content.strip()


def _line(text: str) -> str:
    """A title, a name or an address on one line, without markup."""
    return " ".join((_read(text) if _MARKUP.search(text) else text).split())


def _name(element: "Element") -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _all(element: "Element", name: str) -> Iterator["Element"]:
    return (child for child in element if _name(child) == name)


def _text(element: "Element", name: str) -> str:
    """The first non-empty content of the children with a name; else ""."""
    return next(filter(None, map(_content, _all(element, name))), "")


def _content(element: "Element") -> str:
    """The content of an element: its text, or its markup if it has child elements, as in Atom's XHTML."""
    return plain(as_html(element) if len(element) else (element.text or "").strip())
