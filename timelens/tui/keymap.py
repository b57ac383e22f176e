"""Custom keys from the table ``[chat.keys]`` of the configuration."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys

from timelens.folders import home

_MODIFIERS = {"ctrl", "shift", "alt", "super", "hyper", "meta"}
_REMEDY = "name keys such as f6, ctrl+r, alt+up or ?, separated by commas"


def read_keymap(keys: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The entries with valid keys, and an error line for each of the others."""
    good, wrong = {}, []
    for name, given in keys.items():
        bad = [key for key in map(str.strip, given.split(",")) if not is_key(key)]
        if bad:
            wrong.append(f"configuration key chat.keys.{name}: {bad[0]!r} is not a key – {_REMEDY}")
        else:
            good[name] = ",".join(map(str.strip, given.split(",")))
    return good, wrong


def faults_of(keymap: Mapping[str, str]) -> list[str]:
    """The faults of a keymap, one line each; this imports the whole chat."""
    return [*unknown_lines(keymap, known_ids()), *conflict_lines(keymap), *taken_lines(keymap)]


def unknown_lines(keys: Collection[str], known: Collection[str]) -> list[str]:
    """An error line for each name that is not an action."""
    from difflib import get_close_matches

    return [
        f"configuration key chat.keys.{name}: there is no action of that name – "
        f"is {get_close_matches(name, sorted(known), 1, 0)[0]} meant? Correct it in {home() / 'config.toml'}"
        for name in keys
        if name not in known
    ]


def conflict_lines(keymap: Mapping[str, str]) -> list[str]:
    """An error line for each action that loses a key to another of its class; imports the whole chat."""
    given = {name: set(map(_full_name, keys.split(","))) for name, keys in keymap.items()}
    bound = list(bindings_of_all())
    lost = set()
    for kind, binding in bound:
        beside = {other.id for place, other in bound if place is kind and other.id != binding.id}
        if binding.id not in given and any(binding.key in given.get(name or "", ()) for name in beside):
            lost.add((binding.id or binding.action, binding.key))
    return [
        f"configuration table chat.keys: {key} is also the key of {name} – choose another for one of them"
        for name, key in sorted(lost)
    ]


def taken_lines(keymap: Mapping[str, str]) -> list[str]:
    """An error line for each key of the chat screen that the prompt, which has priority, uses itself."""
    from timelens.tui.prompt import Prompt
    from timelens.tui.screen import ChatScreen

    places = [kind for kind in Prompt.__mro__ if issubclass(kind, DOMNode)]
    own = {
        binding.key
        for kind in places
        for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))
        if binding.id not in keymap
    }
    of_chat = {binding.id for binding in Binding.make_bindings(ChatScreen.BINDINGS)} & set(keymap)
    taken = {(name, key) for name in of_chat if name for key in keymap[name].split(",")}
    return [
        f"configuration key chat.keys.{name}: the prompt uses {key} – choose another key"
        for name, key in sorted(taken)
        if _full_name(key) in own
    ]


def is_key(key: str) -> bool:
    """Whether a key of that name exists, even if some terminals cannot send it."""
    *modifiers, base = key.split("+") if len(key) > 1 else [key]
    return set(modifiers) <= _MODIFIERS and (base in _bases() or (len(base) == 1 and base.isprintable()))


def bindings_of_all() -> Iterator[tuple[type[DOMNode], Binding]]:
    """Every binding of the chat with its class; this imports the whole chat."""
    import pkgutil
    from importlib import import_module

    from timelens import tui

    for found in pkgutil.walk_packages(tui.__path__, f"{tui.__name__}."):
        module = import_module(found.name)
        for kind in {kind for kind in vars(module).values() if isinstance(kind, type)}:
            if issubclass(kind, DOMNode) and kind.__module__ == module.__name__:
                for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", ())):
                    yield kind, binding


def known_ids() -> frozenset[str]:
    """The names of the actions that keys can be assigned to."""
    return frozenset(binding.id for _, binding in bindings_of_all() if binding.id)


@cache
def _bases() -> frozenset[str]:
    """The names of keys, without modifiers."""
    from string import punctuation

    named = {key.value.rpartition("+")[2] for key in Keys}
    signs = set(map(_full_name, punctuation))
    return frozenset({key for key in named if "<" not in key} | signs | {"space", "enter", "tab"})


def _full_name(key: str) -> str:
    """``question_mark`` for ``?``, as bindings name it."""
    from textual.keys import _character_to_key

    return _character_to_key(key) if len(key) == 1 else key
