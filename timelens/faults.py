"""Unexpected exceptions: their message for the user, and their report in a log."""

import os
import platform
import traceback
from datetime import datetime

from timelens.errors import ExitCode, TimelensError, first_line
from timelens.folders import home, open_log

_LONGEST_MESSAGE = 200


class FaultError(TimelensError):
    """An unexpected exception, with the place of its report."""

    exit_code = ExitCode.FAULT


def fault_of(error: BaseException) -> FaultError:
    """An unexpected exception as an error for the user; its report is appended to a log in the home."""
    named = f"internal error in timelens: {type(error).__name__}: {first_line(error)[:_LONGEST_MESSAGE]}"
    try:
        path = home() / "log" / "faults.log"
        with os.fdopen(open_log(path), "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(_report(error))
    except Exception as problem:  # noqa: BLE001 -- the original error must be reported in any case
        return FaultError(
            named,
            f"no report can be written ({first_line(problem)}); --debug shows where the error came from",
        )
    return FaultError(named, f"send this report with a bug report: {path}")


def _report(error: BaseException) -> str:
    """The traceback with the time and all versions, without the command.

    The message of the error is part of the traceback, and may quote what was read.
    """
    from importlib import metadata

    packages = {str(one.metadata["Name"]): one.version for one in metadata.distributions()}
    return "\n".join(
        [
            f"=== {datetime.now().astimezone().isoformat(timespec='seconds')}",
            f"Python {platform.python_version()}, {platform.platform()}",
            "".join(traceback.format_exception(error)),
            *(f"{name} {version}" for name, version in sorted(packages.items())),
            "",
            "",
        ]
    )
