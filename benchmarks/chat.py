"""Chat: first paint, key latency and resuming, as ratios within one run, each with a budget.

Each program runs in its own pseudo-terminal. First paint and keys are compared with a Textual app that has
only an input; resuming 2,000 questions is compared with resuming 20.
"""

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 9
KEYS = 60
COPIES = 8
"""Number of copies of each document that is ingested while keys are typed."""
MARK = "sk about the documents"
"""Drawn once input is accepted; the cursor covers the letter before it."""
KEY = b"Z"
"""A key that occurs in nothing else that is drawn."""

EMPTY = f"""
from textual.app import App
from textual.widgets import Input
class Empty(App[None]):
    def compose(self):
        yield Input(placeholder="A{MARK}")
Empty().run()
"""
CHAT = """
import sys
from timelens.tui.launch import Beginning, run_chat
def begin():
    from timelens.config import Settings
    from timelens.temporal.calendar import parse_day
    from timelens.tui.options import Options
    as_of = parse_day("2024-06-01")
    return Beginning(None, Options(as_of, "timelens", 5), as_of, Settings())
def run():
    run_chat(begin)
"""
STREAMING = """
import threading, time
from pathlib import Path
from timelens.agent import Token
from timelens.store.overview import CorpusSummary
from timelens.embedding import EmbedderIdentity
from timelens.temporal.calendar import parse_day
from timelens.tui.app import ChatApp
from timelens.tui.options import Options
from timelens.tui.screen import ChatScreen
class Corpus:
    name, left_out = "bench", ()
    def exists(self): return True
    def warm(self): pass
    def summary(self): return CorpusSummary(1, 1, 1, None, EmbedderIdentity("none", 1, ""))
    def stream(self, question, **options):
        while True:
            yield Token("again ")
            time.sleep(0.03)
class Library:
    def names(self): return ["bench"]
    def open(self, name): return Corpus()
    def last(self): return None
    def keep_last(self, address): pass
async def begin(self, event):
    await self.corpora.ready(event)
    await self.questions.ask("What?")
ChatScreen.on_corpus_ready = begin
options = Options(parse_day("2024-06-01"), "timelens", None)
ChatApp(ChatScreen(None, options, Library(), Path("history.sqlite"))).run()
"""


class Screen:
    """A program in a pseudo-terminal of 120 × 40."""

    def __init__(self, program: str, environment: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.environ.update(environment)
            os.execv(sys.executable, [sys.executable, "-c", program])
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def type(self, keys: bytes) -> None:
        """Send keys."""
        os.write(self._terminal, keys)

    def until(self, text: bytes, seconds: float = 60) -> float:
        """Read until a text is drawn; returns the time, on the clock of ``time.perf_counter``."""
        drawn = b""
        deadline = time.perf_counter() + seconds
        while text not in drawn:
            if time.perf_counter() > deadline:
                sys.exit(f"{text!r} was not drawn within {seconds} s")
            if select.select([self._terminal], [], [], 0.01)[0]:
                drawn += os.read(self._terminal, 1 << 16)
        return time.perf_counter()

    def drain(self, seconds: float) -> None:
        """Read and discard output for some seconds."""
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            if select.select([self._terminal], [], [], left)[0]:
                os.read(self._terminal, 1 << 16)

    def close(self) -> None:
        """Kill the program."""
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._terminal)


def first_paint(program: str, environment: Mapping[str, str], mark: bytes = MARK.encode()) -> float:
    """Seconds until input is accepted, or until ``mark`` is drawn."""
    screen = Screen(program, environment)
    painted = screen.until(mark) - screen.began
    screen.close()
    return painted


def key_latency(program: str, environment: Mapping[str, str], begun: bytes = MARK.encode()) -> float:
    """Seconds from a key to its letter on the screen: the 95th percentile."""
    screen = Screen(program, environment)
    screen.until(begun)
    seconds = latency_on(screen)
    screen.close()
    return seconds


def key_latency_while_ingesting(environment: Mapping[str, str], folder: Path) -> float:
    """The same while the chat ingests a folder, which must last until all keys are typed."""
    screen = Screen(CHAT + "run()", environment)
    screen.until(b"leaders: ")
    screen.type(f"/ingest {folder}\r".encode())
    screen.until(b"Into the corpus")
    screen.type(b"\r")
    screen.until(b"Reading into")
    seconds = latency_on(screen)
    screen.type(b"\x1b")
    screen.until(b"Stop reading")
    screen.close()
    shutil.rmtree(Path(environment["TIMELENS_HOME"], "corpora", folder.name))
    return seconds


