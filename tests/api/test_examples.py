"""The examples of the documentation, each page in its order as in one session."""

import ast
import asyncio
import inspect
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from cli.conftest import Run, run

from timelens.api import open_corpus
from timelens.store import vector_index, view
from timelens.store.database import connect
from timelens.store.schema import CHUNKS

__all__ = ["run"]  # a fixture

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^```(console|python)\n(.*?)^```\n(?:```\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ timelens (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SECONDS = re.compile(r"\d+\.\d s$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A command without ``timelens``, or Python, and what it prints."""

    language: str
    text: str
    printed: str


def examples(page: str) -> Iterator[Example]:
    """Those of a page: commands in blocks of ``console``, and blocks of ``python`` with the output below."""
    for language, text, below in FENCED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        if language == "python":
            yield Example(language, text, below)
        else:
            assert text.startswith("$ timelens "), text
            yield from (Example(language, *found) for found in COMMAND.findall(text))


async def evaluated(code: str, names: dict[str, object]) -> None:
    """Run Python as a notebook does, where ``await`` may stand anywhere."""
    compiled = compile(code, "an example", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    waiting = eval(compiled, names)
    if inspect.isawaitable(waiting):
        await waiting


def require_each_to_print_its_output(page: str, run: Run) -> None:
    names: dict[str, object] = {}
    found = list(examples(page))
    assert found
    with asyncio.Runner() as runner:
        for example in found:
            if example.language == "python":
                with redirect_stdout(StringIO()) as output:
                    runner.run(evaluated(example.text, names))
                printed = output.getvalue()
            else:
                outcome = run(*shlex.split(example.text))
                assert outcome.code == 0, outcome.err
                printed = outcome.out + outcome.err
            assert SECONDS.sub("… s", printed) == SECONDS.sub("… s", example.printed)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(autouse=True)
def _in_a_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))


@pytest.mark.parametrize("page", ["tutorial.md", "python.md", "distributed.md", "serve.md"])
def test_every_example_prints_what_stands_below_it(page: str, run: Run) -> None:
    require_each_to_print_its_output(page, run)


@pytest.mark.usefixtures("object_store")
def test_so_do_those_in_an_object_store(run: Run) -> None:
    require_each_to_print_its_output("object-stores.md", run)


def test_so_do_those_about_a_corpus_larger_than_memory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "IN_MEMORY", 0)
    monkeypatch.setattr(vector_index, "INDEXED", 100)
    require_each_to_print_its_output("large-corpora.md", run)
    chunks = connect(open_corpus("large").path).open_table(CHUNKS)
    assert vector_index.has_vector_index(chunks)
