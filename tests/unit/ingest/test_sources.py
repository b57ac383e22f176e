from pathlib import Path

import pytest

from timelens.errors import MissingError
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile, discover


def names(sources: list[SourceFile]) -> list[str]:
    return [source.id for source in sources]


def test_folders_are_searched_in_order_and_hidden_files_left_alone(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.MD", ".hidden.txt", ".git/x.txt", "sub/.y/z.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    sources, left_out = discover([tmp_path], READERS)
    assert names(sources) == ["b.txt", "sub/a.MD"]
    assert left_out == []
    named, _ = discover([tmp_path / ".hidden.txt", tmp_path / "sub"], READERS)
    assert names(named) == [".hidden.txt", "a.MD"]


def test_a_file_of_an_unknown_kind_is_listed_with_those_that_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.exe").write_text("x")
    (tmp_path / "none").write_text("x")
    sources, left_out = discover([tmp_path, tmp_path / "a.exe"], READERS)
    assert sources == []
    assert [failure.path for failure in left_out] == ["a.exe", "none", "a.exe"]
    assert all(".jsonl" in failure.hint for failure in left_out)


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    for folder in (outside, inside / "sub"):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("x")
    (inside / "file.txt").symlink_to(outside / "a.txt")
    (inside / "folder").symlink_to(outside, target_is_directory=True)
    (inside / "within.txt").symlink_to(inside / "sub" / "a.txt")
    (inside / "loop").symlink_to(inside, target_is_directory=True)
    (inside / "broken.txt").symlink_to(tmp_path / "nowhere")
    sources, left_out = discover([inside], READERS)
    assert set(names(sources)) == {"sub/a.txt", "within.txt"}
    assert "file.txt" in [failure.path for failure in left_out]
    assert all(source.path.resolve().is_relative_to(inside) for source in sources)


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"nothing at .*gone"):
        discover([tmp_path, tmp_path / "gone"], READERS)


def test_a_name_that_is_not_unicode_is_listed(tmp_path: Path) -> None:
    (Path(bytes(tmp_path / "caf").decode() + "\udce9.txt")).write_text("x")
    sources, left_out = discover([tmp_path], READERS)
    assert sources == []
    assert [failure.path for failure in left_out] == ["caf?.txt"]
