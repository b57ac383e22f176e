"""A run that is killed and gone on with comes to the same as one that nothing disturbed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bench.conftest import PASSAGES, write_lines
from waiting import until

QUESTIONS = 60
KILLED_AFTER = (4, 25)
"""Finished questions, at each kill."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "beir"
    (path / "qrels").mkdir(parents=True)
    passages = ({"_id": i, "title": t, "text": x, "metadata": m} for i, t, x, m in PASSAGES)
    write_lines(path / "corpus.jsonl", passages)
    words = ["ferry fare", "pier", "lighthouse", "council", "keeper"]
    queries = [
        {
            "_id": f"q{number}",
            "text": f"What of the {words[number % 5]} from 2013 to {2015 + number % 7}?",
            "kind": words[number % 5],
            "answers": ["4 crowns"],
        }
        for number in range(QUESTIONS)
    ]
    write_lines(path / "queries.jsonl", queries)
    rows = "".join(f"q{number}\tfare-2015\t1\n" for number in range(QUESTIONS))
    (path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    return path


KILLED = """
import sys
from pathlib import Path
from killing_at import kill_at
changes = kill_at(int(sys.argv.pop(1)), Path.cwd() / "run")
from timelens.cli import main
try:
    main()
finally:
    print(len(changes), file=sys.__stdout__)
"""
"""``timelens``, which ends itself before the change of a number to a file of its run."""


def start(data: Path, place: Path, *options: str, killed: int | None = None) -> subprocess.Popen[bytes]:
    """``timelens bench run`` with its run in ``place/run``, in a process group of its own."""
    place.mkdir(exist_ok=True)
    program = ["-m", "timelens"] if killed is None else ["-c", KILLED, str(killed)]
    command = ["bench", "run", "beir", "--data", str(data), "--out", "run", "--as-of", "2024-06-01", "-q"]
    command += ["--strategy", "timelens", "--answerer", "extractive", *options]
    return subprocess.Popen(
        [sys.executable, *program, *command],
        cwd=place,
        stdout=subprocess.DEVNULL if killed is None else subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"},
    )


def asked(place: Path) -> list[str]:
    """The ids of finished questions, in the order in which they were written."""
    try:
        lines = (place / "run" / "results.jsonl").read_text().split("\n")[:-1]
    except FileNotFoundError:
        return []
    return [json.loads(line)["id"] for line in lines]


def living(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for_questions(process: subprocess.Popen[bytes], place: Path, count: int) -> None:
    """Wait until so many questions are finished, or the run has ended."""
    until(
        lambda: len(asked(place)) >= count or process.poll() is not None,
        f"{count} questions are finished",
        seconds=600,
        every=0.005,
    )


def wait_for_end(group: int) -> None:
    until(lambda: not living(group), "the processes of a killed run end", seconds=30)


@pytest.mark.long
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_that_is_resumed_is_the_undisturbed_one(folder: Path, tmp_path: Path, jobs: str) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    options = ["--jobs", jobs]
    first = start(folder, whole, *options)
    _, errors = first.communicate()
    assert first.returncode == 0, errors.decode()
    for count in KILLED_AFTER:
        process = start(folder, broken, *options)
        wait_for_questions(process, broken, count)
        before = asked(broken)
        os.kill(process.pid, signal.SIGKILL)  # this one alone: its processes must end by themselves
        process.communicate()
        assert count <= len(before) < QUESTIONS
        wait_for_end(process.pid)
        assert not (broken / "run" / "summary.json").exists()
        assert len(set(asked(broken))) == len(asked(broken)), "a question was asked twice"
        options = ["--jobs", jobs, "--resume"]
    timed = (broken / "run" / "timings.jsonl").read_text().split("\n")[:-1]
    done = asked(broken)
    last = start(folder, broken, *options)
    _, errors = last.communicate()
    assert last.returncode == 0, errors.decode()
    kept = {line for line in timed if json.loads(line)["id"] in done}
    again = (broken / "run" / "timings.jsonl").read_text().split("\n")[:-1]
    assert kept < set(again), "the seconds of what was finished are kept"
    assert [json.loads(line)["id"] for line in again] == asked(whole)
    assert_same(broken, whole)


def assert_same(place: Path, whole: Path) -> None:
    for name in ("config.json", "summary.json", "results.jsonl", "run.trec"):
        assert (place / "run" / name).read_bytes() == (whole / "run" / name).read_bytes()


@pytest.mark.long
@pytest.mark.usefixtures("home")
def test_a_run_killed_at_any_change_to_its_files_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    options = ["--limit", "3"]
    undisturbed = start(folder, tmp_path / "whole", *options, killed=0)
    said, errors = undisturbed.communicate()
    assert undisturbed.returncode == 0, errors.decode()
    changes = int(said.split()[-1])
    assert changes >= 5
    for number in range(1, changes + 1):
        place = tmp_path / str(number)
        process = start(folder, place, *options, killed=number)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        again = start(folder, place, *options, "--resume")
        _, errors = again.communicate()
        assert again.returncode == 0, errors.decode()
        assert_same(place, tmp_path / "whole")
