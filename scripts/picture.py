"""Write docs/chat.svg, the picture of the chat that the README shows.

It runs the real chat without a terminal, over the bundled corpus ``leaders``, which is ingested into a
temporary home. Parts that differ between runs (milliseconds) are removed, and so is the web font of Textual's
picture.
"""

import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from timelens.api import open_corpus
from timelens.config import Settings
from timelens.question.parsed_question import Step
from timelens.temporal.calendar import parse_day
from timelens.tui import wording
from timelens.tui.app import ChatApp
from timelens.tui.exchange import Exchange, Notice, State
from timelens.tui.options import Options
from timelens.tui.prompt import Prompt
from timelens.tui.screen import ChatScreen
from timelens.tui.worker import ApiLibrary

ROOT = Path(__file__).resolve().parents[1]
CORPUS = "leaders"
QUESTION = "Who was Chancellor of Germany between 1990 and 2020?"
AS_OF = "2024-12-31"
SIZE = (144, 40)
PATIENCE_SECONDS = 120
STEP_LINE = wording.step_line


async def ask(home: Path) -> str:
    """The chat's screen after the question, as SVG."""
    options = Options(parse_day(AS_OF), "timelens", None)
    chat = ChatApp(ChatScreen(CORPUS, options, ApiLibrary(Settings()), home / "conversations.sqlite"))
    async with chat.run_test(size=SIZE) as pilot:
        prompt = chat.query_one(Prompt)
        prompt.cursor_blink = False
        await until(pilot, lambda: chat.query(Notice))  # the corpus is open
        prompt.value = QUESTION
        await pilot.press("enter")
        await until(pilot, lambda: [e.state for e in chat.query(Exchange)] == [State.DONE])
        await pilot.pause(0.5)
        return chat.export_screenshot(title="timelens")


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Let the chat run until a condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"The chat did not get that far in {PATIENCE_SECONDS} s.")
        await pilot.pause(0.05)


def settled(svg: str) -> str:
    """The picture without parts that change between runs or are fetched from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)


def step_line(step: Step, hits: int, milliseconds: float, steps: int) -> str:
    """The line of a step without its duration, which differs between runs."""
    return STEP_LINE(step, hits, milliseconds, steps).rpartition(" in ")[0]


def main() -> None:
    """Ingest, ask, write."""
    wording.step_line = step_line
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "chat.svg"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TIMELENS_HOME"] = folder
        open_corpus(CORPUS).ingest([ROOT / "corpora" / CORPUS / "documents"])
        picture = settled(asyncio.run(ask(Path(folder))))
    target.parent.mkdir(exist_ok=True)
    target.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
