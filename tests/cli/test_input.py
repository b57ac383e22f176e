"""``ingest -``: what comes on standard input."""

import json
from pathlib import Path

import pytest
from cli.conftest import Run


def stored(run: Run) -> int:
    return int(json.loads(run("corpora", "show", "notes", "--json").out)["documents"])


def test_standard_input_is_a_document_that_a_sync_keeps(run: Run, new_home: Path, tmp_path: Path) -> None:
    assert not new_home.exists()
    text = "# Fees\n\nThe fee was 5 in 2015."
    arguments = ("ingest", "-", "-c", "notes", "--type", "md", "-q")
    assert run(*arguments, stdin=text).code == 0
    found = json.loads(run("search", "fee in 2015", "-c", "notes", "--json").out)["hits"][0]
    assert (found["chunk_id"], found["uri"], found["title"]) == ("stdin.md#0", "stdin", "Fees")
    assert "1 unchanged" in run(*arguments, stdin=text).out
    assert "1 updated" in run(*arguments, stdin=text + " More.").out
    named = (*arguments, "--name", "minutes/2015-05-04.md")
    assert "1 added" in run(*named, "--dry-run", stdin=text).out
    assert "1 added" in run(*named, stdin=text).out
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.txt").write_text("Text of 2010.")
    outcome = run("ingest", folder, "-c", "notes", "--sync", "-q")
    assert (outcome.code, stored(run)) == (0, 3)
    assert "1 unchanged" in run("ingest", folder, "-", "-c", "notes", "--type=md", "-q", stdin=text + "!").out
    assert stored(run) == 3


def test_records_come_on_standard_input(run: Run, new_home: Path) -> None:
    assert not new_home.exists()
    lines = '{"id": "a", "text": "A in 2010."}\n{"text": "B in 2011."}\n'
    assert "2 added" in run("ingest", "-", "-c", "notes", "--type", "jsonl", "-q", stdin=lines).out
    assert stored(run) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-", "--type", "png"), 2, "there is no reader for png"),
        (("-", "--name", ""), 2, "--name is empty"),
        (("-", "--name", " "), 2, "--name is empty"),
        (("-", "--name", "x" * 201), 2, "--name is empty, too long"),
        (("-",), 1, "stdin.txt: it is empty"),
        ((".", "--type", "md"), 2, "--type and --name are for standard input"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    run: Run, new_home: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    assert not new_home.exists()
    outcome = run("ingest", *arguments, "-c", "notes", "-q")
    assert outcome.code == code
    assert said in outcome.err
    assert "Traceback" not in outcome.err
