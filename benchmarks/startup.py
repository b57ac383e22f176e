"""Start-up: processor time of fresh commands, as ratios of medians in one run, each with a budget.

``--help`` and ``parse`` are compared with an empty Typer app, the chat with Textual (imports only), and
questions about the bundled spaceflight documents with ``import torch``.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROUNDS = 7
DOCUMENTS = Path(__file__).parents[1] / "corpora" / "spaceflight" / "documents"

EMPTY_TYPER = ("-c", "import typer; app = typer.Typer(); app.command()(lambda: None); app(['--help'])")
EMPTY_TEXTUAL = ("-c", "import textual.app, textual.widgets")
TORCH = ("-c", "import torch")
TIMELENS = ("-m", "timelens")
FROM_A_TABLE = "Which space station was in orbit for the Soviet Union as of May 1984?"
FROM_A_TEXT = "When was the Challenger lost?"

CASES = (
    ("--help", (*TIMELENS, "--help"), EMPTY_TYPER, 1.1),
    ("parse", (*TIMELENS, "parse", FROM_A_TABLE), EMPTY_TYPER, 4.5),
    ("chat import", ("-c", "import timelens.tui.launch"), EMPTY_TEXTUAL, 1.5),
    ("ask, table", (*TIMELENS, "ask", FROM_A_TABLE, "--corpus", "spaceflight"), TORCH, 1.5),
    ("ask, text", (*TIMELENS, "ask", FROM_A_TEXT, "--corpus", "spaceflight"), TORCH, 2.0),
)
"""(name, command, reference command, budget as a ratio)."""


def seconds(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """User and system time of a fresh Python with these arguments."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    """Print one line for each ratio."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TIMELENS_HOME": home, "OMP_NUM_THREADS": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has compiled files
        seconds((*TIMELENS, "ingest", str(DOCUMENTS), "--corpus", "spaceflight", "--quiet"), environment)
        for name, ours, theirs, budget in CASES:
            seconds(ours, environment)  # warms the file cache
            pairs = [(seconds(ours, environment), seconds(theirs, environment)) for _ in range(ROUNDS)]
            mine, reference = (statistics.median(times) for times in zip(*pairs, strict=True))
            ratio = f"{mine:.2f} s against {reference:.2f} s: {mine / reference:.2f} ×"
            print(f"{name:12} {ratio} (budget {budget})")


if __name__ == "__main__":
    main()
