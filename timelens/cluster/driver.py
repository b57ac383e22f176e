"""The process that connects to Ray on behalf of the program (:mod:`timelens.cluster.joining`).

Ray ends a connected process silently if the head of the cluster or the node of this machine is gone. The
program itself is therefore not connected, and can report what happened.
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
"""Maximum time for leaving or ending Ray after the work."""
_SECONDS_BETWEEN_LOOKS = 0.2

Request = tuple[Callable[..., Iterable[bytes]], tuple[Any, ...]]
"""A function that yields pickled items, and its arguments."""


class Done:
    """The end of an answer to a request, after its items or after a ``Raised`` that replaces the rest."""


_DONE = pickle.dumps(Done())


def main() -> None:
    """Answer requests until their pipe is closed.

    Arguments of the process: the file descriptor of the pipe and the address of the cluster; or an empty
    address, the folder for a Ray on this machine, and the number of cores to use (empty for all).
    """
    number, address, *own = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be inherited as ignored
    with Connection(int(number)) as pipe, suppress(BrokenPipeError):
        try:
            with connected(address) if address else _started(*own):
                pipe.send_bytes(_DONE)
                _serve(pipe)
        except Exception as error:  # noqa: BLE001 -- the edge of the process: the program raises it
            _send_error(pipe, error)


def _started(folder: str, workers: str) -> AbstractContextManager[None]:
    return started(Path(folder), int(workers) if workers else None)


def _serve(pipe: Connection) -> None:
    """Answer requests; if the pipe is closed during one, abandon it."""
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
    """Interrupt this thread, as Ctrl+C does, if the pipe is closed; no request arrives during the block."""
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
    """End this process after a delay, even if Ray blocks it."""
    timer = threading.Timer(SECONDS_TO_END, os._exit, [1])
    timer.daemon = True
    timer.start()
