"""Converts errors of LanceDB."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from timelens.errors import StoreError, first_line
from timelens.store.location import Address, Location, remote_fault

_FULL = re.compile(r"No space left on device|os error 28\b|Disk quota exceeded", re.IGNORECASE)


@contextmanager
def store_errors(path: Location) -> Iterator[None]:
    """Raise errors of LanceDB, which share no base class, as an error that names the corpus."""
    try:
        yield
    except (RuntimeError, ValueError, OSError, pa.ArrowException, KeyError) as error:
        if isinstance(path, Address):
            raise remote_fault(path, error) from None  # its text may hold parts of a signed request
        said = first_line(error)
        if _FULL.search(str(error)):
            raise StoreError(
                f"the disk of the corpus at {path} is full", "make room, then run the same command again"
            ) from error
        raise StoreError(
            f"the corpus at {path} cannot be read or written: {said[:200]}",
            "check the disk and its permissions; if the corpus is damaged: timelens corpora verify "
            f"{path.name} --repair",
        ) from error
