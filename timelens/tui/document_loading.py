"""Documents of corpora, read on separate threads, so that a running answer does not delay them."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from timelens import Citation, TimelensError
from timelens.faults import fault_of
from timelens.tui.document_rows import Spot, clean, spots_of

if TYPE_CHECKING:
    from timelens import Chunk, StoredDocument
    from timelens.ingest.date_provenance import DateRead
    from timelens.temporal import Conventions

T = TypeVar("T")


class Shelf(Protocol):
    """The source of documents: :class:`timelens.corpus.Corpus`."""

    def document(self, document_id: str) -> "StoredDocument":
        """A document with all its chunks in order."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document, prepared for display."""

    stored: "StoredDocument"
    shown: "StoredDocument"
    """The document cleaned for display: :func:`timelens.tui.document_rows.clean`."""
    spots: Mapping[int, Spot]
    """Positions of pieces of evidence in the document, by number; pieces not found in it are omitted."""


class Fetcher:
    """Reads the documents of one corpus, and the dates in them."""

    def __init__(self, shelf: Callable[[], Shelf], conventions: "Conventions") -> None:
        """Prepare to read; nothing is read yet.

        Args:
            shelf: opens the corpus, on another thread.
            conventions: how dates are read.
        """
        self._shelf = shelf
        self._conventions = conventions

    async def page(self, document_id: str, citations: Sequence[Citation]) -> Page:
        """A document, and the positions of pieces of evidence in it.

        Raises:
            TimelensError: the document does not exist any more, or cannot be read.
        """

        def read() -> Page:
            stored = self._shelf().document(document_id)
            shown = clean(stored)
            return Page(stored, shown, spots_of(shown, citations))

        return await in_thread(read)

    async def dates(self, chunk: "Chunk") -> "tuple[DateRead, ...]":
        """The dates read in a chunk, with the positions of their words."""

        def read() -> "tuple[DateRead, ...]":
            from timelens.ingest.date_provenance import dates_read

            return dates_read(chunk, self._conventions)

        return await in_thread(read)


def in_thread(job: Callable[[], T]) -> "asyncio.Future[T]":
    """The result of a job on its own daemon thread, so that the program can exit before the job ends.

    The future raises :class:`timelens.errors.TimelensError` for any error of the job.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def end(result: T | None, error: TimelensError | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type] # it is a T if there is no error

    def work() -> None:
        result, failure = None, None
        try:
            result = job()
        except TimelensError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 -- top of the thread: the chat must go on
            failure = fault_of(error)
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(partial(end, result, failure))

    threading.Thread(target=work, name="timelens-document", daemon=True).start()
    return future
