"""Standard output and standard error, which may be closed, full, or no longer read."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO, cast

from timelens import ExitCode, OutputError
from timelens.errors import first_line


class NobodyReadsError(Exception):
    """The reader of the output has stopped, as ``head`` does."""

    exit_code = ExitCode.DONE
    """What the command ends with."""


@contextmanager
def unread_ends_with(code: ExitCode) -> Iterator[None]:
    """Context in which the command ends with ``code`` if nobody reads its output any more."""
    try:
        yield
    except NobodyReadsError as error:
        error.exit_code = code
        raise


class _Stream:
    """A stream whose write errors name the stream; everything else is delegated."""

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
        """Write buffered text."""
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
    """Name the stream in errors of output that cannot be written; unencodable characters are escaped.

    An opened file must not get the descriptor of a closed stream: output of libraries would go into it.

    Raises:
        NobodyReadsError: the reader of the output has stopped.
        OutputError: output cannot be written, or standard output is closed.
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
    """Discard buffered output, which Python would otherwise try to write again at exit."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
