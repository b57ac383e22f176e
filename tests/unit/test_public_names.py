"""The two modules that list public names, and how the interfaces import them."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import timelens
from timelens import temporal

ROOT = Path(__file__).parents[2]
INTERFACES = ("bench", "cli", "integrations", "serve", "tui")
DOORS = (timelens, temporal)
HEAVY = "lancedb lxml numpy pandas pyarrow pydantic rich spacy textual tokenizers torch typer".split()


@pytest.mark.parametrize("door", DOORS)
def test_each_public_name_is_listed_once_and_loads(door: ModuleType) -> None:
    names = door.__all__
    assert len(set(names)) == len(names)
    assert set(names) == set(door._HOMES)
    for name in names:
        assert getattr(door, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        door.no_such_name  # noqa: B018 -- it is looked up


@pytest.mark.parametrize("door", DOORS)
def test_type_checkers_see_each_name_where_it_is_loaded_from(door: ModuleType) -> None:
    seen = {
        alias.name: statement.module
        for node in ast.parse(inspect.getsource(door)).body
        if isinstance(node, ast.If)
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert seen == {name: f"{door.__name__}.{module}" for name, module in door._HOMES.items()}


def test_interfaces_import_public_names_from_where_they_are_listed() -> None:
    inner = {
        (f"{door.__name__}.{module}", name) for door in DOORS for name, module in door._HOMES.items()
    } - {("timelens.temporal", name) for name in temporal.__all__}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {alias.name}"
        for face in INTERFACES
        for path in (ROOT / "timelens" / face).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if (node.module, alias.name) in inner
    ]
    assert found == []


def test_to_import_timelens_loads_nothing_else() -> None:
    program = "import sys, timelens, timelens.temporal; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith("timelens")] == ["timelens", "timelens.temporal"]
    assert not set(HEAVY) & set(loaded)
