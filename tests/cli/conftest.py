"""The command line in this process, on a small corpus of its own."""

import io
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parent / "documents"


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs ``timelens ARGUMENTS`` as ``main`` does, in this process."""
    from timelens.cli import main

    def run_main(*arguments: object, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["timelens", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capfd.readouterr()
        code = exit_info.value.code
        return Outcome(code if isinstance(code, int) else int(code is not None), captured.out, captured.err)

    return run_main


@pytest.fixture(scope="session")
def harbour_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A timelens home that holds the corpus ``harbour``."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(home))
        from timelens.api import open_corpus

        report = open_corpus("harbour").ingest([DOCUMENTS])
    assert (report.added, report.failed) == (5, 0)
    return home


@pytest.fixture
def harbour(harbour_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the corpus, with its home in force: a test that writes takes ``copied``."""
    monkeypatch.setenv("TIMELENS_HOME", str(harbour_home))
    yield "harbour"
    left = {path.name for path in (harbour_home / "corpora").iterdir()} - {"harbour"}
    assert not left, f"the corpora {sorted(left)} are left in the home that other tests share"


@pytest.fixture
def copied(harbour_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of the test's own; ``harbour`` by name."""
    home = tmp_path / "home"
    shutil.copytree(harbour_home / "corpora", home / "corpora")
    monkeypatch.setenv("TIMELENS_HOME", str(home))
    return home / "corpora" / "harbour"
