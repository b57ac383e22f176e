"""Conversations on disk: round trips, searching, several processes, files that cannot be used."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timelens.errors import MissingError, StoreError
from timelens.history import RUNNING, History, KeptExchange, title_of

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from timelens.history import History, KeptExchange
history, name, conversation = History(Path(sys.argv[1])), sys.argv[2], None
for number in range(int(sys.argv[3])):
    question = f"{name} {number}"
    kept = KeptExchange(question, "c", 0, "s", "answered", "x" * 20_000, None, datetime.now(UTC))
    conversation = history.append(conversation, kept)
    print(number, flush=True)
"""

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["\x1b[2J", "a\0b", "'; DROP TABLE x; --", ""]
)
EXCHANGES = st.builds(
    KeptExchange,
    question=TEXTS,
    corpus=TEXTS,
    as_of=st.integers(-20_000_000, 4_000_000),
    strategy=st.sampled_from(["timelens", "bm25"]),
    status=st.sampled_from(["answered", "no_answer", "partial", "cancelled", "failed"]),
    answer=TEXTS,
    result=st.none() | st.dictionaries(TEXTS, TEXTS).map(json.dumps),
    asked=st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
)


def exchange(question: str, answer: str = "An answer [1].", *, day: int = 0) -> KeptExchange:
    asked = NOON + timedelta(days=day)
    return KeptExchange(question, "spaceflight", 19_000, "timelens", "answered", answer, '{"n": 1}', asked)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "home" / "conversations.sqlite")


def file_of(history: History) -> Path:
    return history._path


def start(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(EXCHANGES, min_size=1, max_size=4))
def test_what_is_written_is_read_again(history: History, written: list[KeptExchange]) -> None:
    conversation = None
    for kept in written:
        conversation = history.append(conversation, kept)
    assert conversation is not None
    assert history.exchanges(conversation) == written
    newest = history.conversations()[0]
    assert (newest.id, newest.exchanges, newest.corpus) == (conversation, len(written), written[-1].corpus)
    assert (newest.created, newest.updated) == (written[0].asked, written[-1].asked)
    assert newest.title == title_of(written[0].question)
    assert history.questions()[-len(written) :] == [kept.question for kept in written]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_any_words_may_be_searched_for(history: History, words: str) -> None:
    history.append(None, exchange("What is it?"))
    history.conversations(words)


def test_lone_surrogates_are_replaced_and_nothing_else_is_lost(history: History) -> None:
    conversation = history.append(None, exchange("a\ud800b", "c\udfffd"))
    [kept] = history.exchanges(conversation)
    assert (kept.question, kept.answer) == ("a?b", "c?d")
    assert [c.id for c in history.conversations("a\ud800b")] == [conversation]


def test_the_file_and_its_folder_are_private_to_the_user(history: History) -> None:
    history.append(None, exchange("What is it?"))
    assert file_of(history).stat().st_mode & 0o777 == 0o600
    assert file_of(history).parent.stat().st_mode & 0o777 == 0o700


def test_a_long_question_makes_a_short_title(history: History) -> None:
    history.append(None, exchange("Why\x1b\n" + "so " * 100))
    [conversation] = history.conversations()
    assert conversation.title.startswith("Why␛ so so")
    assert len(conversation.title) <= 80
    assert conversation.title.endswith("…")


def test_the_conversation_last_written_to_stands_first(history: History) -> None:
    first = history.append(None, exchange("First?"))
    second = history.append(None, exchange("Second?", day=1))
    assert [c.id for c in history.conversations()] == [second, first]
    history.append(first, exchange("Again?", day=2))
    assert [c.id for c in history.conversations()] == [first, second]


def test_searching_wants_every_word_somewhere_in_the_conversation(history: History) -> None:
    mir = history.append(None, exchange("When did Mir fall?", "Mir fell on 23 March 2001 [1]."))
    history.append(mir, exchange("And the Élysée treaty?", "It is of 1963."))
    other = history.append(None, exchange("When was Salyut 1 launched?"))
    found = {
        words: [conversation.id for conversation in history.conversations(words)]
        for words in ("", "mir", "MIR elysee", "salyut elysee", "sal", "launched when", "2001", "ir", "?!")
    }
    assert found == {
        "": [other, mir],
        "mir": [mir],
        "MIR elysee": [mir],
        "salyut elysee": [],
        "sal": [other],
        "launched when": [other],
        "2001": [mir],
        "ir": [],
        "?!": [other, mir],
    }


