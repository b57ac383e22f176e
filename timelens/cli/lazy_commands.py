"""The commands of timelens by name, each loaded when it is used."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

_OfClick = Any
"""Contexts, commands and formatters of Click, of which Typer has a private copy."""


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is, and the line that the help of timelens shows for it."""

    module: str
    """Its module in :mod:`timelens.cli`."""
    name: str
    """Name of its function; ``app`` for a group of commands."""
    help: str
    """The first paragraph of its own help."""


COMMANDS = {
    "chat": LazyCommand("machine", "chat", "Open the full-screen chat. Ctrl+Q quits."),
    "ask": LazyCommand(
        "questions",
        "ask",
        "Answer a question from a corpus, with citations, and check every date of the answer.",
    ),
    "search": LazyCommand(
        "questions", "search", "Show the evidence for a question: right in topic and in time, with scores."
    ),
    "ingest": LazyCommand(
        "ingest",
        "ingest",
        "Read new or changed files into a corpus. Unchanged files cost nothing; you can interrupt and "
        "repeat.",
    ),
    "parse": LazyCommand(
        "questions", "parse", "Show how a question is understood: its topic, its time, its plan."
    ),
    "tag": LazyCommand(
        "questions", "tag", "Find the temporal expressions in a text and the days they stand for."
    ),
    "serve": LazyCommand(
        "serve",
        "serve",
        "Let other programs search and ask the corpora, read-only, over the Model Context Protocol.",
    ),
    "doctor": LazyCommand(
        "machine", "doctor", "Check what works on this machine, and how to fix what does not."
    ),
    "corpora": LazyCommand(
        "corpora", "app", "The corpora that are stored: list, show, verify, compact, remove."
    ),
    "model": LazyCommand("models", "app", "Local language models."),
    "bench": LazyCommand("bench", "app", "Measure retrieval and answers on suites of questions."),
}


class LazyGroup(TyperGroup):
    """:data:`COMMANDS` as a group. Its help loads none of them; a command loads only its own module."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 -- those of the base class
        self._listed = {name: TyperCommand(name, help=one.help) for name, one in COMMANDS.items()}
        super().__init__(**settings | {"commands": self._listed})

    def get_command(self, ctx: _OfClick, cmd_name: str) -> _OfClick:  # noqa: ARG002 -- of the base class
        """The command of a name, or ``None`` if there is none."""
        return load_command(cmd_name) if cmd_name in self.commands else None

    def format_help(self, ctx: _OfClick, formatter: _OfClick) -> None:
        """Write the help, with the lines of :data:`COMMANDS`."""
        listed = TyperGroup(
            name=self.name, commands={**self._listed}, params=self.params, help=self.help, epilog=self.epilog
        )
        listed.format_help(ctx, formatter)


def load_command(name: str) -> _OfClick:
    """The command of a name in :data:`COMMANDS`, or the group."""
    place = COMMANDS[name]
    loaded = getattr(import_module(f"timelens.cli.{place.module}"), place.name)
    alone = typer.Typer()
    if isinstance(loaded, typer.Typer):
        alone.add_typer(loaded, name=name)
    else:
        alone.command(name)(loaded)
    return typer.main.get_group(alone).commands[name]
