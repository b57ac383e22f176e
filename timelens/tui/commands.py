"""Commands of the input line: ``/name argument``. Pure."""

from dataclasses import dataclass

from timelens.errors import BadInputError

COMMANDS = {
    "corpus": ("NAME", "ask another corpus"),
    "strategy": ("NAME", "find evidence another way"),
    "model": ("[NAME]", "list language models, or answer with one: NAME, FILE.gguf, none"),
    "asof": ("DAY", "set the day that counts as today"),
    "history": ("", "go back to an earlier conversation"),
    "new": ("", "begin another conversation"),
    "rename": ("TITLE", "call this conversation something else"),
    "delete": ("", "delete this conversation"),
    "export": ("FILE", "write this conversation to a .md or .json file"),
    "help": ("", "show this list"),
    "quit": ("", "leave"),
}
"""Name to (argument, what it does). An argument in brackets may be left out."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its argument, which is empty where it takes none."""

    name: str
    argument: str


def parse_command(line: str) -> Command | None:
    """The command of a line; ``None`` if it is a question.

    Raises:
        BadInputError: there is no such command, or its argument is missing.
    """
    if not line.startswith("/"):
        return None
    name, _, argument = line[1:].partition(" ")
    name, argument = name.lower(), argument.strip()
    if name not in COMMANDS:
        raise BadInputError(f"there is no command /{name}", "see /help")
    if needs_argument(name) and not argument:
        raise BadInputError(f"/{name} needs an argument", f"write /{name} {COMMANDS[name][0]}")
    return Command(name, argument)


def needs_argument(name: str) -> bool:
    """Whether a command does nothing without its argument."""
    wanted, _ = COMMANDS[name]
    return bool(wanted) and not wanted.startswith("[")


def help_lines() -> list[str]:
    """One line for each command, and the keys that no footer shows."""
    forms = {name: f"/{name} {argument}".rstrip() for name, (argument, _) in COMMANDS.items()}
    width = max(map(len, forms.values()))
    return [
        *(f"{forms[name]:<{width}}  {purpose}" for name, (_, purpose) in COMMANDS.items()),
        f"{'Up, Down':<{width}}  what was typed before",
        f"{'Page Up, Page Down':<{width}}  scroll",
    ]
