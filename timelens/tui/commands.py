"""Commands of the input line, ``/name argument``, defined in one table. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from timelens import BadInputError
from timelens.folders import ALL_CORPORA
from timelens.temporal import Day, Interval
from timelens.tui.completion import Completion, Suggestion, completion_of, days, files

if TYPE_CHECKING:
    from timelens import Settings


@dataclass(frozen=True, slots=True)
class Known:
    """State of the chat that the completers of arguments use."""

    corpora: tuple[str, ...]
    settings: "Settings"
    today: Day = 0
    span: Interval | None = None
    """The period that the open corpus covers."""
    typed: str = ""
    """The part of the argument that was typed."""


Completer = Callable[[Known], Iterable[Suggestion]]
"""Suggestions for the argument of a command, in order; suggestions that do not contain the typed text are
filtered out later."""


def _corpora(known: Known) -> Iterable[Suggestion]:
    return map(Suggestion, (*known.corpora, ALL_CORPORA))


def _strategies(_: Known) -> Iterable[Suggestion]:
    from timelens import STRATEGIES

    return map(Suggestion, STRATEGIES)


def _models(known: Known) -> Iterable[Suggestion]:
    from timelens.tui.models import names

    return [*map(Suggestion, names(known.settings)), *files(known.typed, [".gguf"])]


def _days(known: Known) -> Iterable[Suggestion]:
    return days(known.typed, known.today, known.span)


def _paths(known: Known) -> Iterable[Suggestion]:
    return files(known.typed, ())


def _exports(known: Known) -> Iterable[Suggestion]:
    return files(known.typed, [".md", ".html", ".json"])


def _themes(_: Known) -> Iterable[Suggestion]:
    from timelens.folders import home
    from timelens.tui.themes import theme_names

    return map(Suggestion, theme_names(home() / "themes"))


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the chat."""

    name: str
    argument: str
    """The argument as the help shows it: empty if there is none, in brackets if it is optional."""
    help: str
    """A short description of the command."""
    handler: str
    """The method of the chat screen that runs it, ``async def name(self, argument: str)``; a method of one of
    the screen's parts is named with a dot, as in ``models.choose``."""
    completer: Completer | None = None
    when_idle: bool = False
    """Whether it must wait until no question is being answered, because it asks or ends the conversation."""
    in_palette: bool = True
    keys: str = ""
    """Keys that run it from anywhere in the chat, separated by commas, with Textual's names."""
    key_says: str = ""
    """The label of its keys in the footer; empty uses the name."""

    @property
    def form(self) -> str:
        """The command as it is typed, with its argument."""
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        """Whether its argument is required."""
        return bool(self.argument) and not self.argument.startswith("[")


COMMANDS = (
    Command("corpus", "[NAME]", "choose the corpus to ask, or all of them: *", "corpora.choose", _corpora),
    Command("corpora", "", "show the corpora and what they hold, over time", "corpora.show_all", keys="f5"),
    Command("ingest", "[PATH]", "add a file or folder to a corpus", "ingests.begin", _paths),
    Command(
        "strategy",
        "[NAME]",
        "list the ways to find evidence, or choose one",
        "questions.set_strategy",
        _strategies,
    ),
    Command(
        "k", "[N]", "set how many pieces of evidence an answer gets", "questions.set_k", in_palette=False
    ),
    Command(
        "model",
        "[NAME]",
        "list the language models, or choose one, or none",
        "models.choose",
        _models,
    ),
    Command(
        "asof",
        "[DAY]",
        "set the day that counts as today, or compare two: 2015 vs 2020",
        "as_of.choose",
        _days,
    ),
    Command(
        "scrub",
        "",
        "move the day that counts as today, and see the evidence change",
        "as_of.scrub",
        when_idle=True,
        keys="f8",
        key_says="Day",
    ),
    Command("open", "[N]", "open the document of a piece of evidence", "evidence.open"),
    Command(
        "copy",
        "[N]",
        "copy the answer with its sources, or a piece of evidence",
        "evidence.copy",
        keys="y",
    ),
    Command("again", "", "ask the question again", "evidence.again", when_idle=True, keys="r"),
    Command("edit", "", "put the question back into the prompt", "evidence.edit", keys="e"),
    Command(
        "compare",
        "[STRATEGY]",
        "ask again with another strategy, and show what changes",
        "evidence.compare",
        _strategies,
        when_idle=True,
        keys="s",
    ),
    Command(
        "history",
        "",
        "go back to an earlier conversation",
        "conversations.show_list",
        when_idle=True,
        keys="f4",
    ),
    Command("new", "", "begin a new conversation", "conversations.begin", when_idle=True),
    Command("rename", "TITLE", "rename this conversation", "conversations.rename"),
    Command("delete", "", "delete this conversation", "conversations.delete", when_idle=True),
    Command(
        "export",
        "FILE",
        "write this conversation to a .md, .html or .json file",
        "conversations.export",
        _exports,
    ),
    Command("theme", "[NAME]", "list the themes, or choose one", "looks.choose", _themes, in_palette=False),
    Command("help", "", "list the commands", "show_commands"),
    Command("keys", "", "show all commands and all keys", "show_keys", keys="f1"),
    Command("quit", "", "leave", "quit", in_palette=False),  # the palette has Textual's own entry
)


def command_named(name: str) -> Command:
    """The command with a given name.

    Raises:
        BadInputError: there is no such command.
    """
    for command in COMMANDS:
        if command.name == name:
            return command
    raise BadInputError(f"there is no command /{name}", "see /help")


def parse_command(line: str) -> tuple[Command, str] | None:
    """The command in a line and its argument, which may be empty; ``None`` if the line is a question.

    Raises:
        BadInputError: there is no such command, or a required argument is missing.
    """
    if not line.startswith("/"):
        return None
    name, _, argument = line[1:].partition(" ")
    command, argument = command_named(name.lower()), argument.strip()
    if command.needs_argument and not argument:
        raise BadInputError(f"/{command.name} needs an argument", f"write {command.form}")
    return command, argument


def completions(line: str, cursor: int, known: Known) -> Completion | None:
    """Completions at ``cursor`` characters of a line; ``None`` for a question."""
    names = [Suggestion(f"/{one.name}", one.help, goes_on=bool(one.argument)) for one in COMMANDS]
    completers = {one.name: partial(_offered, one.completer, known) for one in COMMANDS if one.completer}
    return completion_of(line, cursor, names, completers)


def _offered(completer: Completer, known: Known, typed: str) -> Iterable[Suggestion]:
    return completer(replace(known, typed=typed))


def help_cells() -> list[tuple[str, str]]:
    """Each command with its argument, padded to equal width, and its description."""
    width = max(len(command.form) for command in COMMANDS)
    return [(f"{command.form:<{width}}  ", command.help) for command in COMMANDS]
