"""``ingest --watch``, with the events of the system and real signals."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.test_contracts import validate
from holding import held
from waiting import until

from timelens.api import open_corpus, remove_corpus
from timelens.errors import MissingError, StoreError
from timelens.ingest import watching
from timelens.store.corpus import CorpusStore

LONG = 60.0


@pytest.fixture
def folder(tmp_path: Path, new_home: Path) -> Path:
    assert not new_home.exists()
    path = tmp_path / "documents"
    path.mkdir()
    for n in range(3):
        (path / f"{n}.txt").write_text(f"Text {n} of 2010.")
    return path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_TICK", 0.05)
    monkeypatch.setattr(watching, "_MOMENT", 0.2)
    monkeypatch.setattr(watching, "_PATIENCE", 1.0)
    monkeypatch.setattr(watching, "_RETRY", 0.2)


def stored(home: Path) -> dict[str, str]:
    """The uris of what is stored."""
    try:
        return CorpusStore(home / "corpora" / "notes").uris()
    except MissingError:
        return {}


@contextmanager
def meanwhile(act: Callable[[], None]) -> Iterator[None]:
    """While this process watches, a thread acts; then a signal ends the watch."""
    faults: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as fault:  # noqa: BLE001 -- raised in the test below
            faults.append(fault)
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join(LONG)
    for fault in faults:
        raise fault


@pytest.mark.usefixtures("quick")
def test_changes_are_brought_in_one_line_a_batch_until_a_signal(
    run: Run, folder: Path, new_home: Path
) -> None:
    def act() -> None:
        until(lambda: len(stored(new_home)) == 3)
        until(lambda: signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
        (folder / "3.txt").write_text("Text 3 of 2011.")
        until(lambda: "3.txt" in stored(new_home))
        (folder / "0.txt").unlink()
        until(lambda: "0.txt" not in stored(new_home))
        arriving = folder.parent / "arriving"
        arriving.mkdir()
        (arriving / "broken.jsonl").write_text("{")
        (arriving / "4.txt").write_text("Text 4 of 2011.")
        arriving.rename(folder / "arrived")
        until(lambda: "arrived/4.txt" in stored(new_home))

    with meanwhile(act):
        outcome = run("ingest", folder, "-c", "notes", "--sync", "--watch", "--json", "-q")
    reports = [json.loads(line) for line in outcome.out.splitlines()]
    for report in reports:
        validate(report, "ingest")
    assert outcome.code == 0
    names = ("added", "removed", "unchanged", "failed")
    counts = [tuple(report["documents"][name] for name in names) for report in reports]
    assert counts == [(3, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 1)]


@pytest.mark.usefixtures("quick")
def test_without_sync_nothing_is_removed_and_a_file_that_only_looks_changed_says_nothing(
    run: Run, folder: Path, new_home: Path
) -> None:
    def act() -> None:
        until(lambda: len(stored(new_home)) == 3)
        until(lambda: signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
        (folder / "0.txt").unlink()
        (folder / "1.txt").touch()
        time.sleep(1)
        corpus = CorpusStore(new_home / "corpora" / "notes")
        before = corpus.content_hashes()["2.txt"]
        (folder / "2.txt").write_text("Another text of 2012.")
        until(lambda: corpus.content_hashes().get("2.txt") not in {None, "", before})

    with meanwhile(act):
        outcome = run("ingest", folder, "-c", "notes", "--watch")
    assert outcome.code == 0
    first, second = outcome.out.splitlines()
    assert first.startswith("notes: 3 added;")
    assert second.startswith("notes: 1 updated;")
    assert outcome.err.splitlines()[-1] == "watching for changes; Ctrl+C ends it"


@pytest.mark.usefixtures("quick")
def test_a_batch_that_cannot_be_written_is_said_once_and_done_later(
    run: Run, folder: Path, new_home: Path
) -> None:
    def act() -> None:
        until(lambda: len(stored(new_home)) == 3)
        until(lambda: signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
        with held(new_home / "corpora" / "notes" / "ingest.lock"):
            (folder / "3.txt").write_text("Text 3 of 2011.")
            time.sleep(1.5)
            assert "3.txt" not in stored(new_home)
        until(lambda: "3.txt" in stored(new_home))
        until(is_free)

    def is_free() -> bool:
        """Whether another may write between two batches."""
        try:
            return open_corpus("notes").ingest([folder]).unchanged == 4
        except StoreError:
            return False

    with meanwhile(act):
        outcome = run("ingest", folder, "-c", "notes", "--watch", "-q")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "notes: another process is writing to notes (wait until it has finished, then try again)"
    ]


@pytest.mark.usefixtures("quick")
def test_most_of_a_place_is_not_removed_while_it_is_watched(run: Run, folder: Path, new_home: Path) -> None:
    (folder / "sub").mkdir()
    for n in range(7):
        (folder / "sub" / f"{n}.txt").write_text(f"Text {n} of 2010.")

    def act() -> None:
        until(lambda: len(stored(new_home)) == 10)
        until(lambda: signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
        (folder / "sub").rename(folder.parent / "elsewhere")
        (folder / "new.txt").write_text("Text of 2011.")
        until(lambda: "new.txt" in stored(new_home))

    with meanwhile(act):
        outcome = run("ingest", folder, "-c", "notes", "--watch", "--sync", "-q")
    assert outcome.code == 0
    assert f"documents from {folder} are gone and would be removed" in outcome.err
    assert len(stored(new_home)) == 11


@pytest.mark.usefixtures("quick")
def test_a_corpus_that_is_removed_ends_the_watch(run: Run, folder: Path, new_home: Path) -> None:
    def removed() -> bool:
        try:
            remove_corpus("notes")
        except StoreError:  # the first run has not ended
            return False
        return True

    def act() -> None:
        until(lambda: len(stored(new_home)) == 3)
        until(lambda: signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
        until(removed)
        (folder / "3.txt").write_text("Text 3 of 2011.")
        until(lambda: signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)

    with meanwhile(act):
        outcome = run("ingest", folder, "-c", "notes", "--watch", "-q")
    assert outcome.code == 3
    assert outcome.err.splitlines()[0] == "timelens: the corpus notes is gone, so the watch ends"
    assert not stored(new_home)


@contextmanager
def watching_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "timelens", "ingest", str(folder), "-qc", "notes", "--watch", "--sync"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_ctrl_c_ends_a_watch_with_0(folder: Path, new_home: Path) -> None:
    with watching_process(folder) as process:
        assert line(process).startswith("notes: 3 added;")
        (folder / "3.txt").write_text("Text 3 of 2011.")
        assert line(process).startswith("notes: 1 added;")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=LONG) == ("", "")
    assert process.returncode == 0
    assert len(stored(new_home)) == 4


@pytest.mark.long
def test_killed_again_and_again_while_it_watches_it_loses_and_keeps_nothing_wrong(
    folder: Path, new_home: Path
) -> None:
    chance = random.Random(20261123)
    for kill in range(8):
        with watching_process(folder) as process:
            if kill % 4:
                line(process)
            for n in range(20):
                file = folder / f"{chance.randrange(40)}.txt"
                if chance.random() < 0.3:
                    file.unlink(missing_ok=True)
                else:
                    file.write_text(f"Text {n} of {1900 + chance.randrange(100)}, at kill {kill}.")
                time.sleep(chance.random() / 5)
            time.sleep(2 * chance.random())
    with watching_process(folder) as process:
        assert "failed" not in line(process)
        process.terminate()
        assert process.communicate(timeout=LONG) == ("", "")
    assert process.returncode == 0
    assert sorted(stored(new_home)) == sorted(file.name for file in folder.iterdir())
    again = open_corpus("notes").ingest([folder], sync=True)
    assert (again.added, again.updated, again.removed) == (0, 0, 0)
