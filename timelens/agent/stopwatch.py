"""Measures time by stage."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Stopwatch:
    """Accumulates elapsed time, in milliseconds, by stage."""

    milliseconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> float:
        """Add the time since the last lap to a stage, and return it in milliseconds."""
        now = time.perf_counter()
        spent = (now - self._since) * 1000
        self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
        self._since = now
        return spent
