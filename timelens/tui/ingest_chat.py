"""The part of the chat screen that ingests documents while questions are answered."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from timelens import BadInputError
from timelens.folders import ALL_CORPORA, home, write_atomically
from timelens.printable import printable, printable_line
from timelens.tui.dropped import typed_paths
from timelens.tui.exchange import Notice
from timelens.tui.ingest_wording import failures_text, progress_words, report_lines
from timelens.tui.ingester import Bringer, IngestAdvanced, IngestEnded, Ingester
from timelens.tui.waiting import typed

if TYPE_CHECKING:
    from textual.events import Event

    from timelens import IngestReport
    from timelens.tui.dialogs import ConfirmScreen
    from timelens.tui.first_run import FirstRunScreen
    from timelens.tui.screen import ChatScreen

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A run that is shown in the log."""

    name: str
    notice: Notice

    def say(self, text: str) -> None:
        """Replace the text of the notice."""
        self.notice.update(Content(printable(text)))


class IngestChat:
    """Asks what to ingest into which corpus, and shows the progress."""

    def __init__(self, screen: "ChatScreen", bringer: Bringer) -> None:
        self._screen = screen
        self._ingester = Ingester(screen.post_message, bringer)
        self._shown: _Shown | None = None
        self._first_run: FirstRunScreen | None = None
        """The screen that offers a first corpus, while it is open."""
        self._question: ConfirmScreen | None = None
        """The last question whether to stop a run."""

    @property
    def is_busy(self) -> bool:
        """Whether an ingest is running or ending."""
        return self._ingester.is_busy

    @property
    def is_stopping(self) -> bool:
        """Whether an ingest that was stopped still writes what it has read."""
        return self._ingester.is_cancelled

    # User actions

    async def begin(self, argument: str) -> None:
        """Ingest the named files and folders; without an argument the user chooses them."""
        self._require_idle()
        paths = typed_paths(argument) if argument else None
        self._screen.meanwhile(partial(self._ask_and_start, paths))

    def offer(self, paths: Sequence[Path], text: str) -> None:
        """Offer to ingest paths dropped into the terminal; if declined, their text goes into the prompt."""
        if self._ingester.running is not None:
            self._screen.prompt.insert(printable(text).strip())
        else:
            self._screen.meanwhile(partial(self._ask_and_start, paths, otherwise=text))

    def offer_bundled(self) -> None:
        """Offer the bundled corpora, if there is no corpus."""
        from timelens.tui.first_run import FirstRunScreen, bundled_corpora

        self._first_run = FirstRunScreen(self._ingester, bundled_corpora())
        self._screen.app.push_screen(self._first_run, self._offered)

    def holds(self, event: "Event") -> bool:
        """Whether input is held back, because the first corpus is being read."""
        return self._first_run is not None and self._first_run.hold(event)

    def ask_to_cancel(self) -> bool:
        """Ask whether to stop the run; false if nothing is running."""
        if self._shown is None or self._ingester.running is None or self._ingester.is_cancelled:
            return False
        self._screen.meanwhile(partial(self._ask_and_cancel, self._shown))
        return True

    def stop(self) -> None:
        """Stop the run, because the chat is being closed."""
        self._ingester.stop()

    def _require_idle(self) -> None:
        if (name := self._ingester.running) is not None:
            stopping = self._ingester.is_cancelled
            raise BadInputError(
                f"documents are being read into {name}",
                "it is stopping; wait a moment" if stopping else "wait until it ends, or stop it with Esc",
            )

    async def _ask_and_cancel(self, shown: _Shown) -> None:
        from timelens.tui.dialogs import ConfirmScreen

        if self._shown is not shown:
            return
        question = ConfirmScreen(
            f"Stop reading into {shown.name}?", ["What is stored stays; /ingest goes on with the rest."]
        )
        self._question = question
        if await self._screen.app.push_screen_wait(question) and self._shown is shown:
            self._ingester.cancel()
            shown.say(f"Stopping, once the current documents are written into {shown.name} …")

    async def _ask_and_start(self, paths: Sequence[Path] | None, *, otherwise: str = "") -> None:
        if paths is None:
            from timelens.tui.picker import PathPicker

            chosen = await self._screen.app.push_screen_wait(PathPicker(Path.cwd()))
            paths = () if chosen is None else (chosen,)
        name = await self._name_for(paths) if paths else None
        if name is None:
            self._screen.prompt.insert(printable(otherwise).strip())
            return
        self._require_idle()
        self._shown = _Shown(name, Notice(""))
        self._shown.say(f"Preparing to read into {name} …")
        await self._screen.chat_log.add(self._shown.notice)
        self._tell(name)
        self._ingester.start(name, paths)

    async def _name_for(self, paths: Sequence[Path]) -> str | None:
        from timelens.tui.ingest_dialog import IngestScreen

        corpora = self._screen.corpora
        present = None if corpora.address == ALL_CORPORA else corpora.address
        return await self._screen.app.push_screen_wait(IngestScreen(paths, present, corpora.names))

    async def _offered(self, chosen: str | None) -> None:
        from timelens.tui.first_run import bundled_corpora

        held = self._first_run.held if self._first_run is not None else []
        self._first_run = None
        if chosen is not None:
            for event in held:
                self._screen.app.post_message(event)
        elif held:
            self._screen.prompt.value = typed(held)
        if chosen is None:
            again = "".join(
                f" To see the bundled ones: /corpus {name}" for name in list(bundled_corpora())[:1]
            )
            await self._screen.say(f"There is no corpus yet: /ingest makes one.{again}")

    # Messages of the thread

    def advanced(self, event: IngestAdvanced) -> None:
        """Show the progress."""
        if self._first_run is not None:
            self._first_run.advance(event.progress)
        elif self._shown is not None and not self._ingester.is_cancelled:
            words = progress_words(event.progress, event.seconds)
            self._shown.say(f"Reading into {event.name}: {words}. Esc stops it.")
            share = event.progress.bytes_done / event.progress.bytes if event.progress.bytes else 1.0
            self._tell(f"{event.name} {share:.0%}")

    async def ended(self, event: IngestEnded) -> None:
        """Report the result; open the corpus if none is open."""
        shown, self._shown = self._shown, None
        self._tell("")
        self._screen.corpora.renew(event.name)  # a stopped or failed run may have stored documents too
        if self._question is not None:
            self._question.end(False)  # noqa: FBT003 -- the answer is no
        if event.error is not None:
            await self._failed(event, shown)
        elif event.report is None:
            said = f"Stopped reading into {event.name}; what is stored stays."
            await self._say(shown, said)
        elif self._first_run is not None:
            self._first_run.end(event.name)
        else:
            await self._say(shown, "\n".join(await self._told(event.report)))
        if event.report is not None:
            await self._screen.corpora.made(event.name)

    async def _failed(self, event: IngestEnded, shown: _Shown | None) -> None:
        if event.error is None:
            return
        if self._first_run is not None:
            self._first_run.fail(event.error.message, event.error.hint)
            return
        await self._say(shown, f"Nothing more was read into {event.name}.")
        await self._screen.complain(event.error)

    async def _told(self, report: "IngestReport") -> list[str]:
        where = await asyncio.to_thread(_kept, report) if report.failures else None
        return report_lines(report, where)

    async def _say(self, shown: _Shown | None, text: str) -> None:
        """Add the result at the end of the log, and remove the progress notice."""
        if shown is not None:
            await shown.notice.remove()
        await self._screen.say(text)

    def _tell(self, what: str) -> None:
        """Show in the status line what is being read."""
        self._screen.activity = replace(self._screen.activity, reading=printable_line(what))


def _kept(report: "IngestReport") -> str | None:
    """The file with the list of all failures of a run; ``None`` if it cannot be written."""
    path = home() / "log" / "ingest.log"
    try:
        write_atomically(path, failures_text(report.failures))
    except OSError as error:
        _log.warning("%s cannot be written: %s", path, error)
        return None
    return str(path)
