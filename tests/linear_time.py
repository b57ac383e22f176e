"""Whether time grows no faster than the input, measured on a machine that is busy with other work."""

import time
from collections.abc import Callable

_TRIES = 5
_MARGIN = 3
"""How much longer than in proportion the larger input may take."""
_SLACK = 0.5
"""Seconds by which the larger input may be slower, whatever the smaller one takes."""


def assert_linear(run: Callable[[int], object], small: int, large: int) -> None:
    """Assert that ``run(large)`` takes no longer than in proportion to ``run(small)``, in the best of tries.

    The processor's time of both is compared in each try. A time that grows with the square fails all tries;
    a processor that other work slows down for a moment fails one.
    """

    def seconds(size: int) -> float:
        started = time.process_time()
        run(size)
        return time.process_time() - started

    run(small)
    tries: list[tuple[float, float]] = []
    for _ in range(_TRIES):
        tries.append((seconds(small), seconds(large)))
        short, long = tries[-1]
        if long < _MARGIN * large / small * short + _SLACK:
            return
    raise AssertionError(f"{large / small:.0f} times as much takes, in seconds: {tries}")
