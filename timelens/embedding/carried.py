"""An embedder that is loaded on another machine, where its files may not be."""

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from timelens.config import BUNDLED_EMBEDDER, EmbedderSettings
from timelens.embedding import (
    Embedder,
    EmbedderIdentity,
    SentenceTransformerEmbedder,
    load_embedder,
    model_folder,
)
from timelens.errors import MissingError

_OTHER_FORMATS = {".bin", ".h5", ".msgpack", ".onnx", ".ot", ".pt", ".pth"}
"""Weights that are never read: those in safetensors are."""


@dataclass(frozen=True, slots=True)
class CarriedEmbedder:
    """Loads an embedder from its files there, or from those that it brings. It is sent pickled."""

    settings: EmbedderSettings
    identity: EmbedderIdentity
    files: Mapping[str, bytes]
    """Contents by path below the model's folder; none where it comes with timelens, or is seen there."""

    @classmethod
    def of(
        cls, settings: EmbedderSettings, identity: EmbedderIdentity, *, with_files: bool
    ) -> "CarriedEmbedder":
        """What loads the embedder of an identity, with the files of one that does not come with timelens."""
        files: dict[str, bytes] = {}
        if with_files and settings.model != BUNDLED_EMBEDDER:
            folder = model_folder("embedder", settings.model, allow_download=False)
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file() and path.suffix not in _OTHER_FORMATS and not _is_hidden(path, folder)
            }
        return cls(settings, identity, files)

    def __call__(self) -> Embedder:
        """The embedder.

        Raises:
            MissingError: it is not on this machine, and its files were not brought.
        """
        settings = self.settings.model_copy(update={"allow_download": False})
        try:
            found = load_embedder(settings)
            if not self.files or found.identity == self.identity:
                return found
        except MissingError:
            if not self.files:
                raise
        folder = Path(tempfile.mkdtemp(prefix="timelens-embedder-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return SentenceTransformerEmbedder(folder, self.identity.name, settings)


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
