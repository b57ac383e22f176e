"""A server with an OpenAI-compatible API, to which attempts are repeated without a long pause."""

from collections.abc import Iterator

import pytest
from chat_server import ChatServer, chatting

from timelens.answer.server import client


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chatting(ChatServer()) as server:
        yield server


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_FIRST_PAUSE", 0.01)
    monkeypatch.delenv("TIMELENS_SERVER_KEY", raising=False)
