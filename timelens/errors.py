"""Errors for the user, and their exit codes."""

import re
from enum import IntEnum
from typing import Self


class ExitCode(IntEnum):
    """Exit codes of the command line."""

    DONE = 0
    DONE_WITH_FAILURES = 1
    BAD_INPUT = 2
    MISSING = 3
    STORE = 4
    FAULT = 70
    """An internal error of timelens (EX_SOFTWARE of sysexits.h)."""
    OUTPUT = 74
    """Standard output or standard error cannot be written (EX_IOERR)."""
    INTERRUPTED = 130


_LONGEST_SAID = 120
_IN_SOURCES = re.compile(
    r",? ?(?<![^\s,])[^\s,]*/(?:\.cargo/registry|rustc)/[^\s,]+"
    r"|Encountered internal error\. Please file a bug report at \S+ "
)
"""What only the makers of a library can use in its messages: a place in its sources.

A word is tried from its beginning alone: from each of its letters would take a minute for a word of 100,000.
"""


def on_one_line(error: BaseException) -> str:
    """The message of an exception on one line, of bounded length; its class if it has no message."""
    return " ".join(_IN_SOURCES.sub("", str(error)).split())[:_LONGEST_SAID] or type(error).__name__


def first_line(error: BaseException) -> str:
    """The first line of the message of an error; its class if it has no message."""
    return (_IN_SOURCES.sub("", str(error)).strip() or type(error).__name__).splitlines()[0]


def reason_of(error: BaseException) -> str:
    """What the operating system says of an error, without the path and the number; else its message."""
    return str(getattr(error, "strerror", None) or error)


class TimelensError(Exception):
    """An error that a user can act on.

    Attributes:
        message: the problem, with the name of the affected thing, in one line.
        hint: the remedy, in one line.
        exit_code: the exit code of the command line.
    """

    exit_code = ExitCode.BAD_INPUT

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Support pickling, for transport between processes."""
        return type(self), (self.message, self.hint)


class BadInputError(TimelensError):
    """A question, file, option or configuration that cannot be used as it is."""


class MissingError(TimelensError):
    """A corpus, model, server, file or optional package that is not there."""

    exit_code = ExitCode.MISSING


class OutputError(TimelensError):
    """Standard output or standard error that cannot be written."""

    exit_code = ExitCode.OUTPUT


class StoreError(TimelensError):
    """A corpus that is locked, corrupt, or made by another version or embedder; a run that is locked."""

    exit_code = ExitCode.STORE
