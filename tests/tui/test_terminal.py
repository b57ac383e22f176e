"""The chat in a real terminal, and the terminal's own care."""

import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from timelens.errors import BadInputError
from timelens.tui.terminal import noise_to

CHAT = """
import sys
from timelens.tui.launch import Beginning, run_chat
def begin():
    from timelens.config import Settings
    from timelens.temporal.calendar import parse_day
    from timelens.tui.options import Options
    as_of = parse_day("2024-06-01")
    return Beginning("stations", Options(as_of, "timelens", 5), as_of, Settings())
sys.exit(run_chat(begin))
"""

SLOW = (
    """
import os, time
from pathlib import Path
from timelens.corpus import Corpus
def stream(self, question, **options):
    time.sleep(600)
    yield
Corpus.stream = stream
Path(os.environ["TIMELENS_HOME"], "pid").write_text(str(os.getpid()))
"""
    + CHAT
)

CRASH = """
import sys
from timelens.cli import main
from timelens.tui.screen import ChatScreen
async def fail(self, event):
    raise ZeroDivisionError("as if by a bug")
ChatScreen.on_prompt_submitted = fail
sys.argv = ["timelens", "chat", "--corpus", "stations"]
main()
"""


class Terminal:
    """A tmux server of its own, with one window that runs one command.

    A server ends with its last session. A shared one could end while the next test connects to it.
    """

    def __init__(self, command: str, width: int, height: int) -> None:
        self._server = f"timelens-{uuid.uuid4().hex[:8]}"
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height), command)

    def type(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    @property
    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def see(self, condition: Callable[[str], object], seconds: float = 60) -> str:
        deadline = time.monotonic() + seconds
        while not condition(screen := self.screen):
            assert time.monotonic() < deadline, f"still not so after {seconds} s\n{screen}"
            time.sleep(0.1)
        return screen

    @property
    def modes(self) -> str:
        """Whether the alternate screen and the mouse are on."""
        modes = "#{alternate_on} #{mouse_any_flag}"
        return self._tmux("display-message", "-p", modes).strip()

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True, check=False)

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._server, "-f", os.devnull, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
        return done.stdout


@pytest.fixture
def terminal_of(corpus_home: Path) -> Iterator[Callable[..., Terminal]]:
    terminals = []

    def start(width: int, height: int, program: str = CHAT, before: str = "") -> Terminal:
        environment = shlex.join([f"TIMELENS_HOME={corpus_home}", f"PYTHONPATH={Path.cwd()}"])
        command = (
            f"{before}env {environment} {shlex.join([sys.executable, '-c', program])}; echo EXIT=$?; sleep 60"
        )
        terminal = Terminal(command, width, height)
        terminals.append(terminal)
        return terminal

    yield start
    for terminal in terminals:
        terminal.close()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 50)])
def test_a_question_in_a_real_terminal(
    terminal_of: Callable[[int, int], Terminal], width: int, height: int
) -> None:
    terminal = terminal_of(width, height)
    terminal.see(lambda screen: "Ask about the documents" in screen)
    terminal.type("When was Salyut 1 launched?", "Enter")
    screen = terminal.see(lambda screen: "dates:" in screen)
    assert "[1]" in screen
    assert "19 April 1971" in screen
    assert any(mark in screen for mark in "━●")
    terminal.type("C-q")
    terminal.see(lambda screen: "EXIT=0" in screen)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_question_typed_before_the_terminal_is_taken_over_is_asked(
    terminal_of: Callable[..., Terminal],
) -> None:
    terminal = terminal_of(80, 24, before="sleep 1; ")
    terminal.type("When was Salyut 1 launched?", "Enter")  # its Enter arrives as Ctrl+J
    assert "Ask about the documents" not in terminal.screen
    terminal.see(lambda screen: "19 April 1971" in screen and "dates:" in screen)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_ctrl_j_begins_a_line_and_an_editor_gives_back_its_text(
    terminal_of: Callable[..., Terminal], tmp_path: Path
) -> None:
    editor = tmp_path / "an editor"
    found = tmp_path / "found"
    editor.write_text(
        "#!/bin/sh\n"
        f'cp "$1" {found}; stat -c %a "$(dirname "$1")" >> {found}\n'
        "test -t 0 && test -t 1 && test -t 2 && printf 'When was Salyut 1 launched?\\n' > \"$1\"\n"
    )
    editor.chmod(0o700)
    terminal = terminal_of(80, 24, before=f"VISUAL={shlex.quote(shlex.quote(str(editor)))} ")
    terminal.see(lambda screen: "stations: " in screen)
    terminal.type("When was", "C-j", "Mir launched?")
    terminal.see(lambda screen: "> When was\n   Mir launched?" in screen)
    terminal.type("F6")
    terminal.see(lambda screen: "> When was Salyut 1 launched?" in screen)
    assert found.read_text() == "When was\nMir launched?\n700\n"
    assert terminal.modes == "1 1"
    terminal.type("Enter")
    terminal.see(lambda screen: "19 April 1971" in screen)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_quitting_while_everything_is_still_loading(terminal_of: Callable[[int, int], Terminal]) -> None:
    terminal = terminal_of(80, 24)
    terminal.see(lambda screen: "loading" in screen)
    terminal.type("C-q")
    terminal.see(lambda screen: "EXIT=0" in screen, seconds=10)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_the_chat_below_the_prompt_of_the_shell(terminal_of: Callable[..., Terminal]) -> None:
    program = CHAT.replace("run_chat(begin)", "run_chat(begin, inline=True)")
    terminal = terminal_of(100, 40, program, before="echo what was before; ")
    terminal.see(lambda screen: "stations: " in screen)
    terminal.type("When was Salyut 1 launched?", "Enter")
    screen = terminal.see(lambda screen: "dates:" in screen)
    assert "what was before" in screen
    assert terminal.modes.startswith("0 ")  # not the alternate screen
    terminal.type("C-q")
    screen = terminal.see(lambda screen: "EXIT=0" in screen)
    assert "what was before" in screen
    assert "19 April 1971" in screen


