"""Downloads official distributions, only on request.

A file with a known hash is resumed if it is partial, left alone if it is complete, and deleted if its hash
differs. A file without one is downloaded from its beginning each time, because the published file may have
changed since; from the hub, its client resumes and keeps files by the version that the hub states. Only one
process at a time writes into a folder.
"""

import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from urllib.response import addinfourl

from timelens import BadInputError, MissingError, StoreError
from timelens.bench.official_sources import HUB, REPOSITORY, Source
from timelens.bench.run_folder import file_hash
from timelens.errors import reason_of
from timelens.folders import hold

OnProgress = Callable[[str, int, int | None], None]
"""Called with the file, the number of bytes present, and the total number of bytes if known."""

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (\d+)\n", re.ASCII
)
_LONGEST_POINTER = 1_000
LOCK = "fetch.lock"
"""Lock file in the folder, held by the one process that writes there."""
_BLOCK = 1 << 20
_TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers that files are downloaded from."""

    hub: str = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    raw: str = "https://raw.githubusercontent.com"
    media: str = "https://media.githubusercontent.com/media"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A downloaded file."""

    path: Path
    sha256: str
    verified: bool
    """Whether its hash was checked against a known hash."""


def fetch(
    sources: Sequence[Source],
    folder: Path,
    *,
    on_progress: OnProgress = lambda *_: None,
    servers: Servers | None = None,
    quiet: bool = False,
) -> list[Fetched]:
    """Download files into a folder. The hub's client shows its own progress unless ``quiet``.

    Raises:
        BadInputError: the folder cannot be written, or a file does not have its known hash.
        MissingError: a file cannot be downloaded.
        StoreError: another process writes into the folder.
    """
    used = servers or Servers()
    if quiet:
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()
    taken = StoreError(
        f"another process is fetching into {folder}", "wait until it has finished, or name another with --out"
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = hold(folder / LOCK, taken)
    except OSError as error:
        raise _unwritable(folder, error) from error
    with held:
        return [_fetched(source, folder, used, on_progress) for source in sources]


def _fetched(source: Source, folder: Path, servers: Servers, on_progress: OnProgress) -> Fetched:
    target = folder / source.path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.kind == HUB:
            wanted = source.sha256
            if not (target.is_file() and wanted is not None and file_hash(target) == wanted):
                _from_hub(source, folder, servers.hub)
        else:
            wanted = _by_https(source, target, servers, on_progress)
    except urllib.error.URLError as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        raise _unreachable(source, str(error)) from error
    except OSError as error:
        raise _unwritable(target, error) from error
    found = file_hash(target)
    if wanted is not None and found != wanted:
        target.unlink()
        raise BadInputError(
            f"{source.path} of {source.place} has the SHA-256 {found}, not {wanted}",
            "fetch it again; if this happens again, the published file has changed",
        )
    return Fetched(target, found, wanted is not None)


def _from_hub(source: Source, folder: Path, endpoint: str) -> None:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError

    try:
        hf_hub_download(
            source.place,
            source.path,
            repo_type="dataset",
            revision=source.revision,
            local_dir=folder,
            endpoint=endpoint,
        )
    except GatedRepoError as error:
        raise MissingError(
            f"the data set {source.place} is only given to those who accept its conditions",
            f"accept them at https://huggingface.co/datasets/{source.place}, log in with: hf auth login",
        ) from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise _unreachable(source, str(error)) from error


def _by_https(source: Source, target: Path, servers: Servers, on_progress: OnProgress) -> str | None:
    """Download a file and return the hash that it must have, if known."""
    if source.kind != REPOSITORY:
        if not (source.sha256 and target.is_file() and file_hash(target) == source.sha256):
            address = f"{source.place}/{quote(source.path)}"
            _download(address, target, source.path, on_progress, resume=source.sha256 is not None)
        return source.sha256
    place = f"{source.place}/{source.revision}/{quote(source.path)}"
    with _opened(f"{servers.raw}/{place}") as stream:
        start = stream.read(_LONGEST_POINTER)
    pointer = _POINTER.fullmatch(start)
    if pointer is None:
        _download(f"{servers.raw}/{place}", target, source.path, on_progress, resume=False)
        return None
    wanted = pointer[1].decode()
    if not (target.is_file() and file_hash(target) == wanted):
        _download(f"{servers.media}/{place}", target, source.path, on_progress, resume=True)
    return wanted


def _download(address: str, target: Path, name: str, on_progress: OnProgress, *, resume: bool) -> None:
    """Write a part file beside the target, and move it into place when complete.

    With ``resume`` a part that is there is appended to; the caller must check the hash of the whole.
    """
    part = target.with_name(f"{target.name}.part")
    have = part.stat().st_size if resume and part.exists() else 0
    try:
        stream = _opened(address, start=have)
    except urllib.error.HTTPError as error:
        if error.code != 416:
            raise
        error.close()
        have, stream = 0, _opened(address)  # the part is as long as the file, or longer: start over
    with stream, part.open("ab" if have and stream.status == 206 else "wb") as into:
        have = into.tell()
        length = stream.headers.get("Content-Length")
        total = None if length is None else have + int(length)
        while block := stream.read(_BLOCK):
            have += into.write(block)
            on_progress(name, have, total)
    if total is not None and have < total:
        raise urllib.error.URLError(f"the connection ended after {have} of {total} bytes")
    part.replace(target)


def _opened(address: str, *, start: int = 0) -> addinfourl:
    request = urllib.request.Request(address, headers={"User-Agent": "timelens"})  # noqa: S310 -- see sources
    if start:
        request.add_header("Range", f"bytes={start}-")
    stream: addinfourl = urllib.request.urlopen(request, timeout=_TIMEOUT)  # noqa: S310
    return stream


def _unwritable(path: Path, error: OSError) -> BadInputError:
    return BadInputError(f"{path} cannot be written: {reason_of(error)}", "name another folder with --out")


def _unreachable(source: Source, reason: str) -> MissingError:
    first = (reason.strip() or "no reason given").splitlines()[0]
    return MissingError(
        f"{source.path} of {source.place} cannot be fetched: {first}",
        "check the connection, then run the command again; "
        "a file whose hash is known goes on from where it stopped",
    )
