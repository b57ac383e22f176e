"""Other keys than those built in, from the table ``[chat.keys]`` of the configuration."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys

_MODIFIERS = {"ctrl", "shift", "alt", "super", "hyper", "meta"}
_REMEDY = "name keys as f6, ctrl+r, alt+up or ?, with commas between several"


def read_keymap(keys: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The entries that name keys there are, and a line about each of the others."""
    good, wrong = {}, []
    for name, given in keys.items():
        bad = [key for key in map(str.strip, given.split(",")) if not is_key(key)]
        if bad:
            wrong.append(f"configuration key chat.keys.{name}: {bad[0]!r} is no key – {_REMEDY}")
        else:
            good[name] = ",".join(map(str.strip, given.split(",")))
    return good, wrong


def unknown_lines(keys: Collection[str], known: Collection[str]) -> list[str]:
    """A line about each name that nothing is bound under."""
    from difflib import get_close_matches

    lines = []
    for name in keys:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"is {near[0]} meant?" if near else f"there are {', '.join(sorted(known))}"
            lines.append(f"configuration key chat.keys.{name}: no key is bound to that – {hint}")
    return lines


def is_key(key: str) -> bool:
    """Whether there is a key of that name, whatever a terminal makes of it."""
    *modifiers, base = key.split("+") if len(key) > 1 else [key]
    return set(modifiers) <= _MODIFIERS and (base in _bases() or (len(base) == 1 and base.isprintable()))


def bindings_of_all() -> Iterator[tuple[type[DOMNode], Binding]]:
    """Every binding of the chat with its class; this imports all of the chat."""
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
    """What keys can be given to."""
    return frozenset(binding.id for _, binding in bindings_of_all() if binding.id)


@cache
def _bases() -> frozenset[str]:
    """Names of keys, without modifiers."""
    from string import punctuation

    from textual.keys import _character_to_key

    named = {key.value.rpartition("+")[2] for key in Keys}
    signs = {_character_to_key(sign) for sign in punctuation}
    return frozenset({key for key in named if "<" not in key} | signs | {"space", "enter", "tab"})
