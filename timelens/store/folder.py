"""The folder of a corpus: what stands in it, who may write there, and whether it can be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from timelens.embedding import EmbedderIdentity
from timelens.errors import StoreError
from timelens.folders import hold
from timelens.store.faults import store_errors
from timelens.store.schema import CHUNKS, DOCUMENTS, READABLE, SCHEMA_VERSION

CREATE_LOCK = "create.lock"
WRITE_LOCK = "ingest.lock"
"""Held by the one process that writes (:func:`only_writer`); the store leaves that to its callers."""

ASIDE = "repairing"
"""Where a repair makes the tables anew."""
REPAIRED = "repaired"
"""The tables that a repair has made, until they stand in their place."""


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """While this process is the only one that writes to a corpus, embeds it again or removes it.

    Raises:
        StoreError: another process is.
    """
    taken = StoreError(
        f"another process is writing to {path.name}", "wait until it has finished, then repeat"
    )
    with store_errors(path):
        held = hold(path / WRITE_LOCK, taken)
    with held:
        yield


def require_whole(path: Path) -> None:
    """Refuse a corpus whose repair was cut short while its tables were exchanged.

    Raises:
        StoreError: it was.
    """
    if (path / REPAIRED).exists():
        raise StoreError(
            f"the repair of the corpus at {path} was cut short",
            f"finish it: timelens corpora verify {path.name} --repair",
        )


def require_same(path: Path, stored: EmbedderIdentity, embedder: EmbedderIdentity) -> None:
    """Refuse an embedder other than the one whose vectors are stored.

    Raises:
        StoreError: they differ in name, dimension, weights or document prefix.
    """
    if embedder != stored:
        raise StoreError(
            f"the corpus at {path} was made with the embedder {stored.name}, "
            f"not {embedder.name} as it is configured now",
            f"configure that one again, or: timelens ingest --reembed --corpus {path.name}",
        )


def require_readable(path: Path, version: int) -> None:
    """Refuse a corpus of a format that is not read.

    Raises:
        StoreError: it is of one.
    """
    if version not in READABLE:
        raise StoreError(
            f"the corpus at {path} has format {version}, this timelens reads {SCHEMA_VERSION}",
            "ingest its documents again into a new corpus",
        )


def is_made(path: Path) -> bool:
    """Whether there is a corpus, even a damaged one; one whose making was cut short holds nothing yet."""
    return has_version(path, CHUNKS) or any((path / f"{DOCUMENTS}.lance" / "data").glob("*"))


def has_version(path: Path, table: str) -> bool:
    """Whether a commit of a table is there."""
    return any((path / f"{table}.lance" / "_versions").glob("*.manifest"))
