"""Verifies a corpus, and repairs it from the files that it was made from."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from timelens.embedding import Embedder
from timelens.errors import BadInputError, StoreError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.pipeline import ingest_some, tasks_of
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.ingest.supervisor import read_in_process
from timelens.ingest.worker import Met, Terms
from timelens.printable import counted
from timelens.processes import Budget
from timelens.store.corpus_folder import only_writer, require_same
from timelens.store.corpus_tables import UNFINISHED
from timelens.store.inspection import Inspection, OnStep, Suspect, inspect, require_made
from timelens.store.location import Address, Location
from timelens.store.rebuild import finish, install, made_aside
from timelens.store.schema import CHUNKS, DOCUMENTS
from timelens.temporal.conventions import USUAL, Conventions

_MOST_NAMED = 3


class Lost(StrEnum):
    """Treatment of damaged documents that are in no file any more."""

    KEEP = "keep"
    """Keep their readable parts; they are reported as damaged from then on."""
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Repair:
    """Result of a repair: ids of documents by outcome, and failures."""

    read_again: tuple[str, ...]
    changed: tuple[str, ...]
    """Documents read again whose content in the file has changed."""
    kept: tuple[str, ...]
    """Damaged documents that are in no file and were kept."""
    removed: tuple[str, ...]
    """Damaged documents that are in no file and were removed."""
    failures: tuple[Failure, ...]
    """Files, or parts of files, that could not be read."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of a verification, with the repair if one was made."""

    corpus: str
    found: Inspection
    repair: Repair | None
    """``None`` if there was nothing to repair, or no repair was requested."""
    seconds: float

    @property
    def is_fine(self) -> bool:
        """Whether nothing is damaged, or all damage was repaired."""
        return self.found.is_fine or (self.repair is not None and not self.repair.kept)


def verify(path: Location, on_step: OnStep = lambda *_: None) -> Verification:
    """Find the damage in a corpus; nothing is changed.

    Raises:
        MissingError: there is no corpus.
        StoreError: its repair was interrupted, its format is not supported, or another process is writing.
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
    """Find the damage in a corpus and rewrite the corpus: good rows unchanged, others from their files.

    A document that exceeds the ``budget`` when read is lost.

    Raises:
        BadInputError: the corpus is in an object store.
        MissingError: there is no corpus.
        StoreError: some damaged documents are in no file and ``lost`` is not given; the corpus has another
            embedder or format; or another process is writing to it.
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
    """Refuse a corpus of which nothing can be read, not even the names of its files.

    Raises:
        StoreError: nothing can be read.
    """
    if not found.documents and not found.chunks and any(path.glob("*.lance/data/*")):
        raise StoreError(
            f"nothing of the corpus at {path} can be read, so the files it was made from are not known",
            f"timelens corpora remove {path.name}, then ingest them again",
        )


@dataclass(slots=True)
class _Mending:
    """State of one repair."""

    path: Path
    found: Inspection
    columns: TableColumns
    budget: Budget
    on_step: OnStep
    suspects: dict[str, Suspect] = field(init=False)
    """Damaged and unfinished documents, by id."""
    again: dict[str, str] = field(default_factory=dict, init=False)
    """Content hash of the suspects that are still in files, by id."""
    failures: list[Failure] = field(default_factory=list, init=False)
    sources: list[SourceFile] = field(default_factory=list, init=False)
    """The existing files that the suspects came from."""

    def __post_init__(self) -> None:
        self.suspects = {one.id: one for one in (*self.found.unfinished, *self.found.damaged)}

    def look(self) -> None:
        """Find the suspects that are still in their files."""
        self.sources = list(self._find())
        terms = Terms({}, budget=self.budget, dates=False, only=frozenset(self.suspects))
        with closing(read_in_process(tasks_of(self.sources, self.columns), terms)) as answers:
            for answer in answers:
                if isinstance(answer, Failure):
                    self.failures.append(answer)
                elif isinstance(answer, Met) and not answer.is_empty:
                    self.again.setdefault(answer.id, answer.content_hash)

    def mend(self, embedder: Embedder, lost: Lost | None, conventions: Conventions) -> Repair:
        """Write a new corpus beside the damaged one, and replace it.

        Raises:
            StoreError: documents are lost and ``lost`` is ``None``; or some documents cannot be dated.
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
            aside,
            embedder,
            Terms({}, conventions, self.budget, only=frozenset(self.again)),
            columns=self.columns,
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
        """Whether a document is in no file any more.

        A damaged row may contain an id that never existed: if one table is intact, a document that is only in
        the other table is ignored.
        """
        whole = self.found.whole
        misread = (whole == {DOCUMENTS} and not suspect.has_row) or (
            whole == {CHUNKS} and not suspect.has_chunks
        )
        return suspect.id not in self.again and not misread

    def _is_changed(self, name: str) -> bool:
        """Whether the content of a document has changed since it was stored; false if its hash is unknown."""
        stored = self.suspects[name].content_hash
        return stored not in {None, UNFINISHED, self.again[name]}

    def _find(self) -> Iterator[SourceFile]:
        """The existing files that the suspects came from; missing files become failures."""
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
    """The path of a file below the ingested folder, with which the ids of its documents begin."""
    parts = Path(uri).parts
    below = ("/".join(parts[-count:]) for count in range(len(parts) - 1, 0, -1))
    return next((path for path in below if any(name.startswith(path) for name in ids)), Path(uri).name)
