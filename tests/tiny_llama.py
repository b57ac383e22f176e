"""Questions to a tiny model of random weights."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from evidence import timeline

from timelens.answer.draft import Draft, Status
from timelens.answer.llama import LlamaAnswerer
from timelens.answer.rendering.timeline import Timeline
from timelens.config import LlamaSettings
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number

QUESTION = parse("Who led the club in 1998?", day_number(2026))
DRAFT = Draft(Status.ANSWERED, "Ann [1].")
EVIDENCE = timeline("Ann led the club.", "Bob led the club.")
LONG_EVIDENCE = timeline(*("Ann led the club. " * 550 for _ in range(6)))
"""Of six long pieces."""
SETTINGS = LlamaSettings(context_tokens=4096, evidence_tokens=100_000, answer_tokens=40, threads=1)


def settings(model: Path, **changed: int) -> LlamaSettings:
    return SETTINGS.model_copy(update={"model": model, **changed})


def stream(answerer: LlamaAnswerer, evidence: Timeline = EVIDENCE) -> Iterator[str]:
    """What it writes in the mode ``direct``, which has no thoughts."""
    return cast("Iterator[str]", answerer.write(QUESTION, evidence, DRAFT))


def threads() -> list[threading.Thread]:
    """Those that a model works in."""
    return [thread for thread in threading.enumerate() if thread.name == "llama"]
