"""From files to documents. A reader is a function registered under a suffix."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.dates import METADATA_KEYS, date_in_name, parse_date
from timelens.ingest.failures import Failure
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns, read_table
from timelens.temporal.interval import Interval

_ID_KEYS = ("id", "_id", "doc_id")
_TEXT_KEYS = ("text", "content", "contents", "body")


Reader = Callable[[SourceFile, TableColumns], Iterator[Document | Failure]]


def read_plain(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """A text file: its name is its title."""
    yield _document(source, source.id, _text(source), title=source.path.stem)


def read_markdown(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Markdown with optional YAML front matter; the title is stated there, or is the first heading."""
    content = _text(source)
    metadata, body = _front_matter(content)
    heading = next((line.lstrip("# ").strip() for line in body.splitlines() if line.startswith("# ")), "")
    published, fault = _published(metadata, source.id)
    if fault:
        yield fault
    yield _document(
        source,
        source.id,
        body,
        title=str(metadata.get("title") or heading or source.path.stem),
        published=published,
        published_source="front matter",
        hashed=content,
    )


def read_json_lines(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """One JSON object a line: ``text`` (or content, body), and if given ``id``, ``title`` and a date."""
    for number, line in enumerate(_text(source).splitlines(), start=1):
        where = f"{source.id} line {number}"
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            yield Failure(where, f"not JSON: {error}", "write one JSON object a line")
            continue
        text = _first(record, _TEXT_KEYS) if isinstance(record, dict) else None
        if text is None:
            yield Failure(where, "no text", f"give each record one of the fields {', '.join(_TEXT_KEYS)}")
            continue
        published, fault = _published(record, where)
        if fault:
            yield fault
        yield _document(
            source,
            _first(record, _ID_KEYS) or f"{source.id}#{number}",
            text,
            title=str(record.get("title") or ""),
            published=published,
            published_source="record field",
            hashed=line,
        )


def read_csv(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """A table. With dates in columns of their own its rows are facts; otherwise its rows are its text."""
    content = _text(source)
    table = read_table(content, source.id, columns, "\t" if source.path.suffix == ".tsv" else None)
    yield from table.failures
    yield _document(
        source,
        source.id,
        table.text,
        title=source.path.stem.replace("_", " "),
        facts=table.facts,
        hashed=f"{columns}\n{content}",
    )


READERS: dict[str, Reader] = {
    ".txt": read_plain,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".jsonl": read_json_lines,
    ".csv": read_csv,
    ".tsv": read_csv,
}


def _text(source: SourceFile) -> str:
    """The file as text with Unix line ends.

    Raises:
        BadInputError: it cannot be read, is not UTF-8 text, or is empty.
    """
    try:
        raw = source.path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"it cannot be read: {error.strerror}", "check that it exists and its rights"
        ) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"it is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    if "\0" in text:
        raise BadInputError("it is binary", "ingest text files")
    if not text.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    return text.replace("\r\n", "\n")


def _document(
    source: SourceFile,
    document_id: str,
    text: str,
    *,
    hashed: str | None = None,
    **fields: Any,  # noqa: ANN401
) -> Document:
    if fields.get("published") is None:
        fields["published"] = date_in_name(source.path.stem)
        fields["published_source"] = "file name" if fields["published"] else None
    digest = hashlib.sha256((text if hashed is None else hashed).encode()).hexdigest()
    return Document(id=document_id, uri=source.uri, text=text, content_hash=digest, **fields)


def _front_matter(content: str) -> tuple[Mapping[str, Any], str]:
    """(metadata, rest) of a Markdown file; values stay strings.

    Raises:
        BadInputError: what stands between the ``---`` lines is not YAML.
    """
    if not content.startswith("---\n"):
        return {}, content
    head, separator, body = content[4:].partition("\n---")
    if not separator:
        return {}, content
    try:
        metadata = yaml.load(head, Loader=yaml.BaseLoader)  # noqa: S506 -- it makes nothing but strings
    except yaml.YAMLError as error:
        problem = str(error).splitlines()[0]
        raise BadInputError(f"its front matter is not YAML: {problem}", "correct or remove it") from error
    return (metadata if isinstance(metadata, dict) else {}), body.lstrip("-").lstrip("\n")


def _published(metadata: Mapping[str, Any], where: str) -> tuple[Interval | None, Failure | None]:
    stated = _first(metadata, METADATA_KEYS)
    try:
        return (parse_date(stated) if stated else None), None
    except ValueError as error:
        return None, Failure(where, f"its date: {error}", "correct it; the text is stored without that date")


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((str(record[key]) for key in keys if record.get(key) not in (None, "")), None)
