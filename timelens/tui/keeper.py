"""The history, on a thread of its own: everything in order, and nothing in the way of the screen."""

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
    """The conversation on the screen."""

    title: str | None = None
    """``None`` until something was asked in it."""
    id: int | None = None
    """Known once its first exchange is written; the thread of the history alone looks at it."""


class Keeper:
    """Keeps the conversation on the screen, and knows those before it.

    What its methods raise is what :class:`timelens.history.History` raises.
    """

    def __init__(self, file: Path) -> None:
        self._history = History(file)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="timelens-history")
        self._open = _Open()

    @property
    def title(self) -> str | None:
        """Of the conversation on the screen, if anything was asked in it."""
        return self._open.title

    def begin(self) -> None:
        """What is saved from now on is another conversation."""
        self._open = _Open()

    def save(self, exchange: KeptExchange) -> Awaitable[None]:
        """Write an exchange as it is asked, and again when it has ended, whether or not anybody waits."""
        opened = self._open
        opened.title = opened.title or title_of(exchange.question)

        def append() -> None:
            opened.id = self._history.append(opened.id, exchange)

        return self._do(append)

    async def questions(self) -> list[str]:
        """What was asked in earlier runs."""
        return await self._do(self._history.questions)

    async def delete_older(self, than: datetime) -> int:
        """Remove conversations without a question since a moment. Returns how many."""
        return await self._do(lambda: self._history.delete_older(than))

    async def conversations(self, words: str) -> list[Conversation]:
        """Those that hold all words, the newest first."""
        return await self._do(lambda: self._history.conversations(words))

    async def resume(self, conversation: Conversation) -> list[KeptExchange]:
        """What was said in a conversation; what is saved from now on goes into it."""
        exchanges = await self._do(lambda: self._history.exchanges(conversation.id))
        self._open = _Open(conversation.title, conversation.id)
        return exchanges

    async def exchanges(self) -> list[KeptExchange]:
        """What was said in the conversation on the screen."""
        return await self._of_open(self._history.exchanges)

    async def rename(self, title: str) -> None:
        """Give the conversation on the screen another title."""
        await self._of_open(lambda conversation: self._history.rename(conversation, title))
        self._open.title = title_of(title)

    async def delete(self) -> None:
        """Remove the conversation on the screen, and begin another."""
        await self._of_open(self._history.delete)
        self.begin()

    def close(self) -> None:
        """Wait for what is being written."""
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
