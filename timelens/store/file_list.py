"""The list of the files of a corpus with their hashes, by which damaged files are found.

LanceDB never changes a file after it is written, except a version hint. Each run that writes updates the list
at its end; until then the list is marked incomplete, so that the remains of a killed run are no damage.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from timelens.embedding import EmbedderIdentity
from timelens.folders import file_sha256, put_on_disk, write_atomically

LIST = "files.json"

_HINT = "latest_version_hint.json"
_UNFINISHED = "."
"""Prefix of the names of files that LanceDB has not finished."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """A file or table that differs from what was written."""

    name: str
    """Its path below the corpus."""
    fault: str


@dataclass(frozen=True, slots=True)
class FileList:
    """The files at the end of the last run."""

    complete: bool = False
    """Whether no run has begun since; if one has, files may be missing from the corpus or from the list."""
    schema_version: int | None = None
    embedder: EmbedderIdentity | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by path below the corpus."""

    @classmethod
    def read(cls, corpus: Path) -> Self:
        """The list of a corpus; empty if there is none.

        Raises:
            ValueError: the list is damaged.
        """
        try:
            raw = (corpus / LIST).read_bytes()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise ValueError(f"it cannot be read: {error.strerror}") from error
        try:
            listed: dict[str, Any] = json.loads(raw)["list"]
            listed["embedder"] = listed["embedder"] and EmbedderIdentity(**listed["embedder"])
            read = cls(**listed)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError("it differs from what was written") from error
        if read._text().encode() != raw:
            raise ValueError("it differs from what was written")
        return read

    def write(self, corpus: Path) -> None:
        """Write the list into a corpus, atomically."""
        write_atomically(corpus / LIST, self._text())

    def _text(self) -> str:
        listed = asdict(self)
        digest = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
        return json.dumps({"sha256": digest, "list": listed}, indent=1) + "\n"

    def begun(self) -> Self:
        """The list during a run that writes."""
        return replace(self, complete=False)

    def ended(self, corpus: Path, schema_version: int, embedder: EmbedderIdentity) -> Self:
        """The list after a run. New files are hashed; other files keep their hash.

        New files are synced to disk, because LanceDB does not wait for that.
        """
        known = {name: hashed for name, hashed in self.hashes.items() if not name.endswith(_HINT)}
        hashes = {name: known.get(name) or file_sha256(corpus / name) for name in _names(corpus)}
        new = [corpus / name for name in hashes if name not in known]
        folders = {folder for file in new for folder in file.parents if folder.is_relative_to(corpus)}
        for path in (*new, *folders):
            put_on_disk(path)
        return replace(self, complete=True, schema_version=schema_version, embedder=embedder, hashes=hashes)

    def faults(
        self, corpus: Path, within: Sequence[str] = ("",), on_read: Callable[[int], None] = lambda _: None
    ) -> Iterator[FileFault]:
        """The listed files that have changed or are missing.

        Args:
            corpus: the folder.
            within: check only files whose path contains one of these.
            on_read: receives the number of files done.
        """
        for done, (name, listed) in enumerate(self.hashes.items(), start=1):
            if not self.complete and name.endswith(_HINT):
                continue
            if any(part in name for part in within) and (fault := self._fault(corpus / name, listed)):
                yield FileFault(name, fault)
            on_read(done)

    def _fault(self, path: Path, listed: str) -> str | None:
        try:
            return None if file_sha256(path) == listed else "it differs from what was written"
        except FileNotFoundError:
            return "it is missing" if self.complete else None
        except OSError as error:
            return f"it cannot be read: {error.strerror}"


def size_of(corpus: Path) -> int:
    """Bytes of all files of a corpus in a folder."""
    return sum(file.stat().st_size for file in corpus.rglob("*") if file.is_file())


def _names(corpus: Path) -> list[str]:
    """Sorted paths of the files of the tables, relative to the corpus."""
    files = (file for table in corpus.glob("*.lance") for file in table.rglob("*") if file.is_file())
    kept = (file for file in files if not file.name.startswith(_UNFINISHED))
    return sorted(file.relative_to(corpus).as_posix() for file in kept)
