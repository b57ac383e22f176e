"""The result of resolving a description of a question: a name, or why there is none."""

from dataclasses import dataclass

from timelens.documents import Hit
from timelens.question.hops.hop import Hop
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class ResolvedHop:
    """A resolved description."""

    hop: Hop
    words: str
    """The description, with names in place of references to earlier hops."""
    name: str
    interval: Interval | None
    """The days of its term, if known; from a text, only the start (open end)."""
    hit: Hit
    rests_on: tuple[Hit, ...] = ()
    """Further evidence it rests on: the row of its neighbour, the events of its question."""

    @property
    def is_exact(self) -> bool:
        """Whether a table records it."""
        return self.hit.chunk.fact is not None


@dataclass(frozen=True, slots=True)
class UnresolvedHop:
    """A description that cannot be resolved with certainty."""

    words: str
    why: str

    @property
    def text(self) -> str:
        """The message for the user."""
        return f"“{self.words}”: {self.why}."


SILENT = "the corpus does not say who or what that is"
"""The reason if the evidence does not resolve a description."""
UNDATED = "the corpus does not say when that was"
"""The reason if the evidence does not date an event."""
