"""How a process is connected to Ray: it joins a cluster, or starts one on this machine and ends it."""

import logging
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from timelens.errors import BadInputError, MissingError, on_one_line
from timelens.processes import own_environment

LOOPBACK = "127.0.0.1"
_CONNECT_SECONDS = 5
_LONGEST_FOLDER = 20
"""Characters of the folder for temporary files; sockets below it may have some hundred in all."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of what a later version will do
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # of this process; those of Ray's own processes go into files
}
_ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Where it is 0 when Ray is imported, a node is at 127.0.0.1 on every system, and listens there alone."""


def environment(*, starts: bool, on_loopback: bool) -> dict[str, str]:
    """The environment of a process that is going to be connected to Ray.

    Args:
        starts: whether it starts a Ray of its own, whose processes show each other a new token.
        on_loopback: whether the node of this machine is at 127.0.0.1.
    """
    made = {**_QUIET, **own_environment()}
    if starts:
        made.pop("RAY_AUTH_MODE", None)  # without a mode it asks for tokens
        made["RAY_AUTH_TOKEN"] = secrets.token_hex(16)
    if on_loopback:
        made[_ON_LOOPBACK] = "0"
    return made


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for the files of a Ray of this machine, which goes with the block."""
    usual = tempfile.gettempdir()
    private = tempfile.mkdtemp(prefix="tl-", dir=usual if len(usual) < _LONGEST_FOLDER else "/tmp")  # noqa: S108
    try:
        yield Path(private)
    finally:
        shutil.rmtree(private, ignore_errors=True)


@contextmanager
def started(folder: Path, workers: int | None) -> Iterator[None]:
    """A Ray of this machine that ends with the block and listens on loopback alone.

    Args:
        folder: for its files, which goes with them: who has made it may be gone.
        workers: cores to use; ``None`` is all of them.

    Raises:
        MissingError: it cannot be started.
    """
    import ray

    try:
        _begin(
            "Ray cannot be started on this machine",
            "it needs free memory, disk in the folder for temporary files, and ports of 127.0.0.1",
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            _node_ip_address=LOOPBACK,
            _temp_dir=str(folder / "ray"),  # to which Ray gives all users all rights
        )
        yield
    finally:
        ray.shutdown(wait_for_processes=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def connected(address: str) -> Iterator[None]:
    """The cluster at an address: ``auto`` for the one that this machine is in, or ``HOST:PORT`` of its head.

    Raises:
        MissingError: there is none.
        BadInputError: the address is none.
    """
    import ray

    if address != "auto":
        _require_answer(address)
        _require_node(address)
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
        MissingError: that fails; it says what is wrong, and the remedy.
    """
    import ray

    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:
        ray.shutdown()
        raise MissingError(f"{wrong}: {on_one_line(error)}", remedy) from error


def _require_answer(address: str) -> None:
    """Make sure that something listens at an address, for which Ray itself waits long.

    Raises:
        BadInputError: it is no address.
        MissingError: nothing does.
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
    """Make sure that this machine is a node of a cluster, for which Ray itself waits without an end.

    Raises:
        MissingError: it is not, or what listens there is no cluster.
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
