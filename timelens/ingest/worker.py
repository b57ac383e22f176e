"""The process that reads and dates documents, so that a bad file can exhaust or break only this process.

The terms of a run and then its tasks arrive pickled on standard input; the answers to a task go pickled to
standard output, and ``None`` after the last. Each document has a budget: the system kills a process that
exceeds it (:mod:`timelens.ingest.supervisor` starts another). The process ends when its input ends.
"""

import gc
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from timelens.documents import Document
from timelens.errors import TimelensError, first_line
from timelens.faults import FaultError, fault_of
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.dating import DatedDocument, date_document
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.processes import Budget
from timelens.temporal.conventions import USUAL, Conventions

if sys.platform != "win32":
    import resource

CPU_SIGNAL = "SIGPROF"
WALL_SIGNAL = "SIGALRM"
"""Timers send these two, which end the process in the midst of anything; Windows has no such timers."""
NO_MEMORY = 12
"""What the process exits with where a document takes more memory than it may (ENOMEM)."""
_TICK = 1e-3
_DIGEST = 15
"""Bytes."""
OBJECTS_BETWEEN_COLLECTIONS = 100_000
_SAMPLE = Document(
    "sample", "", "", "The sentence of 5 May 2010 loads the splitter, the rules and the year model.", ""
)
"""Dated before the first document, so that no budget pays for what is loaded once."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Settings for all tasks of a run."""

    known: dict[str, str] | None
    """Content hash by id of the documents that need not be dated; ``None`` means those of the last terms."""
    conventions: Conventions = USUAL
    budget: Budget = field(default_factory=Budget)
    dates: bool = True
    """Whether documents are dated, or only read."""
    only: frozenset[str] | None = None
    """Ids of the documents to read; ``None`` means all."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read, or a document in memory."""

    given: SourceFile | Document
    columns: TableColumns = field(default_factory=TableColumns)
    skip: int = 0
    """Number of its documents and failures that an earlier process has already answered."""


@dataclass(frozen=True, slots=True)
class Met:
    """A document that was read and not yet dated."""

    id: str
    uri: str
    content_hash: str
    letters: int
    is_empty: bool
    is_dated: bool
    """Whether the dated document follows."""


TaskReply = Met | DatedDocument | Failure


def main() -> None:
    """Process the tasks on standard input until it ends."""
    sys.modules["torch"] = None  # type: ignore[assignment]  # spaCy would load it for models that are not used
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _leave_no_core()
    requests, answers = _taken(0, "rb"), _taken(1, "wb")
    waiting: queue.SimpleQueue[Terms | Task] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, waiting), daemon=True).start()
    try:
        _serve(waiting, answers)
    except MemoryError:
        os._exit(NO_MEMORY)
    except BrokenPipeError:
        os._exit(0)


def _taken(descriptor: int, mode: str) -> BinaryIO:
    """Standard input or output for this module only, so that libraries cannot use it."""
    stream = os.fdopen(os.dup(descriptor), mode)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    return stream  # type: ignore[return-value]  # it is binary by its mode


def _receive(requests: BinaryIO, waiting: "queue.SimpleQueue[Terms | Task]") -> None:
    """Receive requests; when the sender is gone, the process ends at once."""
    try:
        while True:
            waiting.put(pickle.load(requests))  # noqa: S301 -- the process that started this one wrote it
    finally:
        os._exit(0)


