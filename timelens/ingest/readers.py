"""From files to documents. A reader is a function registered under a suffix."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from timelens.documents import Document, Fact, Mark
from timelens.errors import BadInputError
from timelens.ingest.dates import METADATA_KEYS, date_in_name, parse_date, parse_stamp
from timelens.ingest.failures import Failure
from timelens.ingest.pages import decode_page, read_page
from timelens.ingest.pdf import read_pdf_text
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns, read_table
from timelens.temporal.interval import Interval

_ID_KEYS = ("id", "_id", "doc_id")
_TEXT_KEYS = ("text", "content", "contents", "body")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_LONGEST_PLACE = 120
_SITE_NAME = re.compile(r"\s+[|–—·-]\s")
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")


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
    title = _first(metadata, ("title",)) or heading or source.path.stem
    yield _document(
        source,
        source.id,
        body,
        title=title,
        published=published,
        published_source="front matter",
        hashed=content,
        places=_places(_headings(body), title),
    )


def read_html(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """A web page: its text without navigation and scripts, its title, and its day of publication."""
    content = decode_page(_bytes(source))
    page = read_page(content)
    if not page.text:
        hint = "save the page as the browser shows it, or save its text"
        raise BadInputError("it holds no text outside of navigation and scripts", hint)
    published, published_source, fault = _first_date(page.dates, source.id)
    if fault:
        yield fault
    title = page.title or source.path.stem
    yield _document(
        source,
        source.id,
        page.text,
        title=title,
        published=published,
        published_source=published_source,
        hashed=content,
        places=_places(page.headings, title),
    )


def read_pdf(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """A PDF with a text layer. The day in its name counts before the one on which the file was made."""
    raw = _bytes(source)
    pdf = read_pdf_text(raw)
    if pdf.unreadable:
        numbers = ", ".join(str(number) for number in pdf.unreadable[:10])
        error = f"{len(pdf.unreadable)} of its pages cannot be read: {numbers}"
        error += ", …" if len(pdf.unreadable) > 10 else ""
        hint = "open it in a viewer and save it anew; the other pages are stored"
        yield Failure(source.id, error, hint, partial=True)
    stated = (("PDF creation date", pdf.created),) if pdf.created else ()
    named = date_in_name(source.path.stem)
    published, published_source, fault = _first_date(() if named else stated, source.id)
    if fault:
        yield fault
    yield _document(
        source,
        source.id,
        pdf.text,
        title=pdf.title or source.path.stem,
        published=published,
        published_source=published_source,
        hashed=hashlib.sha256(raw).hexdigest(),
        places=pdf.pages,
    )


def read_json_lines(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """One JSON object a line: ``text`` (or content, body), and if given ``id``, ``title`` and a date.

    The file is read line by line, so its size does not matter.
    """
    for number, raw in _lines(source):
        where = f"{source.id} line {number}"
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            record = json.loads(line)
        except UnicodeDecodeError as error:
            yield Failure(where, f"not UTF-8 text (byte {error.start})", "save it as UTF-8")
            continue
        except (ValueError, RecursionError) as error:
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
            title=_first(record, ("title",)) or "",
            published=published,
            published_source="record field",
            hashed=line.strip(),
        )


def read_csv(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """A table. With dates in columns of their own its rows are facts; otherwise its rows are its text."""
    content = _text(source)
    table = read_table(content, source.id, columns, "\t" if source.path.suffix.lower() == ".tsv" else None)
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
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
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
        text = _bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"it is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    if "\0" in text:
        raise BadInputError("it is binary", "ingest text files")
    if not text.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bytes(source: SourceFile) -> bytes:
    """The file as it is.

    Raises:
        BadInputError: it cannot be read, or is empty.
    """
    try:
        raw = source.path.read_bytes()
    except OSError as error:
        raise _unreadable(error) from error
    if not raw.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    return raw


def _lines(source: SourceFile) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers from 1.

    Raises:
        BadInputError: the file cannot be read, is binary, or is empty.
    """
    empty = True
    try:
        with source.path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if b"\0" in line:
                    raise BadInputError("it is binary", "ingest text files")
                if line.strip():
                    empty = False
                    yield number, line
    except OSError as error:
        raise _unreadable(error) from error
    if empty:
        raise BadInputError("it is empty", "remove it or fill it")


