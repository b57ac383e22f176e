"""The history on its own thread, which runs its jobs in order and does not block the screen."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from timelens import BadInputError
from timelens.history import Conversation, History, KeptExchange, title_of

T = TypeVar("T")


@dataclass(slots=True)
class _Open:
    """The current conversation."""

    title: str | None = None
    """``None`` until a question was asked in it."""
    id: int | None = None
    """Set when its first exchange is written; only the history thread reads it."""


class HistoryThread:
    """Saves the current conversation, and reads earlier ones.

    Its methods raise the errors of :class:`timelens.history.History`.
    """

    def __init__(self, file: Path) -> None:
        self._history = History(file)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="timelens-history")
        self._open = _Open()

    @property
    def title(self) -> str | None:
        """The title of the current conversation, if a question was asked in it."""
        return self._open.title

    def begin(self) -> None:
        """Start another conversation; later saves go into it."""
        self._open = _Open()

    def save(self, exchange: KeptExchange) -> Awaitable[None]:
        """Write an exchange when it is asked and again when it has ended, even if the result is unused."""
        opened = self._open
        opened.title = opened.title or title_of(exchange.question)

        def append() -> None:
            opened.id = self._history.append(opened.id, exchange)

        return self._do(append)

    async def questions(self) -> list[str]:
        """The questions of earlier runs."""
        return await self._do(self._history.questions)

    async def delete_older(self, than: datetime) -> int:
        """Delete conversations without a question since the given moment. Returns how many."""
        return await self._do(lambda: self._history.delete_older(than))

    async def conversations(self, words: str) -> list[Conversation]:
        """The conversations that contain all words, newest first."""
        return await self._do(lambda: self._history.conversations(words))

    async def resume(self, conversation: Conversation) -> list[KeptExchange]:
        """The exchanges of a conversation, which becomes the current one; later saves go into it."""
        exchanges = await self._do(lambda: self._history.exchanges(conversation.id))
        self._open = _Open(conversation.title, conversation.id)
        return exchanges

    async def exchanges(self) -> list[KeptExchange]:
        """The exchanges of the current conversation."""
        return await self._of_open(self._history.exchanges)

    async def rename(self, title: str) -> None:
        """Rename the current conversation."""
        await self._of_open(lambda conversation: self._history.rename(conversation, title))
        self._open.title = title_of(title)

    async def delete(self) -> None:
        """Delete the current conversation, and start another."""
        await self._of_open(self._history.delete)
        self.begin()

    def close(self) -> None:
        """Wait for pending writes."""
        self._thread.shutdown()

    async def _of_open(self, job: Callable[[int], T]) -> T:
        opened = self._open
        if opened.title is None:
            raise BadInputError("no question was asked in this conversation yet", "ask a question first")

        def on_thread() -> T:
            if opened.id is None:
                raise BadInputError(
                    "this conversation could not be saved", "see the message about the history"
                )
            return job(opened.id)

        return await self._do(on_thread)

    def _do(self, job: Callable[[], T]) -> "asyncio.Future[T]":
        return asyncio.shield(asyncio.wrap_future(self._thread.submit(job)))
