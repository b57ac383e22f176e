"""The catalogue of recommended language models, and the paths of pulled models."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

from timelens.errors import BadInputError, MissingError
from timelens.folders import home, user_path

_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.gguf")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """An instruction-tuned model as a GGUF file on a hub."""

    name: str
    repository: str
    """OWNER/NAME on the hub."""
    file: str
    size: int
    """In bytes; approximate if no hash is pinned."""
    licence: str
    good_for: str
    """Suitable machines, in a few words."""
    sha256: str | None = None
    """The expected hash, whatever the source of the file; ``None`` if only the hub states it."""

    @property
    def gigabytes(self) -> float:
        """The size in GB, rounded to a tenth."""
        return round(self.size / 1e9, 1)

    def url(self, hub: str) -> str:
        """The address of the file on a hub."""
        return f"{hub.rstrip('/')}/{self.repository}/resolve/main/{quote(self.file)}"


CATALOGUE = (
    CatalogueModel(
        "qwen2.5-0.5b",
        "Qwen/Qwen2.5-0.5B-Instruct-GGUF",
        "qwen2.5-0.5b-instruct-q4_k_m.gguf",
        491_400_032,
        "Apache-2.0",
        "machines with little memory",
        "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
    ),
    CatalogueModel(
        "qwen2.5-1.5b",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_117_320_736,
        "Apache-2.0",
        "machines without a GPU",
        "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
    ),
    CatalogueModel(
        "qwen2.5-coder",
        "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        1_117_320_768,
        "Apache-2.0",
        "machines without a GPU; reads best",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    CatalogueModel(
        "llama-3.2-3b",
        "bartowski/Llama-3.2-3B-Instruct-GGUF",
        "Llama-3.2-3B-Instruct-Q4_K_M.gguf",
        2_000_000_000,
        "Llama 3.2 Community",
        "many cores or a small GPU",
    ),
    CatalogueModel(
        "qwen3-4b",
        "Qwen/Qwen3-4B-GGUF",
        "Qwen3-4B-Q4_K_M.gguf",
        2_500_000_000,
        "Apache-2.0",
        "many cores or a small GPU",
    ),
    CatalogueModel(
        "llama-3.1-8b",
        "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
        "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf",
        4_900_000_000,
        "Llama 3.1 Community",
        "a GPU with 8 GB",
    ),
    CatalogueModel(
        "qwen3-8b",
        "Qwen/Qwen3-8B-GGUF",
        "Qwen3-8B-Q4_K_M.gguf",
        5_000_000_000,
        "Apache-2.0",
        "a GPU with 8 GB",
    ),
)
SUGGESTED = "qwen2.5-coder"
"""The model that the chat offers if none has been chosen."""


@dataclass(frozen=True, slots=True)
class Source:
    """Origin, target and catalogue entry of a model to pull."""

    origin: str | Path
    """An address, or a file on this machine."""
    target: Path
    model: CatalogueModel | None
    """Its catalogue entry, if any."""


@dataclass(frozen=True, slots=True)
class PullRecord:
    """The record of a pull, stored beside the file."""

    url: str
    """The address, or the path of the file that was copied."""
    size: int
    sha256: str
    stated_by: str
    """The source of the hash: ``user``, ``catalogue``, ``server``, or ``nobody`` (computed on first pull)."""

    @property
    def checked_words(self) -> str:
        """The hash and its source, in words for the user."""
        return f"sha256 {self.sha256}, {_STATED[self.stated_by]}"


_STATED = {
    "server": "as the server states",
    "user": "as was asked for",
    "catalogue": "as the catalogue states",
    "nobody": "which nobody states; it is recorded, and the file is checked against it from now on",
}


def models_folder() -> Path:
    """The folder for pulled models."""
    return home() / "models"


def record_file(model: Path) -> Path:
    """The path of the record of a model."""
    return model.with_name(model.name + ".json")


def part_file(model: Path) -> Path:
    """The path of the unfinished download of a model."""
    return model.with_name(model.name + ".part")


def is_sha256(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal, in small letters."""
    return _SHA256.fullmatch(text) is not None


def read_record(model: Path) -> PullRecord | None:
    """The record of the pull of a model; ``None`` if there is none.

    Raises:
        BadInputError: the record is damaged.
    """
    path = record_file(model)
    try:
        kept = json.loads(path.read_text("utf-8"))
        record = PullRecord(str(kept["url"]), int(kept["size"]), str(kept["sha256"]), str(kept["stated_by"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"{path} is damaged: {error}", "remove it, then pull the model again") from error
    if not is_sha256(record.sha256):
        raise BadInputError(f"{path} is damaged: it holds no SHA-256", "remove it, then pull the model again")
    return record


def named(name: str) -> CatalogueModel | None:
    """The catalogue entry with a name; ``None`` if there is none."""
    return next((model for model in CATALOGUE if model.name == name), None)


def source_of(name: str, hub: str, origin: str | None = None) -> Source:
    """Origin and target of a model, from its name in the catalogue or its address.

    Args:
        name: a name in the catalogue, or the address of a GGUF file.
        hub: the address of the hub or a mirror of it.
        origin: replaces the hub for a model of the catalogue: the address of a mirror or of the file, or
            the path of the file on this machine.

    Raises:
        BadInputError: the address is not that of a GGUF file.
        MissingError: there is no model of that name.
    """
    model = named(name)
    if model is None:
        if origin is not None:
            raise BadInputError(
                f"{name!r} is not in the catalogue, so --from cannot be used",
                "see: timelens model list; for a local file: timelens model use FILE",
            )
        return Source(name, models_folder() / _file_of(name), None)
    target = models_folder() / model.file
    if origin is None:
        url = model.url(hub)
    elif not _split(origin).netloc:
        return Source(user_path(origin), target, model)
    else:
        url = origin if _split(origin).path.endswith(".gguf") else model.url(origin)
    _file_of(url)
    return Source(url, target, model)


def _file_of(url: str) -> str:
    """The name of the GGUF file at an address."""
    parts = _split(url)
    if not parts.netloc:
        raise MissingError(
            f"there is no model {url!r} in the catalogue",
            "see: timelens model list, or give the full https:// address of a GGUF file",
        )
    if not is_safe(url):
        raise BadInputError(f"{url} cannot be pulled from", "give an address that begins with https://")
    file = unquote(parts.path.rpartition("/")[2])
    if not _SAFE_NAME.fullmatch(file):
        raise BadInputError(f"{url} does not name a GGUF file", "give an address that ends in NAME.gguf")
    return file


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError as error:
        raise BadInputError(
            f"{url} is not an address: {error}", "give one that begins with https://"
        ) from error


def is_safe(url: str) -> bool:
    """Whether the connection to an address is protected: HTTPS, or HTTP to this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in {"localhost", "127.0.0.1", "::1"}
    )


def local_model(name: str) -> Path:
    """The file of a model, given its name in the catalogue, the name of a pulled file, or a path.

    Raises:
        MissingError: it is not on this machine.
    """
    model = named(name)
    pulled = models_folder() / (name if model is None else model.file)
    path = user_path(name)
    if path.exists() and model is None:
        return path
    if pulled.is_file():
        return pulled
    if model is not None:
        raise MissingError(
            f"the model {name} is not on this machine",
            f"timelens model pull {name} (about {model.gigabytes} GB)",
        )
    raise MissingError(f"there is no model file {name}", "see: timelens model list, or /model in the chat")
