"""What happens where input or output is closed, full or read by nobody, and where timelens itself fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Run

from timelens import IngestProgress
from timelens.cli.progress import ingest_progress
from timelens.cli.streams import NobodyReadsError

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def shell(line: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which ``timelens`` is this one."""
    return subprocess.run(
        ["sh", "-c", f'timelens() {{ "{sys.executable}" -m timelens "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        env={**os.environ, "TIMELENS_HOME": str(home), **environment},
        check=False,
    )


@pytest.mark.parametrize("command", ["parse -", "tag", "parse - --jsonl"])
def test_a_closed_input_is_one_line(command: str, home: Path) -> None:
    done = shell(f"timelens {command} <&-", home)
    assert done.returncode == 2
    assert done.stderr.startswith("timelens: standard input is closed\n")
    assert len(done.stderr.splitlines()) == 2


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["parse x", "parse x --json", "--version", "--help"])
def test_a_full_output_is_one_line_with_a_code_of_its_own(command: str, unbuffered: str, home: Path) -> None:
    done = shell(f"timelens {command} >/dev/full", home, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 74
    assert done.stderr.startswith("timelens: standard output cannot be written: No space left on device\n")
    assert len(done.stderr.splitlines()) == 2


def test_a_closed_output_is_one_line(home: Path) -> None:
    done = shell("timelens parse x >&-", home)
    assert done.returncode == 74
    assert done.stderr.startswith("timelens: standard output is closed\n")


@needs_full
@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_an_error_that_cannot_be_said_has_its_code(to: str, home: Path) -> None:
    assert shell(f'timelens parse "" {to}', home).returncode == 2


def test_a_reader_that_stops_is_no_failure(home: Path) -> None:
    done = shell("{ timelens bench --help; echo $? >&2; } | true", home)
    assert done.stderr == "0\n"


@pytest.fixture
def notes(run: Run, home: Path, tmp_path: Path) -> Path:
    """A document that the corpus ``notes`` holds, brought in by this process, which is quicker."""
    (tmp_path / "a.txt").write_text("The ferry ran from May 2010.")
    assert run("ingest", tmp_path / "a.txt", "-c", "notes", "-q").code == 0
    assert (home / "corpora" / "notes").is_dir()
    return tmp_path / "a.txt"


@pytest.mark.usefixtures("notes")
def test_answers_that_nobody_reads_any_more_end_quietly(home: Path, tmp_path: Path) -> None:
    lines = (f'{{"id": {number}, "text": "When did the ferry run?"}}\n' for number in range(20))
    (tmp_path / "questions.jsonl").write_text("".join(lines))
    ask = f"timelens ask {tmp_path / 'questions.jsonl'} --jsonl -c notes"
    done = shell(f"{{ {ask}; echo $? >&2; }} | head -n 1", home, PYTHONUNBUFFERED="1")
    assert done.stderr == "0\n"
    assert done.stdout.startswith('{"id": 0, ')
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("unread", ["", "--json", "2>&1", "2>&1 >&3"])
def test_an_ingest_that_nobody_reads_has_its_code(unread: str, code: int, home: Path, notes: Path) -> None:
    """Of a new document, one that is there already, which takes less time, or an empty one."""
    document = notes if code == 0 else notes.with_name("empty.txt")
    document.touch()
    if code == 0 and not unread:
        document.write_text("The ferry ran until June 2012.")
    ingest = f"timelens ingest {document} -c notes -q {unread}"
    done = shell(f"{{ {ingest}; echo $? >&3; }} 3>&2 | true", home)
    assert done.stderr.splitlines()[-1] == str(code)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_progress_that_nobody_reads_does_not_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(line: str) -> None:
        said.append(line)
        raise NobodyReadsError

    said: list[str] = []
    monkeypatch.setattr("timelens.cli.progress.say", refuse)
    monkeypatch.setattr("timelens.cli.progress._Lines._SECONDS", 0)
    with ingest_progress(shown=True) as move:
        move(IngestProgress(1, 2, "a.txt", 1, 10, 20))
        move(IngestProgress(2, 2, "b.txt", 1, 20, 20))
    assert [line.partition(" of ")[0] for line in said] == ["1", "2"]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is no signal there")
def test_an_interrupt_while_the_command_line_is_loaded_is_one_line() -> None:
    script = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has jobs in the background ignore it
from timelens.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "timelens: interrupted\n")


