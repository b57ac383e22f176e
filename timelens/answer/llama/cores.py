"""The number of processor cores that this process may use."""

import math
import os
from collections.abc import Iterator
from pathlib import Path


def compute_threads() -> int:
    """Threads to compute with: one per logical core up to four, and above that one per two, at least four.

    The quota of a container is also a limit, because more threads would wait for each other.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = max(min(cores, 4), cores // 2)
    quota = cgroup_quota()
    return threads if quota is None else max(1, min(threads, math.ceil(quota)))


def cgroup_quota(root: Path = Path("/")) -> float | None:
    """The processor quota of this process's control groups, in cores; ``None`` without a limit.

    Both versions of cgroups are read; the result is the lowest limit of the group and its ancestors.

    Args:
        root: the root of the file system with ``proc`` and ``sys``.
    """
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    return min((quota for group in groups for quota in _quotas(root / "sys/fs/cgroup", group)), default=None)


def _quotas(mount: Path, group: str) -> Iterator[float]:
    """The limits for a line ``NUMBER:CONTROLLERS:PATH``, from the group up to the mount."""
    _, controllers, path = [*group.split(":", 2), "", ""][:3]
    if controllers and "cpu" not in controllers.split(","):
        return
    inside = Path(*(part for part in path.split("/") if part not in {"", ".", ".."}))
    for folder in (inside, *inside.parents):
        limit = _limit(mount / controllers / folder)
        if limit is not None:
            yield limit


def _limit(folder: Path) -> float | None:
    """The limit of a group in cores, from one file (version 2) or two (version 1); ``None`` if unlimited."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu.cfs_period_us").read_text()
        cores = int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max"
        return None
    return cores if cores > 0 else None  # -1 is no limit in version 1
