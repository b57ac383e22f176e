"""Keys, certificates and proxies of a server: what is sent, refused and said."""

import logging
import ssl
import sys
import traceback
from types import ModuleType
from typing import Any

import pytest
from chat_server import KEY, WRITTEN, ChatServer, answerer_of, fault, written

from timelens.answer.server import ServerAnswerer, endpoint_of, server_errors
from timelens.config import ServerSettings
from timelens.errors import ExitCode, TimelensError


def test_a_key_is_sent_and_a_wrong_one_is_one_line(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.key = KEY
    wanted = fault(answerer_of(server))
    assert "wants a key (401)" in wanted.message
    assert "TIMELENS_SERVER_KEY" in wanted.hint
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    assert written(answerer_of(server, key_env="MY_KEY")) == WRITTEN
    monkeypatch.setenv("MY_KEY", "wrong")
    refused = fault(answerer_of(server, key_env="MY_KEY", model="tiny"))
    assert "refuses the key (401)" in refused.message
    assert "MY_KEY" in refused.hint
    assert refused.exit_code is ExitCode.BAD_INPUT


def test_the_key_comes_from_the_keyring_where_there_is_one(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    errors.__dict__["KeyringError"] = type("KeyringError", (Exception,), {})
    errors.__dict__["NoKeyringError"] = type("NoKeyringError", (errors.KeyringError,), {})
    kept = {("timelens", server.url.split("/")[2]): KEY}
    keyring.__dict__["get_password"] = lambda service, name: kept.get((service, name))
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    server.key = KEY
    assert written(answerer_of(server)) == WRITTEN

    def locked(*_: str) -> str:
        raise errors.KeyringError(f"cannot unlock {KEY}")

    keyring.__dict__["get_password"] = locked
    error = fault(answerer_of(server))
    assert error.message == "the keyring cannot be read (KeyringError)"

    def none_at_all(*_: str) -> str:
        raise errors.NoKeyringError

    keyring.__dict__["get_password"] = none_at_all
    assert "wants a key" in fault(answerer_of(server)).message


@pytest.mark.parametrize("key", [f"{KEY}\nX-Other: 1", f"{KEY} {KEY}", f"{KEY}ü", KEY * 400])
def test_what_cannot_be_a_key_is_not_sent(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TIMELENS_SERVER_KEY", key)
    assert fault(answerer_of(server)).message == "the content of TIMELENS_SERVER_KEY cannot be a key"
    assert not server.paths


@pytest.mark.parametrize(
    "changed",
    [
        {"statuses": [400], "error": f"bad request by {KEY}"},
        {"statuses": [401]},
        {"statuses": [404], "error": {"nested": KEY}},
        {"statuses": [500] * 9, "error": f"{KEY}"},
        {"statuses": [302]},
        {"raw": f'data: {{"error": {{"message": "{KEY}"}}}}\n\n'.encode()},
        {"raw": f'data: {{"{KEY}"\n\n'.encode()},
        {"content_type": KEY},
        {"models": [f"a {KEY}", f"b {KEY}"]},
        {"key": KEY + "2"},
    ],
)
def test_the_key_is_in_no_error_no_traceback_and_no_log(
    server: ChatServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    changed: dict[str, Any],
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("TIMELENS_SERVER_KEY", KEY)
    vars(server).update(changed)
    with pytest.raises(TimelensError) as error:
        written(answerer_of(server))
    told = [*traceback.format_exception(error.value), error.value.hint, repr(error.value), caplog.text]
    assert KEY not in "\n".join(told)
    assert caplog.text


def test_the_key_is_in_no_answer_though_the_server_says_it(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_SERVER_KEY", KEY)
    server.pieces = ["Your key is ", KEY[:5], KEY[5:9], f"{KEY[9:]}, and {KEY[:3]}", "."]
    assert written(answerer_of(server)) == f"Your key is [key], and {KEY[:3]}."
    assert KEY not in repr(endpoint_of(ServerSettings(url=server.url)))


def test_a_placeholder_for_a_key_is_a_word_like_others(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_SERVER_KEY", "1")
    assert written(answerer_of(server)) == WRITTEN


def test_a_server_without_tls_and_one_without_trust_are_told_apart(server: ChatServer) -> None:
    plain = fault(answerer_of(server, url=server.url.replace("http://", "https://")))
    assert "does not speak TLS" in plain.message
    untrusted = ssl.SSLCertVerificationError(1, "certificate verify failed")
    untrusted.verify_message = "self-signed certificate"
    wrapped = OSError("all attempts failed")
    wrapped.__cause__ = ExceptionGroup("", [untrusted])
    endpoint = endpoint_of(ServerSettings(url="https://models.example/v1"))
    error = server_errors.unreachable(endpoint, wrapped)
    assert error.message == "the certificate of models.example is not trusted: self-signed certificate"
    assert error.exit_code is ExitCode.BAD_INPUT


def test_a_proxy_that_cannot_be_used_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://user:secret@proxy")
    monkeypatch.setenv("NO_PROXY", "")
    error = fault(ServerAnswerer(ServerSettings(url="http://models.example")))
    assert "proxy" in error.message
    assert "secret" not in error.message


def test_what_runs_here_is_asked_without_a_proxy(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "")
    assert written(answerer_of(server)) == WRITTEN


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("http://127.0.0.1:8080", False),
        ("http://localhost", False),
        ("http://[::1]:80", False),
        ("https://models.example", False),
        ("http://models.example", True),
        ("http://192.168.0.7:8080", True),
        ("http://localhost.example", True),
    ],
)
def test_that_a_way_is_open_to_others_is_known(url: str, *, warned: bool) -> None:
    assert bool(endpoint_of(ServerSettings(url=url)).warning) is warned


def test_that_a_way_is_open_is_said_once(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelens.answer.server.endpoint.Endpoint.is_here", False)
    answerer = answerer_of(server)
    written(answerer)
    assert answerer.notes == ("questions and evidence go to 127.0.0.1 unencrypted (http://)",)
    assert written(answerer)
    assert not list(answerer.notes)
