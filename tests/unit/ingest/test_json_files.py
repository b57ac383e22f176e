"""JSON files: exports of Discord and ChatGPT, JSON Feed, lists of records, and what is none of these."""

import json
from pathlib import Path
from typing import Any

import pytest

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest import json_files
from timelens.ingest.failures import Failure
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile
from timelens.temporal.interval import year_interval

from .conftest import NO_COLUMNS, day, read, read_one, refused

KIND = "JSON of a kind that is not read"


def said(documents: list[Document]) -> list[tuple[str, str]]:
    return [(document.id, document.text) for document in documents]


# Discord


def discord(*messages: object, **more: object) -> str:
    head = {"guild": {"name": "Night Owls"}, "channel": {"name": "admin"}}
    return json.dumps({**head, "messages": list(messages), **more})


def post(stamp: object, name: str, text: str, **more: object) -> dict[str, Any]:
    author = {"name": name, "nickname": name.title(), "isBot": False}
    return {"type": "Default", "timestamp": stamp, "content": text, "author": author, **more}


def test_a_channel_of_discord_is_read_by_the_day_on_its_clock(tmp_path: Path) -> None:
    content = discord(
        post("2021-08-07T23:59:11.1+02:00", "karo", "Move on 28 August"),
        post("2021-08-08T00:01:00+02:00", "lenny", "Fine", type="Reply"),
        post("2021-08-08T00:02:00+02:00", "zed", "pinned a message", type="ChannelPinnedMessage"),
        post("2021-08-08T00:03:00+02:00", "bot", "beep", author={"name": "bot", "isBot": True}),
        post("2021-08-08T00:04:00+02:00", "x", "No name", author=None),
        post("2021-08-08T00:05:00+02:00", "x", ""),
        post("2021-08-08T00:06:00+02:00", "x", "odd", type=["Default"]),
    )
    documents, failures = read(tmp_path / "c.json", content)
    assert failures == []
    assert said(documents) == [
        ("c.json#2021-08-07", "Karo: Move on 28 August"),
        ("c.json#2021-08-08", "Lenny: Fine\n\nsomebody: No name"),
    ]
    assert documents[0].title == "Night Owls admin: 7 August 2021"
    assert documents[0].places[0].place == "Karo, 23:59"


@pytest.mark.parametrize("stamp", [None, 5, "", "soon", "2021-02-30T10:00:00Z", "2021", ["2021-01-01"]])
def test_posts_without_a_time_are_told_of(tmp_path: Path, stamp: object) -> None:
    documents, (failure,) = read(
        tmp_path / "c.json", discord(post(stamp, "a", "x"), post("2021-01-01T10:00:00Z", "a", "y"))
    )
    assert [document.text for document in documents] == ["A: y"]
    assert "messages without a readable time: 1" in failure.error
    assert failure.partial


def test_own_messages_of_a_data_package(tmp_path: Path) -> None:
    folder = tmp_path / "package" / "messages" / "c1"
    folder.mkdir(parents=True)
    (tmp_path / "package" / "account").mkdir()
    (tmp_path / "package" / "account" / "user.json").write_text('{"username": "karo"}')
    (folder / "channel.json").write_text('{"id": "1", "name": "admin", "guild": {"name": "Owls"}}')
    (folder.parent / "index.json").write_text('{"1": "admin in Owls"}')
    own = [{"ID": 1, "Timestamp": "2021-08-07 19:02:11", "Contents": "Backups first", "Attachments": ""}]
    documents, failures = read(folder / "messages.json", json.dumps(own))
    assert failures == []
    assert said(documents) == [("messages.json#2021-08-07", "karo: Backups first")]
    assert documents[0].title == "Owls admin: 7 August 2021"
    for beside in (folder / "channel.json", folder.parent / "index.json"):
        assert list(READERS[".json"](SourceFile(beside, beside.name), NO_COLUMNS)) == []


