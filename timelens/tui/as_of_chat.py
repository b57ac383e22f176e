"""The part of the chat screen about the reference day ("today"): setting, moving and comparing it."""

import asyncio
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from timelens import BadInputError
from timelens.answer.rendering.shown_evidence import asked_of
from timelens.temporal import Day, phrase_day
from timelens.tui.as_of_input import days_asked
from timelens.tui.exchange import Exchange
from timelens.tui.live_times import Times
from timelens.tui.worker import AgentReported, Ask

if TYPE_CHECKING:
    from timelens import AgentEvent
    from timelens.tui.screen import ChatScreen
    from timelens.tui.scrubber import Scrubber
    from timelens.tui.two_days import TwoDaysScreen


@dataclass(slots=True)
class _Trial:
    """A trial question, which is not part of the conversation."""

    number: int
    place: int
    """When two days are compared side by side, 0 for the left and 1 for the right."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    events: "list[AgentEvent]" = field(default_factory=list)


class AsOfChat:
    """Sets the reference day, and shows what another day would change. Trials are asked without a model."""

    def __init__(self, screen: "ChatScreen", today: Day) -> None:
        """``today`` is the day that /asof without an argument goes back to."""
        self.today = today
        self._screen = screen
        self._trials: dict[int, _Trial] = {}
        """Trials that may still report, by number. Trial numbers are negative, those of questions are not."""
        self._numbered = 0
        self._scrubber: Scrubber | None = None
        self._question: Exchange | None = None
        """The question whose evidence follows the slider."""
        self._shown: Exchange | None = None
        """The exchange that is shown in its place."""
        self._side_by_side: TwoDaysScreen | None = None

    def times_of(self, text: str) -> Times:
        """The times of a question that is being typed; called in a thread."""
        from timelens import parse
        from timelens.question.time_mentions import mentions

        parsed = parse(text, self._screen.options.as_of, self._screen.models.settings.time.conventions)
        return Times(mentions(parsed), asked_of(parsed.periods))

    # /asof

    async def choose(self, argument: str) -> None:
        """Set the reference day: to today without an argument; two days are compared instead."""
        conventions = self._screen.models.settings.time.conventions
        # a month in Polish is looked up in all languages, which may take seconds
        days = await asyncio.to_thread(days_asked, argument, self.today, conventions)
        if len(days) == 2:
            await self._compare(days[0], days[1])
            return
        await self._set(days[0] if days else self.today)

    async def return_to(self, day: Day, asked: Day) -> None:
        """Take the day of an earlier question; today, if that was the day it was asked on."""
        day = self.today if day == asked else day
        if day != self._screen.options.as_of:
            await self._set(day)

    async def _set(self, day: Day) -> None:
        self._screen.options = replace(self._screen.options, as_of=day)
        await self._screen.say(f"Questions are asked as of {phrase_day(day)}.")

    # Two days

    async def _compare(self, one: Day, other: Day) -> None:
        from timelens.tui.two_days import TwoDaysScreen

        question = self._asked("compare two days for")
        self._side_by_side = TwoDaysScreen(question.question, (one, other))
        await self._screen.app.push_screen(self._side_by_side, self._compared)
        for place, day in enumerate((one, other)):
            self._try(question, day, place)

    def _compared(self, _: None) -> None:
        self._side_by_side = None
        self._cancel()

    # The slider

    async def scrub(self, _: str) -> None:
        """Show or hide the slider."""
        if self._scrubber is not None:
            await self.leave()
            return
        from timelens.tui.scrubber import Scrubber

        self._question = self._shown = self._asked("move the day of")
        day, span = self._screen.options.as_of, self._screen.corpora.span
        first = self.today if span is None or span.start is None else span.start
        last = self.today if span is None or span.end is None else span.end - 1
        self._scrubber = Scrubber(min(first, last), last, day)
        await self._screen.query_one("#chat").mount(self._scrubber, before="#prompt")
        self._scrubber.focus()

    def moved(self, day: Day) -> None:
        """Ask the question as of the slider's day; earlier trials are cancelled."""
        self._cancel()
        if self._question is not None:
            self._try(self._question, day)

    async def ask(self, day: Day) -> None:
        """Set the reference day, and ask the question again as part of the conversation."""
        question = self._question
        await self.leave()
        if question is not None:
            self._screen.options = replace(self._screen.options, as_of=day)
            await self._screen.questions.ask(question.question, instead_of=question)

    @property
    def slides(self) -> bool:
        """Whether the slider is shown."""
        return self._scrubber is not None

    async def leave(self) -> None:
        """Remove the slider, and show the original exchange again."""
        self._cancel()
        if self._scrubber is None:
            return
        scrubber, self._scrubber = self._scrubber, None
        await scrubber.remove()
        if self._question is not None:
            await self._put(self._question, self._question)
        self._question = self._shown = None
        self._screen.prompt.focus()

    # Messages of the worker

    async def reported(self, event: AgentReported) -> bool:
        """Handle a step of a trial; false if the step belongs to a question."""
        if event.number >= 0:
            return False
        trial = self._trials.get(event.number)
        if trial is not None:
            trial.events.append(event.event)
            await self._take(trial)
        return True

    def failed(self, number: int, message: str, hint: str) -> bool:
        """Report the failure of a trial; false if the number is that of a question."""
        if number >= 0:
            return False
        trial = self._trials.pop(number, None)
        if trial is not None and self._side_by_side is not None:
            self._side_by_side.fail(trial.place, f"{message} – {hint}")
        elif trial is not None:
            self._screen.notify(f"{message} – {hint}", severity="error", markup=False)
        return True

    async def _take(self, trial: _Trial) -> None:
        from timelens import Answered

        if not isinstance(trial.events[-1], Answered):
            return
        del self._trials[trial.number]
        if self._side_by_side is not None:
            self._side_by_side.take(trial.place, trial.events)
        elif self._scrubber is not None and self._question is not None:
            steps = self._screen.steps_shown
            shown = Exchange(trial.number, self._question.question, show_steps=steps)
            shown.add_class("trial")
            with self._screen.app.batch_update():
                await self._screen.chat_log.mount(shown, after=self._question)
                for happened in trial.events:
                    shown.take(happened)
                await self._put(self._question, shown)

    async def _put(self, question: Exchange, shown: Exchange) -> None:
        """Show an exchange in place of the question, with its evidence in the panels."""
        before, self._shown = self._shown, shown
        question.display = shown is question
        if before is not None and before not in (shown, question):
            await before.remove()
        await self._screen.show_evidence_of(shown)

    def _try(self, question: Exchange, day: Day, place: int = 0) -> None:
        self._numbered -= 1
        trial = _Trial(self._numbered, place)
        self._trials[trial.number] = trial
        options = self._screen.options
        ask = Ask(
            trial.number,
            question.question,
            day,
            options.strategy,
            options.k,
            self._screen.questions.turn_before(question),
            by_evidence=True,
        )
        trial.cancelled = self._screen.worker.ask(ask)

    def _cancel(self) -> None:
        for trial in self._trials.values():
            trial.cancelled.set()
        self._trials.clear()

    def _asked(self, purpose: str) -> Exchange:
        """The question whose evidence is shown, or else the last question.

        Raises:
            BadInputError: no question was asked yet.
        """
        exchanges = list(self._screen.query(Exchange))
        shown = self._screen.shown or (exchanges[-1] if exchanges else None)
        if shown is None:
            raise BadInputError(f"there is no question to {purpose}", "ask a question first")
        return shown