def ask_slowly(terminal: Terminal, home: Path, question: str) -> int:
    """Ask what is never answered. Returns the process id of the chat."""
    terminal.see(lambda screen: "stations: " in screen)
    terminal.type(question, "Enter")
    terminal.see(lambda screen: "answering …" in screen)
    return int((home / "pid").read_text())


def kept(home: Path, question: str) -> list[str]:
    """What came of a question, by the history."""
    with closing(sqlite3.connect(home / "conversations.sqlite")) as database:
        rows = database.execute("SELECT status FROM exchanges WHERE question = ?", [question])
        return [status for [status] in rows]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_chat_and_keeps_the_question(
    terminal_of: Callable[..., Terminal], corpus_home: Path, number: signal.Signals
) -> None:
    terminal = terminal_of(80, 24, SLOW)
    question = f"What ends by {number.name}?"
    process = ask_slowly(terminal, corpus_home, question)
    assert terminal.modes == "1 1"
    os.kill(process, number)
    terminal.see(lambda screen: f"EXIT={128 + number}" in screen, seconds=10)
    assert terminal.modes == "0 0"
    assert kept(corpus_home, question) == ["cancelled"]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_closed_terminal_ends_the_chat_under_a_program_that_waits_for_it(
    terminal_of: Callable[..., Terminal], corpus_home: Path
) -> None:
    terminal = terminal_of(80, 24, SLOW, before="trap : HUP; ")  # as make does
    process = ask_slowly(terminal, corpus_home, "What ends with the terminal?")
    terminal.close()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < deadline, "the chat lives on"
        time.sleep(0.05)
    assert kept(corpus_home, "What ends with the terminal?") == ["cancelled"]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_fault_of_the_chat_is_one_line_with_its_report(
    terminal_of: Callable[..., Terminal], corpus_home: Path
) -> None:
    terminal = terminal_of(200, 24, CRASH)
    terminal.see(lambda screen: "Ask about the documents" in screen)
    terminal.type("What?", "Enter")
    screen = terminal.see(lambda screen: "EXIT=" in screen)
    report = corpus_home / "log" / "faults.log"
    said = [line for line in screen.splitlines() if line]
    assert said == [
        "timelens: internal error in timelens: ZeroDivisionError: as if by a bug",
        f"  send this report with a bug report: {report}",
        "EXIT=70",
    ]
    assert "as if by a bug" in report.read_text()


def test_a_log_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInputError, match="cannot be written"), noise_to(tmp_path / "file" / "chat.log"):
        pass


def test_native_noise_goes_to_the_log_and_the_terminal_comes_back(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log" / "chat.log"
    before = sys.__stderr__
    with noise_to(log):
        os.write(2, b"noise\n")
        assert sys.__stderr__ is not None
        sys.__stderr__.write("drawing\n")
        sys.__stderr__.flush()
    os.write(2, b"after\n")
    assert log.read_text() == "noise\n"
    assert log.stat().st_mode & 0o077 == 0
    assert capfd.readouterr().err == "drawing\nafter\n"
    assert sys.__stderr__ is before


def test_a_large_log_starts_anew(tmp_path: Path) -> None:
    log = tmp_path / "chat.log"
    log.write_bytes(b"x" * (2 << 20))
    with noise_to(log):
        os.write(2, b"noise\n")
    assert log.read_text() == "noise\n"
