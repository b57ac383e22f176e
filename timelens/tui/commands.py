"""Commands of the input line, ``/name argument``: one table that everything else is made from. Pure."""

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
    """What the chat knows that arguments may name."""

    corpora: tuple[str, ...]
    settings: "Settings"
    today: Day = 0
    span: Interval | None = None
    """What the open corpus speaks of."""
    typed: str = ""
    """What is there of the argument."""


Completer = Callable[[Known], Iterable[Suggestion]]
"""What the argument of a command may be, in the order in which it is offered; what does not begin with or
hold what was typed is left out."""


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
    """How the argument is written in the help: empty without one, in brackets where it may be left out."""
    help: str
    """What it does, in a few words."""
    handler: str
    """The method of the chat screen that does it, ``async def name(self, argument: str)``; that of one of
    the screen's parts with a dot, as in ``models.choose``."""
    completer: Completer | None = None
    when_idle: bool = False
    """Whether it asks or leaves the conversation, and so waits until a question is answered."""
    in_palette: bool = True
    keys: str = ""
    """Keys that do it from anywhere in the chat, with commas, as Textual names them."""
    key_says: str = ""
    """What is shown beside its keys; empty for its name."""

    @property
    def form(self) -> str:
        """How it is written."""
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        """Whether it does nothing without its argument."""
        return bool(self.argument) and not self.argument.startswith("[")


COMMANDS = (
    Command("corpus", "NAME", "choose the corpus to ask, or all of them: *", "corpora.choose", _corpora),
    Command("corpora", "", "show the corpora and what they hold, over time", "corpora.show_all", keys="f5"),
    Command("ingest", "[PATH]", "add a file or folder to a corpus", "ingests.begin", _paths),
    Command("strategy", "NAME", "choose how evidence is found", "questions.set_strategy", _strategies),
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
    Command("quit", "", "leave", "quit", in_palette=False),  # Textual's own stands there
)


def command_named(name: str) -> Command:
    """The command of a name.

    Raises:
        BadInputError: there is none.
    """
    for command in COMMANDS:
        if command.name == name:
            return command
    raise BadInputError(f"there is no command /{name}", "see /help")


def parse_command(line: str) -> tuple[Command, str] | None:
    """The command of a line with its argument, which may be empty; ``None`` if the line is a question.

    Raises:
        BadInputError: there is no such command, or its argument is missing.
    """
    if not line.startswith("/"):
        return None
    name, _, argument = line[1:].partition(" ")
    command, argument = command_named(name.lower()), argument.strip()
    if command.needs_argument and not argument:
        raise BadInputError(f"/{command.name} needs an argument", f"write {command.form}")
    return command, argument


def completions(line: str, cursor: int, known: Known) -> Completion | None:
    """What may be meant after ``cursor`` characters of a line; ``None`` for a question."""
    names = [Suggestion(f"/{one.name}", one.help, goes_on=bool(one.argument)) for one in COMMANDS]
    completers = {one.name: partial(_offered, one.completer, known) for one in COMMANDS if one.completer}
    return completion_of(line, cursor, names, completers)


def _offered(completer: Completer, known: Known, typed: str) -> Iterable[Suggestion]:
    return completer(replace(known, typed=typed))


def help_cells() -> list[tuple[str, str]]:
    """Each command as it is written, all of one width, and what it does."""
    width = max(len(command.form) for command in COMMANDS)
    return [(f"{command.form:<{width}}  ", command.help) for command in COMMANDS]


def help_lines() -> list[str]:
    """One line for each command."""
    return ["".join(cells) for cells in help_cells()]
