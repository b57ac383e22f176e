"""Runs of different code are told apart, and a corpus is made again when what makes it has changed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import timelens
from timelens.bench.run_folder import _HASHED, _MAKES_A_CORPUS, code_hash, corpus_key

PACKAGE = Path(timelens.__file__).parent
STORES_NOTHING = {
    "cluster",
    "config.py",
    "config_keys.py",
    "errors.py",
    "faults.py",
    "folders.py",
    "processes.py",
}
"""What ingesting imports besides: where and how the work is done, and what is said if it fails.

The settings that count are part of the key of a corpus themselves.
"""
NOT_CODE = {".md", ".tcss", ".typed", ".pyc"}
"""Suffixes of files of the package that no run depends on."""


def module_file(name: str) -> Path | None:
    """The file of a module of the package by its full name, or nothing for another name."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def typing_only(tree: ast.AST) -> set[ast.AST]:
    """The nodes that only a type checker reads."""
    blocks = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {node for block in blocks for statement in block.body for node in ast.walk(statement)}


def imported(file: Path) -> Iterator[Path]:
    """The files of the package that a file imports, at its top or in its functions."""
    tree = ast.parse(file.read_text("utf-8"))
    ignored = typing_only(tree)
    for node in ast.walk(tree):
        if node in ignored:
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports by a relative name"
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [str(node.module)]
        for name in names:
            if name.split(".")[0] == "timelens" and (found := module_file(name)):
                yield found


def closure(*packages: str) -> set[Path]:
    """The files of some packages and all that they import, without the list of public names."""
    waiting = [file for package in packages for file in (PACKAGE / package).rglob("*.py")]
    found = set(waiting)
    while waiting:
        new = set(imported(waiting.pop())) - found - {PACKAGE / "__init__.py"}
        found |= new
        waiting += new
    return found


def test_the_code_that_makes_a_corpus_is_all_that_ingesting_imports() -> None:
    parts = {file.relative_to(PACKAGE).parts[0] for file in closure("ingest", "store")}
    tables = {f"{part.removesuffix('.py')}.toml" for part in parts}
    parts |= {name for name in tables if (PACKAGE / name).is_file()}
    assert {"ingest", "store", "words.py", "lexicon.toml"} <= parts
    assert parts - STORES_NOTHING == set(_MAKES_A_CORPUS)
    assert parts >= STORES_NOTHING


def test_every_kind_of_file_in_the_package_is_hashed_or_known_not_to_count() -> None:
    assert {path.suffix for path in PACKAGE.rglob("*") if path.is_file()} - _HASHED <= NOT_CODE


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small copy of the package, which the hashes are made of."""
    names = ("__init__.py", "words.py", "lexicon.toml", "temporal/languages.toml", "temporal/a.safetensors")
    for name in (*names, "temporal/a.json", "answer/a.gguf", "answer/a.py"):
        path = tmp_path / "timelens" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("before")
    for part in _MAKES_A_CORPUS:
        path = tmp_path / "timelens" / part
        if path.suffix:
            path.touch()
        else:
            path.mkdir(exist_ok=True)
    monkeypatch.setattr(timelens, "__file__", str(tmp_path / "timelens" / "__init__.py"))
    return tmp_path / "timelens"


@pytest.mark.parametrize(
    ("name", "is_of_a_corpus"),
    [
        ("words.py", True),
        ("lexicon.toml", True),
        ("temporal/languages.toml", True),
        ("temporal/a.safetensors", True),
        ("temporal/a.json", True),
        ("answer/a.gguf", False),
        ("answer/a.py", False),
    ],
)
def test_a_changed_file_is_other_code(package: Path, name: str, is_of_a_corpus: bool) -> None:
    code, key = code_hash(), corpus_key("documents", "settings")
    assert (code, key) == (code_hash(), corpus_key("documents", "settings"))
    (package / name).write_text("after")
    assert code_hash() != code
    assert (corpus_key("documents", "settings") != key) is is_of_a_corpus
