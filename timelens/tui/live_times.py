"""Reads the times of a text in a thread of its own, the newest text alone where several wait."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from timelens.answer.evidence import Asked

_LOG = logging.getLogger(__name__)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a text."""

    spans: tuple[Span, ...] = ()
    """Where they stand in it, half-open, in order, apart from each other."""
    periods: tuple[Asked, ...] = ()


class LiveTimes:
    """Reads one text after another; of texts that come meanwhile only the last is read."""

    def __init__(self, read: Callable[[str], Times], told: Callable[[str, Times], object]) -> None:
        """``read`` is called in the thread, and so is ``told``, with the text and its times."""
        self._read = read
        self._told = told
        self._lock = threading.Lock()
        self._wanted: str | None = None
        self._works = False

    def want(self, text: str) -> None:
        """Read this text next."""
        with self._lock:
            self._wanted = text
            if self._works:
                return
            self._works = True
        threading.Thread(target=self._work, name="timelens-times", daemon=True).start()

    def _work(self) -> None:
        while (text := self._next()) is not None:
            try:
                self._told(text, self._read(text))
            except Exception:  # noqa: BLE001 -- the thread's edge: the prompt goes on without its times
                _LOG.exception("the times of what is being typed cannot be read")

    def _next(self) -> str | None:
        with self._lock:
            text, self._wanted = self._wanted, None
            self._works = text is not None
            return text
