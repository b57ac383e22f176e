"""Readers of files. A reader is a function registered under a suffix."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.archives import ARCHIVES, read_members
from timelens.ingest.calendars import read_calendar
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.discord import package_rows
from timelens.ingest.epub import read_epub
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.feeds import read_feed
from timelens.ingest.git_log import git_log
from timelens.ingest.json_files import read_json
from timelens.ingest.mail import read_mailbox, read_message
from timelens.ingest.markdown_text import headings, pipe_tables
from timelens.ingest.office import read_open_document, read_pptx
from timelens.ingest.parquet import read_parquet
from timelens.ingest.pdf import read_pdf_text
from timelens.ingest.plain_tables import plain_tables
from timelens.ingest.reader_tools import (
    OF_HEADER,
    PDF_CREATED,
    Reader,
    date_in_fields,
    date_of_file,
    first_date,
    first_field,
    in_small_letters,
    make_document,
    read_bytes,
    read_lines,
    read_text,
)
from timelens.ingest.rtf import read_rtf
from timelens.ingest.sheets import read_workbook
from timelens.ingest.sources import SourceFile
from timelens.ingest.table_encodings import read_table_text
from timelens.ingest.tables import read_table
from timelens.ingest.text_records import record_document
from timelens.ingest.text_tables import MixedText, documents_in
from timelens.ingest.title_dates import date_of_title, time_in_name
from timelens.ingest.vaults import is_aside, is_template, page_name, read_note
from timelens.ingest.web_pages import decode_page, read_page
from timelens.ingest.whatsapp import whatsapp_chat
from timelens.ingest.word import read_docx

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")


def read_plain(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a text file, with its name as title. WhatsApp chats and git logs are recognised by structure.

    Each table with date columns, made with spaces or tabs, is a document of its own, whose rows are facts.
    """
    content = read_text(source)
    yield from whatsapp_chat(source, content) or git_log(source, content) or _plain(source, content, columns)


def _plain(source: SourceFile, content: str, columns: TableColumns) -> Iterator[Document | Failure]:
    mixed = MixedText(content, (), tuple(plain_tables(content)))
    yield from documents_in(source, mixed, source.path.stem, columns, hashed=content)


