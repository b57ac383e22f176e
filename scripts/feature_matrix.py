"""Named features of examples as a sparse matrix, for linear models over the words of a text."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from scipy.sparse import csr_matrix


def index_of(found: Sequence[AbstractSet[str]], groups: Sequence[str], fewest: int) -> dict[str, int]:
    """The column of each feature that occurs in examples of at least ``fewest`` different groups."""
    seen: dict[str, set[str]] = defaultdict(set)
    for names, group in zip(found, groups, strict=True):
        for name in names:
            if len(seen[name]) < fewest:
                seen[name].add(group)
    return {name: at for at, name in enumerate(sorted(n for n, of in seen.items() if len(of) >= fewest))}


def matrix_of(found: Sequence[AbstractSet[str]], index: Mapping[str, int]) -> csr_matrix:
    """A row of zeros and ones for each example, shape (examples, features)."""
    indices = [[index[name] for name in names if name in index] for names in found]
    ends = np.cumsum([0, *map(len, indices)])
    flat = np.concatenate([np.array(row, dtype=np.int32) for row in indices])
    return csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(found), len(index)))
