"""Requests to a server: the only module that imports httpx2.

Each request has its own connection, so that stopping it closes the connection and the server stops
generating. An event loop runs in the calling thread during a request, so that waiting for the network can be
ended at any moment, even before the first byte.

A server's text may contain the key; therefore errors have no cause that quotes it, and httpcore2 does not log
headers.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from timelens.answer.lm.stop import POLL_SECONDS, Stop
from timelens.answer.server import server_errors
from timelens.answer.server.endpoint import Endpoint
from timelens.answer.server.wire import Delta, ServerSaidError, delta_in, error_in, models_in
from timelens.errors import BadInputError

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

_Outcome = TypeVar("_Outcome")

_log = logging.getLogger(__name__)
_ATTEMPTS = 3
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0
_CONNECT_SECONDS = 10.0
_MOST_BYTES = 1 << 24
"""Maximum number of bytes of one streamed reply, including its envelope."""
_MOST_BYTES_OF_BODY = 1 << 22
_MOST_BYTES_OF_ERROR = 1 << 16
_MOST_BYTES_OF_EVENT = 1 << 20
_DONE = "[DONE]"


class StoppedError(Exception):
    """The request was stopped."""


def list_models(endpoint: Endpoint, stop: Stop, *, attempts: int = _ATTEMPTS) -> list[str]:
    """The names of a server's models.

    Raises:
        StoppedError: the request was stopped.
        MissingError: the server cannot be reached, is silent, or has no list.
        BadInputError: it refuses the key, or is not an OpenAI-compatible server.
    """

    def ask() -> Iterator[list[str]]:
        with _answer(endpoint, "models", None, stop) as (runner, response):
            yield models_in(_body(runner, response, stop, endpoint))

    try:
        (names,) = _persistent(ask, stop, attempts)
    except ValueError:
        raise server_errors.broken(endpoint, "its list of models cannot be read") from None
    return names


def complete(endpoint: Endpoint, body: Mapping[str, object], stop: Stop) -> Iterator[Delta]:
    """A reply, piece by piece. Temporary failures before the first piece are retried a few times.

    Raises:
        StoppedError: the request was stopped.
        MissingError: the server cannot be reached, is silent, has no such model, or broke off.
        RefusedError: it does not accept the request.
        BadInputError: it refuses the key, or is not an OpenAI-compatible server.
    """
    return _persistent(lambda: _pieces(endpoint, body, stop), stop, _ATTEMPTS)


def _pieces(endpoint: Endpoint, body: Mapping[str, object], stop: Stop) -> Iterator[Delta]:
    with _answer(endpoint, "chat/completions", body, stop) as (runner, response):
        try:
            if _kind(response) == "application/json":  # a server that does not stream
                yield delta_in(_body(runner, response, stop, endpoint))
                return
            for data in _events(runner, response, stop, endpoint):
                if data == _DONE:
                    return
                yield delta_in(data)
        except ServerSaidError as error:
            raise server_errors.failed(endpoint, str(error)) from None
        except ValueError:
            raise server_errors.broken(endpoint, "its reply is not the expected JSON") from None


def _persistent(request: Callable[[], Iterator[_Outcome]], stop: Stop, attempts: int) -> Iterator[_Outcome]:
    """The pieces of a request; temporary errors before the first piece are retried."""
    begun = False
    for attempt in range(1, attempts + 1):
        try:
            for piece in request():
                begun = True
                yield piece
        except server_errors.PassingError as error:
            if begun or attempt == attempts:
                raise
            _pause(error.pause or _FIRST_PAUSE * 2 ** (attempt - 1), stop)
        else:
            return


def _pause(seconds: float, stop: Stop) -> None:
    ends = time.monotonic() + min(seconds, _LONGEST_PAUSE)
    while time.monotonic() < ends:
        if stop:
            raise StoppedError
        time.sleep(POLL_SECONDS)


@contextmanager
def _answer(
    endpoint: Endpoint, path: str, body: Mapping[str, object] | None, stop: Stop
) -> Generator[tuple[asyncio.Runner, "Response"], None, None]:
    """The response to a request after its headers have arrived, and the event loop for reading its body.

    Raises:
        StoppedError: the request was stopped.
        TimelensError: the request or the reading of the body failed.
    """
    import httpx2

    logging.getLogger("httpcore2").setLevel(logging.INFO)
    seconds = min(_CONNECT_SECONDS, endpoint.patience)
    with asyncio.Runner() as runner:
        client = _client(endpoint, seconds)
        try:
            request = client.build_request(
                "GET" if body is None else "POST", f"{endpoint.url}/{path}", json=body
            )
            sent = client.send(request, stream=True)
            response = runner.run(_awaited(sent, stop, seconds + endpoint.patience))
            _log.info("asked: %s/%s, status %d", endpoint.url, path, response.status_code)
            _check(runner, response, stop, endpoint, None if body is None else str(body["model"]))
            yield runner, response
        except httpx2.ConnectTimeout as error:
            raise server_errors.not_connected(endpoint, seconds) from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise server_errors.silent(endpoint) from error
        except httpx2.InvalidURL as error:
            raise BadInputError(f"{endpoint.url} is not an address", "correct server.url") from error
        except httpx2.SSEError as error:
            raise server_errors.broken(endpoint, endpoint.quoted(str(error))) from None
        except httpx2.TransportError as error:
            raise server_errors.unreachable(endpoint, error) from None
        finally:
            runner.run(client.aclose())


def _client(endpoint: Endpoint, connect_seconds: float) -> "AsyncClient":
    """The HTTP client; a server on this machine is asked without the proxy of the environment.

    Raises:
        BadInputError: the proxy cannot be used.
    """
    import httpx2

    headers = {"User-Agent": "timelens", "Accept-Encoding": "identity"}
    if endpoint.key is not None:
        headers["Authorization"] = f"Bearer {endpoint.key.get_secret_value()}"
    timeout = httpx2.Timeout(endpoint.patience, connect=connect_seconds)
    try:
        return httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=not endpoint.is_here)
    except (ImportError, ValueError):
        raise BadInputError(
            "the proxy that the environment names cannot be used",
            "correct or unset HTTPS_PROXY, HTTP_PROXY and ALL_PROXY",
        ) from None


def _check(
    runner: asyncio.Runner, response: "Response", stop: Stop, endpoint: Endpoint, model: str | None
) -> None:
    """Raise an error for a response that is not a success, or is compressed."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise server_errors.broken(endpoint, "its reply is compressed, although no compression was requested")
    if response.status_code == 200:
        return
    said = error_in(_body(runner, response, stop, endpoint, most=_MOST_BYTES_OF_ERROR, cut=True))
    error = server_errors.of_status(endpoint, response.status_code, said, model)
    wait = response.headers.get("retry-after", "")
    if isinstance(error, server_errors.PassingError) and wait.isdecimal():
        error.pause = float(wait[:6])
    raise error


