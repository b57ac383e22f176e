"""The options of questions, and the activity of the chat. Pure."""

from dataclasses import dataclass

from timelens.temporal import Day


@dataclass(frozen=True, slots=True)
class Options:
    """The options of questions."""

    as_of: Day
    strategy: str
    k: int | None
    """Number of pieces of evidence for an answer; ``None`` is the configured number."""


@dataclass(frozen=True, slots=True)
class Activity:
    """The activity of the chat; it may answer and load at once, while a question waits for a corpus."""

    answering: bool = False
    loading: str = ""
    """The corpus that is being opened; empty if none."""
    reading: str = ""
    """The corpus that documents are read into, and the progress; empty if none."""


IDLE = Activity()
