"""A corpus of format 3: no checksums, no list of files, and rows without the names of their date columns."""

from collections.abc import Sequence
from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.index import FTS, BTree

from timelens.embedding import EmbedderIdentity, concatenate
from timelens.store.rows import EmbeddedDocument, chunk_table, document_table
from timelens.store.schema import (
    CHUNKS,
    DOCUMENTS,
    DOCUMENTS_SCHEMA,
    SCALAR_INDEXES,
    TEXT_INDEX,
    StoreMetadata,
    chunks_schema,
)

VERSION = 3


def write_version_3(path: Path, embedder: EmbedderIdentity, documents: Sequence[EmbeddedDocument]) -> None:
    """Make one, with these documents."""
    path.mkdir(parents=True)
    database = lancedb.connect(path)
    schema = _without_date_names(chunks_schema(StoreMetadata(VERSION, embedder)))
    rows = chunk_table(
        [chunk for item in documents for chunk in item.chunks],
        concatenate([item.vectors for item in documents]),
        schema,
    )
    plain = pa.schema([field for field in DOCUMENTS_SCHEMA if field.name != "checksum"])
    stored = document_table(documents, rows).select(plain.names)
    database.create_table(DOCUMENTS, schema=plain).add(stored)
    chunks = database.create_table(CHUNKS, schema=schema)
    chunks.add(rows)
    for column in SCALAR_INDEXES:
        chunks.create_index(column, config=BTree())
    chunks.create_index(TEXT_INDEX, config=FTS())


def _without_date_names(schema: pa.Schema) -> pa.Schema:
    at = schema.get_field_index("fact")
    kept = [field for field in schema.field(at).type if field.name not in ("start_name", "end_name")]
    return schema.set(at, pa.field("fact", pa.struct(kept)))
