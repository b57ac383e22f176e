"""Waits for what other threads and processes do, never without end."""

import time
from collections.abc import Callable


def until(
    holds: Callable[[], object], what: str = "it holds", *, seconds: float = 60, every: float = 0.02
) -> None:
    """Wait until something holds, asking every so many seconds.

    Raises:
        AssertionError: it still does not hold after ``seconds``; the message is ``what``.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(every)