def test_what_an_encoding_has_no_sign_for_is_escaped(home: Path) -> None:
    done = shell("timelens parse 'Who ran Łódź in 2005?'", home, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert r"\u0141" in done.stdout
    assert '"\\u0141' in shell("timelens parse Łódź --json", home, PYTHONIOENCODING="ascii").stdout


def test_a_fault_is_one_line_and_has_a_report(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("an\x1b[31m odd\nfault")

    monkeypatch.setattr("timelens.question.merge.parse", fail)
    outcome = run("parse", "x")
    report = home / "log" / "faults.log"
    assert outcome.code == 70
    assert outcome.err.splitlines() == [
        "timelens: internal error in timelens: ZeroDivisionError: an␛[31m odd",
        f"  send this report with a bug report: {report}",
    ]
    text = report.read_text()
    assert 'raise ZeroDivisionError("an' in text
    assert f"Python {sys.version.split()[0]}" in text
    assert "lancedb " in text
    run("parse", "x")
    assert report.read_text().count("=== ") == 2
    assert report.stat().st_mode & 0o077 == 0


def test_a_fault_whose_report_cannot_be_written_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    (tmp_path / "file").touch()
    monkeypatch.setattr("timelens.question.merge.parse", fail)
    monkeypatch.setattr("timelens.config.config_file", lambda: tmp_path / "none.toml")
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "file" / "home"))
    outcome = run("parse", "x")
    assert outcome.code == 70
    assert "ZeroDivisionError" in outcome.err
    assert "no report can be written" in outcome.err
    assert "Traceback" not in outcome.err


def test_debug_shows_where_an_error_came_from_and_keeps_its_code(run: Run, home: Path) -> None:
    outcome = run("--debug", "ask", "Who?", "--corpus", "none")
    assert home.exists()
    assert outcome.code == 3
    assert "Traceback" in outcome.err
    assert outcome.err.splitlines()[-2].startswith("timelens: there is no corpus")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("tag", "~nosuchuser/x"), 2),
        (("ingest", "~nosuchuser/x", "--corpus", "c"), 2),
        (("corpora", "show", "~nosuchuser/x"), 2),
        (("tag", "x" * 300), 2),
        (("ingest", "x" * 300, "--corpus", "c"), 2),
        (("ask", "Who?", "--corpus", f"./{'x' * 300}"), 2),
        (("tag", "a\0b"), 2),
        (("ingest", "s3://bucket/x", "--corpus", "c"), 2),
        (("model", "show", "x" * 300), 2),
        (("bench", "run", "corpus", "--data", "x" * 300), 2),
    ],
)
def test_a_place_where_nothing_can_be_is_bad_input(
    arguments: tuple[str, ...], code: int, run: Run, home: Path
) -> None:
    outcome = run(*arguments)
    assert outcome.code == code
    assert len(outcome.err.strip().splitlines()) == 2
    assert not (home / "log").exists()


def test_a_home_that_is_none_is_bad_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("~nosuchuser/x", f"/tmp/{'x' * 300}"):
        monkeypatch.setenv("TIMELENS_HOME", name)
        for command in (["corpora"], ["parse", "x"], ["model", "list"]):
            outcome = run(*command)
            assert outcome.code == 2
            assert "TIMELENS_HOME" in outcome.err


def test_a_corpus_at_an_address_of_no_object_store_is_refused_and_nothing_is_made(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text("The board met in 1999.")
    outcome = run("ingest", "--corpus", "ftp://bucket/x", "in.txt")
    assert outcome.code == 2
    assert "ftp://bucket/x: a corpus cannot be there" in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({home.name, "in.txt"})
