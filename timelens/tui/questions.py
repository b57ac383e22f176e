"""The part of the chat screen about questions: their options, and the question being answered."""

import threading
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from timelens import BadInputError
from timelens.tui.exchange import Exchange, State
from timelens.tui.options import Options
from timelens.tui.worker import AgentReported, Ask

if TYPE_CHECKING:
    from timelens import Turn
    from timelens.tui.screen import ChatScreen

_MOST_EVIDENCE = 1000


@dataclass(frozen=True, slots=True)
class _Current:
    """The question that is being answered."""

    exchange: Exchange
    options: Options
    asked: datetime
    cancelled: threading.Event


class Questions:
    """Asks one question at a time."""

    def __init__(self, screen: "ChatScreen") -> None:
        self._screen = screen
        self._current: _Current | None = None

    # Commands

    async def set_strategy(self, name: str) -> None:
        """Set the strategy that finds evidence; without a name, list all."""
        from timelens import STRATEGIES
        from timelens.retrieval.strategies import strategy_named

        screen = self._screen
        names = f"{', '.join(STRATEGIES)}, each also with +rerank"
        if not name:
            now = screen.options.strategy
            await screen.say(f"The strategy is {now}. Strategies: {names}. Choose one with /strategy NAME.")
            return
        try:
            strategy_named(name)
        except BadInputError as error:
            if not error.hint.endswith(", ".join(STRATEGIES)):
                raise  # the fault is in what follows the name
            raise BadInputError(error.message, f"choose one of {names}") from error
        screen.options = replace(screen.options, strategy=name)
        await screen.say(f"Evidence is found with {name} from now on.")

    async def set_k(self, number: str) -> None:
        """Set the number of pieces of evidence; without an argument, the configured number."""
        screen = self._screen
        if number and not (number.isdecimal() and 1 <= int(number) <= _MOST_EVIDENCE):
            raise BadInputError(
                f"{number!r} is not a number from 1 to {_MOST_EVIDENCE:,}", "write a number, as in /k 20"
            )
        k = int(number) if number else None
        screen.options = replace(screen.options, k=k)
        found = screen.models.settings.k if k is None else k
        await screen.say(f"Pieces of evidence for each question from now on: {found:,}.")

    # The current question

    async def ask(
        self, question: str, *, strategy: str | None = None, instead_of: Exchange | None = None
    ) -> Exchange:
        """Ask with the options of the screen, as a follow-up to the turns before it or before ``instead_of``.

        Args:
            question: the question as it was typed.
            strategy: finds the evidence this once; by default that of the options.
            instead_of: an exchange whose question is asked again.
        """
        screen, options = self._screen, self._screen.options
        if strategy is not None:
            options = replace(options, strategy=strategy)
        after = self.turn_before(instead_of)
        exchange = screen.exchange(question)
        await screen.chat_log.add(exchange)
        ask = Ask(exchange.number, question, options.as_of, options.strategy, options.k, after)
        self._current = _Current(exchange, options, datetime.now(UTC), screen.worker.ask(ask))
        screen.activity = replace(screen.activity, answering=True)
        screen.evidence.asked()
        self._keep(self._current)
        return exchange

    def turn_before(self, exchange: Exchange | None) -> "Turn | None":
        """The turn that a question may refer to: the last answer before an exchange, or of all exchanges."""
        last = None
        for earlier in self._screen.query(Exchange):
            if earlier is exchange:
                break
            last = earlier.turn or last
        return last

    def cancel(self) -> None:
        """Stop answering; the partial answer stays and is saved."""
        if (current := self._current) is not None:
            self._screen.worker.cancel(current.cancelled)
            current.exchange.cancel()
            self._end(current)

    async def reported(self, event: AgentReported) -> None:
        """Show a step of the current question; steps of a cancelled question are ignored."""
        current = self._current
        if current is None or current.exchange.number != event.number:
            return
        exchange, screen = current.exchange, self._screen
        before = exchange.evidence
        exchange.take(event.event)
        if exchange.evidence is not before:
            if before is None:
                await screen.show_newest_evidence()
            elif screen.shown is exchange:
                await screen.show_evidence_of(exchange)
        if exchange.state is State.DONE:
            self._end(current)
            screen.call_after_refresh(screen.chat_log.settle, exchange)

    def failed(self, number: int, message: str, hint: str) -> None:
        """Show the failure of a question."""
        if (current := self._current) is not None and current.exchange.number == number:
            current.exchange.fail(message, hint)
            self._end(current)

    def _end(self, current: _Current) -> None:
        """Finish the current question, and save its result."""
        self._current = None
        self._screen.activity = replace(self._screen.activity, answering=False)
        self._keep(current)
        self._screen.say_whose()
        self._screen.call_later(self._screen.evidence.ended, current.exchange)

    def _keep(self, current: _Current) -> None:
        address = self._screen.corpora.address
        current.exchange.corpus, current.exchange.strategy = address, current.options.strategy
        self._screen.conversations.keep(current.exchange, address, current.options, current.asked)
