"""Connects a process to Ray: joins a cluster, or starts and ends one on this machine."""

import logging
import secrets
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from timelens.errors import BadInputError, MissingError, on_one_line
from timelens.processes import own_environment

LOOPBACK = "127.0.0.1"
_CONNECT_SECONDS = 5
_LONGEST_FOLDER = 20
"""Maximum length of the temporary folder; paths of sockets below it may have about a hundred characters."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # avoids a warning about a later version
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # of this process; those of Ray's own processes go into files
}
_ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""If it is 0 when Ray is imported, nodes use 127.0.0.1 on every system, and listen only there."""


def environment(*, starts: bool, on_loopback: bool) -> dict[str, str]:
    """The environment of a process that will connect to Ray.

    Args:
        starts: whether it starts its own Ray, whose processes authenticate with a new token.
        on_loopback: whether the node of this machine is at 127.0.0.1.
    """
    made = {**_QUIET, **own_environment()}
    if starts:
        made.pop("RAY_AUTH_MODE", None)  # without a mode, Ray requires tokens
        made["RAY_AUTH_TOKEN"] = secrets.token_hex(16)
    if on_loopback:
        made[_ON_LOOPBACK] = "0"
    return made


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for the files of a Ray on this machine, removed at the end of the block."""
    usual = tempfile.gettempdir()
    private = tempfile.mkdtemp(prefix="tl-", dir=usual if len(usual) < _LONGEST_FOLDER else "/tmp")  # noqa: S108
    try:
        yield Path(private)
    finally:
        shutil.rmtree(private, ignore_errors=True)


@contextmanager
def _own_end() -> Iterator[None]:
    """Restores what SIGTERM does in this process, which Ray replaces when it is started or joined."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        # ``None`` is a handler that was not set from Python and cannot be restored.
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


@contextmanager
def started(folder: Path, workers: int | None) -> Iterator[None]:
    """A Ray on this machine that listens only on loopback and ends with the block.

    Args:
        folder: for its files; removed at the end, because its creator may be gone.
        workers: number of cores to use; ``None`` for all.

    Raises:
        MissingError: it cannot be started.
    """
    import ray

    with _own_end():
        try:
            _begin(
                "Ray cannot be started on this machine",
                "it needs free memory, disk in the folder for temporary files, and ports of 127.0.0.1",
                address="local",
                num_cpus=workers,
                include_dashboard=False,
                _node_ip_address=LOOPBACK,
                _temp_dir=str(folder / "ray"),  # Ray makes it writable for all users
            )
            yield
        finally:
            ray.shutdown(wait_for_processes=True)
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def connected(address: str) -> Iterator[None]:
    """The cluster at an address: ``auto`` for the one that this machine is in, or ``HOST:PORT`` of its head.

    Raises:
        MissingError: there is no such cluster.
        BadInputError: the address is not valid.
    """
    import ray

    if address != "auto":
        _require_answer(address)
        _require_node(address)
    with _own_end():
        _begin(
            f"the cluster at {address} cannot be joined",
            "check the address, and that Ray and Python have the same versions there",
            address=address,
        )
        try:
            yield
        finally:
            ray.shutdown()


def _begin(wrong: str, remedy: str, **options: object) -> None:
    """Start Ray or join it.

    Raises:
        MissingError: that fails; with ``wrong`` and ``remedy`` as its message.
    """
    import ray

    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:
        ray.shutdown()
        raise MissingError(f"{wrong}: {on_one_line(error)}", remedy) from error


def _require_answer(address: str) -> None:
    """Check that something listens at an address; Ray itself would wait for long.

    Raises:
        BadInputError: the address is not valid.
        MissingError: nothing listens there.
    """
    if address.startswith("ray://"):
        raise BadInputError(
            "Ray Data does not work through a client of Ray",
            "run it on a machine of the cluster: --address auto",
        )
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise BadInputError(f"{address} is no address of a cluster", "write auto or HOST:PORT")
    try:
        with closing(socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS)):
            pass
    except OSError as error:
        raise MissingError(
            f"there is no cluster at {address}: {error.strerror or on_one_line(error)}",
            "start one there (ray start --head), or name no address",
        ) from error


def _require_node(address: str) -> None:
    """Check that this machine is a node of a cluster; Ray itself would wait forever.

    Raises:
        MissingError: it is not, or the address is not that of a cluster.
    """
    import ray
    from ray._raylet import GcsClient

    own = ray.util.get_node_ip_address()
    try:
        nodes = GcsClient(address=address).get_all_node_info(timeout=_CONNECT_SECONDS).values()
    except Exception as error:
        raise MissingError(
            f"there is no cluster at {address}: {on_one_line(error)}",
            "check the address, and the versions and tokens of both sides",
        ) from error
    if own not in {node.node_manager_address for node in nodes}:
        raise MissingError(
            f"this machine ({own}) is no node of the cluster at {address}",
            f"make it one (ray start --address {address}), or run the command on one",
        )