def test_a_question_is_written_as_it_is_asked_and_again_as_it_ends(history: History) -> None:
    asked = replace(exchange("What fell?", ""), status=RUNNING)
    conversation = history.append(None, asked)
    assert history.exchanges(conversation) == [asked]
    ended = exchange("What fell?", "Mir fell [1].")
    assert history.append(conversation, ended) == conversation
    assert history.exchanges(conversation) == [ended]
    assert [c.id for c in history.conversations("mir")] == [conversation]
    history.append(conversation, ended)
    assert history.exchanges(conversation) == [ended, ended]

    history.append(conversation, asked)
    history.delete(conversation)
    again = history.append(conversation, ended)
    assert history.exchanges(again) == [ended]


def test_a_file_of_the_first_version_is_gone_on_with(history: History) -> None:
    conversation = history.append(None, exchange("First?"))
    with closing(sqlite3.connect(file_of(history))) as database:
        database.execute("DROP TRIGGER exchange_changed")
        database.execute("PRAGMA user_version = 1")
    history.append(conversation, replace(exchange("Second?", ""), status=RUNNING))
    history.append(conversation, exchange("Second?", "Xanthippe."))
    assert [kept.question for kept in history.exchanges(conversation)] == ["First?", "Second?"]
    assert [c.id for c in history.conversations("xanthippe")] == [conversation]


def test_a_new_title_is_shown_and_searched_in_place_of_the_old_one(history: History) -> None:
    conversation = history.append(None, exchange("What is it?", "Nothing."))
    history.rename(conversation, "Rockets  of\nold")
    assert [c.title for c in history.conversations("rockets")] == ["Rockets of old"]
    history.rename(conversation, "Ships")
    assert history.conversations("rockets") == []
    assert [c.id for c in history.conversations("what ships")] == [conversation]


def test_what_is_deleted_is_gone_from_the_file(history: History) -> None:
    kept = history.append(None, exchange("Which one stays?"))
    gone = history.append(None, exchange("Who is Xanthippe?", "Xanthippe."))
    history.delete(gone)
    assert [c.id for c in history.conversations()] == [kept]
    assert history.conversations("xanthippe") == []
    assert b"anthippe" not in file_of(history).read_bytes()
    with pytest.raises(MissingError, match="is gone"):
        history.exchanges(gone)
    with pytest.raises(MissingError, match="is gone"):
        history.rename(gone, "x")
    history.delete(gone)


def test_conversations_without_a_question_for_long_are_deleted_and_no_others(history: History) -> None:
    old = history.append(None, exchange("Who is Xanthippe?", "Xanthippe.", day=0))
    going_on = history.append(None, exchange("Which one stays?", day=0))
    history.append(going_on, exchange("And then?", day=20))
    history.append(None, exchange("What is new?", day=30))
    assert history.delete_older(NOON) == 0
    assert history.delete_older(NOON + timedelta(days=10)) == 1
    assert [c.title for c in history.conversations()] == ["What is new?", "Which one stays?"]
    assert [kept.question for kept in history.exchanges(going_on)] == ["Which one stays?", "And then?"]
    assert b"anthippe" not in file_of(history).read_bytes()
    with pytest.raises(MissingError, match="is gone"):
        history.exchanges(old)
    assert history.delete_older(NOON + timedelta(days=10)) == 0


def test_an_exchange_for_a_deleted_conversation_begins_another_under_a_new_id(history: History) -> None:
    gone = history.append(None, exchange("First?"))
    history.delete(gone)
    other = history.append(None, exchange("Other?"))
    again = history.append(gone, exchange("Second?"))
    assert len({gone, other, again}) == 3
    assert [kept.question for kept in history.exchanges(again)] == ["Second?"]


