"""The part of the chat screen about finished answers: copy or open their evidence, ask again."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from timelens import BadInputError, Hit, Scores, TimelensError
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import make_timeline
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.exchange import Exchange, State

if TYPE_CHECKING:
    from timelens import Chunk, Citation
    from timelens.temporal import Conventions
    from timelens.tui.document_loading import Shelf
    from timelens.tui.screen import ChatScreen

_NOTHING = "ask a question first"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A question that is asked again, to be compared with the earlier answer."""

    before: Exchange
    after: Exchange


class EvidenceChat:
    """Opens and copies evidence, steps through the answers, and asks again.

    Commands on evidence use the evidence in the panels. All others use one answer: the one that was stepped
    to or whose citation was clicked, else the newest.
    """

    def __init__(
        self, screen: "ChatScreen", shelf: "Callable[[str], Shelf]", conventions: "Conventions"
    ) -> None:
        """Start without answers.

        Args:
            screen: the chat.
            shelf: opens a corpus by its address, on another thread.
            conventions: how dates are read.
        """
        self._screen = screen
        self._shelf = shelf
        self._conventions = conventions
        self._chosen: Exchange | None = None
        self._comparison: _Comparison | None = None

    # Commands

    async def open(self, number: str) -> None:
        """Show the document of a piece of evidence; without a number, of the selected piece or the first."""
        exchange, first = self._shown()
        chosen = self._numbered(number) if number else self._selected()
        self._open(exchange, (chosen or first).number)

    async def copy(self, number: str) -> None:
        """Copy a piece of evidence by its number, or the piece selected in the focused panel.

        Otherwise copy the answer with its sources.
        """
        from timelens.tui.copying import copied_answer, copied_evidence, copy

        chosen = self._numbered(number) if number else self._selected() if self._is_in_panels else None
        if chosen is not None:
            text = copied_evidence(chosen)
        else:
            exchange = self._exchange()
            text = copied_answer(exchange.question, exchange.text, exchange.evidence)
        await copy(self._screen.app, text)

    async def again(self, _: str) -> None:
        """Ask the question of the answer again, with the current options."""
        await self._ask_again(self._exchange(), None)

    async def edit(self, _: str) -> None:
        """Put the question of the answer back into the prompt."""
        # the prompt is cleared after a command has run, so this must come later
        self._screen.call_later(self._put_back, self._exchange().question)

    def _put_back(self, question: str) -> None:
        prompt = self._screen.prompt
        if draft := prompt.value.strip():
            prompt.remember(draft)
        prompt.value = question
        prompt.focus()

    async def compare(self, strategy: str) -> None:
        """Ask the question again with another strategy; without a name, it is chosen from a list."""
        from timelens import STRATEGIES
        from timelens.retrieval.strategies import strategy_named

        exchange = self._exchange()
        if strategy:
            strategy_named(strategy)
            self._comparison = None
            self._comparison = _Comparison(exchange, await self._ask_again(exchange, strategy))
            return
        choices = [
            (name, partial(self._screen.meanwhile, partial(self.compare, name)))
            for name in STRATEGIES
            if name != exchange.strategy
        ]
        self._screen.app.search_commands(choices, placeholder="Ask again with another strategy")

    # Keys

    async def walk(self, steps: int) -> None:
        """Show the evidence of the previous or the next answer."""
        answers = self._answers
        shown = self._screen.shown
        position = answers.index(shown) + steps if shown in answers else len(answers) - 1
        if position < 0 and await self._screen.conversations.show_earlier():
            position += len(self._answers) - len(answers)
            answers = self._answers
        if 0 <= position < len(answers):
            await self.choose(answers[position])
            self._screen.chat_log.show(answers[position])

    # Events

    async def choose(self, exchange: Exchange) -> None:
        """Show the evidence of an answer, and make it the target of the next commands."""
        self._chosen = exchange
        await self._screen.show_evidence_of(exchange)

    def asked(self) -> None:
        """Forget the chosen answer, because a new question was asked."""
        self._chosen = None

    async def ended(self, exchange: Exchange) -> None:
        """Report what another strategy changed, once its answer is complete."""
        comparison = self._comparison
        if comparison is None or comparison.after is not exchange:
            return
        self._comparison = None
        before, after = comparison.before.evidence, exchange.evidence
        if exchange.state is not State.DONE or before is None or after is None:
            return
        from timelens.tui.comparing import compared, compared_lines

        found = compared(before.timeline, after.timeline)
        lines = compared_lines(found, comparison.before.strategy, exchange.strategy)
        await self._screen.say("\n".join(lines))

    def opened(self, number: int) -> None:
        """Show the document of a piece of evidence in the panels."""
        if self._screen.shown is not None:
            self._open(self._screen.shown, number)

    async def show_document(self, address: str, document_id: str) -> None:
        """Show a document of a corpus from its beginning, with the dates that were read in it."""
        from timelens.tui.document import DocumentScreen
        from timelens.tui.document_loading import Fetcher, in_thread

        shelf = partial(self._shelf, address)
        try:
            found = await in_thread(lambda: shelf().document(document_id))
        except TimelensError as error:
            self._screen.notify(f"{error.message} – {error.hint}", markup=False)
            return
        evidence = ShownEvidence(make_timeline([_beginning(found.chunks[0])]))
        fetcher = Fetcher(shelf, self._conventions)
        self._screen.app.push_screen(DocumentScreen(evidence, 1, fetcher, is_cited=False))

    # Target answer and piece

    @property
    def _answers(self) -> list[Exchange]:
        """The answers that have evidence to show, in order."""
        return [exchange for exchange in self._screen.query(Exchange) if exchange.evidence is not None]

    @property
    def _is_in_panels(self) -> bool:
        """Whether the timeline or the evidence has the focus."""
        focused = self._screen.focused
        return focused is not None and any(node.id == "panels" for node in focused.ancestors)

    def _exchange(self) -> Exchange:
        """The answer that commands refer to.

        Raises:
            BadInputError: there is no answer yet.
        """
        if self._chosen is not None and self._chosen.is_attached:
            return self._chosen
        exchanges = self._screen.query(Exchange)
        if not exchanges:
            raise BadInputError("there is no answer yet", _NOTHING)
        return exchanges.last()

    def _shown(self) -> "tuple[Exchange, Citation]":
        """The answer whose evidence the panels show, with its best piece.

        Raises:
            BadInputError: the panels show no evidence.
        """
        exchange = self._screen.shown
        if exchange is None or not (citations := _citations(exchange)):
            raise BadInputError("there is no evidence yet", _NOTHING)
        return exchange, min(citations, key=lambda citation: citation.number)

    def _selected(self) -> "Citation | None":
        """The piece that is selected in the panels."""
        number = self._screen.query_one(EvidencePanel).selected
        return None if number is None else self._numbered(str(number))

    def _numbered(self, number: str) -> "Citation":
        """A piece of the evidence in the panels.

        Raises:
            BadInputError: there is no piece with that number.
        """
        citations = _citations(self._shown()[0])
        for citation in citations:
            if number.strip("[]") == str(citation.number):
                return citation
        raise BadInputError(f"there is no evidence {number}", f"choose a number from 1 to {len(citations)}")

    def _open(self, exchange: Exchange, number: int) -> None:
        from timelens.tui.document import DocumentScreen
        from timelens.tui.document_loading import Fetcher

        if exchange.evidence is not None:
            address = exchange.corpus or self._screen.corpora.address
            fetcher = Fetcher(partial(self._shelf, address), self._conventions)
            self._screen.app.push_screen(DocumentScreen(exchange.evidence, number, fetcher))

    async def _ask_again(self, exchange: Exchange, strategy: str | None) -> Exchange:
        """Ask the question again, with the same preceding turns."""
        return await self._screen.questions.ask(exchange.question, strategy=strategy, instead_of=exchange)


def _beginning(chunk: "Chunk") -> Hit:
    """The first sentence of a document as a hit without scores."""
    none = Scores(semantic=None, keyword=None, temporal=None, final=None)
    return Hit(chunk, none, None, 0 if chunk.sentences else None)


def _citations(exchange: Exchange) -> "tuple[Citation, ...]":
    return () if exchange.evidence is None else exchange.evidence.timeline.citations
