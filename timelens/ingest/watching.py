"""What changes in files and folders while they are watched. The only place that knows watchfiles."""

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
"""Seconds between two looks at what was named, while nothing is said to change."""
_MOMENT = 1.0
"""Seconds that a file must stay as it is before it is read."""
_PATIENCE = 5.0
"""Seconds that files which have settled wait for others, and that what is watched may be gone."""
_RETRY = 10.0
"""Seconds until changes are handed on again that could not be taken in."""
_REST = 10
"""So many times as long as a look takes no other follows, where files never settle."""

Stamp = tuple[int, ...]
"""What differs where a file or folder was written or replaced."""


class Stop(Protocol):
    """What tells whether to end."""

    def is_set(self) -> bool:
        """Whether to."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What was there at one time; what is named is among it, or in ``named`` alone."""

    named: dict[Path, Stamp]
    folders: dict[Path, Stamp]
    files: dict[Path, Stamp]


class Watch:
    """Files and folders as they were when their changes were taken in last; at first, as they are now."""

    def __init__(self, paths: Sequence[Path], suffixes: Collection[str], selection: Selection) -> None:
        """Look at them.

        Raises:
            MissingError: one of them does not exist.
        """
        self._discover = partial(discover, paths, suffixes, selection)
        self._seen = self._look()
        self._taken = dict(self._seen.files)
        self._pending: dict[Path, tuple[Stamp | None, float]] = {}
        """What differs from what was taken in, and since when it is as it is."""

    def run(self, take: Callable[[frozenset[Path]], bool], stop: Stop) -> None:
        """Hand on the paths of files that were written, came or went, once they have settled.

        Args:
            take: brings them in, and says whether it could; if not, it is handed them again.
            stop: ends this within a second.

        Raises:
            TimelensError: what is watched is gone, or cannot be reached or watched.
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
        """What differs from what was taken in and has stayed as it is: all of it, or what has for long."""
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
        """Keep what is taken in now."""
        for path in paths:
            stamp, _ = self._pending.pop(path)
            if stamp is None:
                del self._taken[path]
            else:
                self._taken[path] = stamp

    def _ticks(self, stop: Stop) -> Iterator[bool]:
        """Twice a second, or when something changes, whether there is reason to look."""
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
            except FileNotFoundError:  # a folder went after it was seen
                time.sleep(_TICK)
                yield True


def _changes(folders: Sequence[Path], stop: Stop) -> Generator[bool]:
    """Twice a second, or sooner if so, whether something directly in one of the folders has changed.

    Folders below them, and where links lead, are not watched.

    Raises:
        BadInputError: they cannot be watched.
        FileNotFoundError: one of them is gone.
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
    """Those that can be reached."""
    found: dict[Path, Stamp] = {}
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue
        written = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        found[path] = (state.st_dev, state.st_ino, *(() if stat.S_ISDIR(state.st_mode) else written))
    return found
