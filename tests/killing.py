"""Changes to a corpus, and processes that make one and kill themselves at a moment of it."""

import os
import shutil
import signal
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path

from unit.conftest import HashedEmbedder

from timelens.ingest import pipeline
from timelens.ingest.intake import Intake
from timelens.ingest.repair import Lost, repair
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import only_writer
from timelens.store.file_list import FileList
from timelens.store.lazy_import import load_on_demand

EMBEDDER = HashedEmbedder(token_limit=64)
OTHER = HashedEmbedder("other", dimension=8, token_limit=64)


def _ingest(folder: Path, corpus: Path, *, sync: bool = False) -> None:
    pipeline._CHUNKS_PER_WRITE = 4
    store = CorpusStore.create(corpus, EMBEDDER.identity)
    pipeline.ingest([folder], store, EMBEDDER, Intake(sync=sync, remove_most=sync))


def _reembed(_: Path, corpus: Path) -> None:
    pipeline.reembed(CorpusStore(corpus), OTHER)


def _remove(_: Path, corpus: Path) -> None:
    with only_writer(corpus):
        CorpusStore.erase(corpus)


def _compact(_: Path, corpus: Path) -> None:
    store = CorpusStore(corpus)
    with only_writer(corpus), store.changing():
        store.compact(patience=0)


def _repair(_: Path, corpus: Path) -> None:
    repair(corpus, EMBEDDER, lost=Lost.REMOVE)


CHANGES: dict[str, Callable[[Path, Path], None]] = {
    "make": _ingest,
    "add": _ingest,
    "change": _ingest,
    "sync": lambda folder, corpus: _ingest(folder, corpus, sync=True),
    "reembed": _reembed,
    "migrate": _ingest,
    "compact": _compact,
    "repair": _repair,
    "remove": _remove,
}


class _Boundaries:
    """Counts what makes a lasting change, and ends the process before or after one of them."""

    def __init__(self, when: str, number: int) -> None:
        self.when, self.number, self.count = when, number, 0

    def around(self, owner: object, name: str) -> None:
        act = getattr(owner, name)

        @wraps(act)
        def counted(*arguments: object, **options: object) -> object:
            self.count += 1
            here = self.count == self.number
            if here and self.when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            done = act(*arguments, **options)
            if here and self.when == "after":
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(owner, name, counted)


class _Watch:
    """Counts the files that come into a corpus, and ends the process at one of them."""

    def __init__(self, corpus: Path, number: int) -> None:
        self.corpus, self.number = corpus, number
        self.there = self._names()
        self.come: set[str] = set()

    def _names(self) -> set[str]:
        return {f"{place}/{name}" for place, _, names in os.walk(self.corpus) for name in names}

    def run(self) -> None:
        while True:
            self.come |= self._names() - self.there
            if 0 < self.number <= len(self.come):
                os.kill(os.getpid(), signal.SIGKILL)


def run(change: str, folder: Path, corpus: Path, when: str, number: int, counts: Path) -> None:
    """Make a change in this process, which ends at a moment of it.

    The moments are ``before`` and ``after`` the commit, index, rename or list of files of that number, and
    ``file``: as soon as so many new files are seen in the corpus, whoever writes them. ``none`` disturbs
    nothing, and writes down how many there are of both.
    """
    load_on_demand("lance_namespace_urllib3_client")  # a second at each start
    from lancedb.db import LanceDBConnection
    from lancedb.merge import LanceMergeInsertBuilder
    from lancedb.table import LanceTable

    boundaries = _Boundaries(when, number)
    for name in ("update", "delete", "optimize", "create_index", "add_columns"):
        boundaries.around(LanceTable, name)
    for owner, name in (
        (LanceDBConnection, "create_table"),
        (LanceMergeInsertBuilder, "execute"),
        (FileList, "write"),
        (Path, "rename"),
        (shutil, "rmtree"),
    ):
        boundaries.around(owner, name)
    watch = _Watch(corpus, number if when == "file" else 0)
    if when in {"none", "file"}:
        threading.Thread(target=watch.run, daemon=True).start()
    CHANGES[change](folder, corpus)
    counts.write_text(f"{boundaries.count} {len(watch.come)}")
