"""What is said where the data of a suite is not there."""

from pathlib import Path

import pytest
from bench.conftest import Bench
from cli.conftest import Run


@pytest.mark.parametrize(
    ("suite", "said", "command"),
    [
        ("tempo", "there is no examples/", "timelens bench fetch tempo --split NAME --out {folder}"),
        ("temprageval", "there is no test.csv", "timelens bench fetch temprageval --out {folder}"),
        ("adqab", "there is no C_final.jsonl", "timelens bench fetch adqab --out {folder}"),
    ],
)
def test_missing_data_is_said_with_the_command_that_fetches_it(
    suite: str, said: str, command: str, bench: Bench, tmp_path: Path, run: Run
) -> None:
    outcome, _ = bench(suite, tmp_path / "nothing here", tmp_path / "run")
    message, remedy = outcome.err.splitlines()
    assert (outcome.code, outcome.out) == (3, "")
    assert message.startswith(f"timelens: {said}")
    assert remedy == "  fetch it once: " + command.format(folder=f"'{tmp_path / 'nothing here'}'")
    unnamed = run("bench", "run", suite)
    assert unnamed.code == 3
    assert f"timelens bench fetch {suite}" in unnamed.err
