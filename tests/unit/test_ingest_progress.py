import re
from types import SimpleNamespace

import pytest

from timelens.cli.progress import _Lines, ingest_progress
from timelens.ingest.progress import IngestProgress

STEPS = [
    IngestProgress(0, 3, "a\x1b[31m.md", 0, 0, 4_000_000),
    IngestProgress(1, 3, "b.md", 0, 1_000_000, 4_000_000),
    IngestProgress(3, 3, "c.md", 9, 4_000_000, 4_000_000),
]


def said(capsys: pytest.CaptureFixture[str], *, shown: bool = True) -> list[str]:
    with ingest_progress(shown=shown) as move:
        for step in STEPS:
            move(step)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_in_a_pipe_progress_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(capsys) == []
    clock = iter([0.0, 5.0, 20.0, 40.0])
    monkeypatch.setattr("timelens.cli.progress.time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert said(capsys) == [
        "1 of 3 files, 1.0 MB of 4.0 MB, 50.0 kB/s, about 01:00 left: b.md",
        "3 of 3 files, 4.0 MB of 4.0 MB, 100.0 kB/s, about 00:00 left: c.md",
    ]
    monkeypatch.setattr(_Lines, "_SECONDS", 0)
    clock = iter(map(float, range(9)))
    (first, *_) = said(capsys)
    assert re.fullmatch(r"0 of 3 files, 0 bytes of 4.0 MB, 0 bytes/s: a\W+\[31m.md", first)
    assert "\x1b" not in first
    assert said(capsys, shown=False) == []
