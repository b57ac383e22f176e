"""A model on a server: estimates token counts and continues a prompt."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from timelens.answer.lm.language_model import CANCELLED, Ending, Reply, visible
from timelens.answer.lm.stop import Stop
from timelens.answer.server.client import StoppedError, complete
from timelens.answer.server.endpoint import Endpoint
from timelens.answer.server.server_errors import PassingError, RefusedError, may_be_of_the_request
from timelens.answer.server.token_estimate import most_tokens
from timelens.answer.server.wire import (
    Delta,
    object_in,
    request_body,
    response_formats,
    without_thoughts,
)
from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import ServerSettings
from timelens.errors import BadInputError

_TEMPLATE_TOKENS = 64
"""Approximate tokens that the server's template adds to a prompt."""
_MOST_CHARACTERS_PER_TOKEN = 32
_NO_SCHEMA = "the server accepts no JSON schema; its model's JSON is read as far as possible"
_Schema = Mapping[str, object]


class ServerModel:
    """A model on a server. Not thread-safe."""

    def __init__(
        self, endpoint: Endpoint, name: str, settings: ServerSettings, remark: Callable[[str], None]
    ) -> None:
        self.name = name
        self.context_tokens: int = settings.context_tokens
        self.template_tokens: int = _TEMPLATE_TOKENS
        self._endpoint, self._settings, self._remark = endpoint, settings, remark
        self._form = 0

    @property
    def has_adapter(self) -> bool:
        """False: the reading adapter is of models on this machine."""
        return False

    def read(self, prompt: Prompt, stop: Stop) -> Reply | None:
        """Nothing: a server has no reading adapter."""

    def count(self, text: str) -> int:
        """An estimated upper bound of the number of tokens of a text."""
        return most_tokens(text)

    def make_room(self, tokens: int) -> None:
        """Does nothing: the context size was set when the server was started."""

    def has_room(self, prompt: Prompt, most: int) -> bool:
        """Whether a prompt and ``most`` tokens of an answer fit."""
        return self._size(prompt) + most <= self.context_tokens

    def grammar_of(self, schema: _Schema) -> _Schema:
        """The schema itself, for the server to apply."""
        return schema

    def generate(
        self, prompt: Prompt, most: int, stop: Stop, ending: Ending, grammar: _Schema | None = None
    ) -> Iterator[str]:
        """The model's answer, sampled by the settings, without thoughts and terminal control characters.

        With a schema from :meth:`grammar_of`, it is one piece: the first JSON object of the reply.

        Raises:
            MissingError: the server cannot be reached, is silent, has no such model, or broke off.
            BadInputError: it refuses the request or the key, or the prompt leaves no room for an answer.
        """
        most = min(most, self.context_tokens - self._size(prompt))
        if most < 1:
            raise BadInputError(
                f"a prompt of some {self._size(prompt)} tokens leaves no room in the server's context of "
                f"{self.context_tokens}",
                "shorten the question, or raise server.context_tokens if the server has more",
            )
        body = request_body(self.name, prompt, most, self._settings)
        replies = self._replies(body, grammar, stop)
        pieces = self._endpoint.without_key(_texts(replies, most, ending))
        shown = filter(None, map(visible, without_thoughts(pieces)))
        blank = True
        try:
            for piece in shown if grammar is None else _whole(shown):
                blank = False
                yield piece
        except StoppedError:
            ending.note = CANCELLED
        else:
            if blank and ending.note == _cut(most):
                ending.note = (
                    f"the model used all of its {most} tokens for thinking; raise server.answer_tokens"
                )

    def _size(self, prompt: Prompt) -> int:
        return _TEMPLATE_TOKENS + self.count(prompt.instructions) + self.count(prompt.request)

    def _replies(self, body: Mapping[str, object], schema: _Schema | None, stop: Stop) -> Iterator[Delta]:
        """A reply; with a schema, in the strictest response format that the server accepts."""
        if schema is None:
            yield from complete(self._endpoint, body, stop)
            return
        forms = response_formats(schema)
        for form in range(self._form, len(forms)):
            replies = complete(self._endpoint, {**body, **forms[form]}, stop)
            try:
                first = next(replies, Delta())
            except (RefusedError, PassingError) as error:
                if form == len(forms) - 1 or not may_be_of_the_request(error):
                    raise
                continue
            if form == len(forms) - 1 > self._form:
                self._remark(_NO_SCHEMA)
            self._form = form
            yield from chain([first], replies)
            return


def _whole(pieces: Iterable[str]) -> Iterator[str]:
    """The first JSON object in a stream of text, in one piece."""
    if written := object_in("".join(pieces)):
        yield written


def _texts(replies: Iterator[Delta], most: int, ending: Ending) -> Iterator[str]:
    """The text of a reply; it is cut if it is far longer than requested."""
    whole = left = most * _MOST_CHARACTERS_PER_TOKEN
    finish = None
    for delta in replies:
        yield delta.text[:left]
        left -= len(delta.text)
        finish = delta.finish or finish
        if left < 0:
            finish = "length"
            break
    if finish is None and left == whole:
        ending.note = "the server's reply is empty; its context may be smaller than server.context_tokens"
    elif finish is None:
        ending.note = "the server ended the answer without marking it as complete"
    elif finish == "length":
        ending.note = _cut(most)


def _cut(most: int) -> str:
    return f"the answer was cut after {most} tokens"
