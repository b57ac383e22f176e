"""Exports of Slack: names, marks, threads and what is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile

from .conftest import NO_COLUMNS, day

USERS = [
    {"id": "U1", "name": "dana", "profile": {"real_name": "Dana Wolf", "display_name": "dw"}},
    {"id": "U2", "name": "igor", "profile": {"real_name": "", "display_name": "Igor"}},
    {"id": "U3", "name": "mei", "profile": None},
]
CHANNELS = [{"id": "C1", "name": "general", "members": ["U1", "U2"]}]
DMS = [{"id": "D1", "members": ["U1", "U3"]}]
NOON = 1620043200  # 3 May 2021, 12:00 UTC


def message(seconds: float, user: str, text: str, **more: object) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"{NOON + seconds:.6f}", **more}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    for name in ("general", "D1"):
        (folder / name).mkdir(parents=True)
    for name, content in (("users", USERS), ("channels", CHANNELS), ("dms", DMS)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def items(root: Path, path: Path) -> list[Document | Failure]:
    return list(READERS[".json"](SourceFile(path, path.relative_to(root).as_posix()), NO_COLUMNS))


def one_day(export: Path, *messages: object, channel: str = "general") -> list[Document | Failure]:
    path = export / channel / "2021-05-03.json"
    path.write_text(json.dumps(messages))
    return items(export, path)


def test_a_day_of_a_channel_is_a_document_with_names(export: Path) -> None:
    (document,) = one_day(
        export,
        message(0, "U1", "Decided &amp; done: <https://x.example.org/a?b|the plan>, <https://y.example.org>"),
        message(60, "U2", "<@U1> and <@U3|mei>, see <#C1> <!here> <mailto:a@example.org|a@example.org>"),
        message(90, "U9", "Unknown <@U77> &lt;b&gt;"),
        message(95, "U8", "Hello", user_profile={"real_name": "Guest"}),
    )
    assert isinstance(document, Document)
    assert document.text == (
        "Dana Wolf: Decided & done: the plan, https://y.example.org\n\n"
        "Igor: @Dana Wolf and @mei, see #general @here a@example.org\n\n"
        "U9: Unknown @U77 <b>\n\n"
        "Guest: Hello"
    )
    assert (document.id, document.title) == ("general/2021-05-03.json", "general: 3 May 2021")
    assert (document.published, document.published_source) == (day(2021, 5, 3), "message")
    assert [mark.place for mark in document.places][:2] == ["Dana Wolf, 12:00", "Igor, 12:01"]


def test_threads_stay_together_and_noise_is_left_out(export: Path) -> None:
    start = f"{NOON}.000000"
    (document,) = one_day(
        export,
        message(0, "U1", "Which port?", thread_ts=start),
        message(10, "U1", "Lunch?"),
        message(20, "U2", "8080", thread_ts=start),
        message(30, "U2", "<@U2> has joined the channel", subtype="channel_join"),
        message(40, "U2", "Build 7 failed", bot_id="B1"),
        message(50, "U2", "Build 8 failed", subtype="bot_message"),
        message(60, "U3", "the file", subtype="file_share"),
        message(70, "U3", ""),
        message(80, "U3", "x", subtype=["odd"]),
        {"type": "message", "ts": "1", "text": None},
        "odd",
        None,
    )
    assert isinstance(document, Document)
    said = document.text.split("\n\n")
    assert said == ["Dana Wolf: Which port?", "Igor: 8080", "Dana Wolf: Lunch?", "mei: the file"]


def test_a_conversation_of_few_is_called_by_them(export: Path) -> None:
    (document,) = one_day(export, message(0, "U1", "Hi"), channel="D1")
    assert isinstance(document, Document)
    assert document.title == "Dana Wolf and mei: 3 May 2021"


def test_messages_of_two_days_are_two_documents(export: Path) -> None:
    found = one_day(export, message(0, "U1", "Hi"), message(86_400, "U1", "Again"))
    ids = [one.id for one in found if isinstance(one, Document)]
    assert ids == ["general/2021-05-03.json", "general/2021-05-03.json#2021-05-04"]


@pytest.mark.parametrize("name", ["users.json", "channels.json", "dms.json"])
def test_who_is_who_is_no_document_and_no_failure(export: Path, name: str) -> None:
    assert items(export, export / name) == []


def test_users_json_of_anything_else_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    path.write_text(json.dumps(USERS))
    (failure,) = items(tmp_path, path)
    assert isinstance(failure, Failure)
    assert failure.error == "JSON of a kind that is not read"


@pytest.mark.parametrize("content", ["", "{", "[1, null]", "{}", "[" * 100_000, '[{"id": 7, "profile": 1}]'])
def test_without_names_the_ids_stand(export: Path, content: str) -> None:
    (export / "users.json").write_text(content)
    (document,) = one_day(export, message(0, "U1", "Hi <@U2>"))
    assert isinstance(document, Document)
    assert document.text == "U1: Hi @U2"


def test_names_are_not_read_through_a_link(export: Path, tmp_path: Path) -> None:
    (export / "users.json").rename(tmp_path / "elsewhere.json")
    (export / "users.json").symlink_to(tmp_path / "elsewhere.json")
    (document,) = one_day(export, message(0, "U1", "Hi"))
    assert isinstance(document, Document)
    assert document.text == "U1: Hi"


def test_a_name_that_changed_is_read_anew(export: Path) -> None:
    (before,) = one_day(export, message(0, "U2", "Hi"))
    (export / "users.json").write_text(json.dumps([{"id": "U2", "name": "igor the second"}]))
    (after,) = one_day(export, message(0, "U2", "Hi"))
    assert isinstance(before, Document)
    assert isinstance(after, Document)
    assert (before.text, after.text) == ("Igor: Hi", "igor the second: Hi")
    assert before.content_hash != after.content_hash


@pytest.mark.parametrize("ts", ["", None, "x", [], {}, True, 1e400, "nan", -5, 1e17, "9" * 5000])
def test_messages_without_a_time_are_told_of(export: Path, ts: object) -> None:
    found = one_day(export, message(0, "U1", "Hi"), {**message(0, "U1", "Lost"), "ts": ts})
    (failure,) = [one for one in found if isinstance(one, Failure)]
    (document,) = [one for one in found if isinstance(one, Document)]
    assert "messages without a readable time: 1, the first is message 2" in failure.error
    assert len(failure.error) < 200
    assert (failure.partial, document.text) == (True, "Dana Wolf: Hi")
