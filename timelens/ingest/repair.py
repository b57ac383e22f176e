"""Verify a corpus, and mend it from the files that it was made from."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from timelens.embedding import Embedder
from timelens.errors import BadInputError, StoreError
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.pipeline import ingest_some, tasks_of
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.ingest.supervisor import read_apart
from timelens.ingest.tables import TableColumns
from timelens.ingest.worker import Met, Terms
from timelens.printable import counted
from timelens.processes import Budget
from timelens.store.corpus import UNFINISHED
from timelens.store.folder import only_writer, require_same
from timelens.store.inspection import Inspection, OnStep, Suspect, inspect, require_made
from timelens.store.location import Address, Location
from timelens.store.repair import finish, install, made_aside
from timelens.store.schema import CHUNKS, DOCUMENTS
from timelens.temporal.conventions import USUAL, Conventions

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


def verify(path: Location, on_step: OnStep = lambda *_: None) -> Verification:
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
    path: Location,
    embedder: Embedder,
    *,
    columns: TableColumns | None = None,
    lost: Lost | None = None,
    conventions: Conventions = USUAL,
    budget: Budget | None = None,
    on_step: OnStep = lambda *_: None,
) -> Verification:
    """Find what is damaged in a corpus and write it anew: good rows as they are, others from their files.

    A document that takes more than the ``budget`` to be read is lost.

    Raises:
        BadInputError: it is in an object store.
        MissingError: there is none.
        StoreError: no file holds some of what is damaged, and ``lost`` does not say what becomes of it; the
            corpus has another embedder, or another format; or another process is writing to it.
    """
    started = time.perf_counter()
    require_made(path)
    if isinstance(path, Address):
        raise BadInputError(
            f"a corpus in an object store cannot be repaired: {path}",
            f"timelens corpora remove {path}, then ingest its documents again",
        )
    with only_writer(path):
        finish(path)
        found = inspect(path, on_step)
        done = None
        if not found.is_fine:
            _require_something(path, found)
            require_same(path, found.embedder or embedder.identity, embedder.identity)
            mending = _Mending(path, found, columns or TableColumns(), budget or Budget(), on_step)
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
            f"nothing of the corpus at {path} can be read, so the files it was made from are not known",
            f"timelens corpora remove {path.name}, then ingest them again",
        )


@dataclass(slots=True)
class _Mending:
    """One repair."""

    path: Path
    found: Inspection
    columns: TableColumns
    budget: Budget
    on_step: OnStep
    suspects: dict[str, Suspect] = field(init=False)
    """By id, damaged and unfinished ones."""
    again: dict[str, str] = field(default_factory=dict, init=False)
    """Content hash of those that are in files, by id."""
    failures: list[Failure] = field(default_factory=list, init=False)
    sources: list[SourceFile] = field(default_factory=list, init=False)
    """The files that they came from, and that are there."""

    def __post_init__(self) -> None:
        self.suspects = {one.id: one for one in (*self.found.unfinished, *self.found.damaged)}

    def look(self) -> None:
        """Find out which documents are still in their files."""
        self.sources = list(self._find())
        terms = Terms({}, budget=self.budget, dates=False, only=frozenset(self.suspects))
        with closing(read_apart(tasks_of(self.sources, self.columns), terms)) as answers:
            for answer in answers:
                if isinstance(answer, Failure):
                    self.failures.append(answer)
                elif isinstance(answer, Met) and not answer.is_empty:
                    self.again.setdefault(answer.id, answer.content_hash)

    def mend(self, embedder: Embedder, lost: Lost | None, conventions: Conventions) -> Repair:
        """Write the corpus anew beside itself, and put it into its place.

        Raises:
            StoreError: documents are lost, and it is not said what becomes of them; or some cannot be dated.
        """
        gone = sorted({one.id for one in self.found.damaged if self._is_lost(one)})
        if gone and lost is None:
            said = "nothing was changed, because damaged documents are in no file any more"
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
        done = ingest_some(
            self.sources,
            self.again,
            aside,
            embedder,
            columns=self.columns,
            conventions=conventions,
            budget=self.budget,
            on_progress=lambda progress: self.on_step("reading again", progress.files_done, progress.files),
        )
        if missing := sorted(self.again.keys() - aside.content_hashes().keys()):
            why = next((failure for failure in done.failures if failure.path in missing), None)
            raise StoreError(
                f"nothing was changed: {counted(len(missing), 'document')} cannot be read again: "
                f"{some_of(missing)}" + (f" ({why.error})" if why else ""),
                why.hint if why else "run it again",
            )
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

    def _find(self) -> Iterator[SourceFile]:
        """The files that they came from; those that are not there are failures."""
        ids: dict[str, list[str]] = {}
        for suspect in self.suspects.values():
            for uri in suspect.uris:
                ids.setdefault(uri, []).append(suspect.id)
        for uri, some in sorted(ids.items()):
            path = Path(uri)
            is_there = path.is_absolute() and os.path.isfile(path)  # noqa: PTH113 -- it never raises
            if path.suffix.lower() in READERS and is_there:
                yield SourceFile(path, _source_id(uri, some))
            else:
                self.failures.append(Failure(uri, "the file does not exist any more", "put it back"))


def _source_id(uri: str, ids: Sequence[str]) -> str:
    """The path of a file below the folder that was ingested, which the ids of its documents begin with."""
    parts = Path(uri).parts
    below = ("/".join(parts[-count:]) for count in range(len(parts) - 1, 0, -1))
    return next((path for path in below if any(name.startswith(path) for name in ids)), Path(uri).name)
