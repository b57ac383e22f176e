"""Repair: makes a new corpus from the good rows of a damaged one, beside it, and replaces it."""

import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from timelens.embedding import EmbedderIdentity
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import ASIDE, REPAIRED, REPLACED
from timelens.store.database import create_filled
from timelens.store.file_list import LIST
from timelens.store.inspection import RawTable
from timelens.store.lance_errors import store_errors
from timelens.store.rows import shaped
from timelens.store.schema import (
    CHUNKS,
    DOCUMENTS,
    DOCUMENTS_SCHEMA,
    SCHEMA_VERSION,
    StoreMetadata,
    chunks_schema,
)

_OF_DOCUMENT = "uri title published_start published_end published_granularity".split()
"""Columns of a chunk that describe its document."""


def made_aside(
    path: Path, embedder: EmbedderIdentity, left_out: Collection[str], rowless: Collection[str]
) -> CorpusStore:
    """Make a corpus inside the folder of a damaged one, with unchanged rows of its documents.

    Args:
        path: the damaged corpus.
        embedder: the embedder of its vectors.
        left_out: ids of documents to leave out.
        rowless: ids of documents to keep of which only chunks are left.
    """
    aside = path / ASIDE
    with store_errors(path):
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(mode=0o700)
        documents, chunks = RawTable.opened(path, DOCUMENTS), RawTable.opened(path, CHUNKS)
        schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, embedder))
        create_filled(aside, CHUNKS, schema, _shaped(_without(chunks, "document_id", left_out), schema))
        made = _rows_made(_of(chunks, rowless)) if rowless else ()
        rows = chain(_without(documents, "id", left_out), made)
        create_filled(aside, DOCUMENTS, DOCUMENTS_SCHEMA, _shaped(rows, DOCUMENTS_SCHEMA))
    return CorpusStore(aside)


def install(path: Path) -> None:
    """Replace the damaged corpus with the one made by :func:`made_aside`.

    If this is interrupted, only :func:`finish` can complete it.
    """
    with store_errors(path):
        (path / ASIDE).rename(path / REPAIRED)


def finish(path: Path) -> None:
    """Finish an interrupted exchange of tables, and delete an unfinished repair."""
    with store_errors(path):
        repaired, replaced = path / REPAIRED, path / REPLACED
        shutil.rmtree(path / ASIDE, ignore_errors=True)
        if repaired.exists():
            replaced.mkdir(exist_ok=True)
            for table in sorted(repaired.glob("*.lance")):
                if (path / table.name).exists():
                    (path / table.name).rename(replaced / table.name)
                table.rename(path / table.name)
            if (repaired / LIST).exists():
                (repaired / LIST).replace(path / LIST)
            shutil.rmtree(repaired)
        shutil.rmtree(replaced, ignore_errors=True)


def _without(table: RawTable, column: str, ids: Collection[str]) -> Iterator[pa.Table]:
    """The rows of all documents except those with ``ids``."""
    unwanted = pa.array(sorted(ids), pa.string())
    for rows in table.rows():
        is_wanted = pc.invert(pc.is_in(rows[column], unwanted))
        yield rows.filter(pc.and_(pc.is_valid(rows[column]), is_wanted))


def _of(chunks: RawTable, ids: Collection[str]) -> Iterator[pa.Table]:
    """The chunks of the documents with ``ids``."""
    wanted = pa.array(sorted(ids), pa.string())
    for rows in chunks.rows():
        yield rows.filter(pc.is_in(rows["document_id"], wanted))


def _shaped(parts: Iterable[pa.Table], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows in another schema; missing columns are null."""
    for rows in parts:
        yield from (shaped(batch, schema) for batch in rows.to_batches())


def _rows_made(parts: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """New rows of documents of which only chunks are left. Their checksums are empty, so no check passes."""
    known: dict[str, dict[str, Any]] = {}
    chunks: Counter[str] = Counter()
    for rows in parts:
        chunks.update(rows["document_id"].to_pylist())
        for row in rows.select(["document_id", *_OF_DOCUMENT]).to_pylist():
            known.setdefault(row.pop("document_id"), row)
    rows = [{"id": name, "chunks": chunks[name], "checksum": "", **row} for name, row in known.items()]
    if rows:
        yield pa.Table.from_pylist(rows, schema=DOCUMENTS_SCHEMA)
