"""How fast a model reads and writes. Pure."""

from dataclasses import dataclass

_FEWEST = 8
"""Tokens that have to be written for a rate that says anything."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What a model read and wrote in a stretch of time, by the engine's own clock."""

    read: int = 0
    """Tokens of prompts that were computed; what was remembered of earlier prompts is not among them."""
    read_seconds: float = 0.0
    written: int = 0
    """Tokens."""
    written_seconds: float = 0.0

    def __add__(self, other: "Speed") -> "Speed":
        return Speed(
            self.read + other.read,
            self.read_seconds + other.read_seconds,
            self.written + other.written,
            self.written_seconds + other.written_seconds,
        )

    @property
    def is_telling(self) -> bool:
        """Whether enough was written to speak of a rate."""
        return self.written >= _FEWEST and self.written_seconds > 0

    @property
    def words(self) -> str:
        """The rates, as they are said to the user; of reading only where enough was read."""
        writes = f"writes {_rate(self.written, self.written_seconds)} tokens/s"
        if self.read < _FEWEST or not self.read_seconds:
            return writes
        return f"reads {_rate(self.read, self.read_seconds)} and {writes}"


def _rate(tokens: int, seconds: float) -> str:
    rate = tokens / seconds
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
