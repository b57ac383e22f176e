"""Time spent by stage."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Stopwatch:
    """Books time spent, in milliseconds, under the names of the stages."""

    milliseconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> float:
        """Book the time since the last lap under a name."""
        now = time.perf_counter()
        spent = (now - self._since) * 1000
        self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
        self._since = now
        return spent
