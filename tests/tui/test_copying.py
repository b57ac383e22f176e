"""What is copied, and where to."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from evidence import hit

from timelens.answer.draft import Citation
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import make_timeline
from timelens.temporal.interval import year_interval
from timelens.tui.copying import clipboard_command, copied_answer, copied_evidence, copy_by_program


def test_evidence_is_copied_with_its_source() -> None:
    text = copied_evidence(Citation(3, hit("a", ["The dam\x1b[31m broke."], 1999, title="A [b]dam[/b]")))
    assert text == "“The dam␛[31m broke.”\nA [b]dam[/b], 1999\na.txt\n"


def test_an_answer_is_copied_with_what_it_cites() -> None:
    timeline = make_timeline([hit(name, [f"About {name}."], 2000, title=name) for name in "abc"])
    evidence = ShownEvidence(timeline, cited=frozenset({3, 1}))
    assert copied_answer("When?", "In 2000 [1] [3].", evidence) == (
        "When?\n\nIn 2000 [1] [3].\n\n[1] a, 2000: a.txt\n[3] c, 2000: c.txt\n"
    )
    nearest = replace(evidence, cited=frozenset(), nearest={2: (year_interval(1999),)})
    assert "[2] b, 2000 (nearest passage (1999)): b.txt" in copied_answer("When?", "Nothing.", nearest)
    assert copied_answer("When?", "", None) == "When?\n\n(no answer)\n"


def _program(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_the_clipboard_of_the_desktop_is_used_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    taken = tmp_path / "taken"
    _program(tmp_path, "xclip", f'cat > "{taken}"')
    _program(tmp_path, "wl-copy", "exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for name in ("SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert copy_by_program("é and “b”") is None
    assert taken.read_text(encoding="utf-8") == "é and “b”"
    assert not list(home.iterdir())

    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")  # its program fails
    assert copy_by_program("c") == home / "copied.txt"


def test_without_a_desktop_the_text_goes_into_a_private_file(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("WSL_DISTRO_NAME", raising=False)
    copy_by_program("first")
    path = copy_by_program("second")
    assert path == home / "copied.txt"
    assert path.read_text(encoding="utf-8") == "second"
    assert path.stat().st_mode & 0o077 == 0


def test_over_ssh_no_program_of_that_machine_is_used() -> None:
    assert clipboard_command({"SSH_TTY": "/dev/pts/1", "DISPLAY": ":0"}, "darwin") is None
    assert clipboard_command({}, "linux") is None
