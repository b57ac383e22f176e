"""The thread that pulls a model while the chat goes on. It posts messages; the app owns the state."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from timelens import TimelensError
from timelens.answer.models.catalogue import Source
from timelens.faults import fault_of
from timelens.tui.models import refuse_much_larger

if TYPE_CHECKING:
    from timelens.answer.models.catalogue import PullRecord
    from timelens.answer.models.incoming_file import Offer

_LOG = logging.getLogger(__name__)
_BETWEEN_REPORTS_SECONDS = 0.2


class PullAdvanced(Message):
    """Progress of a pull, in bytes."""

    def __init__(self, source: Source, done: int, size: int) -> None:
        super().__init__()
        self.source = source
        self.done = done
        self.size = size


class PullEnded(Message):
    """A pull ended: with the record of the pulled model, or with an error."""

    def __init__(
        self, source: Source, record: "PullRecord | None" = None, error: TimelensError | None = None
    ) -> None:
        super().__init__()
        self.source = source
        self.record = record
        self.error = error


class _CancelledError(Exception):
    """Aborts a pull from its progress callback."""


class Puller:
    """Pulls one model at a time on its own daemon thread, so that questions are answered meanwhile.

    A cancelled pull ends when the next bytes arrive; a pull that is started before that waits for it.
    """

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post_message = post
        self._cancelled = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, source: Source) -> None:
        """Start a pull, after the previous one has ended."""
        self._cancelled = threading.Event()
        arguments = (source, self._cancelled, self._thread)
        self._thread = threading.Thread(target=self._work, args=arguments, name="timelens-pull", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop the pull; downloaded bytes are kept. No more of its messages are posted."""
        self._cancelled.set()

    def _work(self, source: Source, cancelled: threading.Event, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        try:
            ended = PullEnded(source, self._pull(source, cancelled))
        except _CancelledError:
            return
        except TimelensError as error:
            ended = PullEnded(source, error=error)
        except Exception as error:  # noqa: BLE001 -- top of the thread: the chat must go on
            ended = PullEnded(source, error=fault_of(error))
        self._post(ended, cancelled)

    def _pull(self, source: Source, cancelled: threading.Event) -> "PullRecord":
        from timelens.answer.models.download import pull
        from timelens.answer.models.incoming_file import Watcher

        reported = 0.0

        def check() -> None:
            if cancelled.is_set():
                raise _CancelledError

        def on_offer(offer: "Offer") -> None:
            check()
            refuse_much_larger(source, offer)
            self._post(PullAdvanced(source, offer.fetched, offer.size), cancelled)

        def on_progress(done: int, size: int) -> None:
            nonlocal reported
            check()
            now = time.monotonic()
            if done == size or now - reported > _BETWEEN_REPORTS_SECONDS:
                reported = now
                self._post(PullAdvanced(source, done, size), cancelled)

        def pause(seconds: float) -> None:
            cancelled.wait(seconds)
            check()

        check()
        watcher = Watcher(on_offer, on_progress)
        return pull(source.origin, source.target, model=source.model, watcher=watcher, pause=pause)

    def _post(self, message: Message, cancelled: threading.Event) -> None:
        if cancelled.is_set():
            return
        try:
            self._post_message(message)
        except RuntimeError:  # the app's loop closed between the check and the call
            _LOG.debug("nobody is there to read %r", message)
