"""Documents that cost too much, or break what reads them; the process that reads, and its end."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from waiting import until

from timelens.embedding import Embedder
from timelens.ingest import supervisor
from timelens.ingest.intake import Intake
from timelens.ingest.pipeline import ingest, survey
from timelens.ingest.progress import IngestProgress
from timelens.ingest.readers import READERS, read_plain
from timelens.ingest.supervisor import end_idle
from timelens.processes import Budget
from timelens.store.corpus import CorpusStore

READER = """
import ctypes, os, signal, time
from timelens.documents import Document
from timelens.ingest.readers import READERS

def read(source, columns):
    source.path.with_name(".pid").write_text(str(os.getpid()))
    for number, line in enumerate(source.path.read_text().splitlines(), start=1):
        if line == "burn":
            while True: pass
        if line == "sleep":
            time.sleep(1000)
        if line == "allocate":
            kept = []
            while True: kept.append(bytearray(1 << 20))
        if line == "crash":
            ctypes.string_at(0)
        if line == "be killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if line == "print":
            os.write(1, b"what a library says")
        if line == "fail":
            raise RuntimeError("unforeseen")
        yield Document(f"{source.id}#{number}", source.uri, "", line, line)

READERS[".odd"] = read
"""
"""What the process that reads finds as it starts: a reader that does what its file says."""

INGEST = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, a process ignores it
from pathlib import Path
from timelens.corpus import Corpus
from timelens.config import Settings
from timelens.ingest.readers import READERS, read_plain
READERS[".odd"] = read_plain
print("begun", flush=True)
print("done", Corpus(Path(sys.argv[2]), Settings()).ingest([sys.argv[1]]).added, flush=True)
"""
"""A program without a guard around what it does."""


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the process that reads gets its odd reader from."""
    place = tmp_path / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(READER)
    monkeypatch.syspath_prepend(place)
    monkeypatch.setitem(READERS, ".odd", read_plain)
    end_idle()
    yield place
    end_idle()


TIGHT = Budget(cpu_seconds=2)
"""Of the processor for each document: many times what a short text takes, also where the processor is shared
and the process has just begun, and a fraction of what ``dates(2_000_000)`` takes."""


def texts(store: CorpusStore, embedder: Embedder) -> dict[str, str]:
    found = store.dense(embedder.encode_queries(["x"])[0], 1000)
    assert len({hit.chunk.id for hit in found}) == len(found)
    return {hit.chunk.document_id: hit.chunk.text for hit in found}


def dates(size: int) -> str:
    """Text of nothing but dates, which takes the most time to read of any."""
    chance = random.Random(20261123)
    written = [f"{chance.randint(1, 28)} May {chance.randint(1850, 2020)}" for _ in range(size // 12)]
    return ", ".join(written)


def is_running(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.parametrize(
    ("what", "budget", "error", "setting"),
    [
        (
            "burn",
            TIGHT,
            "takes more than 2 s of processor time",
            "raise ingest.cpu_seconds",
        ),
        ("sleep", Budget(seconds=5), "takes more than 5 s", "raise ingest.seconds"),
        ("crash", Budget(), "crashed (SIGSEGV)", "save it again"),
        ("be killed", Budget(), "the system ended the process", "close other programs"),
        pytest.param(
            *(
                "allocate",
                Budget(memory_mib=200),
                "takes more than 200 MiB of memory",
                "raise ingest.memory_mib",
            ),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone"),
        ),
    ],
)
@pytest.mark.usefixtures("odd")
def test_a_file_that_overruns_or_crashes_is_listed_and_the_rest_goes_on(
    folder: Path, store: CorpusStore, hashed: Embedder, what: str, budget: Budget, error: str, setting: str
) -> None:
    (folder / "a.txt").write_text("The first.")
    (folder / "m.odd").write_text(f"One.\nTwo.\n{what}\nNever.")
    (folder / "n.odd").write_text("print\nThree.")
    (folder / "z.txt").write_text("The last.")
    report = ingest([folder], store, hashed, Intake(budget=budget))
    (failure,) = report.failures
    assert (failure.path, failure.partial) == ("m.odd", False)
    assert failure.error.startswith("after its first 2, ")
    assert error in failure.error
    assert setting in failure.hint
    assert (report.added, report.failed) == (6, 1)
    assert texts(store, hashed) == {
        "a.txt": "The first.",
        "m.odd#1": "One.",
        "m.odd#2": "Two.",
        "n.odd#1": "print",
        "n.odd#2": "Three.",
        "z.txt": "The last.",
    }


@pytest.mark.usefixtures("odd")
def test_a_survey_lists_what_a_run_would(folder: Path, store: CorpusStore, hashed: Embedder) -> None:
    (folder / "m.odd").write_text("One.\ncrash")
    (folder / "z.txt").write_text("The last.")
    planned = survey([folder], store, "corpus")
    report = ingest([folder], store, hashed)
    assert (planned.added, planned.failures) == (2, report.failures)
    assert (report.added, len(report.failures)) == (2, 1)


def test_one_costly_record_among_many_is_listed_by_its_name(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    records = {f"r{n}": f"Text {n} of 2010." for n in range(60)} | {"late": "Late."}
    lines = [json.dumps({"id": name, "text": text}) for name, text in records.items()]
    lines.insert(30, json.dumps({"id": "costly", "text": dates(2_000_000)}))
    lines.insert(40, "{")
    (folder / "r.jsonl").write_text("\n".join(lines))
    seen: list[IngestProgress] = []
    report = ingest([folder], store, hashed, Intake(budget=TIGHT), on_progress=seen.append)
    assert [failure.path for failure in report.failures] == ["costly", "r.jsonl line 41"]
    assert (report.added, report.failed) == (61, 2)
    assert texts(store, hashed) == records
    done = [step.bytes_done for step in seen]
    assert done == sorted(done)
    assert (done[-1], seen[-1].bytes) == ((folder / "r.jsonl").stat().st_size,) * 2


def test_what_overruns_keeps_what_was_stored_of_it(
    folder: Path, store: CorpusStore, hashed: Embedder
) -> None:
    for name in ("a", "b", "c"):
        (folder / f"{name}.jsonl").write_text(json.dumps({"id": name, "text": f"Text of {name} in 2010."}))
    ingest([folder], store, hashed)
    before = texts(store, hashed)
    costly = dates(
        2_000_000
    )  # as a record it is read at once; as plain text that alone takes about the budget
    (folder / "b.jsonl").write_text(json.dumps({"id": "b", "text": costly}))
    (folder / "c.jsonl").unlink()
    report = ingest([folder], store, hashed, Intake(sync=True, budget=TIGHT))
    assert (report.updated, report.unchanged, report.removed, report.failed) == (0, 1, 0, 1)
    assert texts(store, hashed) == before


@pytest.mark.usefixtures("odd")
def test_a_fault_of_a_reader_is_listed_with_its_report(
    folder: Path, store: CorpusStore, hashed: Embedder, home: Path
) -> None:
    for name in ("a", "b"):
        (folder / f"{name}.odd").write_text("One.\nfail\nNever.")
    report = ingest([folder], store, hashed)
    assert [failure.path for failure in report.failures] == ["a.odd", "b.odd"]
    assert report.failures[0].error == "internal error in timelens: RuntimeError: unforeseen"
    log = home / "log" / "faults.log"
    assert str(log) in report.failures[0].hint
    assert log.read_text().count("=== ") == 1
    assert set(texts(store, hashed)) == {"a.odd#1", "b.odd#1"}


def test_that_nothing_can_be_started_is_said(
    folder: Path, store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from timelens.errors import BadInputError

    (folder / "a.txt").write_text("Text.")
    end_idle()
    monkeypatch.setattr(supervisor, "own_command", lambda *_: [sys.executable, "-c", "raise SystemExit(5)"])
    with pytest.raises(BadInputError, match=r"cannot be started \(exit code 5\)"):
        ingest([folder], store, hashed)
    monkeypatch.setattr(supervisor, "own_command", lambda *_: ["/nothing/there"])
    with pytest.raises(BadInputError, match="No such file"):
        ingest([folder], store, hashed)


def test_the_next_run_has_the_process_of_the_last_and_a_broken_one_is_not_used(
    folder: Path, store: CorpusStore, hashed: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.txt").write_text("Text.")
    end_idle()
    ingest([folder], store, hashed)
    first = supervisor._IDLE._process
    assert first is not None
    monkeypatch.chdir(folder)
    (folder / "b.txt").write_text("More.")
    assert ingest([Path()], store, hashed).added == 1
    assert supervisor._IDLE._process is first
    first.kill()
    first._popen.wait()
    (folder / "c.txt").write_text("Still more.")
    assert ingest([folder], store, hashed).added == 1
    (folder / "d.txt").write_text("Most.")

    def interrupt(_: IngestProgress) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(supervisor, "_AHEAD", 1)  # the process cannot read everything before the interrupt
        with pytest.raises(KeyboardInterrupt):
            ingest([folder], store, hashed, on_progress=interrupt)
    assert supervisor._IDLE.is_empty
    assert ingest([folder], store, hashed).failures == ()


class Made(supervisor._Process):
    """A process that is only counted."""

    made: ClassVar[list["Made"]] = []

    def __init__(self) -> None:
        time.sleep(0.001)  # while it starts, other threads see that there is none
        self.made.append(self)

    is_usable = True

    def end(self) -> int:
        self.made.remove(self)
        return 0


def test_threads_that_start_one_ahead_at_once_leave_one_and_two_never_take_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    end_idle()
    Made.made.clear()
    monkeypatch.setattr(supervisor, "_Process", Made)
    taken: list[Made] = []
    together = threading.Barrier(8, timeout=60)

    def start_and_take() -> None:
        for _ in range(20):
            together.wait()
            supervisor.start_ahead()
            together.wait()
            if (process := supervisor._IDLE.take()) is not None:
                assert isinstance(process, Made)
                taken.append(process)

    threads = [threading.Thread(target=start_and_take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(taken) == len(set(taken)) == len(Made.made) == 20, "one of each round; all others were ended"


def start(folder: Path, corpus: Path) -> subprocess.Popen[str]:
    script = corpus.with_suffix(".py")
    script.write_text(INGEST)
    return subprocess.Popen(
        [sys.executable, str(script), str(folder), str(corpus)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.usefixtures("home")
def test_a_program_without_a_main_guard_runs_once(folder: Path, tmp_path: Path) -> None:
    (folder / "a.txt").write_text("The ferry sank in 1987.")
    output, error = start(folder, tmp_path / "corpus").communicate(timeout=120)
    assert (output, error) == ("begun\ndone 1\n", "")


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.usefixtures("odd", "home")
def test_the_process_that_reads_ends_with_the_one_that_asked(
    folder: Path, tmp_path: Path, sent: signal.Signals
) -> None:
    (folder / "a.odd").write_text("burn")
    process = start(folder, tmp_path / "corpus")
    try:
        note = folder / ".pid"
        until(lambda: note.exists() and note.read_text(), "the reader has begun")
        child = int(note.read_text())
        assert is_running(child)
        process.send_signal(sent)
        output, error = process.communicate(timeout=30)
        assert output == "begun\n"
        assert process.returncode == -sent
        assert ("KeyboardInterrupt" in error) == (sent is signal.SIGINT)
        until(lambda: not is_running(child), "the reader ends", seconds=30)
    finally:
        process.kill()
        process.communicate()