def test_own_messages_of_an_older_data_package(tmp_path: Path) -> None:
    folder = tmp_path / "messages" / "c1"
    folder.mkdir(parents=True)
    (folder / "channel.json").write_text('{"id": "1", "name": "admin"}')
    (folder.parent / "index.json").write_text('{"1": "admin"}')
    rows = (
        "ID,Timestamp,Contents,Attachments\r\n"
        '2,2021-08-08 09:00:00.123000+00:00,"Both, said\n""later""",\r\n'
        "1,2021-08-07 19:02:11.123000+00:00,Backups first,https://cdn.test/a.png\r\n"
        "0,soon,Never,\r\n"
    )
    documents, (failure,) = read(folder / "messages.csv", rows)
    assert said(documents) == [
        ("messages.csv#2021-08-07", "I: Backups first"),
        ("messages.csv#2021-08-08", 'I: Both, said\n"later"'),
    ]
    assert (documents[0].title, documents[0].places[0].place) == ("admin: 7 August 2021", "I, 19:02")
    assert "messages without a readable time: 1" in failure.error
    for beside in (folder / "channel.json", folder.parent / "index.json"):
        assert list(READERS[".json"](SourceFile(beside, beside.name), NO_COLUMNS)) == []
    assert read_one(tmp_path / "a.csv", "ID,Timestamp\n1,2021-08-07\n").id == "a.csv"
    broken = 'ID,Timestamp,Contents\n1,2021-08-07,"' + "x" * 200_000
    assert "not a table" in refused(folder / "messages.csv", broken.encode()).message


# ChatGPT

MAY = 1620043200  # 3 May 2021, 12:00 UTC


def node(parent: str | None, role: str, time: object, *parts: object, **content: object) -> dict[str, Any]:
    told = {"content_type": "text", "parts": list(parts), **content}
    message = {"author": {"role": role}, "create_time": time, "content": told, "metadata": {}}
    return {"parent": parent, "children": [], "message": message}


def conversation(**more: object) -> dict[str, Any]:
    mapping = {
        "root": {"parent": None, "message": None},
        "s": node("root", "system", None, "You are helpful"),
        "q": node("s", "user", MAY, "How far\nshould I run?"),
        "a1": node("q", "assistant", MAY + 5, "40 km"),
        "a2": node("q", "assistant", MAY + 60, "Start with 20 km.", {"asset": 1}, ""),
        "tool": node("a2", "tool", MAY + 70, "raw"),
        "code": node("tool", "assistant", MAY + 75, "x = 1", content_type="code"),
        "q2": node("code", "user", MAY + 86_400, "And now?"),
        "a3": node("q2", "assistant", None, "30 km"),
    }
    whole = {"title": "Runs", "create_time": MAY, "conversation_id": "abc", "current_node": "a3"}
    return {**whole, "mapping": mapping, **more}


def test_the_current_branch_of_a_conversation_is_read_by_day(tmp_path: Path) -> None:
    documents, failures = read(tmp_path / "conversations.json", json.dumps([conversation()]))
    assert failures == []
    assert said(documents) == [
        (
            "conversations.json#abc#2021-05-03",
            "User: How far\nshould I run?\n\nChatGPT: Start with 20 km.",
        ),
        ("conversations.json#abc#2021-05-04", "User: And now?\n\nChatGPT: 30 km"),
    ]
    assert documents[0].title == "Runs: 3 May 2021"
    assert [mark.place for mark in documents[1].places] == ["User, 12:00", "ChatGPT"]


def test_another_branch_is_read_where_it_is_current(tmp_path: Path) -> None:
    documents, _ = read(tmp_path / "c.json", json.dumps([conversation(current_node="a1")]))
    assert said(documents) == [("c.json#abc#2021-05-03", "User: How far\nshould I run?\n\nChatGPT: 40 km")]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"current_node": None}, 2),
        ({"current_node": "gone"}, 2),
        ({"current_node": ["a3"]}, 2),
        ({"title": 5, "conversation_id": None, "create_time": "x"}, 2),
        ({"mapping": {}}, 0),
        ({"mapping": {"a": None, "b": 3}, "current_node": "b"}, 0),
        ({"mapping": {"a": node("", "user", MAY, "x", content_type=["text"])}, "current_node": "a"}, 0),
        ({"mapping": {"a": node("a", "user", MAY, "Round and round")}, "current_node": "a"}, 1),
        ({"mapping": {"a": {"parent": [], "message": {"author": [], "content": 1}}}, "current_node": "a"}, 0),
    ],
)
def test_odd_conversations_end(tmp_path: Path, more: dict[str, Any], expected: int) -> None:
    documents, failures = read(tmp_path / "c.json", json.dumps([conversation(**more), "odd"]))
    assert len(documents) == expected
    assert [failure.error for failure in failures] == ["not a conversation"]


def test_a_message_of_an_unknown_time_is_told_of(tmp_path: Path) -> None:
    tree = {"a": node(None, "user", "soon", "x"), "b": node("a", "user", None, "y")}
    whole = conversation(mapping=tree, current_node="b", create_time=None)
    documents, (failure,) = read(tmp_path / "c.json", json.dumps([whole]))
    assert documents == []
    assert "messages without a readable time: 2, the first is conversation 1 ('soon')" in failure.error


