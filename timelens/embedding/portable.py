"""An embedder to load on another machine, which may lack its files."""

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
"""Formats of weights that are not sent, because only safetensors is read."""


@dataclass(frozen=True, slots=True)
class PortableEmbedder:
    """Loads an embedder from local files or from the files that it carries. It is pickled for transport."""

    settings: EmbedderSettings
    identity: EmbedderIdentity
    files: Mapping[str, bytes]
    """Contents by path below the model's folder; empty if the model is bundled or available there."""

    @classmethod
    def of(
        cls, settings: EmbedderSettings, identity: EmbedderIdentity, *, with_files: bool
    ) -> "PortableEmbedder":
        """The carrier of an embedder; ``with_files`` includes the files of a model that is not bundled."""
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
