"""Compares the documents met in a run with the stored ones: new, changed, gone, unreadable."""

import logging
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from timelens.ingest.copies import copies_in
from timelens.ingest.dating import DatedDocument
from timelens.ingest.encoded_documents import EncodedDocument
from timelens.ingest.failures import Failure
from timelens.ingest.progress import OnProgress, Steps
from timelens.ingest.readers import READERS
from timelens.ingest.sources import Listing
from timelens.ingest.supervisor import Moment, read_in_process
from timelens.ingest.sync_removals import stored_at
from timelens.ingest.worker import Met, Task, TaskReply, Terms
from timelens.printable import counted
from timelens.processes import Budget
from timelens.store.corpus import CorpusStore

_log = logging.getLogger(__name__)

Read = Callable[[Sequence[Task], Terms], Generator[TaskReply | EncodedDocument | Moment, None, None]]
"""Reads and dates documents, as :func:`timelens.ingest.supervisor.read_in_process`, or also embeds them."""


@dataclass(slots=True)
class StoredComparison:
    """The documents met in a run, compared with the stored ones, with counts and failures."""

    known: dict[str, str]
    """Content hash by document id, as stored before the run."""
    uris: dict[str, str]
    """Origin of each stored document, by id."""
    failures: list[Failure]
    failed: int
    remarks: list[str]
    """Further notes for the user."""
    seen: dict[str, str]
    """Content hash by document id, as met in the run, or as stored for a file that is not read again."""
    untouched: frozenset[str]
    """Ids of documents of files that have not changed."""
    read: Read = read_in_process
    copies: Mapping[str, str] = field(default_factory=dict)
    """Ids of files with the content of others, with the ids of those; such a document is not stored."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Those of them that were met."""
    unchanged: int = 0
    stored: int = 0
    """Number of chunks written."""

    @classmethod
    def begun(cls, listing: Listing, store: CorpusStore | None, read: Read = read_in_process) -> Self:
        """A comparison before anything is read; ``None`` for ``store`` means that nothing is stored.

        Copies are looked for among the files that the listing has now.
        """
        known, uris = (store.content_hashes(), store.uris()) if store else ({}, {})
        comparison = cls._of(listing, known, uris, read)
        comparison.copies = copies_in(listing, known)
        return comparison

    def anew(self, listing: Listing) -> Self:
        """A new comparison with the same stored documents."""
        return self._of(listing, self.known, self.uris, self.read)

    @classmethod
    def _of(cls, listing: Listing, known: dict[str, str], uris: dict[str, str], read: Read) -> Self:
        remarks = [
            f"there are no files in {path}; readable are {' '.join(READERS)}" for path in listing.empty
        ]
        unread = {source.uri for source in listing.unread}
        changed = {path.resolve().as_posix() for path in listing.changed or ()}
        return cls(
            known,
            uris,
            failures=[*listing.left_out, *listing.unlisted],
            failed=len(listing.unlisted),
            remarks=remarks + (listing.notes() if listing.changed is None else []),
            seen={name: known[name] for name, uri in uris.items() if uri in unread and name in known},
            untouched=frozenset(
                name for name, uri in uris.items() if listing.changed is not None and uri not in changed
            ),
            read=read,
        )

    @property
    def met(self) -> set[str]:
        """Ids of documents that still exist."""
        return {*self.seen, *self.untouched}

    def news(
        self, tasks: Sequence[Task], terms: Terms, on_progress: OnProgress
    ) -> Generator[Met | DatedDocument | EncodedDocument, None, None]:
        """Each new or changed document twice: when it is met, and when it is dated (unless dating fails)."""
        steps = Steps(tasks, lambda: self.stored, on_progress)
        wanted = False
        with closing(self.read(tasks, terms)) as answers:
            for answer in answers:
                if isinstance(answer, Failure):
                    self._list(answer)
                elif isinstance(answer, Met):
                    wanted = self.is_news(answer)
                    steps.meet(answer)
                    if wanted:
                        yield answer
                elif isinstance(answer, DatedDocument | EncodedDocument):
                    if wanted:
                        yield answer
                        steps.finish()
                else:
                    steps.pass_moment(answer)

    def read_through(
        self, tasks: Sequence[Task], budget: Budget, on_progress: OnProgress = lambda _: None
    ) -> list[str]:
        """Ids of all new or changed documents, without dating them."""
        terms = Terms(self.known, budget=budget, dates=False)
        return [met.id for met in self.news(tasks, terms, on_progress) if isinstance(met, Met)]

    def vanished(self, listing: Listing) -> list[str]:
        """Ids of stored documents that are gone; none if anything could not be read. Adds remarks."""
        places = stored_at(listing, self.uris, self.met)
        gone = [document_id for place in places for document_id in place.gone]
        if kept := sum(place.kept for place in places):
            self.remarks.append(
                f"kept, because they are outside the named paths: {counted(kept, 'document')}"
            )
        if gone and self.failed:
            self.remarks.append(
                "nothing was removed, because some files could not be read; "
                f"not found again: {counted(len(gone), 'document')}"
            )
            return []
        listed = {source.uri for source in (*listing.sources, *listing.unread)} if gone else set()
        left = [name for name in gone if self.uris[name] not in listed and os.path.lexists(self.uris[name])]
        if left:
            self.remarks.append(
                f"removed, because their files are not read any more: {counted(len(left), 'document')}"
            )
        return gone

    def is_news(self, met: Met) -> bool:
        """Whether a document is new or changed; a document that cannot be stored becomes a failure."""
        if met.is_empty:
            return self._refuse(met.id, "it holds no text", "remove it or fill it")
        if met.id in self.copies:
            self.dropped[met.id] = self.copies[met.id]
            return False
        if met.id in self.seen:
            if self.seen[met.id] == met.content_hash:
                return False
            error = f"another document of this run has the same id, {met.id}"
            hint = "ingest a folder that contains both" if _is_file(met) else "give each record its own id"
            return self._refuse(met.uri, error, hint)
        if self._is_of_another_file(met):
            error = f"{self.uris[met.id]} is stored under the same name, {met.id}"
            return self._refuse(met.uri, error, "ingest a folder that contains both")
        self.seen[met.id] = met.content_hash
        if self.known.get(met.id) == met.content_hash:
            self.unchanged += 1
            return False
        return True

    def _is_of_another_file(self, met: Met) -> bool:
        """Whether a file would replace the stored text of another one, which still exists elsewhere."""
        stored = self.uris.get(met.id, met.uri)
        if stored == met.uri or self.known.get(met.id) == met.content_hash or not _is_file(met):
            return False
        return Path(stored).is_file() and not Path(stored).samefile(met.uri)

    def _refuse(self, path: str, error: str, hint: str) -> bool:
        self._list(Failure(path, error, hint))
        return False

    def _list(self, failure: Failure) -> None:
        self.failed += not failure.partial
        _log.info("left out: %s: %s", failure.path, failure.error)
        self.failures.append(failure)


def _is_file(met: Met) -> bool:
    """Whether a document is a file, named after its path; a record may have an id of its own."""
    return met.uri == met.id or met.uri.endswith(f"/{met.id}")
