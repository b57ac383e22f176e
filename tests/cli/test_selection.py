"""What ``ingest`` reads of folders: patterns, ignore files, hidden files; and what a sync makes of them."""

import json
import os
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.test_contracts import validate


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    path = tmp_path / "documents"
    for n in range(8):
        file = path / ("drafts" if n < 2 else ".") / f"{n}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"Text {n} of 2010.")
    return path


def added(run: Run, *arguments: object) -> list[str]:
    outcome = run("ingest", *arguments, "-c", "notes", "--dry-run")
    assert outcome.code == 0
    return [line.removeprefix("add    ") for line in outcome.out.splitlines()[:-1]]


def test_patterns_ignore_files_and_hidden_files(run: Run, folder: Path) -> None:
    (folder / ".timelensignore").write_text("/drafts/\n7.txt\n")
    (folder / ".9.txt").write_text("Text 9 of 2010.")
    assert added(run, folder) == ["2.txt", "3.txt", "4.txt", "5.txt", "6.txt"]
    assert added(run, folder, "--include", "[67].txt", "--include", "drafts/") == ["6.txt"]
    assert added(run, folder, "--no-ignore-files", "--include", "7.txt") == ["7.txt"]
    assert added(run, folder, "--hidden", "--exclude", "[2-5].txt", "--exclude", "6*") == [".9.txt"]
    assert added(run, f"{folder}/*.txt", "--exclude", "[3-7].txt") == ["2.txt"]
    assert added(run, f"{folder}/**/[12].txt", "--no-ignore-files") == ["2.txt", "drafts/1.txt"]
    outcome = run("ingest", folder, "-c", "notes", "-q", "--exclude", "2.txt")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "note: 2 files or folders are excluded by ignore files; --no-ignore-files reads what they name",
        "note: 1 file or folder is excluded by patterns",
        "note: 1 file or folder is hidden; --hidden reads them",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--include", ""], 2, "'' is not a pattern"),
        (["--exclude", "#x"], 2, "'#x' is not a pattern"),
        (["--include", "!x"], 2, "--include has only exceptions"),
        (["--watch", "--dry-run"], 2, "--dry-run does not go with --watch"),
        (["*.exe"], 3, "nothing matches *.exe"),
        (["gone/*.txt"], 3, "there is nothing at gone"),
    ],
)
def test_what_cannot_be_done_is_said(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(folder)
    outcome = run("ingest", "2.txt", "-qc", "notes", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.splitlines()[0] == f"timelens: {message}"


def test_files_of_other_kinds_are_listed_and_are_no_failures(run: Run, folder: Path) -> None:
    (folder / "logo.png").write_bytes(b"x")
    outcome = run("ingest", folder, "-c", "notes", "-q")
    assert (outcome.code, "8 added;" in outcome.out) == (0, True)
    assert "logo.png: this kind of file is not read (readable are" in outcome.err
    outcome = run("ingest", folder, "-c", "notes", "-q", "--json")
    report = json.loads(outcome.out)
    validate(report, "ingest")
    assert (outcome.code, report["failures"]) == (0, [])
    assert [one["path"] for one in report["skipped"]] == ["logo.png"]
    named = run("ingest", folder / "logo.png", "-c", "notes", "-q")
    assert (named.code, "logo.png: this kind of file is not read" in named.err) == (1, True)


@pytest.mark.parametrize("corpus", ["./own", "."])
def test_a_corpus_in_the_folder_is_not_read(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, corpus: str
) -> None:
    monkeypatch.chdir(folder)
    assert run("ingest", ".", "-c", corpus, "-q").code == 0
    again = run("ingest", ".", "-c", corpus, "-q", "--sync")
    assert (again.code, again.err) == (0, "")
    assert "8 unchanged;" in again.out


def test_a_named_pipe_is_listed_and_the_rest_is_read(run: Run, folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    outcome = run("ingest", folder, "-c", "notes", "-q")
    assert outcome.code == 1
    assert "pipe.txt: a named pipe, not a file (" in outcome.err
    assert "8 added" in outcome.out


def test_a_sync_removes_what_is_excluded_now_and_says_so(run: Run, folder: Path) -> None:
    assert run("ingest", folder, "-c", "notes", "-q").code == 0
    kept = run("ingest", folder, "-c", "notes", "-q", "--exclude", "drafts/")
    assert "6 unchanged;" in kept.out
    dry = ("ingest", folder, "-c", "notes", "-q", "--exclude", "drafts/", "--sync")
    told = run(*dry, "--dry-run", "--json")
    report = json.loads(told.out)
    validate(report, "ingest")
    assert report["planned"]["removed"] == ["drafts/0.txt", "drafts/1.txt"]
    said = "removed, because their files are not read any more: 2 documents"
    assert report["notes"] == ["1 file or folder is excluded by patterns", said]
    done = run(*dry)
    assert (done.code, "6 unchanged, 2 removed;" in done.out, said in done.err) == (0, True, True)


def test_a_sync_that_would_remove_most_for_a_pattern_is_refused(run: Run, folder: Path) -> None:
    assert run("ingest", folder, "-c", "notes", "-q").code == 0
    outcome = run("ingest", folder, "-c", "notes", "-q", "--include", "7.txt", "--sync")
    assert (outcome.code, outcome.out) == (2, "")
    assert "7 of 8 documents from" in outcome.err


def test_a_sync_of_a_pattern_of_names_is_about_what_matches_it(run: Run, folder: Path) -> None:
    assert run("ingest", folder, "-c", "notes", "-q").code == 0
    (folder / "2.txt").unlink()
    (folder / "drafts" / "0.txt").rename(folder / "drafts" / "0.md")
    outcome = run("ingest", f"{folder}/[2-7].txt", "-c", "notes", "-q", "--sync")
    assert "5 unchanged, 2 removed;" in outcome.out
    assert "kept, because they are outside the named paths: 1 document" in outcome.err
