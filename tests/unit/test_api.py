"""The Python API, as its docstring shows it."""

import doctest
from pathlib import Path

import pytest

import timelens


@pytest.mark.usefixtures("home")
def test_the_example_of_the_package_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    results = doctest.testmod(timelens)
    assert (results.failed, results.attempted > 3) == (0, True)
