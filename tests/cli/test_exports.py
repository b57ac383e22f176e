"""Exports of chats and feeds in a real corpus, as people meet them."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from cli.conftest import Run

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")

CHAT = (
    "13/05/2021, 10:33 - Anna: We should sell the boat. It costs too much.\n"
    "13/05/2021, 10:41 - Ben Koster: I would rather rent out the mooring.\n"
    "14/05/2021, 09:00 - Anna: <Media omitted>\n"
    "12/06/2021, 21:05 - Anna: The boat goes to Ruth for 6,400.\n"
)
HOSTILE = [
    {
        "type": "message",
        "ts": "1620043200.0",
        "user_profile": {"real_name": f"\x1b[31mMallory{TAGS}\u202e\nroot"},
        "text": f"The pier\x1b]0;owned\x07 opens{TAGS} at\u200b nine. \ud800",
    },
    {"type": "message", "ts": {}, "user": [], "text": "x"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    path = tmp_path / "exports"
    (path / "slack" / "ops").mkdir(parents=True)
    (path / "Family.txt").write_text(CHAT)
    (path / "slack" / "ops" / "2021-05-03.json").write_text(json.dumps(HOSTILE))
    (path / "package.json").write_text('{"name": "x"}')
    (path / "logo.xml").write_text("<svg/>")
    return path


def test_messages_are_answered_from_by_sender_and_day(run: Run, folder: Path) -> None:
    outcome = run("ingest", folder, "-c", "chats", "--json")
    report = json.loads(outcome.out)
    assert outcome.code == 1
    assert (report["documents"]["added"], report["documents"]["failed"]) == (3, 0)
    assert [(one["path"], one["error"]) for one in report["failures"]] == [
        (
            "slack/ops/2021-05-03.json",
            "messages without a readable time: 1, the first is message 2 ('{}')",
        ),
    ]
    assert sorted((one["path"], one["error"]) for one in report["skipped"]) == [
        ("logo.xml", "XML of a kind that is not read (its root is svg)"),
        ("package.json", "JSON of a kind that is not read"),
    ]
    found = json.loads(run("search", "What did Ben say on 13 May 2021?", "-c", "chats", "--json").out)
    (best, *_) = found["hits"]
    assert (best["place"], best["published"]) == ("Ben Koster, 10:41", "2021-05-13")
    assert best["text"].startswith("Anna: We should sell the boat.")
    answer = run("ask", "What did Anna say about the boat in May 2021?", "-c", "chats")
    assert "We should sell the boat." in answer.out
    assert "Family: 13 May 2021, Anna, 10:33" in answer.out


def test_a_grown_chat_adds_its_new_days_alone(run: Run, folder: Path) -> None:
    run("ingest", folder, "-c", "chats", "-q")
    (folder / "Family.txt").write_text(CHAT + "19/06/2021, 08:50 - Ben Koster: It is gone.\n")
    counts = json.loads(run("ingest", folder, "-c", "chats", "--json").out)["documents"]
    assert (counts["added"], counts["updated"], counts["unchanged"]) == (1, 0, 3)


def test_other_json_and_xml_are_no_failures_unless_they_are_named(run: Run, folder: Path) -> None:
    (folder / "slack" / "ops" / "2021-05-03.json").unlink()
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("other.json", '{"a": 1}')
    outcome = run("ingest", folder, "-c", "chats", "--json")
    report = json.loads(outcome.out)
    assert (outcome.code, report["failures"]) == (0, [])
    skipped = sorted(one["path"] for one in report["skipped"])
    assert skipped == ["a.zip/other.json", "logo.xml", "package.json"]
    for name in ("logo.xml", "package.json"):
        named = run("ingest", folder / name, "-c", "chats", "-q")
        assert (named.code, f"{name}: " in named.err) == (1, True)
    given = run("ingest", "-", "--type", "json", "-c", "chats", "-q", stdin='{"a": 1}')
    assert (given.code, "stdin.json: JSON of a kind that is not read" in given.err) == (1, True)


def test_other_json_and_xml_keep_nothing_from_being_synced(run: Run, folder: Path) -> None:
    run("ingest", folder, "-c", "chats", "-q")
    (folder / "slack" / "ops" / "2021-05-03.json").unlink()
    counts = json.loads(run("ingest", folder, "-c", "chats", "--sync", "--json").out)["documents"]
    assert (counts["removed"], counts["failed"]) == (1, 0)


@pytest.mark.parametrize("command", ["ask", "search"])
def test_nothing_unseen_of_a_message_reaches_the_terminal(run: Run, folder: Path, command: str) -> None:
    assert not UNSEEN.search(run("ingest", folder, "-c", "chats").err)
    outcome = run(command, "When does the pier open?", "-c", "chats")
    assert outcome.code == 0
    assert not UNSEEN.search(outcome.out + outcome.err)
    assert "Mallory" in outcome.out


@pytest.mark.parametrize("name", ["broken.json", "broken.rss"])
def test_a_broken_export_is_one_line_with_a_remedy(run: Run, folder: Path, name: str) -> None:
    (folder / name).write_text('{"messages": [')
    outcome = run("ingest", folder / name, "-c", "chats", "-q")
    (line,) = outcome.err.strip().splitlines()
    assert line.startswith(f"{name}: ")
    assert re.search(r"\(.*(check that it is complete|it may be cut off).*\)", line)
    assert outcome.code == 1
