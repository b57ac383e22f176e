"""Patterns and ignore files, beside git's own reading of them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rights import without_rights

from timelens.errors import BadInputError
from timelens.ingest.patterns import Selection
from timelens.ingest.readers import READERS
from timelens.ingest.sources import discover

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
NAMES = ["a", "b", "ab", "a.txt", "b.txt", "ab.txt", "a b.txt", "[a].txt", "!a.txt", "#b.txt"]
PIECES = [
    "a",
    "b",
    "ab",
    "*",
    "**",
    "?",
    "[ab]",
    "[!a]",
    "*.txt",
    "a*",
    "a.txt",
    "*b*",
    "a b.txt",
    "\\[a\\].txt",
    "*a*b*",
    "?*x*",
]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def read(folder: Path, selection: Selection | None = None) -> list[str]:
    return [source.id for source in discover([folder], READERS, selection or Selection()).sources]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "--template=")
    return folder


def clear(repository: Path) -> None:
    for path in repository.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


folders = st.lists(st.sampled_from(["a", "b", "ab"]), max_size=3).map("/".join)
lines = st.builds(
    lambda negated, anchored, pieces, folder: negated + anchored + "/".join(pieces) + folder,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
trees = st.lists(st.tuples(folders, st.sampled_from(NAMES[3:])), min_size=1, max_size=12)
ignore_files = st.dictionaries(folders, st.lists(lines, min_size=1, max_size=4).map("\n".join), max_size=3)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees, ignored=ignore_files)
def test_files_are_ignored_as_git_ignores_them(
    repository: Path, tree: list[tuple[str, str]], ignored: dict[str, str]
) -> None:
    clear(repository)
    write(repository, {f"{folder}/{name}".lstrip("/"): "x" for folder, name in tree})
    write(repository, {f"{folder}/.gitignore".lstrip("/"): text for folder, text in ignored.items()})
    names = git(repository, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    expected = {name for name in names if name.endswith(".txt")}
    assert set(read(repository)) == expected
    ignored_itself = subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "-q", "a"], env=ENVIRONMENT, check=False
    )
    below = repository / "a"
    if below.is_dir() and ignored_itself.returncode:
        assert {f"a/{name}" for name in read(below)} == {name for name in expected if name.startswith("a/")}


def test_what_a_pattern_of_stars_costs_grows_with_the_name_alone(tmp_path: Path) -> None:
    lines = ["*a" * 40 + "b", "a/" + "**/a/" * 40 + "b", "**/" + "*a*/" * 20 + "b"]
    write(
        tmp_path,
        {f"{'a' * 240}.txt": "x", "/".join("a" * 200) + "/c.txt": "x", ".gitignore": "\n".join(lines)},
    )
    assert len(read(tmp_path)) == 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    names = ["a.md", "b.txt", "drafts/c.md", "notes/d.txt", "notes/drafts/e.txt", "notes/old/f.md", ".g.txt"]
    write(tmp_path / "root", dict.fromkeys(names, "x"))
    return tmp_path / "root"


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*.md"], [], ["a.md", "drafts/c.md", "notes/old/f.md"]),
        (["/*.md"], [], ["a.md"]),
        (["notes/"], [], ["notes/d.txt", "notes/drafts/e.txt", "notes/old/f.md"]),
        (["notes/**/*.txt"], [], ["notes/d.txt", "notes/drafts/e.txt"]),
        (["notes/", "!*.md"], [], ["notes/d.txt", "notes/drafts/e.txt"]),
        (["notes/", "!drafts/"], [], ["notes/d.txt", "notes/old/f.md"]),
        (["*.md", "*.txt"], ["drafts/"], ["a.md", "b.txt", "notes/d.txt", "notes/old/f.md"]),
        ([], ["/drafts/"], ["a.md", "b.txt", "notes/d.txt", "notes/drafts/e.txt", "notes/old/f.md"]),
        ([], ["*.md", "!a.md"], ["a.md", "b.txt", "notes/d.txt", "notes/drafts/e.txt"]),
        ([], ["*"], []),
    ],
)
def test_patterns_choose_files(
    folder: Path, include: list[str], exclude: list[str], expected: list[str]
) -> None:
    assert read(folder, Selection(tuple(include), tuple(exclude))) == expected


def test_patterns_are_asked_of_a_file_that_is_named_and_ignore_files_are_not(folder: Path) -> None:
    write(folder, {".gitignore": "*"})
    named = [folder / "a.md", folder / "b.txt", folder / ".g.txt"]
    assert [one.id for one in discover(named, READERS).sources] == ["a.md", "b.txt", ".g.txt"]
    for selection in (Selection(include=("*.txt",)), Selection(exclude=("a.*",))):
        listing = discover(named, READERS, selection)
        assert [one.id for one in listing.sources] == ["b.txt", ".g.txt"]
        assert listing.notes() == ["1 file or folder is excluded by patterns"]


def test_what_is_not_wanted_is_counted_and_not_listed(folder: Path) -> None:
    write(folder, {".gitignore": "notes/", "c.exe": "x", "d.exe": "x", ".h/i.txt": "x", ".git": "gitdir: /x"})
    listing = discover([folder], READERS, Selection(exclude=("*.exe",)))
    assert listing.left_out == []
    assert listing.notes() == [
        "1 file or folder is excluded by ignore files; --no-ignore-files reads what they name",
        "2 files or folders are excluded by patterns",
        "2 files or folders are hidden; --hidden reads them",
    ]


def test_hidden_files_are_read_where_that_is_asked_for_but_never_those_of_git(folder: Path) -> None:
    write(folder, {".git/x.txt": "x", ".h/i.txt": "x", "~$j.txt": "x", "k.md~": "x", "#l.txt#": "x"})
    assert discover([folder], READERS).left_out == []
    listing = discover([folder], READERS, Selection(hidden=True, include=("*.txt*",)))
    assert {".g.txt", ".h/i.txt", "~$j.txt"} < {source.id for source in listing.sources}
    assert not any(source.id.startswith(".git/") for source in listing.sources)


def test_in_one_folder_timelensignore_has_the_last_word_and_either_can_be_switched_off(folder: Path) -> None:
    write(folder, {".gitignore": "*.md\n/notes/", ".timelensignore": "!a.md\nb.txt"})
    assert read(folder) == ["a.md"]
    everything = ["a.md", "b.txt", "drafts/c.md", "notes/d.txt", "notes/drafts/e.txt", "notes/old/f.md"]
    assert read(folder, Selection(ignore_files=False)) == everything


def test_ignore_files_above_a_folder_count_up_to_the_root_of_its_repository(folder: Path) -> None:
    write(folder.parent, {".gitignore": "b.txt"})
    write(folder, {".gitignore": "d.txt\n/notes/old/\nroot", "notes/.timelensignore": "!d.txt"})
    assert read(folder / "notes") == ["d.txt", "drafts/e.txt", "old/f.md"]
    (folder / ".git").mkdir()
    assert read(folder / "notes") == ["d.txt", "drafts/e.txt"]
    write(folder, {"notes/b.txt": "x"})
    assert "b.txt" in read(folder / "notes")
    link = folder.parent / "link"
    link.symlink_to(folder / "notes")
    assert read(link) == read(folder / "notes")


def test_a_folder_whose_ignore_file_cannot_be_read_is_told_and_not_read(folder: Path) -> None:
    write(folder, {"notes/.gitignore": "d.txt"})
    with without_rights(folder / "notes" / ".gitignore", 0o100):
        listing = discover([folder], READERS)
        below = discover([folder / "notes" / "old"], READERS)
    assert [source.id for source in listing.sources] == ["a.md", "b.txt", "drafts/c.md"]
    assert [one.path for one in listing.unlisted] == ["notes"]
    assert listing.unlisted[0].error == "its .gitignore cannot be read: Permission denied"
    assert [source.id for source in below.sources] == ["f.md"]
    (folder / "notes" / ".gitignore").write_text("#" * (1 << 20) + "\n")
    listing = discover([folder], READERS)
    assert listing.unlisted[0].error == "its .gitignore is larger than 1 MiB"


def test_ignore_files_are_read_as_they_come(folder: Path) -> None:
    (folder / ".gitignore").write_bytes(
        b"\xef\xbb\xbfa.md\r\nb.txt\r\ncaf\xe9.txt\n!\n[z-a]\n//\n\\\n \n# d.txt\n"
    )
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    (folder / "notes" / ".gitignore").symlink_to(folder / ".gitignore")
    os.mkfifo(folder / "drafts" / ".gitignore")
    listing = discover([folder], READERS)
    assert [source.id for source in listing.sources] == [
        "drafts/c.md",
        "notes/d.txt",
        "notes/drafts/e.txt",
        "notes/old/f.md",
    ]
    assert (listing.left_out, listing.unlisted) == ([], [])


@pytest.mark.parametrize("pattern", ["", " ", "#note", "!", "/", "[z-a]"])
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    for selection in ({"include": (pattern,)}, {"exclude": (pattern,)}):
        with pytest.raises(BadInputError, match="is not a pattern"):
            Selection(**selection)  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="has only exceptions"):
        Selection(include=("!*.md",))
