"""Histories as ``git log`` writes them, of a real repository."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import day, read

Log = Callable[..., str]

COMMITS = (
    ("2020-02-03T23:30:00+0500", "Olga Śmigły", "Set the timeout to 30 s\n\nSlow lines failed.\n\nSee 2019."),
    ("2021-07-19T10:00:00+0200", "Sam", "commit the parser\n\n    indented code\ncommit 1234567"),
    ("2021-07-19T11:00:00+0200", "Olga Śmigły", "Add a file"),
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    folder = tmp_path_factory.mktemp("repository")
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(folder)}

    def git(*arguments: str, **settings: str) -> str:
        environment = {**os.environ, **quiet, **settings}
        command = ["git", "--no-pager", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        return done.stdout.decode()

    git("init", "-q", "-b", "main")
    for number, (written, author, message) in enumerate(COMMITS):
        (folder / "a.txt").write_text(f"commit 0123456789abcdef\nAuthor: {number}\n    text {number}\n" * 5)
        git("add", ".")
        name = ("-c", f"user.name={author}", "-c", "user.email=a@example.org")
        dates = {"GIT_AUTHOR_DATE": written, "GIT_COMMITTER_DATE": "2023-01-01T00:00:00+0000"}
        git(*name, "commit", "-q", "-m", message, **dates, GIT_COMMITTER_NAME="Somebody Else")
    return lambda *arguments: git("log", *arguments)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--stat",),
        ("-p",),
        ("-p", "--stat", "--format=fuller"),
        ("--format=fuller", "--date=rfc"),
        ("--format=full", "--format=medium", "--date=iso", "--name-only"),
        ("--date=iso-strict", "--numstat"),
        ("--date=short", "--decorate=full", "--parents"),
        ("--date=raw", "--abbrev-commit"),
        ("--date=local",),
        ("--date=format:%d %B %Y",),
    ],
    ids=" ".join,
)
def test_commits_have_the_day_on_which_they_were_written(
    tmp_path: Path, log: Log, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    documents, failures = read(tmp_path / "core.txt", log(*options))
    assert failures == []
    assert [(document.id, document.text) for document in documents] == [
        ("core.txt#2020-02-03", "Olga Śmigły: Set the timeout to 30 s\n\nSlow lines failed.\n\nSee 2019."),
        (
            "core.txt#2021-07-19",
            "Sam: commit the parser\n\n    indented code\ncommit 1234567\n\nOlga Śmigły: Add a file",
        ),
    ]
    assert [document.published for document in documents] == [day(2020, 2, 3), day(2021, 7, 19)]
    assert documents[0].published_source == "author date"
    assert documents[0].title == "core: 3 February 2020"
    hashes = log("--format=%h", "--abbrev=7", "--reverse").split()
    cited = [mark.place for document in documents for mark in document.places]
    assert [place.partition(", commit ")[2][:7] for place in cited] == hashes
    assert cited[0].startswith("Olga Śmigły, commit ")
    assert "Somebody Else" not in "".join(document.text for document in documents)


@pytest.mark.parametrize("options", [("--oneline",), ("--format=short",), ("--format=%h %ad %s",)])
def test_a_history_of_another_shape_is_plain_text(tmp_path: Path, log: Log, options: tuple[str, ...]) -> None:
    text = log(*options)
    documents, failures = read(tmp_path / "core.txt", text)
    assert (failures, [(document.id, document.text) for document in documents]) == ([], [("core.txt", text)])


def test_what_git_says_of_a_signature_is_no_message(tmp_path: Path) -> None:
    text = (
        "commit 0123456789abcdef\ngpg: Signature made\ngpg:    using RSA\nAuthor: A <a@b>\n"
        "Date:   Mon May 3 10:33:12 2021 +0200\n\n\ndiff --git a b\n    indented context\n\n"
        "commit fedcba9876543210\nAuthor: A <a@b>\nDate:   Mon May 3 11:33:12 2021 +0200\n\n    Mend it\n"
    )
    (document,), failures = read(tmp_path / "a.txt", text)
    assert (document.text, failures) == ("A: Mend it\n\nA: (no message)", [])


def test_dates_that_state_no_day_are_told_of_once(tmp_path: Path, log: Log) -> None:
    documents, failures = read(tmp_path / "core.txt", log("--date=relative"))
    assert documents == []
    (failure,) = failures
    assert "messages without a readable time: 3, the first is line" in failure.error
    assert " ago" in failure.error


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "The log says:\ncommit 0123456789abcdef\nAuthor: A <a@b>\nDate: 2020-01-01\n\n    x\n",
            id="quoted",
        ),
        pytest.param("commit 0123456789abcdef to memory.\n", id="prose"),
        pytest.param("commit 0123456789abcdef\n\nText.\n", id="no author"),
    ],
)
def test_what_only_quotes_a_history_is_plain_text(tmp_path: Path, text: str) -> None:
    documents, failures = read(tmp_path / "a.txt", text)
    assert (failures, [document.text for document in documents]) == ([], [text])


def test_a_commit_without_a_message_is_not_left_out(tmp_path: Path) -> None:
    head = "commit 0123456789abcdef\nAuthor: Ann <a@b>\nDate:   Mon May 3 10:33:12 2021 +0200"
    (document,), failures = read(tmp_path / "log.txt", head)
    assert failures == []
    assert document.published == day(2021, 5, 3)
    assert "Ann" in document.text
    assert "(no message)" in document.text
