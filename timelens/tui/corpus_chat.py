"""The part of the chat screen about corpora: choosing the one to ask, and showing their content."""

from dataclasses import replace
from typing import TYPE_CHECKING

from timelens.folders import ALL_CORPORA
from timelens.temporal import Interval
from timelens.tui.worker import CorpusReady, CorpusToChoose, Failed, Library

if TYPE_CHECKING:
    from timelens.tui.corpora import CorporaScreen
    from timelens.tui.screen import ChatScreen


class CorpusChat:
    """Opens corpora and shows their content."""

    def __init__(self, screen: "ChatScreen", library: Library, wanted: str | None) -> None:
        """Start with a corpus.

        Args:
            screen: the chat screen.
            library: the corpora of this machine.
            wanted: the name or path of a corpus; ``None`` is the corpus that was asked last.
        """
        self.address = ""
        """The address that reopens the corpus later from any folder; empty until one is open."""
        self.names: tuple[str, ...] = ()
        """The known names of corpora."""
        self.span: Interval | None = None
        """The period that the open corpus covers."""
        self._screen = screen
        self._library = library
        self._wanted = wanted
        self._all: CorporaScreen | None = None
        """The screen of all corpora, while it is open."""

    def open_first(self) -> None:
        """Open the corpus that the chat was started with."""
        self._open(self._wanted)

    async def choose(self, name: str) -> None:
        """Ask another corpus from now on; without a name, it is chosen on the screen of all."""
        if name:
            self._open(name)
        else:
            await self.show_all("")

    def return_to(self, address: str) -> None:
        """Open the corpus of an earlier conversation, unless it is open; no other stays open."""
        if address not in {"", self.address}:
            self._screen.corpus, self.address, self.span = None, "", None
            self._screen.worker.close()
            self._open(address)

    async def show_all(self, _: str) -> None:
        """Show the corpora and their documents; the corpus that is chosen there is asked from then on."""
        from timelens.tui.corpora import CorporaScreen

        self._all = CorporaScreen(
            self._library.names,
            self._library.shown,
            asked=self.address or self._screen.activity.loading,
            today=self._screen.options.as_of,
            conventions=self._screen.models.settings.time.conventions,
        )
        self._screen.app.push_screen(self._all, self._shown_all)

    def _shown_all(self, chosen: str | None) -> None:
        self._all = None
        if chosen not in {None, self.address}:
            self._open(chosen)

    def _open(self, name: str | None) -> None:
        self._loading(name or "a corpus")
        self._screen.worker.open(name)

    def _loading(self, name: str) -> None:
        self._screen.activity = replace(self._screen.activity, loading=name)

    # Messages of the threads

    async def ready(self, event: CorpusReady) -> None:
        """Send questions to this corpus from now on."""
        self._screen.corpus, self.address, self.names = event.name, event.address, tuple(event.names)
        self.span = event.span
        self._loading("")
        others = [name for name in event.names if name != event.name and event.address != ALL_CORPORA]
        more = f"\nOther corpora: /corpus {' or '.join(others)}" if others else ""
        await self._screen.say(f"{event.name}: {event.description}.{more}")

    def none(self) -> None:
        """Offer the bundled corpora."""
        self._screen.corpus = None
        self._loading("")
        self._screen.ingests.offer_bundled()

    def to_choose(self, event: CorpusToChoose) -> None:
        """Ask which of several corpora to open; the first if the user does not choose."""
        from timelens.tui.dialogs import ChoiceScreen

        self.names = tuple(event.names)
        self._loading("")
        question = "Which corpus do you want to ask? The chat will open it again next time."
        names = {name: name for name in event.names}
        screen = ChoiceScreen(question, {**names, ALL_CORPORA: "all of them"})
        self._screen.app.push_screen(screen, lambda name: self._open(name or event.names[0]))

    def renew(self, name: str) -> None:
        """Refresh the screen of all corpora, if it is open, after a corpus changed."""
        if self._all is not None:
            self._all.renew(name)

    async def made(self, name: str) -> None:
        """Documents were added to a corpus: open it if no corpus is open, else say how to ask it."""
        if self._screen.corpus is None:
            self._open(name)
        elif name != self.address:
            self.names = tuple(sorted({*self.names, name}))
            await self._screen.say(f"To ask it: /corpus {name}")

    async def failed(self, event: Failed) -> None:
        """Say why a corpus could not be opened."""
        self._loading("")
        await self._screen.say(f"{event.message} – {event.hint}", error=True)
