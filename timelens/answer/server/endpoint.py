"""The address of the server, and its key."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import SecretStr

from timelens.config import ServerSettings
from timelens.errors import BadInputError, MissingError
from timelens.printable import printable_line, shortened

_KEY = re.compile(r"[!-~]{1,4096}")
_KEYRING_SERVICE = "timelens"
_LONGEST_QUOTE = 200
_SHORTEST_SECRET = 8
"""Shorter keys are placeholders, such as ``none``, for servers without keys."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A configured server."""

    url: str
    """The root of its API, without a trailing slash."""
    key: SecretStr | None
    key_env: str
    patience: float
    """Maximum seconds without data."""

    @property
    def host(self) -> str:
        """Its host name or IP address."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def warning(self) -> str | None:
        """A warning if the connection is unencrypted and the server is not on this machine."""
        if urlsplit(self.url).scheme == "https" or self.is_here:
            return None
        return f"questions and evidence go to {self.host} unencrypted (http://)"

    def quoted(self, text: str) -> str:
        """A text of the server for display: one short line without the key."""
        return shortened(printable_line("".join(self.without_key([text]))), _LONGEST_QUOTE)

    def without_key(self, pieces: Iterable[str]) -> Iterator[str]:
        """A stream of text with the key replaced by ``[key]``; a possible start of the key is held back."""
        key = self.key.get_secret_value() if self.key else ""
        if len(key) < _SHORTEST_SECRET:
            yield from pieces
            return
        held = ""
        for piece in pieces:
            text = (held + piece).replace(key, "[key]")
            begun = next((n for n in range(min(len(key) - 1, len(text)), 0, -1) if text.endswith(key[:n])), 0)
            held = text[len(text) - begun :]
            yield text[: len(text) - begun]
        yield held


def endpoint_of(settings: ServerSettings, *, patience: float | None = None) -> Endpoint:
    """The configured server.

    Args:
        settings: contain its address and the name of the environment variable with its key.
        patience: maximum seconds without data, instead of the configured number.

    Raises:
        MissingError: no server is configured.
        BadInputError: the key is malformed, or the keyring cannot be read.
    """
    if settings.url is None:
        raise MissingError(
            "no server is configured",
            "set server.url in config.toml, or TIMELENS_SERVER__URL, to its address",
        )
    key, source = os.environ.get(settings.key_env, "").strip(), settings.key_env
    if not key:
        key, source = _from_keyring(urlsplit(settings.url).netloc, settings.key_env), "the keyring"
    if key and not _KEY.fullmatch(key):
        raise BadInputError(f"the content of {source} cannot be a key", "put the key there and nothing else")
    return Endpoint(
        settings.url,
        SecretStr(key) if key else None,
        settings.key_env,
        settings.timeout_seconds if patience is None else patience,
    )


def _from_keyring(server: str, key_env: str) -> str:
    """The key for a server in the system's keyring; empty if there is no key or no keyring."""
    try:
        import keyring
        from keyring.errors import KeyringError, NoKeyringError
    except ModuleNotFoundError:
        return ""
    try:
        return (keyring.get_password(_KEYRING_SERVICE, server) or "").strip()
    except NoKeyringError:
        return ""
    except KeyringError as error:
        raise BadInputError(
            f"the keyring cannot be read ({type(error).__name__})",
            f"unlock it, or put the key into the environment variable {key_env}",
        ) from None
