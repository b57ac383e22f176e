"""Play a conversation with the real chat in a real terminal, and save its screens in build/demo.

It runs in tmux, over bundled corpora in a temporary home: a question, a follow-up, a comparison, another
reference day, the evidence, another corpus, a document at the cited sentence, the corpora over time, and the
export as a page. Each screen is saved as text and as SVG. If something expected does not appear, it shows the
last screen and exits with 1.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "demo"
CORPORA = ("leaders", "policy-rates")
SIZE = (120, 40)
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Scene:
    """The keys to type, and the texts that must then be on the screen."""

    name: str
    keys: tuple[str, ...]
    """Key names of tmux; other strings are typed as text."""
    expected: tuple[str, ...]
    gone: tuple[str, ...] = ()
    """Texts that must no longer be on the screen."""


SCENES = (
    Scene("opened", (), ("leaders: 1 document", "Ask about the documents")),
    Scene(
        "question",
        ("Who was Chancellor of Germany between 1990 and 2020?", "Enter"),
        ("Helmut Kohl", "Gerhard Schröder", "Angela Merkel", "✓ 3 supported"),
        ("answering",),
    ),
    Scene("follow-up", ("and before that?", "Enter"), ("read as:", "Helmut Schmidt"), ("answering",)),
    Scene(
        "comparison",
        ("Who was Chancellor of Germany in 1995 compared with 2010?", "Enter"),
        ("1995: Helmut Kohl", "2010: Angela Merkel", "baseline", "comparison"),
        ("answering",),
    ),
    Scene("as of", ("/asof 1985", "Enter"), ("as of 1985-12-31",)),
    Scene(
        "question as of",
        ("Who is President of France?", "Enter"),
        ("François Mitterrand: France, President",),
        ("answering",),
    ),
    Scene("evidence", ("F2",), ("evidence", "score", "François Mitterrand")),
    Scene("corpus", ("Escape", "/corpus policy-rates", "Enter"), ("policy-rates: 55 documents",)),
    Scene("numbers", ("What was Bank Rate in 2001, 2005 and 2009?", "Enter"), ("2009:",), ("answering",)),
    Scene(
        "statement",
        ("Who voted against the cut of the Federal Reserve in July 2019?", "Enter"),
        ("Eric Rosengren of Boston and Esther George",),
        ("answering",),
    ),
    Scene(
        "document",
        ("/open 1", "Enter"),
        ("p Previous", "o Open file", "[1]", "Eric Rosengren", "31 Jul 2019"),
    ),
    Scene(
        "corpora",
        ("Escape", "F5"),
        ("events of policy-rates over time", "leaders", "55 documents", "each bar"),
    ),
    Scene("back", ("Escape",), ("Ask about the documents",), ("each bar",)),
    Scene("export", (f"/export {OUT / 'conversation.html'}", "Enter"), ("Written:",)),
)


class Terminal:
    """A private tmux server, with one window that runs a command."""

    def __init__(self, command: str) -> None:
        self._server = f"timelens-demo-{os.getpid()}"
        width, height = map(str, SIZE)
        self._tmux("new-session", "-d", "-x", width, "-y", height, command)

    def type(self, keys: tuple[str, ...]) -> None:
        """Send keys; strings that are not key names are sent as text."""
        for key in keys:
            named = re.fullmatch(r"(?:[CMS]-)*(?:.|F\d+|Enter|Escape|Tab|Up|Down|PPage|NPage)", key)
            self._tmux("send-keys", *([] if named else ["-l"]), key)
            time.sleep(0.3)

    def screen(self, *options: str) -> str:
        """The text on the screen."""
        return self._tmux("capture-pane", "-p", *options)

    def close(self) -> None:
        """Stop the server and everything that runs in it."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True, check=False)

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._server, "-f", os.devnull, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout


def play(terminal: Terminal) -> None:
    """Play all scenes and save their screens."""
    for number, scene in enumerate(SCENES, start=1):
        terminal.type(scene.keys)
        wait(terminal, scene)
        keep(OUT / f"{number}-{scene.name.replace(' ', '-')}", terminal)
        print(f"{number}. {scene.name}: {', '.join(scene.expected)}")


def wait(terminal: Terminal, scene: Scene) -> None:
    """Wait until the screen shows what a scene expects."""

    def missing() -> list[str]:
        screen = terminal.screen()
        return [text for text in scene.expected if text not in screen] + [
            f"{text} should be gone" for text in scene.gone if text in screen
        ]

    if not becomes(lambda: not missing()):
        keep(OUT / "failed", terminal)
        sys.exit(f"{terminal.screen()}\n{scene.name}: {'; '.join(missing())}. See {OUT}.")


def becomes(condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within the time limit."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def keep(path: Path, terminal: Terminal) -> None:
    """Save a screen as text, and as SVG without its web font."""
    path.with_suffix(".txt").write_text(terminal.screen(), encoding="utf-8")
    console = Console(
        record=True, width=SIZE[0], file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text.from_ansi(terminal.screen("-e", "-N")), end="")
    svg = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="timelens"), flags=re.DOTALL)
    path.with_suffix(".svg").write_text(svg, encoding="utf-8")


def main() -> None:
    """Ingest, play, quit."""
    if shutil.which("tmux") is None:
        sys.exit("The demo needs tmux: apt install tmux")
    shutil.rmtree(OUT, ignore_errors=True)
    home = OUT / "home"
    home.mkdir(parents=True)
    environment = {
        **os.environ,
        "TIMELENS_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("NO_COLOR", None)
    for name in CORPORA:
        ingest = ["ingest", str(ROOT / "corpora" / name / "documents"), "--corpus", name, "-q"]
        subprocess.run([sys.executable, "-m", "timelens", *ingest], env=environment, check=True)
    variables = [
        f"{name}={environment[name]}" for name in ("TIMELENS_HOME", "PYTHONPATH", "COLORTERM", "LC_ALL")
    ]
    chat = [sys.executable, "-m", "timelens", "chat", "--corpus", CORPORA[0], "--as-of", "2024-12-31"]
    terminal = Terminal(f"env {shlex.join([*variables, *chat])}; echo EXIT=$?; sleep 600")
    try:
        play(terminal)
        terminal.type(("C-q",))
        wait(terminal, Scene("left", (), ("EXIT=0",)))
    finally:
        terminal.close()
    page = (OUT / "conversation.html").read_text(encoding="utf-8")
    if page.count("<article") != 6 or page.count("<svg") != 6:
        sys.exit("The page does not hold six questions with their timelines.")
    shutil.rmtree(home)
    print(f"The screens are in {OUT}.")


if __name__ == "__main__":
    main()
