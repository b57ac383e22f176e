"""Reads and dates documents in another process (:mod:`timelens.ingest.worker`), each within its budget.

A separate thread talks to that process and stays ahead of the caller, so that documents are read while others
are embedded. If the process dies on a document, the document becomes a failure, another process is started,
and the run continues.
"""

import atexit
import os
import pickle
import subprocess
import threading
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from timelens.errors import BadInputError, reason_of
from timelens.ingest.dating import DatedDocument
from timelens.ingest.failures import Failure
from timelens.ingest.worker import CPU_SIGNAL, NO_MEMORY, WALL_SIGNAL, Met, Task, TaskReply, Terms
from timelens.processes import Budget, ending_signal, own_command, own_environment

_AHEAD = 1_000_000
"""Most characters of documents read ahead of the caller."""
_WEIGHT = 200
"""Weight in characters of an answer, in addition to its text, and of each of its facts."""
_SECONDS_TO_WAIT = 1.0
_SECONDS_TO_END = 5.0


class Moment(Enum):
    """Events other than answers."""

    TASK_DONE = auto()
    WAITING = auto()
    """Nothing came for a second; the caller may report this, or stop."""


def read_in_process(tasks: Sequence[Task], terms: Terms) -> Generator[TaskReply | Moment, None, None]:
    """The answers to tasks, in their order. Close the iterator if it is not exhausted.

    Raises:
        BadInputError: no process can be started.
    """
    conversation = _Conversation(tasks, terms)
    conversation.thread.start()
    try:
        while (outcome := conversation.ahead.take()) is not None:
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    finally:
        conversation.stop()


def start_ahead() -> None:
    """Start the process for the next call of :func:`read_in_process` in advance."""
    if _IDLE.is_empty:
        process = _Process()
        if not _IDLE.give(process):
            process.end()


class _StoppedError(Exception):
    """The caller takes no more answers."""


class _Process:
    """The process that reads and dates."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._is_ready = False
        self._known: dict[str, str] | None = None
        try:
            self._popen = subprocess.Popen(  # noqa: S603 -- a module of this package
                own_command("timelens.ingest.worker", "main"),
                env=own_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,  # Ctrl+C and Ctrl+Z go to the parent only
            )
        except OSError as error:
            raise _not_started(reason_of(error)) from error

    @property
    def is_usable(self) -> bool:
        """Whether the process runs and was started by this process (not by its parent before a fork)."""
        return self._owner == os.getpid() and self._popen.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until the process has started.

        Raises:
            BadInputError: the process ended before it was ready.
        """
        try:
            if not self._is_ready:
                self.receive()
        except EOFError as error:
            raise _not_started(_ending(self.end())) from error
        self._is_ready = True

    def begin(self, terms: Terms) -> None:
        """Send the terms of the following tasks; known hashes are not sent again if unchanged."""
        self.send(replace(terms, known=None) if terms.known is self._known else terms)
        self._known = terms.known

    def send(self, request: Terms | Task) -> None:
        """Send a request; if the process is gone, :meth:`receive` raises."""
        stream: Any = self._popen.stdin
        with suppress(BrokenPipeError):
            pickle.dump(request, stream, pickle.HIGHEST_PROTOCOL)
            stream.flush()

    def receive(self) -> tuple[int, TaskReply] | None:
        """The next answer to a task, with the number of its document; ``None`` after the last answer.

        Raises:
            EOFError: the process ended.
        """
        stream: Any = self._popen.stdout
        try:
            answer: tuple[int, TaskReply] | None = pickle.load(stream)  # noqa: S301 -- written by this program
        except pickle.UnpicklingError as error:
            raise EOFError from error
        return answer

    def kill(self) -> None:
        """Kill the process."""
        self._popen.kill()

    def end(self) -> int:
        """End the process. Returns its exit code, negative for a signal."""
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            return self._popen.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            return self._popen.wait()


class _Idle:
    """Place of at most one idle process, for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: _Process | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is none at this moment; another thread may give one at any time."""
        return self._process is None

    def give(self, process: _Process) -> bool:
        """Leave a process here. Returns whether there was room; otherwise the caller still has it."""
        with self._lock:
            if self._process is not None:
                return False
            self._process = process
            return True

    def take(self) -> _Process | None:
        """The idle process, which the caller has from now on; ``None`` if there is none."""
        with self._lock:
            process, self._process = self._process, None
            return process


_IDLE = _Idle()
"""The process of the last run, if it ended well, for reuse by a watcher or the chat."""


@atexit.register
def end_idle() -> None:
    """End the idle process, if there is one."""
    if (process := _IDLE.take()) is not None:
        process.end()


def _taken_or_started() -> _Process:
    process = _IDLE.take()
    if process is None:
        return _Process()
    if process.is_usable:
        return process
    process.end()
    return _Process()