# Records and others


def test_a_list_of_records_is_read_as_lines_of_them_are(tmp_path: Path) -> None:
    records = [
        {"id": "one", "title": "T", "date": "2019", "text": "First."},
        {"content": "Second."},
        {"text": 3, "date": "never"},
        {"other": 1},
        None,
    ]
    documents, failures = read(tmp_path / "r.json", json.dumps(records))
    lines = "\n".join(map(json.dumps, records))
    of_lines, failures_of_lines = read(tmp_path / "r.jsonl", lines)
    assert said(documents) == [("one", "First."), ("r.json#2", "Second."), ("r.json#3", "3")]
    assert [one.text for one in of_lines] == [one.text for one in documents]
    assert documents[0].published == of_lines[0].published == year_interval(2019)
    assert [(one.path, one.error) for one in failures] == [
        (one.path.replace("jsonl line", "json record"), one.error) for one in failures_of_lines
    ]


def test_what_changes_in_a_record_changes_its_hash(tmp_path: Path) -> None:
    one, two, three = (
        read(tmp_path / "r.json", json.dumps([{"text": "x", **more}]))[0][0].content_hash
        for more in ({}, {"title": "y"}, {"date": "2020"})
    )
    assert len({one, two, three}) == 3


@pytest.mark.parametrize(
    "content",
    ["{}", "[]", "3", '"text"', "null", '{"name": "x", "version": "1.0"}', "[1, 2]", "[[]]", '{"text": "x"}'],
)
def test_other_json_is_listed_in_one_line(tmp_path: Path, content: str) -> None:
    documents, (failure,) = read(tmp_path / "a.json", content)
    assert (documents, failure.error, failure.partial) == ([], KIND, True)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[{"text": "a"}, {"text": "b"', "1 records before it were read"),
        ('[{"text": "a"} {"text": "b"}]', "1 records before it were read"),
        ('[{"text": "a"},]', "1 records before it were read"),
        ('[{"text": "a"}', "1 records before it were read"),
        ('[{"text": "a"}] tail', "text after its end"),
        ('[{"text": "a"}, ' + "[" * 200_000, "nested too deep"),
    ],
)
def test_a_list_that_breaks_off_keeps_what_came_before(tmp_path: Path, content: str, told: str) -> None:
    documents, (failure,) = read(tmp_path / "a.json", content)
    assert [document.text for document in documents] == ["a"]
    assert told in failure.error
    assert not failure.partial
    assert failure.hint


@pytest.mark.parametrize("content", ["{", '{"messages": [', "nonsense", '{"a": ' * 100_000, "[1 2"])
def test_what_is_not_json_is_refused(tmp_path: Path, content: str) -> None:
    try:
        _, (failure,) = read(tmp_path / "a.json", content)
    except BadInputError as error:
        failure = Failure("a.json", error.message, error.hint)
    assert failure.error.startswith("not JSON: ")
    assert "\n" not in failure.error
    assert failure.hint


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_files, "_LARGEST", 100)
    monkeypatch.setattr(json_files, "_LARGEST_LIST", 200)
    record = json.dumps([{"text": "x" * 150}])
    assert len(read(tmp_path / "a.json", record)[0]) == 1
    with pytest.raises(BadInputError, match="it is larger than"):
        read(tmp_path / "a.json", json.dumps({"messages": ["x" * 150], "channel": {}}))
    with pytest.raises(BadInputError, match="it is larger than"):
        read(tmp_path / "a.json", json.dumps([{"text": "x" * 300}]))


def test_json_feed(tmp_path: Path) -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Village",
        "items": [
            {
                "id": 7,
                "url": "https://v.example.org/7",
                "title": "Bridge",
                "content_html": "<p>The bridge is <b>closed</b>.</p><script>x</script>",
                "date_published": "2021-10-04T09:00:00Z",
                "date_modified": "2022-01-01T00:00:00Z",
                "authors": [{"name": "Ann"}],
            },
            {"id": "8", "content_text": "No date."},
            "odd",
            {"id": "9"},
        ],
    }
    documents, failures = read(tmp_path / "f.json", json.dumps(feed))
    assert said(documents) == [
        ("f.json#7", "By Ann.\n\nThe bridge is closed."),
        ("f.json#8", "No date."),
    ]
    assert (documents[0].title, documents[0].published) == ("Village: Bridge", day(2021, 10, 4))
    assert [mark.place for mark in documents[0].places] == ["https://v.example.org/7"]
    assert [(one.path, one.error) for one in failures] == [("f.json item 3", "it has neither title nor text")]
