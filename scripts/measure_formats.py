"""Write documents in many formats, read them again, and measure how often text and dates are preserved.

`scripts/measure_formats.py FOLDER` takes the folder with the project's data: some pages of
`timeqa/docs.jsonl` and the documents of `own`, as their readers read them. Each is written in every format,
with the day that the source states if the format has a field for it. The comparison covers the text word by
word, the days of documents, and the annotated times of sentences (each with its sentence). Tables are
compared by their facts.
"""

import argparse
import csv
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import TypedDict

import pyarrow as pa
from pyarrow import parquet

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from made_files import cell, make_docx, make_epub, make_odt, make_rtf, make_xlsx, row, rtf_text, zipped

from timelens.config import EmbedderSettings
from timelens.documents import Document
from timelens.embedding import Embedder, load_embedder
from timelens.ingest.annotate import annotate
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.temporal.calendar import format_day

Seen = tuple[str, str | None, frozenset[tuple[str, str]]]
"""The words of a document, its day, and (sentence, time) for the times of its sentences."""


def main() -> None:
    """Measure, and print a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=40, help="pages of TimeQA")
    options = parser.parse_args()
    embedder = load_embedder(EmbedderSettings())
    texts = [*pages_of(options.folder / "timeqa" / "docs.jsonl", options.pages), *own(options.folder / "own")]
    wanted = [seen(document, embedder) for document in texts]
    print(f"{len(texts)} documents, {sum(day is not None for _, day, _ in wanted)} with a day\n")
    print("| format | read | text | day | times | seconds |\n| --- | --- | --- | --- | --- | --- |")
    for name, write in FORMATS.items():
        started = time.perf_counter()
        found = [read_again(name, write(document), embedder) for document in texts]
        met = [(one, other) for one, other in zip(wanted, found, strict=True) if other is not None]
        times = sum(len(one[2]) for one, _ in met)
        same = sum(len(one[2] & other[2]) for one, other in met)
        shares = [
            share(len(met), len(texts)),
            share(sum(a[0] == b[0] for a, b in met), len(texts)),
            share(sum(a[1] == b[1] for a, b in met), len(texts)),
            share(same, times),
        ]
        print(f"| {name} | {' | '.join(shares)} | {time.perf_counter() - started:.0f} |", flush=True)
    for name, content in tables(options.folder / "own" / "staff" / "employees.csv"):
        print(f"table as {name}: {content}")


def share(part: int, whole: int) -> str:
    """A share in percent, with its counts."""
    return f"{100 * part / max(whole, 1):.1f} % ({part}/{whole})"


def pages_of(path: Path, number: int) -> Iterator[Document]:
    """Some pages of TimeQA, as plain text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines[:: max(len(lines) // max(number, 1), 1)][:number]:
        page = json.loads(line)
        paragraphs = [" ".join(paragraph.split()) for paragraph in page["paragraphs"]]
        yield plain(page["title"], "\n\n".join(filter(None, paragraphs)))


def own(folder: Path) -> Iterator[Document]:
    """The documents of people, without tables and questions, as their readers read them."""
    for path in sorted(folder.glob("*/*")):
        if path.suffix in {".md", ".txt", ".html"}:
            (document,) = items(SourceFile(path, path.name))
            paragraphs = "\n\n".join(" ".join(part.split()) for part in document.text.split("\n\n"))
            day = document.published if document.published_source != "file name" else None
            yield plain(document.title, paragraphs, document if day else None)


def plain(title: str, text: str, dated: Document | None = None) -> Document:
    """A document with a given text, and the day that another document states."""
    published = dated.published if dated else None
    return Document("x", "x", title, text, "", published, "stated" if published else None)


def items(source: SourceFile) -> list[Document]:
    """The documents in a file; a failure ends the measurement."""
    read = list(READERS[source.path.suffix](source, TableColumns()))
    for item in read:
        if isinstance(item, Failure):
            raise SystemExit(f"{item.path}: {item.error}")
    return [item for item in read if isinstance(item, Document)]


def read_again(name: str, content: bytes, embedder: Embedder) -> Seen | None:
    """The reading of a document written in a format; ``None`` if it is not read as one document."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"x.{name.split(maxsplit=1)[0]}")
        path.write_bytes(content)
        found = items(SourceFile(path, path.name))
    return seen(found[0], embedder) if len(found) == 1 else None


def seen(document: Document, embedder: Embedder) -> Seen:
    """The compared parts of a document."""
    annotated = annotate(document, embedder)
    day = annotated.document.published
    times = frozenset(
        (" ".join(chunk.sentence(event.sentence).split()), f"{event.interval} {event.source}")
        for chunk in annotated.chunks
        for event in chunk.events
    )
    return " ".join(document.text.split()), None if day is None else f"{day.start} {day.end}", times


def day_of(document: Document) -> str:
    """The day that the document states; empty if none."""
    return format_day(document.published.start or 0) if document.published else ""


def paragraphs(document: Document) -> list[str]:
    """The paragraphs of a document."""
    return document.text.split("\n\n")


def as_html(document: Document) -> bytes:
    """A web page."""
    body = "".join(f"<p>{escape(part)}</p>" for part in paragraphs(document))
    meta = (
        f'<meta property="article:published_time" content="{day_of(document)}">' if day_of(document) else ""
    )
    head = f"<meta charset=utf-8><title>{escape(document.title)}</title>{meta}"
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def as_markdown(document: Document) -> bytes:
    """Markdown with front matter."""
    head = {"title": document.title} | ({"date": day_of(document)} if day_of(document) else {})
    stated = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
    return f"---\n{stated}---\n\n{document.text}".encode()


def as_eml(document: Document) -> bytes:
    """An e-mail message with the document as its text, without a sender."""
    message = EmailMessage()
    message["Subject"] = " ".join(document.title.split())
    message["Message-ID"] = "<x@x>"
    if document.published:
        day = datetime.fromisoformat(day_of(document)).replace(tzinfo=UTC)
        message["Date"] = format_datetime(day)
    message.set_content(document.text, cte="base64")
    return message.as_bytes()


def as_record(document: Document) -> dict[str, str]:
    """A record with its fields."""
    return {"id": "x", "title": document.title, "text": document.text, "date": day_of(document)}


def as_parquet(document: Document) -> bytes:
    """A parquet file of one row, with a typed day."""
    record: dict[str, object] = dict(as_record(document))
    day = datetime.fromisoformat(day_of(document)).date() if day_of(document) else None
    stream = io.BytesIO()
    schema = pa.schema([(key, pa.date32() if key == "date" else pa.string()) for key in record])
    parquet.write_table(pa.Table.from_pylist([record | {"date": day}], schema), stream)
    return stream.getvalue()


def as_rtf(document: Document) -> bytes:
    """A rich text file."""
    numbers = day_of(document).split("-")
    made = r"{{\creatim\yr{}\mo{}\dy{}}}".format(*numbers) if len(numbers) == 3 else ""
    return make_rtf(
        "".join(rf"{rtf_text(part)}\par " for part in paragraphs(document)),
        info=rf"{{\title {rtf_text(document.title)}}}{made}",
    )


class Stated(TypedDict):
    """The metadata of office files."""

    title: str
    created: str


def stated(document: Document) -> Stated:
    """The metadata of a document as an office file states them."""
    return {"title": document.title, "created": f"{day_of(document)}T10:00:00Z" if day_of(document) else ""}


FORMATS: Mapping[str, Callable[[Document], bytes]] = {
    "md": as_markdown,
    "html": as_html,
    "docx": lambda document: make_docx([("", part) for part in paragraphs(document)], **stated(document)),
    "odt": lambda document: make_odt([("", part) for part in paragraphs(document)], **stated(document)),
    "rtf": as_rtf,
    "epub": lambda document: make_epub(
        ["".join(f"<p>{escape(part)}</p>" for part in paragraphs(document))],
        title=document.title,
        dates=f"<dc:date>{day_of(document)}</dc:date>" if day_of(document) else "",
    ),
    "eml": as_eml,
    "mbox": lambda document: b"From x Mon May  4 10:00:00 2015\n" + as_eml(document) + b"\n",
    "jsonl": lambda document: json.dumps(as_record(document)).encode(),
    "parquet": as_parquet,
    "zip (of md)": lambda document: zipped({"x.md": as_markdown(document)}),
}


def tables(path: Path) -> Iterator[tuple[str, str]]:
    """The number of a table's facts that are read again from other table formats."""
    (wanted,) = items(SourceFile(path, path.name))
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    letters = "ABCDEFGHIJKLMNOP"
    sheet = "".join(
        row(number, *(cell(f"{letters[i]}{number}", value) for i, value in enumerate(values) if value))
        for number, values in enumerate(rows, start=1)
    )
    stream = io.BytesIO()
    parquet.write_table(pa.table({name: [r[i] for r in rows[1:]] for i, name in enumerate(rows[0])}), stream)
    for name, content in (("xlsx", make_xlsx({"A": sheet})), ("parquet", stream.getvalue())):
        with tempfile.TemporaryDirectory() as folder:
            file_path = Path(folder, f"employees.{name}")
            file_path.write_bytes(content)
            (found,) = items(SourceFile(file_path, file_path.name))
        yield name, share(len(set(wanted.facts) & set(found.facts)), len(set(wanted.facts)))


if __name__ == "__main__":
    main()
