"""The text that is copied for evidence and answers, and the ways to copy it. The texts are pure."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import which

from textual.app import App

from timelens import Citation
from timelens.answer.rendering.labels import heading, nearest_words
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.folders import home, write_atomically
from timelens.printable import printable, printable_line

_PATIENCE_SECONDS = 2.0
COPIED = "copied.txt"
"""The file in the timelens home with the last copied text."""


def copied_evidence(citation: Citation) -> str:
    """A piece of evidence as text: the quote, then its title, place, dates and path."""
    hit = citation.hit
    source = [heading(hit), printable_line(hit.place), label(hit)]
    where = printable_line(hit.chunk.uri) or printable_line(hit.chunk.document_id)
    return f"“{printable_line(sentence_of(hit))}”\n{', '.join(filter(None, source))}\n{where}\n"


def copied_answer(question: str, answer: str, evidence: ShownEvidence | None) -> str:
    """An answer as text under its question, with the evidence that it cites or names as nearest."""
    parts = [printable_line(question), printable(answer).strip() or "(no answer)"]
    lines = []
    citations = () if evidence is None else evidence.timeline.citations
    for citation in sorted(citations, key=lambda citation: citation.number):
        number = citation.number
        if evidence is not None and (number in evidence.cited or number in evidence.nearest):
            where = printable_line(citation.hit.chunk.uri) or printable_line(citation.hit.chunk.document_id)
            near = f" ({nearest_words(evidence.nearest[number])})" if number in evidence.nearest else ""
            lines.append(f"[{number}] {heading(citation.hit)}, {label(citation.hit)}{near}: {where}")
    return "\n\n".join([*parts, *(["\n".join(lines)] if lines else [])]) + "\n"


def clipboard_command(environment: Mapping[str, str], platform: str = sys.platform) -> tuple[str, ...] | None:
    """The program that writes its input to the clipboard of this desktop, if there is one.

    Over SSH there is none: the clipboard is on the other machine, and only its terminal can reach it.
    """
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"):
        return None
    wanted: list[tuple[str, ...]] = []
    if platform == "darwin":
        wanted.append(("pbcopy",))
    if environment.get("WAYLAND_DISPLAY"):
        wanted.append(("wl-copy",))
    if environment.get("DISPLAY"):
        wanted += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    if environment.get("WSL_DISTRO_NAME"):
        wanted.append(("clip.exe",))
    return next((command for command in wanted if which(command[0])), None)


def copy_by_program(text: str) -> Path | None:
    """Copy text with the desktop's clipboard program; without one, write a file and return its path.

    Raises:
        OSError: the file cannot be written.
    """
    command = clipboard_command(os.environ)
    if command is not None:
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(  # noqa: S603 -- a program of the desktop, not a shell
                command,
                input=text.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE_SECONDS,
                check=True,
            )
            return None
    path = home() / COPIED
    write_atomically(path, text)
    return path


async def copy(app: App[None], text: str) -> None:
    """Copy text both through the terminal (OSC 52) and with a program, as terminals do not confirm OSC 52."""
    app.copy_to_clipboard(text)
    try:
        path = await asyncio.to_thread(copy_by_program, text)
    except OSError as error:
        said = f"Copied, if your terminal allows it; no file could be written: {error.strerror}."
    else:
        said = "Copied." if path is None else f"Copied, if your terminal allows it; also written to {path}"
    app.notify(said, markup=False)
