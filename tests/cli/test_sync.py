"""``ingest --sync`` and ``--dry-run``, and who may change a corpus, as people meet them."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.test_contracts import validate
from holding import held
from rights import without_rights


@pytest.fixture
def folder(tmp_path: Path, new_home: Path, run: Run) -> Path:
    """A folder of eight files, three of them in ``sub``, that the corpus ``notes`` holds."""
    assert not new_home.exists()
    path = tmp_path / "documents"
    (path / "sub").mkdir(parents=True)
    for n in range(8):
        (path / ("sub" if n < 3 else ".") / f"{n}.txt").write_text(f"Text {n} of 2010.")
    assert run("ingest", path, "-c", "notes", "-q").code == 0
    return path


def documents(run: Run) -> int:
    shown = json.loads(run("corpora", "show", "notes", "--json").out)
    return int(shown["documents"])


def empty(folder: Path) -> None:
    for file in folder.rglob("*.txt"):
        file.unlink()


def require_nothing_removed(run: Run, folder: Path, problem: str, missing: str, told: str) -> None:
    """A sync says what it could not read and what it did not find again, and removes nothing."""
    outcome = run("ingest", folder, "-c", "notes", "--sync", "-q")
    assert outcome.code == 1
    assert problem in outcome.err
    assert f"not found again: {missing}" in outcome.err
    assert told in outcome.out
    assert documents(run) == 8


def test_a_folder_that_cannot_be_listed_is_told_and_nothing_is_removed(run: Run, folder: Path) -> None:
    (folder / "7.txt").unlink()
    problem = "sub: it cannot be listed: Permission denied (check its permissions"
    with without_rights(folder / "sub", 0o000):
        require_nothing_removed(run, folder, problem, "4 documents", "4 unchanged, 1 failed")


def test_a_name_that_is_not_utf_8_is_told_and_nothing_is_removed(run: Run, folder: Path) -> None:
    (folder / "7.txt").rename(folder / os.fsdecode(b"bad\xff.txt"))
    problem = "bad?.txt: its name is not UTF-8 (rename it)"
    require_nothing_removed(run, folder, problem, "1 document", "7 unchanged, 1 failed")


def test_the_name_of_a_file_that_is_not_read_anyway_does_not_matter(run: Run, folder: Path) -> None:
    (folder / "7.txt").unlink()
    (folder / os.fsdecode(b"bad\xff.png")).write_bytes(b"x")
    outcome = run("ingest", folder, "-c", "notes", "--sync", "-q")
    assert (outcome.code, "7 unchanged, 1 removed" in outcome.out) == (0, True)
    assert "bad?.png: this kind of file is not read" in outcome.err


def test_an_empty_folder_is_refused_without_a_terminal(run: Run, folder: Path) -> None:
    empty(folder)
    outcome = run("ingest", folder, "-c", "notes", "--sync", "-q", stdin="y\n")
    assert (outcome.code, outcome.out) == (2, "")
    message, remedy = outcome.err.splitlines()
    assert message == f"timelens: 8 of 8 documents from {folder} are gone and would be removed"
    assert "--remove-most" in remedy
    assert documents(run) == 8
    assert "8 removed" in run("ingest", folder, "-c", "notes", "--sync", "--remove-most", "-q").out


@pytest.mark.parametrize(("answer", "code", "kept"), [("n", 2, 8), ("y", 0, 0)])
def test_on_a_terminal_it_is_asked_first(answer: str, code: int, kept: int, run: Run, folder: Path) -> None:
    empty(folder)
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    command = [sys.executable, "-m", "timelens", "ingest", str(folder), "-c", "notes", "--sync"]
    result = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(theirs)
    os.close(ours)
    assert result.returncode == code
    assert (
        f"8 of 8 documents from {folder} are gone and would be removed. Remove them? [y/N]" in result.stderr
    )
    assert documents(run) == kept


def test_a_dry_run_says_what_would_be_done(run: Run, folder: Path) -> None:
    (folder / "3.txt").write_text("Other text.")
    (folder / "sub" / "0.txt").unlink()
    (folder / "new.txt").write_text("New text.")
    dry = ("ingest", folder, "-c", "notes", "--sync", "--dry-run")
    outcome = run(*dry)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        "add    new.txt",
        "update 3.txt",
        "remove sub/0.txt",
        "notes: 1 added, 1 updated, 6 unchanged, 1 removed; this is a dry run, nothing was changed",
    ]
    told = json.loads(run(*dry, "--json").out)
    validate(told, "ingest")
    assert told["planned"] == {"added": ["new.txt"], "updated": ["3.txt"], "removed": ["sub/0.txt"]}
    assert documents(run) == 8


def test_a_dry_run_makes_no_corpus(run: Run, tmp_path: Path, new_home: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    outcome = run("ingest", tmp_path / "a.txt", "-c", "notes", "--dry-run")
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "add    a.txt")
    assert not new_home.exists()


@pytest.mark.usefixtures("new_home")
@pytest.mark.parametrize(
    ("options", "said"),
    [(["--remove-most"], "needs --sync"), (["--dry-run", "--reembed"], "does not go with")],
)
def test_options_that_do_not_go_together(options: list[str], said: str, run: Run, tmp_path: Path) -> None:
    outcome = run("ingest", tmp_path, "-c", "notes", *options)
    assert (outcome.code, said in outcome.err, outcome.out) == (2, True, "")


@pytest.mark.parametrize(
    "command",
    [
        ["corpora", "remove", "notes", "--yes"],
        ["ingest", "--reembed", "-c", "notes"],
        ["ingest", "-qc", "notes"],
    ],
    ids=["remove", "reembed", "ingest"],
)
def test_what_another_process_writes_to_is_left_alone(
    command: list[str], run: Run, folder: Path, new_home: Path
) -> None:
    corpus = new_home / "corpora" / "notes"
    with held(corpus / "ingest.lock"):
        outcome = run(*command, *([folder] if command == ["ingest", "-qc", "notes"] else []))
        assert (corpus / "ingest.lock").exists()
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.splitlines()[0] == "timelens: another process is writing to notes"
    assert documents(run) == 8
    assert run("corpora", "remove", "notes", "--yes").code == 0
    assert not corpus.exists()
