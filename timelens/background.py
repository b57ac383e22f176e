"""Work for event loops: in a thread beside the loop, one call after the other."""

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")

Steps = Generator[object, None, Result]
"""Work that pauses between its steps, and returns its result."""


def finish(steps: "Steps[Result]", stopped: Event | None = None) -> Result:
    """Carry out all steps and return the result.

    Args:
        steps: the work; it is closed in any case.
        stopped: where it is set between two steps, the rest is not carried out.

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
    """A thread that begins with the first call and carries out one call at a time, in order."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="timelens-background")

    async def result_of(self, begin: "Callable[[], Steps[Result]]") -> Result:
        """The result of steps that ``begin`` makes in the thread; the event loop goes on meanwhile.

        Cancelled, it raises at once. A call that has not begun is not carried out; of one that has, the step
        under way goes to its end in the thread, and no other step follows.
        """
        stopped = Event()
        call: Future[Result] = self._thread.submit(lambda: finish(begin(), stopped))
        try:
            return await asyncio.wrap_future(call)
        except asyncio.CancelledError:
            stopped.set()
            raise
