"""Write lock for a corpus in an object store, which has no file locks: writers take turns.

A table of one row names the holder of the turn. It is changed by conditional updates: LanceDB commits them
one after the other and retries an update that lost a race on the new state, so only one of two processes
that find the row free gets it. The holder changes the row every few seconds (heartbeat). If it is killed,
another process takes the turn after the row has not changed for long enough, by its own clock: clocks of two
machines are never compared.

Making the table is not atomic in this way: if two processes find no table, the later one replaces the table
of the earlier one. A row that was never held is therefore taken only after it has not changed for longer than
it takes to make a table.
"""

import random
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Self

import pyarrow as pa

from timelens.errors import StoreError, TimelensError
from timelens.store.database import connect, open_made
from timelens.store.lance_errors import store_errors
from timelens.store.location import Address

if TYPE_CHECKING:
    from lancedb.table import LanceTable

WRITER = "writer"
"""The table."""
SILENCE = 30.0
"""Seconds without a heartbeat after which a turn is over."""
BEAT = 5.0
"""Seconds between heartbeats."""
SETTLING = 2.0
"""Seconds that a new table must stay unchanged before its row is taken."""
PATIENCE = 600.0
"""Seconds that a writer waits for its turn."""
_PAUSE = (0.2, 1.0)
_VERSIONS = 100
"""Number of versions of the table after which old ones are deleted."""
_OLD = timedelta(minutes=10)

_SCHEMA = pa.schema([("holder", pa.string()), ("beat", pa.int64())])
_FREE, _NEW = "", "new"

_guard = threading.Lock()
_turns: dict[str, "_Lease"] = {}
"""The turns of this process, by address."""


@contextmanager
def write_lease(at: Address) -> Iterator["_Lease"]:
    """Context in which only this process writes to a corpus; a thread that has the turn may take it again.

    Raises:
        StoreError: other processes held the turn for longer than :data:`PATIENCE`.
        MissingError: the object store cannot be reached, or refuses access.
    """
    with _guard:
        mine = _turns.setdefault(at.url, _Lease(at))
    with mine:
        yield mine


class _Lease:
    """The turn of one process to write to one corpus."""

    def __init__(self, at: Address) -> None:
        self._at = at
        self._threads = threading.RLock()
        self._depth = 0
        self._name = ""
        self._table: LanceTable | None = None
        self._version = 0
        self._last_sign = 0.0
        self._over = threading.Event()
        self._is_lost = False

    def __enter__(self) -> Self:
        self._threads.acquire()
        try:
            if not self._depth:
                self._take()
            self._depth += 1
        except BaseException:
            self._threads.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._depth -= 1
            if not self._depth:
                self._give_back()
        finally:
            self._threads.release()

    def require(self) -> None:
        """Make sure that this process still has the turn.

        Raises:
            StoreError: there was no heartbeat for so long that another process may have taken the turn.
        """
        if self._is_lost or time.monotonic() - self._last_sign > SILENCE:
            self._is_lost = True
            raise StoreError(
                f"this process lost its turn to write to {self._at}: it paused too long, or lost its "
                "connection",
                "run the same command again; it goes on from there",
            )

    def _take(self) -> None:
        self._name = uuid.uuid4().hex
        with store_errors(self._at):
            self._table = _opened(self._at)
            self._wait(self._table)
            self._version = self._table.version
            self._over = threading.Event()
            self._is_lost = False
            threading.Thread(target=self._beats, args=(self._table, self._over), daemon=True).start()

    def _wait(self, table: "LanceTable") -> None:
        """Wait until this process holds the row."""
        begun = seen_at = time.monotonic()
        seen: tuple[str, int] | None = None
        wanted = f"holder = '{_FREE}'"
        while True:
            asked = time.monotonic()
            if self._takes(table, wanted):
                self._last_sign = asked
                return
            row = table.search().limit(1).to_arrow().to_pylist()[0]
            now = (row["holder"], row["beat"])
            wanted = f"holder = '{_FREE}'"
            if now != seen:
                seen, seen_at = now, time.monotonic()
            elif time.monotonic() - seen_at > (SETTLING if now[0] == _NEW else SILENCE):
                wanted += f" OR (holder = '{now[0]}' AND beat = {now[1]:d})"
            if time.monotonic() - begun > PATIENCE:
                raise StoreError(
                    f"other processes are writing to {self._at}",
                    "wait until they have finished, then try again",
                )
            time.sleep(random.uniform(*_PAUSE))  # noqa: S311 -- spreads the requests of waiting processes

    def _takes(self, table: "LanceTable", wanted: str) -> bool:
        """Whether this process took the row, which needs the condition ``wanted`` to hold."""
        try:
            values = {"holder": self._name, "beat": 0}
            return bool(table.update(where=wanted, values=values).rows_updated)
        except RuntimeError as error:
            if "Incompatible transaction" not in str(error):
                raise
            return False  # another process has made the table in between

    def _beats(self, table: "LanceTable", over: threading.Event) -> None:
        """Send heartbeats until the turn is over or lost."""
        while not over.wait(BEAT):
            asked = time.monotonic()
            try:
                held = table.update(where=f"holder = '{self._name}'", values_sql={"beat": "beat + 1"})
            except Exception:  # noqa: BLE001, S112 -- the connection may come back; if not, the turn is lost
                continue
            if over.is_set():
                return
            if not held.rows_updated:
                self._is_lost = True
                return
            self._last_sign = asked

    def _give_back(self) -> None:
        self._over.set()
        table, self._table = self._table, None
        if table is None:
            return
        try:
            if table.version // _VERSIONS > self._version // _VERSIONS:
                table.optimize(cleanup_older_than=_OLD)
            table.update(where=f"holder = '{self._name}'", values={"holder": _FREE})
        except (RuntimeError, ValueError, OSError, TimelensError):
            return  # without heartbeats the turn is over; or the corpus was removed


def _opened(at: Address) -> "LanceTable":
    """The table; it is made if it does not exist."""
    database = connect(at)
    if (table := open_made(database, WRITER)) is not None:
        return table
    try:
        row = {"holder": [_NEW], "beat": [random.getrandbits(32)]}  # differs for each process that makes it
        return database.create_table(WRITER, pa.table(row, schema=_SCHEMA))
    except ValueError as error:
        if "already exists" not in str(error):
            raise
    return database.open_table(WRITER)
