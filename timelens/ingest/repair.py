"""Verify a corpus, and mend it from the files that it was made from."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.errors import StoreError, TimelensError
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.pipeline import ingest_documents
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns
from timelens.store.corpus import UNFINISHED
from timelens.store.folder import only_writer, require_same
from timelens.store.inspection import Inspection, OnStep, Suspect, inspect, require_made
from timelens.store.repair import finish, install, made_aside
from timelens.store.schema import CHUNKS, DOCUMENTS
from timelens.temporal.conventions import USUAL, Conventions

_DOCUMENTS_AT_ONCE = 64
_MOST_NAMED = 3


class Lost(StrEnum):
    """What becomes of damaged documents that no file holds any more."""

    KEEP = "keep"
    """What can be read of them stays, and is named as damaged ever after."""
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Repair:
    """What was mended, by ids of documents."""

    read_again: tuple[str, ...]
    changed: tuple[str, ...]
    """Those among them that their files say otherwise now."""
    kept: tuple[str, ...]
    """Damaged ones that no file holds, which stay as they are."""
    removed: tuple[str, ...]
    """Such ones that are gone, because that was wanted."""
    failures: tuple[Failure, ...]
    """What could not be read of their files."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found, and what was done about it."""

    corpus: str
    found: Inspection
    repair: Repair | None
    """``None`` where there was nothing to mend, or it was not asked for."""
    seconds: float

    @property
    def is_fine(self) -> bool:
        """Whether nothing is damaged, or not any more."""
        return self.found.is_fine or (self.repair is not None and not self.repair.kept)


def verify(path: Path, on_step: OnStep = lambda *_: None) -> Verification:
    """Find what is damaged in a corpus; nothing is changed.

    Raises:
        MissingError: there is none.
        StoreError: its repair was cut short, it is of another format, or another process is writing to it.
    """
    started = time.perf_counter()
    require_made(path)
    with only_writer(path):
        return Verification(path.name, inspect(path, on_step), None, time.perf_counter() - started)


def repair(
    path: Path,
    embedder: Embedder,
    *,
    columns: TableColumns | None = None,
    lost: Lost | None = None,
    conventions: Conventions = USUAL,
    on_step: OnStep = lambda *_: None,
) -> Verification:
    """Find what is damaged in a corpus and write it anew: good rows as they are, others from their files.

    Raises:
        MissingError: there is none.
        StoreError: no file holds some of what is damaged, and ``lost`` does not say what becomes of it; the
            corpus has another embedder, or another format; or another process is writing to it.
    """
    started = time.perf_counter()
    require_made(path)
    with only_writer(path):
        finish(path)
        found = inspect(path, on_step)
        done = None
        if not found.is_fine:
            _require_something(path, found)
            require_same(path, found.embedder or embedder.identity, embedder.identity)
            mending = _Mending(path, found, columns or TableColumns(), on_step)
            mending.look()
            try:
                done = mending.mend(embedder, lost, conventions)
            finally:
                finish(path)
    return Verification(path.name, found, done, time.perf_counter() - started)


def _require_something(path: Path, found: Inspection) -> None:
    """Refuse a corpus of which nothing is known any more, not even what it was made from.

    Raises:
        StoreError: it is one.
    """
    if not found.documents and not found.chunks and any(path.glob("*.lance/data/*")):
        raise StoreError(
            f"nothing of the corpus at {path} can be read, so that the files it was made from are not known",
            f"timelens corpora remove {path.name}, then ingest them again",
        )


