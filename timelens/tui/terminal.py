"""The terminal while the chat draws on it: redirected output, hangups, and a quick exit."""

import asyncio
import atexit
import errno
import gc
import io
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import BadInputError
from timelens.folders import open_log

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_OF_SIGNALS = 128
"""Offset that a shell adds to the number of the signal that ended a program."""


@contextmanager
def noise_to(log: Path) -> Iterator[None]:
    """Send what native libraries write to file descriptor 2 to a log file instead of the screen.

    Textual draws on ``sys.__stderr__``, which is also file descriptor 2; it gets a duplicate. Both are
    restored afterwards.

    Raises:
        BadInputError: the log cannot be written.
    """
    try:
        log_fd = open_log(log)
    except OSError as error:
        raise BadInputError(
            f"{log} cannot be written: {error.strerror}", "set TIMELENS_HOME to a folder that can be written"
        ) from error
    before = sys.__stderr__
    original = os.dup(2)
    screen = io.TextIOWrapper(
        io.BufferedWriter(_Screen(os.dup(2), "w")), encoding="utf-8", errors="replace", line_buffering=True
    )
    sys.stderr.flush()
    os.dup2(log_fd, 2)
    os.close(log_fd)
    sys.__stderr__ = screen  # type: ignore[misc] # final, but the only way to tell Textual where to draw
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(original, 2)
        os.close(original)
        sys.__stderr__ = before  # type: ignore[misc]
        screen.close()


class _Screen(io.FileIO):
    """The terminal to draw on. Writing to a closed terminal does nothing."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes; if the terminal is gone, all bytes count as written."""
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return memoryview(data).nbytes


def call_at_termination(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with an exit code, on the running loop, when the program has to end.

    That is at SIGTERM and SIGHUP, and when the terminal is closed. The signal of that reaches the leader of
    the session alone, which need not be this program (it is ``make`` under ``make chat``). Windows sends no
    such signals: there the system ends the program with its window.
    """
    if sys.platform == "win32":
        return
    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, leave, _OF_SIGNALS + number)

    def wait() -> None:
        poll = select.poll()
        poll.register(terminal, 0)  # a hangup is always reported, whatever events are registered
        if not any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll()):
            return  # the system cannot report a hangup
        with suppress(RuntimeError):  # the chat has ended
            loop.call_soon_threadsafe(leave, _OF_SIGNALS + signal.SIGHUP)

    threading.Thread(target=wait, name="timelens-hangup", daemon=True).start()


def leave_quickly(is_busy: Callable[[], bool], code: int) -> None:
    """At exit, end the process at once, even if a daemon thread is busy.

    If the interpreter shuts down while a thread is inside C++ (a model, the store), the thread is unwound by
    force, which may abort the process. So if a thread is still busy at exit, the process ends immediately
    with the given exit code. Otherwise the final garbage collection is skipped: with torch and LanceDB loaded
    it takes more than a second.
    """

    def leave() -> None:
        if is_busy():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        gc.freeze()

    atexit.register(leave)
