"""The examples of docs/python.md, run in their order as in a notebook."""

import ast
import asyncio
import inspect
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


async def told(examples: list[str]) -> list[str]:
    """What each of them prints; they share their names."""
    names: dict[str, object] = {}
    printed = []
    for example in examples:
        code = compile(example, "docs/python.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        with redirect_stdout(StringIO()) as output:
            waiting = eval(code, names)
            if inspect.isawaitable(waiting):
                await waiting
        printed.append(output.getvalue())
    return printed


@pytest.mark.usefixtures("home")
def test_every_example_prints_what_stands_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```\n```\n(.*?)```\n", page, re.DOTALL)
    assert len(found) == page.count("```python") >= 7
    assert asyncio.run(told([example for example, _ in found])) == [output for _, output in found]
