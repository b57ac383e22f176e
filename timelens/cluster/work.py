"""Processes items by the workers of a cluster, in stages."""

import ctypes
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from timelens.errors import MissingError, on_one_line

if TYPE_CHECKING:
    from ray import ObjectRef
    from ray.data import Dataset

Work = Callable[[Any], Iterable[Any]]
"""The work of a stage: makes items from an item; it must be deterministic."""

_PROBE_SECONDS = 60
_BLOCK = 1 << 20
"""Target size in bytes of the blocks of items between stages."""
_PR_SET_PDEATHSIG = 1
_ITEM, _FAILED = "item", "failed"
"""Columns: an item pickled, and whether it is :class:`Raised`."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the work on items."""

    make: Callable[[], Work]
    """Makes the work, once in each worker; must be picklable."""
    cpus: float
    """Cores per worker. The sum over all stages is at most 1, so that one core can hold a worker of each."""
    steady: bool = True
    """Whether each core has a worker from the start; otherwise as many as the next stage keeps busy."""
    takes_gpus: bool = False
    """Whether each worker takes a GPU if there are any; then there is one worker per GPU."""


def require(paths: Sequence[Path]) -> Iterator[bytes]:
    """Check that all nodes have this version of timelens and can read the given paths. Yields nothing.

    Raises:
        MissingError: a node does not, or the cluster does not answer.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    with _told():
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        probe = _probe_function()
        asked = [
            probe.options(
                num_cpus=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
            ).remote([str(path) for path in paths])
            for node in nodes
        ]
        answers = ray.get(asked, timeout=_PROBE_SECONDS)
    for node, (version, missing) in zip(nodes, answers, strict=True):
        _require_node(node["NodeManagerAddress"], version, missing)
    yield from ()


def results(items: Sequence[Any], stages: Sequence[Stage]) -> Iterator[bytes]:
    """Yield the pickled results of the last stage, in the order of the items.

    Another worker repeats the work of a killed one. An error of a worker is yielded as :class:`Raised`, and
    nothing after it.

    Raises:
        MissingError: the cluster cannot be reached any more.
    """
    with _told():
        for batch in _dataset(items, stages).iter_batches(batch_size=None, batch_format="pyarrow"):
            for item, failed in zip(batch[_ITEM], batch[_FAILED], strict=True):
                yield item.as_py()
                if failed.as_py():
                    return


@contextmanager
def _told() -> Iterator[None]:
    """Convert errors of Ray itself to an error of one line.

    Raises:
        MissingError: Ray failed.
    """
    import ray
    from ray.data.exceptions import SystemException

    try:
        yield
    except (ray.exceptions.RayError, SystemException, ConnectionError) as error:
        raise MissingError(
            f"the cluster of Ray does not work: {on_one_line(error)}",
            "the same command goes on from what is stored",
        ) from error


def _dataset(items: Sequence[Any], stages: Sequence[Stage]) -> "Dataset":
    """The dataset of the results, computed lazily from when the first row is taken."""
    import ray

    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.target_max_block_size = _BLOCK
    context.enable_progress_bars = context.print_on_execution_start = False
    resources = ray.cluster_resources()
    cores, gpus = max(int(resources.get("CPU", 1)), 1), int(resources.get("GPU", 0))
    dataset = ray.data.from_arrow([_row(_pickled(item)) for item in items])
    for stage in stages:
        on_gpus = stage.takes_gpus and gpus > 0
        most = min(gpus if on_gpus else cores, len(items))
        dataset = dataset.map_batches(
            _Worker,
            fn_constructor_args=[ray.put(stage.make)],
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=most if stage.steady else 1, max_size=most),
            num_cpus=stage.cpus,
            num_gpus=1 if on_gpus else None,
        )
    return dataset


class _Worker:
    """A Ray actor that does the work of a stage."""

    def __init__(self, make: "ObjectRef[Callable[[], Work]]") -> None:
        _end_with_parent()
        self._make = make
        self._work: Work | None = None

    def __call__(self, rows: pa.Table) -> Iterator[pa.Table]:
        """Yield the results of some rows; an error becomes a row, which all later stages pass on."""
        for item, failed in zip(rows[_ITEM], rows[_FAILED], strict=True):
            if failed.as_py():
                yield _row(item.as_py(), failed=True)
            else:
                yield from self._made(item.as_py())

    def _made(self, item: bytes) -> Iterator[pa.Table]:
        try:
            if self._work is None:
                import ray

                self._work = ray.get(self._make)()
            for made in self._work(pickle.loads(item)):  # noqa: S301 -- written by this program
                yield _row(_pickled(made))
        except Exception as error:  # noqa: BLE001 -- the worker's edge: the process that asked raises it
            yield _row(_pickled(Raised.of(error)), failed=True)


def _end_with_parent() -> None:
    """Let the system kill this process when the Ray process that started it ends.

    Ray ends it as well, but not while native code runs. Only Linux supports this.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Raised:
    """An error of a worker, to be raised in the calling process."""

    error: Exception

    @classmethod
    def of(cls, error: Exception) -> "Raised":
        """The error with its traceback as a note; pickling loses the traceback."""
        error.add_note("in a worker:\n" + "".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 -- made in this line
        except Exception:  # noqa: BLE001 -- unpicklable errors of libraries raise anything
            return cls(RuntimeError(f"{type(error).__name__}: {on_one_line(error)}"))
        return cls(error)


def _row(item: bytes, *, failed: bool = False) -> pa.Table:
    return pa.table({_ITEM: pa.array([item], pa.large_binary()), _FAILED: [failed]})


def _pickled(item: object) -> bytes:
    return pickle.dumps(item, pickle.HIGHEST_PROTOCOL)


def _probe_function() -> Any:  # noqa: ANN401 -- Ray's own kind of function
    """A Ray function that returns a node's version of timelens and the paths that it does not see."""
    import ray

    def probe(paths: list[str]) -> tuple[str | None, list[str]]:
        import os.path  # the function is sent by value, because timelens may be missing there
        from importlib import import_module

        try:
            version = import_module("timelens").__version__
        except ImportError:
            return None, []
        return version, [path for path in paths if not os.path.exists(path)]  # noqa: PTH110 -- the same

    return ray.remote(probe)


def _require_node(node: str, version: str | None, missing: Sequence[str]) -> None:
    wanted = import_module("timelens").__version__
    if version != wanted:
        found = "is not installed" if version is None else f"has version {version}, not {wanted}"
        raise MissingError(
            f"timelens on the node {node} {found}", "install the same timelens on all nodes of the cluster"
        )
    for path in missing:
        raise MissingError(
            f"the node {node} does not see {path}",
            "put it where all nodes see it under the same path, or name no address",
        )
