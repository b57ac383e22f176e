"""The two tables of a corpus: made, dropped, compacted, and kept consistent with each other.

The functions work on open tables. Locks, turns and errors are the caller's (:mod:`timelens.store.corpus`).
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from timelens.embedding import EmbedderIdentity
from timelens.store.checksums import Sums
from timelens.store.corpus_folder import ASIDE, CREATE_LOCK, REPAIRED, WRITE_LOCK, tables_at
from timelens.store.database import connect, create_indexes
from timelens.store.file_list import LIST
from timelens.store.location import Address, Location
from timelens.store.schema import (
    CHUNKS,
    DOCUMENTS,
    DOCUMENTS_SCHEMA,
    SCHEMA_VERSION,
    StoreMetadata,
    chunks_schema,
)
from timelens.store.view import in_list
from timelens.store.write_lease import WRITER

if TYPE_CHECKING:
    from lancedb.table import Table

UNFINISHED = ""
"""Content hash of a document while its chunks are being replaced."""
_ROWS_AT_ONCE = 256
_NO_TEXT = "cast(null as string)"
_NO_AGE = timedelta(milliseconds=1)


def make_tables(path: Location, embedder: EmbedderIdentity) -> None:
    """Make the tables of an empty corpus; ``chunks`` comes last.

    Raises:
        ValueError: there are documents without chunks.
    """
    database = connect(path)
    documents = database.create_table(DOCUMENTS, schema=DOCUMENTS_SCHEMA, exist_ok=True)
    if documents.count_rows():
        raise ValueError("its passages are gone")
    schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, embedder))
    create_indexes(database.create_table(CHUNKS, schema=schema, exist_ok=True))


def drop_tables(path: Location) -> None:
    """Delete the tables and everything that belongs to them, and the folder if nothing else is in it."""
    if isinstance(path, Address):
        database = connect(path)
        for table in [one for one in (CHUNKS, DOCUMENTS, WRITER) if one in tables_at(path)]:
            database.drop_table(table)
        return
    for folder in (f"{CHUNKS}.lance", f"{DOCUMENTS}.lance", ASIDE, REPAIRED):
        shutil.rmtree(path / folder, ignore_errors=True)
    for file in (LIST, CREATE_LOCK, WRITE_LOCK):
        (path / file).unlink(missing_ok=True)
    if not any(path.iterdir()):
        path.rmdir()


def compact_tables(path: Location, tables: "Sequence[Table]", patience: float) -> None:
    """Delete old versions and files once the newest version is ``patience`` seconds old."""
    if isinstance(path, Address):
        time.sleep(patience)
        for table in tables:
            table.optimize(cleanup_older_than=_NO_AGE)
        return
    newest = max(file.stat().st_mtime for file in path.glob("*.lance/_versions/*"))
    time.sleep(min(max(newest + patience - time.time(), 0), patience))
    for table in tables:
        table.optimize(cleanup_older_than=_NO_AGE, delete_unverified=True)
    for unfinished in path.glob("*.lance/**/.tmp*"):
        unfinished.unlink()


def version_of(path: Location, chunks: "Table") -> object:
    """A value that changes whenever the current version of the chunks changes."""
    if isinstance(path, Address):
        return chunks.version
    versions = path / f"{CHUNKS}.lance" / "_versions"
    return versions.stat().st_mtime_ns, frozenset(one.name for one in versions.iterdir())


def batches(table: "Table") -> Iterator[pa.RecordBatch]:
    """All rows of a table."""
    yield from table.search().to_batches(batch_size=_ROWS_AT_ONCE)


def drop_orphans(documents: "Table", chunks: "Table") -> None:
    """Delete the chunks that an interrupted write left without a document."""
    rows = documents.search().select(["id", "chunks", "content_hash"]).to_arrow()
    unfinished = pc.any(pc.equal(rows["content_hash"], UNFINISHED)).as_py()
    if unfinished or chunks.count_rows() != (pc.sum(rows["chunks"]).as_py() or 0):
        owners = chunks.search().select(["document_id"]).to_arrow()["document_id"].unique()
        orphans = set(owners.to_pylist()) - set(rows["id"].to_pylist())
        if orphans:
            chunks.delete(in_list("document_id", sorted(orphans)))


def clear_checksums(documents: "Table") -> None:
    """Leave all documents without a checksum, in one commit."""
    if "checksum" in documents.schema.names:
        documents.update(values_sql={"checksum": _NO_TEXT})
    else:
        documents.add_columns({"checksum": _NO_TEXT})


def set_checksums(documents: "Table", sums: Sums) -> None:
    """Set the checksums of documents that have none, in one commit."""
    ids, checksums = [], []
    for batch in documents.search().where("checksum IS NULL").to_batches(batch_size=_ROWS_AT_ONCE):
        ids += batch["id"].to_pylist()
        checksums += sums.checksums(batch)
    if ids:
        rows = pa.table({"id": ids, "checksum": checksums})
        documents.merge_insert("id").when_matched_update_all().execute(rows)