def read_markdown(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read Markdown with optional YAML front matter. The title is stated there, or is the first heading.

    Each table with date columns is a document of its own, whose rows are facts. In notes of Obsidian and
    Logseq, the syntax of these programs is removed.
    """
    if is_aside(source):
        return
    content = read_text(source)
    if is_template(source, content):
        yield Failure(
            source.id, "a template of notes", "templates are not read; move it if it is a note", partial=True
        )
        return
    metadata, body = _front_matter(content)
    note = read_note(body)
    metadata = in_small_letters({**note.properties, **metadata})
    heading = next(
        (line.lstrip("# ").strip() for line in note.text.splitlines() if line.startswith("# ")), ""
    )
    published, fault = date_in_fields(metadata, source.id)
    if fault:
        yield fault
    title = first_field(metadata, ("title",)) or heading or page_name(source.path.stem)
    mixed = MixedText(note.text, tuple(headings(note.text)), tuple(pipe_tables(note.text)))
    yield from documents_in(
        source,
        mixed,
        title,
        columns,
        hashed=content,
        published=published,
        published_source="front matter",
    )


def read_html(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a web page: text without navigation and scripts, title, and day of publication.

    Each table with date columns is a document of its own, whose rows are facts.
    """
    content = decode_page(read_bytes(source))
    page = read_page(content)
    if not page.text:
        hint = "save the page as the browser shows it, or save its text"
        raise BadInputError("it holds no text except navigation and scripts", hint)
    published, published_source, fault = first_date(page.dates, source.id)
    if fault:
        yield fault
    if published is None and time_in_name(source.path.stem) is None:
        dates = (date_of_title(line, apart=True) for line in page.header)
        published = next((date for date in dates if date is not None), None)
        published_source = OF_HEADER if published else None
    title = page.title or source.path.stem
    yield from documents_in(
        source,
        MixedText(page.text, page.headings, page.tables),
        title,
        columns,
        hashed=content,
        published=published,
        published_source=published_source,
    )


def read_pdf(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a PDF with a text layer. A day or month in its name takes precedence over the day of creation.

    Each table with date columns is a document of its own, whose rows are facts.
    """
    raw = read_bytes(source)
    pdf = read_pdf_text(raw)
    if pdf.unreadable:
        error = f"{len(pdf.unreadable)} of its pages cannot be read: {some_of(pdf.unreadable, 10)}"
        hint = "open it in a viewer and save it again; the other pages are stored"
        yield Failure(source.id, error, hint, partial=True)
    if pdf.not_searched:
        pages = f"{len(pdf.not_searched)} of its pages, from page {pdf.not_searched[0]}"
        error = f"tables on {pages}, are read as text"
        yield Failure(source.id, error, "split it into smaller files", partial=True)
    published, published_source, fault = date_of_file(source, (PDF_CREATED, pdf.created))
    if fault:
        yield fault
    yield from documents_in(
        source,
        pdf.content,
        pdf.title or source.path.stem,
        columns,
        hashed=hashlib.sha256(raw).hexdigest(),
        published=published,
        published_source=published_source,
    )


def read_json_lines(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Read one JSON object per line: ``text`` (or content, body), and optional ``id``, ``title`` and date.

    The file is read line by line, so its size does not matter.
    """
    for number, raw in read_lines(source):
        where = f"{source.id} line {number}"
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            record = json.loads(line)
        except UnicodeDecodeError as error:
            yield Failure(where, f"not UTF-8 text (byte {error.start})", "save it as UTF-8")
            continue
        except (ValueError, RecursionError) as error:
            yield Failure(where, f"not JSON: {error}", "write one JSON object per line")
            continue
        yield from record_document(source, f"line {number}", number, record, hashed=line.strip())


def read_csv(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a table. With date columns, its rows are facts; otherwise its rows are text."""
    content = read_table_text(source)
    if own := package_rows(source, content):
        yield from own
        return
    table = read_table(content, source.id, columns, "\t" if source.path.suffix.lower() == ".tsv" else None)
    yield from table.failures
    title = source.path.stem.replace("_", " ")
    yield make_document(
        source,
        source.id,
        table.text,
        title=f"{title}. {table.lead}" if table.lead else title,
        facts=table.facts,
        hashed=f"{columns}\n{content}",
        places=table.rows,
    )


def read_archive(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read an archive; each member is read as a separate file."""
    yield from read_members(source, columns, READERS)


def read_eml(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a message and its attachments."""
    yield from read_message(source, columns, READERS)


def read_mbox(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a mailbox; each message is a document."""
    yield from read_mailbox(source, columns, READERS)


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
    ".json": read_json,
    ".xml": read_feed,
    ".rss": read_feed,
    ".atom": read_feed,
    ".docx": read_docx,
    ".docm": read_docx,
    ".pptx": read_pptx,
    ".odt": read_open_document,
    ".odp": read_open_document,
    ".epub": read_epub,
    ".rtf": read_rtf,
    ".xlsx": read_workbook,
    ".xlsm": read_workbook,
    ".xls": read_workbook,
    ".ods": read_workbook,
    ".parquet": read_parquet,
    ".eml": read_eml,
    ".mbox": read_mbox,
    ".ics": read_calendar,
    **dict.fromkeys(sorted(ARCHIVES), read_archive),
}


def _front_matter(content: str) -> tuple[Mapping[str, Any], str]:
    """(metadata, rest) of a Markdown file; values stay strings.

    Raises:
        BadInputError: the text between the ``---`` lines is not YAML.
    """
    fenced = _FRONT_MATTER.match(content)
    if fenced is None:
        return {}, content
    try:
        metadata = yaml.load(fenced[1], Loader=yaml.BaseLoader)  # noqa: S506 -- this loader makes only strings, lists and mappings
    except (yaml.YAMLError, RecursionError) as error:
        problem = str(error).splitlines()[0]
        raise BadInputError(f"its front matter is not YAML: {problem}", "correct or remove it") from error
    if metadata is None or isinstance(metadata, dict):
        return metadata or {}, content[fenced.end() :].lstrip("\n")
    return {}, content  # text between two horizontal rules
