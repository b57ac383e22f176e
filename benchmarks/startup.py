"""Start-up: ``timelens --help`` against an empty Typer app, the chat's import against Textual's.

Ratios of medians in one run; budgets: at most 1.5 each.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 11

EMPTY_TYPER = "import typer; app = typer.Typer(); app.command()(lambda: None); app(['--help'])"
HELP = "import sys; sys.argv = ['timelens', '--help']; from timelens.cli import main; main()"
EMPTY_TEXTUAL = "import textual.app, textual.widgets"
CHAT = "import timelens.tui.launch"


def seconds(code: str) -> float:
    """Median wall time of a fresh Python that runs the code."""
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> None:
    """Print one line for each ratio."""
    for name, ours, theirs in (("--help", HELP, EMPTY_TYPER), ("chat import", CHAT, EMPTY_TEXTUAL)):
        mine, reference = seconds(ours), seconds(theirs)
        print(f"{name:12} {mine:.3f} s against {reference:.3f} s: {mine / reference:.2f} × (budget 1.5)")


if __name__ == "__main__":
    main()
