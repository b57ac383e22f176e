"""Modules are imported where names of POSIX are missing, as on Windows."""

import subprocess
import sys
from pathlib import Path

import pytest

from timelens import doctor, processes
from timelens.tui import terminal

# Runs in a process of its own. Only modules of timelens see the other system: libraries and the standard
# library are those of this one.
SIMULATED = """
import builtins, ctypes, importlib, os, pkgutil, select, signal, sys, traceback, types

MISSING_MODULES = set("crypt curses fcntl grp nis posix pty pwd readline resource syslog termios tty".split())
OF_SIGNAL = set(
    "SIGABRT SIGBREAK SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN NSIG Signals Handlers"
    " default_int_handler getsignal raise_signal set_wakeup_fd signal strsignal valid_signals".split()
)
NOT_OF_OS = set(
    "chown chroot fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp"
    " getpriority getresuid getsid getuid initgroups killpg lchown mkfifo mknod nice pathconf posix_fadvise"
    " posix_fallocate posix_spawn pread preadv pwrite register_at_fork sched_getaffinity sched_setaffinity"
    " sched_yield sendfile setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp ttyname uname"
    " wait wait3 wait4 waitid O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG".split()
)


def stripped(module, keep, **changed):
    other = types.ModuleType(module.__name__)
    vars(other).update({name: value for name, value in vars(module).items() if keep(name)}, **changed)
    return other


class CDLL(ctypes.CDLL):
    def __init__(self, name, *rest, **more):
        if name is None:
            raise TypeError("no library without a name")
        super().__init__(name, *rest, **more)


OTHER = {
    "signal": stripped(signal, lambda name: name.startswith("__") or name in OF_SIGNAL),
    "os": stripped(os, lambda name: name not in NOT_OF_OS),
    "select": stripped(select, {"select", "error"}.__contains__),
    "sys": stripped(sys, lambda name: True, platform="win32"),
    "ctypes": stripped(ctypes, lambda name: name != "CDLL", CDLL=CDLL),
}
real = builtins.__import__


def simulated(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    if level == 0 and importer.partition(".")[0] == "timelens":
        if name.partition(".")[0] in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in OTHER:
            return OTHER[name]
    return real(name, globals, locals, fromlist, level)


builtins.__import__ = simulated
package = importlib.import_module("timelens")
package.__path__ += sys.argv[1:]
names = [found.name for found in pkgutil.walk_packages(sys.argv[1:] or package.__path__, "timelens.")]
failed = 0
for name in set(names) - {"timelens.__main__"}:
    try:
        importlib.import_module(name)
    except Exception:
        failed += 1
        print(name, traceback.format_exc(limit=-1), sep="\\n")
print(len(names), "modules")
sys.exit(failed > 0)
"""


def imported(*folders: Path) -> subprocess.CompletedProcess[str]:
    """Import all modules of the package, or those of folders as if they were part of it."""
    command = [sys.executable, "-P", "-c", SIMULATED, *map(str, folders)]
    return subprocess.run(
        command, env=processes.own_environment(), capture_output=True, text=True, check=False
    )


def test_no_module_needs_posix_to_be_imported() -> None:
    done = imported()
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > 300


@pytest.mark.parametrize(
    "line",
    [
        "import resource",
        "from fcntl import flock",
        "import signal; signal.SIGBUS",
        "from signal import SIGALRM",
        "import os; os.geteuid()",
        "import ctypes; ctypes.CDLL(None)",
        "import select; select.poll()",
    ],
)
def test_the_simulated_system_lacks_what_windows_lacks(line: str, tmp_path: Path) -> None:
    (tmp_path / "made_here.py").write_text(line, encoding="utf-8")
    done = imported(tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "timelens.made_here"), done.stderr


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (-9, "SIGKILL"),
        (-11, "SIGSEGV"),
        (0xC0000005, "SIGSEGV"),
        (-1073741795, "SIGILL"),
        (0, ""),
        (1, ""),
        (12, ""),
    ],
)
def test_an_exit_code_names_the_signal_that_ended_a_process(code: int, name: str) -> None:
    assert processes.ending_signal(code) == name


@pytest.mark.parametrize(
    ("system", "lacks"),
    [("win32", "Windows does not enforce [ingest]"), ("darwin", "macOS does not enforce ingest.memory_mib")],
)
def test_doctor_says_what_a_system_does_not_limit(
    system: str, lacks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sys.platform != "linux" or doctor._limits() is None
    monkeypatch.setattr("timelens.doctor.sys.platform", system)
    check = doctor._limits()
    assert check is not None
    assert check.health is doctor.Health.MISSING
    assert check.detail.startswith(lacks)


def test_a_chat_starts_where_a_system_sends_no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelens.tui.terminal.sys.platform", "win32")
    terminal.call_at_termination(lambda _: None)  # elsewhere it needs a running loop and a terminal
