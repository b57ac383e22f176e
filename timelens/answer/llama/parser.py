"""Questions read by a model beside the rules."""

from collections.abc import Iterator

from timelens.answer.llama.model import Ending, LoadedModel
from timelens.answer.llama.session import Session
from timelens.answer.llama.stop import Stop
from timelens.answer.prompt import Prompt, plain
from timelens.question.merge import Reading, merge
from timelens.question.parse import one_line, parse
from timelens.question.proposal import INSTRUCTIONS, Proposal
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions

_MOST_TOKENS = 400
"""Of a proposal; a longer one is cut, and not used."""


class LlamaParser:
    """Reads questions by rule, and lets a GGUF model add what the rules do not see.

    The session may be that of an answerer, so that the model is loaded once.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, question: str, reference_day: Day, conventions: Conventions = USUAL) -> Reading:
        """The rules' reading merged with the model's.

        Raises:
            MissingError: llama-cpp-python or the model file is not there.
            BadInputError: the file is no usable model.
        """
        parsed = parse(question, reference_day, conventions)
        prompt = Prompt(INSTRUCTIONS, f"Question: {plain(one_line(question))}", frozenset())
        fits = True

        def job(model: LoadedModel, stop: Stop) -> Iterator[str]:
            nonlocal fits
            fits = model.has_room(prompt, _MOST_TOKENS)
            if fits:
                grammar = model.grammar_of(Proposal.model_json_schema())
                yield from model.generate(prompt, _MOST_TOKENS, stop, Ending(), grammar)

        written = "".join(self._session.stream(job))
        if not fits:
            note = "the question does not fit into the model's context; the rules' reading stands alone"
            return Reading(parsed, (note,))
        return merge(parsed, written, conventions)

    def cancel(self) -> None:
        """End what is being read, from any thread; the rules' reading is returned then."""
        self._session.cancel()
