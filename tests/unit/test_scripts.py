"""The scripts in ``scripts`` and ``benchmarks`` import from each other only names that exist."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {path.stem: path for folder in ("scripts", "benchmarks") for path in (ROOT / folder).glob("*.py")}


def names_of(module: ast.Module) -> Iterator[str]:
    """The names that a module binds at its top level."""
    for node in module.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias in node.names)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def imported_by(module: ast.Module) -> Iterator[tuple[str, str]]:
    """(script, name) of each name that a module imports from a script."""
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_script_imports_what_another_one_has(name: str) -> None:
    for source, imported in imported_by(ast.parse(FILES[name].read_text())):
        assert imported in set(names_of(ast.parse(FILES[source].read_text()))), f"{source}.{imported}"
