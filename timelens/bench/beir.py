"""The suite ``beir``: any folder in the BEIR layout (Thakur et al. 2021), with optional fields for scoring.

Each record of ``corpus.jsonl`` is a document of its own, its id the record's ``_id``. Passages of one page
(``metadata.part_of``) are read one by one: no anchor runs from one to the next.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
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
from timelens.documents import Document
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
    documents = [_document(record, corpus) for record in passages]
    qrels = _qrels(judgements)
    records = list(read_records(queries, "_id", "text"))
    asked = tuple(
        Query(record["_id"], record["text"], as_of(record, f"{queries} {record['_id']}"))
        for record in records
    )
    for path, ids in ((corpus, [item.id for item in documents]), (queries, [item.id for item in asked])):
        if not ids:
            raise BadInputError(f"{path} holds no record", f"a folder holds {LAYOUT}")
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise BadInputError(f"{path} has the _id {twice} twice", "give every record its own")

    def ingest(into: Corpus, on_progress: Callable[[IngestProgress], None]) -> IngestReport:
        return into.ingest_documents(documents, on_progress=on_progress)

    return Dataset(
        queries=asked,
        gold={record["_id"]: _gold(record, qrels.get(record["_id"], {})) for record in records},
        ingest=ingest,
        documents_hash=hash_of([corpus], folder),
        hash=hash_of([corpus, queries, judgements], folder),
        texts={document.id: f"{document.title}\n{document.text}" for document in documents},
        notes=_notes(passages, documents),
    )


def _document(record: Record, path: Path) -> Document:
    title = record["title"] if is_text(record.get("title")) else ""
    text = record["text"] if is_text(record.get("text")) else title
    line = json.dumps(record, sort_keys=True)
    return Document(
        id=record["_id"],
        uri=path.resolve().as_posix(),
        title=title,
        text=text,
        content_hash=hashlib.sha256(line.encode()).hexdigest(),
        published=_published(_metadata(record)),
        published_source="record field",
    )


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


def _notes(records: Sequence[Record], documents: Sequence[Document]) -> tuple[str, ...]:
    misdated = sum(
        any(is_text(_metadata(record).get(name)) for name in _DATES) and document.published is None
        for record, document in zip(records, documents, strict=True)
    )
    return (f"{misdated} documents state a date that is none; they are taken without it",) if misdated else ()


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
