"""Reads the times of a text on its own thread; if several texts wait, only the newest is read."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from timelens.answer.rendering.shown_evidence import AskedPeriod

_LOG = logging.getLogger(__name__)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a text."""

    spans: tuple[Span, ...] = ()
    """Their positions in the text, half-open, in order, without overlap."""
    periods: tuple[AskedPeriod, ...] = ()


class LiveTimes:
    """Reads one text after another; of several texts that arrive meanwhile only the last is read."""

    def __init__(self, read: Callable[[str], Times], told: Callable[[str, Times], object]) -> None:
        """``read`` and ``told`` are called on the thread; ``told`` gets the text and its times."""
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
            except Exception:  # noqa: BLE001 -- top of the thread: the prompt goes on without times
                _LOG.exception("the times of what is being typed cannot be read")

    def _next(self) -> str | None:
        with self._lock:
            text, self._wanted = self._wanted, None
            self._works = text is not None
            return text
