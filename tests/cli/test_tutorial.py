"""The examples of docs/tutorial.md, run in their order."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from cli.conftest import Run

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(
    r"```console\n\$ timelens (.*?)\n(.*?)```\n|```python\n(.*?)```\n```\n(.*?)```\n", re.DOTALL
)
SECONDS = re.compile(r"\d+\.\d s$", re.MULTILINE)


@pytest.mark.usefixtures("home")
def test_every_example_prints_what_stands_below_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    found = EXAMPLE.findall(page)
    assert len(found) == page.count("```console") + page.count("```python") >= 5
    for command, printed, code, told in found:
        if command:
            outcome = run(*shlex.split(command))
            assert (outcome.code, outcome.err) == (0, "")
            assert SECONDS.sub("… s", outcome.out) == SECONDS.sub("… s", printed)
        else:
            with redirect_stdout(StringIO()) as output:
                exec(compile(code, "docs/tutorial.md", "exec"), {})
            assert output.getvalue() == told
