"""Threads by the cores that a process has."""

import os
from pathlib import Path

import pytest

from timelens.answer.llama import cores
from timelens.answer.llama.cores import cgroup_quota, compute_threads


def system(root: Path, groups: str, **limits: str) -> Path:
    """A file system with the given ``proc/self/cgroup``; limits lie by ``folder__file``."""
    files = {"proc/self/cgroup": groups} | {
        f"sys/fs/cgroup/{name.replace('__', '/')}": content for name, content in limits.items()
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def test_the_tightest_limit_of_version_2_counts(tmp_path: Path) -> None:
    limits = {"a__b__cpu.max": "max 100000\n", "a__cpu.max": "150000 100000\n", "cpu.max": "400000 100000\n"}
    assert cgroup_quota(system(tmp_path, "0::/a/b\n", **limits)) == 1.5


def test_a_group_that_is_seen_from_inside_its_container_has_its_limit_at_the_root(tmp_path: Path) -> None:
    assert cgroup_quota(system(tmp_path, "0::/../outer\n", **{"cpu.max": "50000 100000\n"})) == 0.5


def test_version_1_has_it_in_two_files(tmp_path: Path) -> None:
    name = "cpu,cpuacct__job__cpu.cfs_"
    limits = {f"{name}quota_us": "300000\n", f"{name}period_us": "100000\n"}
    groups = "7:blkio:/job\n4:cpu,cpuacct:/job\n3:cpuset:/job\n"
    assert cgroup_quota(system(tmp_path, groups, **limits)) == 3.0


@pytest.mark.parametrize("quota", ["max 100000", "-1", "nonsense", "100 0", ""])
def test_no_limit_and_damage_are_none(tmp_path: Path, quota: str) -> None:
    limits = {"cpu.max": quota, "cpu__cpu.cfs_quota_us": "-1", "cpu__cpu.cfs_period_us": "100000"}
    assert cgroup_quota(system(tmp_path, "0::/\n1:cpu:/\nodd\n", **limits)) is None


def test_a_system_without_control_groups_sets_no_limit(tmp_path: Path) -> None:
    assert cgroup_quota(tmp_path) is None


@pytest.mark.parametrize(
    ("affinity", "quota", "threads"),
    [(2, None, 2), (4, None, 4), (16, None, 8), (16, 3.0, 3), (16, 1.5, 2), (1, 4.0, 1), (8, 0.3, 1)],
)
def test_threads_follow_affinity_and_quota(
    monkeypatch: pytest.MonkeyPatch, affinity: int, quota: float | None, threads: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(affinity)))
    monkeypatch.setattr(cores, "cgroup_quota", lambda: quota)
    assert compute_threads() == threads
