"""Questions asked by several processes; each process opens the corpus and its models itself."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process

from timelens import Corpus, IngestProgress, IngestReport, Location, Settings, StoreError
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Dataset, Query

Ask = Callable[[Query], Result]


@dataclass(frozen=True, slots=True)
class Work:
    """The inputs of a worker process; sent to it pickled."""

    make: Callable[[Dataset, Corpus], Ask]
    """Makes the function that asks, from the dataset and the corpus. Defined in a module, to be pickled."""
    dataset: Dataset
    corpus: Location
    settings: Settings


Spread = Callable[[Work, Sequence[Query]], Iterator[Result]]
"""Asks questions in other processes, and yields each result as soon as it is ready."""


def without_documents(work: Work) -> Work:
    """The same work for processes that ingest nothing."""
    return replace(work, dataset=replace(work.dataset, ingest=_is_ingested))


def ask_all(jobs: int, work: Work, queries: Sequence[Query]) -> Iterator[Result]:
    """Ask questions in several processes, and yield each result as soon as it is ready, in any order.

    The processes end when this process ends, even if it is killed, and when the caller stops iterating;
    questions in progress are then lost.

    Raises:
        StoreError: the corpus cannot be read, or a process ended unexpectedly, for instance out of memory.
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
"""The ask function of a worker process; set once, at its start."""


def _start(work: Work, jobs: int) -> None:
    global _asks  # noqa: PLW0603 -- a process pool has no other place for per-worker state
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C
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
