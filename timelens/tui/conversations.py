"""The part of the chat screen about conversations: saving, resuming, renaming, deleting, exporting."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from timelens import BadInputError, TimelensError
from timelens.temporal import day_number
from timelens.tui import wording
from timelens.tui.exchange import Exchange
from timelens.tui.history_thread import HistoryThread
from timelens.tui.options import Options

if TYPE_CHECKING:
    from timelens.history import Conversation, KeptExchange
    from timelens.tui.screen import ChatScreen

_AT_ONCE = 20
"""Number of earlier questions that are added to the screen at a time."""


class Conversations:
    """The current conversation, and the history of earlier conversations."""

    def __init__(self, screen: "ChatScreen", history: Path, keep_days: int | None) -> None:
        self._screen = screen
        self._keep_days = keep_days
        self._keeper = HistoryThread(history)
        self._keeps = True
        self._earlier: list[KeptExchange] = []
        """Questions of this conversation that are not on the screen yet; they precede those on the screen."""

    # Commands

    async def show_list(self, _: str) -> None:
        """Show the list of conversations; the chosen one is resumed."""
        from timelens.tui.dialogs import HistoryScreen

        self._screen.app.push_screen(HistoryScreen(self._keeper), self._chosen)

    async def begin(self, _: str) -> None:
        """Start a new conversation."""
        self._keeper.begin()
        self._screen.conversation = self.title
        self._earlier = []
        await self._screen.clear()
        await self._screen.say("A new conversation.")

    async def rename(self, title: str) -> None:
        """Rename the conversation."""
        self._screen.meanwhile(partial(self._rename, title))

    async def delete(self, _: str) -> None:
        """Delete the conversation after asking for confirmation."""
        self._screen.meanwhile(self._delete)

    async def export(self, file: str) -> None:
        """Write the conversation to a file."""
        self._screen.meanwhile(partial(self._export, file))

    async def _rename(self, title: str) -> None:
        await self._keeper.rename(title)
        await self._screen.say(f"This conversation is now called {self._keeper.title}.")

    async def _delete(self) -> None:
        from timelens.tui.dialogs import ConfirmScreen

        title = self._keeper.title
        if title is None:
            raise BadInputError("there is nothing to delete yet", "see /history for other conversations")
        if await self._screen.app.push_screen_wait(
            ConfirmScreen(f"Delete this conversation: {title.rstrip('?')}?")
        ):
            await self._keeper.delete()
            self._earlier = []
            await self._screen.clear()
            await self._screen.say(f"Deleted: {title}")

    async def _export(self, file: str) -> None:
        from timelens.tui.export import exported, write_new

        exchanges = await self._keeper.exchanges()
        title, suffix = self.title, PurePath(file).suffix
        path = await asyncio.to_thread(lambda: write_new(file, exported(title, exchanges, suffix)))
        await self._screen.say(f"Written: {path}")

    # The history

    @property
    def title(self) -> str:
        """The title of the current conversation; empty until a question was asked."""
        return self._keeper.title or ""

    def keep(self, exchange: Exchange, corpus: str, options: Options, asked: datetime) -> None:
        """Save a question to the history, with its result so far."""
        kept = exchange.kept(corpus=corpus, as_of=options.as_of, strategy=options.strategy, asked=asked)
        saved = self._keeper.save(kept)
        self._screen.conversation = self.title
        self._watch(lambda: saved)

    def recall(self) -> None:
        """Delete conversations that are too old, and give the prompt the questions of earlier runs."""
        if self._keep_days is not None:
            self._watch(partial(self._delete_older, self._keep_days))
        self._watch(self._recall)

    def close(self) -> None:
        """Wait for pending writes."""
        self._keeper.close()

    async def _delete_older(self, days: int) -> None:
        if count := await self._keeper.delete_older(datetime.now(UTC) - timedelta(days=days)):
            await self._screen.say(wording.deleted_line(count, days))

    async def _recall(self) -> None:
        self._screen.prompt.recall(await self._keeper.questions())

    def _watch(self, use: Callable[[], Awaitable[None]]) -> None:
        """Run a use of the history; report once if the history fails, and go on without it."""

        async def to_its_end() -> None:
            try:
                await use()
            except TimelensError as error:
                if self._keeps:
                    said = f"The history is off: {error.message} – {error.hint}"
                    await self._screen.say(said, error=True)
                self._keeps = False
            else:
                self._keeps = True

        self._screen.meanwhile(to_its_end)

    async def show_earlier(self) -> bool:
        """Add earlier questions of this conversation above those on the screen.

        Returns whether there were any.
        """
        if shown := self._earlier[-_AT_ONCE:]:
            self._earlier = self._earlier[:-_AT_ONCE]
            exchanges = [self._screen.exchange(kept.question, kept) for kept in shown]
            await self._screen.chat_log.add_above(exchanges, left=len(self._earlier))
        return bool(shown)

    def _chosen(self, conversation: "Conversation | None") -> None:
        if conversation is not None:
            self._screen.meanwhile(partial(self._resume, conversation))

    async def _resume(self, conversation: "Conversation") -> None:
        """Show an earlier conversation, and continue it in its corpus."""
        exchanges = await self._keeper.resume(conversation)
        await self._screen.clear()
        self._earlier = exchanges
        await self.show_earlier()
        await self._screen.show_newest_evidence()
        last = exchanges[-1]
        asked = last.asked.astimezone()
        await self._screen.as_of.return_to(last.as_of, day_number(asked.year, asked.month, asked.day))
        self._screen.corpora.return_to(last.corpus)
