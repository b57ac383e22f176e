"""Parquet: a table, read like CSV; with a column of texts, one record per row, like JSON Lines."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from timelens.documents import Document
from timelens.errors import BadInputError, on_one_line
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.reader_tools import make_document, require_filled
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import cell_text, read_rows
from timelens.ingest.text_records import TEXT_KEYS, record_document

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

_MOST_ROWS = 2_000_000
_MOST_TEXT = 512 * 2**20  # letters of all cells of a table
_LARGEST_GROUP = 2 * 2**30  # bytes of a group of rows, unpacked
_LARGEST_BATCH = 256 * 2**20  # bytes in memory at once
_ROWS_AT_ONCE = 1_024
_LARGEST_FOOTER = 64 * 2**20  # bytes of the description of the columns
_SPLIT = "split it into smaller files"


def read_parquet(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a table with typed columns, in batches of rows. Binary columns are left out."""
    file = _opened(source)
    try:
        binary, names = _columns(file)
        if binary:
            said = f"columns of bytes are left out: {some_of(binary)}"
            yield Failure(source.id, said, "store them as text to have them read", partial=True)
        dated = columns.start is not None or columns.end is not None
        if not dated and any(name in TEXT_KEYS for name in names):
            for number, row in _records(file, names):
                hashed = hashlib.sha256(repr(row).encode(errors="replace")).hexdigest()
                yield from record_document(source, f"row {number}", number, row, hashed, cited=True)
            return
        rows = [(number, [cell_text(row[name]) for name in names]) for number, row in _records(file, names)]
    finally:
        file.close()
    table = read_rows(names, rows, source.id, columns)
    yield from table.failures
    yield make_document(
        source,
        source.id,
        table.text,
        title=source.path.stem.replace("_", " "),
        facts=table.facts,
        hashed=hashlib.sha256(repr((columns, names, rows)).encode(errors="replace")).hexdigest(),
        places=table.rows,
    )


def _opened(source: SourceFile) -> "ParquetFile":
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    require_filled(source)
    try:
        file = ParquetFile(
            source.path,
            thrift_string_size_limit=_LARGEST_FOOTER,
            thrift_container_size_limit=2**20,
        )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _broken(error) from error
    metadata = file.metadata
    if metadata.num_rows > _MOST_ROWS:
        raise BadInputError(f"it has more than {_MOST_ROWS:,} rows", _SPLIT)
    if any(
        metadata.row_group(index).total_byte_size > _LARGEST_GROUP for index in range(metadata.num_row_groups)
    ):
        raise BadInputError(f"its rows unpack to more than {_LARGEST_GROUP // 2**30} GB", _SPLIT)
    if metadata.num_rows == 0:
        raise BadInputError("it has no rows", "remove it or fill it")
    return file


def _columns(file: "ParquetFile") -> tuple[list[str], list[str]]:
    """(names of binary columns, names of all other columns)."""
    from pyarrow import types

    try:
        fields = list(file.schema_arrow)
    except Exception as error:  # what a broken file makes the library raise is without end
        raise _broken(error) from error
    of_bytes = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary)
    binary = [field.name for field in fields if any(holds(field.type) for holds in of_bytes)]
    return binary, [field.name for field in fields if field.name not in binary]


def _records(file: "ParquetFile", names: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows with their numbers, from 1.

    Raises:
        BadInputError: the rows are broken, or too large.
    """
    number = letters = 0
    batches = file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=names)
    while True:
        try:
            batch = next(batches, None)
            size = 0 if batch is None else _size(batch)
            letters += size
            is_too_large = size > _LARGEST_BATCH or letters > _MOST_TEXT
            rows = [] if batch is None or is_too_large else batch.to_pylist()
        except Exception as error:
            raise _broken(error) from error
        if batch is None:
            return
        if is_too_large:
            raise BadInputError(f"its rows unpack to more than {_MOST_TEXT // 2**20} MB", _SPLIT)
        for row in rows:
            number += 1
            yield number, row


def _size(batch: "RecordBatch") -> int:
    """The size of a batch in bytes; dictionary-encoded texts count at each occurrence."""
    from pyarrow import compute, types

    size = 0
    for column in batch.columns:
        size += column.nbytes
        if types.is_dictionary(column.type) and types.is_string(column.type.value_type):
            lengths = compute.take(compute.binary_length(column.dictionary), column.indices)
            size += compute.sum(lengths).as_py() or 0
    return size


def _broken(error: Exception) -> BadInputError:
    said = on_one_line(error)
    encrypted = "encrypt" in said.lower() or "decrypt" in said.lower()
    if encrypted:
        return BadInputError("it is encrypted", "save a copy without encryption")
    return BadInputError(f"it is not a readable Parquet file: {said}", "write the file again")
