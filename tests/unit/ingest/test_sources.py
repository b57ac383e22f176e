import os
import socket
from pathlib import Path

import pytest
from rights import without_rights

from timelens.errors import BadInputError, MissingError
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile, discover


def names(sources: list[SourceFile]) -> list[str]:
    return [source.id for source in sources]


def test_folders_are_searched_in_order_and_hidden_files_left_alone(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.MD", ".hidden.txt", ".git/x.txt", "sub/.y/z.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    listing = discover([tmp_path], READERS)
    assert names(listing.sources) == ["b.txt", "sub/a.MD"]
    assert (listing.left_out, listing.unlisted, listing.empty) == ([], [], [])
    named = discover([tmp_path / ".hidden.txt", tmp_path / "sub"], READERS)
    assert names(named.sources) == [".hidden.txt", "a.MD"]


def test_a_file_of_an_unknown_kind_is_listed_with_those_that_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.exe").write_text("x")
    (tmp_path / "none").write_text("x")
    listing = discover([tmp_path, tmp_path / "a.exe"], READERS)
    assert (listing.sources, listing.empty) == ([], [])
    assert [failure.path for failure in listing.left_out] == ["a.exe", "none", "a.exe"]
    assert all(".jsonl" in failure.hint for failure in listing.left_out)


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
    listing = discover([inside], READERS)
    assert names(listing.sources) == ["sub/a.txt", "within.txt"]
    assert {failure.path: failure.error for failure in listing.left_out} == {
        "broken.txt": "a link that leads to nothing",
        "file.txt": "a link that leads out of the folder",
        "folder": "a link that leads out of the folder",
    }
    assert listing.unlisted == []


def test_the_files_of_a_corpus_are_left_alone(tmp_path: Path) -> None:
    own = ("chunks.lance/data/a.json", "documents.lance/b.txt", "files.json", "ingest.lock", "repaired/c.txt")
    for name in (*own, "a.txt", "sub/deep/chunks.lance/c.txt", "sub/deep/files.json", "sub/files.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    listing = discover([tmp_path], READERS)
    assert names(listing.sources) == ["a.txt", "sub/files.json"]
    assert (listing.left_out, listing.excluded.total()) == ([], 0)


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"nothing at .*gone"):
        discover([tmp_path, tmp_path / "gone"], READERS)


def test_a_name_that_is_not_unicode_is_listed(tmp_path: Path) -> None:
    (Path(bytes(tmp_path / "caf").decode() + "\udce9.txt")).write_text("x")
    listing = discover([tmp_path], READERS)
    assert listing.sources == []
    assert [failure.path for failure in listing.unlisted] == ["caf?.txt"]


@pytest.mark.parametrize(
    ("mode", "unlisted"),
    [(0o000, ["sub"]), (0o300, ["sub"]), (0o400, ["sub/deep", "sub/a.txt"])],
    ids=["none", "not to list", "not to enter"],
)
def test_what_cannot_be_listed_is_told_and_the_rest_is_found(
    tmp_path: Path, mode: int, unlisted: list[str]
) -> None:
    for name in ("a.txt", "sub/a.txt", "sub/deep/a.txt", "z/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    with without_rights(tmp_path / "sub", mode):
        listing = discover([tmp_path], READERS)
        nothing = discover([tmp_path / "sub"], READERS)
    assert names(listing.sources) == ["a.txt", "z/a.txt"]
    assert [failure.path for failure in listing.unlisted] == unlisted
    assert all("Permission denied" in one.error and "permissions" in one.hint for one in listing.unlisted)
    assert (nothing.sources, nothing.empty) == ([], [])
    assert nothing.unlisted
    with pytest.raises(BadInputError, match=f"{unlisted[0]}: it cannot be listed: Permission denied"):
        listing.whole()


def test_a_path_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    with (
        without_rights(tmp_path / "sub", 0o000),
        pytest.raises(BadInputError, match=r"a\.txt cannot be reached: Permission denied"),
    ):
        discover([tmp_path / "sub" / "a.txt"], READERS)


def test_a_folder_without_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "hollow" / "sub").mkdir(parents=True)
    (tmp_path / "hollow" / ".hidden").write_text("x")
    (tmp_path / "a.txt").write_text("x")
    assert discover([tmp_path / "hollow", tmp_path], READERS).empty == [tmp_path / "hollow"]


def test_special_files_are_listed_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket.txt"))  # its whole path may be too long
        listing = discover([tmp_path, tmp_path / "pipe.txt", Path("/dev/null")], READERS)
    assert listing.sources == []
    assert [(one.path, one.error) for one in listing.left_out] == [
        ("link.txt", "a named pipe, not a file"),
        ("pipe.txt", "a named pipe, not a file"),
        ("socket.txt", "a socket, not a file"),
        ("pipe.txt", "a named pipe, not a file"),
        ("null", "a device, not a file"),
    ]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.txt", ["a.txt", "b[1].txt"]),
        ("?.txt", ["a.txt"]),
        ("b[[]1].txt", ["b[1].txt"]),
        ("b[1].txt", ["b[1].txt"]),
        ("**/*.txt", ["a.txt", "b[1].txt", "sub/a.txt", "sub/deep/a.txt"]),
        ("sub/*", ["a.txt", "c.md", "deep/a.txt"]),
        ("su*/*.txt", ["sub/a.txt"]),
        ("*/deep", ["sub/deep/a.txt"]),
        ("s*/../*.txt", None),
        ("*.exe", None),
        ("gone/*.txt", None),
    ],
)
def test_a_pattern_of_names_stands_for_the_folder_it_begins_with(
    tmp_path: Path, pattern: str, expected: list[str] | None
) -> None:
    for name in ("a.txt", "b[1].txt", ".c.txt", "sub/a.txt", "sub/c.md", "sub/deep/a.txt", "sub/.d/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    if expected is None:
        with pytest.raises(MissingError, match=r"nothing (matches|at) .*"):
            discover([tmp_path / pattern], READERS).require_matches()
    else:
        assert names(discover([tmp_path / pattern], READERS).sources) == expected


def test_a_pattern_of_names_looks_no_deeper_than_it_must(tmp_path: Path) -> None:
    for name in ("a.txt", "sub/a.txt", "sub/deep/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    with without_rights(tmp_path / "sub" / "deep", 0o000):
        assert discover([tmp_path / "*.txt"], READERS).unlisted == []
        assert discover([tmp_path / "*" / "*.txt"], READERS).unlisted == []
        assert discover([tmp_path / "**" / "*.txt"], READERS).unlisted


def test_what_has_not_changed_is_known_and_not_read(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x")
    narrowed = discover([tmp_path], READERS).narrowed({tmp_path / "b.txt", tmp_path / "gone.txt"})
    assert (names(narrowed.sources), names(narrowed.unread)) == (["b.txt"], ["a.txt"])


def test_of_kinds_of_old_programs_it_is_said_what_to_save_them_as(tmp_path: Path) -> None:
    for name in ("a.doc", "b.PPT", "c.xlsb"):
        (tmp_path / name).write_bytes(b"x")
    listing = discover([tmp_path], READERS)
    assert [failure.hint.rpartition(" ")[2] for failure in listing.left_out] == [".docx", ".pptx", ".xlsx"]
