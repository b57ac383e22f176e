"""Which files to read."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens.errors import MissingError
from timelens.ingest.failures import Failure
from timelens.printable import is_unicode


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: Path
    id: str
    """Its path below the ingested root, in POSIX form."""

    @property
    def uri(self) -> str:
        """Where it stands on this machine."""
        return self.path.resolve().as_posix()


def discover(paths: Sequence[Path], suffixes: Collection[str]) -> tuple[list[SourceFile], list[Failure]]:
    """The files with one of the suffixes, in order, and those that are left out with the reason.

    Folders are searched through, hidden files aside. Links that lead out of their folder are not followed.

    Raises:
        MissingError: a path does not exist.
    """
    sources: list[SourceFile] = []
    left_out: list[Failure] = []
    for path in paths:
        if not path.exists():
            raise MissingError(f"there is nothing at {path}", "check the path")
        for source in _files(path):
            if not is_unicode(source.id):
                shown = source.id.encode(errors="replace").decode()
                left_out.append(Failure(shown, "its name is not UTF-8", "rename it"))
            elif source.path.suffix.lower() not in suffixes:
                hint = f"readable are {' '.join(suffixes)}"
                left_out.append(Failure(source.id, "no reader for this kind of file", hint))
            elif path.is_dir() and not source.path.resolve().is_relative_to(path.resolve()):
                hint = "ingest its target by name"
                left_out.append(Failure(source.id, "a link that leads out of the folder", hint))
            else:
                sources.append(source)
    return sources, left_out


def _files(path: Path) -> Iterator[SourceFile]:
    if path.is_file():
        yield SourceFile(path, path.name)
        return
    for file in sorted(path.rglob("*")):
        below = file.relative_to(path)
        if file.is_file() and not any(part.startswith(".") for part in below.parts):
            yield SourceFile(file, below.as_posix())
