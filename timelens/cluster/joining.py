"""Joins a cluster, or starts and ends one on this machine."""

import logging
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

from timelens.cluster.work import Cluster
from timelens.errors import BadInputError, MissingError, on_one_line
from timelens.processes import own_environment

ENGINES = ("local", "ray")
"""Names of the engines: processes of this machine, or Ray."""
_LOOPBACK = "127.0.0.1"
_CONNECT_SECONDS = 5
_LONGEST_FOLDER = 20
"""Most characters of the temporary folder; paths of sockets below it may have about a hundred."""
_TOKEN = secrets.token_hex(16)
"""Authentication token of a Ray that this process starts."""
_OWN: dict[str, str | None] = {"RAY_AUTH_MODE": None, "RAY_AUTH_TOKEN": _TOKEN}
"""Environment of a Ray that this process starts; without a mode, Ray requires tokens."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # avoids a warning about a later version
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # of this process; those of Ray's own processes go into files
}
_ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""If it is 0 when Ray is imported, nodes use 127.0.0.1 on every system, and listen only there."""


def is_on_ray(engine: str, address: str | None) -> bool:
    """Whether the engine is Ray.

    Raises:
        BadInputError: there is no such engine, or it does not take an address.
        MissingError: Ray is selected and not installed.
    """
    if engine not in ENGINES:
        raise BadInputError(f"there is no engine {engine!r}", f"choose one of {', '.join(ENGINES)}")
    if engine == "ray":
        _require_ray()
    elif address is not None:
        raise BadInputError(f"an address does not go with the engine {engine}", "choose the engine ray")
    return engine == "ray"


@contextmanager
def joined(address: str | None = None, workers: int | None = None) -> Iterator[Cluster]:
    """Context with an existing cluster, or with one on this machine that ends with the context.

    If the program is already connected to a cluster, that one is used and stays connected.

    Args:
        address: ``auto`` for the cluster that this machine belongs to, or ``HOST:PORT`` of its head;
            ``None`` starts one that nobody else can reach.
        workers: number of cores of this machine to use; ``None`` means all.

    Raises:
        MissingError: Ray is not installed, or there is no cluster at the address.
        BadInputError: the address is invalid.
    """
    _require_ray()
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    before = os.environ.get(_ON_LOOPBACK)
    _set_environment({_ON_LOOPBACK: "0" if address is None else before})
    try:
        with _standard_error_kept():
            import ray
            import ray.data
    finally:
        _set_environment({_ON_LOOPBACK: before})
    if ray.is_initialized():
        nodes = {node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
        yield Cluster(is_local=nodes == {ray.util.get_node_ip_address()})
        return
    with _started(workers) if address is None else _connected(address):
        _silence()
        yield Cluster(is_local=address is None)


def _require_ray() -> None:
    if find_spec("ray") is None:
        raise MissingError("the package ray is not installed", 'install it: pip install "timelens[ray]"')


@contextmanager
def _started(workers: int | None) -> Iterator[None]:
    """A temporary Ray on this machine, which listens only on loopback and leaves no files."""
    import ray

    usual = tempfile.gettempdir()
    private = tempfile.mkdtemp(prefix="tl-", dir=usual if len(usual) < _LONGEST_FOLDER else "/tmp")  # noqa: S108
    folder = str(Path(private) / "ray")  # Ray gives all users all rights to this folder
    own = {**_OWN, "PYTHONPATH": own_environment()["PYTHONPATH"]}
    before = {name: os.environ.get(name) for name in own}
    _set_environment(own)
    try:
        _begin(
            "Ray cannot be started on this machine",
            "it needs free memory, disk in the folder for temporary files, and ports of 127.0.0.1",
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            _node_ip_address=_LOOPBACK,
            _temp_dir=folder,
        )
        yield
    finally:
        ray.shutdown(wait_for_processes=True)
        shutil.rmtree(private, ignore_errors=True)
        _set_environment(before)


def _set_environment(values: Mapping[str, str | None]) -> None:
    """Set environment variables; ``None`` removes a variable."""
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def _connected(address: str) -> Iterator[None]:
    """Context in which this process is connected to the cluster at an address."""
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
    """Start or join Ray; ``options`` are those of ``ray.init``.

    Raises:
        MissingError: Ray cannot be started or joined; ``wrong`` and ``remedy`` are its message and hint.
    """
    import ray

    try:
        with _signals_kept(), _standard_error_kept():
            ray.init(**options, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:
        ray.shutdown()
        raise MissingError(f"{wrong}: {on_one_line(error)}", remedy) from error


def _require_answer(address: str) -> None:
    """Make sure that something listens at an address, because Ray itself would wait long.

    Raises:
        BadInputError: the address is invalid.
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
    """Make sure that this machine is a node of a cluster, because Ray itself would wait forever.

    Raises:
        MissingError: this machine is no node, or there is no cluster at the address.
    """
    import ray
    from ray._raylet import GcsClient

    own = ray.util.get_node_ip_address()
    try:
        with _standard_error_kept():
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


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Restore the handler of SIGTERM, which Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _standard_error_kept() -> Iterator[None]:
    """Hide the messages of Ray's native code on standard error during its start."""
    try:
        kept = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 2)
        os.close(nothing)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _say_nothing(*_: object, **__: object) -> None:
    """Replacement of a function that prints."""


def _silence() -> None:
    """Let Ray log to its files only, not to the terminal."""
    from ray._private import worker

    worker.print_to_stdstream = _say_nothing  # reports of nodes about retried tasks
    for name in list(logging.root.manager.loggerDict):
        if name == "ray" or name.startswith("ray."):
            logger = logging.getLogger(name)
            for handler in list(logger.handlers):
                if not isinstance(handler, logging.FileHandler):
                    logger.removeHandler(handler)
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    logging.getLogger("ray").addHandler(logging.NullHandler())
