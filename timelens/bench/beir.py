"""The suite ``beir``: any folder in the BEIR layout (Thakur et al. 2021), with optional fields for scoring.

Each record of ``corpus.jsonl`` is a document, its id the record's ``_id``. Passages of one page
(``metadata.part_of``) are parts of one document in the order of ``metadata.position``, under headings from
``metadata.section``; they are found and judged one by one.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from timelens.api import Corpus
from timelens.bench.data import (
    Dataset,
    Gold,
    Query,
    Record,
    as_of,
    hash_of,
    is_text,
    read_records,
    read_text,
    require,
    strings,
)
from timelens.documents import Document, Part
from timelens.errors import BadInputError
from timelens.ingest.dates import parse_date
from timelens.ingest.pipeline import IngestProgress, IngestReport
from timelens.temporal.interval import Interval, hull

LAYOUT = "corpus.jsonl, queries.jsonl and qrels/test.tsv (the BEIR layout)"
_DATES = ("date", "published", "period_start", "period_end")
_FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")


def load(folder: Path) -> Dataset:
    """Read a BEIR folder.

    Raises:
        MissingError: the folder or one of its files is not there.
        BadInputError: a file is not what its name says, or an id stands twice.
    """
    require(folder, *_FILES, layout=LAYOUT)
    corpus, queries, judgements = (folder / name for name in _FILES)
    passages = list(read_records(corpus, "_id"))
    pages = list(_pages(passages, corpus))
    qrels = _qrels(judgements)
    records = list(read_records(queries, "_id", "text"))
    asked = tuple(
        Query(record["_id"], record["text"], as_of(record, f"{queries} {record['_id']}"))
        for record in records
    )
    for path, ids in ((corpus, [item["_id"] for item in passages]), (queries, [item.id for item in asked])):
        if not ids:
            raise BadInputError(f"{path} holds no record", f"a folder holds {LAYOUT}")
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise BadInputError(f"{path} has the _id {twice} twice", "give every record its own")

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest_documents(pages, on_progress=on_progress)

    return Dataset(
        queries=asked,
        gold={record["_id"]: _gold(record, qrels.get(record["_id"], {})) for record in records},
        ingest=ingest,
        documents_hash=hash_of([corpus], folder),
        hash=hash_of([corpus, queries, judgements], folder),
        texts={item["_id"]: f"{_title(item)}\n{_text(item)}" for item in passages},
        notes=_notes(passages),
    )


def documents(folder: Path) -> list[Document]:
    """The documents of a BEIR folder alone; errors as of :func:`load`."""
    require(folder, _FILES[0], layout=LAYOUT)
    return list(_pages(list(read_records(folder / _FILES[0], "_id")), folder / _FILES[0]))


def _pages(records: Sequence[Record], path: Path) -> Iterator[Document]:
    """The documents: each record one, or all passages of a page together in their order."""
    pages: dict[str, list[Record]] = {}
    for record in records:
        page = _stated(record, "part_of") or str(record["_id"])
        pages.setdefault(page, []).append(record)
    for name, passages in pages.items():
        alone = len(passages) == 1 and passages[0]["_id"] == name
        yield _document(passages[0], path) if alone else _page(name, passages, path)


def _page(name: str, passages: Sequence[Record], path: Path) -> Document:
    """Passages as one document, so that a date in one holds for what follows it in the next."""
    text = ""
    parts = []
    for record in sorted(passages, key=_position):
        parts.append(Part(record["_id"], len(text), _stated(record, "section")))
        text += f"{_text(record)}\n\n"
    dates = (_published(_metadata(record)) for record in passages)
    return Document(
        id=name,
        uri=path.resolve().as_posix(),
        title=next((title for record in passages if (title := _title(record))), ""),
        text=text,
        content_hash=_hash(passages),
        published=next((date for date in dates if date is not None), None),
        published_source="record field",
        parts=tuple(parts),
    )


def _document(record: Record, path: Path) -> Document:
    return Document(
        id=record["_id"],
        uri=path.resolve().as_posix(),
        title=_title(record),
        text=_text(record),
        content_hash=_hash([record]),
        published=_published(_metadata(record)),
        published_source="record field",
    )


def _stated(record: Record, name: str) -> str:
    """A text of the metadata, empty where there is none."""
    value = _metadata(record).get(name)
    return value if isinstance(value, str) else ""


def _title(record: Record) -> str:
    return record["title"] if is_text(record.get("title")) else ""


def _text(record: Record) -> str:
    """The text of a record; its title where it has no other."""
    return record["text"] if is_text(record.get("text")) else _title(record)


def _position(record: Record) -> float:
    position = _metadata(record).get("position")
    return position if isinstance(position, int | float) else float("inf")


def _hash(records: Sequence[Record]) -> str:
    return hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()


def _published(metadata: Record) -> Interval | None:
    """``date``, else ``published``, else the period that the record speaks of; ``None`` if none is a date."""
    try:
        for name in ("date", "published"):
            if is_text(metadata.get(name)):
                return parse_date(metadata[name])
        ends = [metadata[name] for name in ("period_start", "period_end") if is_text(metadata.get(name))]
        return hull(interval for end in ends if (interval := parse_date(end)) is not None)
    except ValueError:
        return None


def _notes(records: Iterable[Record]) -> tuple[str, ...]:
    misdated = sum(
        any(is_text(metadata.get(name)) for name in _DATES) and _published(metadata) is None
        for metadata in map(_metadata, records)
    )
    return (f"{misdated} records state a date that is none; they are taken without it",) if misdated else ()


def _metadata(record: Record) -> Record:
    metadata = record.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _gold(record: Record, relevant: dict[str, int]) -> Gold:
    unanswerable = record.get("unanswerable")
    return Gold(
        relevant=relevant,
        answers=strings(record.get("answers")),
        unanswerable=unanswerable if isinstance(unanswerable, bool) else None,
        choices=strings(record.get("choices")),
        kind=record["kind"] if is_text(record.get("kind")) else None,
    )


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    """Judgements by query: tab-separated query-id, corpus-id and score, with or without a header."""
    qrels: dict[str, dict[str, int]] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[-1].strip() == "score"):
            continue
        try:
            query, document, grade = cells
            qrels.setdefault(query, {})[document] = int(grade)
        except ValueError as error:
            raise BadInputError(
                f"{path} line {number} is no judgement", "write query-id, corpus-id and score between tabs"
            ) from error
    return qrels
