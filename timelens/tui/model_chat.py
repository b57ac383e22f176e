"""The part of the chat about language models: lists, changes and pulls them while the chat goes on."""

import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from timelens import BadInputError, TimelensError
from timelens.answer.models import catalogue
from timelens.answer.models.catalogue import Source, source_of
from timelens.answer.models.inventory import choose_answerer, label_of
from timelens.printable import printable_line, shortened
from timelens.tui.exchange import Notice
from timelens.tui.models import (
    fetch_question,
    first_question,
    in_use,
    in_use_words,
    list_lines,
    settings_with,
    wanted_model,
)
from timelens.tui.offer import REPLIES, keep_reply, was_asked
from timelens.tui.puller import PullAdvanced, PullEnded, Puller
from timelens.tui.worker import ModelMeasured, ModelOpened

if TYPE_CHECKING:
    from timelens import Settings
    from timelens.answer.lm import Speed
    from timelens.tui.screen import ChatScreen

_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class _Change:
    """A change to another model, which is being opened."""

    settings: "Settings"
    cancelled: threading.Event


@dataclass(slots=True)
class _Pull:
    """A model that is being pulled."""

    source: Source
    notice: Notice
    done: int = 0
    size: int = 0
    wanted: bool = True
    """Whether to answer with it once it is pulled: true unless another model was chosen meanwhile."""

    @property
    def name(self) -> str:
        """Its name in the catalogue, else its file name."""
        return self.source.model.name if self.source.model else self.source.target.name

    @property
    def share(self) -> str:
        """The share that is downloaded, if the size is known."""
        return f" {self.done / self.size:.0%}" if self.size else ""

    @property
    def amount(self) -> str:
        """The amount that is downloaded, in megabytes."""
        return f"{self.done / 1e6:,.1f} of {self.size / 1e6:,.1f} MB" if self.size else "nothing yet"

    def say(self, text: str) -> None:
        """Replace the text of the notice."""
        self.notice.update(Content(printable_line(text)))


