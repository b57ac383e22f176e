"""Conversations on disk: one SQLite file, private to the user."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from timelens.errors import MissingError, StoreError, reason_of
from timelens.folders import make_private
from timelens.printable import printable_line, shortened
from timelens.temporal.calendar import Day

_VERSION = 2
RUNNING = "running"
"""Status of a question that has not ended yet; it remains if the chat is killed."""
_LONGEST_TITLE = 80
_PATIENCE_SECONDS = 5.0
"""Seconds that a chat waits for another one that is writing."""

# Ids are never reused: a chat that still has a deleted conversation open must not write into another one.
# The index of words is updated by triggers, so that no write can forget it.
_CHANGED = """CREATE TRIGGER exchange_changed AFTER UPDATE ON exchanges BEGIN
        UPDATE words SET text = new.question || char(10) || new.answer WHERE exchange = new.id;
    END"""
_SET_VERSION = f"PRAGMA user_version = {_VERSION}"
_SCHEMA = (
    """CREATE TABLE conversations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL
    )""",
    """CREATE TABLE exchanges (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        asked INTEGER NOT NULL,
        corpus TEXT NOT NULL,
        question TEXT NOT NULL,
        as_of INTEGER NOT NULL,
        strategy TEXT NOT NULL,
        status TEXT NOT NULL,
        answer TEXT NOT NULL,
        result TEXT
    )""",
    "CREATE INDEX of_conversation ON exchanges (conversation)",
    """CREATE VIRTUAL TABLE words USING fts5 (
        text, conversation UNINDEXED, exchange UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'
    )""",
    """CREATE TRIGGER title_written AFTER INSERT ON conversations BEGIN
        INSERT INTO words VALUES (new.title, new.id, NULL);
    END""",
    """CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations BEGIN
        UPDATE words SET text = new.title WHERE conversation = new.id AND exchange IS NULL;
    END""",
    """CREATE TRIGGER exchange_written AFTER INSERT ON exchanges BEGIN
        INSERT INTO words VALUES (new.question || char(10) || new.answer, new.conversation, new.id);
    END""",
    """CREATE TRIGGER conversation_deleted AFTER DELETE ON conversations BEGIN
        DELETE FROM words WHERE conversation = old.id;
    END""",
    _CHANGED,
    _SET_VERSION,
)

_CONVERSATIONS = """
    SELECT c.id, c.title, last.corpus, first.asked, last.asked, ends.count FROM conversations c
    JOIN (
        SELECT conversation, min(id) first, max(id) last, count(*) count FROM exchanges GROUP BY conversation
    ) ends ON ends.conversation = c.id
    JOIN exchanges first ON first.id = ends.first
    JOIN exchanges last ON last.id = ends.last
    ORDER BY ends.last DESC
"""
_END_RUNNING = """
    UPDATE exchanges SET corpus = :corpus, status = :status, answer = :answer, result = :result WHERE id = (
        SELECT max(id) FROM exchanges WHERE conversation = :conversation
        AND status = :running AND question = :question AND asked = :asked
    )
"""
_WRITE = """
    INSERT INTO exchanges (conversation, asked, corpus, question, as_of, strategy, status, answer, result)
    VALUES (:conversation, :asked, :corpus, :question, :as_of, :strategy, :status, :answer, :result)
"""
_DELETE_OLDER = """
    DELETE FROM conversations WHERE id IN (
        SELECT conversation FROM exchanges GROUP BY conversation HAVING max(asked) < ?
    )