def test_two_processes_write_at_once_and_lose_nothing(history: History) -> None:
    writers = [start(file_of(history), name, 40) for name in ("left", "right")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    found = {c.title: [e.question for e in history.exchanges(c.id)] for c in history.conversations()}
    assert found == {f"{name} 0": [f"{name} {n}" for n in range(40)] for name in ("left", "right")}


@pytest.mark.parametrize("survive", [1, 7, 23])
def test_a_killed_process_loses_at_most_what_it_was_writing(history: History, survive: int) -> None:
    writer = start(file_of(history), "killed", 100_000)
    assert writer.stdout is not None
    with writer.stdout:
        for _ in range(survive):
            last = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        said = [last, *(int(line) for line in writer.stdout if line.endswith("\n"))]
    assert writer.wait(30) == -signal.SIGKILL
    [conversation] = history.conversations()
    kept = [kept.question for kept in history.exchanges(conversation.id)]
    assert kept == [f"killed {number}" for number in range(len(kept))]
    assert len(kept) >= said[-1] + 1
    history.append(conversation.id, exchange("Afterwards?"))
    with closing(sqlite3.connect(file_of(history))) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def every_use(history: History) -> list[StoreError]:
    uses = (
        history.check,
        history.questions,
        history.conversations,
        lambda: history.conversations("x"),
        lambda: history.exchanges(1),
        lambda: history.append(1, exchange("What is it?")),
        lambda: history.rename(1, "x"),
        lambda: history.delete(1),
        lambda: history.delete_older(NOON),
    )
    errors = []
    for use in uses:
        with pytest.raises(StoreError) as raised:
            use()
        errors.append(raised.value)
    return errors


def test_a_file_of_a_newer_version_is_refused_and_left_alone(history: History) -> None:
    history.check()
    with closing(sqlite3.connect(file_of(history))) as database:
        database.execute("PRAGMA user_version = 3")
    before = file_of(history).read_bytes()
    for error in every_use(history):
        assert "newer timelens (version 3)" in error.message
        assert "upgrade timelens" in error.hint
    assert file_of(history).read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_is_refused_and_left_alone(history: History, content: bytes) -> None:
    file_of(history).parent.mkdir()
    file_of(history).write_bytes(content)
    for error in every_use(history):
        assert "is not a history or is damaged" in error.message
        assert "move the file away" in error.hint
    assert file_of(history).read_bytes() == content


def test_a_database_of_something_else_is_refused(history: History) -> None:
    file_of(history).parent.mkdir()
    with closing(sqlite3.connect(file_of(history))) as database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")
    assert all("it holds other tables" in error.message for error in every_use(history))


def test_values_of_another_kind_are_a_damaged_file(history: History) -> None:
    conversation = history.append(None, exchange("What is it?"))
    with closing(sqlite3.connect(file_of(history))) as database, database:
        database.execute("UPDATE exchanges SET asked = 'yesterday'")
    with pytest.raises(StoreError, match="damaged"):
        history.exchanges(conversation)


def test_pages_that_were_overwritten_are_said_and_not_obeyed(history: History) -> None:
    for number in range(50):
        history.append(None, exchange(f"Question {number}?", "x" * 2000))
    content = bytearray(file_of(history).read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    file_of(history).write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        history.conversations()


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "conversations.sqlite"):
        with pytest.raises(StoreError, match="cannot be used"):
            History(place).check()


def test_a_folder_that_cannot_be_made_is_told_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    history = History(tmp_path / "file" / "conversations.sqlite")
    with pytest.raises(StoreError, match=r"cannot be used: (File exists|Not a directory)$"):
        history.check()


def test_a_locked_file_is_named_after_a_while(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelens.history._PATIENCE_SECONDS", 0.1)
    history.check()
    with closing(sqlite3.connect(file_of(history), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use by another program"):
            history.append(None, exchange("What is it?"))
        other.execute("ROLLBACK")
    history.append(None, exchange("What is it?"))


def test_reading_does_not_wait_for_a_writer_and_sees_what_is_complete(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = history.append(None, exchange("What is it?"))
    listed, kept = history.conversations(), history.exchanges(conversation)
    monkeypatch.setattr("timelens.history._PATIENCE_SECONDS", 0.1)
    with closing(sqlite3.connect(file_of(history), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE conversations SET title = 'Another'")
        assert history.conversations() == history.conversations("what") == listed
        assert history.exchanges(conversation) == kept
        assert history.questions() == ["What is it?"]
        other.execute("COMMIT")
        assert [each.title for each in history.conversations()] == ["Another"]
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="in use by another program"):
            history.conversations()
