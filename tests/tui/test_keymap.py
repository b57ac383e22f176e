"""Keys from the configuration."""

from collections import Counter
from pathlib import Path

import pytest

from timelens.tui.keymap import (
    bindings_of_all,
    conflict_lines,
    is_key,
    known_ids,
    read_keymap,
    taken_lines,
    unknown_lines,
)


@pytest.mark.parametrize(
    "key", ["ctrl+r", "f6", "F1".lower(), "?", "question_mark", "shift+enter", "alt+up", "ctrl+shift+x", "+"]
)
def test_what_is_a_key(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "ctl+r", "ctrl+", "f99", "return key", "ctrl", "alt+ctl+x", "\n"])
def test_what_is_none(key: str) -> None:
    assert not is_key(key)


def test_an_entry_without_a_key_is_one_line_and_the_others_hold() -> None:
    good, [line] = read_keymap({"history": "f6, ctrl+y", "steps": "ctl+o,f3"})
    assert good == {"history": "f6,ctrl+y"}
    assert line.startswith("configuration key chat.keys.steps: 'ctl+o' is not a key – name keys such as")


def test_an_unknown_name_is_one_line_with_the_nearest_and_the_file(home: Path) -> None:
    known = {"history", "steps", "evidence"}
    key, none = "configuration key chat.keys", "there is no action of that name"
    file = home / "config.toml"
    assert unknown_lines(["history", "histroy", "xyzzy"], known) == [
        f"{key}.histroy: {none} – is history meant? Correct it in {file}",
        f"{key}.xyzzy: {none} – is history meant? Correct it in {file}",
    ]


def test_a_key_that_something_else_had_is_one_line() -> None:
    assert conflict_lines({"history": "f2"}) == [
        "configuration table chat.keys: f2 is also the key of evidence – choose another for one of them"
    ]
    assert conflict_lines({"history": "f2", "evidence": "f4"}) == []
    assert conflict_lines({"history": "f9"}) == []


def test_a_key_that_the_prompt_uses_is_one_line() -> None:
    assert taken_lines({"history": "f9,f7", "prompt-ask": "enter"}) == [
        "configuration key chat.keys.history: the prompt uses f7 – choose another key"
    ]
    assert taken_lines({"history": "ctrl+r"}) != []
    assert taken_lines({"history": "ctrl+r", "prompt-search": "f9"}) == []


def test_no_two_bindings_of_the_chat_have_one_name() -> None:
    bound = list(bindings_of_all())
    owners = Counter({(binding.id, kind, binding.action) for kind, binding in bound if binding.id})
    shared = Counter(name for name, _, _ in owners)
    assert [name for name, count in shared.items() if count > 1] == []
    assert {"history", "quit"} <= known_ids()
    own = (binding for kind, binding in bound if kind.__module__.startswith("timelens."))
    assert [binding.action for binding in own if not binding.id] == []
