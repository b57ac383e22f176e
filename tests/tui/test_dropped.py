from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.folders import require_corpus_name
from timelens.tui.dropped import name_for, paths_in


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("my notes", "it's"):
        (tmp_path / name).mkdir()
    (tmp_path / "a.md").write_text("x")
    return tmp_path


def test_pasted_paths_are_known_however_a_terminal_writes_them(folder: Path) -> None:
    notes, odd, file = folder / "my notes", folder / "it's", folder / "a.md"
    for pasted in (
        f"{notes}",
        f" '{notes}' \n",
        f'"{notes}"',
        f"{folder}/my\\ notes",
        f"file://{folder}/my%20notes",
        "~/my notes",
    ):
        assert paths_in(pasted) == (notes,), pasted
    assert paths_in(f"'{folder}/it'\\''s'") == (odd,)
    assert paths_in(f"'{notes}' {file}") == (notes, file)
    assert paths_in(f"{notes}\n{odd}\n") == (notes, odd)
    assert paths_in(f"file://{file}\r\nfile://{folder}/my%20notes\r\n") == (file, notes)


def test_what_names_no_path_is_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for pasted in (
        "",
        "a.md",  # not a whole path: it may be a word of a question
        f"What is in {folder}/a.md?",
        f"{folder}/gone.md",
        f"{folder}/a.md {folder}/gone.md",
        f"'{folder}/a.md",
        "/" * 20_000,
        "/\0",
        "file://[",
        "/help me",
        "~nobody-of-this-name/x",
        "when was 3/4/2019?",
    ):
        assert paths_in(pasted) == (), pasted


def test_a_corpus_is_called_like_the_folder_or_file(folder: Path) -> None:
    assert name_for([folder / "my notes", folder / "a.md"]) == "my-notes"
    assert name_for([folder / "a.md"]) == "a"
    assert name_for([Path("/")]) == "documents"
    assert name_for([folder / "Übersicht – 2020"]) == "bersicht-2020"


@given(st.text(min_size=1, max_size=150))
def test_every_file_gives_a_name_that_can_be_used(name: str) -> None:
    require_corpus_name(name_for([Path("/somewhere") / name.replace("/", "_").replace("\0", "_")]))
