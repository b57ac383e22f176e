"""The process that is connected to Ray for another (:mod:`timelens.cluster.joining`).

Ray ends the process that is connected to it, at once and without a word, where the head of the cluster or the
node of this machine is gone. So it is not the one that was called, which can then say what happened.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from timelens.cluster.connection import connected, started
from timelens.cluster.work import Raised

SECONDS_TO_END = 60.0
"""That leaving or ending Ray may take, when there is nothing more to do."""
_SECONDS_BETWEEN_LOOKS = 0.2

Request = tuple[Callable[..., Iterable[bytes]], tuple[Any, ...]]
"""A function that gives pickled items, and its arguments."""


class Done:
    """What ends the answer to a request, after its items, or after a ``Raised`` in the place of the rest."""


_DONE = pickle.dumps(Done())


def main() -> None:
    """Answer requests until the pipe they come through is closed.

    The arguments of the process are the number of the pipe and the address of the cluster; or nothing, the
    folder for a Ray of this machine, and the number of cores to use or nothing for all.
    """
    number, address, *own = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which may have been inherited as ignored
    with Connection(int(number)) as pipe, suppress(BrokenPipeError):
        try:
            with connected(address) if address else _started(*own):
                pipe.send_bytes(_DONE)
                _serve(pipe)
        except Exception as error:  # noqa: BLE001 -- the edge of the process: the other one raises it
            _send_error(pipe, error)


def _started(folder: str, workers: str) -> AbstractContextManager[None]:
    return started(Path(folder), int(workers) if workers else None)


def _serve(pipe: Connection) -> None:
    """Answer requests; where the pipe is closed in the midst of one, leave it."""
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            function, arguments = pipe.recv()
            try:
                with _interrupted_when_closed(pipe):
                    for item in function(*arguments):
                        pipe.send_bytes(item)
            except BrokenPipeError:
                break
            except Exception as error:  # noqa: BLE001 -- the same
                _send_error(pipe, error)
            else:
                pipe.send_bytes(_DONE)
    _end_soon()


def _send_error(pipe: Connection, error: Exception) -> None:
    pipe.send_bytes(pickle.dumps(Raised.of(error)))
    pipe.send_bytes(_DONE)


@contextmanager
def _interrupted_when_closed(pipe: Connection) -> Iterator[None]:
    """Interrupt this thread as Ctrl+C does when the pipe is closed, through which nothing comes meanwhile."""
    over, caller = threading.Event(), threading.get_ident()

    def watch() -> None:
        while not over.wait(_SECONDS_BETWEEN_LOOKS):
            if pipe.poll() and not over.is_set():
                _end_soon()
                signal.pthread_kill(caller, signal.SIGINT)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _end_soon() -> None:
    """End this process even if Ray does not let go of it."""
    timer = threading.Timer(SECONDS_TO_END, os._exit, [1])
    timer.daemon = True
    timer.start()
