"""The Python API, as its docstring shows it."""

import ast
import doctest
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints
from unittest.mock import MagicMock

import pytest

import timelens
from timelens import temporal
from timelens.errors import BadInputError, MissingError


@pytest.mark.usefixtures("home")
def test_every_example_in_a_docstring_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    attempted = 0
    for path in (root / "timelens").rglob("*.py"):
        if ">>> " in path.read_text(encoding="utf-8"):
            parts = path.relative_to(root).with_suffix("").parts
            results = doctest.testmod(import_module(".".join(parts).removesuffix(".__init__")))
            assert results.failed == 0, path
            attempted += results.attempted
    assert attempted > 3


@pytest.mark.usefixtures("home")
def test_a_document_is_read_back_from_the_corpus(tmp_path: Path) -> None:
    file = tmp_path / "log.md"
    file.write_text("---\ndate: 2019-05-02\n---\n# Log\n\nIt began on 3 May 2019. It ended a day later.\n")
    corpus = timelens.open_corpus("logs")
    corpus.ingest([file])
    document = corpus.document("log.md")
    assert document.uri == file.as_posix()
    assert document.published_source == "front matter"
    assert "It ended a day later." in "\n".join(chunk.text for chunk in document.chunks)
    with pytest.raises(MissingError, match=r"other\.md is not in logs any more"):
        corpus.document("other.md")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("day", ["2024-06-01", None, 1.5])
def test_a_reference_day_that_is_no_day_is_refused_with_the_way_to_make_one(day: Any) -> None:  # noqa: ANN401 -- what callers without types pass
    corpus = timelens.open_corpus("logs")
    asked: list[Callable[[], object]] = [
        lambda: corpus.ask("Who?", as_of=day),
        lambda: corpus.search("Who?", as_of=day),
        lambda: corpus.ask_given("Who?", [], as_of=day),
        lambda: list(corpus.ask_many(["Who?"], as_of=day)),
        lambda: timelens.calculate("Who?", as_of=day),
    ]
    for ask in asked:
        with pytest.raises(BadInputError, match=f"as_of is a day number, not {day!r}") as caught:
            ask()
        assert "timelens.parse_day" in caught.value.hint


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("k", [0, 1001])
def test_evidence_is_asked_for_within_the_limit_of_the_command_line(k: int, tmp_path: Path) -> None:
    file = tmp_path / "log.md"
    file.write_text("It began on 3 May 2019.\n")
    corpus = timelens.open_corpus("logs")
    corpus.ingest([file])
    today = timelens.parse_day("2024-06-01")
    for ask in (corpus.ask, corpus.search):
        with pytest.raises(BadInputError, match=f"{k} pieces of evidence cannot be asked for") as caught:
            ask("When did it begin?", as_of=today, k=k)
        assert caught.value.hint == "ask for 1 to 1,000"


def _types_in(hint: object) -> Iterator[type]:
    if isinstance(hint, type):
        yield hint
    for inner in get_args(hint):
        for one in inner if isinstance(inner, list) else [inner]:
            yield from _types_in(one)


def _names_in(module: ModuleType) -> dict[str, Any]:
    """The names of a module, those for type checkers too; what is not installed stands for anything."""
    names = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.If) or ast.unparse(node.test) != "TYPE_CHECKING":
            continue
        for statement in node.body:
            try:
                exec(compile(ast.Module([statement], []), module.__name__, "exec"), names)
            except ModuleNotFoundError:
                assert isinstance(statement, ast.Import)
                names |= {alias.asname or alias.name: MagicMock() for alias in statement.names}
    return names


def _functions() -> Iterator[Callable[..., object]]:
    """The functions of the API, and the methods and properties of its classes."""
    for name in timelens.__all__:
        public = getattr(timelens, name)
        members = vars(public).values() if inspect.isclass(public) else [public]
        for member in members:
            found = getattr(member, "fget", None) or getattr(member, "__func__", member)
            if inspect.isfunction(found) and not found.__name__.startswith("_"):
                yield found


def test_the_types_of_all_fields_are_public() -> None:
    classes = [one for name in timelens.__all__ if inspect.isclass(one := getattr(timelens, name))]
    fields = 0
    for one in classes:
        hints = get_type_hints(one, globalns=_names_in(sys.modules[one.__module__]))
        public = {name: hint for name, hint in hints.items() if not name.startswith("_")}
        fields += len(public)
        own = {kind for hint in public.values() for kind in _types_in(hint)}
        lacking = {kind.__name__ for kind in own if kind.__module__.startswith("timelens")}
        assert lacking <= {*timelens.__all__, *temporal.__all__}, one
    assert fields > 200


def test_the_types_of_all_arguments_and_results_are_public() -> None:
    functions = list(_functions())
    assert len(functions) > 50
    for function in functions:
        hints = get_type_hints(function, globalns=_names_in(sys.modules[function.__module__]))
        own = {
            one for hint in hints.values() for one in _types_in(hint) if one.__module__.startswith("timelens")
        }
        assert {one.__name__ for one in own} <= {*timelens.__all__, *temporal.__all__}, function
