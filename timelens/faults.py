"""Faults of timelens itself: what is said of one, and the report that is kept of it."""

import os
import platform
import traceback
from datetime import datetime

from timelens.errors import ExitCode, TimelensError, first_line
from timelens.folders import home, open_log

_LONGEST_MESSAGE = 200


class FaultError(TimelensError):
    """An exception that nothing was prepared for, with where the report of it is."""

    exit_code = ExitCode.FAULT


def fault_of(error: BaseException) -> FaultError:
    """An unexpected exception as an error for the user; a report of it is added to a log in the home."""
    named = f"internal error in timelens: {type(error).__name__}: {first_line(error)[:_LONGEST_MESSAGE]}"
    try:
        path = home() / "log" / "faults.log"
        with os.fdopen(open_log(path), "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(_report(error))
    except Exception as problem:  # noqa: BLE001 -- the fault is what has to be told
        return FaultError(
            named,
            f"no report can be written ({first_line(problem)}); --debug shows where the error came from",
        )
    return FaultError(named, f"send this report with a bug report: {path}")


def _report(error: BaseException) -> str:
    """The traceback with the time and all versions; the command and what was read are not in it."""
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
