"""Conversion between dataclasses and Arrow rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from timelens.documents import Chunk, Document, Event, Fact
from timelens.embedding import EncodedDocuments, Vectors
from timelens.store.arrays import EventLists
from timelens.store.checksums import Sums
from timelens.store.schema import DOCUMENTS_SCHEMA, UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words, word_id

_VECTORS = ("vector", "sentence_vectors")
TEXT_COLUMNS = (
    "id document_id ordinal uri title text published_start published_end published_granularity sentences "
    "fact places"
).split()
"""Columns that a :class:`Chunk` is made from, except its events."""
CHUNK_COLUMNS = [*TEXT_COLUMNS, "events"]
"""All columns that a :class:`Chunk` is made from."""


FACT_COLUMNS = ("id", "document_id", "uri", "ordinal", "fact")
"""Columns that a :class:`StoredTable` is made from."""


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """A document ready to be stored, with its chunks and the vectors of chunks and sentences."""

    document: Document
    chunks: tuple[Chunk, ...]
    vectors: EncodedDocuments


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk found by a search, with its vectors and its score."""

    chunk: Chunk
    vector: Vectors
    sentence_vectors: NDArray[np.float16]
    score: float
    """Cosine similarity or BM25, depending on the search."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A stored document: its row, and all its chunks in order."""

    id: str
    uri: str
    title: str
    published: Interval | None
    """The day of the document; its entries may have others (:attr:`timelens.documents.Chunk.published`)."""
    published_source: str | None
    """Source of that day, such as "front matter" or "file name"."""
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """The facts of a document that have the same columns, in the order of the document."""

    document_id: str
    uri: str
    columns: tuple[str, ...]
    facts: tuple[Fact, ...]
    chunk_ids: tuple[str, ...]
    """The id of each fact's chunk."""


def tables_of(rows: Iterable[dict[str, Any]]) -> list[StoredTable]:
    """The tables made of rows with at least :data:`FACT_COLUMNS`, sorted by document."""
    found: dict[tuple[str, str, tuple[str, ...]], list[tuple[int, str, Fact]]] = {}
    for row in rows:
        if row["fact"]:
            fact = _fact(row["fact"])
            key = row["document_id"], row["uri"], tuple(name for name, _ in fact.fields)
            found.setdefault(key, []).append((row["ordinal"], row["id"], fact))
    tables = []
    for key in sorted(found):
        of_table = sorted(found[key], key=lambda each: each[0])
        facts, ids = tuple(fact for _, _, fact in of_table), tuple(name for _, name, _ in of_table)
        tables.append(StoredTable(*key, facts, ids))
    return tables


def document_table(documents: Sequence[EmbeddedDocument], chunks: pa.Table) -> pa.Table:
    """Rows of the ``documents`` table; ``chunks`` are the rows of their chunks."""
    rows = pa.Table.from_pylist(
        [
            {
                "id": item.document.id,
                "uri": item.document.uri,
                "title": item.document.title,
                **_published_columns(item.document.published),
                "published_source": item.document.published_source,
                "abstract": item.document.abstract,
                "content_hash": item.document.content_hash,
                "chunks": len(item.chunks),
                "events": sum(len(chunk.events) for chunk in item.chunks),
            }
            for item in documents
        ],
        schema=DOCUMENTS_SCHEMA,
    )
    sums = Sums()
    sums.add(chunks)
    position = rows.schema.get_field_index("checksum")
    return rows.set_column(position, rows.schema.field(position), [sums.checksums(rows)])


def chunk_table(chunks: Sequence[Chunk], vectors: EncodedDocuments, schema: pa.Schema) -> pa.Table:
    """Rows of the ``chunks`` table; the spans of ``vectors`` are the chunks' sentences."""
    plain = pa.schema([field for field in schema if field.name not in _VECTORS])
    table = pa.Table.from_pylist([_chunk_row(chunk) for chunk in chunks], schema=plain)
    dimension = schema.field("vector").type.list_size
    edges = np.cumsum([0, *(len(rows) for rows in vectors.spans)]).astype(np.int32)
    sentences = np.vstack([np.zeros((0, dimension), np.float32), *vectors.spans]).astype(np.float16)
    nested = pa.ListArray.from_arrays(pa.array(edges), _fixed_size_lists(sentences))
    table = table.append_column(schema.field("vector"), _fixed_size_lists(vectors.vectors))
    return table.append_column(schema.field("sentence_vectors"), nested).cast(schema)


