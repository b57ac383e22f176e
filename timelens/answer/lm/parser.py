"""Parses questions with a model in addition to the rules."""

from collections.abc import Iterator
from dataclasses import replace

from timelens.answer.lm.language_model import Ending, LanguageModel
from timelens.answer.lm.model_session import ModelSession
from timelens.answer.lm.stop import Stop
from timelens.answer.writing.answer_prompt import Prompt, plain
from timelens.config import ModelSettings
from timelens.question.merge import Reading, merge
from timelens.question.parse import one_line, parse
from timelens.question.proposal import INSTRUCTIONS, Proposal
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions

_MOST_TOKENS = 400
"""Maximum number of tokens of a proposal; a longer one is cut and not used."""


class ModelParser:
    """Parses questions by the rules; a model fills gaps.

    The session may be shared with an answerer, so that the model is opened once.
    """

    def __init__(self, session: ModelSession[ModelSettings]) -> None:
        self._session = session

    def read(self, question: str, reference_day: Day, conventions: Conventions = USUAL) -> Reading:
        """The rules' reading merged with the model's.

        Raises:
            MissingError: the model or its engine is missing.
            BadInputError: the model cannot be used.
        """
        parsed = parse(question, reference_day, conventions)
        prompt = Prompt(INSTRUCTIONS, f"Question: {plain(one_line(question))}", frozenset())
        fits = True

        def job(model: LanguageModel, stop: Stop) -> Iterator[str]:
            nonlocal fits
            fits = model.has_room(prompt, _MOST_TOKENS)
            if fits:
                grammar = model.grammar_of(Proposal.model_json_schema())
                yield from model.generate(prompt, _MOST_TOKENS, stop, Ending(), grammar)

        written = "".join(self._session.stream(job))
        if not fits:
            note = "the question does not fit into the model's context; it was read by the rules only"
            return Reading(parsed, (note, *self._session.take_remarks()))
        merged = merge(parsed, written, conventions)
        return replace(merged, notes=(*merged.notes, *self._session.take_remarks()))

    def cancel(self) -> None:
        """End the current reading, from any thread; it then returns the rules' reading."""
        self._session.cancel()

    def close(self) -> None:
        """Cancel, and release the model's resources. A later reading opens it again."""
        self._session.close()
