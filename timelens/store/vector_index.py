"""LanceDB's index of vectors, for a corpus that is too large for memory."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import LanceTable

INDEXED = 2_000_000
"""Most chunks whose vectors and events are kept in memory (0.9 kB each); for more, LanceDB searches."""

VECTOR = "vector"
"""The indexed column of ``chunks``."""
_BITS = 2
"""Bits for each number of a vector in the index."""
_REFINED = 5
"""Rows compared by their stored vectors, as a multiple of the wanted number."""
_ALL = 0
"""LanceDB's value for all partitions."""
_MULTIPLE = 8
"""LanceDB can index vectors only if their dimension is a multiple of this."""


def make_vector_index(chunks: "LanceTable") -> None:
    """Make the index, or replace an existing one, if the table is too large for memory.

    It holds two bits for each number of a vector (IVF_RQ). Rows added later are scanned until LanceDB's
    ``optimize`` adds them to the index.
    """
    from lancedb.index import IvfRq

    if chunks.count_rows() > INDEXED and chunks.schema.field(VECTOR).type.list_size % _MULTIPLE == 0:
        chunks.create_index(VECTOR, config=IvfRq(distance_type="cosine", num_bits=_BITS))


def has_vector_index(chunks: "LanceTable") -> bool:
    """Whether the index exists; the next run that writes makes a missing one."""
    return any(VECTOR in index.columns for index in chunks.list_indices())


def by_index(query: "LanceVectorQueryBuilder") -> "LanceVectorQueryBuilder":
    """The query over the index in all partitions; the best rows are compared again by their stored vectors.

    A search in only some partitions is little faster and misses more, especially with a filter by time
    (docs/large-corpora.md).
    """
    return query.minimum_nprobes(1).maximum_nprobes(_ALL).refine_factor(_REFINED)