@dataclass(slots=True)
class _Mending:
    """One repair."""

    path: Path
    found: Inspection
    columns: TableColumns
    on_step: OnStep
    suspects: dict[str, Suspect] = field(init=False)
    """By id, damaged and unfinished ones."""
    again: dict[str, str] = field(default_factory=dict, init=False)
    """Content hash of those that are in files, by id."""
    failures: list[Failure] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.suspects = {one.id: one for one in (*self.found.unfinished, *self.found.damaged)}

    def look(self) -> None:
        """Find out which documents are still in their files."""
        for document in self._read():
            self.again.setdefault(document.id, document.content_hash)

    def mend(self, embedder: Embedder, lost: Lost | None, conventions: Conventions) -> Repair:
        """Write the corpus anew beside itself, and put it into its place.

        Raises:
            StoreError: documents are lost, and it is not said what becomes of them.
        """
        gone = sorted({one.id for one in self.found.damaged if self._is_lost(one)})
        if gone and lost is None:
            said = f"{len(gone)} damaged documents are in no file any more, and nothing was changed"
            raise StoreError(
                f"{said}: {some_of(gone, _MOST_NAMED)}",
                "put their files back, or add --lost keep (as far as they can be read) or --lost remove",
            )
        kept = {*gone} if lost is Lost.KEEP else set()
        waiting = {one.id for one in self.found.unfinished if one.has_row} - self.again.keys()
        rowless = {name for name in kept if not self.suspects[name].has_row}
        left_out = self.suspects.keys() - kept - waiting
        aside = made_aside(self.path, self.found.embedder or embedder.identity, left_out, rowless)
        with aside.changing():
            aside.settle()
        documents = self._read(tell=False)
        done = 0
        while some := list(islice(documents, _DOCUMENTS_AT_ONCE)):
            ingest_documents(some, aside, embedder, conventions=conventions)
            done += len(some)
            self.on_step("documents", done, len(self.again))
        install(self.path)
        return Repair(
            read_again=tuple(sorted(self.again)),
            changed=tuple(sorted(name for name in self.again if self._is_changed(name))),
            kept=tuple(sorted(kept)),
            removed=tuple(() if kept else gone),
            failures=tuple(self.failures),
        )

    def _is_lost(self, suspect: Suspect) -> bool:
        """Whether no file holds a document.

        A damaged row may have the id of one that never was: what is in a damaged table alone, and not in the
        one that is whole, is none.
        """
        whole = self.found.whole
        misread = (whole == {DOCUMENTS} and not suspect.has_row) or (
            whole == {CHUNKS} and not suspect.has_chunks
        )
        return suspect.id not in self.again and not misread

    def _is_changed(self, name: str) -> bool:
        """Whether a document is another than was stored; of one without a row that is not known."""
        stored = self.suspects[name].content_hash
        return stored not in {None, UNFINISHED, self.again[name]}

    def _read(self, *, tell: bool = True) -> Iterator[Document]:
        """Those documents that are not as they should be, from their files."""
        met = set()
        for source in self._sources():
            for item in _documents(source, self.columns):
                if isinstance(item, Failure):
                    self.failures += [item] if tell else []
                elif item.id in self.suspects and item.id not in met and (item.facts or item.text.strip()):
                    met.add(item.id)
                    yield item

    def _sources(self) -> list[SourceFile]:
        """The files that they came from."""
        ids: dict[str, list[str]] = {}
        for suspect in self.suspects.values():
            for uri in suspect.uris:
                ids.setdefault(uri, []).append(suspect.id)
        return [SourceFile(Path(uri), _source_id(uri, some)) for uri, some in sorted(ids.items())]


def _documents(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """What a file holds, if it is there and can be read."""
    reader = READERS.get(source.path.suffix.lower())
    is_there = source.path.is_absolute() and os.path.isfile(source.path)  # noqa: PTH113 -- it never raises
    if reader is None or not is_there:
        yield Failure(str(source.path), "there is no such file any more", "put it back")
        return
    try:
        yield from reader(source, columns)
    except TimelensError as error:
        yield Failure(str(source.path), error.message, error.hint)


def _source_id(uri: str, ids: Sequence[str]) -> str:
    """The path of a file below the folder that was ingested, which the ids of its documents begin with."""
    parts = Path(uri).parts
    below = ("/".join(parts[-count:]) for count in range(len(parts) - 1, 0, -1))
    return next((path for path in below if any(name.startswith(path) for name in ids)), Path(uri).name)
