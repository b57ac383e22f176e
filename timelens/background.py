"""Runs work for event loops in a separate thread, one call at a time."""

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")

Steps = Generator[object, None, Result]
"""Work as a generator that pauses between steps and returns its result."""


def finish(steps: "Steps[Result]", stopped: Event | None = None) -> Result:
    """Run all steps and return the result.

    Args:
        steps: the work; it is always closed.
        stopped: if it is set between two steps, the rest is not run.

    Raises:
        CancelledError: ``stopped`` was set.
    """
    try:
        while stopped is None or not stopped.is_set():
            next(steps)
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        steps.close()
    raise CancelledError


class Background:
    """A thread that starts with the first call and runs one call at a time, in order."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="timelens-background")

    async def result_of(self, begin: "Callable[[], Steps[Result]]") -> Result:
        """The result of the steps that ``begin`` makes in the thread; the event loop is not blocked.

        If cancelled, it raises at once. A call that has not begun is never run; a running call finishes its
        current step in the thread, and no other step follows.
        """
        stopped = Event()
        call: Future[Result] = self._thread.submit(lambda: finish(begin(), stopped))
        try:
            return await asyncio.wrap_future(call)
        except asyncio.CancelledError:
            stopped.set()
            raise
