"""Patterns and ignore files, beside git's own reading of them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timelens.ingest.patterns import Selection
from timelens.ingest.readers import READERS
from timelens.ingest.sources import discover

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
NAMES = ["a", "b", "ab", "a.txt", "b.txt", "ab.txt", "a b.txt", "[a].txt", "!a.txt", "#b.txt"]
PIECES = ["a", "b", "ab", "*", "**", "?", "[ab]", "[!a]", "*.txt", "a*", "a.txt", "*b*", "a b.txt", "\\[a\\].txt"]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def read(folder: Path, selection: Selection | None = None) -> list[str]:
    return [source.id for source in discover([folder], READERS, selection or Selection()).sources]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "--template=")
    return folder


@pytest.fixture
def clean(repository: Path) -> Iterator[Path]:
    yield repository
    clear(repository)


def clear(repository: Path) -> None:
    for path in repository.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


folders = st.lists(st.sampled_from(["a", "b", "ab"]), max_size=3).map("/".join)
lines = st.builds(
    lambda negated, anchored, pieces, folder: negated + anchored + "/".join(pieces) + folder,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
trees = st.lists(st.tuples(folders, st.sampled_from(NAMES[3:])), min_size=1, max_size=12)
ignore_files = st.dictionaries(folders, st.lists(lines, min_size=1, max_size=4).map("\n".join), max_size=3)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees, ignored=ignore_files)
def test_files_are_ignored_as_git_ignores_them(
    repository: Path, tree: list[tuple[str, str]], ignored: dict[str, str]
) -> None:
    clear(repository)
    write(repository, {f"{folder}/{name}".lstrip("/"): "x" for folder, name in tree})
    write(repository, {f"{folder}/.gitignore".lstrip("/"): text for folder, text in ignored.items()})
    names = git(repository, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    expected = {name for name in names if name.endswith(".txt")}
    assert set(read(repository)) == expected
    below = repository / "a"
    if below.is_dir() and not subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "-q", "a"], env=ENVIRONMENT, check=False
    ).returncode == 0:
        assert {f"a/{name}" for name in read(below)} == {name for name in expected if name.startswith("a/")}
