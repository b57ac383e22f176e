"""The part of the chat screen that is about corpora: which one is asked, and the first one."""

from dataclasses import replace
from typing import TYPE_CHECKING

from timelens.temporal.interval import Interval
from timelens.tui.worker import CorpusReady, Failed, IngestAdvanced, IngestEnded

if TYPE_CHECKING:
    from timelens.tui.first_run import FirstRunScreen
    from timelens.tui.screen import ChatScreen


class CorpusChat:
    """Opens corpora and brings in the first one."""

    def __init__(self, screen: "ChatScreen", wanted: str | None) -> None:
        """Begin with a corpus: its name or path; ``None`` is the first there is."""
        self.address = ""
        """What opens the corpus another day, from any folder; empty until one is open."""
        self.names: tuple[str, ...] = ()
        """Of all corpora, as far as they are known."""
        self.span: Interval | None = None
        """What the open corpus speaks of."""
        self._screen = screen
        self._wanted = wanted
        self._first_run: FirstRunScreen | None = None
        """The screen that offers a first corpus, while it is there."""

    def open_first(self) -> None:
        """Open the corpus that the chat was started with."""
        self._open(self._wanted)

    async def choose(self, name: str) -> None:
        """Ask another corpus from now on."""
        self._open(name)

    def return_to(self, address: str) -> None:
        """Open the corpus of an earlier conversation, unless it is open."""
        if address not in {"", self.address}:
            self._open(address)

    def _open(self, name: str | None) -> None:
        self._loading(name or "a corpus")
        self._screen.worker.open(name)

    def _loading(self, name: str) -> None:
        self._screen.activity = replace(self._screen.activity, loading=name)

    # What the worker posts

    async def ready(self, event: CorpusReady) -> None:
        """Questions go to this corpus now."""
        self._screen.corpus, self.address, self.names = event.name, event.address, tuple(event.names)
        self.span = event.span
        self._loading("")
        others = [name for name in event.names if name != event.name]
        more = f"\nOther corpora: /corpus {' or '.join(others)}" if others else ""
        await self._screen.say(f"{event.name}: {event.description}.{more}")

    def none(self) -> None:
        """Offer the bundled ones."""
        from timelens.tui.first_run import FirstRunScreen, bundled_corpora

        self._screen.corpus = None
        self._loading("")
        self._first_run = FirstRunScreen(self._screen.worker, bundled_corpora())
        self._screen.app.push_screen(self._first_run, self._offered)

    async def _offered(self, chosen: str | None) -> None:
        from timelens.tui.first_run import bundled_corpora

        self._first_run = None
        if chosen is None:
            again = "".join(
                f" /corpus {name} brings the choice back." for name in list(bundled_corpora())[:1]
            )
            said = f"There is no corpus yet: timelens ingest FOLDER --corpus NAME makes one.{again}"
            await self._screen.say(said)

    def ingest_advanced(self, event: IngestAdvanced) -> None:
        """Pass it on to the screen that waits for it."""
        if self._first_run is not None:
            self._first_run.advance(event.progress)

    async def ingest_ended(self, event: IngestEnded) -> None:
        """Open the new corpus."""
        if not event.complete:
            await self._screen.say(f"Reading {event.name} was cancelled.")
            return
        if self._first_run is not None and self._first_run.is_current:
            self._first_run.dismiss(event.name)
        self._open(event.name)

    async def failed(self, event: Failed) -> None:
        """Say why a corpus could not be opened or made."""
        if self._first_run is not None:
            self._first_run.fail(event.message, event.hint)
            return
        self._loading("")
        await self._screen.say(f"{event.message} – {event.hint}", error=True)
