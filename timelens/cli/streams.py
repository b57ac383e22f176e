"""Standard output and standard error as they may be: closed, full, or read by nobody any more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO, cast

from timelens import OutputError
from timelens.errors import first_line


class NobodyReadsError(Exception):
    """Whoever read the output has stopped, as ``head`` does."""


class _Stream:
    """A stream that says which one it is when it cannot be written; all else is that of the stream."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- that of the stream
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        with self._told():
            return self._stream.write(text)

    def flush(self) -> None:
        """Write what waits."""
        with self._told():
            self._stream.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError as error:
            raise NobodyReadsError from error
        except OSError as error:
            raise OutputError(
                f"{self._name} cannot be written: {error.strerror or first_line(error)}",
                "make room, or write it elsewhere",
            ) from error


@contextmanager
def checked_output() -> Iterator[None]:
    """Say of an output that cannot be written which one it is; what it has no signs for is escaped.

    A file that is opened must not get the number of a closed stream: what libraries print would go into it.

    Raises:
        NobodyReadsError: whoever read it has stopped.
        OutputError: it cannot be written, or standard output is closed.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed", "leave it open; >/dev/null discards it")
    if sys.stderr is None:
        while (descriptor := os.open(os.devnull, os.O_RDWR)) < 2:
            pass
        sys.stderr = os.fdopen(descriptor, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    out, err = _Stream(sys.stdout, "standard output"), _Stream(sys.stderr, "standard error")
    with redirect_stdout(cast("TextIO", out)), redirect_stderr(cast("TextIO", err)):
        try:
            yield
        finally:
            out.flush()


def give_up_output() -> None:
    """Discard what waits to be written, which Python would try again at its end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
