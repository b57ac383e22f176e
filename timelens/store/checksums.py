"""Checksums of the values of rows, independent of their files and their order. Pure."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)
_AT_ONCE = 1024

Digest = int
"""Digest of one row, as a number."""


def row_digests(table: pa.Table | pa.RecordBatch) -> Iterator[Digest]:
    """The digest of each row, over all its values and the names of the columns."""
    names = sorted(table.schema.names)
    head = repr([_named(table.schema.field(name)) for name in names]).encode()
    for start in range(0, table.num_rows, _AT_ONCE):
        planes: list[_Plane] = []
        for name in names:
            some = table[name].slice(start, _AT_ONCE)
            planes += _planes(some.combine_chunks() if isinstance(some, pa.ChunkedArray) else some)
        slices = [[plane.data[a:b] for a, b in pairwise(plane.edges.tolist())] for plane in planes]
        for parts in zip(*slices, strict=True):
            digest = hashlib.sha256(head + b"".join(parts)).digest()
            yield int.from_bytes(digest[:_BYTES], "big")


@dataclass(slots=True)
class Sums:
    """For each document, the sum of the digests of its chunks, which does not depend on their order."""

    of: Counter[str] = field(default_factory=Counter)

    def add(self, chunks: pa.Table | pa.RecordBatch) -> None:
        """Add rows of the ``chunks`` table."""
        for document_id, digest in zip(chunks["document_id"].to_pylist(), row_digests(chunks), strict=True):
            self.of[document_id] = (self.of[document_id] + digest) % _MODULUS

    def checksums(self, documents: pa.Table | pa.RecordBatch) -> list[str]:
        """The checksum of each row of the ``documents`` table, over the row and the document's chunks."""
        hashed = [name for name in documents.schema.names if name != "checksum"]
        return [
            f"{(self.of[document_id] + digest) % _MODULUS:0{2 * _BYTES}x}"
            for document_id, digest in zip(
                documents["id"].to_pylist(), row_digests(documents.select(hashed)), strict=True
            )
        ]


@dataclass(frozen=True, slots=True)
class _Plane:
    """Bytes by row: row ``i`` has ``data[edges[i] : edges[i + 1]]``."""

    data: bytes
    edges: NDArray[np.int64]

    @classmethod
    def fixed(cls, values: NDArray[np.generic]) -> Self:
        """The plane of an array with one value of fixed size for each row."""
        width = values.dtype.itemsize
        return cls(values.tobytes(), np.arange(len(values) + 1, dtype=np.int64) * width)


def _named(column: pa.Field) -> Any:  # noqa: ANN401 -- names within names
    """The name of a column with the names of its nested fields."""
    kind = column.type
    while pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        kind = kind.value_type
    inner = (
        [_named(kind.field(index)) for index in range(kind.num_fields)] if pa.types.is_struct(kind) else []
    )
    return column.name, inner


def _planes(array: pa.Array) -> Iterator[_Plane]:
    """The content of an array as planes with one entry for each row; values below a null are left out."""
    valid = np.asarray(array.is_valid())
    kind = array.type
    if pa.types.is_struct(kind):
        yield _Plane.fixed(valid)
        for part in array.flatten():
            yield from _planes(part)
    elif pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        lengths = np.asarray(pc.fill_null(pc.list_value_length(array), 0), np.int64)
        yield from _counted(lengths, valid, _planes(array.flatten()))
    elif pa.types.is_string(kind):
        present = pc.fill_null(array, "")
        lengths = np.asarray(pc.binary_length(present), np.int64)
        data = b"".join(pc.cast(present, pa.binary()).to_pylist())
        yield from _counted(lengths, valid, [_Plane(data, np.arange(len(data) + 1, dtype=np.int64))])
    else:
        yield _Plane.fixed(valid)
        yield _Plane.fixed(np.asarray(pc.fill_null(array, pa.scalar(0, kind))))


def _counted(
    lengths: NDArray[np.int64], valid: NDArray[np.bool_], inner: Iterable[_Plane]
) -> Iterator[_Plane]:
    """Planes of list elements, regrouped by row; ``lengths`` is the number of elements of each row."""
    yield _Plane.fixed(np.where(valid, lengths, -1))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    for plane in inner:
        yield _Plane(plane.data, plane.edges[starts])