class ModelChat:
    """The part of the chat screen about models, which may write the answers."""

    def __init__(self, screen: "ChatScreen", settings: "Settings", *, offers: bool) -> None:
        """Start with the model of the settings.

        Args:
            screen: the chat screen.
            settings: settings of this machine, with the answerer in use.
            offers: whether to offer a first model once.
        """
        self.settings = settings
        self.offers = offers
        self._screen = screen
        self._open_offer: Source | None = None
        self._puller = Puller(screen.post_message)
        self._pull: _Pull | None = None
        self._change: _Change | None = None
        self._measured: set[Path] = set()

    # User actions

    async def choose(self, name: str) -> None:
        """List the models, or answer with the named one, which may have to be pulled first."""
        if not name:
            await self._screen.say("\n".join(list_lines(self.settings)))
            return
        self._open_offer = None
        wanted = wanted_model(name, self.settings)
        if not isinstance(wanted, Source):
            self._use(wanted)
        elif self._pull is not None:
            raise BadInputError(
                f"{self._pull.name} is being pulled", "wait until it ends, or stop it with Esc"
            )
        else:
            self._screen.meanwhile(partial(self._confirm_and_fetch, wanted))

    def cancel(self) -> None:
        """Cancel the change to another model, else stop a pull."""
        if self._change is not None:
            self._screen.worker.cancel_use(self._change.cancelled)
        elif self._pull is not None:
            self._puller.cancel()
            self._pull.say(
                f"Stopped pulling {self._pull.name}: {self._pull.amount} are here; "
                f"/model {self._pull.name} goes on."
            )
            self._pull = None
        self.show()

    def _use(self, settings: "Settings") -> None:
        if self._pull is not None:
            self._pull.wanted = False
        self._change = _Change(settings, self._screen.worker.use(settings))
        self.show()

    async def _confirm_and_fetch(self, source: Source) -> None:
        from timelens.tui.dialogs import ConfirmScreen

        question = fetch_question(source)
        if await self._screen.app.push_screen_wait(ConfirmScreen(question.text, question.details)):
            await self._fetch(source)

    async def _fetch(self, source: Source) -> None:
        self._pull = _Pull(source, Notice(""))
        self._pull.say(f"Pulling {self._pull.name} …")
        await self._screen.chat_log.add(self._pull.notice)
        self._puller.start(source)
        self.show()

    def stop(self) -> None:
        """Stop a pull; the downloaded part is kept for the next time."""
        self._puller.cancel()

    # The first offer of a model

    async def offer_once(self) -> None:
        """Offer a model, if the user was never asked."""
        if not self.offers:
            return
        self.offers = False
        if not was_asked() and keep_reply(catalogue.SUGGESTED, "none yet"):
            self._open_offer = source_of(catalogue.SUGGESTED, self.settings.llama.hub)
            await self._screen.say(first_question(self._open_offer))

    async def take_reply(self, line: str) -> bool:
        """Handle a reply to the offer; false if the line is not a reply. A question ends the offer."""
        offered = self._open_offer
        if offered is None:
            return False
        reply = REPLIES.get(line.casefold())
        if reply is None:
            if not line.startswith("/"):
                self._open_offer = None
            return False
        self._open_offer = None
        keep_reply(catalogue.SUGGESTED, reply)
        match reply:
            case "yes":
                await self._fetch(offered)
            case "later":
                await self._screen.say(
                    f"To pull it later: /model {catalogue.SUGGESTED}. /model lists the others."
                )
            case _:
                await self._screen.say("Answers come without a language model. To choose one: /model")
        return True

    # Messages of the threads

    async def model_opened(self, event: ModelOpened) -> None:
        """Answer with the new model from now on; or keep the old one, and say why."""
        if self._change is not None and self._change.settings is event.settings:
            self._change = None
        if event.error is not None:
            await self._screen.complain(event.error)
        elif not event.opened:
            await self._screen.say(f"Cancelled. {in_use_words(self.settings)}")
        else:
            self.settings = event.settings
            rules = self.settings.answerer == "extractive" and self.settings.parser == "llm"
            by_rules = " Questions are read by the rules only." if rules else ""
            await self._screen.say(in_use_words(self.settings) + by_rules)
            await self._keep_choice()
        self.show()

    async def _keep_choice(self) -> None:
        local = self.settings.answerer == "llama"
        try:
            choose_answerer(self.settings.answerer, self.settings.llama.model if local else None)
        except TimelensError as error:
            await self._screen.complain(error)

    async def model_measured(self, event: ModelMeasured) -> None:
        """Report the measured speed of a model on this machine, the first time."""
        from timelens.answer.llama import keep_speed, known_speed

        model = self.settings.llama.model
        if self.settings.answerer != "llama" or model is None or model in self._measured:
            return
        self._measured.add(model)
        if known_speed(model, self.settings.llama) is None:
            keep_speed(model, self.settings.llama, event.speed)
            await self._screen.say(_cost(model, event.speed))

    def pull_advanced(self, event: PullAdvanced) -> None:
        """Show the progress of a pull."""
        pull = self._pull
        if pull is None or pull.source is not event.source:
            return
        pull.done, pull.size = event.done, event.size
        if event.done < event.size:
            pull.say(f"Pulling {pull.name}: {pull.amount} ({pull.share.strip()}). Esc stops it.")
        else:
            pull.say(f"Checking {pull.name} …")
        self.show()

    async def pull_ended(self, event: PullEnded) -> None:
        """Answer with the pulled model, or report the error."""
        pull = self._pull
        if pull is None or pull.source is not event.source:
            return
        self._pull = None
        if event.error is not None:
            pull.say(f"{pull.name} was not pulled.")
            await self._screen.complain(event.error)
        elif event.record is not None:
            how = "" if pull.wanted else f" It answers after /model {pull.name}."
            pull.say(f"Pulled {pull.name}: {event.record.size / 1e6:,.1f} MB.{how}")
            if pull.wanted:
                self._use(settings_with(self.settings, "llama", pull.source.target))
        self.show()

    # Display

    def failed(self) -> None:
        """Forget the pending change of model, because the worker's job failed."""
        self._change = None
        self.show()

    def show(self) -> None:
        """Show in the status line which model writes answers, and which is being opened or pulled."""
        parts = []
        if self._change is not None:
            parts.append(
                (f"opening {_named(in_use(self._change.settings) or 'no model')} …", "$text-warning")
            )
        elif (name := in_use(self.settings)) is not None:
            parts.append((_named(name), ""))
        if self._pull is not None:
            parts.append((f"pulling {_named(self._pull.name)}{self._pull.share}", "$text-warning"))
        self._screen.model = tuple(parts)


def _named(name: str) -> str:
    return shortened(printable_line(name), _LONGEST_NAME)


def _cost(model: Path, speed: "Speed") -> str:
    return (
        f"{printable_line(label_of(model))} on this machine: {speed.words}. Measured by llama.cpp in this "
        f"answer, over {speed.read:,} tokens read and {speed.written:,} written."
    )