def shaped(rows: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The rows in another schema; missing columns, and missing fields of a fact, are null."""
    columns = []
    for field in schema:
        if field.name not in rows.schema.names:
            columns.append(pa.nulls(rows.num_rows, field.type))
        elif pa.types.is_struct(field.type):
            columns.append(_shaped_struct(rows[field.name], field.type))
        else:
            columns.append(rows[field.name].cast(field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _shaped_struct(values: pa.StructArray, kind: pa.StructType) -> pa.StructArray:
    """Structs of another type; missing fields are null."""
    had = {field.name for field in values.type}
    parts = [
        values.field(field.name).cast(field.type) if field.name in had else pa.nulls(len(values), field.type)
        for field in kind
    ]
    return pa.StructArray.from_arrays(parts, fields=list(kind), mask=values.is_null())


def stored_document(row: dict[str, Any], chunks: pa.Table) -> StoredDocument:
    """A document from its row, and from rows of chunks with :data:`CHUNK_COLUMNS` in any order."""
    return StoredDocument(
        row["id"],
        row["uri"],
        row["title"] or "",
        _published(row),
        row["published_source"],
        tuple(sorted(chunks_of(chunks), key=lambda chunk: chunk.ordinal)),
    )


def chunks_of(table: pa.Table) -> list[Chunk]:
    """Chunks from rows with :data:`CHUNK_COLUMNS`."""
    return dated_chunks(table, map(EventLists.read(table).of, range(table.num_rows)))


def dated_chunks(table: pa.Table, events: Iterable[tuple[Event, ...]]) -> list[Chunk]:
    """Chunks from rows that have at least :data:`TEXT_COLUMNS`, and from the events of each."""
    rows = table.select(TEXT_COLUMNS).to_pylist()
    return [_chunk(row, some) for row, some in zip(rows, events, strict=True)]


def _fixed_size_lists(matrix: NDArray[Any]) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1])


def _published_columns(published: Interval | None) -> dict[str, Any]:
    return {
        "published_start": published.start if published else None,
        "published_end": published.end if published else None,
        "published_granularity": str(published.granularity) if published else None,
    }


def _chunk_row(chunk: Chunk) -> dict[str, Any]:
    envelope = chunk.envelope
    start = end = None
    if envelope is not None:
        start = UNBOUNDED_PAST if envelope.start is None else envelope.start
        end = UNBOUNDED_FUTURE if envelope.end is None else envelope.end
    return {
        "id": chunk.id,
        "document_id": chunk.document_id,
        "ordinal": chunk.ordinal,
        "uri": chunk.uri,
        "title": chunk.title,
        "text": chunk.text,
        "content": chunk.content,
        **_published_columns(chunk.published),
        "start": start,
        "end": end,
        "sentences": [{"start": start, "end": end} for start, end in chunk.sentences],
        "events": [
            {
                "start": event.interval.start,
                "end": event.interval.end,
                "granularity": str(event.interval.granularity),
                "sentence": event.sentence,
                "source": str(event.source),
                "confidence": event.confidence,
            }
            for event in chunk.events
        ],
        "fact": _fact_row(chunk.fact) if chunk.fact else None,
        "places": [{"sentence": sentence, "place": place} for sentence, place in chunk.places],
        "words": [
            sorted(word_id(word) for word in topic_words(chunk.sentence(index)))
            for index in range(len(chunk.sentences))
        ],
    }


def _fact_row(fact: Fact) -> dict[str, Any]:
    return {
        "fields": [{"name": name, "value": value} for name, value in fact.fields],
        "start": fact.start,
        "end": fact.end,
        "granularity": str(fact.granularity),
        "start_name": fact.date_names[0],
        "end_name": fact.date_names[1],
    }


def _published(row: dict[str, Any]) -> Interval | None:
    granularity = row["published_granularity"]
    if not granularity:
        return None
    return Interval(row["published_start"], row["published_end"], Granularity(granularity))


def _chunk(row: dict[str, Any], events: tuple[Event, ...]) -> Chunk:
    return Chunk(
        id=row["id"],
        document_id=row["document_id"],
        ordinal=row["ordinal"],
        uri=row["uri"],
        title=row["title"],
        text=row["text"],
        published=_published(row),
        sentences=tuple((span["start"], span["end"]) for span in row["sentences"]),
        events=events,
        fact=_fact(row["fact"]) if row["fact"] else None,
        places=tuple((mark["sentence"], mark["place"]) for mark in row["places"]),
    )


def _fact(row: dict[str, Any]) -> Fact:
    return Fact(
        fields=tuple((field["name"], field["value"]) for field in row["fields"]),
        start=row["start"],
        end=row["end"],
        granularity=Granularity(row["granularity"]),
        date_names=(row.get("start_name") or "", row.get("end_name") or ""),
    )
