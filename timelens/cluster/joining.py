"""Joins a cluster, or starts and ends one on this machine, in a separate process."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from timelens.cluster.connection import LOOPBACK, environment, private_folder
from timelens.cluster.driver import SECONDS_TO_END, Done
from timelens.cluster.work import Raised, Stage, require, results
from timelens.errors import BadInputError, MissingError
from timelens.processes import own_command

ENGINES = ("local", "ray")
"""Names of the engines: processes of this machine, or Ray."""


def is_on_ray(engine: str, address: str | None) -> bool:
    """Whether Ray does the work.

    Raises:
        BadInputError: there is no such engine, or the engine takes no address.
        MissingError: Ray is wanted and not installed.
    """
    if engine not in ENGINES:
        raise BadInputError(f"there is no engine {engine!r}", f"choose one of {', '.join(ENGINES)}")
    if engine == "ray":
        _require_ray()
    elif address is not None:
        raise BadInputError(f"an address does not go with the engine {engine}", "choose the engine ray")
    return engine == "ray"


class Cluster:
    """A joined cluster that does work."""

    def __init__(self, pipe: Connection, *, is_local: bool) -> None:
        self._pipe = pipe
        self.is_local = is_local
        """Whether it is only this machine, with access to all files of this process."""

    def require(self, paths: Sequence[Path]) -> None:
        """Check that all nodes have this version of timelens and can read the given files and folders.

        Raises:
            MissingError: a node does not, or the cluster is gone.
        """
        if not self.is_local:
            list(self._asked(require, paths))

    def stream(self, items: Sequence[Any], stages: Sequence[Stage]) -> Generator[Any, None, None]:
        """Yield the results of the last stage, in the order of the items.

        Leave the cluster if not all results are taken. Another worker repeats the work of a killed one. An
        error of a worker is raised here.

        Raises:
            MissingError: the cluster is gone.
        """
        yield from self._asked(results, items, stages)

    def wait_until_joined(self) -> None:
        """Wait until work can begin.

        Raises:
            MissingError: there is no such cluster, or Ray cannot be started.
            BadInputError: the address is not valid.
        """
        list(self._answers())

    def _asked(
        self, function: Callable[..., Iterable[bytes]], *arguments: object
    ) -> Generator[Any, None, None]:
        with suppress(BrokenPipeError):  # the next receive reports it
            self._pipe.send((function, arguments))
        yield from self._answers()

    def _answers(self) -> Generator[Any, None, None]:
        while not isinstance(said := self._received(), Done):
            if isinstance(said, Raised):
                self._received()
                raise said.error
            yield said

    def _received(self) -> object:
        try:
            return pickle.loads(self._pipe.recv_bytes())  # noqa: S301 -- written by a process of this program
        except (EOFError, ConnectionError) as error:
            what = (
                "Ray on this machine"
                if self.is_local
                else "the head of the cluster, or its node on this machine,"
            )
            raise MissingError(
                f"{what} has ended before the work was done",
                "start the same command again, bench run with --resume: it goes on from what is stored",
            ) from error


@contextmanager
def joined(address: str | None = None, workers: int | None = None) -> Iterator[Cluster]:
    """An existing cluster, or one on this machine only, which ends with the block.

    If this program is connected to a cluster itself, that cluster does the work.

    Args:
        address: ``auto`` for the cluster that this machine is in, or ``HOST:PORT`` of its head;
            ``None`` starts one that nothing else can reach.
        workers: number of cores of this machine to use, without an address; ``None`` for all.

    Raises:
        MissingError: Ray is not installed, or there is no cluster at the address.
        BadInputError: the address is not valid.
    """
    _require_ray()
    own = _cluster_of_this_program()
    where = address if own is None else own.address
    is_local = address is None if own is None else own.is_alone
    on_loopback = where is None or (own is not None and own.node == LOOPBACK)
    with ExitStack() as stack:
        arguments = [where or ""]
        if where is None:
            folder = stack.enter_context(private_folder())
            arguments += [str(folder), "" if workers is None else str(workers)]
        made = environment(starts=where is None, on_loopback=on_loopback)
        cluster = Cluster(stack.enter_context(_driver(arguments, made)), is_local=is_local)
        cluster.wait_until_joined()
        yield cluster


@contextmanager
def _driver(arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[Connection]:
    """The pipe to a process of :mod:`timelens.cluster.driver`, which ends with the block."""
    pipe, other_end = Pipe()
    with pipe:
        with other_end:
            process = subprocess.Popen(  # noqa: S603 -- a module of this package
                [*own_command("timelens.cluster.driver", "main"), str(other_end.fileno()), *arguments],
                env=environment,
                pass_fds=[other_end.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,  # Ctrl+C reaches only this process, which closes the pipe
            )
        try:
            yield pipe
        finally:
            pipe.close()
            _wait_for_end(process)


def _wait_for_end(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(SECONDS_TO_END + 5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class _Own:
    """A cluster that this program itself is connected to."""

    address: str
    node: str
    """The address of this machine in it."""
    is_alone: bool
    """Whether this machine is its only node."""


def _cluster_of_this_program() -> _Own | None:
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    node = ray.util.get_node_ip_address()
    nodes = {each["NodeManagerAddress"] for each in ray.nodes() if each["Alive"]}
    return _Own(ray.get_runtime_context().gcs_address, node, nodes == {node})


def _require_ray() -> None:
    if find_spec("ray") is None:
        raise MissingError("the package ray is not installed", 'install it: pip install "timelens[ray]"')
