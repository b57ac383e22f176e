"""Questions asked by several processes: each opens the corpus and its models for itself."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process

from timelens import Corpus, IngestProgress, IngestReport, Location, Settings, StoreError
from timelens.bench.data import Dataset, Query
from timelens.bench.runs import Result

Ask = Callable[[Query], Result]


@dataclass(frozen=True, slots=True)
class Work:
    """All that a process needs; it is sent there pickled."""

    make: Callable[[Dataset, Corpus], Ask]
    """From what is there to be asked to the function that asks, a function of a module."""
    dataset: Dataset
    corpus: Location
    settings: Settings


Spread = Callable[[Work, Sequence[Query]], Iterator[Result]]
"""Has questions asked by other processes, and gives each result as soon as it is there."""


def without_documents(work: Work) -> Work:
    """The same to be sent to where nothing is brought in."""
    return replace(work, dataset=replace(work.dataset, ingest=_is_ingested))


def ask_all(jobs: int, work: Work, queries: Sequence[Query]) -> Iterator[Result]:
    """Ask questions in several processes, and give each result as soon as it is there, in any order.

    The processes end with this one, even where it is killed, and when the caller stops asking; what is being
    asked then is lost.

    Raises:
        StoreError: the corpus cannot be read, or a process came to its end, for want of memory say.
    """
    # a forked process would inherit the threads' locks of LanceDB and torch, but not the threads
    pool = ProcessPoolExecutor(
        min(jobs, len(queries)) or 1,
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(without_documents(work), jobs),
    )
    try:
        for future in as_completed([pool.submit(_ask, query) for query in queries]):
            yield future.result()
    except BrokenProcessPool as error:
        raise StoreError(
            "a process that asks questions ended unexpectedly", "go on with --resume and fewer --jobs"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


_asks: Ask
"""Of a worker: how it asks. Set once, when it starts."""


def _start(work: Work, jobs: int) -> None:
    global _asks  # noqa: PLW0603 -- a process pool has no other place for what its workers keep
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    share = max(1, (os.cpu_count() or 1) // jobs)
    os.environ.setdefault("OMP_NUM_THREADS", str(share))  # read when the embedder is first loaded
    _asks = work.make(work.dataset, Corpus(work.corpus, work.settings))


def _ask(query: Query) -> Result:
    return _asks(query)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _is_ingested(_into: Corpus, _on_progress: Callable[[IngestProgress], None]) -> IngestReport:
    raise AssertionError("documents are brought in before questions are asked")
