"""The tables of a corpus and their indexes, as data. Opens nothing."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

import pyarrow as pa

from timelens.embedding import EmbedderIdentity

SCHEMA_VERSION = 5
READABLE = (3, 4, SCHEMA_VERSION)
"""Formats that can be read. The first run that writes converts to the current one.

Format 3 has no checksums; before 5, rows of tables have no names of their date columns.
"""

DOCUMENTS = "documents"
CHUNKS = "chunks"

SCALAR_INDEXES = ("start", "end", "document_id")
"""Columns of ``chunks`` that filters compare."""
TEXT_INDEX = "content"
"""Column of ``chunks`` that keyword search reads: title and text."""

# Unbounded sides of an envelope are numbers far outside any date, so that the filter needs two comparisons.
UNBOUNDED_PAST = -(2**62)
UNBOUNDED_FUTURE = 2**62

_METADATA_KEY = b"timelens"

_PUBLISHED = [
    pa.field("published_start", pa.int64()),
    pa.field("published_end", pa.int64()),
    pa.field("published_granularity", pa.string()),
]

_EVENT = pa.struct(
    [
        pa.field("start", pa.int64()),
        pa.field("end", pa.int64()),
        pa.field("granularity", pa.string()),
        pa.field("sentence", pa.int32()),
        pa.field("source", pa.string()),
        pa.field("confidence", pa.float32()),
    ]
)

_FACT = pa.struct(
    [
        pa.field(
            "fields", pa.list_(pa.struct([pa.field("name", pa.string()), pa.field("value", pa.string())]))
        ),
        pa.field("start", pa.int64()),
        pa.field("end", pa.int64()),
        pa.field("granularity", pa.string()),
        pa.field("start_name", pa.string()),
        pa.field("end_name", pa.string()),
    ]
)

DOCUMENTS_SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("uri", pa.string()),
        pa.field("title", pa.string()),
        *_PUBLISHED,
        pa.field("published_source", pa.string()),
        pa.field("abstract", pa.string()),
        pa.field("content_hash", pa.string()),
        pa.field("chunks", pa.int32()),
        pa.field("events", pa.int32()),
        pa.field("checksum", pa.string()),
    ]
)
"""``checksum`` covers a document's row and its chunks; null until a run has computed it."""


@dataclass(frozen=True, slots=True)
class StoreMetadata:
    """Format and embedder of a corpus, kept in its schema."""

    schema_version: int
    embedder: EmbedderIdentity

    def to_arrow(self) -> dict[bytes, bytes]:
        """As metadata of an Arrow schema."""
        return {_METADATA_KEY: json.dumps(asdict(self)).encode()}

    @classmethod
    def from_arrow(cls, metadata: dict[bytes, bytes] | None) -> Self:
        """The inverse of :meth:`to_arrow`; for an unsupported format only the version is read.

        Raises:
            ValueError: the table was not made by timelens.
        """
        raw: dict[str, Any] = json.loads((metadata or {}).get(_METADATA_KEY, b"{}"))
        if "schema_version" not in raw:
            raise ValueError("not a table of timelens")
        if raw["schema_version"] not in READABLE:
            return cls(raw["schema_version"], EmbedderIdentity("unknown", 0, ""))
        return cls(raw["schema_version"], EmbedderIdentity(**raw["embedder"]))


def chunks_schema(metadata: StoreMetadata) -> pa.Schema:
    """The schema of ``chunks``: one row per chunk, with its events and the vectors of its sentences."""
    dimension = metadata.embedder.dimension
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("document_id", pa.string(), nullable=False),
            pa.field("ordinal", pa.int32()),
            pa.field("uri", pa.string()),
            pa.field("title", pa.string()),
            pa.field("text", pa.string()),
            pa.field(TEXT_INDEX, pa.string()),
            *_PUBLISHED,
            pa.field("start", pa.int64()),
            pa.field("end", pa.int64()),
            pa.field("sentences", pa.list_(pa.struct([("start", pa.int32()), ("end", pa.int32())]))),
            pa.field("events", pa.list_(_EVENT)),
            pa.field("fact", _FACT),
            pa.field("places", pa.list_(pa.struct([("sentence", pa.int32()), ("place", pa.string())]))),
            pa.field("words", pa.list_(pa.list_(pa.uint32()))),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
            pa.field("sentence_vectors", pa.list_(pa.list_(pa.float16(), dimension))),
        ],
        metadata=metadata.to_arrow(),
    )
