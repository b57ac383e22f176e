"""The terminal while the chat draws on it: who may write there, and how to leave it."""

import atexit
import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from timelens.errors import BadInputError
from timelens.folders import open_log


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
    screen = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="replace")
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


def leave_quickly(thread: threading.Thread, code: int) -> None:
    """Let the process end at once when it comes to that, whatever a daemon thread is doing.

    When the interpreter shuts down under a thread that is inside C++ (a model, the store), the thread is
    unwound by force, which may abort the process. So if the thread still lives at exit, the process ends
    there, with the exit code given. Otherwise the last garbage collection is spared its work: over all that
    torch and LanceDB have loaded it takes more than a second.
    """

    def leave() -> None:
        if thread.is_alive():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        gc.freeze()

    atexit.register(leave)
