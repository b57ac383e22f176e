"""Two hundred bad inputs: arguments, configurations and files. Each is one clear line, with a remedy."""

import json
from itertools import product
from pathlib import Path

import pytest
from cli.conftest import Run

from timelens.ingest.readers import READERS

Arguments = tuple[str, ...]

WHO = "Who kept North Point in 2010?"
NO_DAYS = [
    "",
    " ",
    "yesterweek",
    "2020-02-30",
    "2021-02-29",
    "2020-13-01",
    "2020-00-10",
    "2020/99/99",
    "0",
    "20200",
    "noon",
    "1e9",
    "the day that never was",
    "2020-01-01 or so maybe",
    "\x1b[31m2020",
    "-1",
]
NO_CORPORA = ["", " ", "a/b/../..\x00", "bad name", "..", "x" * 300, "\x1b[2J", "s3://", "ftp://x/y", "a\nb"]
NO_NAMES = ["", " ", "magic", "TIMELENS", "hybrid+", "+rerank", "\x1b[31m", "x" * 200]
NO_COUNTS = ["0", "-1", "1001", "ten", "1.5", "", "nan", "9" * 30]
NO_PATTERNS = ["[", "a[b", "**[", ""]


def invocations() -> list[Arguments]:
    """Command lines of which none can be carried out."""
    asking: list[Arguments] = [("ask", WHO), ("search", WHO)]
    found = [(*command, "-c", "harbour", "--as-of", day) for command, day in product(asking, NO_DAYS)]
    found += [("parse", WHO, "--as-of", day) for day in NO_DAYS]
    found += [(*command, "-c", name) for command, name in product(asking, NO_CORPORA)]
    found += [("corpora", "show", name) for name in NO_CORPORA]
    found += [(*command, "-c", "harbour", "-s", name) for command, name in product(asking, NO_NAMES)]
    found += [(*command, "-c", "harbour", "-k", count) for command, count in product(asking, NO_COUNTS)]
    found += [("ask", WHO, "-c", "harbour", option, name) for option in OF_MODELS for name in NO_NAMES[2:]]
    found += [("ingest", ".", option, pattern) for option, pattern in product(OF_FILES, NO_PATTERNS)]
    return found


OF_MODELS = ("--answerer", "--reading", "--parser", "--model")
OF_FILES = ("--include", "--exclude")


@pytest.mark.parametrize("arguments", invocations(), ids=repr)
def test_what_cannot_be_carried_out(arguments: Arguments, run: Run, harbour: str) -> None:
    assert harbour
    outcome = run(*arguments)
    assert outcome.code in {2, 3}
    assert outcome.out == ""
    require_one_line(outcome.err)


def require_one_line(err: str) -> None:
    """What is wrong in one line, and in the next what to do; nothing that a terminal would obey."""
    lines = err.splitlines()
    assert len(lines) == 2, err
    assert lines[0].startswith("timelens: ")
    assert lines[1].startswith("  ")
    assert len(lines[1].strip()) > 3
    assert err.replace("\n", "").isprintable()


NO_SETTINGS = {
    "nothing of TOML": "[chat",
    "a key twice": "risk = 0.1\nrisk = 0.2",
    "an unknown key": "colour = 1",
    "an unknown table": "[colour]\nred = 1",
    "an unknown key of a table": "[llama]\nmodle = 'x'",
    "a table for a value": "[risk]\nx = 1",
    "a value for a table": "llama = 3",
    "a text for a number": "risk = 'low'",
    "too large": "risk = 1.5",
    "below nothing": "risk = -0.1",
    "no number": "risk = nan",
    "no answerer": "answerer = 'oracle'",
    "no reading": "[llama]\nreading = 'aloud'",
    "no threads": "[llama]\nthreads = 0",
    "no tokens": "[llama]\nanswer_tokens = 1",
    "a seed too large": "[llama]\nseed = 99999999999",
    "a temperature": "[llama]\ntemperature = 3",
    "an address that is none": "[server]\nurl = 'localhost'",
    "an address with a password": "[server]\nurl = 'http://me:secret@127.0.0.1/'",
    "an address with a query": "[server]\nurl = 'http://127.0.0.1/?key=secret'",
    "a variable that is none": "[server]\nkey_env = 'my key'",
    "a silence too long": "[server]\ntimeout_seconds = 99999",
    "a hub that is none": "[llama]\nhub = 'here'",
    "no retries": "[storage]\nretries = -1",
    "days that are none": "[history]\nkeep_days = -3",
    "a budget of nothing": "[ingest]\nseconds = 0",
    "bytes": b"\xff\xfe\x00",
    "a control character": "risk = 0.5 # \x07",
}


@pytest.mark.parametrize("content", NO_SETTINGS.values(), ids=NO_SETTINGS)
def test_what_cannot_be_configured(
    content: str | bytes, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(
        "TIMELENS_LLAMA__THREADS", raising=False
    )  # set for all tests; it comes before the file
    (home / "config.toml").write_bytes(content.encode() if isinstance(content, str) else content)
    outcome = run("corpora", "list")
    assert (outcome.code, outcome.out) == (2, "")
    require_one_line(outcome.err)
    assert "secret" not in outcome.err


CONTENTS = {"empty": b"", "noise": bytes(range(256)) * 4, "cut": b"PK\x03\x04\x14" + bytes(40)}


def test_files_that_cannot_be_read(run: Run, home: Path, tmp_path: Path) -> None:
    """Of all formats; the one that can be read is."""
    assert home.exists()
    folder = tmp_path / "in"
    folder.mkdir()
    for (name, content), suffix in product(CONTENTS.items(), READERS):
        (folder / f"{name}{suffix}").write_bytes(content)
    (folder / "good.md").write_text("The fee was 5 in 2015.")
    outcome = run("ingest", folder, "-c", "notes", "-q", "--json")
    report = json.loads(outcome.out)
    assert (outcome.code, report["documents"]["added"]) == (1, 1)
    said = run("ingest", folder, "-c", "more", "-q").err.splitlines()
    for file in folder.iterdir():
        lines = [line for line in said if line.startswith(f"{file.name}:")]
        if file.name != "good.md":
            assert len(lines) == 1, (file.name, lines)
            assert lines[0].endswith(")")
            assert " (" in lines[0]


def test_there_are_two_hundred() -> None:
    assert len(set(invocations())) + len(NO_SETTINGS) + len(CONTENTS) * len(READERS) >= 200