def _serve(waiting: "queue.SimpleQueue[Terms | Task]", answers: BinaryIO) -> None:
    """Answer each task with its documents and failures, and ``None`` at its end."""

    def send(answer: tuple[int, TaskReply] | None) -> None:
        answers.write(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
        answers.flush()

    send(None)  # ready
    known: dict[str, str] = {}
    reading = _Reading(Terms({}), known)
    while True:
        request = waiting.get()
        if isinstance(request, Terms):
            known = known if request.known is None else request.known
            reading = _Reading(request, known)
            continue
        for answer in reading.answers(request):
            with reading.limits.held():
                send(answer)
        reading.limits.hold()
        send(None)


class _Limits:
    """The budget of the current document."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._left: tuple[float, ...] = ()
        self._memory = 0

    def renew(self) -> None:
        """The next document begins."""
        self._left = (self._budget.cpu_seconds, self._budget.seconds)
        self._memory = _memory_taken() + (self._budget.memory_mib << 20)
        self._resume()

    def hold(self) -> None:
        """Suspend the budget for work that is not part of the document."""
        self._left = tuple(max(left, _TICK) for left in _set_timers((0, 0)))
        _limit_memory(None)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Context for work that is not part of the document; afterwards the budget applies again."""
        self.hold()
        before = _memory_taken()
        yield
        self._memory += max(0, _memory_taken() - before)
        self._resume()

    def _resume(self) -> None:
        _limit_memory(self._memory)
        _set_timers(self._left)


class _Reading:
    """Processes the tasks of a run."""

    def __init__(self, terms: Terms, known: dict[str, str]) -> None:
        self._terms = terms
        self._known = known
        self._dated: set[bytes] = set()
        """Digests of the ids of dated documents: small, because a file may hold very many."""
        self._faults: dict[str, FaultError] = {}
        self._is_warm = False
        self.limits = _Limits(terms.budget)

    def answers(self, task: Task) -> Iterator[tuple[int, TaskReply]]:
        """The answers for a file, each with its number among the file's documents and failures."""
        self.limits.renew()
        for number, item in enumerate(self._items(task), start=1):
            if number > task.skip:
                for answer in self._of_item(item):
                    yield number, answer
            self.limits.renew()

    def _items(self, task: Task) -> Iterator[Document | Failure]:
        """The documents and failures of a file; an error of the whole file is the last failure."""
        if isinstance(task.given, Document):
            yield task.given
            return
        try:
            yield from READERS[task.given.path.suffix.lower()](task.given, task.columns)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 -- a fault in one file does not stop the others
            yield self._failure(task.given.id, error)

    def _of_item(self, item: Document | Failure) -> Iterator[TaskReply]:
        if isinstance(item, Failure):
            yield item
            return
        if self._terms.only is not None and item.id not in self._terms.only:
            return
        is_empty = not item.facts and not item.text.strip()
        is_known = self._known.get(item.id) == item.content_hash
        digest = blake2b(item.id.encode(errors="surrogatepass"), digest_size=_DIGEST).digest()
        is_dated = self._terms.dates and not is_empty and not is_known and digest not in self._dated
        yield Met(item.id, item.uri, item.content_hash, len(item.text), is_empty, is_dated)
        if is_dated:
            self._dated.add(digest)
            if not self._is_warm:
                with self.limits.held():
                    date_document(_SAMPLE, self._terms.conventions)
                self._is_warm = True
            try:
                yield date_document(item, self._terms.conventions)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 -- the same
                yield self._failure(item.id, error)

    def _failure(self, path: str, error: Exception) -> Failure:
        """The failure for an error; an unexpected error gets one report, however often it occurs."""
        if isinstance(error, TimelensError):
            return Failure(path, error.message, error.hint)
        kind = f"{type(error).__name__}: {first_line(error)}"
        if kind not in self._faults:
            self._faults[kind] = fault_of(error)
        return Failure(path, self._faults[kind].message, self._faults[kind].hint)


def _leave_no_core() -> None:
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _set_timers(seconds: tuple[float, ...]) -> tuple[float, ...]:
    """Let the timers of processor time and of the clock run for so long. Returns what was left of them."""
    if sys.platform == "win32":
        return seconds
    timers = (signal.ITIMER_PROF, signal.ITIMER_REAL)
    return tuple(signal.setitimer(timer, time)[0] for timer, time in zip(timers, seconds, strict=True))


def _memory_taken() -> int:
    """Address space of this process in bytes; 0 if it cannot be limited."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _limit_memory(size: int | None) -> None:
    """Limit the address space to ``size`` bytes; ``None`` removes the limit."""
    if sys.platform != "linux":
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    allowed = [one for one in (size, hard) if one is not None and one != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(allowed, default=hard), hard))
