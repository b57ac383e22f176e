"""Opens, makes and indexes tables of LanceDB."""

import os
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING

import pyarrow as pa

from timelens.store.lazy_import import load_on_demand
from timelens.store.location import Address, Location
from timelens.store.schema import SCALAR_INDEXES, TEXT_INDEX
from timelens.store.vector_index import VECTOR, make_vector_index

if TYPE_CHECKING:
    import lancedb
    from lancedb.table import LanceTable


_METADATA_CACHE = 8 * 2**20
_INDEX_CACHE = 32 * 2**20
"""Bytes of the caches of a connection that writes."""


def connect(path: Location, *, for_writing: bool = False) -> "lancedb.DBConnection":
    """The tables in a folder, or at an address.

    ``for_writing``: caches are small. LanceDB caches what describes each version, and a run that writes makes
    many versions, of more and more fragments, to which nobody goes back.
    """
    os.environ.setdefault(
        "LANCEDB_LOG", "error"
    )  # its warnings go to the file descriptor that the chat draws on
    load_on_demand("lance_namespace_urllib3_client")  # for a service; half of LanceDB's import time
    import lancedb

    session = lancedb.Session(_INDEX_CACHE, _METADATA_CACHE) if for_writing else None
    if isinstance(path, Address):
        return lancedb.connect(
            path.url,
            read_consistency_interval=timedelta(0),
            storage_options=dict(path.options),
            session=session,
        )
    return lancedb.connect(path, read_consistency_interval=timedelta(0), session=session)


def open_made(database: "lancedb.DBConnection", name: str) -> "LanceTable | None":
    """A table, or ``None`` if it has no commit.

    A table without a commit may still be listed, because in an object store one object is enough for that. It
    is being made right now, or its maker was killed.
    """
    try:
        return database.open_table(name)
    except ValueError as error:
        if "was not found" not in str(error):
            raise
        return None


def create_filled(
    path: Location, name: str, schema: pa.Schema, batches: Iterator[pa.RecordBatch]
) -> "LanceTable":
    """Make a table with these rows in one commit; it replaces an existing one."""
    # LanceDB reads the first batch on the thread that its own queries wait for
    peeked = list(islice(batches, 1))
    rows = pa.RecordBatchReader.from_batches(schema, chain(peeked, batches)) if peeked else None
    return connect(path, for_writing=True).create_table(name, rows, schema, mode="overwrite")


def put_rows(table: "LanceTable", rows: pa.Table, key: str, replaced: str, *, alone: bool) -> None:
    """Put rows in place of those that a filter admits, in one commit; a row has the ``key`` of one of these.

    Where the filter admits none they are added: to find what they replace LanceDB reads the keys of all rows,
    in memory that grows with the table. Only who writes ``alone`` may add: of two that write the same rows at
    once a merge refuses one, an addition none.
    """
    if alone and not table.count_rows(replaced):
        table.add(rows)
        return
    (
        table.merge_insert(key)
        .when_matched_update_all()
        .when_not_matched_insert_all()
        .when_not_matched_by_source_delete(replaced)
        .execute(rows)
    )


def create_indexes(chunks: "LanceTable", *, anew: bool = False) -> None:
    """Make the missing indexes; with ``anew``, make all indexes."""
    from lancedb.index import FTS, BTree

    there = set() if anew else {column for index in chunks.list_indices() for column in index.columns}
    for column in SCALAR_INDEXES:
        if column not in there:
            chunks.create_index(column, config=BTree())
    if TEXT_INDEX not in there:
        chunks.create_index(TEXT_INDEX, config=FTS())
    if VECTOR not in there:
        make_vector_index(chunks)