def latency_on(screen: Screen) -> float:
    """The 95th percentile of key latency on an open screen."""
    screen.drain(2.0)
    seconds = []
    for _ in range(KEYS):
        pressed = time.perf_counter()
        screen.type(KEY)
        seconds.append(screen.until(KEY) - pressed)
        screen.type(b"\x7f")
        screen.drain(0.1)
    return statistics.quantiles(seconds, n=20)[-1]


def resume(questions: int, environment: Mapping[str, str]) -> float:
    """Seconds from choosing a conversation to its last question on the screen."""
    subprocess.run(
        [sys.executable, "-c", HISTORY, str(questions)], env={**os.environ, **environment}, check=True
    )
    screen = Screen(CHAT + "run()", environment)
    screen.until(MARK.encode())
    screen.until(b"leaders: ")
    screen.type(b"\x1bOS")  # F4
    screen.until(f"{questions} question".encode())
    screen.drain(0.5)
    chosen = time.perf_counter()
    screen.type(b"\r")
    seconds = screen.until(b"The last one?") - chosen
    screen.close()
    return seconds


HISTORY = """
import os, sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from timelens.api import open_corpus
from timelens.history import History, KeptExchange
from timelens.answer.rendering.shown_evidence import ShownEvidence, asked_of
from timelens.tui.stored_answer import stored_json
file = Path(os.environ["TIMELENS_HOME"], "conversations.sqlite")
file.unlink(missing_ok=True)
answer = open_corpus("leaders").ask("Who was Chancellor of Germany between 1990 and 2020?", as_of=20000)
from timelens.answer.rendering.timeline import Timeline
evidence = ShownEvidence(Timeline(answer.citations), asked_of(answer.periods))
result, asked = stored_json(answer, evidence), datetime.now(UTC)
kept = KeptExchange("What?", "leaders", 0, "timelens", "answered", answer.text, result, asked)
history, conversation = History(file), None
for number in range(int(sys.argv[1])):
    question = "The last one?" if number == int(sys.argv[1]) - 1 else f"What {number}?"
    conversation = history.append(conversation, replace(kept, question=question))
"""


def copy_often(documents: Path, folder: Path) -> None:
    """Write several copies of each document, each with a different text."""
    folder.mkdir()
    for path in documents.iterdir():
        for number in range(COPIES):
            text = path.read_text(encoding="utf-8")
            (folder / f"{path.stem}-{number}{path.suffix}").write_text(f"{text}\nCopy {number}.\n")


def compare(
    name: str, ours: Callable[[], float], theirs: Callable[[], float], rounds: int, budget: float
) -> None:
    """Measure both alternately and print the ratio of their medians."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    mine, reference = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"{name:24} {mine:.3f} s against {reference:.3f} s: {mine / reference:.2f} × (budget {budget})",
        flush=True,
    )


def main(only: Sequence[str]) -> None:
    """Print one line for each ratio; with ``only``, those whose names begin with one of its words."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "TIMELENS_HOME": home,
            "OMP_NUM_THREADS": "1",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
        }
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        documents = ROOT / "corpora" / "leaders" / "documents"
        command = [
            sys.executable,
            "-m",
            "timelens",
            "ingest",
            str(documents),
            "--corpus",
            "leaders",
            "--quiet",
        ]
        subprocess.run(command, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
        first_paint(EMPTY, environment)  # warms the file cache
        first_paint(CHAT + "run()", environment)

        def empty() -> float:
            return key_latency(EMPTY, environment)

        os.chdir(home)
        more = Path(home, "more")
        copy_often(ROOT / "corpora" / "spaceflight" / "documents", more)
        cases = {
            "first paint": (
                lambda: first_paint(CHAT + "run()", environment),
                lambda: first_paint(EMPTY, environment),
                ROUNDS,
                1.3,
            ),
            "all of the chat": (
                lambda: first_paint(CHAT + "run()", environment, b"loading a corpus"),
                lambda: first_paint(EMPTY, environment),
                ROUNDS,
                3,
            ),
            "keys, idle": (lambda: key_latency(CHAT + "run()", environment, b"leaders: "), empty, 1, 3),
            "keys, streaming": (lambda: key_latency(STREAMING, environment, b"again"), empty, 1, 3),
            "keys, ingesting": (lambda: key_latency_while_ingesting(environment, more), empty, 1, 3),
            "resuming 2,000": (lambda: resume(2000, environment), lambda: resume(20, environment), 1, 2),
        }
        for name, (ours, theirs, rounds, budget) in cases.items():
            if not only or any(name.startswith(word) for word in only):
                compare(name, ours, theirs, rounds, budget)


if __name__ == "__main__":
    main(sys.argv[1:])
