"""The words that several layers share: complete, each once, and the only copies in the code."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import timelens
from timelens import lexicon
from timelens.temporal.vocabulary import (
    MONTH,
    MONTHS,
    ORDINAL,
    UNIT,
    WEEKDAYS,
    month,
    number,
    unit,
    weekday_number,
)

PACKAGE = Path(timelens.__file__).parent
TABLES = tomllib.loads((PACKAGE / "lexicon.toml").read_text("utf-8"))


def words(value: object) -> Iterator[str]:
    """Every word of the file, keys of its leaves among them."""
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from words(inner)
            if isinstance(inner, int):
                yield key


def test_every_word_is_in_small_letters_and_stands_once_in_its_table() -> None:
    tables = {name: table for name, table in TABLES.items() if isinstance(table, dict)}
    assert {"months", "numbers", "offices"} <= tables.keys()
    for name, table in tables.items():
        listed = list(words(table))
        assert len(listed) == len(set(listed)), name
        assert all(word == word.lower() for word in listed), name


def test_the_calendar_is_complete() -> None:
    assert [len(lexicon.MONTH_FORMS), len(lexicon.WEEKDAY_FORMS)] == [12, 7]
    assert sorted(set(lexicon.SEASONS.values())) == [3, 6, 9, 12]
    assert lexicon.ordinals(1, 3) == ("first", "second", "third")
    assert lexicon.ordinals(31, 31) == ("thirty-first",)
    assert list(lexicon.CARDINALS.values()) == list(range(20))
    assert {name: 10 * count for count, name in enumerate(lexicon.TENS, start=2)} == lexicon.TENS


def test_an_alternative_is_hidden_by_none_that_begins_it() -> None:
    pattern = lexicon.one_of(["sep", "sept", "september"])
    assert re.findall(pattern, "september sept sep") == ["september", "sept", "sep"]


@pytest.mark.parametrize("pattern", [MONTH, UNIT, ORDINAL])
def test_the_patterns_of_the_grammar_know_all_forms(pattern: str) -> None:
    forms = {
        MONTH: [form for name, short in lexicon.MONTH_FORMS.items() for form in (name, *short)],
        UNIT: [
            form for name, more in lexicon.UNIT_FORMS.items() if name != "season" for form in (name, *more)
        ],
        ORDINAL: list(lexicon.ORDINALS),
    }[pattern]
    compiled = re.compile(pattern)
    assert [form for form in forms if not compiled.fullmatch(form)] == []


def test_the_grammar_reads_the_forms_as_what_they_mean() -> None:
    assert [month(form) for form in lexicon.MONTH_FORMS["december"]] == [12] * 5
    assert [month(form) for form in ("7ber", "8br", "9ber", "10br", "Sept.")] == [9, 10, 11, 12, 9]
    assert {unit(form) for form in lexicon.UNIT_FORMS["year"]} == {unit("year")}
    assert {weekday_number(form) for form in lexicon.WEEKDAY_FORMS["thursday"]} == {3}
    assert [number(word) for word in ("twelfth", "twenty first", "two dozen")] == [12, 21, 24]
    assert MONTHS["may"], WEEKDAYS["sunday"]


def test_editions_are_counted_by_their_years() -> None:
    games = next(event for event in lexicon.EDITIONS if "summer games" in event.names)
    assert [games.year(number) for number in (1, 13, 14, 33)] == [1896, 1944, 1948, 2024]


def test_no_other_module_lists_the_months_weekdays_or_ordinals_again() -> None:
    """A string with more than four words of such a list is a second copy of it."""
    lists = [
        set(lexicon.MONTH_FORMS),
        {name[:3] for name in lexicon.MONTH_FORMS},
        set(lexicon.WEEKDAY_FORMS),
        set(lexicon.ordinals(2, 10)),
        set(lexicon.LEADING_OFFICES),
    ]
    copies = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for text in _strings(ast.parse(path.read_text("utf-8"))):
            found = set(re.findall(r"[a-z]+", text))
            copies += [(path.name, text) for known in lists if len(found & known) > 4]
    assert copies == []


def _strings(tree: ast.Module) -> Iterator[str]:
    """The strings of a module, except docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value