def _kind(response: "Response") -> str:
    kind: str = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind


def _body(
    runner: asyncio.Runner,
    response: "Response",
    stop: Stop,
    endpoint: Endpoint,
    *,
    most: int = _MOST_BYTES_OF_BODY,
    cut: bool = False,
) -> bytes:
    """The body of a response; a body of more than ``most`` bytes is ``cut`` or refused."""
    body = b""
    for block in _each(runner, response.aiter_bytes(), stop, endpoint.patience):
        body += block
        if len(body) > most:
            if cut:
                break
            raise server_errors.broken(endpoint, f"it sent more than {most:,} bytes")
    return body[:most]


def _events(runner: asyncio.Runner, response: "Response", stop: Stop, endpoint: Endpoint) -> Iterator[str]:
    """The data of the events in a stream."""
    from httpx2 import EventSource

    source = EventSource(response, max_event_size=_MOST_BYTES_OF_EVENT)
    for event in _each(runner, aiter(source), stop, endpoint.patience):
        if response.num_bytes_downloaded > _MOST_BYTES:
            raise server_errors.broken(endpoint, f"it sent more than {_MOST_BYTES:,} bytes in one reply")
        yield event.data


def _each(
    runner: asyncio.Runner, pieces: AsyncIterator[_Outcome], stop: Stop, seconds: float
) -> Iterator[_Outcome]:
    """The pieces of an asynchronous stream; each may take at most ``seconds``."""

    async def following() -> _Outcome | None:
        return await anext(pieces, None)

    while (piece := runner.run(_awaited(following(), stop, seconds))) is not None:
        yield piece


async def _awaited(work: Coroutine[Any, Any, _Outcome], stop: Stop, seconds: float) -> _Outcome:
    """The result of a coroutine; it is cancelled on a stop or a timeout.

    Raises:
        StoppedError: it was stopped.
        TimeoutError: it took longer than ``seconds``.
    """
    task = asyncio.ensure_future(work)
    ends = time.monotonic() + seconds
    try:
        while not task.done():
            if stop:
                raise StoppedError
            if time.monotonic() > ends:
                raise TimeoutError
            await asyncio.wait({task}, timeout=POLL_SECONDS)
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
