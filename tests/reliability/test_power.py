"""What the disk has been asked to keep when an ingest ends, by a trace of its calls; no power is cut."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CALL = re.compile(r"(?:\d+ +)?(?P<name>fsync|rename\w*)\((?P<arguments>.*)\) = 0")
SYNCED = re.compile(r"\d+<(?P<path>[^>]+)>")
NAMES = re.compile(r'"([^"]+)"')


def paths_synced(events: list[tuple[str, str]]) -> set[str]:
    found = (SYNCED.match(arguments) for name, arguments in events if name == "fsync")
    return {match["path"] for match in found if match}


@pytest.mark.long
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_disk_has_all_files_of_a_corpus_before_the_run_says_so(tmp_path: Path) -> None:
    home, trace = tmp_path / "home", tmp_path / "trace"
    folder = tmp_path / "notes"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"{day}.txt").write_text(f"On {day} May 2019 the mill burnt.")
    ingest = [sys.executable, "-m", "timelens", "ingest", str(folder), "--corpus", "notes", "--quiet"]
    calls = "trace=fsync,rename,renameat,renameat2"
    ended = subprocess.run(
        ["strace", "-f", "-y", "-s", "1000", "-o", str(trace), "-e", calls, *ingest],
        env=os.environ | {"TIMELENS_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "ptrace" in ended.stderr:
        pytest.skip("this system lets no process be traced")
    assert ended.returncode == 0, ended.stderr

    corpus = home / "corpora" / "notes"
    events = [
        (call["name"], call["arguments"]) for call in map(CALL.match, trace.read_text().splitlines()) if call
    ]
    lists = [
        index
        for index, (name, arguments) in enumerate(events)
        if name != "fsync" and NAMES.findall(arguments)[-1] == str(corpus / "files.json")
    ]
    assert len(lists) == 2  # as the run begins, and as it ends
    kept, kept_after = (paths_synced(part) for part in (events[: lists[-1]], events[lists[-1] + 1 :]))
    files = {str(path) for path in corpus.rglob("*") if path.is_file() and ".lance" in str(path)}
    assert files
    assert files <= kept
    assert {str(Path(file).parent) for file in files} <= kept
    assert any(path.endswith(".new") for path in kept)
    assert str(corpus) in kept_after