class _Ahead:
    """Queue of answers between two threads, bounded by weight."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[tuple[TaskReply | Moment | BaseException | None, int]] = deque()
        self._weight = 0
        self.is_closed = False

    def put(self, outcome: TaskReply | Moment | BaseException | None) -> None:
        """Add an outcome; waits until there is room.

        Raises:
            _StoppedError: the queue is closed.
        """
        weight = _WEIGHT
        if isinstance(outcome, DatedDocument):
            weight += len(outcome.document.text) + _WEIGHT * len(outcome.document.facts)
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._weight < _AHEAD)
            if self.is_closed:
                raise _StoppedError
            self._waiting.append((outcome, weight))
            self._weight += weight
            self._changed.notify_all()

    def take(self) -> TaskReply | Moment | BaseException | None:
        """The next outcome, or ``Moment.WAITING`` after a second."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting, _SECONDS_TO_WAIT):
                return Moment.WAITING
            outcome, weight = self._waiting.popleft()
            self._weight -= weight
            self._changed.notify_all()
            return outcome

    def close(self) -> None:
        """Refuse further outcomes."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()


class _Conversation:
    """The thread that gives the process its tasks."""

    def __init__(self, tasks: Sequence[Task], terms: Terms) -> None:
        self._tasks = tasks
        self._terms = terms
        self._process: _Process | None = None
        self._owning = threading.Lock()
        self.ahead = _Ahead()
        self.thread = threading.Thread(target=self._talk, name="timelens-reading", daemon=True)

    def stop(self) -> None:
        """End the thread, and the process if it is working."""
        self.ahead.close()
        with self._owning:
            if self._process is not None:
                self._process.kill()
        self.thread.join()

    def _talk(self) -> None:
        last: BaseException | None = None
        try:
            for task in self._tasks:
                self._do(task)
                self.ahead.put(Moment.TASK_DONE)
            with self._owning:
                if self._process is not None and not self.ahead.is_closed and _IDLE.give(self._process):
                    self._process = None
        except BaseException as error:  # noqa: BLE001 -- top of the thread; the caller re-raises it
            last = error
        if self._process is not None:
            self._process.kill()
            self._process.end()
        with suppress(_StoppedError):
            self.ahead.put(last)

    def _do(self, task: Task) -> None:
        """Put all answers to a task; if the process dies on a document, continue after it."""
        begun: int | None = task.skip
        while begun is not None:
            begun = self._attempt(replace(task, skip=begun))

    def _attempt(self, task: Task) -> int | None:
        """Put answers to a task, until the task or the process ends.

        Returns:
            Number of documents and failures to skip next time; ``None`` if nothing more can be read.
        """
        process = self._running()
        process.send(task)
        number, last = task.skip, None
        try:
            while (answered := process.receive()) is not None:
                number, last = answered
                self.ahead.put(last)
        except EOFError:
            code = process.end()
            self._process = None
            if self.ahead.is_closed:
                raise _StoppedError from None
            dating = isinstance(last, Met) and last.is_dated
            self.ahead.put(_failure(task, last if dating else None, number, _said(code, self._terms.budget)))
            return number if dating else None
        return None

    def _running(self) -> _Process:
        """The process of this run, started if necessary."""
        if self._process is None:
            self._process = _taken_or_started()
            if self.ahead.is_closed:
                raise _StoppedError
            self._process.wait_until_ready()
            self._process.begin(self._terms)
        return self._process


def _failure(task: Task, met: TaskReply | None, number: int, said: tuple[str, str]) -> Failure:
    """The failure for a process that died on a document that it had met, or on the next part of a file."""
    error, hint = said
    if isinstance(met, Met):
        return Failure(met.id, error, hint)
    where = f"after its first {number}, " if number else ""
    rest = "; the rest of it was not read" if number else ""
    return Failure(task.given.id, f"{where}{error}{rest}", hint)


def _said(code: int, budget: Budget) -> tuple[str, str]:
    """(error, hint) for the exit code of the process."""
    divide = "split it, leave it out, or raise ingest."
    ended_by = ending_signal(code)
    if ended_by == CPU_SIGNAL:
        return (
            f"reading it takes more than {budget.cpu_seconds:g} s of processor time",
            f"{divide}cpu_seconds",
        )
    if ended_by == WALL_SIGNAL:
        return f"reading it takes more than {budget.seconds:g} s", f"{divide}seconds"
    if code == NO_MEMORY:
        return f"reading it takes more than {budget.memory_mib:,} MiB of memory", f"{divide}memory_mib"
    if ended_by == "SIGKILL":
        hint = "split it, leave it out, or close other programs"
        return "the system ended the process that read it, probably for lack of memory", hint
    return (
        f"the process that read it crashed ({_ending(code)})",
        "save it again in its own program, or leave it out",
    )


def _not_started(why: str) -> BadInputError:
    return BadInputError(
        f"the process that reads documents cannot be started ({why})",
        "run timelens doctor to see what is missing; close other programs if memory is short",
    )


def _ending(code: int) -> str:
    """The name of a signal, or an exit code."""
    return ending_signal(code) or f"exit code {code}"
