"""What the chat is asked under, and what it is doing. Pure."""

from dataclasses import dataclass

from timelens.temporal import Day


@dataclass(frozen=True, slots=True)
class Options:
    """What questions are asked under."""

    as_of: Day
    strategy: str
    k: int | None
    """Pieces of evidence for an answer; ``None`` is the configured number."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What the chat is doing: both may be so while a question waits for a corpus."""

    answering: bool = False
    loading: str = ""
    """The corpus that is being opened, if one is."""
    reading: str = ""
    """The corpus that documents are read into, if any are, and how far that is."""


IDLE = Activity()