"""
_DROP_WORDS = "INSERT INTO words (words) VALUES ('optimize')"
"""Removes the words of deleted exchanges from the index."""
_HOLDING = "SELECT conversation FROM words WHERE words MATCH ?"


@dataclass(frozen=True, slots=True)
class KeptExchange:
    """A question with its status and answer."""

    question: str
    corpus: str
    """Name or path by which the corpus is opened."""
    as_of: Day
    strategy: str
    status: str
    """``answered``, ``partial``, ``no_answer``, ``cancelled``, ``failed``, or ``running`` until it ends."""
    answer: str
    """The text of the answer, possibly incomplete."""
    result: str | None
    """The full answer as JSON, stored unchanged."""
    asked: datetime
    """Time zone aware, in whole seconds."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """An item of the list of conversations."""

    id: int
    title: str
    corpus: str
    """The corpus of the last exchange."""
    created: datetime
    updated: datetime
    exchanges: int


class History:
    """The conversations in one file, which is made on first use.

    Every call is one transaction over a new connection, so that any thread and any number of processes may
    use the file at the same time, and a killed process loses at most the exchange it was writing.

    What only reads does not wait for a writer, except while it completes its transaction.

    Every method raises :class:`StoreError` if the file cannot be used: it is not a history, of a newer
    version, corrupt, locked for seconds, or on a full disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def check(self) -> None:
        """Make the file if there is none, and check that it can be used."""
        with self._transaction():
            pass

    def append(self, conversation: int | None, exchange: KeptExchange) -> int:
        """Append an exchange to a conversation; it replaces itself if it was written as running.

        ``None``, or a conversation deleted in the meantime, begins a new one, titled by its first question.
        Returns the conversation's id.
        """
        values = {
            "asked": int(exchange.asked.timestamp()),
            "corpus": _storable(exchange.corpus),
            "question": _storable(exchange.question),
            "as_of": exchange.as_of,
            "strategy": exchange.strategy,
            "status": exchange.status,
            "running": RUNNING,
            "answer": _storable(exchange.answer),
            "result": None if exchange.result is None else _storable(exchange.result),
        }
        with self._transaction() as database:
            found = database.execute("SELECT id FROM conversations WHERE id = ?", [conversation]).fetchone()
            if found is None:
                title = _storable(title_of(exchange.question))
                made = database.execute(
                    "INSERT INTO conversations (title) VALUES (?) RETURNING id", [title]
                ).fetchone()
            [identity] = found or made
            values["conversation"] = identity
            if database.execute(_END_RUNNING, values).rowcount == 0:
                database.execute(_WRITE, values)
            return int(identity)

    def conversations(self, words: str = "") -> list[Conversation]:
        """All conversations, last written first.

        ``words`` selects conversations that contain every word, as the prefix of a word, in their title,
        questions or answers. Case and accents are ignored.
        """
        # In quotes, FTS5 takes any text as a word.
        sought = [
            f'"{word.replace(chr(34), chr(34) * 2)}"*'
            for word in words.replace("\0", " ").split()
            if any(map(str.isalnum, word))
        ]
        with self._reading() as database:
            holding = [
                {identity for [identity] in database.execute(_HOLDING, [_storable(word)])} for word in sought
            ]
            return [
                Conversation(identity, title, corpus, _moment(created), _moment(updated), count)
                for identity, title, corpus, created, updated, count in database.execute(_CONVERSATIONS)
                if all(identity in found for found in holding)
            ]

    def exchanges(self, conversation: int) -> list[KeptExchange]:
        """All exchanges of a conversation, in order.

        Raises:
            MissingError: there is no such conversation any more.
        """
        with self._reading() as database:
            rows = database.execute(
                "SELECT question, corpus, as_of, strategy, status, answer, result, asked FROM exchanges"
                " WHERE conversation = ? ORDER BY id",
                [conversation],
            ).fetchall()
            kept = [
                KeptExchange(question, corpus, int(as_of), strategy, status, answer, result, _moment(asked))
                for question, corpus, as_of, strategy, status, answer, result, asked in rows
            ]
        if not kept:
            raise _gone()
        return kept

    def questions(self, most: int = 500) -> list[str]:
        """The last questions of all conversations, at most ``most``, in the order they were asked."""
        with self._reading() as database:
            rows = database.execute("SELECT question FROM exchanges ORDER BY id DESC LIMIT ?", [most])
            return [question for [question] in rows][::-1]

    def rename(self, conversation: int, title: str) -> None:
        """Give a conversation another title.

        Raises:
            MissingError: there is no such conversation any more.
        """
        with self._transaction() as database:
            changed = database.execute(
                "UPDATE conversations SET title = ? WHERE id = ?", [_storable(title_of(title)), conversation]
            )
            if changed.rowcount == 0:
                raise _gone()

    def delete(self, conversation: int) -> None:
        """Remove a conversation and its exchanges; nothing happens if it does not exist."""
        with self._transaction() as database:
            database.execute("DELETE FROM conversations WHERE id = ?", [conversation])
            database.execute(_DROP_WORDS)

    def delete_older(self, than: datetime) -> int:
        """Remove the conversations whose last question was asked before a time. Returns their number."""
        with self._transaction() as database:
            removed = database.execute(_DELETE_OLDER, [int(than.timestamp())]).rowcount
            if removed:
                database.execute(_DROP_WORDS)
            return removed

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Context of one atomic transaction that excludes other writers."""
        with self._connected() as database:
            database.execute("BEGIN IMMEDIATE")
            self._prepare(database)
            yield database
            database.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Context of one transaction that sees one state of the file and writes only to prepare it."""
        with self._connected() as database:
            database.execute("BEGIN")
            if _version_of(database) != _VERSION:
                database.execute("ROLLBACK")
                database.execute("BEGIN IMMEDIATE")
                self._prepare(database)
            yield database
            database.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Context of a connection to the file, which is made if there is none."""
        try:
            make_private(self._path.parent)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            with closing(sqlite3.connect(self._path, _PATIENCE_SECONDS, isolation_level=None)) as database:
                database.execute("PRAGMA foreign_keys = ON")
                database.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
                yield database
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error
        except (ValueError, TypeError, OverflowError) as error:  # a value that timelens never writes
            raise self._corrupt(str(error)) from error

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make the tables of a new file, or check the version of an existing one and update it."""
        version = _version_of(database)
        if version > _VERSION:
            raise StoreError(
                f"{self._path} was written by a newer timelens (version {version})",
                "upgrade timelens, or move the file away to begin a new history",
            )
        if version == 0:
            if database.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
                raise self._corrupt("it holds other tables")
            for statement in _SCHEMA:
                database.execute(statement)
        elif version < _VERSION:
            database.execute(_CHANGED)
            database.execute(_SET_VERSION)

    def _unusable(self, error: sqlite3.Error | OSError) -> StoreError:
        code = getattr(error, "sqlite_errorcode", None)
        kind = None if code is None else code & 0xFF  # the last byte of extended codes is the basic code
        if kind in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return StoreError(
                f"{self._path} is in use by another program", "try again when that program has finished"
            )
        if kind == sqlite3.SQLITE_FULL:
            return StoreError(f"the disk is full: {self._path} cannot grow", "make room")
        if kind in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}:
            return self._corrupt(str(error))
        return StoreError(
            f"{self._path} cannot be used: {reason_of(error)}", "check the disk and its permissions"
        )

    def _corrupt(self, why: str) -> StoreError:
        return StoreError(
            f"{self._path} is not a history or is damaged: {why}",
            "move the file away to begin a new history",
        )


def title_of(text: str) -> str:
    """The title of a conversation: a text on one line, shortened."""
    return shortened(printable_line(text), _LONGEST_TITLE)


def _version_of(database: sqlite3.Connection) -> int:
    """The version of the tables; 0 for a new file."""
    [version] = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _storable(text: str) -> str:
    """The text with lone surrogates replaced, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _gone() -> MissingError:
    return MissingError("the conversation is gone", "another chat deleted it; see /history")
