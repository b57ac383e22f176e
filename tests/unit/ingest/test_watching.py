"""Watched files and folders: real ones, and real events of the system."""

import os
import queue
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.ingest import watching
from timelens.ingest.patterns import Selection
from timelens.ingest.readers import READERS
from timelens.ingest.watching import Watch

LONG = 30.0
"""Seconds that a test waits at most for what must come; what must not come is waited for a moment."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_TICK", 0.05)
    monkeypatch.setattr(watching, "_MOMENT", 0.3)
    monkeypatch.setattr(watching, "_PATIENCE", 1.5)
    monkeypatch.setattr(watching, "_RETRY", 0.2)


class Taken:
    """What a watch of a folder has handed on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.stop = threading.Event()
        self.batches: queue.Queue[set[str]] = queue.Queue()
        self.answers: list[bool] = []
        self.error: Exception | None = None

    def take(self, paths: frozenset[Path]) -> bool:
        self.batches.put({path.relative_to(self.root).as_posix() for path in paths})
        return self.answers.pop(0) if self.answers else True

    def next(self) -> set[str]:
        return self.batches.get(timeout=LONG)

    def until(self, names: set[str]) -> None:
        """All batches that come until these have been handed on; nothing else may be."""
        met: set[str] = set()
        while met != names:
            met |= self.next()
            assert met <= names

    def nothing(self) -> bool:
        time.sleep(0.8)
        return self.batches.empty()


@contextmanager
def watched(
    root: Path, *paths: Path, selection: Selection | None = None, answers: tuple[bool, ...] = ()
) -> Iterator[Taken]:
    taken = Taken(root)
    taken.answers.extend(answers)
    watch = Watch(paths or [root], READERS, selection or Selection())

    def run() -> None:
        try:
            watch.run(taken.take, taken.stop)
        except MissingError as error:
            taken.error = error

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield taken
    finally:
        taken.stop.set()
        thread.join(LONG)
    assert not thread.is_alive()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    for name in ("a.txt", "sub/b.txt", "sub/deep/c.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


def test_what_is_written_moved_and_removed_is_handed_on_and_nothing_else(folder: Path) -> None:
    with watched(folder) as taken:
        (folder / "a.txt").write_text("other")
        assert taken.next() == {"a.txt"}
        (folder / "sub").rename(folder / "moved")
        taken.until({"sub/b.txt", "sub/deep/c.txt", "moved/b.txt", "moved/deep/c.txt"})
        (folder / "moved" / "deep" / "c.txt").unlink()
        assert taken.next() == {"moved/deep/c.txt"}
        for name in ("e.exe", ".f.txt", "g.txt~", "~$h.txt"):
            (folder / name).write_text("x")
        assert taken.nothing()


def test_folders_that_come_are_watched_too(folder: Path) -> None:
    with watched(folder) as taken:
        (folder / "new" / "deep").mkdir(parents=True)
        (folder / "new" / "deep" / "d.txt").write_text("x")
        assert taken.next() == {"new/deep/d.txt"}
        (folder / "new" / "deep" / "d.txt").write_text("other")
        assert taken.next() == {"new/deep/d.txt"}


def test_a_file_is_read_once_it_has_settled(folder: Path) -> None:
    watch = Watch([folder], READERS, Selection())

    def settled(now: float) -> set[str]:
        watch._seen = watch._look()
        return {path.name for path in watch._settled(now)}

    for now in (10.0, 10.2, 10.4):
        (folder / "d.txt").write_text(f"{now}" * int(now * 10))
        assert settled(now) == set()
    (folder / "a.txt").unlink()
    assert settled(10.6) == set()
    assert settled(10.8) == set()  # the one has settled and waits for the other
    assert settled(11.0) == {"a.txt", "d.txt"}


def test_what_changed_before_the_watch_ran_is_handed_on_and_a_save_by_renaming_is_one_change(
    folder: Path,
) -> None:
    watch = Watch([folder], READERS, Selection())
    (folder / "new.txt").write_text("other")
    os.replace(folder / "new.txt", folder / "a.txt")  # noqa: PTH105 -- as editors do
    taken = Taken(folder)

    def take(paths: frozenset[Path]) -> bool:
        taken.stop.set()
        return taken.take(paths)

    watch.run(take, taken.stop)
    assert taken.next() == {"a.txt"}


def test_what_could_not_be_taken_in_is_handed_on_again_with_what_came_since(folder: Path) -> None:
    with watched(folder, answers=(False, False)) as taken:
        (folder / "a.txt").write_text("other")
        assert taken.next() == {"a.txt"}
        assert taken.next() == {"a.txt"}
        assert taken.next() == {"a.txt"}
        assert taken.nothing()


def test_one_that_never_settles_does_not_keep_the_others_for_long(folder: Path) -> None:
    watch = Watch([folder], READERS, Selection())
    (folder / "a.txt").write_text("other")
    for number in range(20):
        (folder / "log.txt").write_text("x" * (number + 1))
        watch._seen = watch._look()
        ready = watch._settled(10 + number / 10)
        assert {path.name for path in ready} == (set() if number < 15 else {"a.txt"})


def test_a_file_that_is_named_is_followed_when_it_is_replaced(folder: Path) -> None:
    with watched(folder, folder / "a.txt") as taken:
        (folder / "new.txt").write_text("other")
        (folder / "new.txt").rename(folder / "a.txt")
        assert taken.next() == {"a.txt"}
        (folder / "a.txt").write_text("another")
        assert taken.next() == {"a.txt"}


def test_patterns_and_ignore_files_are_heeded_and_may_change(folder: Path) -> None:
    with watched(folder, selection=Selection(exclude=("*.md",))) as taken:
        (folder / "a.md").write_text("x")
        (folder / ".gitignore").write_text("/sub/")
        taken.until({"sub/b.txt", "sub/deep/c.txt"})
        (folder / "sub" / "b.txt").write_text("other")
        assert taken.nothing()
        (folder / ".gitignore").unlink()
        taken.until({"sub/b.txt", "sub/deep/c.txt"})


def test_a_link_that_leads_out_is_not_watched(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    with watched(folder) as taken:
        (outside / "d.txt").write_text("x")
        assert taken.nothing()


def test_a_folder_that_is_replaced_is_watched_on_and_one_that_is_gone_ends_the_watch(folder: Path) -> None:
    with watched(folder) as taken:
        shutil.copytree(folder, folder.parent / "new")
        folder.rename(folder.parent / "old")
        (folder.parent / "new").rename(folder)
        taken.until({"a.txt", "sub/b.txt", "sub/deep/c.txt"})
        (folder / "a.txt").write_text("other")
        assert taken.next() == {"a.txt"}
        shutil.rmtree(folder)
        ends = time.monotonic() + LONG
        while taken.error is None and time.monotonic() < ends:
            time.sleep(0.05)
        assert str(taken.error) == f"there is nothing at {folder}, so the watch ends"
        assert taken.batches.empty()


def test_the_system_is_asked_by_polling_where_that_is_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "true")
    with watched(folder) as taken:
        (folder / "sub" / "b.txt").write_text("other")
        assert taken.next() == {"sub/b.txt"}
