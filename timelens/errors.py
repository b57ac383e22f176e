"""What can go wrong, in words for the user, and the exit code each kind leads to."""

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
    """A fault of timelens itself (EX_SOFTWARE of sysexits.h)."""
    OUTPUT = 74
    """Standard output or standard error cannot be written (EX_IOERR)."""
    INTERRUPTED = 130


_LONGEST_SAID = 120


def on_one_line(error: BaseException) -> str:
    """All of an exception's message on one line, of bounded length, or its class if it has none."""
    return " ".join(str(error).split())[:_LONGEST_SAID] or type(error).__name__


def first_line(error: BaseException) -> str:
    """The first line of what an error says, else its kind."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


class TimelensError(Exception):
    """An error that a user can act on.

    Attributes:
        message: what is wrong, naming the thing, in one line.
        hint: the remedy, in one line.
        exit_code: what the command line exits with.
    """

    exit_code = ExitCode.BAD_INPUT

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """As it is sent from one process to another."""
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
