"""The terminal while the chat draws on it: who may write there, and how to leave it."""

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
"""What a shell adds to the number of the signal that ended a program."""


@contextmanager
def noise_to(log: Path) -> Iterator[None]:
    """Send what native libraries write to file descriptor 2 to a log file, not onto the screen.

    Textual draws on ``sys.__stderr__``, which is file descriptor 2 as well; it gets a duplicate. Both are as
    before afterwards.

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
    """The terminal to draw on. Drawing on one that was closed does nothing."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes; all of them count as written where nobody can see them any more."""
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return memoryview(data).nbytes


def tell_of_end(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with an exit code, on the running loop, when the program is to end.

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
        poll.register(terminal, 0)  # a hangup is told of, whatever is asked for
        if not any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll()):
            return  # a system that cannot tell of a terminal
        with suppress(RuntimeError):  # the chat has ended
            loop.call_soon_threadsafe(leave, _OF_SIGNALS + signal.SIGHUP)

    threading.Thread(target=wait, name="timelens-hangup", daemon=True).start()


def leave_quickly(is_busy: Callable[[], bool], code: int) -> None:
    """Let the process end at once when it comes to that, whatever a daemon thread is doing.

    When the interpreter shuts down under a thread that is inside C++ (a model, the store), the thread is
    unwound by force, which may abort the process. So if a thread is still busy at exit, the process ends
    there, with the exit code given. Otherwise the last garbage collection is spared its work: over all that
    torch and LanceDB have loaded it takes more than a second.
    """

    def leave() -> None:
        if is_busy():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        gc.freeze()

    atexit.register(leave)
