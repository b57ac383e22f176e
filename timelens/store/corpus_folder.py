"""The folder or address of a corpus: its content, its write lock, and whether it can be read."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from timelens.embedding import EmbedderIdentity
from timelens.errors import BadInputError, StoreError
from timelens.folders import hold, home
from timelens.store.database import connect, open_made
from timelens.store.file_list import LIST
from timelens.store.lance_errors import store_errors
from timelens.store.location import Address, Location
from timelens.store.schema import CHUNKS, DOCUMENTS, READABLE, SCHEMA_VERSION
from timelens.store.write_lease import WRITER, write_lease

CREATE_LOCK = "create.lock"
WRITE_LOCK = "ingest.lock"
"""Lock of the one process that writes (:func:`only_writer`); callers of the store take it."""

ASIDE = "repairing"
"""Folder in which a repair makes the new tables."""
REPAIRED = "repaired"
"""Folder of the finished new tables of a repair, until they are moved to their place."""
REPLACED = "replaced"
"""Folder of the damaged tables, until they are deleted."""
_TABLES = frozenset({f"{CHUNKS}.lance", f"{DOCUMENTS}.lance"})
_OWN = _TABLES | {CREATE_LOCK, WRITE_LOCK, LIST, ASIDE, REPAIRED, REPLACED}


@contextmanager
def only_writer(path: Location, *, by_turns: bool = False) -> Iterator[None]:
    """Context in which no other process writes to a corpus, re-embeds it or removes it.

    In an object store it waits for its turn. With ``by_turns``, each write waits for its own turn instead, so
    that several processes can write at the same time.

    Raises:
        StoreError: another process is writing.
    """
    if isinstance(path, Address):
        with nullcontext() if by_turns else write_lease(path):
            yield
        return
    taken = StoreError(
        f"another process is writing to {path.name}", "wait until it has finished, then try again"
    )
    with store_errors(path):
        held = hold(path / WRITE_LOCK, taken)
    with held:
        yield


def require_repaired(path: Location) -> None:
    """Refuse a corpus whose repair was interrupted while its tables were exchanged.

    Raises:
        StoreError: the repair was interrupted, or the folder cannot be read.
    """
    with store_errors(path):
        is_interrupted = isinstance(path, Path) and (path / REPAIRED).exists()
    if is_interrupted:
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
    """Refuse a corpus of an unsupported format.

    Raises:
        StoreError: the format is not supported.
    """
    if version not in READABLE:
        raise StoreError(
            f"the corpus at {path} has format {version}; this timelens reads format {SCHEMA_VERSION}",
            "ingest its documents again into a new corpus",
        )


def is_made(path: Location) -> bool:
    """Whether there is a corpus, even a damaged one; an interrupted creation does not count."""
    if isinstance(path, Address):
        with store_errors(path):
            database = connect(path)
            if open_made(database, CHUNKS) is not None:
                return True
            documents = open_made(database, DOCUMENTS)
            return documents is not None and documents.count_rows() > 0
    made_of_documents = path / f"{DOCUMENTS}.lance" / "data"
    return is_there(path) and (has_version(path, CHUNKS) or any(made_of_documents.glob("*")))


def is_there(path: Location) -> bool:
    """Whether there is any part of a corpus, such as after an interrupted creation, repair or removal.

    Raises:
        StoreError: its folder cannot be read.
    """
    if isinstance(path, Address):
        return bool(tables_at(path))
    with store_errors(path):
        try:
            names = os.listdir(path)  # noqa: PTH208 -- as quick as it gets: names only
        except (FileNotFoundError, NotADirectoryError):
            return False
    return REPAIRED in names or any(name.endswith(".lance") for name in names)


def own_names(names: Collection[str]) -> frozenset[str]:
    """The names of a corpus's files and folders among those in a folder; none if it holds no corpus."""
    return frozenset() if _TABLES.isdisjoint(names) else _OWN.intersection(names)


def tables_at(at: Address) -> set[str]:
    """The names of the tables of a corpus that exist in an object store.

    Raises:
        MissingError: the object store cannot be reached, or refuses access.
    """
    with store_errors(at):
        return {CHUNKS, DOCUMENTS, WRITER}.intersection(connect(at).list_tables().tables)


def has_version(path: Path, table: str) -> bool:
    """Whether a table has a commit."""
    return any((path / f"{table}.lance" / "_versions").glob("*.manifest"))


def corpora_folder() -> Path:
    """The folder of the corpora of this machine, each in a subfolder with its name."""
    return home() / "corpora"


def corpora_here() -> dict[str, Path]:
    """The folders of the corpora of this machine, by name; folders without corpus data are left out.

    A folder that cannot be read is among them, so that it is named with the reason when it is opened.

    Raises:
        StoreError: the corpora cannot be listed.
        BadInputError: their place is a file.
    """
    folder = corpora_folder()
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_dir())
    except FileNotFoundError:
        return {}
    except NotADirectoryError as error:
        raise BadInputError(
            f"{folder} is not a folder", "set TIMELENS_HOME to a folder, or unset it"
        ) from error
    except OSError as error:
        raise StoreError(
            f"the corpora in {folder} cannot be listed: {error.strerror}",
            "check its permissions and its disk",
        ) from error
    return {path.name: path for path in paths if _may_be_there(path)}


def _may_be_there(path: Path) -> bool:
    try:
        return is_there(path)
    except StoreError:
        return True
