"""How an answer came about: ``ask --explain``, and the log."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.conftest import Run

TEXT = "What was the ferry fare in 2017?"
ROW = "Who was lighthouse keeper in 2005?"


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """A command sets up the log of its process, which is that of all tests."""
    log = logging.getLogger("timelens")
    before = log.level, log.propagate, [*log.handlers]
    yield
    log.setLevel(before[0])
    log.propagate = before[1]
    for handler in [*log.handlers]:
        if handler not in before[2]:
            log.removeHandler(handler)
            handler.close()


def test_an_answer_read_in_texts_is_explained(run: Run, harbour: str) -> None:
    shown = run("ask", TEXT, "--corpus", harbour, "--explain")
    assert shown.code == 0
    parts = ["Question", "Search", "Candidates (", "Decision", "Time", "Answer"]
    places = [shown.out.index(f"\n{part}") for part in parts]
    assert places == sorted(places)
    candidates = shown.out[places[2] : places[3]]
    assert "2016-09-21-fare" in candidates
    assert "keyword" in candidates
    decision = shown.out[places[3] : places[4]]
    assert "from: what was read in texts" in decision
    assert "3.10 crowns" in decision
    assert "%" in decision
    plain = run("ask", TEXT, "--corpus", harbour)
    assert shown.out.endswith(plain.out), "the answer is the one without --explain"


def test_periods_are_decided_on_one_by_one(run: Run, harbour: str) -> None:
    shown = run("ask", "Compare the ferry fare in 2015 and in 2018.", "--corpus", harbour, "--explain")
    assert "Decision on period 1" in shown.out
    assert "Decision on period 2" in shown.out


def test_rows_of_tables_are_named_as_the_source(run: Run, harbour: str) -> None:
    shown = run("ask", ROW, "--corpus", harbour, "--explain").out
    assert "from: rows of tables" in shown
    candidates = shown[shown.index("\nCandidates (") : shown.index("\nDecision")]
    assert "undated" not in candidates, "evidence from another time has a date, too"


def test_an_answer_of_the_calendar_is_explained_with_and_without_a_corpus(
    run: Run, harbour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "What date is 90 days before 1 March 2020?"
    shown = run("ask", question, "--corpus", harbour, "--explain")
    assert "2 December 2019" in shown.out
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    without = run("ask", question, "--explain")
    assert (without.code, without.err) == (0, "")
    parts = [re.split(r"\nTime\n.*\n", each.out) for each in (without, shown)]
    assert parts[0] == parts[1], "only the time it took differs"
    assert run("ask", "What date is 90 days before 31 February 2020?", "--explain").code == 2
    assert run("ask", TEXT, "--explain").code == 3, "any other question needs a corpus"


def test_an_explanation_is_no_json(run: Run, harbour: str) -> None:
    refused = run("ask", TEXT, "--corpus", harbour, "--explain", "--json")
    assert refused.code == 2
    assert "--explain" in refused.err


def test_the_log_says_what_was_found_and_decided_without_texts(
    run: Run, harbour: str, tmp_path: Path
) -> None:
    file = tmp_path / "log" / "timelens.log"
    asked = run("--verbose", "--log-file", file, "ask", TEXT, "--corpus", harbour)
    assert asked.code == 0
    kept = file.read_text()
    assert "decided by what was read in texts" in kept
    assert "decided by what was read in texts" in asked.err
    assert "opened: " in kept
    assert "fare" not in kept.replace("-fare", "")
    assert "crowns" not in kept
    assert file.stat().st_mode & 0o077 == 0


def test_texts_are_logged_where_that_is_asked_for(run: Run, harbour: str, tmp_path: Path) -> None:
    file = tmp_path / "timelens.log"
    run("--log-file", file, "--log-texts", "ask", TEXT, "--corpus", harbour)
    kept = file.read_text()
    assert TEXT in kept
    assert "3.10 crowns" in kept


@pytest.mark.usefixtures("home")
def test_an_ingest_logs_what_it_leaves_out(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.txt").write_text("The bridge was opened in May 2011.")
    (folder / "bad.pdf").write_text("no PDF")
    done = run("--verbose", "ingest", folder, "--corpus", "notes")
    assert done.code == 1
    assert "left out: " in done.err
    assert "stored: documents 1" in done.err
    assert "bridge" not in done.err


def test_a_log_that_cannot_be_kept_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = run("--log-file", tmp_path / "file" / "log", "parse", "in 1990?")
    assert refused.code == 2
    assert "cannot be written" in refused.err
    assert run("--log-texts", "parse", "in 1990?").code == 2
