"""How many processor cores this process really has."""

import math
import os
from collections.abc import Iterator
from pathlib import Path


def compute_threads() -> int:
    """Threads to compute with: one for each core, but on larger machines without their hyper-threaded twins.

    A container's share of processor time bounds them as well: more threads than that wait for each other.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = max(min(cores, 4), cores // 2)
    quota = cgroup_quota()
    return threads if quota is None else max(1, min(threads, math.ceil(quota)))


def cgroup_quota(root: Path = Path("/")) -> float | None:
    """Cores' worth of time that the control groups of this process grant it; ``None`` if they set no limit.

    Both versions of cgroups are read; the tightest limit of a group and those above it counts.

    Args:
        root: of the file system that ``proc`` and ``sys`` are looked up in.
    """
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    return min((quota for group in groups for quota in _quotas(root / "sys/fs/cgroup", group)), default=None)


def _quotas(mount: Path, group: str) -> Iterator[float]:
    """The limits of a line ``NUMBER:CONTROLLERS:PATH``, from its own group up to the mounted one."""
    _, controllers, path = [*group.split(":", 2), "", ""][:3]
    if controllers and "cpu" not in controllers.split(","):
        return
    inside = Path(*(part for part in path.split("/") if part not in {"", ".", ".."}))
    for folder in (inside, *inside.parents):
        limit = _limit(mount / controllers / folder)
        if limit is not None:
            yield limit


def _limit(folder: Path) -> float | None:
    """The limit that one group sets: version 2 in one file, version 1 in two."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu.cfs_period_us").read_text()
        cores = int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max"
        return None
    return cores if cores > 0 else None  # version 1 says -1 for no limit
