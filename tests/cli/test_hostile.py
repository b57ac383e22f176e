"""Hostile documents in a real corpus, answered from without a model."""

import json
import re
from pathlib import Path

import pytest
from cli.conftest import Run
from hostile import HOSTILE, WANTED

TRUE = "Ada Berg was the keeper of North Point from 2008 to 2012. She kept the lamp and the log.\n"
QUESTION = "Who was the keeper of North Point in 2010?"


@pytest.fixture(scope="module")
def hostile_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home with the corpus ``north``: one honest document among all hostile ones."""
    home = tmp_path_factory.mktemp("home")
    documents = home / "documents"
    documents.mkdir()
    (documents / "2012-05-01-keepers.md").write_text(TRUE)
    for number, text in enumerate(HOSTILE.values()):
        about = "North Point, 1 June 2010. A visitor left this note. "
        (documents / f"note-{number:02}.txt").write_bytes((about + text).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        report = open_corpus("north").ingest([documents])
    assert report.added > 30
    return home


@pytest.fixture(autouse=True)
def _home(hostile_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(hostile_home))


def test_the_honest_document_answers(run: Run) -> None:
    answer = json.loads(run("ask", QUESTION, "--corpus", "north", "--json").out)
    assert answer["status"] == "answered"
    assert "Ada Berg" in answer["values"][0]["text"]
    assert not any(WANTED in value["text"] for value in answer["values"])
    known = {citation["n"] for citation in answer["citations"]}
    assert {n for value in answer["values"] for n in value["citations"]} <= known


@pytest.mark.parametrize(
    "question", [QUESTION, "What did the visitors of North Point note in June 2010?", f"Who is {WANTED}?"]
)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_nothing_raw_reaches_the_terminal(run: Run, command: str, question: str) -> None:
    outcome = run(command, question, "--corpus", "north", "-k", "40")
    assert outcome.code == 0
    shown = outcome.out + outcome.err
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
