"""Reads and dates documents in another process (:mod:`timelens.ingest.worker`), each within its budget.

A thread of its own talks with that process and keeps ahead of what the caller takes, so that documents are
read while others are embedded. Where the process ends over a document, the document is a failure, another
process is started, and the rest goes on.
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

from timelens.errors import BadInputError
from timelens.ingest.annotate import DatedDocument
from timelens.ingest.failures import Failure
from timelens.ingest.worker import CPU_SIGNAL, NO_MEMORY, WALL_SIGNAL, Answer, Met, Task, Terms
from timelens.processes import Budget, ending_signal, own_command, own_environment

_AHEAD = 1_000_000
"""Letters of documents that are read before they are taken."""
_WEIGHT = 200
"""What an answer weighs in letters, beside its text, and a fact of it."""
_SECONDS_TO_WAIT = 1.0
_SECONDS_TO_END = 5.0


class Moment(Enum):
    """What happens beside answers."""

    TASK_DONE = auto()
    WAITING = auto()
    """Nothing came for a second; the caller may want to say so, or to stop."""


def read_apart(tasks: Sequence[Task], terms: Terms) -> Generator[Answer | Moment, None, None]:
    """The answers to tasks, in their order. Close the iterator where it is not taken to its end.

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
    """Start the process that the next call of :func:`read_apart` will need."""
    if not _IDLE:
        _IDLE.append(_Process())


class _StoppedError(Exception):
    """Nobody takes answers any more."""


class _Process:
    """The other process."""

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
                process_group=0,  # Ctrl+C and Ctrl+Z are for the process that waits for this one
            )
        except OSError as error:
            raise _not_started(error.strerror or str(error)) from error

    @property
    def is_usable(self) -> bool:
        """Whether it is there, and was not inherited from a process that was forked."""
        return self._owner == os.getpid() and self._popen.poll() is None

    def wait_until_ready(self) -> None:
        """Wait for the end of its start.

        Raises:
            BadInputError: it ended before.
        """
        try:
            if not self._is_ready:
                self.receive()
        except EOFError as error:
            raise _not_started(_ending(self.end())) from error
        self._is_ready = True

    def begin(self, terms: Terms) -> None:
        """Send what holds for the tasks that follow; what is known already is not sent again."""
        self.send(replace(terms, known=None) if terms.known is self._known else terms)
        self._known = terms.known

    def send(self, request: Terms | Task) -> None:
        """Send a request; where the process is gone, :meth:`receive` says so."""
        stream: Any = self._popen.stdin
        with suppress(BrokenPipeError):
            pickle.dump(request, stream, pickle.HIGHEST_PROTOCOL)
            stream.flush()

    def receive(self) -> tuple[int, Answer] | None:
        """The next answer to a task, with the number of its document; ``None`` after the last.

        Raises:
            EOFError: the process ended.
        """
        stream: Any = self._popen.stdout
        try:
            answer: tuple[int, Answer] | None = pickle.load(stream)  # noqa: S301 -- of this very program
        except pickle.UnpicklingError as error:
            raise EOFError from error
        return answer

    def kill(self) -> None:
        """End it at once."""
        self._popen.kill()

    def end(self) -> int:
        """Make sure that it ended. Returns its exit code; a signal is negative."""
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            return self._popen.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            return self._popen.wait()


_IDLE: list[_Process] = []
"""The process of the last run, if it ended well: a watcher and the chat need it again."""


@atexit.register
def end_idle() -> None:
    """End the process that waits for another run, if one does."""
    while _IDLE:
        _IDLE.pop().end()


def _taken_or_started() -> _Process:
    while _IDLE:
        process = _IDLE.pop()
        if process.is_usable:
            return process
        process.end()
    return _Process()


class _Ahead:
    """What was answered and not yet taken, between two threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[tuple[Answer | Moment | BaseException | None, int]] = deque()
        self._weight = 0
        self.is_closed = False

    def put(self, outcome: Answer | Moment | BaseException | None) -> None:
        """Add an outcome, when there is room.

        Raises:
            _StoppedError: nobody will take it.
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

    def take(self) -> Answer | Moment | BaseException | None:
        """The next outcome."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting, _SECONDS_TO_WAIT):
                return Moment.WAITING
            outcome, weight = self._waiting.popleft()
            self._weight -= weight
            self._changed.notify_all()
            return outcome

    def close(self) -> None:
        """Take nothing any more."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()


class _Conversation:
    """The thread that gives the other process its tasks."""

    def __init__(self, tasks: Sequence[Task], terms: Terms) -> None:
        self._tasks = tasks
        self._terms = terms
        self._process: _Process | None = None
        self._owning = threading.Lock()
        self.ahead = _Ahead()
        self.thread = threading.Thread(target=self._talk, name="timelens-reading", daemon=True)

    def stop(self) -> None:
        """End the thread, and the process where it is at work."""
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
                if self._process is not None and not self.ahead.is_closed and not _IDLE:
                    _IDLE.append(self._process)
                    self._process = None
        except BaseException as error:  # noqa: BLE001 -- the thread's edge: the caller raises it
            last = error
        if self._process is not None:
            self._process.kill()
            self._process.end()
        with suppress(_StoppedError):
            self.ahead.put(last)

    def _do(self, task: Task) -> None:
        """Put all answers to a task; where the process ends over a document, begin again behind it."""
        begun: int | None = task.skip
        while begun is not None:
            begun = self._attempt(replace(task, skip=begun))

    def _attempt(self, task: Task) -> int | None:
        """Put answers to a task, until the process ends.

        Returns:
            How many documents and failures to skip the next time; ``None`` where nothing more can be read.
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
        """The process that knows of this run."""
        if self._process is None:
            self._process = _taken_or_started()
            if self.ahead.is_closed:
                raise _StoppedError
            self._process.wait_until_ready()
            self._process.begin(self._terms)
        return self._process


def _failure(task: Task, met: Answer | None, number: int, said: tuple[str, str]) -> Failure:
    """What is said where the process ended: over a document that it had met, or over what comes next."""
    error, hint = said
    if isinstance(met, Met):
        return Failure(met.id, error, hint)
    where = f"after its first {number}, " if number else ""
    rest = "; the rest of it was not read" if number else ""
    return Failure(task.given.id, f"{where}{error}{rest}", hint)


def _said(code: int, budget: Budget) -> tuple[str, str]:
    """(what was wrong, remedy) where the process ended with a code."""
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
