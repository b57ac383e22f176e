"""The user's own editor, opened in this terminal on a file."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from timelens import BadInputError, MissingError
from timelens.errors import reason_of
from timelens.printable import printable

_USUAL = ("sensible-editor", "nano", "vi")
_LONGEST = 1 << 20
"""Maximum size in bytes of a file that is read back."""


def editor_command() -> list[str]:
    """The command in ``$VISUAL``, else in ``$EDITOR``, else an editor that is installed.

    Raises:
        BadInputError: the variable cannot be split into arguments.
        MissingError: no editor is named, and none of the usual editors is installed.
    """
    named = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    try:
        command = shlex.split(named)
    except ValueError as error:
        raise BadInputError(
            f"$VISUAL or $EDITOR is not a command: {error}", "set it to the name of an editor, such as vi"
        ) from error
    if command:
        return command
    usual = next(filter(shutil.which, _USUAL), None)
    if usual is None:
        raise MissingError("no editor was found", "set $EDITOR to the name of an editor")
    return [usual]


def run_editor(app: App[Any], path: Path) -> None:
    """Give the terminal to the editor until it ends; the chat is suspended meanwhile.

    Raises:
        BadInputError: it cannot be started or failed, or this is not a terminal.
    """
    command = [*editor_command(), str(path)]
    try:
        with app.suspend(), Path("/dev/tty").open("r+b", buffering=0) as terminal:  # stderr is a log file
            ended = subprocess.run(  # noqa: S603 -- the user's own choice
                command, stdin=terminal, stdout=terminal, stderr=terminal, check=False
            )
    except SuspendNotSupported as error:
        raise BadInputError("no editor can be opened in this terminal", "type into the prompt") from error
    except OSError as error:
        raise BadInputError(
            f"{command[0]} cannot be started: {reason_of(error)}", "set $EDITOR to an editor"
        ) from error
    if ended.returncode != 0:
        raise BadInputError(f"{command[0]} ended with exit code {ended.returncode}", "nothing was changed")


def edited(app: App[Any], text: str) -> str:
    """The text after editing. It is edited in a private temporary file, which is removed afterwards.

    Raises:
        BadInputError: as for :func:`run_editor`, or the file is missing, too large or not UTF-8 text.
        MissingError: there is no editor.
    """
    with tempfile.TemporaryDirectory(prefix="timelens-") as folder:  # readable by this user only
        path = Path(folder, "question.txt")
        path.write_text(f"{text}\n" if text else "", encoding="utf-8")
        run_editor(app, path)
        try:
            with path.open("rb") as file:
                raw = file.read(_LONGEST + 1)
            if len(raw) > _LONGEST:
                raise BadInputError("the text is too long for a question", "shorten it")
            return printable(raw.decode("utf-8-sig")).strip("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInputError(
                f"what the editor wrote cannot be read: {reason_of(error)}", "save it as UTF-8"
            ) from error
