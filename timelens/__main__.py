"""The entry of the command line, also of ``python -m timelens``."""

import os
import signal
from contextlib import suppress

from timelens.errors import ExitCode


def main() -> None:
    """Load the command line, run it and exit; Ctrl+C ends the loading without a traceback."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from timelens.cli import main as run

    signal.signal(signal.SIGINT, before)
    run()


def _leave(*_: object) -> None:
    """End the process at once, because an import may turn a raised exception into another."""
    with suppress(OSError):
        os.write(2, b"timelens: interrupted\n")
    os._exit(ExitCode.INTERRUPTED)


if __name__ == "__main__":
    main()
