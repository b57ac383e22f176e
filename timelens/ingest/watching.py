"""Watches files and folders for changes. The only module that uses watchfiles."""

import stat
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from timelens.errors import BadInputError, TimelensError, first_line
from timelens.ingest.patterns import Selection
from timelens.ingest.sources import discover
from timelens.printable import counted

_TICK = 0.5
"""Seconds between two checks of the given paths while no change is reported."""
_MOMENT = 1.0
"""Seconds that a file must stay unchanged before it is read."""
_PATIENCE = 5.0
"""Seconds that settled files wait for others, and that watched paths may be missing."""
_RETRY = 10.0
"""Seconds until changes that could not be ingested are handed on again."""
_REST = 10
"""Pause after a scan, as a multiple of its duration, for files that never settle."""

Stamp = tuple[int, ...]
"""A value that changes when a file or folder is written or replaced."""


class Stop(Protocol):
    """A flag that ends watching, such as ``threading.Event``."""

    def is_set(self) -> bool:
        """Whether to stop."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Snapshot of files and folders; given paths are in it, or only in ``named``."""

    named: dict[Path, Stamp]
    folders: dict[Path, Stamp]
    files: dict[Path, Stamp]


class Watch:
    """Watches files and folders for differences from the last ingested state, initially the current one."""

    def __init__(self, paths: Sequence[Path], suffixes: Collection[str], selection: Selection) -> None:
        """Take the first snapshot.

        Raises:
            MissingError: a path does not exist.
        """
        self._discover = partial(discover, paths, suffixes, selection)
        self._seen = self._look()
        self._taken = dict(self._seen.files)
        self._pending: dict[Path, tuple[Stamp | None, float]] = {}
        """Paths that differ from the ingested state: current stamp, and since when it has been unchanged."""

    def run(self, take: Callable[[frozenset[Path]], bool], stop: Stop) -> None:
        """Hand on the paths of files that were written, added or removed, once they have settled.

        Args:
            take: ingests the paths and returns whether that succeeded; if not, it gets them again later.
            stop: ends watching within a second.

        Raises:
            TimelensError: a watched path is gone, or cannot be reached or watched.
        """
        stirred, rest, gone = False, 0.0, None
        for stirs in self._ticks(stop):
            stirred = stirred or stirs
            now = time.monotonic()
            if now < rest or not (stirred or self._pending):
                continue
            try:
                self._seen = self._look()
            except TimelensError as error:
                gone = now if gone is None else gone
                if now - gone > _PATIENCE:
                    raise type(error)(f"{error.message}, so the watch ends", error.hint) from error
                continue
            stirred, gone = False, None
            rest = time.monotonic() + _REST * (time.monotonic() - now)
            ready = self._settled(now)
            if ready and take(ready):
                self._take(ready)
            elif ready:
                rest = time.monotonic() + _RETRY

    def _look(self) -> _Look:
        listing = self._discover()
        return _Look(
            _stamps(root.path for root in listing.roots),
            _stamps(listing.folders),
            _stamps(source.path for source in listing.sources),
        )

    def _settled(self, now: float) -> frozenset[Path]:
        """The changed paths that have settled: once all have, or once one has waited long for the others."""
        seen, taken = self._seen.files, self._taken
        differing = {path: seen.get(path) for path in seen.keys() | taken.keys()}
        differing = {path: stamp for path, stamp in differing.items() if stamp != taken.get(path)}
        before = self._pending
        self._pending = {
            path: before[path] if path in before and before[path][0] == stamp else (stamp, now)
            for path, stamp in differing.items()
        }
        ready = frozenset(path for path, (_, since) in self._pending.items() if now - since >= _MOMENT)
        longest = max((now - self._pending[path][1] for path in ready), default=0.0)
        return ready if len(ready) == len(self._pending) or longest >= _PATIENCE else frozenset()

    def _take(self, paths: frozenset[Path]) -> None:
        """Record paths as ingested."""
        for path in paths:
            stamp, _ = self._pending.pop(path)
            if stamp is None:
                del self._taken[path]
            else:
                self._taken[path] = stamp

    def _ticks(self, stop: Stop) -> Iterator[bool]:
        """Yields twice a second, or sooner on changes, whether a scan is needed."""
        while not stop.is_set():
            folders, begun = self._seen.folders, True
            try:
                with closing(_changes(list(folders), stop)) as changes:
                    for changed in changes:
                        named = self._seen.named
                        yield begun or changed or _stamps(named) != named
                        begun = False
                        if self._seen.folders != folders:
                            break
            except FileNotFoundError:  # a folder was removed after the scan
                time.sleep(_TICK)
                yield True


def _changes(folders: Sequence[Path], stop: Stop) -> Generator[bool]:
    """Yields twice a second, or sooner on changes, whether something directly in a folder has changed.

    Subfolders and targets of links are not watched.

    Raises:
        BadInputError: the folders cannot be watched.
        FileNotFoundError: a folder is gone.
    """
    while not folders and not stop.is_set():
        time.sleep(_TICK)
        yield False
    if stop.is_set():
        return
    from watchfiles import watch

    try:
        for changes in watch(
            *folders,
            watch_filter=None,
            recursive=False,
            stop_event=stop,
            rust_timeout=int(_TICK * 1000),
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield bool(changes)
    except FileNotFoundError:
        raise
    except (OSError, RuntimeError) as error:
        raise BadInputError(
            f"{counted(len(folders), 'folder')} cannot be watched: {first_line(error)}",
            "raise fs.inotify.max_user_watches, or set WATCHFILES_FORCE_POLLING=true",
        ) from error


def _stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    """The stamps of the paths that can be reached."""
    found: dict[Path, Stamp] = {}
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue
        written = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        found[path] = (state.st_dev, state.st_ino, *(() if stat.S_ISDIR(state.st_mode) else written))
    return found