def _unreadable(error: OSError) -> BadInputError:
    return BadInputError(f"it cannot be read: {error.strerror}", "check that it exists and its rights")


def _document(
    source: SourceFile,
    document_id: str,
    text: str,
    *,
    title: str,
    published: Interval | None = None,
    published_source: str | None = None,
    hashed: str | None = None,
    facts: tuple[Fact, ...] = (),
    places: tuple[Mark, ...] = (),
) -> Document:
    """A document; the file's name dates what states no date, and ``hashed`` tells its versions apart."""
    if published is None:
        published = date_in_name(source.path.stem)
        published_source = "file name" if published else None
    return Document(
        id=document_id,
        uri=source.uri,
        title=title,
        text=text,
        content_hash=hashlib.sha256((text if hashed is None else hashed).encode()).hexdigest(),
        published=published,
        published_source=published_source,
        facts=facts,
        places=places,
    )


def _front_matter(content: str) -> tuple[Mapping[str, Any], str]:
    """(metadata, rest) of a Markdown file; values stay strings.

    Raises:
        BadInputError: what stands between the ``---`` lines is not YAML.
    """
    fenced = _FRONT_MATTER.match(content)
    if fenced is None:
        return {}, content
    try:
        metadata = yaml.load(fenced[1], Loader=yaml.BaseLoader)  # noqa: S506 -- it makes nothing but strings
    except (yaml.YAMLError, RecursionError) as error:
        problem = str(error).splitlines()[0]
        raise BadInputError(f"its front matter is not YAML: {problem}", "correct or remove it") from error
    if metadata is None or isinstance(metadata, dict):
        return metadata or {}, content[fenced.end() :].lstrip("\n")
    return {}, content  # a text between two rules


def _headings(body: str) -> Iterator[Mark]:
    """The headings of Markdown, outside of fenced code."""
    fence = ""
    offset = 0
    for line in body.split("\n"):
        fenced = _FENCE.match(line)
        if fenced and not fence:
            fence = fenced[1]
        elif fenced and fenced[1].startswith(fence):
            fence = ""
        elif not fence and (prefix := _HEADING.match(line)):
            heading = _without_closing(line[prefix.end() :].strip()).strip("*_` ")
            if heading:
                yield Mark(offset, heading)
        offset += len(line) + 1


def _without_closing(heading: str) -> str:
    """Without the number signs that may close a heading."""
    bare = heading.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else heading


def _places(headings: Iterable[Mark], title: str) -> tuple[Mark, ...]:
    """Headings as places; under the one that is the title itself is no place of its own."""
    titles = {title, _SITE_NAME.split(" ".join(title.split()))[0]}
    return tuple(
        Mark(mark.offset, "" if mark.place in titles else mark.place[:_LONGEST_PLACE]) for mark in headings
    )


def _first_date(
    stated: Sequence[tuple[str, str]], where: str
) -> tuple[Interval | None, str | None, Failure | None]:
    """The first of (where it is stated, what is stated) that is a date; a failure if none of them is."""
    problem = ""
    for stated_in, value in stated:
        try:
            return parse_stamp(value), stated_in, None
        except ValueError as error:
            problem = problem or f"its date ({stated_in}): {error}"
    hint = "correct it; the text is stored without that date"
    return None, None, Failure(where, problem, hint, partial=True) if problem else None


def _published(metadata: Mapping[str, Any], where: str) -> tuple[Interval | None, Failure | None]:
    stated = _first(metadata, METADATA_KEYS)
    try:
        return (parse_date(stated) if stated else None), None
    except ValueError as error:
        hint = "correct it; the text is stored without that date"
        return None, Failure(where, f"its date: {error}", hint, partial=True)


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of some fields that holds text or a number, as text; lone surrogates are replaced."""
    values = (record.get(key) for key in keys)
    plain = (str(value) for value in values if isinstance(value, str | int | float))
    return next((text.encode(errors="replace").decode() for text in plain if text.strip()), None)
