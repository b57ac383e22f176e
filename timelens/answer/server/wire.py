"""The JSON of requests to a server and of its replies. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from timelens.answer.writing.answer_prompt import Prompt
from timelens.config import ModelSettings

_THOUGHTS = ("<think>", "</think>")


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply."""

    text: str = ""
    finish: str | None = None
    """Why the reply ends, in its last piece: ``stop``, ``length`` …"""


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class _Message(_Lenient):
    content: str | None = None


class _Choice(_Lenient):
    delta: _Message | None = None
    message: _Message | None = None
    finish_reason: str | None = None


class _Reply(_Lenient):
    choices: list[_Choice] = Field(default_factory=list)
    error: Any = None


class _Model(_Lenient):
    id: str


class _Models(_Lenient):
    data: list[_Model]


class _Error(_Lenient):
    error: Any = None
    detail: Any = None
    message: Any = None


def request_body(model: str, prompt: Prompt, most: int, settings: ModelSettings) -> dict[str, object]:
    """The request for a streamed reply of at most ``most`` tokens, sampled by the settings."""
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.request},
        ],
        "max_tokens": most,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "stream": True,
    }


def response_formats(schema: Mapping[str, object]) -> tuple[dict[str, object], ...]:
    """The parameters that request JSON by a schema, strictest first; the last requests nothing."""
    named = {"name": "reply", "schema": schema, "strict": True}
    return (
        {"response_format": {"type": "json_schema", "json_schema": named}},
        {"response_format": {"type": "json_object", "schema": schema}},
        {},
    )


def delta_in(data: str | bytes) -> Delta:
    """The piece of a reply in an event of a stream, or the whole reply in a body.

    Raises:
        ValueError: the data is not a reply.
        ServerSaidError: the data is an error report.
    """
    reply = _Reply.model_validate_json(data)
    if reply.error:
        raise ServerSaidError(_words_of(reply.error))
    if not reply.choices:
        return Delta()
    choice = reply.choices[0]
    message = choice.delta or choice.message or _Message()
    return Delta(message.content or "", choice.finish_reason)


class ServerSaidError(Exception):
    """A server reported an error in place of a reply."""


def models_in(body: bytes) -> list[str]:
    """The names in a list of models.

    Raises:
        ValueError: the body is not a list of models.
    """
    return [model.id for model in _Models.model_validate_json(body).data]


def error_in(body: bytes) -> str:
    """The text of a server's error report; empty if it cannot be parsed."""
    try:
        said = _Error.model_validate_json(body)
    except ValidationError:
        return ""
    return _words_of(said.error or said.detail or said.message)


def _words_of(said: object) -> str:
    if isinstance(said, dict):
        said = said.get("message") or said
    return said if isinstance(said, str) else json.dumps(said) if said else ""


def without_thoughts(pieces: Iterable[str]) -> Iterator[str]:
    """A stream of text without leading thoughts between ``<think>`` and ``</think>``."""
    opening, closing = _THOUGHTS
    text = ""
    stream = iter(pieces)
    for piece in stream:
        text = (text + piece).lstrip()
        if not opening.startswith(text[: len(opening)]):
            break
        if text.startswith(opening) and closing in text:
            text = text.partition(closing)[2].lstrip()
            break
    if not text.startswith(opening):
        yield text
    started = bool(text.strip())
    for piece in stream:
        shown = piece if started else piece.lstrip()
        started = started or bool(shown)
        yield shown


def object_in(written: str) -> str:
    """The first complete JSON object in a text; the text itself if there is none."""
    decoder = json.JSONDecoder()
    at = written.find("{")
    while at >= 0:
        try:
            _, end = decoder.raw_decode(written, at)
        except RecursionError:
            break
        except ValueError:
            at = written.find("{", at + 1)
        else:
            return written[at:end]
    return written
