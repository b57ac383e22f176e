"""Invocations at random: each ends with an exit code that says what happened, and never by a fault."""

import io
import os
import random
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from strings import strings
from typer.main import get_command

from timelens.cli import app, run
from timelens.errors import ExitCode

SEED = 20_240_601
COUNT = int(os.environ.get("TIMELENS_TEST_INVOCATIONS", "400"))
TEXTS = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udcff.txt",
    "\x1b[31m\u202e",
    "\U000e0041\u200b",
    "é雪\U0001f600",
    "-",
    "--",
    "-1",
    "0",
    "1e999",
    "nan",
    "9" * 5_000,
    "-" + "9" * 40,
    "x" * 300,
    "x" * 70_000,
    "../" * 400,
    "%s %n {0} $HOME",
    '{"id": 1}',
    "[bold]x[/bold]",
    "who was the keeper of North Point in 2010?",
    "What is 90 days before 1 March 2020?",
    "in May 99999",
    "29 February 2021",
    "between 2015 and",
    "2021-05-06",
    "-9999-01-01",
    "9999-12-31",
    "10000-01-01",
)
NO_STORE = {
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_ACCESS_KEY_ID": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "TIMELENS_STORAGE__RETRIES": "0",
}
"""Of object stores nothing is asked beyond this machine, and nobody answers there."""
PLACES = (
    "",
    ".",
    "..",
    "~",
    "~nosuchuser/x",
    "~/x",
    "s3://bucket/x",
    "file:///etc",
    "missing",
    "missing/deep",
    "document.md",
    "document.md/x",
    "lines.jsonl",
    "table.csv",
    "bytes.txt",
    "empty.txt",
    "folder",
    "loop",
    "model.gguf",
    "/dev/null",
    "/proc/self/mem",
    "x" * 300,
    "x" * 5_000,
    "a\0b",
    "\ud800",
    "\udcff",
    "harbour",
)
NAMES = (
    "timelens",
    "bm25",
    "hybrid",
    "naive",
    "tarag",
    "mrag",
    "timelens+rerank",
    "+",
    "llama",
    "server",
    "extractive",
    "rules",
    "llm",
    "none",
    "direct",
    "cot",
    "self-rag",
    "strip",
    "oracle",
    "corpus",
    "expressions",
    "questions",
    "beir",
    "tdbench",
    "1,5",
    "1,,5",
    "A",
)
SETTINGS = (
    "STRATEGY",
    "K",
    "RISK",
    "ANSWERER",
    "PARSER",
    "LLAMA__MODEL",
    "SERVER__URL",
    "EMBEDDER__MODEL",
    "TIME",
)
STDINS = (b"", b"\xff\xfe", b"in May 2015", b'{"id": "1", "text": "in 1999"}\n', b"{}", b"[" * 10_000, b"\0")
NUMBERS = ("0", "1", "5", "-1", "1000", "1001", "9" * 40, "1e3", "x", "")
SPARED = {("model", "pull"), ("bench", "fetch"), ("bench", "run")}
"""Commands that may fetch, or take long, when they are asked for what there is."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option, or an argument, which has no names."""

    names: tuple[str, ...]
    needed: bool
    is_flag: bool
    is_number: bool


Commands = dict[tuple[str, ...], list[Parameter]]


def commands(command: Any, path: tuple[str, ...] = ()) -> Commands:  # noqa: ANN401 -- Typer's own is private
    """Every command below one by its path."""
    parameters = [
        Parameter(
            names=tuple(one.opts) if one.param_type_name == "option" else (),
            needed=one.required or one.param_type_name == "argument" or one.name == "corpus",
            is_flag=getattr(one, "is_flag", False),
            is_number=any(f"class '{kind}'" in str(one.type_descriptor) for kind in ("int", "float")),
        )
        for one in command.params
        if "completion" not in one.name
    ]
    found = {path: parameters}
    for name, below in sorted(getattr(command, "commands", {}).items()):
        found |= commands(below, (*path, name))
    return found


class Invocations:
    """What may be asked of a command line: most of it all but right, some of it in any order."""

    def __init__(self, known: Commands, seed: int) -> None:
        self.chance = random.Random(seed)
        self.known = known
        self.texts = (*TEXTS, *strings(200, seed))

    def next(self) -> list[str]:
        path = self.chance.choice(list(self.known))
        if path == ("doctor",) and self.chance.random() < 0.9:
            return self.next()  # it opens all there is
        arguments = [*path]
        for parameter in self.known[path]:
            if "--http" in parameter.names:
                continue  # it would be served until somebody ends it
            if self.chance.random() < (0.93 if parameter.needed else 0.12):
                arguments += self._given(path, parameter)
        if self.chance.random() < 0.1:
            arguments.insert(self.chance.randint(0, len(arguments)), self.value(path))
        if self.chance.random() < 0.05:
            self.chance.shuffle(arguments)
        return arguments

    def value(self, path: tuple[str, ...] = ()) -> str:
        return self.chance.choice(
            self.chance.choice((self.texts, PLACES, PLACES if path in SPARED else NAMES))
        )

    def _given(self, path: tuple[str, ...], parameter: Parameter) -> list[str]:
        name = [self.chance.choice(parameter.names)] if parameter.names else []
        if parameter.is_flag:
            return name
        if "--corpus" in name and self.chance.random() < 0.7:
            return [*name, "harbour"]
        return [*name, self.chance.choice(NUMBERS) if parameter.is_number else self.value(path)]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a working folder with little in them."""
    work = tmp_path / "home" / "work"
    (work / "folder" / "deep").mkdir(parents=True)
    (work / "document.md").write_text("# North Point\n\nAda Berg was the keeper from 2008 to 2012.\n")
    (work / "lines.jsonl").write_text('{"id": "1", "text": "in May 1999"}\n{"id": 2}\n')
    (work / "table.csv").write_text("name,start,end\nAda,2008,2012\nBo,2012,\n")
    (work / "bytes.txt").write_bytes(b"\xff\xfe\0x")
    (work / "empty.txt").touch()
    (work / "model.gguf").write_bytes(b"GGUF" + bytes(60))
    (work / "loop").symlink_to("loop")
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home" / "timelens"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for name, value in NO_STORE.items():
        monkeypatch.setenv(name, value)
    from timelens.api import open_corpus

    open_corpus("harbour").ingest([work / "document.md"])
    return tmp_path / "home" / "timelens"


def test_no_invocation_ends_with_a_fault(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = get_command(app)
    monkeypatch.setattr("typer.main.get_command", lambda _: command)  # which takes as long as all else
    asked = Invocations(commands(command), SEED)
    faults = []
    for _ in range(COUNT):
        arguments = asked.next()
        monkeypatch.setattr(sys, "argv", ["timelens", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked.chance.choice(STDINS))))
        err = io.StringIO()
        with monkeypatch.context() as patch, redirect_stdout(io.StringIO()), redirect_stderr(err):
            if asked.chance.random() < 0.05:
                setting = asked.value().replace("\0", "").replace("\ud800", "")
                patch.setenv(f"TIMELENS_{asked.chance.choice(SETTINGS)}", setting)
            code = run()
        (place / "config.toml").unlink(missing_ok=True)
        shown = "--debug" in arguments
        if code not in {*ExitCode, None} - {ExitCode.FAULT} or ("Traceback" in err.getvalue() and not shown):
            faults.append((code, arguments, err.getvalue()[-300:]))
    assert not faults
