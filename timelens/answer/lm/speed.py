"""The speed of a model. Pure."""

from dataclasses import dataclass

_FEWEST = 8
"""Minimum number of tokens for a meaningful rate."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens that a model read and wrote, and the time it took, by the engine's own clock."""

    read: int = 0
    """Evaluated prompt tokens, without those found in the cache."""
    read_seconds: float = 0.0
    written: int = 0
    """Generated tokens."""
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
        """Whether enough tokens were written for a meaningful rate."""
        return self.written >= _FEWEST and self.written_seconds > 0

    @property
    def words(self) -> str:
        """The rates in words for the user; the reading rate only if enough tokens were read."""
        writes = f"writes {_rate(self.written, self.written_seconds)} tokens/s"
        if self.read < _FEWEST or not self.read_seconds:
            return writes
        return f"reads {_rate(self.read, self.read_seconds)} and {writes}"


def _rate(tokens: int, seconds: float) -> str:
    rate = tokens / seconds
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
