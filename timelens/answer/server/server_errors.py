"""The errors of requests to a server, in words for the user."""

import socket
import ssl
from collections.abc import Iterator

from timelens.answer.server.endpoint import Endpoint
from timelens.errors import BadInputError, MissingError, TimelensError

_UNKNOWN = {400, 415, 422, 501}
"""Status codes for unknown or unsupported requests."""
_BUSY = {408, 425, 429, 500, 502, 503, 504}


class RefusedError(BadInputError):
    """The server does not accept the request in this form."""


class PassingError(MissingError):
    """A temporary error; the same request may succeed later."""

    status: int | None = None
    """The status code, if the server answered."""
    pause: float | None = None
    """Seconds to wait before a retry, if the server states them."""


def may_be_of_the_request(error: TimelensError) -> bool:
    """Whether another form of the request may succeed: some servers answer 500 to unknown parameters."""
    return isinstance(error, RefusedError) or (isinstance(error, PassingError) and error.status == 500)


def unreachable(endpoint: Endpoint, error: BaseException) -> TimelensError:
    """The error for a connection that failed or broke."""
    causes = list(_causes(error))
    untrusted = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if untrusted is not None:
        return BadInputError(
            f"the certificate of {endpoint.host} is not trusted: {endpoint.quoted(untrusted.verify_message)}",
            "let SSL_CERT_FILE name a file with the certificate of who issued it, or correct server.url",
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return BadInputError(
            f"{endpoint.url} does not speak TLS", "write http:// in server.url if that is intended"
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return PassingError(f"there is no host {endpoint.host}", "check server.url and the network")
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return PassingError(
            f"nothing answers at {endpoint.url}: connection refused",
            "start the server, or correct server.url",
        )
    reason = next((str(cause) for cause in causes if str(cause)), type(error).__name__)
    return PassingError(
        f"the connection to {endpoint.url} failed: {endpoint.quoted(reason)}",
        "check server.url, the server and the network",
    )


def not_connected(endpoint: Endpoint, seconds: float) -> PassingError:
    """The error for a connection that was not accepted in time."""
    return PassingError(
        f"{endpoint.url} accepted no connection within {seconds:g} s", "check server.url and the network"
    )


def silent(endpoint: Endpoint) -> MissingError:
    """The error for a server that sent no data for too long."""
    return MissingError(
        f"{endpoint.url} said nothing for {endpoint.patience:g} s",
        "wait until its model is loaded, or raise server.timeout_seconds",
    )


def broken(endpoint: Endpoint, how: str) -> BadInputError:
    """The error for a reply that is not OpenAI-compatible."""
    return BadInputError(
        f"{endpoint.url} does not answer as an OpenAI-compatible server: {how}",
        "correct server.url, which ends with /v1 for most servers",
    )


def failed(endpoint: Endpoint, said: str) -> MissingError:
    """The error for a server that reports an error in place of a reply."""
    return MissingError(f"{endpoint.url} failed: {endpoint.quoted(said)}", "see the messages of the server")


def of_status(endpoint: Endpoint, status: int, said: str, model: str | None) -> TimelensError:
    """The error for an unsuccessful status. The server's text about a key is not repeated."""
    if status in {401, 403}:
        wrong = "refuses the key" if endpoint.key else "wants a key"
        return BadInputError(
            f"{endpoint.url} {wrong} ({status})",
            f"put the right one into the environment variable {endpoint.key_env}",
        )
    quoted = f": {endpoint.quoted(said)}" if said.strip() else ""
    if status == 404:
        missing = f"has no model {model!r}, or no such path" if model else "does not list its models"
        return MissingError(
            f"{endpoint.url} {missing} (404){quoted}",
            "correct server.model or server.url, which ends with /v1 for most servers",
        )
    if status in _BUSY:
        passing = PassingError(f"{endpoint.url} cannot answer now ({status}){quoted}", "try again later")
        passing.status = status
        return passing
    if status in _UNKNOWN:
        return RefusedError(
            f"{endpoint.url} refuses the request ({status}){quoted}",
            "lower server.context_tokens if the prompt is too long for it, or name another server.model",
        )
    if 300 <= status < 400:
        return broken(endpoint, f"it redirects to another address ({status})")
    return broken(endpoint, f"status {status}{quoted}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and all its causes."""
    yield error
    inner = [*error.exceptions] if isinstance(error, BaseExceptionGroup) else []
    for cause in (*inner, error.__cause__ or error.__context__):
        if cause is not None:
            yield from _causes(cause)
