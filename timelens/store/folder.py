"""The place of a corpus: what stands in it, who may write there, and whether it can be read."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from timelens.embedding import EmbedderIdentity
from timelens.errors import StoreError
from timelens.folders import hold, home
from timelens.store.database import connect, open_made
from timelens.store.faults import store_errors
from timelens.store.location import Address, Location
from timelens.store.schema import CHUNKS, DOCUMENTS, READABLE, SCHEMA_VERSION
from timelens.store.turns import WRITER, turn

CREATE_LOCK = "create.lock"
WRITE_LOCK = "ingest.lock"
"""Held by the one process that writes (:func:`only_writer`); the store leaves that to its callers."""

ASIDE = "repairing"
"""Where a repair makes the tables anew."""
REPAIRED = "repaired"
"""The tables that a repair has made, until they stand in their place."""


@contextmanager
def only_writer(path: Location, *, by_turns: bool = False) -> Iterator[None]:
    """While this process is the only one that writes to a corpus, embeds it again or removes it.

    In an object store it waits for its turn; with ``by_turns`` it is left to each write to do so, and several
    processes write at once.

    Raises:
        StoreError: another process is.
    """
    if isinstance(path, Address):
        with nullcontext() if by_turns else turn(path):
            yield
        return
    taken = StoreError(
        f"another process is writing to {path.name}", "wait until it has finished, then try again"
    )
    with store_errors(path):
        held = hold(path / WRITE_LOCK, taken)
    with held:
        yield


def require_whole(path: Location) -> None:
    """Refuse a corpus whose repair was cut short while its tables were exchanged.

    Raises:
        StoreError: it was.
    """
    if isinstance(path, Path) and (path / REPAIRED).exists():
        raise StoreError(
            f"the repair of the corpus at {path} was interrupted",
            f"finish it: timelens corpora verify {path.name} --repair",
        )


def require_same(path: Location, stored: EmbedderIdentity, embedder: EmbedderIdentity) -> None:
    """Refuse an embedder other than the one whose vectors are stored.

    Raises:
        StoreError: they differ in name, dimension, weights or document prefix.
    """
    if embedder != stored:
        raise StoreError(
            f"the corpus at {path} was made with the embedder {stored.name}, "
            f"but {embedder.name} is configured now",
            f"configure {stored.name} again, or: timelens ingest --reembed --corpus {path.name}",
        )


def require_readable(path: Location, version: int) -> None:
    """Refuse a corpus of a format that is not read.

    Raises:
        StoreError: it is of one.
    """
    if version not in READABLE:
        raise StoreError(
            f"the corpus at {path} has format {version}; this timelens reads format {SCHEMA_VERSION}",
            "ingest its documents again into a new corpus",
        )


def is_made(path: Location) -> bool:
    """Whether there is a corpus, even a damaged one; one whose making was cut short holds nothing yet."""
    if isinstance(path, Address):
        with store_errors(path):
            database = connect(path)
            if open_made(database, CHUNKS) is not None:
                return True
            documents = open_made(database, DOCUMENTS)
            return documents is not None and documents.count_rows() > 0
    return has_version(path, CHUNKS) or any((path / f"{DOCUMENTS}.lance" / "data").glob("*"))


def is_there(path: Location) -> bool:
    """Whether anything of a corpus is there, even a part of one that was being made, repaired or removed."""
    if isinstance(path, Address):
        return bool(tables_at(path))
    return any(path.glob("*.lance")) or (path / REPAIRED).exists()


def tables_at(at: Address) -> set[str]:
    """Which of the tables of a corpus are in an object store.

    Raises:
        MissingError: it cannot be reached, or refuses.
    """
    with store_errors(at):
        return {CHUNKS, DOCUMENTS, WRITER}.intersection(connect(at).list_tables().tables)


def has_version(path: Path, table: str) -> bool:
    """Whether a commit of a table is there."""
    return any((path / f"{table}.lance" / "_versions").glob("*.manifest"))


def corpora_folder() -> Path:
    """Where the corpora of this machine stand, each in a folder of its name."""
    return home() / "corpora"


def corpora_here() -> dict[str, Path]:
    """The folders of the corpora of this machine, by name; of those into which something was ingested."""
    folder = corpora_folder()
    if not folder.is_dir():
        return {}
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_dir() and is_there(path)}
