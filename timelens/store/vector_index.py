"""The index of vectors by which LanceDB finds the nearest in a corpus larger than memory."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import LanceTable

INDEXED = 2_000_000
"""Chunks of a corpus of which vectors and events are in memory, 0.9 kB each; beyond, LanceDB finds them."""

VECTOR = "vector"
"""Its column of ``chunks``."""
_BITS = 2
"""Of each number of a vector in the index."""
_REFINED = 5
"""Rows that are compared by their stored vectors, for each one that is wanted."""
_ALL = 0
"""Stands for all partitions."""
_MULTIPLE = 8
"""LanceDB makes the index of vectors of so many numbers, or a multiple of it."""


def make_vector_index(chunks: "LanceTable") -> None:
    """Make the index anew, in place of one that is there, if the table is too large for memory.

    It holds two bits for each number of a vector (IVF_RQ). Rows that are added later are scanned until
    LanceDB's ``optimize`` adds them to it.
    """
    from lancedb.index import IvfRq

    if chunks.count_rows() > INDEXED and chunks.schema.field(VECTOR).type.list_size % _MULTIPLE == 0:
        chunks.create_index(VECTOR, config=IvfRq(distance_type="cosine", num_bits=_BITS))


def has_vector_index(chunks: "LanceTable") -> bool:
    """Whether there is one: the next run that writes makes it where it is missing."""
    return any(VECTOR in index.columns for index in chunks.list_indices())


def by_index(query: "LanceVectorQueryBuilder") -> "LanceVectorQueryBuilder":
    """A query that compares the bits of all rows that pass its filter, and then the vectors of the best.

    A search in only some partitions is little faster and misses more, above all with a filter by time
    (docs/large-corpora.md).
    """
    return query.minimum_nprobes(1).maximum_nprobes(_ALL).refine_factor(_REFINED)
