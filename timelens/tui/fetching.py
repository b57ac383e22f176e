"""Documents of corpora, read on threads of their own, so that no answer that is written holds them up."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from timelens import Citation, TimelensError
from timelens.faults import fault_of
from timelens.tui.pages import Spot, clean, spots_of

if TYPE_CHECKING:
    from timelens import Chunk, StoredDocument
    from timelens.ingest.dates_read import DateRead
    from timelens.temporal import Conventions

T = TypeVar("T")


class Shelf(Protocol):
    """What can be asked for a document: :class:`timelens.api.Corpus`."""

    def document(self, document_id: str) -> "StoredDocument":
        """A document with all its chunks in order."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document with what is shown of it."""

    stored: "StoredDocument"
    shown: "StoredDocument"
    """Safe to show: :func:`timelens.tui.pages.clean`."""
    spots: Mapping[int, Spot]
    """Where pieces of evidence stand in it, by their numbers; of those that are in it."""


class Fetcher:
    """Reads the documents of one corpus, and the dates in them."""

    def __init__(self, shelf: Callable[[], Shelf], conventions: "Conventions") -> None:
        """Read nothing yet.

        Args:
            shelf: opens the corpus, on another thread.
            conventions: how dates are read.
        """
        self._shelf = shelf
        self._conventions = conventions

    async def page(self, document_id: str, citations: Sequence[Citation]) -> Page:
        """A document, and where pieces of evidence stand in it.

        Raises:
            TimelensError: it is not there any more, or cannot be read.
        """

        def read() -> Page:
            stored = self._shelf().document(document_id)
            shown = clean(stored)
            return Page(stored, shown, spots_of(shown, citations))

        return await in_thread(read)

    async def dates(self, chunk: "Chunk") -> "tuple[DateRead, ...]":
        """Which words of a chunk were read as which days."""

        def read() -> "tuple[DateRead, ...]":
            from timelens.ingest.dates_read import dates_read

            return dates_read(chunk, self._conventions)

        return await in_thread(read)


def in_thread(job: Callable[[], T]) -> "asyncio.Future[T]":
    """The result of a job that runs in a daemon thread of its own: the program need not wait for it to end.

    The future raises :class:`timelens.errors.TimelensError` for whatever the job raises.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def end(result: T | None, error: TimelensError | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type] # it is a T where there is no error

    def work() -> None:
        result, failure = None, None
        try:
            result = job()
        except TimelensError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 -- the thread's edge: the chat lives on
            failure = fault_of(error)
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(partial(end, result, failure))

    threading.Thread(target=work, name="timelens-document", daemon=True).start()
    return future
